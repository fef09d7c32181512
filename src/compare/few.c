/* few.c: the values that differ, where all others are equal. */
#include <stdio.h>
#include <string.h>

#include "compare/identified.h"

enum {
	SHARE = 100,  /* one of so many values may differ, */
	MOST = 16,    /* and so many at most */
	LISTED = 4,   /* in the headline */
	PLACE = 128,  /* bytes of one */
};

static const char *place_words(const struct comparison *c, size_t i, size_t j,
			       struct report *r)
{
	char text[PLACE];

	snprintf(text, sizeof text, "row %zu, column %zu (%.9g in A, %.9g in "
		 "B)", i, j, row_of(c->a, i)[j], row_of(c->b, i)[j]);
	return table_copy(r->owner, text, r->err);
}

/* The values beyond the tolerance; returns how many. A file may change. */
static size_t list_places(const struct comparison *c, struct report *r,
			  const char *places[MOST])
{
	const size_t rows = c->a->planes * c->a->rows;
	size_t n = 0;

	for (size_t i = 0; i < rows; i++) {
		const double *a = row_of(c->a, i), *b = row_of(c->b, i);

		for (size_t j = 0; j < c->a->cols && n < MOST; j++)
			if (!values_equal(c, a[j], b[j]))
				places[n++] = place_words(c, i, j, r);
	}
	return n;
}

bool explain_few(const struct comparison *c, struct report *r,
		 char text[SENTENCE])
{
	const char **places;
	size_t n, length;

	if (c->outside > MOST || c->outside > table_size(c->a) / SHARE)
		return false;
	places = table_alloc(r->owner, MOST, sizeof *places, r->err);
	n = places ? list_places(c, r, places) : 0;
	if (r->err->text[0])
		return false;
	length = (size_t)snprintf(text, SENTENCE, "%zu of %zu values: ", n,
				  table_size(c->a));
	for (size_t k = 0; k < n && k < LISTED; k++)
		length += (size_t)snprintf(text + length, SENTENCE - length,
					   "%s%s", k ? "; " : "", places[k]);
	if (n > LISTED)
		snprintf(text + length, SENTENCE - length, "; and %zu more",
			 n - LISTED);
	report_group(r, "explanation");
	report_lines(r, "places", places, n);
	return true;
}
