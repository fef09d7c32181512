/* letters.c: the letters of a text, put together and in order. */
#include <string.h>

#include "text/utf8.h"
#include "figure/arabic.h"
#include "figure/letters.h"

struct span {
	unsigned long first, last;
};

/* Combining marks (Mn and Me) of scripts that read well without shaping. */
static const struct span marks[] = {
	{ 0x300, 0x36f }, { 0x483, 0x489 }, { 0x591, 0x5bd }, { 0x5bf, 0x5bf },
	{ 0x5c1, 0x5c2 }, { 0x5c4, 0x5c5 }, { 0x5c7, 0x5c7 }, { 0x610, 0x61a },
	{ 0x64b, 0x65f }, { 0x670, 0x670 }, { 0x6d6, 0x6dc }, { 0x6df, 0x6e4 },
	{ 0x6e7, 0x6e8 }, { 0x6ea, 0x6ed }, { 0x711, 0x711 }, { 0x730, 0x74a },
	{ 0x7a6, 0x7b0 }, { 0x900, 0x902 }, { 0x93a, 0x93a }, { 0x93c, 0x93c },
	{ 0x941, 0x948 }, { 0x94d, 0x94d }, { 0x951, 0x957 }, { 0xe31, 0xe31 },
	{ 0xe34, 0xe3a }, { 0xe47, 0xe4e }, { 0xeb1, 0xeb1 }, { 0xeb4, 0xebc },
	{ 0xec8, 0xece }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
	{ 0x20d0, 0x20ff }, { 0x302a, 0x302d }, { 0x3099, 0x309a },
	{ 0xfe20, 0xfe2f },
};

/* Of blocks, as fonts that lack a letter of one mostly lack all. */
static const struct span wide[] = {
	{ 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf },
	{ 0xa960, 0xa97f }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff },
	{ 0xfe30, 0xfe6f }, { 0xff01, 0xff60 }, { 0xffe0, 0xffe6 },
	{ 0x16fe0, 0x1b2ff }, { 0x1f300, 0x1faff }, { 0x20000, 0x3fffd },
};

/* Hebrew, Arabic and the other scripts that run to the left. */
static const struct span leftward[] = {
	{ 0x590, 0x65f }, { 0x66d, 0x6ef }, { 0x6fa, 0x8ff },
	{ 0xfb1d, 0xfdff }, { 0xfe70, 0xfefe }, { 0x10800, 0x10fff },
	{ 0x1e800, 0x1efff },
};

static const struct span digits[] = {
	{ '0', '9' }, { 0x660, 0x66c }, { 0x6f0, 0x6f9 },
};

/* Blanks, punctuation and signs, which run as the letters around them do. */
static const struct span neutral[] = {
	{ 0, '/' }, { ':', '@' }, { '[', '`' }, { '{', 0xa9 }, { 0xab, 0xb4 },
	{ 0xb6, 0xb9 }, { 0xbb, 0xbf }, { 0xd7, 0xd7 }, { 0xf7, 0xf7 },
	{ 0x2000, 0x206f }, { 0x20a0, 0x20cf }, { 0x2190, 0x2bff },
	{ 0x3000, 0x3004 }, { 0x3008, 0x3020 },
};

#define IN(spans, c) is_in(spans, sizeof spans / sizeof *spans, c)

static bool is_in(const struct span *spans, size_t n, unsigned long c)
{
	/* They are in order */
	for (size_t i = 0; i < n && c >= spans[i].first; i++)
		if (c <= spans[i].last)
			return true;
	return false;
}

bool letter_wide(unsigned long c)
{
	return IN(wide, c);
}

/* The syllable of a and the jamo b, or 0 (The Unicode Standard, 3.12). */
static unsigned long hangul_syllable(unsigned long a, unsigned long b)
{
	if (a >= 0x1100 && a <= 0x1112 && b >= 0x1161 && b <= 0x1175)
		return 0xac00 + ((a - 0x1100) * 21 + b - 0x1161) * 28;
	if (a >= 0xac00 && a <= 0xd7a3 && (a - 0xac00) % 28 == 0 &&
	    b > 0x11a7 && b <= 0x11c2)
		return a + b - 0x11a7;
	return 0;
}

/* What a letter and the character after it become, or 0. */
static unsigned long joined(const struct letter *l, unsigned long c)
{
	const unsigned long both = hangul_syllable(l->character, c);

	return l->unjoined ? 0 : both ? both : arabic_ligature(l->character, c);
}

static size_t decode(const char *text, struct letter *to)
{
	size_t n = 0, letter = 0;  /* the last that is no mark */

	while (*text) {
		const unsigned long c = utf8_next(&text);
		const unsigned long both = n ? joined(&to[n - 1], c) : 0;
		const unsigned long all = both ? both : c;

		if (utf8_joins(c)) {
			to[letter].unjoined |= c == 0x200c;
			continue;
		}
		n -= both != 0;
		to[n] = (struct letter){ .character = all, .shown = all };
		to[n].mark = n > 0 && IN(marks, c);
		letter = to[n].mark ? letter : n;
		n++;
	}
	return n;
}

/* Levels of letters, of digits among them, and of what may still change. */
enum { RIGHT = 0, LEFT = 1, NUMBER = 2, NEUTRAL = 3 };

static unsigned char first_level(unsigned long c)
{
	return IN(leftward, c) ? LEFT : IN(digits, c) ? NUMBER :
	       IN(neutral, c) ? NEUTRAL : RIGHT;
}

/* Marks are as their letter; digits after letters to the right, as those. */
static void set_strong(struct letter *l, size_t n)
{
	unsigned char strong = RIGHT;

	for (size_t i = 0; i < n; i++) {
		unsigned char *level = &l[i].level;

		*level = l[i].mark ? l[i - 1].level
				   : first_level(l[i].character);
		if (*level <= LEFT)
			strong = *level;
		else if (*level == NUMBER && strong == RIGHT)
			*level = RIGHT;
	}
}

/* "3.14" and "1,000" are numbers. */
static bool is_inside_number(const struct letter *l, size_t i, size_t n)
{
	return i > 0 && i + 1 < n && l[i - 1].level == NUMBER &&
	       l[i + 1].level == NUMBER && l[i].character < 0x80 &&
	       strchr(".,:/", (int)l[i].character);
}

/* What is between letters to the left runs as they do. */
static void set_neutral(struct letter *l, size_t n)
{
	for (size_t i = 0, end; i < n; i = end + 1) {
		unsigned char before = i ? l[i - 1].level : RIGHT, after;

		for (end = i; end < n && l[end].level == NEUTRAL; end++)
			if (is_inside_number(l, end, n))
				l[end].level = NUMBER;
		after = end < n ? l[end].level : RIGHT;
		for (size_t k = i; k < end; k++)
			if (l[k].level == NEUTRAL)
				l[k].level = before && after ? LEFT : RIGHT;
	}
}

/* A bracket closes on the side on which it was opened. */
static void close_brackets(struct letter *l, size_t n)
{
	static const char closing[] = ")]}", opening[] = "([{";

	for (size_t i = 0; i < n; i++) {
		const unsigned long c = l[i].character;
		const char *at = c < 0x80 ? strchr(closing, (int)c) : NULL;
		size_t k = at ? i : 0;

		while (k && l[k - 1].character !=
			    (unsigned char)opening[at - closing])
			k--;
		if (k && l[k - 1].level == LEFT)
			l[i].level = LEFT;
	}
}

static void reverse(struct letter *l, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const struct letter swap = l[i];

		l[i] = l[n - 1 - i];
		l[n - 1 - i] = swap;
	}
}

/* Turn letters of that level or above, but each with its marks. */
static void turn(struct letter *l, size_t n, int level)
{
	for (size_t i = 0, end; i < n; i = end + 1) {
		for (end = i; end < n && l[end].level >= level; end++)
			;
		reverse(l + i, end - i);
		for (size_t k = i, first = i; k < end; k++)
			if (!l[k].mark) {
				reverse(l + first, k + 1 - first);
				first = k + 1;
			}
	}
}

/* Brackets open on the side that is read first. */
static unsigned long mirrored(unsigned long c)
{
	static const char pairs[] = "()[]{}<>";
	const char *at = strchr(pairs, (int)c);

	return !at ? c : (unsigned char)pairs[(at - pairs) ^ 1];
}

static bool has_leftward(const struct letter *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (IN(leftward, l[i].character))
			return true;
	return false;
}

size_t letters_read(const char *text, struct letter *to)
{
	const size_t n = decode(text, to);

	if (!has_leftward(to, n))
		return n;
	arabic_join(to, n);
	set_strong(to, n);
	set_neutral(to, n);
	close_brackets(to, n);
	for (size_t i = 0; i < n; i++)
		if (to[i].level == LEFT && to[i].character < 0x80)
			to[i].shown = to[i].character =
				mirrored(to[i].character);
	turn(to, n, NUMBER);
	turn(to, n, LEFT);
	return n;
}
