/* example.c: a program that uses libposenc; tests/install.bats runs it. */
#include <posenc.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char why[PE_WHY];
	struct pe_table *t = pe_open("sinusoid", "len=3 dim=4", why,
				     sizeof why);
	float x[3 * 4];

	if (!t || pe_fill(t, 0, 3, x) != 0) {
		fprintf(stderr, "%s\n", t ? "out of memory" : why);
		return EXIT_FAILURE;
	}
	printf("%zu x %zu %s: %.9g %.9g at %s %g\n", pe_rows(t), pe_cols(t),
	       pe_dtype(t), (double)x[4], (double)x[5],
	       pe_axis_name(t, PE_ROWS), pe_axis_label(t, PE_ROWS, 1));
	pe_close(t);
	t = pe_open("sinusoid", "len=3 dim=0", why, sizeof why);
	printf("%s\n", t ? "a table without columns" : why);
	return EXIT_SUCCESS;
}
