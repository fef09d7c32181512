/* find.c: runs all families on a table, in all the ways it may be read. */

#include "identify/identify.h"

#define FAMILY(name) identify_##name,
static void (*const families[])(struct search *s) = {
#include "identify/list.h"
};
#undef FAMILY

/* The rows of a plane are contiguous in a dense table. */
static const double *flat_row(const struct table *t, size_t i, double *scratch)
{
	const struct table *from = t->state;

	return from->row(from, i * from->rows, scratch);
}

/* View each plane of t as a row; false if that changes nothing. */
static bool flatten_planes(struct table *to, const struct table *t)
{
	*to = *t;
	to->planes = 1;
	to->rows = t->planes;
	to->cols = t->rows * t->cols;
	to->row = flat_row;
	to->state = t;
	return t->planes > 1 && t->rows > 1;
}

/* Transpose t, one plane, to memory of owner; false if that changes nothing. */
static bool transpose(struct table *to, const struct table *t,
		      struct table *owner, struct error *err)
{
	const size_t n = t->planes * t->rows;
	double *x = table_alloc(owner, n * t->cols, sizeof *x, err);

	*to = *t;
	to->planes = 1;
	to->rows = t->cols;
	to->cols = n;
	if (!x)
		return false;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < t->cols; j++)
			x[j * n + i] = t->row(t, i, NULL)[j];
	table_dense(to, x);
	return n > 1;
}

/* Run all families on the table; whether there is a match. */
static bool run_families(struct search *s, struct profile *p,
			 const struct table *t)
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

/*
 * Run all families on the table in other shapes: with each plane as a row, and
 * transposed. Returns how the table was read if there is a match, or NULL.
 */
static const char *reshape_and_run(struct finding *f, const struct table *t)
{
	struct search *s = &f->search;

	if (flatten_planes(&f->flat, t) && run_families(s, &f->other, &f->flat))
		return "each plane as one row";
	if (transpose(&f->transposed, t->planes > 1 ? &f->flat : t, s->owner,
		      s->err) &&
	    run_families(s, &f->other, &f->transposed))
		return t->planes > 1 ? "planes as rows, transposed"
				     : "transposed";
	s->verdict = NULL;
	s->profile = &f->profile;
	return NULL;
}

bool find_command(struct finding *f, const struct table *t, struct table *owner,
		  struct error *err)
{
	*f = (struct finding){ .search = { .owner = owner, .err = err } };
	if (!run_families(&f->search, &f->profile, t) && !f->search.verdict)
		f->reading = reshape_and_run(f, t);
	return !err->text[0];
}
