/* usual.c: RoPE and sinusoids of usual parameters, compared without measuring.
   Under noise others may seem to explain the values, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "identify/fit.h"

/* Values of fast pairs in the first rows are so near to those of a base. */
#define NEAR 0.25
/* No usual scaling changes pairs as fast as this. */
#define FAST 0.1

enum { FIRST_ROWS = 16, FEWEST = 4 };

const struct usual_form usual_forms[USUAL_FORMS] = {
	{ "rope", "out=cos", 1, 1, false, false, true },
	{ "rope", "out=sin", 1, 1, true, false, true },
	{ "rope", "out=cossin", 2, 1, false, false, true },
	{ "rope", "out=cis", 2, 2, false, false, true },
	{ "rope", "out=cos-full", 2, 1, false, false, true },
	{ "rope", "out=sin-full", 2, 1, true, false, true },
	{ "sinusoid", "", 2, 2, true, false, false },
	{ "sinusoid", "first=cos", 2, 2, false, false, false },
	{ "sinusoid", "layout=split", 2, 1, true, false, false },
	{ "sinusoid", "layout=split first=cos", 2, 1, false, false, false },
	{ "sinusoid", "layout=split denom=half-1", 2, 1, true, true, false },
};

const char *const usual_bases[USUAL_BASES] = {
	"10000",  "500000",   "1000000", "1000",  "100",
	"100000", "10000000", "20000",	 "50000", "150000",
};

/* Whether the fast pairs turn as those of the base in the first rows. */
static bool is_near(const struct profile *p, const struct usual_form *f,
		    double base)
{
	const size_t pairs = p->cols / f->cols;
	const double d = (double)(f->ends ? pairs - 1 : pairs);
	double w = 1;

	/* The slowest frequency of all bases is below FAST. */
	for (size_t k = 0; w > FAST; k++) {
		for (size_t i = 0; i < p->n && i < FIRST_ROWS; i++) {
			const double a = (double)i * w;
			const double y = f->sine ? sin(a) : cos(a);

			if (fabs(profile_row(p, i)[k * f->stride] - y) > NEAR)
				return false;
		}
		w = pow(base, -(double)(k + 1) / d);
	}
	return true;
}

static void try_form(struct search *s, const struct usual_form *f,
		     const char *base, const char *scaling)
{
	const struct profile *p = s->profile;
	const struct candidate c = {
		.recipe = f->recipe, .relative = 8, .absolute = 4,
		.per_position = 4, .independent = p->cols / f->cols,
	};

	try_candidate(s, &c, "len=%zu dim=%zu %s%s%s%s", p->n,
		      2 * (p->cols / f->cols), f->options,
		      base == usual_bases[0] ? "" : " base=",
		      base == usual_bases[0] ? "" : base, scaling);
}

static void try_llama3(struct search *s, const struct usual_form *f,
		       const char *base)
{
	static const int factors[] = { 8, 32, 4, 16, 2, 64 };
	static const int lengths[] = {
		8192, 4096, 2048, 16384, 32768, 65536, 131072,
	};
	char scaling[48];

	for (size_t i = 0; i < COUNT(factors); i++)
		for (size_t l = 0; l < COUNT(lengths); l++) {
			snprintf(scaling, sizeof scaling,
				 " scaling=llama3:%d,%d", factors[i],
				 lengths[l]);
			try_form(s, f, base, scaling);
		}
}

void fit_usual(struct search *s)
{
	const struct profile *p = s->profile;

	for (size_t k = 0; k < USUAL_FORMS; k++) {
		const struct usual_form *f = &usual_forms[k];

		if (p->cols % f->cols || p->cols < FEWEST || p->n < FEWEST)
			continue;
		for (size_t b = 0; b < USUAL_BASES; b++) {
			if (!is_near(p, f, strtod(usual_bases[b], NULL)))
				continue;
			try_form(s, f, usual_bases[b], "");
			if (f->scaled)
				try_llama3(s, f, usual_bases[b]);
		}
	}
}
