/*
 * rope_frequencies.c: the frequencies of the pairs, axis by axis, scaled for
 * longer contexts.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/floating.h"
#include "exact/within.h"
#include "exact/yarn.h"
#include "text/decimal.h"
#include "text/words.h"
#include "encodings/rope.h"

enum scaling_kind {
	SCALING_NONE, SCALING_LINEAR, SCALING_NTK, SCALING_NTK_FIXED,
	SCALING_DYNAMIC, SCALING_YARN, SCALING_DEEPSEEK_YARN,
	SCALING_TELECHAT3_YARN, SCALING_LLAMA3, SCALING_LONGROPE,
	SCALING_PROPORTIONAL,
};

/* The kind of scaling, and its parameters by their names in --scaling. */
struct scaling {
	int kind;
	const char *name;      /* of the kind */
	double factor;         /* F, from the original context to the new */
	double original;       /* L, the original context; 0: omitted */
	double mixed_b;        /* exponent of (k + 1) / n in ntk-fixed */
	double fast, slow;     /* rotations within L: yarn keeps, divides */
	double truncate;       /* whether yarn rounds the bounds of its ramp */
	double mscale, mscale_all_dim;
	double low, high;      /* L in wavelengths: llama3 divides, keeps */
	double attention_factor;  /* of cosines and sines; 0: by the kind */
	double short_mscale, long_mscale;  /* the same, up to L and beyond */
	struct list near, far; /* divisors up to L and beyond (longrope);
				  divisors (yarn) */
};

/* The frequencies that a scaling changes: of one axis. */
struct rope_series {
	double base;
	size_t pairs;          /* frequencies base^(-k / pairs), k < pairs */
	size_t rotating;       /* number of pairs that rotate, the first ones */
	double extent;         /* the largest position + 1 */
};

const char *const rope_scalings[] = {
	"none", "linear:F", "ntk:F", "ntk-fixed:F", "dynamic:F,L", "yarn:F,L",
	"deepseek_yarn:F,L", "telechat3-yarn:F,L", "llama3:F,L",
	"longrope:[F,L,]@FILE", "proportional[:F]", NULL
};

/*
 * The base becomes base * F^(d / (d - 2)), d = 2 pairs: the longest wavelength
 * grows F times, the shortest stays (bloc97 2023, "NTK-aware").
 */
static bool stretch_base(const struct scaling *s, const struct rope_series *r,
			 double factor, struct turns *turns,
			 struct error *err)
{
	if (r->pairs < 2)
		return fail(err, "--scaling %s needs at least 4 rotary "
			    "dimensions (it divides by d - 2), got %zu",
			    s->name, 2 * r->pairs);
	turns_multiply(turns, factor, 0, (double)(r->pairs - 1));
	return true;
}

static bool ntk(const struct scaling *s, const struct rope_series *r,
		struct turns *turns, struct error *err)
{
	return stretch_base(s, r, s->factor, turns, err);
}

/*
 * Frequency k of n is divided by F^(((k + 1) / n)^b). With b = 1 that is the
 * base B F in place of B, and all divided by F^(1 / n) (Su 2023,
 * kexue.fm/archives/9706; vLLM 91b4f8f, ntk_scaling_rope.py).
 */
static bool ntk_fixed(const struct scaling *s, const struct rope_series *r,
		      struct turns *turns, struct error *err)
{
	enum { LIMBS = 3 };
	const double n = (double)r->pairs;

	(void)err;
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

	return stretch_base(s, r, f * extent / s->original - (f - 1), turns,
			    err);
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
		const double sign = high < low ? -1 : 1;
		const double width = sign * (high - low);
		const double x = fmin(sign * ((double)k - low), width);

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
		   struct turns *turns, struct error *err)
{
	const double f = s->factor, width = s->high - s->low;

	(void)err;
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

static bool divide_all(const struct scaling *s, const struct rope_series *r,
		       struct turns *turns, struct error *err)
{
	(void)err;
	for (size_t k = 0; k < r->rotating; k++)
		turns_transform(turns, k, 1, 0, s->factor);
	return true;
}

/* As divide_all(); pairs beyond --rotary-dim do not rotate (Gemma 4). */
static bool proportional(const struct scaling *s,
			 const struct rope_series *r, struct turns *turns,
			 struct error *err)
{
	for (size_t k = r->rotating; k < r->pairs; k++)
		turns_zero(turns, k);
	return divide_all(s, r, turns, err);
}

/* Kinds in the order of their enum, and how many values come without a name. */
static const struct kind {
	const char *name;
	int needed, most;      /* number of values: F, then L */
	double mscale;

	/* Change the frequencies [pairs]; NULL: they stay */
	bool (*change)(const struct scaling *s, const struct rope_series *r,
		       struct turns *turns, struct error *err);
} kinds[] = {
	{ "none", 0, 0, 0, NULL },
	{ "linear", 1, 1, 0, divide_all },
	{ "ntk", 1, 1, 0, ntk },
	{ "ntk-fixed", 1, 1, 0, ntk_fixed },
	{ "dynamic", 2, 2, 0, dynamic },
	{ "yarn", 2, 2, 0, yarn },
	/* vLLM 7bc8d40, deepseek_scaling_rope.py */
	{ "deepseek_yarn", 2, 2, 1, yarn },
	/* vLLM d5a17e0, telechat3_scaling_rope.py: 0.07 ln F + 1 */
	{ "telechat3-yarn", 2, 2, 0.7, yarn },
	{ "llama3", 2, 2, 0, llama3 },
	{ "longrope", 0, 2, 0, longrope },
	{ "proportional", 0, 1, 0, proportional },
};

enum { KINDS = sizeof kinds / sizeof *kinds };

enum {
	YARN = 1 << SCALING_YARN,
	DEEPSEEK = 1 << SCALING_DEEPSEEK_YARN,
	TELECHAT3 = 1 << SCALING_TELECHAT3_YARN,
};

/* Parameters, the kinds that use them, their range and default. */
static const struct parameter {
	const char *name;
	size_t at;
	unsigned kinds;
	double least, most, initial;
} parameters[] = {
#define PARAMETER(field) #field, offsetof(struct scaling, field)
	{ PARAMETER(factor), ~1u, 1e-3, 1e9, 0 },
	{ PARAMETER(original), ~1u, 1, 0x1p53, 0 },
	{ PARAMETER(mixed_b), 1u << SCALING_NTK_FIXED, 1e-3, 1e3, 1 },
	{ PARAMETER(fast), YARN | DEEPSEEK | TELECHAT3, 1e-6, 1e9, 32 },
	{ PARAMETER(slow), YARN | DEEPSEEK | TELECHAT3, 1e-6, 1e9, 1 },
	{ PARAMETER(truncate), YARN | TELECHAT3, 0, 1, 1 },
	{ PARAMETER(mscale), YARN | DEEPSEEK, 0, 1e6, 0 },
	{ PARAMETER(mscale_all_dim), YARN | DEEPSEEK, 0, 1e6, 0 },
	{ PARAMETER(low), 1u << SCALING_LLAMA3, 1e-6, 1e9, 1 },
	{ PARAMETER(high), 1u << SCALING_LLAMA3, 1e-6, 1e9, 4 },
	{ PARAMETER(attention_factor), ~0u, 1e-6, 1e6, 0 },
	{ PARAMETER(short_mscale), 1u << SCALING_LONGROPE, 1e-6, 1e6, 0 },
	{ PARAMETER(long_mscale), 1u << SCALING_LONGROPE, 1e-6, 1e6, 0 },
#undef PARAMETER
};

enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static double *field(const struct parameter *p, struct scaling *s)
{
	return (double *)(void *)((char *)s + p->at);
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

static bool set_number(struct scaling *s, const struct parameter *p,
		       const char *text, struct error *err)
{
	/* A length may be 4k */
	const bool counts = p->at == offsetof(struct scaling, original);
	double x = 0;

	if (p->at == offsetof(struct scaling, truncate))
		return set_truncate(s, text, err);
	if (!(parse_real(text, &x) || (counts && parse_integer(text, &x))) ||
	    x < p->least || x > p->most)
		return fail(err, "--scaling %s: %s must be between %.16g and "
			    "%.16g, got '%.60s'", s->name, p->name,
			    p->least, p->most, text);
	*field(p, s) = x;
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
	for (const struct parameter *p = parameters;
	     p < parameters + PARAMETERS; p++)
		if ((p->kinds >> s->kind & 1) && lookup_is(&l, p->name))
			return set_number(s, p, value, err);
	snprintf(what, sizeof what, "--scaling %s: unknown parameter",
		 s->name);
	return lookup_fail(&l, what, "", err);
}

static bool set_parameter(struct scaling *s, char *text, int *unnamed,
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
			    "'%.60s'", rope_scalings[s->kind], text);
	return set_number(s, &parameters[(*unnamed)++], text, err);
}

static bool is_yarn(const struct scaling *s)
{
	return (YARN | DEEPSEEK | TELECHAT3) >> s->kind & 1;
}

static bool check_scaling(struct scaling *s, struct error *err)
{
	const struct kind *kind = &kinds[s->kind];

	if (kind->needed && !(s->factor > 0))
		return fail(err, "--scaling: expected %s, such as %s:4%s; the "
			    "factor F is missing", rope_scalings[s->kind],
			    kind->name, kind->needed == 2 ? ",4096" : "");
	if (!(s->factor > 0))
		s->factor = 1;
	if (kind->needed == 2 && !(s->original > 0))
		return fail(err, "--scaling: expected %s, such as %s:4,4096; "
			    "the original context L is missing",
			    rope_scalings[s->kind], kind->name);
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

/* Cut the first parameter off *tail; NULL after the last. */
static char *next_parameter(char **tail)
{
	char *text = *tail, *comma = text ? strchr(text, ',') : NULL;

	if (comma)
		*comma++ = '\0';
	*tail = comma;
	return text;
}

/* Parse "yarn:4,2048,fast=16", or NULL for none; owner owns the lists. */
static bool scaling_read(struct scaling *s, const char *text,
			 struct table *owner, struct error *err)
{
	char *words, *list, *parameter;
	int unnamed = 0;

	*s = (struct scaling){ 0 };
	for (size_t i = 0; i < PARAMETERS; i++)
		*field(&parameters[i], s) = parameters[i].initial;
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
	while ((parameter = next_parameter(&list)))
		if (!set_parameter(s, parameter, &unnamed, owner, err))
			return false;
	return check_scaling(s, err);
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

/* The factor of cosines and sines of positions below extent. */
static double scaling_attention(const struct scaling *s, double extent)
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

const char *const rope_spacings[] = {
	"geometric", "half-1", "alternating", "linear:MAX", NULL
};

typedef bool geometric(struct turns *turns, size_t n, double base,
		       double denominator, double scale, struct table *t,
		       struct error *err);

/*
 * 1 / (A (B / A)^(k / (n - 1))) for --periods A:B, as the quotient is not
 * exact: B^(-k / (n - 1)) A^(k / (n - 1)) / A.
 */
static bool periods(const struct rope *s, size_t n, geometric *make,
		    struct turns *turns, struct table *t, struct error *err)
{
	double at[2];

	if (parse_reals(s->periods, ':', at, 2) != 2 ||
	    !within(at[0], 1e-9, 1e9) || !within(at[1], 1e-9, 1e9))
		return fail(err, "--periods: expected MIN:MAX, both between "
			    "1e-9 and 1e9, got '%.60s'", s->periods);
	if (n < 2)
		return fail(err, "--periods needs at least 4 dimensions for "
			    "each axis (it divides by d/2 - 1), got %zu",
			    2 * n);
	if (!make(turns, n, at[1], (double)(n - 1), 1, t, err))
		return false;
	turns_multiply(turns, at[0], 0, -(double)(n - 1));
	for (size_t k = 0; k < n; k++)
		turns_transform(turns, k, 1, 0, at[0]);
	return true;
}

/* The axes take turns: axis a of n has base^(-2 (n k + a) / R). */
static bool alternating(const struct rope *s, size_t axis, size_t n,
			geometric *make, struct turns *turns, struct table *t,
			struct error *err)
{
	const size_t total = s->axes_n * n;
	struct turns all;

	if (2 * total != s->rotary_dim)
		return fail(err, "--spacing alternating needs axes of equal "
			    "size");
	if (!make(&all, total, s->base, (double)total, 1, t, err) ||
	    !turns_begin(turns, n, all.limbs, t, err))
		return false;
	turns_take(turns, 0, &all, axis, s->axes_n, n);
	return true;
}

/* n even steps from pi to pi MAX/2. */
static bool linear(const struct rope *s, size_t n, struct turns *turns,
		   struct table *t, struct error *err)
{
	const double most = s->spacing.at[0];

	if (!within(most, 2, 1e9))
		return fail(err, "--spacing linear:MAX must be between 2 and "
			    "1e9, got %.17g", most);
	return turns_linear(turns, n, 1, most / 2 - 1,
			    fmax((double)n - 1, 1), t, err);
}

/* n frequencies of an axis, without what scales them. */
static bool series(const struct rope *s, size_t axis, size_t n,
		   struct turns *turns, struct table *t, struct error *err)
{
	const bool half_1 = s->spacing.word == SPACING_HALF_1;
	geometric *make = s->axis[axis].full_turns ? turns_geometric_in_turns
						   : turns_geometric;

	if (s->periods)
		return periods(s, n, make, turns, t, err);
	if (s->spacing.word == SPACING_LINEAR)
		return linear(s, n, turns, t, err);
	if (s->spacing.word == SPACING_ALTERNATING)
		return alternating(s, axis, n, make, turns, t, err);
	if (half_1 && n < 2)
		return fail(err, "--spacing half-1 needs at least 4 dimensions "
			    "(it divides by d/2 - 1), got %zu", 2 * n);
	return make(turns, n, s->base, (double)(half_1 ? n - 1 : n), 1, t,
		    err);
}

/*
 * --ntk: the base of an axis of d dimensions becomes base r^(d / (d - 2)), as
 * Cosmos stretches each axis (bloc97 2023, "NTK-aware").
 */
static bool stretch(const struct rope *s, size_t axis, struct turns *turns,
		    struct error *err)
{
	const struct list *by = &s->ntk;

	if (by->n != s->axes_n)
		return fail(err, "--ntk: expected %zu factors, one for each of "
			    "--order, got %zu", s->axes_n, by->n);
	if (!within(by->at[axis], 1e-3, 1e9))
		return fail(err, "--ntk: factors must be between 0.001 and "
			    "1e9, got %.17g", by->at[axis]);
	if (turns->n < 2)
		return fail(err, "--ntk needs at least 4 dimensions for each "
			    "axis (it divides by d - 2), got %zu",
			    2 * turns->n);
	turns_multiply(turns, by->at[axis], 0, (double)(turns->n - 1));
	return true;
}

/* The frequencies of an axis, for coordinates times over. */
static bool axis_series(const struct rope *s, size_t axis,
			const struct scaling *scaling,
			const struct rope_series *r, struct turns *turns,
			struct table *t, struct error *err)
{
	const struct rope_axis *a = &s->axis[axis];

	if (!series(s, axis, r->pairs, turns, t, err) ||
	    (s->ntk.at && !stretch(s, axis, turns, err)) ||
	    (kinds[scaling->kind].change &&
	     !kinds[scaling->kind].change(scaling, r, turns, err)))
		return false;
	for (size_t k = 0; s->cells && k < turns->n; k++)
		if (a->over != 1)
			turns_transform(turns, k, 1, 0, a->over);
	return true;
}

/* Join the frequencies of all axes in s->wave.turns. */
static bool join(struct rope *s, const struct scaling *scaling,
		 struct rope_series *r, struct table *t, struct error *err)
{
	struct turns *turns = &s->wave.turns, part[ROPE_AXES] = { { 0 } };
	size_t limbs = 0;

	for (size_t a = 0; a < s->axes_n; a++) {
		r->pairs = r->rotating = s->axis[a].pairs;
		if (!axis_series(s, a, scaling, r, &part[a], t, err))
			return false;
		if (part[a].limbs > limbs)
			limbs = part[a].limbs;
	}
	if (!turns_begin(turns, s->rotary_dim / 2, limbs, t, err))
		return false;
	for (size_t a = 0; a < s->axes_n; a++)
		turns_take(turns, s->axis[a].first, &part[a], 0, 1,
			   part[a].n);
	return true;
}

/* Refuse what has no formula, or another one in each project. */
static bool check_use(const struct rope *s, const struct scaling *scaling,
		      struct error *err)
{
	const bool scales = scaling->kind != SCALING_NONE;

	if (s->shift.given && (scaling->kind == SCALING_DYNAMIC ||
			       scaling->far.at))
		return fail(err, "--shift needs frequencies that do not depend "
			    "on the length, as those of --scaling %s do",
			    scaling->name);
	if (s->sections.at && s->fractional)
		return fail(err, "--sections cannot be combined with "
			    "fractional --coords");
	if (scaling->kind == SCALING_PROPORTIONAL && rope_shared(s))
		return fail(err, "--scaling proportional does not apply to "
			    "--grid");
	if (scaling->kind == SCALING_PROPORTIONAL && s->rotary_offset)
		return fail(err, "--scaling proportional cannot be combined "
			    "with --rotary-offset");
	if (scaling->kind == SCALING_PROPORTIONAL && s->dim % 2)
		return fail(err, "--dim must be even, got %zu", s->dim);
	if (scales && (s->fractional || s->periods ||
		       s->spacing.word == SPACING_HALF_1 ||
		       s->spacing.word == SPACING_ALTERNATING))
		return fail(err, "--scaling needs whole coordinates and a "
			    "series base^(-2k/d)");
	if (s->emulate != EXACT && s->fractional)
		return fail(err, "--emulate needs coordinates that are whole "
			    "numbers");
	if (s->spacing.word == SPACING_LINEAR && s->fractional)
		return fail(err, "--spacing linear needs coordinates that are "
			    "whole numbers");
	return true;
}

/*
 * Resonance RoPE (Wang et al. 2024, arXiv:2403.00071): the wavelength of each
 * pair becomes a whole number of positions. Pairs of frequency 0 have none.
 */
static bool resonate(struct turns *turns, struct error *err)
{
	for (size_t k = 0; k < turns->n; k++) {
		const double length = TWO_PI / turns_angle(turns, k, 1);
		const double rounded = rint(length);

		if (rounded < 1)
			return fail(err, "--resonance rounds wavelengths, "
				    "which must be above 0.5 positions, got "
				    "%g for pair %zu", length, k);
		if (isfinite(rounded))
			turns_period(turns, k, rounded);
	}
	return true;
}

/* The base may be a preset's: --periods then replaces it. */
static bool note_periods(const struct rope *s, struct table *t,
			 struct error *err)
{
	return !s->periods || s->base == 10000 ||
	       table_note(t, err, "--periods %s takes the place of --base, "
			  "which has no effect", s->periods);
}

bool rope_frequencies(struct rope *s, struct table *t, struct error *err)
{
	struct rope_series r = { .base = s->base, .extent = s->extent };
	struct scaling scaling;

	if (!scaling_read(&scaling, s->scaling, t, err) ||
	    !check_use(s, &scaling, err) || !note_periods(s, t, err))
		return false;
	r.pairs = (scaling.kind == SCALING_PROPORTIONAL ? s->dim
							: s->rotary_dim) / 2;
	r.rotating = s->rotary_dim / 2;
	if (!(rope_shared(s) ? join(s, &scaling, &r, t, err)
		     : axis_series(s, 0, &scaling, &r, &s->wave.turns, t,
				   err)) ||
	    (s->resonance && !resonate(&s->wave.turns, err)))
		return false;
	s->scaled = (scaling.kind != SCALING_NONE || s->resonance) &&
		    !rope_shared(s) && s->spacing.word != SPACING_LINEAR;
	s->original = scaling.original;
	s->wave.turns.negative = s->inverse;
	s->wave.amplitude = s->shift.given
		? 1 : scaling_attention(&scaling, s->extent);
	if (s->inverse)
		s->wave.amplitude = 1 / s->wave.amplitude;
	return rope_axes(s, s->wave.turns.n, t, err) &&
	       (s->emulate == EXACT ||
		wave_lower_precision(&s->wave, s->emulate, s->farthest, t,
				     err));
}
