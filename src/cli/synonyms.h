/* synonyms.h: values of options under the names of other programs. */
#ifndef SYNONYMS_H
#define SYNONYMS_H

#include "recipe/option.h"

/*
 * The value of o that text stands for, mostly text itself; NULL: there is none,
 * and err says what does it.
 */
const char *synonym_of(const struct option *o, const char *text,
		       struct error *err);

#endif
