/* words.c: names with suggestions, and words quoted as in a shell. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "text/words.h"

bool text_is(const char *text, size_t n, const char *word)
{
	return n == strlen(word) && memcmp(text, word, n) == 0;
}

bool text_ends_in(const char *text, size_t n, const char *word)
{
	const size_t m = strlen(word);

	return n >= m && memcmp(text + n - m, word, m) == 0;
}

bool text_has_word(const char *words, const char *word,
		   const char *separators)
{
	for (const char *at = words; *at; at += strspn(at, separators)) {
		const size_t n = strcspn(at, separators);

		if (text_is(at, n, word))
			return true;
		at += n;
	}
	return false;
}

enum { LETTERS_MOST = 32 };  /* that are compared */

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

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
			size_t least = last[j - 1] + !same(a[i - 1], b[j - 1]);

			if (last[j] + 1 < least)
				least = last[j] + 1;
			if (now[j - 1] + 1 < least)
				least = now[j - 1] + 1;
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]) &&
			    before[j - 2] + 1 < least)
				least = before[j - 2] + 1;
			now[j] = least;
		}
	}
	return d[n % 3][m];
}

struct lookup lookup_begin(const char *name)
{
	return (struct lookup){ .name = name, .edits = (size_t)-1 };
}

/* The first letters of name without dashes, small; how many. */
static size_t small_letters(const char *name, char small[LETTERS_MOST])
{
	size_t n = 0;

	for (name += strspn(name, "-"); *name && n < LETTERS_MOST; name++)
		small[n++] = (char)tolower((unsigned char)*name);
	return n;
}

/*
 * The edit distance of the two, without dashes, small and large letters alike;
 * -1 if it is too large.
 */
static size_t distance(const char *typed, const char *known)
{
	char name[LETTERS_MOST];
	const size_t n = small_letters(typed, name);
	size_t m, far, least;

	known += strspn(known, "-");
	m = strnlen(known, LETTERS_MOST);
	/* Two letters have no room for a slip: f8 is not i8, nor f4 f64 */
	far = n < 3 && m >= n ? 0 : n < 6 ? 1 : n / 3;
	least = n < m ? m - n : n - m;

	/* The beginning of a long name is a good guess, too. */
	if (n >= 2 && strncmp(name, known, n) == 0)
		return 1;
	if (least <= far)
		least = edits(name, n, known, m);
	return least <= far ? least : (size_t)-1;
}

bool lookup_is(struct lookup *l, const char *known)
{
	size_t n;

	if (strcmp(l->name, known) == 0)
		return true;
	n = distance(l->name, known);
	if (n < l->edits) {
		l->edits = n;
		snprintf(l->nearest, sizeof l->nearest, "%s", known);
	}
	return false;
}

bool lookup_fail(const struct lookup *l, const char *what, const char *advice,
		 struct error *err)
{
	if (l->nearest[0])
		return fail(err, "%s '%.60s' (did you mean '%s'?)", what,
			    l->name, l->nearest);
	return fail(err, "%s '%.60s'%s", what, l->name, advice);
}

bool lookup_fail_value(const struct lookup *l, const char *flag,
		       const char *expected, struct error *err)
{
	char guess[80] = "";

	if (l->nearest[0])
		snprintf(guess, sizeof guess, " (did you mean '%s'?)",
			 l->nearest);
	return fail(err, "%s: unknown value '%.60s'%s; expected %s", flag,
		    l->name, guess, expected);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

char *word_next(char **text, struct error *err)
{
	char *from = *text, *to, *word, quote = '\0';

	while (is_blank(*from))
		from++;
	if (!*from)
		return NULL;
	for (word = to = from; *from && (quote || !is_blank(*from)); from++) {
		if (*from == quote) {
			quote = '\0';
		} else if (!quote && (*from == '\'' || *from == '"')) {
			quote = *from;
		} else {
			if (!quote && *from == '\\' && from[1])
				from++;
			*to++ = *from;
		}
	}
	*text = from + (*from != '\0');
	*to = '\0';
	if (quote)
		fail(err, "options: missing closing %c", quote);
	return quote ? NULL : word;
}

/* 0: a shell reads the word as it is; 1: in quotes; 2: only as $'...'. */
static int quoting(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@";

	for (const char *c = word; *c; c++)
		if (*c < ' ' || *c > '~')
			return 2;
	return word[strspn(word, plain)] || !word[0];
}

size_t shell_word(const char *word, char *to)
{
	const int how = quoting(word);
	const char *before = how == 2 ? "$'" : how ? "'" : "";
	char piece[8];
	size_t n = strlen(before);

	if (to)
		memcpy(to, before, n);
	for (; *word; word++) {
		const unsigned char c = (unsigned char)*word;

		if (how == 2 && (c < ' ' || c > '~' || c == '\'' || c == '\\'))
			snprintf(piece, sizeof piece, "\\x%02x", c);
		else
			snprintf(piece, sizeof piece, "%s",
				 c == '\'' ? "'\\''" : (char []){ *word, 0 });
		if (to)
			memcpy(to + n, piece, strlen(piece));
		n += strlen(piece);
	}
	if (how && to)
		to[n] = '\'';
	return n + (how != 0);
}
