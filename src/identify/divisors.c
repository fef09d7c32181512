/*
 * divisors.c: divisors of rotary frequencies, one for each pair, as the
 * frequencies that they leave: a row of posenc rope --out freqs.
 */
#include <math.h>
#include <string.h>

#include "identify/reading.h"
#include "identify/rotary.h"
#include "identify/rounding.h"
#include "recipe/divisors.h"

/* Bases that are tried where the file states none, or another one. */
static const double bases[] = { 5e5, 1e4, 1e6, 1e7, 1.5e5, 1e3, 1e5 };

enum { LEAST = 4, MOST = 1 << 12, FEW = 12, RUN = 3 };

/*
 * Whether a table of which nothing is known is 1, 1, 1, ..., F, F, F. Without
 * other values, F must be a factor of models: labels may be 1 and 2.
 */
static bool may_be_divisors(const struct divisors *d)
{
	const double *end = d->x + d->pairs - RUN;
	const double f = *end;
	int power;
	const bool usual = f >= 4 && f <= 64 && frexp(f, &power) <= 0.5;
	bool good = f > 1, other = false;

	for (size_t k = 0; good && k < RUN; k++)
		good = fabs(d->x[k] - 1) <= 0 && fabs(end[k] - f) <= 0;
	for (size_t k = 0; good && k < d->pairs; k++)
		other |= fabs(d->x[k] - 1) > 0 && fabs(d->x[k] - f) > 0;
	return good && (other || usual);
}

/* View the frequencies of the base, divided, as the row of a table. */
static bool view_frequencies(struct finding *f, const struct divisors *d)
{
	struct table *view = &f->reading.view;
	double *w = search_alloc(&f->search, d->pairs, sizeof *w);

	if (!w)
		return false;
	for (size_t k = 0; k < d->pairs; k++)
		w[k] = (double)(float)(pow(d->base, -(double)k /
					   (double)d->pairs) / d->x[k]);
	*view = (struct table){ .planes = 1, .rows = 1, .cols = d->pairs,
				.dtype = F32 };
	table_dense(view, w);
	profile_table(&f->reading.profile, view);
	f->search.profile = &f->reading.profile;
	return true;
}

/* Whether rope makes the frequencies with the scaling, or with YaRN's. */
static bool try_scaling(struct finding *f, const struct divisors *d)
{
	struct search *s = &f->search;
	const struct candidate c = {
		.recipe = "rope", .independent = d->pairs,
		/* Rounding of frequencies, of divisors and of their shares */
		.relative = 4 + 0x1p24 * (d->within +
					  (d->kind == DIVISORS_LLAMA3
					   ? 2e-6 * d->factor : 0)),
	};
	char text[DIVISORS_TEXT], number[32];

	if (d->kind == DIVISORS_LIST || !view_frequencies(f, d))
		return false;
	try_candidate(s, &c, "dim=%zu out=freqs base=%s scaling=%s",
		      2 * d->pairs, nice_text(d->base, number),
		      divisors_text(d, text));
	search_keep_best(s);
	return s->n;
}

/* Whether rope makes them with another scaling that keeps fast pairs. */
static bool try_others(struct finding *f, const struct divisors *d)
{
	struct search *s = &f->search;
	const struct profile *p = &f->reading.profile;
	struct rotary r;

	if (!view_frequencies(f, d) || !rotary_of_frequencies(&r, s, d->pairs))
		return false;
	for (size_t k = 0; k < d->pairs; k++) {
		r.w[k] = profile_row(p, 0)[k];
		r.error[k] = (d->within + 8 * p->epsilon) * r.w[k];
	}
	rope_try_by_parts(s, &r, d->base);
	search_keep_best(s);
	return s->n;
}

/*
 * Lines of the pairs that differ from llama3 as d has it, to f->reading. The
 * first one names it.
 */
static void tell_differences(struct finding *f, const struct divisors *d)
{
	enum { LINES = 16 };
	const char **lines = search_alloc(&f->search, LINES + 1, sizeof *lines);
	const size_t n = divisors_differ(d);
	char text[DIVISORS_TEXT], number[32];
	size_t k = 0;

	if (!lines || !n)
		return;
	lines[0] = search_text(&f->search, "%s of base %s differs in %zu of "
			       "%zu pairs:", divisors_text(d, text),
			       nice_text(d->base, number), n, d->pairs);
	f->reading.rest = lines;
	for (f->reading.rests = 1; f->reading.rests <= LINES && k < d->pairs;
	     k++) {
		const double y = divisors_llama3(d, k);

		if (divisors_agree(d, k))
			continue;
		lines[f->reading.rests++] = search_text(
			&f->search, "pair %zu: %.9g, expected %.9g "
			"(%+.3g %%)", k, d->x[k], y,
			100 * (d->x[k] / y - 1));
	}
}

/* How the divisors differ from those of Llama 3.1, with the factor of d. */
static void tell_unusual(struct finding *f, const struct divisors *d,
			 double base)
{
	struct divisors usual = *d;

	usual.base = base;
	usual.original = 8192;
	usual.low = 1;
	usual.high = 4;
	tell_differences(f, &usual);
}

/* The scaling was found: how it was read, and how it is unusual. */
static void tell_match(struct finding *f, const struct divisors *d,
		       const struct table *t)
{
	const double stated = t->rotary_base;
	char number[32], other[32];

	f->reading.text = "divisors of frequencies";
	f->reading.made = search_text(
		&f->search, "the frequencies of base %s divided by this "
		"table%s",
		nice_text(d->base, number), t->divisors ? ""
		: " (if that is what its values are for)");
	if (stated > 0 && fabs(stated - d->base) > 0)
		f->reading.made = search_text(
			&f->search, "%s (the file states base %s)",
			f->reading.made,
			nice_text(stated, other));
	if (d->kind == DIVISORS_LLAMA3)
		tell_unusual(f, d, stated > 0 ? stated : d->base);
}

/*
 * Factors in place of divisors: whether the reciprocals of the values are what
 * llama3 makes of the base.
 */
static bool tell_reciprocals(struct finding *f, const struct table *t,
			     const struct divisors *d)
{
	struct search *s = &f->search;
	double *x = search_alloc(s, d->pairs, sizeof *x);
	struct divisors other = *d;
	char text[DIVISORS_TEXT], number[32];

	other.x = x;
	other.base = t->rotary_base > 1 ? t->rotary_base : bases[0];
	for (size_t k = 0; x && k < d->pairs; k++)
		x[k] = 1 / d->x[k];
	if (!x)
		return false;
	divisors_find(&other);
	if (other.kind != DIVISORS_LLAMA3)
		return false;
	s->family = "rope";
	s->verdict = search_text(
		s, "no match found: the reciprocals of the divisors of %zu "
		"rotary frequencies of base %s by --scaling %s, so that they "
		"multiply what that divides", d->pairs,
		nice_text(other.base, number), divisors_text(&other, text));
	other.x = d->x;
	tell_unusual(f, &other, other.base);
	return true;
}

/* No scaling makes the divisors: the nearest one, or that they are a list. */
static void tell_list(struct finding *f, const struct divisors *d,
		      const struct table *t)
{
	struct search *s = &f->search;
	struct divisors nearest = *d;
	char text[DIVISORS_TEXT], number[32];

	s->family = "rope";
	nearest.kind = DIVISORS_LLAMA3;
	if (!d->near) {
		s->verdict = search_text(
			s, "no match found: divisors of %zu rotary "
			"frequencies, from %.9g to %.9g, of which llama3 makes "
			"at most %zu: a list, as longrope has for each model "
			"(--scaling longrope:@FILE)", d->pairs, f->profile.min,
			f->profile.max, d->pairs - divisors_differ(d));
		return;
	}
	tell_differences(f, &nearest);
	s->verdict = search_text(
		s, "no match found: %sdivisors of %zu rotary frequencies, "
		"nearest to --scaling %s of base %s%s, but for %zu of them, "
		"the first at %s", t->divisors ? "" : "perhaps ", d->pairs,
		divisors_text(&nearest, text), nice_text(d->base, number),
		t->rotary_base > 1 ? "" : " (of the usual bases)",
		divisors_differ(d),
		f->reading.rests > 1 ? f->reading.rest[1] : "");
}

/*
 * Find the scaling with the base that the file states, then with usual ones,
 * then with the measured one.
 * Otherwise nearest is that of the base, or of the usual one that is nearest.
 */
static bool find_scaling(struct finding *f, const struct table *t,
			 struct divisors *d, struct divisors *nearest)
{
	for (size_t b = 0; b < COUNT(bases) + 2; b++) {
		d->base = !b ? t->rotary_base : b <= COUNT(bases)
			  ? bases[b - 1] : divisors_base(d);
		if (b > COUNT(bases))
			d->base = round_to_nice(d->base, 1e-4 * d->base);
		if (!(d->base > 1))
			continue;
		divisors_find(d);
		if (try_scaling(f, d))
			return true;
		if (!nearest->x || (!(t->rotary_base > 1) && d->near &&
				    (!nearest->near || divisors_differ(d) <
				     divisors_differ(nearest))))
			*nearest = *d;
	}
	*d = *nearest;
	return t->rotary_base > 1 && try_others(f, d);
}

bool read_divisors(struct finding *f, const struct table *t)
{
	struct divisors nearest = { 0 }, d = {
		.x = t->row(t, 0, NULL), .pairs = t->rows * t->cols,
		.within = f->profile.noise,
	};

	if (t->planes > 1 || (t->rows > 1 && t->cols > 1) || d.pairs < LEAST ||
	    d.pairs > MOST || !f->profile.finite || !(f->profile.min > 0) ||
	    !(t->divisors || (d.pairs >= FEW && may_be_divisors(&d))))
		return false;
	if (t->divisors && d.x[d.pairs - 1] < 1 && tell_reciprocals(f, t, &d))
		return true;
	if (find_scaling(f, t, &d, &nearest)) {
		tell_match(f, &d, t);
		return true;
	}
	f->search.profile = &f->profile;
	if (!t->divisors && (!d.near || 4 * divisors_differ(&d) > d.pairs))
		return false;
	tell_list(f, &d, t);
	return true;
}
