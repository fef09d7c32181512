/*
 * words.h: names, with suggestions for misspelt ones, and words quoted as in a
 * shell.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

#include "table/error.h"

/* Whether text [n] is a word, or ends in one. */
bool text_is(const char *text, size_t n, const char *word);
bool text_ends_in(const char *text, size_t n, const char *word);

/* Whether words, separated by any of the separators, has that word. */
bool text_has_word(const char *words, const char *word,
		   const char *separators);

/* A name that is looked up, and the known name that is nearest to it. */
struct lookup {
	const char *name;
	size_t edits;      /* edit distance to the nearest one */
	char nearest[48];  /* "": none within a third of the letters */
};

struct lookup lookup_begin(const char *name);

/* Whether the name is this known one; if not, it may be the nearest. */
bool lookup_is(struct lookup *l, const char *known);

/* Fail with "WHAT 'name'" and the nearest one, or else the advice. */
bool lookup_fail(const struct lookup *l, const char *what, const char *advice,
		 struct error *err);

/* Fail with "FLAG: unknown value 'name'", the nearest one, and expected. */
bool lookup_fail_value(const struct lookup *l, const char *flag,
		       const char *expected, struct error *err);

/*
 * The next word at *text, with its quotes removed in place; *text moves past
 * it. Blanks separate words; '...' and "..." may hold blanks, and a backslash
 * outside of quotes makes the next character a part of the word. NULL at the
 * end, or with an error if a closing quote is missing.
 */
char *word_next(char **text, struct error *err);

/*
 * Write word, quoted for a shell where that is needed and in ASCII, to to,
 * without a NUL; to may be NULL. Returns the length.
 */
size_t shell_word(const char *word, char *to);

#endif
