/* find.c: runs all families on a table. */

#include "identify/identify.h"

#define FAMILY(name) identify_##name,
static void (*const families[])(struct search *s) = {
#include "identify/list.h"
};
#undef FAMILY

bool run_families(struct search *s, struct profile *p, const struct table *t)
{
	profile_table(p, t);
	s->profile = p;
	for (size_t k = 0;
	     p->max > p->min && k < sizeof families / sizeof *families; k++)
		if (p->finite ||
		    (p->additive_mask && families[k] == identify_mask))
			families[k](s);
	search_keep_best(s);
	return s->n;
}

bool find_command(struct finding *f, const struct table *t, struct table *owner,
		  struct error *err)
{
	*f = (struct finding){ .search = { .owner = owner, .err = err } };
	if (!run_families(&f->search, &f->profile, t) && !f->search.verdict)
		find_reading(f, t);
	return !err->text[0];
}
