/*
 * language.h: the words of figures in other languages. Options, commands and
 * words that a user gave stay as they are.
 */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include <stddef.h>

enum language { ENGLISH, KOREAN, LANGUAGES };

/* "en", "ko", NULL: of --lang. */
extern const char *const language_words[];

/*
 * The name of an axis or a value, or the title of a table, in a language; the
 * same text, if it has no word for it.
 */
const char *language_text(enum language l, const char *english);

/*
 * A note of sentences, with "; " between them, to to [size]: each in a
 * language, or the same, if it has no pattern for it.
 */
void language_note(enum language l, const char *english, char *to, size_t size);

/* The i-th word that there are others for, in English; NULL past the last. */
const char *language_row(size_t i);

/* "1 head", "4 heads": so many of one, or of many, to to [size]. */
void language_count(enum language l, const char *count, const char *one,
		    const char *many, char *to, size_t size);

#endif
