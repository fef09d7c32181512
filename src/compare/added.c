/* added.c: what was added to a table: the command of the difference. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/identified.h"
#include "identify/identify.h"

/* Fewer values that differ, or a smaller share of all, prove nothing. */
enum { LEAST_DIFFERING = 64, LEAST_SHARE = 2 };

/* How many units in the last place two sums are off, and their difference. */
#define ROUNDINGS 4

/* sign * (B - A), as rounded as both; false if few values differ. */
static bool subtract(const struct comparison *c, double sign, struct table *d,
		     struct report *r)
{
	const size_t n = table_size(c->a);
	const double *a = c->a->row(c->a, 0, NULL);
	const double *b = c->b->row(c->b, 0, NULL);
	double *x = table_alloc(r->owner, n, sizeof *x, r->err);
	size_t differing = 0;

	*d = *c->a;
	d->dtype = c->dtype;
	for (size_t k = 0; x && k < n; k++) {
		x[k] = dtype_round(c->dtype, sign * (b[k] - a[k]));
		if (!isfinite(x[k]))
			return false;
		differing += fabs(x[k]) > 0;
	}
	table_dense(d, x);
	return x && differing >= LEAST_DIFFERING &&
	       LEAST_SHARE * differing >= n;
}

/* What the rounding of both tables leaves of their difference. */
static double rounding(const struct comparison *c)
{
	const double step = 1 / dtype_ulps(c->dtype, 1, 2);
	const double *a = c->a->row(c->a, 0, NULL);
	const double *b = c->b->row(c->b, 0, NULL);
	double largest = 0;

	if (dtype_integer(c->dtype))
		return 0;  /* sums of integers are exact */
	for (size_t k = 0; k < table_size(c->a); k++)
		largest = fmax(largest, fmax(fabs(a[k]), fabs(b[k])));
	return ROUNDINGS * step * largest;
}

/* Identify sign * (B - A); a shorter command than *m replaces it. */
static bool try_sign(const struct comparison *c, int sign, struct match *m,
		     struct report *r)
{
	struct finding found = { .search = { .n = 0 } };
	struct table difference;
	const struct match *best = &found.search.matches[0];

	if (!subtract(c, sign, &difference, r) ||
	    !find_command(&found, &difference, r->owner, r->err) ||
	    !found.search.n || found.reading.text ||
	    !(best->residual <= rounding(c)) ||
	    (m->command && strlen(m->command) <= strlen(best->command)))
		return false;
	*m = *best;
	return true;
}

bool explain_added(const struct comparison *c, struct report *r,
		   char text[SENTENCE])
{
	struct match m = { .command = NULL };
	char command[SENTENCE], wrongs[WRONGS_ROOM];
	bool minus;

	if (!c->shaped || !small_tables(c))
		return false;
	try_sign(c, 1, &m, r);
	minus = try_sign(c, -1, &m, r);
	if (!m.command)
		return false;
	snprintf(text, SENTENCE, "B is A %s the table of '%s'%s",
		 minus ? "minus" : "plus", cut_words(m.command, command),
		 wrongs_words(&m, wrongs));
	if (m.residual > 0)
		snprintf(text + strlen(text), SENTENCE - strlen(text),
			 ", to within %.2g", m.residual);
	report_group(r, "commands");
	report_text(r, minus ? "A_minus_B" : "B_minus_A", "%s", m.command);
	return true;
}
