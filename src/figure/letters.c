/* letters.c: the letters of a text, and what they need. */
#include "figure/letters.h"
#include "text/utf8.h"

struct span {
	uint32_t first, last;
};

/* Of blocks, as fonts that lack a letter of one mostly lack all. */
static const struct span wide[] = {
	{ 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf },
	{ 0xa960, 0xa97f }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff },
	{ 0xfe30, 0xfe6f }, { 0xff01, 0xff60 }, { 0xffe0, 0xffe6 },
	{ 0x16fe0, 0x1b2ff }, { 0x1f300, 0x1faff }, { 0x20000, 0x3fffd },
};

/* Of blocks, too. */
static const struct span shaped[] = {
	{ 0x300, 0x36f },      /* combining marks, */
	{ 0x483, 0x489 },      /* and of Cyrillic */
	{ 0x590, 0x109f },     /* Hebrew and Arabic to Myanmar */
	{ 0x135d, 0x135f },    /* marks of Ethiopic */
	{ 0x1700, 0x18af },    /* Tagalog to Mongolian */
	{ 0x1900, 0x1c7f },    /* Limbu to Ol Chiki */
	{ 0x1cc0, 0x1cff },    /* Sundanese and Vedic */
	{ 0x1dc0, 0x1dff },    /* marks */
	{ 0x20d0, 0x20ff },
	{ 0x302a, 0x302f }, { 0x3099, 0x309a },
	{ 0xa800, 0xa95f },    /* Syloti Nagri to Rejang */
	{ 0xa980, 0xabff },    /* Javanese to Meetei Mayek */
	{ 0xfb1d, 0xfdff },    /* forms of Hebrew and Arabic, */
	{ 0xfe20, 0xfe2f },    /* half marks, */
	{ 0xfe70, 0xfefe },    /* and more forms */
	{ 0x10800, 0x11fff },  /* Cypriot to Tamil */
	{ 0x1e800, 0x1efff },  /* Mende Kikakui to Arabic symbols */
};

#define IN(spans, c) is_in(spans, sizeof spans / sizeof *spans, c)

static bool is_in(const struct span *spans, size_t n, uint32_t c)
{
	/* They are in order */
	for (size_t i = 0; i < n && c >= spans[i].first; i++)
		if (c <= spans[i].last)
			return true;
	return false;
}

bool letter_wide(uint32_t c)
{
	return IN(wide, c);
}

bool letter_shaped(uint32_t c)
{
	return IN(shaped, c);
}

uint32_t letters_shaped(const char *text)
{
	while (*text) {
		const uint32_t c = (uint32_t)utf8_next(&text);

		if (letter_shaped(c))
			return c;
	}
	return 0;
}

bool letter_joins(uint32_t c)
{
	return utf8_joins(c);
}

/* The syllable of a and the jamo b, or 0 (The Unicode Standard, 3.12). */
static uint32_t hangul_syllable(uint32_t a, uint32_t b)
{
	if (a >= 0x1100 && a <= 0x1112 && b >= 0x1161 && b <= 0x1175)
		return 0xac00 + ((a - 0x1100) * 21 + b - 0x1161) * 28;
	if (a >= 0xac00 && a <= 0xd7a3 && (a - 0xac00) % 28 == 0 &&
	    b > 0x11a7 && b <= 0x11c2)
		return a + b - 0x11a7;
	return 0;
}

size_t letters_read(const char *text, uint32_t *to)
{
	size_t n = 0;

	while (*text) {
		const uint32_t c = (uint32_t)utf8_next(&text);
		const uint32_t both = n ? hangul_syllable(to[n - 1], c) : 0;

		if (both)
			to[n - 1] = both;
		else
			to[n++] = c;
	}
	return n;
}
