/* rope_scaling.c: rotary frequencies scaled for longer contexts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/floating.h"
#include "exact/within.h"
#include "exact/yarn.h"
#include "text/decimal.h"
#include "text/words.h"
#include "encodings/rope.h"

const char *const scaling_words[] = {
	"none", "linear:F", "ntk:F", "ntk-fixed:F", "dynamic:F,L", "yarn:F,L",
	"deepseek_yarn:F,L", "telechat3-yarn:F,L", "llama3:F,L",
	"longrope:[F,L,]@FILE", "proportional[:F]", NULL
};

/* Kinds in the order of their enum, and how many values come without a name. */
static const struct kind {
	const char *name;
	int needed, most;      /* number of values: F, then L */
	double mscale;
} kinds[] = {
	{ "none", 0, 0, 0 },
	{ "linear", 1, 1, 0 },
	{ "ntk", 1, 1, 0 },
	{ "ntk-fixed", 1, 1, 0 },
	{ "dynamic", 2, 2, 0 },
	{ "yarn", 2, 2, 0 },
	/* vLLM 7bc8d40, deepseek_scaling_rope.py */
	{ "deepseek_yarn", 2, 2, 1 },
	/* vLLM d5a17e0, telechat3_scaling_rope.py: 0.07 ln F + 1 */
	{ "telechat3-yarn", 2, 2, 0.7 },
	{ "llama3", 2, 2, 0 },
	{ "longrope", 0, 2, 0 },
	{ "proportional", 0, 1, 0 },
};

enum { KINDS = sizeof kinds / sizeof *kinds };

enum {
	YARN = 1 << SCALING_YARN,
	DEEPSEEK = 1 << SCALING_DEEPSEEK_YARN,
	TELECHAT3 = 1 << SCALING_TELECHAT3_YARN,
};

/* Parameters, the kinds that use them, their range and default. */
static const struct item {
	const char *name;
	size_t at;
	unsigned kinds;
	double least, most, initial;
} items[] = {
#define ITEM(field) #field, offsetof(struct scaling, field)
	{ ITEM(factor), ~1u, 1e-3, 1e9, 0 },
	{ ITEM(original), ~1u, 1, 0x1p53, 0 },
	{ ITEM(mixed_b), 1u << SCALING_NTK_FIXED, 1e-3, 1e3, 1 },
	{ ITEM(fast), YARN | DEEPSEEK | TELECHAT3, 1e-6, 1e9, 32 },
	{ ITEM(slow), YARN | DEEPSEEK | TELECHAT3, 1e-6, 1e9, 1 },
	{ ITEM(truncate), YARN | TELECHAT3, 0, 1, 1 },
	{ ITEM(mscale), YARN | DEEPSEEK, 0, 1e6, 0 },
	{ ITEM(mscale_all_dim), YARN | DEEPSEEK, 0, 1e6, 0 },
	{ ITEM(low), 1u << SCALING_LLAMA3, 1e-6, 1e9, 1 },
	{ ITEM(high), 1u << SCALING_LLAMA3, 1e-6, 1e9, 4 },
	{ ITEM(attention_factor), ~0u, 1e-6, 1e6, 0 },
	{ ITEM(short_mscale), 1u << SCALING_LONGROPE, 1e-6, 1e6, 0 },
	{ ITEM(long_mscale), 1u << SCALING_LONGROPE, 1e-6, 1e6, 0 },
#undef ITEM
};

enum { ITEMS = sizeof items / sizeof *items };

static double *field(const struct item *item, struct scaling *s)
{
	return (double *)(void *)((char *)s + item->at);
}

static bool set_kind(struct scaling *s, const char *name, struct error *err)
{
	struct lookup l = lookup_begin(name);

	for (s->kind = 0; s->kind < KINDS; s->kind++) {
		s->name = kinds[s->kind].name;
		s->mscale = kinds[s->kind].mscale;
		if (lookup_is(&l, s->name))
			return true;
	}
	return lookup_fail_value(&l, "--scaling", "none, linear, ntk, "
				 "ntk-fixed, dynamic, yarn, deepseek_yarn, "
				 "telechat3-yarn, llama3, longrope or "
				 "proportional", err);
}

static bool set_truncate(struct scaling *s, const char *text,
			 struct error *err)
{
	const bool is = strcmp(text, "true") == 0;

	if (!is && strcmp(text, "false") != 0)
		return fail(err, "--scaling %s: truncate must be true or "
			    "false, got '%.60s'", s->name, text);
	s->truncate = is;
	return true;
}

static bool set_number(struct scaling *s, const struct item *item,
		       const char *text, struct error *err)
{
	/* A length may be 4k */
	const bool counts = item->at == offsetof(struct scaling, original);
	double x = 0;

	if (item->at == offsetof(struct scaling, truncate))
		return set_truncate(s, text, err);
	if (!(parse_real(text, &x) || (counts && parse_integer(text, &x))) ||
	    x < item->least || x > item->most)
		return fail(err, "--scaling %s: %s must be between %.16g and "
			    "%.16g, got '%.60s'", s->name, item->name,
			    item->least, item->most, text);
	*field(item, s) = x;
	return true;
}

/* "@FILE", or values separated by colons or blanks. */
static bool set_list(struct list *list, char *value, struct table *owner,
		     struct error *err)
{
	for (char *c = value; value[0] != '@' && *c; c++)
		if (*c == ':')
			*c = ' ';
	return list_read(list, value, "--scaling longrope", owner, err);
}

/* "fast=32"; or the lists "short=", "long=" and "divisors=". */
static bool set_named(struct scaling *s, const char *name, char *value,
		      struct table *owner, struct error *err)
{
	struct lookup l = lookup_begin(name);
	const bool lists = s->kind == SCALING_LONGROPE;
	char what[60];

	if (lists && lookup_is(&l, "short"))
		return set_list(&s->near, value, owner, err);
	if (lists && lookup_is(&l, "long"))
		return set_list(&s->far, value, owner, err);
	if (s->kind == SCALING_YARN && lookup_is(&l, "divisors"))
		return set_list(&s->near, value, owner, err);
	for (const struct item *i = items; i < items + ITEMS; i++)
		if ((i->kinds >> s->kind & 1) && lookup_is(&l, i->name))
			return set_number(s, i, value, err);
	snprintf(what, sizeof what, "--scaling %s: unknown parameter",
		 s->name);
	return lookup_fail(&l, what, "", err);
}

static bool set_item(struct scaling *s, char *text, int *unnamed,
		     struct table *owner, struct error *err)
{
	char *equals = strchr(text, '=');

	if (s->kind == SCALING_LONGROPE && text[0] == '@')
		return set_list(&s->near, text, owner, err);
	if (equals) {
		*equals = '\0';
		return set_named(s, text, equals + 1, owner, err);
	}
	if (*unnamed == kinds[s->kind].most)
		return fail(err, "--scaling: expected %s, got the extra value "
			    "'%.60s'", scaling_words[s->kind], text);
	return set_number(s, &items[(*unnamed)++], text, err);
}

static bool is_yarn(const struct scaling *s)
{
	return (YARN | DEEPSEEK | TELECHAT3) >> s->kind & 1;
}

static bool check(struct scaling *s, struct error *err)
{
	const struct kind *kind = &kinds[s->kind];

	if (kind->needed && !(s->factor > 0))
		return fail(err, "--scaling: expected %s, such as %s:4%s; the "
			    "factor F is missing", scaling_words[s->kind],
			    kind->name, kind->needed == 2 ? ",4096" : "");
	if (!(s->factor > 0))
		s->factor = 1;
	if (kind->needed == 2 && !(s->original > 0))
		return fail(err, "--scaling: expected %s, such as %s:4,4096; "
			    "the original context L is missing",
			    scaling_words[s->kind], kind->name);
	if (s->kind == SCALING_LONGROPE && !s->near.at)
		return fail(err, "--scaling longrope needs @FILE with the "
			    "factor of each pair");
	if (s->far.at && !(s->original > 0))
		return fail(err, "--scaling longrope with short and long "
			    "factors needs F,L: the long factors apply beyond "
			    "L");
	if (is_yarn(s) && !(s->fast >= s->slow))
		return fail(err, "--scaling %s: fast must be at least slow, "
			    "got %.17g and %.17g", s->name, s->fast, s->slow);
	if (s->kind == SCALING_LLAMA3 && !(s->high >= s->low))
		return fail(err, "--scaling llama3: high must be at least low, "
			    "got %.17g and %.17g", s->high, s->low);
	return true;
}

/* Cut the first item off *tail, which then moves on; NULL after the last. */
static char *next_item(char **tail)
{
	char *item = *tail, *comma = item ? strchr(item, ',') : NULL;

	if (comma)
		*comma++ = '\0';
	*tail = comma;
	return item;
}

bool scaling_read(struct scaling *s, const char *text, struct table *owner,
		  struct error *err)
{
	char *words, *list, *item;
	int unnamed = 0;

	*s = (struct scaling){ 0 };
	for (size_t i = 0; i < ITEMS; i++)
		*field(&items[i], s) = items[i].initial;
	if (!text)
		return true;
	words = table_copy(owner, text, err);
	if (!words)
		return false;
	list = strchr(words, ':');
	if (list)
		*list++ = '\0';
	if (!set_kind(s, words, err))
		return false;
	if (list && !*list)
		list = NULL;
	while ((item = next_item(&list)))
		if (!set_item(s, item, &unnamed, owner, err))
			return false;
	return check(s, err);
}

/*
 * The base becomes base * F^(d / (d - 2)), d = 2 pairs: the longest wavelength
 * grows F times, the shortest stays (bloc97 2023, "NTK-aware").
 */
static bool ntk(const struct scaling *s, const struct rope_series *r,
		double factor, struct turns *turns, struct error *err)
{
	if (r->pairs < 2)
		return fail(err, "--scaling %s needs at least 4 rotary "
			    "dimensions (it divides by d - 2), got %zu",
			    s->name, 2 * r->pairs);
	turns_multiply(turns, factor, 0, (double)(r->pairs - 1));
	return true;
}

/*
 * Frequency k of n is divided by F^(((k + 1) / n)^b). With b = 1 that is the
 * base B F in place of B, and all divided by F^(1 / n) (Su 2023,
 * kexue.fm/archives/9706; vLLM 91b4f8f, ntk_scaling_rope.py).
 */
static bool ntk_fixed(const struct scaling *s, const struct rope_series *r,
		      struct turns *turns)
{
	enum { LIMBS = 3 };
	const double n = (double)r->pairs;

	if (s->mixed_b == 1) {
		turns_multiply(turns, s->factor, 1, n);
		return true;
	}
	for (size_t k = 0; k < r->rotating; k++) {
		const struct floating x = floating_power((double)(k + 1) / n,
							 s->mixed_b, LIMBS);
		const struct floating by =
			floating_power(s->factor, floating_double(&x, LIMBS),
				       LIMBS);

		turns_transform(turns, k, 1, 0, floating_double(&by, LIMBS));
	}
	return true;
}

/* NTK with F E / L - (F - 1) for a length E beyond L (emozilla 2023). */
static bool dynamic(const struct scaling *s, const struct rope_series *r,
		    struct turns *turns, struct error *err)
{
	const double f = s->factor;
	const double extent = fmax(r->extent, s->original);

	return ntk(s, r, f * extent / s->original - (f - 1), turns, err);
}

/* Divide the frequency of each pair by a value of a list. */
static bool divide(const struct scaling *s, const struct list *by,
		   const struct rope_series *r, struct turns *turns,
		   struct error *err)
{
	if (by->n != r->rotating)
		return fail(err, "--scaling %s: expected %zu factors, one per "
			    "pair, got %zu", s->name, r->rotating, by->n);
	for (size_t k = 0; k < by->n; k++) {
		if (!within(by->at[k], 1e-3, 1e9))
			return fail(err, "--scaling %s: factors must be "
				    "between 0.001 and 1e9, got %.17g",
				    s->name, by->at[k]);
		turns_transform(turns, k, 1, 0, by->at[k]);
	}
	return true;
}

/*
 * Frequencies of more than fast rotations within L stay. Those of fewer than
 * slow rotations are divided by F. Between them, a ramp linear in k mixes both
 * (Peng et al. 2023, section 3.2, as in their code). With divisors, each is
 * divided by its own before (ggml's rope_yarn).
 */
static bool yarn(const struct scaling *s, const struct rope_series *r,
		 struct turns *turns, struct error *err)
{
	const double n = (double)r->pairs, last = 2 * n - 1;
	double low, high;

	if (!(r->base > 1))
		return fail(err, "--scaling %s needs a --base above 1, got "
			    "%.17g", s->name, r->base);
	low = yarn_pair(n, r->base, s->original, s->fast);
	high = yarn_pair(n, r->base, s->original, s->slow);
	if (s->truncate > 0) {
		low = floor(low);
		high = ceil(high);
	}
	low = fmax(low, 0);
	high = fmin(high, last);
	if (low == high)
		high += 0.001;
	if (s->near.at && !divide(s, &s->near, r, turns, err))
		return false;
	for (size_t k = 0; k < r->rotating; k++) {
		const double way = high < low ? -1 : 1;
		const double width = way * (high - low);
		const double x = fmin(way * ((double)k - low), width);

		if (x > 0)
			turns_transform(turns, k,
					x + (width - x) * s->factor, 0,
					width * s->factor);
	}
	return true;
}

/*
 * Frequencies of wavelengths above L / low are divided by F, those below
 * L / high stay. Between them, t = (L / wavelength - low) / (high - low) of the
 * frequency stays and 1 - t of it is divided by F. With f turns per position,
 * L / wavelength is L f, and the mixture is
 * f (high - low F + L (F - 1) f) / (F (high - low)). (Llama 3.1)
 */
static bool llama3(const struct scaling *s, const struct rope_series *r,
		   struct turns *turns)
{
	const double f = s->factor, width = s->high - s->low;

	for (size_t k = 0; k < r->rotating; k++) {
		const double x = turns_angle(turns, k, s->original) / TWO_PI;

		if (x < s->low)
			turns_transform(turns, k, 1, 0, f);
		else if (x < s->high)
			turns_transform(turns, k, s->high - s->low * f,
					s->original * (f - 1), f * width);
	}
	return true;
}

/* Each frequency has its own divisor (Ding et al. 2024). */
static bool longrope(const struct scaling *s, const struct rope_series *r,
		     struct turns *turns, struct error *err)
{
	const bool beyond = s->far.at && r->extent > s->original;

	return divide(s, beyond ? &s->far : &s->near, r, turns, err);
}

static bool linear(const struct scaling *s, const struct rope_series *r,
		   struct turns *turns)
{
	for (size_t k = 0; k < r->rotating; k++)
		turns_transform(turns, k, 1, 0, s->factor);
	return true;
}

/* As linear; pairs beyond --rotary-dim do not rotate (Gemma 4). */
static bool proportional(const struct scaling *s,
			 const struct rope_series *r, struct turns *turns)
{
	for (size_t k = r->rotating; k < r->pairs; k++)
		turns_zero(turns, k);
	return linear(s, r, turns);
}

bool scaling_change(const struct scaling *s, const struct rope_series *r,
		    struct turns *turns, struct error *err)
{
	switch (s->kind) {
	case SCALING_LINEAR:
		return linear(s, r, turns);
	case SCALING_NTK:
		return ntk(s, r, s->factor, turns, err);
	case SCALING_NTK_FIXED:
		return ntk_fixed(s, r, turns);
	case SCALING_DYNAMIC:
		return dynamic(s, r, turns, err);
	case SCALING_YARN:
	case SCALING_DEEPSEEK_YARN:
	case SCALING_TELECHAT3_YARN:
		return yarn(s, r, turns, err);
	case SCALING_LLAMA3:
		return llama3(s, r, turns);
	case SCALING_LONGROPE:
		return longrope(s, r, turns, err);
	case SCALING_PROPORTIONAL:
		return proportional(s, r, turns);
	default:
		return true;
	}
}

/* transformers' yarn takes mscale only beside mscale_all_dim, or else 1. */
static double temperature(const struct scaling *s)
{
	if (s->kind == SCALING_YARN &&
	    !(s->mscale > 0 && s->mscale_all_dim > 0))
		return yarn_temperature(s->factor, 1);
	return yarn_temperature(s->factor, s->mscale) /
	       yarn_temperature(s->factor, s->mscale_all_dim);
}

double scaling_attention(const struct scaling *s, double extent)
{
	const double mscale = extent > s->original ? s->long_mscale
						   : s->short_mscale;

	if (mscale > 0)
		return mscale;
	if (s->attention_factor > 0)
		return s->attention_factor;
	if (is_yarn(s))
		return temperature(s);
	if (s->kind == SCALING_LONGROPE && s->factor > 1 && s->original > 1)
		return sqrt(1 + floating_log(s->factor) /
			    floating_log(s->original));
	return 1;
}
