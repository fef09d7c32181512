/* temperature.c: factors of queries, which grow in steps with the position. */
#include <math.h>
#include <stdio.h>

#include "identify/identify.h"
#include "identify/rounding.h"

enum { STEPS_MOST = 64 };

/* Factor k is 1 + A ln(1 + k); it changes at rows at[0] and at[1]. */
struct steps {
	const struct profile *profile;
	size_t at[2], n;       /* the first changes, and how many, up to 2 */
	size_t k;              /* of the first row */
	double a;              /* A */
};

static double value(const struct steps *f, size_t row)
{
	return profile_row(f->profile, row)[0];
}

static double slack(const struct profile *p)
{
	return 4 * (p->noise + p->epsilon + p->assumed);
}

/* Find the first changes; false if there is none, or a value falls. */
static bool find_changes(struct steps *f)
{
	const struct profile *p = f->profile;

	for (size_t i = 1; i < p->n; i++) {
		const double more = value(f, i) - value(f, i - 1);

		if (more < -slack(p))
			return false;
		if (more > slack(p) && f->n < 2)
			f->at[f->n++] = i;
	}
	return f->n;
}

/* Find k of the first row, and A, by the factors before and after a change. */
static bool find_factors(struct steps *f)
{
	const double within = slack(f->profile);
	const double before = value(f, 0) - 1;
	const double after = value(f, f->at[0]) - 1;

	for (f->k = 0; f->k < STEPS_MOST; f->k++) {
		const double low = log1p((double)f->k);
		const double a = after / log1p((double)f->k + 1);

		if (fabs(a * low - before) > 2 * within)
			continue;
		f->a = round_to_nice(a, within / log1p((double)f->k + 1));
		return true;
	}
	return false;
}

/* Try positions from start on, shifted by shift, in steps of so many. */
static bool try_start(struct search *s, const struct steps *f, double step,
		      double start, double shift)
{
	char number[32];

	return start >= 0 &&
	       try_recipe(s, "temperature", 8, "len=%zu start=%.0f "
			  "attn-scale=%s floor-scale=%.0f shift=%.0f",
			  f->profile->n, start, nice_text(f->a, number), step,
			  shift);
}

/*
 * Try steps of so many positions. The table tells only the sum of the first
 * position and the shift.
 */
static bool try_step(struct search *s, const struct steps *f, double step)
{
	const double sum = (double)(f->k + 1) * step - (double)f->at[0];
	const bool one = try_start(s, f, step, sum - 1, 1);
	const bool none = try_start(s, f, step, sum, 0);

	return (sum > 1 && try_start(s, f, step, 0, sum)) || one || none;
}

/* Try steps of models, of which the table has a part. */
static void try_usual(struct search *s, const struct steps *f)
{
	static const double usual[] = { 8192, 16384, 4096 };
	bool found = false;

	for (size_t k = 0; k < sizeof usual / sizeof *usual && !found; k++)
		found = usual[k] >= (double)f->at[0] &&
			try_step(s, f, usual[k]);
}

/* One change does not tell the step: it may be the first from position 0 on. */
static void try_one(struct search *s, const struct steps *f)
{
	const double first = (double)f->at[0];
	const bool model = fabs(f->a - 0.1) <= 0;

	if (model)
		try_usual(s, f);
	if (!f->k) {
		try_start(s, f, first + 1, 0, 1);
		try_start(s, f, first, 0, 0);
	}
	if (!model)
		try_usual(s, f);
}

void identify_temperature(struct search *s)
{
	const struct profile *p = s->profile;
	struct steps f = { .profile = p };

	if (s->n || !p->finite || p->cols > 1 || p->n < 3 || p->integers ||
	    !find_changes(&f) || !find_factors(&f))
		return;
	if (f.n > 1)
		try_step(s, &f, (double)(f.at[1] - f.at[0]));
	else
		try_one(s, &f);
}
