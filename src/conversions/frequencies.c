/* frequencies.c: the frequencies of rotary pairs, computed and stored. */
#include <math.h>

#include "conversions/conversions.h"
#include "conversions/tables.h"

bool frequencies_near(const double *x, const double *y, size_t n,
		      double tolerance)
{
	size_t k = 0;

	while (k < n && fabs(x[k] - y[k]) <= tolerance * fabs(x[k]))
		k++;
	return k == n;
}

double *rope_values(struct conversion *c,
		    const struct rotary_positions *r, double length,
		    const char *out, size_t *n)
{
	return rotary_values(r, length, out, n, c->owner, c->err);
}

bool frequencies_same(struct conversion *c, const struct rotary_positions *a,
		      const struct rotary_positions *b, double length,
		      const char *out)
{
	size_t n, m;
	const double *x = rope_values(c, a, length, out, &n);
	const double *y = rope_values(c, b, length, out, &m);

	return x && y && n == m && frequencies_near(x, y, n, SAME_FREQUENCY);
}

/* Whether a rotation has the stored frequencies, if that can be computed. */
static bool has_frequencies(struct conversion *c,
			    const struct rotary_positions *r,
			    const double *stored, size_t n, double tolerance)
{
	size_t m;
	const double *x = rope_values(c, r, 1, "freqs", &m);

	return !x || (n == m && frequencies_near(x, stored, n, tolerance));
}

/* Whether they may be those of a side: of any of its layers, with or without
   their scaling. */
static bool may_be(struct conversion *c, const struct side *s,
		   const double *stored, size_t n, double tolerance)
{
	bool rotary = false;

	for (size_t i = 0; i < s->positions.n; i++) {
		struct rotary_positions r = s->positions.at[i].r;

		if (!s->positions.at[i].rotary)
			continue;
		rotary = true;
		if (has_frequencies(c, &r, stored, n, tolerance))
			return true;
		r.scaling = NULL;
		if (has_frequencies(c, &r, stored, n, tolerance))
			return true;
	}
	return !rotary;
}

/* What differs by rounding to the dtype of stored frequencies. */
static double rounding_of(const struct table *t)
{
	return t->dtype == F16 || t->dtype == BF16 ? 0x1p-8 : 1e-5;
}

void frequencies_check(struct conversion *c, struct side *s,
		       const struct pair *p, struct error *err)
{
	const struct tensor *one = p->of[s == &c->sides[1]];
	struct table t = { 0 };

	if (checkpoint_read(&s->model, one, &t, err) &&
	    !may_be(c, s, t.row(&t, 0, NULL), t.planes * t.rows * t.cols,
		    rounding_of(&t)))
		say_of(&c->different, one->name,
		       text_of(c, "these frequencies, which only %s has, are "
			       "not those of its configuration", s->letter));
	table_close(&t);
}
