/* guesses.h: words of other programs and papers, and what they are here. */
#ifndef GUESSES_H
#define GUESSES_H

#include "recipe/recipe.h"

/* What to say of a first word that is no command, "; 'posenc ...'", or NULL. */
const char *guess_command(const char *word);

/* The one of options (ends with {0}) that other programs call word, or NULL. */
const struct option *guess_option_of(const struct option *options,
				     const char *word);

/* The i-th thing that is said of word, "; 'posenc ...'"; NULL past the last. */
const char *guess_said(const char *word, size_t i);

/* Fail as r has no option flag [length], with the one that it has for it. */
bool guess_option(const struct recipe *r, const char *flag, size_t length,
		  struct error *err);

/* Fail if a file of that suffix is written in another way. */
bool guess_suffix(const char *path, struct error *err);

/* Fail as r takes no argument such as word, with the option that is meant. */
bool guess_argument(const struct recipe *r, const char *word,
		    struct error *err);

/*
 * The value of o that text stands for, mostly text itself; NULL: there is none,
 * and err says what does it.
 */
const char *synonym_of(const struct option *o, const char *text,
		       struct error *err);

#endif
