/* rope.c: is it a cache of RoPE, in which form, scaled in which way? */
#include <math.h>

#include "identify/families.h"
#include "identify/rotary_claims.h"

/* Whether the table is RoPE's in this form. */
static bool try_form(struct hunt *h, struct rotary *r)
{
	const size_t known = rotary_some(r), before = h->n;

	if (!rotary_open(r, h))
		return false;
	for (int one = 0;
	     one < 1 + (r->form == FORM_SIN) && h->n == before; one++)
		if (rotary_measure(r, one) && rotary_locate(r, known)) {
			rotary_claim(h, r);
			if (h->sight->noise < NOISE_COARSE && rotary_holds(r))
				h->verdict = "rope with frequencies of no "
					     "known scaling: longrope's, "
					     "whose factors are a model's own, "
					     "or others";
		}
	if (h->n == before)
		rotary_claim_usual(h, r);
	return h->n > before;
}

/* Frequencies themselves, in a row. */
static void try_row(struct hunt *h)
{
	const struct sight *s = h->sight;
	struct rotary r = { .s = s, .out = "freqs", .form = FORM_ANGLES,
			    .pairs = s->cols, .stride = 1, .amp = 1 };
	double *room = hunt_room(h, 2 * s->cols, sizeof *room);

	if (!room)
		return;
	r.w = room;
	r.error = room + s->cols;
	for (size_t k = 0; k < s->cols; k++) {
		r.w[k] = sight_row(s, 0)[k];
		r.error[k] = (s->noise + 4 * s->arithmetic) * fabs(r.w[k]) +
			     s->least;
	}
	rotary_claim(h, &r);
}

/* Whether columns come twice: as two halves, or each beside itself. */
static bool doubled(const struct sight *s, bool interleaved)
{
	for (size_t i = 0; i < s->n; i++) {
		const double *x = sight_row(s, i);

		for (size_t k = 0; k < s->cols / 2; k++)
			if (fabs(interleaved ? x[2 * k] - x[2 * k + 1]
				 : x[k] - x[k + s->cols / 2]) > 0)
				return false;
	}
	return true;
}

/* Cosines, sines or angles, once or twice. */
static bool try_single(struct hunt *h, bool full, bool interleaved)
{
	static const char *const outs[2][3] = {
		{ "cos", "sin", "angles" }, { "cos-full", "sin-full", NULL },
	};
	static const enum rotary_form forms[] = {
		FORM_COS, FORM_SIN, FORM_ANGLES,
	};

	for (size_t k = 0; k < 3 && outs[full][k]; k++) {
		struct rotary r = {
			.s = h->sight, .out = outs[full][k], .form = forms[k],
			.interleaved = interleaved,
			.pairs = h->sight->cols / (full ? 2 : 1),
			.stride = interleaved ? 2 : 1,
		};

		if (try_form(h, &r))
			return true;
	}
	return false;
}

void identify_rope(struct hunt *h)
{
	const struct sight *s = h->sight;
	const bool even = s->cols % 2 == 0;
	struct rotary both = {
		.s = s, .out = "cossin", .form = FORM_BOTH,
		.pairs = s->cols / 2, .stride = 1, .apart = s->cols / 2,
	};
	struct rotary turns = {
		.s = s, .out = "cis", .form = FORM_BOTH,
		.pairs = s->cols / 2, .stride = 2, .apart = 1,
	};

	bool found;

	if (s->whole || s->cols < 4 || s->hi > 1e6 || s->hi < 1e-6)
		return;
	if (s->n == 1 && s->lo >= 0)
		try_row(h);
	if (even && doubled(s, false))
		found = try_single(h, true, false);
	else if (even && doubled(s, true))
		found = try_single(h, true, true);
	else
		found = try_single(h, false, false);
	found = found || (even && try_form(h, &both));
	if (even && !found)
		try_form(h, &turns);
}
