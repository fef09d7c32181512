/* waves_claim.c: options of a sinusoid, claimed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/snap.h"
#include "identify/waves_claim.h"

enum { DIGITS_ODD = 5 };

/* " name=x", or nothing where x is what it would be anyway. */
static const char *knob(const char *name, double x, double usual, char text[64])
{
	char number[32];

	text[0] = '\0';
	if (x < usual || x > usual)
		snprintf(text, 64, " %s=%s", name, snap_text(x, number));
	return text;
}

/*
 * Whether as many numbers were fitted as there are: any few angles are a
 * ladder of some base and step.
 */
static bool overfitted(const struct hunt *h, const struct waves *w,
		       const struct knobs *k)
{
	const double fitted[] = { k->law->base, k->start, k->step, k->scale };
	size_t odd = 0;

	for (size_t i = 0; i < sizeof fitted / sizeof *fitted; i++)
		odd += snap_digits(fitted[i]) > DIGITS_ODD;
	if (k->positions)
		odd += strlen(k->positions) > 6 * h->sight->n;
	return odd > 1 + h->sight->n * w->reading.pairs / 16;
}

bool waves_claim(struct hunt *h, const struct waves *w,
		 const struct knobs *k)
{
	const bool full = fabs(k->scale / TURN - 1) < 1e-9;
	char base[64], start[64], step[64], scale[64], amp[64], amp_sqrt[64];
	char zero[64], len[64];

	if (overfitted(h, w, k))
		return false;
	snprintf(len, sizeof len, "len=%zu", h->sight->n);
	snprintf(zero, sizeof zero, " zero-row=%.0f", k->zero);
	return hunt_claim(h, &(struct claim){
		.recipe = "sinusoid", .slack = 4 * w->reading.amp,
		.slope = 4 * w->reading.amp * fabs(k->scale),
	}, "%s%s dim=%zu%s%s%s%s%s denom=%s%s%s%s%s%s%s%s%s",
		k->positions ? "positions=" : len,
		k->positions ? k->positions : "",
		h->sight->cols + k->fewer,
		w->split ? " layout=split" : "",
		w->reading.cosine_first ? " first=cos" : "",
		w->odd[0] ? " odd=" : "", w->odd,
		k->fewer ? " odd=fewer" : "", k->law->denom,
		knob("base", k->law->base, LAW_BASE, base),
		knob("start", k->start, 0, start),
		knob("step", k->step, 1, step),
		knob("angle-scale", full ? 1 : k->scale, 1, scale),
		full ? " full-turns" : "", knob("amp", k->amp, 1, amp),
		knob("amp-sqrt", k->amp_sqrt, 0, amp_sqrt),
		w->zeros ? zero : "");
}

void waves_amp(const struct hunt *h, const struct waves *w, struct knobs *k)
{
	const double d = (double)h->sight->cols, x = w->reading.amp;
	const double within = 8 * x * (h->sight->noise + LADDER_ERROR +
				       h->sight->arithmetic);
	double off = within;

	k->amp = snap(x, within);
	for (int i = 0; i < 4; i++) {
		/* A column more than there are is that of an odd dim. */
		const double two = 1 + i % 2, dim = d + (i > 1);

		if (fabs(sqrt(two / dim) - x) > off)
			continue;
		off = fabs(sqrt(two / dim) - x);
		k->amp = 1;
		k->amp_sqrt = two;
		k->fewer = i > 1;
	}
	if (fabs(sqrt(d) - x) <= within)
		k->amp = sqrt(d);
	if (fabs(1 - x) <= within) {
		k->amp = 1;
		k->amp_sqrt = 0;
		k->fewer = false;
	}
	if (w->reading.negated)
		k->amp = -k->amp;
}
