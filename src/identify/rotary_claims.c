/* rotary_claims.c: bases and scalings that make RoPE's frequencies. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/ladder.h"
#include "identify/rotary_claims.h"
#include "identify/snap.h"

enum { DIGITS_ROUND = 3, DIGITS_ODD = 5, LEVELS = 4 };

static const double bases[] = { 1e4, 5e5, 1e6, 1e3, 1.5e5, 1e7, 100 };
static const double factors[] = { 2, 4, 8, 16, 32, 40, 64 };

/* Lengths that models were trained on. */
static const double lengths[] = {
	8192, 4096, 2048, 32768, 16384, 65536, 131072, 1024, 512, 256, 128, 64,
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Positions as options: a length, or a list. */
static const char *where(const struct rotary *r)
{
	const size_t n = r->s->n;
	size_t length = 0;

	if (!r->at)
		return "";
	if (r->even)
		snprintf(r->where, 120, "len=%zu start=%.0f step=%.0f", n,
			 r->at[0], n > 1 ? r->at[1] - r->at[0] : 1);
	for (size_t i = 0; !r->even && i < n; i++)
		length += (size_t)snprintf(r->where + length, 40, "%s%.0f",
					   i ? "," : "positions=", r->at[i]);
	return r->where;
}

/* Claim the base with a scaling, "" or " scaling=...". */
static bool claim(struct hunt *h, const struct rotary *r, double base,
		  const char *scaling)
{
	const double turns = r->form == FORM_ANGLES ? 0 : 4 * r->amp;
	char number[32];

	return hunt_claim(h, &(struct claim){
		.recipe = "rope", .share = 8, .slack = turns, .slope = turns,
	}, "dim=%zu out=%s%s base=%s%s %s", 2 * r->pairs, r->out,
			  r->interleaved ? " pairs=interleaved" : "",
			  snap_text(base, number), scaling, where(r));
}

/*
 * " scaling=ntk:F" or dynamic, where the base is a round one times that; share
 * of it may be off.
 */
static void claim_stretched(struct hunt *h, const struct rotary *r,
			    double stretched, double share)
{
	const double h1 = (double)r->pairs - 1;
	const double extent = r->at ? r->at[r->s->n - 1] + 1 : 1;
	char scaling[80], number[32];

	for (size_t b = 0; b < COUNT(bases); b++) {
		const double s = pow(stretched / bases[b],
				     h1 / (double)r->pairs);
		const double round = snap(s, fmax(1e-5, share) * s);

		if (!(s > 1 + 1e-6 && s < 1e4))
			continue;
		snprintf(scaling, sizeof scaling, " scaling=ntk:%s",
			 snap_text(round, number));
		if (snap_digits(round) <= DIGITS_ROUND)
			claim(h, r, bases[b], scaling);
		for (size_t l = 0; l < COUNT(lengths); l++) {
			const double f = (s - 1) / (extent / lengths[l] - 1);

			if (!(f > 0) || snap_digits(snap(f, 1e-4 * f)) > 2)
				continue;
			snprintf(scaling, sizeof scaling,
				 " scaling=dynamic:%s,%.0f",
				 snap_text(snap(f, 1e-4 * f), number),
				 lengths[l]);
			claim(h, r, bases[b], scaling);
		}
	}
}

/* All frequencies are one ladder. */
static bool claim_ladder(struct hunt *h, const struct rotary *r,
			 const struct ladder *l)
{
	const size_t before = h->n;

	for (int level = 0; !hunt_exact(h, before) && level < LEVELS;
	     level++) {
		const double within = 6 * pow(0.1, level);
		const double base = exp(l->fall * (double)r->pairs);
		const double share = within * (double)r->pairs *
				     (l->fall_error + LADDER_ERROR);
		const double round = l->fall > 0 ? snap(base, base * share)
						 : 1e4;
		const double f = snap(1 / l->unit, within / l->unit *
				      (l->unit_error + LADDER_ERROR));
		char scaling[60] = "", number[32];

		if (snap_digits(round) > 2 && f > 0.999 && f < 1.001)
			claim_stretched(h, r, base, share);
		if (f > 1.001 || f < 0.999)
			snprintf(scaling, sizeof scaling, " scaling=linear:%s",
				 snap_text(f, number));
		if (snap_digits(f) <= DIGITS_ODD)
			claim(h, r, round, scaling);
	}
	return h->n > before;
}

static bool claim_yarn(struct hunt *h, const struct rotary *r, double base,
		       double f, double length)
{
	const double usual = 0.1 * log(f) + 1;
	const double within = 64 * (r->s->noise + r->s->arithmetic);
	char scaling[120], number[32], attention[60] = "";

	if (r->form != FORM_ANGLES && fabs(r->amp - usual) > within)
		snprintf(attention, sizeof attention, ",attention_factor=%s",
			 snap_text(snap(r->amp, within / 8), number));
	for (int whole = 1; whole >= 0; whole--) {
		snprintf(scaling, sizeof scaling, " scaling=yarn:%s,%.0f%s%s",
			 snap_text(f, number), length,
			 whole ? "" : ",truncate=false", attention);
		if (claim(h, r, base, scaling))
			return true;
	}
	return false;
}

static bool claim_llama3(struct hunt *h, const struct rotary *r, double base,
			 double f, double length)
{
	static const int high[] = { 4, 8, 2, 16, 32 };
	char scaling[80], number[32];

	for (size_t k = 0; k < COUNT(high); k++) {
		snprintf(scaling, sizeof scaling, " scaling=llama3:%s,%.0f%s",
			 snap_text(f, number), length, "");
		if (high[k] != 4)
			snprintf(scaling, sizeof scaling,
				 " scaling=llama3:%s,%.0f,low=1,high=%d",
				 number, length, high[k]);
		if (claim(h, r, base, scaling))
			return true;
	}
	return false;
}

/* Whether a frequency was divided by f at most, and not multiplied. */
static bool may_be_by_parts(const struct rotary *r, double base, double f)
{
	for (size_t k = 0; k < r->pairs; k++) {
		const double w = pow(base, -(double)k / (double)r->pairs);

		if (r->w[k] > w * (1 + 1e-4) + 8 * r->error[k] ||
		    r->w[k] < w / f * (1 - 1e-4) - 8 * r->error[k])
			return false;
	}
	return true;
}

/* The fast frequencies are a ladder, the slow ones are divided by some F. */
static bool claim_by_parts(struct hunt *h, const struct rotary *r, double base)
{
	for (size_t i = 0; i < COUNT(factors); i++)
		for (size_t l = 0; may_be_by_parts(r, base, factors[i]) &&
		     l < COUNT(lengths); l++)
			if (claim_yarn(h, r, base, factors[i], lengths[l]) ||
			    claim_llama3(h, r, base, factors[i], lengths[l]))
				return true;
	return false;
}

/* A base for the first pairs, the rest as it may be. */
static bool try_prefix(struct hunt *h, const struct rotary *r, size_t pairs,
		       double share)
{
	struct ladder l = { .share = share };
	double *w = hunt_room(h, pairs, sizeof *w);
	double base;

	if (!w)
		return false;
	memcpy(w, r->w, pairs * sizeof *w);
	if (!ladder_fit(&l, w, r->error, pairs) || !(l.fall > 0))
		return false;
	base = exp(l.fall * (double)r->pairs);
	base = snap(base, base * 6 * (double)r->pairs *
		    (l.fall_error + LADDER_ERROR));
	return snap_digits(base) <= DIGITS_ROUND && claim_by_parts(h, r, base);
}

/* The first pairs are a ladder and the others stand still. */
static bool try_partial(struct hunt *h, const struct rotary *r, double share)
{
	struct ladder l = { .share = share };
	size_t n = r->pairs;
	char scaling[60];
	double base;

	while (n > 0 && fabs(r->w[n - 1]) <= 3 * r->error[n - 1])
		n--;
	if (n < 2 || n == r->pairs || !ladder_fit(&l, r->w, r->error, n))
		return false;
	base = exp(l.fall * (double)r->pairs);
	snprintf(scaling, sizeof scaling,
		 " scaling=proportional rotary-dim=%zu", 2 * n);
	return claim(h, r, snap(base, 6 * base * (double)r->pairs *
				(l.fall_error + LADDER_ERROR)), scaling);
}

void rotary_claim(struct hunt *h, struct rotary *r)
{
	struct ladder l = { .share = ladder_share(r->s) };
	const double share = l.share;

	if (ladder_fit(&l, r->w, r->error, r->pairs) && claim_ladder(h, r, &l))
		return;
	if (try_partial(h, r, share))
		return;
	for (size_t n = r->pairs - 1; n > 1; n = n > 4 ? n * 3 / 4 : n - 1)
		if (try_prefix(h, r, n, share))
			return;
}

void rotary_claim_usual(struct hunt *h, struct rotary *r)
{
	const size_t before = h->n;

	for (size_t b = 0; h->n == before && b < COUNT(bases); b++) {
		rotary_suppose(r, bases[b]);
		if (rotary_locate(r, rotary_some(r)) &&
		    !claim(h, r, bases[b], ""))
			claim_by_parts(h, r, bases[b]);
	}
}
