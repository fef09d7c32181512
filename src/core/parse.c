/* parse.c: the numbers and words that people type. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parse.h"

static const char *digits(const char *s)
{
	while (*s >= '0' && *s <= '9')
		s++;
	return s;
}

/* The end of a decimal number at s, or s where there is none. */
static const char *number_end(const char *s)
{
	const char *start = s, *whole, *end;

	if (*s == '+' || *s == '-')
		s++;
	whole = s;
	end = digits(s);
	if (*end == '.') {
		s = end + 1;
		end = digits(s);
		if (end == s && s == whole + 1)
			return start;
	} else if (end == whole) {
		return start;
	}
	if (*end == 'e' || *end == 'E') {
		s = end + 1;
		if (*s == '+' || *s == '-')
			s++;
		if (digits(s) == s)
			return start;
		end = digits(s);
	}
	return end;
}

bool parse_real(const char *text, double *x)
{
	const char *end = number_end(text);

	if (end == text || *end)
		return false;
	*x = strtod(text, NULL);
	return isfinite(*x);
}

bool parse_held(const char *text, double x)
{
	return fabs(x) < 0x1p53 || strtold(text, NULL) == (long double)x;
}

bool parse_whole(const char *text, double *x)
{
	static const char suffixes[] = "kMG";
	const char *end = number_end(text), *suffix;

	if (end == text || strpbrk(text, ".") || strstr(text, "e-") ||
	    strstr(text, "E-"))
		return false;
	*x = strtod(text, NULL);
	/* 2^53 + 1 is no double; it must not pass for 2^53. */
	if (fabs(*x) <= 0x1p53 && strtold(text, NULL) != (long double)*x)
		*x = copysign(0x1.8p53, *x);
	if (*end) {
		suffix = strchr(suffixes, *end);
		if (!suffix || end[1])
			return false;
		*x = ldexp(*x, 10 * (int)(suffix - suffixes + 1));
	}
	return isfinite(*x);
}

bool parse_range(const char *text, long *first, long *last)
{
	const char *colon = strchr(text, ':');
	const size_t n = colon ? (size_t)(colon - text) : 0;
	char begin[32] = "";
	double a = 0, b = 0;

	if (!colon || n >= sizeof begin)
		return false;
	memcpy(begin, text, n);
	if ((n && !parse_whole(begin, &a)) ||
	    (colon[1] && !parse_whole(colon + 1, &b)) || fabs(a) > 0x1p53 ||
	    fabs(b) > 0x1p53)
		return false;
	*first = n ? (long)a : LONG_MIN;
	*last = colon[1] ? (long)b : LONG_MAX;
	return true;
}

size_t parse_extents(const char *text, double at[3])
{
	char word[24];

	for (size_t n = 0; n < 3; text++) {
		const size_t length = strcspn(text, "x");

		if (length >= sizeof word)
			return 0;
		memcpy(word, text, length);
		word[length] = '\0';
		if (!parse_whole(word, &at[n]) || at[n] < 1 || at[n] > 0x1p53)
			return 0;
		n++;
		text += length;
		if (!*text)
			return n;
	}
	return 0;
}

enum { LETTERS_MOST = 32 };  /* of a word; the rest is not looked at */

/* Letters to insert, delete, change or swap to get from a [n] to b [m]. */
static size_t edits(const char *a, size_t n, const char *b, size_t m)
{
	size_t d[3][LETTERS_MOST + 1];

	for (size_t j = 0; j <= m; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = d[i % 3], *last = d[(i - 1) % 3];
		const size_t *before = d[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t least = last[j - 1] + (a[i - 1] != b[j - 1]);

			if (last[j] + 1 < least)
				least = last[j] + 1;
			if (now[j - 1] + 1 < least)
				least = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && before[j - 2] + 1 < least)
				least = before[j - 2] + 1;
			now[j] = least;
		}
	}
	return d[n % 3][m];
}

bool nearer_word(const char *text, const char *word, size_t *best)
{
	const size_t n = strnlen(text, LETTERS_MOST);
	const size_t m = strnlen(word, LETTERS_MOST);
	const size_t far = n < 6 ? 1 : n / 3;
	size_t distance = n < m ? m - n : n - m;  /* at least */

	if (distance <= far)
		distance = edits(text, n, word, m);

	/* A beginning of the word is a better guess than its length says. */
	if (n >= 2 && strncmp(text, word, n) == 0)
		distance = 1;
	if (distance > far || distance >= *best)
		return false;
	*best = distance;
	return true;
}

const char *nearest_word(const char *text, const char *const *words)
{
	const char *nearest = NULL;
	size_t best = (size_t)-1;

	for (; *words; words++)
		if (nearer_word(text, *words, &best))
			nearest = *words;
	return nearest;
}
