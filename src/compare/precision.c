/* precision.c: what it means that one table is of low precision. */
#include <stdio.h>

#include "compare/identified.h"
#include "identify/low_precision.h"

/* "equal within 0.001 up to position 9, first off by more than 0.1 at 566" */
static void write_effect(const struct low_precision *l, char *text, size_t size)
{
	char near[80] = "off by more than 0.001 from position 0 on";

	if (l->visible)
		snprintf(near, sizeof near,
			 "equal within 0.001 up to position %zu",
			 l->visible - 1);
	if (l->harmful < l->positions)
		snprintf(text, size, "%s, first off by more than 0.1 at "
			 "position %zu", near, l->harmful);
	else
		snprintf(text, size, "%s, within 0.1 up to position %zu", near,
			 l->positions - 1);
}

bool precision_meaning(const char *name, const char *other,
		       const struct match *m, bool alone, char *text,
		       size_t size, struct error *err)
{
	struct low_precision l;
	char effect[160];

	if (!low_precision_of(&l, m->recipe->name, m->candidate.options, err))
		return false;
	write_effect(&l, effect, sizeof effect);
	if (alone)
		snprintf(text, size, "%s is %s with its %s: %s", name, other,
			 l.words, effect);
	else
		snprintf(text, size, "%s has its %s: %s", name, l.words,
			 effect);
	return true;
}
