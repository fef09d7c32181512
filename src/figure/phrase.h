/* phrase.h: the options of a table in words, for the subtitle of its figure. */
#ifndef PHRASE_H
#define PHRASE_H

#include "figure/layout.h"
#include "recipe/recipe.h"

/* Whether a subtitle names the option: it was given, or always is named. */
bool phrase_stated(const struct table *t, const struct option *o);

/* The option of self in words: "64 positions", "split layout", "base 500". */
void phrase_of(enum language l, const struct option *o, const void *self,
	       char phrase[LINE_TEXT]);

#endif
