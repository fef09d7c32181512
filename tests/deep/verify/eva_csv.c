/*
 * eva_csv.c: reads a number of CSV (TOKEN is 0) or finds the separator and the
 * fields of a line (1) of any BYTES bytes, for the same proof as eva_npy.c. A decimal
 * number ends anywhere in the text, within which eva_text.c shows it to end.
 */
#include "eva.h"

#define HUGE_VAL ((double)INFINITY)

/* Where they say that a text begins with a word, EVA sees that its bytes do. */
static int equal(char a, char b, int both)
{
	return a == b || (both && b >= 'a' && b <= 'z' && a == b - 'a' + 'A');
}

static int differ(const char *s, const char *word, size_t n, int both)
{
	for (size_t i = 0; i < n; i++)
		if (!equal(s[i], word[i], both))
			return 1;
		else if (!s[i])
			return 0;
	return 0;
}

#define strncasecmp(s, word, n) differ(s, word, n, 1)
#define strncmp(s, word, n) differ(s, word, n, 0)

#include "text/utf8.c"
#include "formats/csv_fields.c"

struct decimal decimal_read(const char *s)
{
	struct decimal d = {
		.x = Frama_C_double_interval(-1e300, 1e300), .end = s,
	};

	while (*d.end && Frama_C_nondet(0, 1))
		d.end++;
	return d;
}

int main(void)
{
	char line[BYTES + 1];
	const struct csv_text c = { line, line + BYTES, ',', NULL };

	Frama_C_make_unknown(line, BYTES);
	line[BYTES] = '\0';
#if TOKEN == 0
	csv_number(line);
#else
	csv_separator(&c);
	csv_count(&c);
#endif
	return 0;
}
