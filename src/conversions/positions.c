/* positions.c: how the positions of two configurations differ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "conversions/conversions.h"

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_sections(const struct rotary_positions *a,
			  const struct rotary_positions *b)
{
	return same_text(a->sections, b->sections) &&
	       same_text(a->mrope, b->mrope);
}

double positions_longest(const struct conversion *c)
{
	const double longest = fmax(c->sides[0].positions.context,
				    c->sides[1].positions.context);

	return fmin(fmax(longest, 1), 0x1p40);
}

/*
 * Whether positions turn queries and keys by the same angles, whichever
 * dimensions are pairs. Some scalings depend on the length of the context, or
 * begin beyond it.
 */
static bool same_rotation(struct conversion *c,
			  const struct rotary_positions *a,
			  const struct rotary_positions *b)
{
	if (config_differs(a->dims, b->dims) || a->reversed != b->reversed ||
	    !same_sections(a, b))
		return false;
	return (!config_differs(a->base, b->base) &&
		!config_differs(a->head, b->head) &&
		same_text(a->scaling, b->scaling)) ||
	       rotations_same(c, a, b);
}

static const char *digits(struct conversion *c, double x)
{
	char text[CONFIG_NUMBER];

	return text_of(c, "%s", config_digits(x, text));
}

/* A scaling with its lists cut, or "none". */
static const char *scaling_words(struct conversion *c,
				 const struct rotary_positions *p)
{
	char text[SENTENCE];

	return text_of(c, "%s", cut_words(p->scaling ? p->scaling : "none",
					  text));
}

/* "24,20,20 interleaved", or "none" */
static const char *sections_words(struct conversion *c,
				  const struct rotary_positions *p)
{
	return text_of(c, "%s%s%s", p->sections ? p->sections : "none",
		       p->mrope ? " " : "", p->mrope ? p->mrope : "");
}

/* What differs of two rotations that are not the same. */
static const char *rotary_difference(struct conversion *c,
				     const struct rotary_positions *a,
				     const struct rotary_positions *b)
{
	const struct side *with = &c->sides[!a->scaling];
	const struct side *without = &c->sides[!!a->scaling];

	if (config_differs(a->base, b->base))
		return text_of(c, "the rope base differs: %s in A, %s in B%s",
			       digits(c, a->base), digits(c, b->base),
			       same_text(a->scaling, b->scaling) ? ""
			       : "; so does the scaling");
	if (config_differs(a->dims, b->dims))
		return text_of(c, "the number of rotary dimensions differs: "
			       "%.0f in A, %.0f in B", a->dims, b->dims);
	if (a->reversed != b->reversed)
		return "the direction of rotation differs";
	if (!same_sections(a, b))
		return text_of(c, "the sections of time, row and column "
			       "differ: %s in A, %s in B",
			       sections_words(c, a), sections_words(c, b));
	if (a->scaling && b->scaling)
		return text_of(c, "the scaling of frequencies differs: %s in "
			       "A, %s in B", scaling_words(c, a),
			       scaling_words(c, b));
	return text_of(c, "%s scales its frequencies (%s), %s does not: %s",
		       with->letter, scaling_words(c, a->scaling ? a : b),
		       without->letter, without->positions.gguf
		       ? "it has no rope_freqs.weight, and its keys say no "
			 "scaling"
		       : "there is no scaling in its configuration");
}

/* A mask, but for a window that is longer than any context of both models. */
static const char *seen(const struct conversion *c, const char *mask)
{
	static const char window[] = "window:";
	const double longest = positions_longest(c);
	const bool all = strncmp(mask, window, strlen(window)) == 0 &&
			 longest > 1 &&
			 strtod(mask + strlen(window), NULL) >= longest;

	return all ? "causal" : mask;
}

/* What layers see, if both configurations say that or are silent alike. */
static void compare_masks(struct conversion *c, const char *of,
			  const struct layer_positions *a,
			  const struct layer_positions *b)
{
	if (a->mask_keys && b->mask_keys) {
		if (strcmp(a->mask_keys, b->mask_keys) != 0)
			say(c, &c->unknown, NULL, "masks may differ: %s in A, "
			    "%s in B",
			    a->mask_words[0] ? a->mask_words : "none",
			    b->mask_words[0] ? b->mask_words : "none");
	} else if (!a->rotary || !b->rotary) {
		return;
	} else if (a->mask && b->mask) {
		if (strcmp(seen(c, a->mask), seen(c, b->mask)) != 0)
			say(c, &c->different, NULL, "%smask differs: %s in A, "
			    "%s in B", of, a->mask, b->mask);
	} else if (a->mask || b->mask || config_differs(a->window, b->window) ||
		   config_differs(a->windowless, b->windowless)) {
		say(c, &c->unknown, NULL, "%smasks may differ: %s", of,
		    a->mask_unknown ? a->mask_unknown : b->mask_unknown);
	}
}

/* "1 + 0.1 ln(1 + floor((p + 1) / 8192))", "1 + 0.1 ln(1 + floor(p / 16384))"
   or "1" */
static const char *query_words(struct conversion *c,
			       const struct query_factors *f)
{
	return !(f->scale > 0) ? "1"
	       : text_of(c, "1 + %s ln(1 + floor(%s / %s))",
			 digits(c, f->scale), f->shift > 0 ? "(p + 1)" : "p",
			 digits(c, f->length));
}

/* Whether two factors differ by more than the rounding to float32. */
static bool factors_differ(double a, double b)
{
	return !(fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)));
}

/* What is done to queries and logits, where both configurations tell. */
static void compare_logits(struct conversion *c, const char *of,
			   const struct layer_positions *a,
			   const struct layer_positions *b)
{
	const struct query_factors *q = &a->queries, *r = &b->queries;
	const double x = a->logits.scale * sqrt(a->r.head);
	const double y = b->logits.scale * sqrt(b->r.head);

	if (!a->unknown && !b->unknown &&
	    (config_differs(q->scale, r->scale) ||
	     (q->scale > 0 && config_differs(q->length, r->length))))
		say(c, &c->different, NULL, "%squeries are multiplied by %s in "
		    "A, by %s in B", of, query_words(c, q), query_words(c, r));
	/* That heads of other sizes have other roots is said of the heads */
	if (a->rotary && b->rotary && a->logits_words && b->logits_words &&
	    (factors_differ(x, y) ||
	     factors_differ(a->logits.cap, b->logits.cap) ||
	     a->logits.sinks != b->logits.sinks))
		say(c, &c->different, NULL, "%slogits are %s in A, %s in B",
		    of, a->logits_words, b->logits_words);
}

/* Layers of both models that should be the same. */
static void compare_layers(struct conversion *c,
			   const struct layer_positions *a,
			   const struct layer_positions *b)
{
	const char *type = a->type ? a->type : b->type;
	const char *of = type ? text_of(c, "%s layers: ", type) : "";
	const bool learned = strcmp(a->kind, "learned") == 0;

	/* A file without types of layers is about those with attention */
	if ((a->no_attention && !b->type) || (b->no_attention && !a->type))
		return;
	if (a->unknown || b->unknown)
		say(c, &c->unknown, NULL, "%s",
		    a->unknown ? a->unknown : b->unknown);
	else if (strcmp(a->kind, b->kind) != 0)
		say(c, &c->different, NULL, "%sthe kind of positions differs: "
		    "%s in A, %s in B", of, a->kind, b->kind);
	else if (a->rotary && !same_rotation(c, &a->r, &b->r)) {
		say(c, &c->different, NULL, "%s%s", of,
		    rotary_difference(c, &a->r, &b->r));
		if (same_sections(&a->r, &b->r))
			cosines_compare(c, &a->r, &b->r);
	} else if (a->rotary && !same_text(a->r.scaling, b->r.scaling))
		say(c, &c->also, NULL, "%sthe scaling %s of A and %s of B make "
		    "the same frequencies", a->type ? of : "",
		    scaling_words(c, &a->r), scaling_words(c, &b->r));
	else if (!a->rotary && !learned && a->text && b->text &&
		 strcmp(a->text, b->text) != 0)
		/* Positions that posenc does not compute */
		say(c, &c->unknown, NULL, "the configurations differ, and "
		    "posenc has no command for their %s positions", a->kind);
	else if (!a->rotary && !learned &&
		 !same_text(a->commands, b->commands))
		say(c, &c->different, NULL, "%stables differ: '%s' in A, '%s' "
		    "in B", of, a->commands, b->commands);
	compare_masks(c, of, a, b);
	compare_logits(c, of, a, b);
	if (a->layers[0] && b->layers[0] && strcmp(a->layers, b->layers) != 0)
		say(c, &c->different, NULL, "%s layers are %s in A, %s in B",
		    a->type ? a->type : "rotating", a->layers, b->layers);
}

/* The layers of a type, or those of a model without types; NULL: none. */
static const struct layer_positions *
find_layers(const struct model_positions *m, const char *type)
{
	const struct layer_positions *p = m->at;

	while (p < m->at + m->n && p->type && type &&
	       strcmp(p->type, type) != 0)
		p++;
	return p < m->at + m->n ? p : NULL;
}

/* Whether both rotate in the same way. */
static bool same_layers(struct conversion *c, const struct layer_positions *a,
			const struct layer_positions *b)
{
	return a->rotary && b->rotary && same_rotation(c, &a->r, &b->r);
}

/* Whether the two types of layers have each other's positions. */
static bool compare_swapped(struct conversion *c)
{
	const struct layer_positions *a = c->sides[0].positions.at;
	const struct layer_positions *x, *y;

	if (c->sides[0].positions.n != 2 || c->sides[1].positions.n != 2)
		return false;
	x = find_layers(&c->sides[1].positions, a[0].type);
	y = find_layers(&c->sides[1].positions, a[1].type);
	if (!x || !y || same_layers(c, &a[0], x) ||
	    !same_layers(c, &a[0], y) || !same_layers(c, &a[1], x))
		return false;
	say(c, &c->different, NULL, "the rope bases of %s and %s layers are "
	    "swapped: %s and %s in A, %s and %s in B", a[0].type, a[1].type,
	    digits(c, a[0].r.base), digits(c, a[1].r.base),
	    digits(c, x->r.base), digits(c, y->r.base));
	cosines_compare(c, &a[0].r, &x->r);
	cosines_compare(c, &a[1].r, &y->r);
	return true;
}

static void compare_all_layers(struct conversion *c)
{
	const struct model_positions *a = &c->sides[0].positions;
	const struct model_positions *b = &c->sides[1].positions;
	const struct model_positions *most = a->n < b->n ? b : a;

	for (size_t i = 0; i < most->n; i++) {
		const char *type = most->at[i].type;
		const struct layer_positions *x = find_layers(a, type);
		const struct layer_positions *y = find_layers(b, type);

		if (x && y)
			compare_layers(c, x, y);
		else
			say(c, &c->different, NULL, "only %s has %s layers",
			    x ? "A" : "B", type);
	}
}

/* Whether both numbers are given, and differ. */
static bool differ(double a, double b)
{
	return a > 0 && b > 0 && config_differs(a, b);
}

/* The first layers of a model that rotate, with heads that divide n; NULL. */
static const struct layer_positions *rotating(const struct side *s, size_t n)
{
	const struct model_positions *m = &s->positions;

	for (size_t i = 0; i < m->n; i++)
		if (m->at[i].rotary && n % (size_t)m->at[i].r.head == 0)
			return &m->at[i];
	return NULL;
}

/* Whether and how both models rotate. */
static void set_rotations(struct conversion *c)
{
	struct side *s = c->sides;

	c->may_rotate = true;
	for (size_t i = 0; i < 2; i++) {
		const struct layer_positions *p = rotating(&s[i], 0);
		bool may = p || s[i].positions.unknown;

		s[i].rotates = p;
		s[i].interleaved = p && p->r.interleaved;
		for (size_t k = 0; k < s[i].positions.n; k++)
			may |= s[i].positions.at[k].unknown != NULL;
		c->may_rotate &= may;
	}
	c->both_rotate = s[0].rotates && s[1].rotates;
	c->reorders = c->both_rotate && s[0].interleaved != s[1].interleaved;
}

void positions_compare(struct conversion *c)
{
	const struct model_positions *a = &c->sides[0].positions;
	const struct model_positions *b = &c->sides[1].positions;

	set_rotations(c);
	if (a->unknown || b->unknown)
		return;
	if (!compare_swapped(c))
		compare_all_layers(c);
	cosines_say(c);
	if (differ(a->heads, b->heads))
		say(c, &c->unknown, NULL, "the number of heads is %.0f in A, "
		    "%.0f in B", a->heads, b->heads);
	if (differ(a->image, b->image) || differ(a->patch, b->patch))
		say(c, &c->unknown, NULL, "the configurations have images of "
		    "%.0f and patches of %.0f in A, %.0f and %.0f in B",
		    a->image, a->patch, b->image, b->patch);
	if (differ(a->layers, b->layers))
		c->layers = text_of(c, "the number of layers is %.0f "
				    "in A, %.0f in B", a->layers, b->layers);
	if (differ(a->context, b->context))
		c->lengths = text_of(c, "the context differs: %.0f positions "
				     "in A, %.0f in B", a->context,
				     b->context);
}

struct head_layout positions_head(const struct conversion *c, size_t n)
{
	const struct layer_positions *a = rotating(&c->sides[0], n);
	const struct layer_positions *p = a ? a : rotating(&c->sides[1], n);

	return p ? (struct head_layout){ .dim = (size_t)p->r.head,
					 .rotary = (size_t)p->r.dims }
		 : (struct head_layout){ 0 };
}

/* "rope --dim 128 --base 500000", or another kind. */
static const char *layers_words(struct conversion *c,
				const struct layer_positions *p)
{
	if (p->unknown)
		return text_of(c, "unknown: %s", p->unknown);
	if (!p->rotary)
		return text_of(c, "%s%s%s", p->kind,
			       p->commands && p->commands[0] ? ": " : "",
			       p->commands ? p->commands : "");
	return text_of(c, "rotary: base %s, %.0f of %.0f dimensions, %s%s%s%s",
		       digits(c, p->r.base), p->r.dims, p->r.head,
		       p->r.interleaved ? "interleaved" : "half",
		       p->r.scaling ? ", scaling " : "",
		       p->r.scaling ? scaling_words(c, &p->r) : "",
		       p->r.reversed ? ", reversed" : "");
}

void positions_report(struct conversion *c, struct report *r)
{
	for (size_t i = 0; i < 2; i++) {
		const struct model_positions *m = &c->sides[i].positions;

		report_group(r, i ? "positions_of_B" : "positions_of_A");
		if (m->unknown)
			report_text(r, "unknown", "%s", m->unknown);
		for (size_t k = 0; k < m->n; k++) {
			const struct layer_positions *p = &m->at[k];

			report_text(r, p->type ? p->type : "all_layers", "%s",
				    layers_words(c, p));
		}
		if (m->context > 0)
			report_number(r, "context", m->context, NULL);
	}
}
