/* naive.c: the straightforward C program for the table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const int n = argc > 4 ? atoi(argv[2]) : 1, d = argc > 4 ? atoi(argv[3]) : 2;
	FILE *out = fopen(argv[4], "wb");
	float *row = malloc((size_t)d * sizeof *row);

	for (int p = 0; p < n; p++) {
		for (int k = 0; k < d / 2; k++) {
			const float w = expf((float)(2 * k) * -(logf(10000) / (float)d));

			row[2 * k] = sinf((float)p * w);
			row[2 * k + 1] = cosf((float)p * w);
		}
		fwrite(row, sizeof *row, (size_t)d, out);
	}
	free(row);
	return fclose(out) != 0;
}
