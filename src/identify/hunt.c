/* hunt.c: whether what is claimed of a table is so. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/never.h"
#include "identify/hunt.h"

enum { ROWS_SOME = 64 };

void *hunt_room(struct hunt *h, size_t n, size_t size)
{
	return table_alloc(h->owner, n, size, h->err);
}

static char *joined(struct hunt *h, const char *a, const char *b)
{
	const size_t room = strlen(a) + strlen(b) + 1;
	char *text = hunt_room(h, room, 1);

	if (text)
		snprintf(text, room, "%s%s", a, b);
	return text;
}

/* Keep what the trial found, in place of to. */
static bool keep(struct hunt *h, const struct trial *t, struct match *to)
{
	const enum dtype d = trial_dtype(t);
	const bool cut = !t->equal[d] && t->printed;
	const bool rounded = !t->equal[d] && !cut && t->rounded;
	char more[32] = "";

	if (cut)
		snprintf(more, sizeof more, " --precision %d", t->s->digits);
	else if (d != t->made.dtype)
		snprintf(more, sizeof more, " --dtype %s", dtype_name(d));
	*to = (struct match){
		.recipe = t->made.recipe, .claim = *t->claim,
		.command = joined(h, t->made.command, more),
		.dtype = d, .plain = !more[0], .cut = cut, .rounded = rounded,
		.exact = t->equal[d] || cut || rounded,
		.error = fmax(t->error[d], 0),
		.row = t->row[d], .col = t->col[d],
	};
	to->claim.options = joined(h, t->claim->options, "");
	return to->claim.options && to->command;
}

/*
 * Try the claim on n rows; keep it where it holds and comes nearer than the
 * best, which is not exact.
 */
static bool attempt(struct hunt *h, const struct claim *c, size_t n,
		    struct match *best)
{
	const bool coarse = h->sight->noise >= NOISE_COARSE;
	/* Nobody's arithmetic is to blame for other integers. */
	const bool counts = dtype_integer(h->sight->table->dtype);
	struct trial t = {
		.s = h->sight, .strict = h->strict || coarse || counts,
	};
	struct error err = { 0 };
	struct match found;
	bool good = !h->err->text[0] && trial_begin(&t, c, &err) &&
		    trial_holds(&t, n) && keep(h, &t, &found);

	table_close(&t.made);
	if (err.memory)
		*h->err = err;
	if (good && (!best->recipe || found.exact ||
		     found.error < best->error / 2))
		*best = found;
	return good;
}

/*
 * Others' arithmetic, where the recipe knows any, may come nearer yet: the one
 * that does on some rows is tried on all.
 */
static void emulate(struct hunt *h, const struct claim *claim,
		    struct match *best)
{
	const struct option *o = option_find(best->recipe->options, "emulate",
					     strlen("emulate"));
	const size_t room = strlen(claim->options) + 48;
	const size_t n = h->sight->n < ROWS_SOME ? h->sight->n : ROWS_SOME;
	struct claim c = *claim;
	struct match near = { 0 };
	char *text = o ? hunt_room(h, room, 1) : NULL;

	if (!text)
		return;
	attempt(h, claim, n, &near);
	c.options = text;
	for (size_t k = 1; !near.exact && o->words[k]; k++) {
		snprintf(text, room, "%s emulate=%s", claim->options,
			 o->words[k]);
		attempt(h, &c, n, &near);
	}
	attempt(h, &near.claim, h->sight->n, best);
}

bool hunt_exact(const struct hunt *h, size_t first)
{
	for (size_t k = first; k < h->n; k++)
		if (h->matches[k].exact)
			return true;
	return false;
}

/* Try a claim whose options are known; note it if it holds. */
static bool try_claim(struct hunt *h, const struct claim *claim)
{
	struct match best = { 0 };

	/* No table that was tried is made in ten ways. */
	if (NEVER(h->n == MATCHES_MOST) ||
	    !attempt(h, claim, h->sight->n, &best))
		return false;
	if (!best.exact)
		emulate(h, claim, &best);
	for (size_t k = 0; k < h->n; k++)
		if (strcmp(h->matches[k].command, best.command) == 0)
			return true;
	h->matches[h->n++] = best;
	return true;
}

static bool claim_as(struct hunt *h, struct claim claim, const char *format,
		     va_list list)
	__attribute__((format(printf, 3, 0)));

/* There are too many claims to keep the options of all. */
static bool claim_as(struct hunt *h, struct claim claim, const char *format,
		     va_list list)
{
	struct table brief = { 0 };
	bool good;

	claim.options = table_format(&brief, h->err, format, list);
	good = claim.options && try_claim(h, &claim);
	table_close(&brief);
	return good;
}

bool hunt_claim(struct hunt *h, const struct claim *claim,
		const char *format, ...)
{
	va_list list;
	bool good;

	va_start(list, format);
	good = claim_as(h, *claim, format, list);
	va_end(list);
	return good;
}

bool hunt_guess(struct hunt *h, const char *recipe, double slack,
		const char *format, ...)
{
	const struct claim claim = {
		.recipe = recipe, .slack = slack, .share = 4,
	};
	va_list list;
	bool good;

	va_start(list, format);
	good = claim_as(h, claim, format, list);
	va_end(list);
	return good;
}

void hunt_settle(struct hunt *h)
{
	const bool exact = hunt_exact(h, 0);
	const size_t n = h->n;
	struct match all[MATCHES_MOST];
	double least = HUGE_VAL;

	for (size_t k = 0; k < n; k++)
		least = fmin(least, h->matches[k].error);
	memcpy(all, h->matches, sizeof all);
	h->n = 0;
	for (int plain = 1; plain >= 0; plain--)
		for (size_t k = 0; k < n; k++)
			if (all[k].plain == plain &&
			    (exact ? all[k].exact : all[k].error <= 2 * least))
				h->matches[h->n++] = all[k];
}
