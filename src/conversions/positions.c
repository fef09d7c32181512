/* positions.c: how the positions of two configurations differ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/identified.h"
#include "conversions/conversions.h"
#include "conversions/tables.h"
#include "model/command.h"
#include "text/words.h"

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
	const double most = positions_longest(c);
	const double lengths[] = { 1, most, 2 * most };

	if (config_differs(a->dims, b->dims) || a->reversed != b->reversed ||
	    !same_sections(a, b))
		return false;
	if (!config_differs(a->base, b->base) &&
	    !config_differs(a->head, b->head) &&
	    same_text(a->scaling, b->scaling))
		return true;
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
		if (!frequencies_same(c, a, b, lengths[i], "freqs") ||
		    !frequencies_same(c, a, b, lengths[i], "cos"))
			return false;
	return true;
}

/* That one model scales its frequencies, and the other one does not. */
static const char *unscaled_words(struct conversion *c, size_t scaled,
				  const char *scaling)
{
	const struct side *with = &c->sides[scaled];
	const struct side *without = &c->sides[!scaled];

	return text_of(c, "%s scales its frequencies (%s), %s does not: %s",
		       with->letter, scaling, without->letter,
		       without->positions.gguf
		       ? "it has no rope_freqs.weight, and its keys say no "
			 "scaling"
		       : "there is no scaling in its configuration");
}

static const char *scaling_of(const struct rotary_positions *p)
{
	return p->scaling ? p->scaling : "none";
}

static const char *scaling_words(struct conversion *c,
				 const struct rotary_positions *a,
				 const struct rotary_positions *b)
{
	char x[SENTENCE], y[SENTENCE];

	cut_words(scaling_of(a), x);
	cut_words(scaling_of(b), y);
	if (!a->scaling || !b->scaling)
		return unscaled_words(c, !a->scaling, a->scaling ? x : y);
	return text_of(c, "the scaling of frequencies differs: %s in A, %s in "
		       "B", x, y);
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
	char x[CONFIG_NUMBER], y[CONFIG_NUMBER];

	if (config_differs(a->base, b->base))
		return text_of(c, "the rope base differs: %s in A, %s in B%s",
			       config_digits(a->base, x),
			       config_digits(b->base, y),
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
	return scaling_words(c, a, b);
}

/* "sliding_attention layers: " */
static const char *of_layers(struct conversion *c,
			     const struct layer_positions *p)
{
	return p->type ? text_of(c, "%s layers: ", p->type) : "";
}

/* Scalings that are written differently and mean the same. */
static void note_scaling(struct conversion *c, const struct layer_positions *a,
			 const struct layer_positions *b)
{
	char x[SENTENCE], y[SENTENCE];

	if (!same_text(a->r.scaling, b->r.scaling))
		say(c, &c->also, "%sthe scaling %s of A and %s of B make the "
		    "same frequencies", of_layers(c, a),
		    cut_words(scaling_of(&a->r), x),
		    cut_words(scaling_of(&b->r), y));
}

/*
 * Whether configurations differ in positions that posenc does not compute, so
 * that it is not known what that means. Learned ones are in the tensors.
 */
static bool is_untold(const struct layer_positions *a,
		      const struct layer_positions *b)
{
	return a->text && b->text && strcmp(a->text, b->text) != 0 &&
	       strcmp(a->kind, "learned") != 0;
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
	if (a->mask && b->mask) {
		if (strcmp(seen(c, a->mask), seen(c, b->mask)) != 0)
			say(c, &c->different, "%smask differs: %s in A, %s in "
			    "B", of, a->mask, b->mask);
	} else if (a->mask || b->mask || config_differs(a->window, b->window) ||
		   config_differs(a->windowless, b->windowless)) {
		say(c, &c->unknown, "%smasks may differ: %s", of,
		    a->mask_unknown ? a->mask_unknown : b->mask_unknown);
	}
}

/* "1 + 0.1 ln(1 + floor((p + 1) / 8192))", "1 + 0.1 ln(1 + floor(p / 16384))"
   or "1" */
static const char *query_words(struct conversion *c,
				const struct query_factors *f)
{
	char scale[CONFIG_NUMBER], length[CONFIG_NUMBER];

	return !(f->scale > 0) ? "1"
	       : text_of(c, "1 + %s ln(1 + floor(%s / %s))",
			 config_digits(f->scale, scale),
			 f->shift > 0 ? "(p + 1)" : "p",
			 config_digits(f->length, length));
}

/* By what queries at a position are multiplied. */
static void compare_queries(struct conversion *c, const char *of,
			    const struct query_factors *a,
			    const struct query_factors *b)
{
	if (config_differs(a->scale, b->scale) ||
	    (a->scale > 0 && config_differs(a->length, b->length)))
		say(c, &c->different, "%squeries are multiplied by %s in A, by "
		    "%s in B", of, query_words(c, a), query_words(c, b));
}

/* Whether two factors differ by more than the rounding to float32. */
static bool factors_differ(double a, double b)
{
	return !(fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)));
}

/* What is done to logits, where both configurations tell. */
static void compare_logits(struct conversion *c, const char *of,
			   const struct layer_positions *a,
			   const struct layer_positions *b)
{
	const double x = a->logits.scale * sqrt(a->r.head);
	const double y = b->logits.scale * sqrt(b->r.head);

	/* That heads of other sizes have other roots is said of the heads */
	if (a->logits_known && b->logits_known &&
	    (factors_differ(x, y) ||
	     factors_differ(a->logits.cap, b->logits.cap) ||
	     a->logits.sinks != b->logits.sinks))
		say(c, &c->different, "%slogits are %s in A, %s in B", of,
		    a->logits_words, b->logits_words);
}

/* Layers of both models that should be the same. */
static void compare_layers(struct conversion *c,
			   const struct layer_positions *a,
			   const struct layer_positions *b)
{
	const char *of = of_layers(c, a->type ? a : b);

	/* A file without types of layers is about those with attention */
	if ((a->no_attention && !b->type) || (b->no_attention && !a->type))
		return;
	if (a->unknown || b->unknown)
		say(c, &c->unknown, "%s", a->unknown ? a->unknown : b->unknown);
	else if (strcmp(a->kind, b->kind) != 0)
		say(c, &c->different, "%sthe kind of positions differs: %s in "
		    "A, %s in B", of, a->kind, b->kind);
	else if (a->rotary && !same_rotation(c, &a->r, &b->r)) {
		say(c, &c->different, "%s%s", of,
		    rotary_difference(c, &a->r, &b->r));
		if (same_sections(&a->r, &b->r))
			cosines_compare(c, &a->r, &b->r);
	} else if (a->rotary)
		note_scaling(c, a, b);
	else if (is_untold(a, b))
		say(c, &c->unknown, "the configurations differ, and posenc has "
		    "no command for their %s positions", a->kind);
	else if (strcmp(a->kind, "learned") != 0 &&
		 !same_text(a->commands, b->commands))
		say(c, &c->different, "%stables differ: '%s' in A, '%s' in B",
		    of, a->commands, b->commands);
	if (a->rotary && b->rotary)
		compare_masks(c, of, a, b);
	else if (a->mask_keys && b->mask_keys &&
		 strcmp(a->mask_keys, b->mask_keys) != 0)
		say(c, &c->unknown, "masks may differ: %s in A, %s in B",
		    a->mask_words[0] ? a->mask_words : "none",
		    b->mask_words[0] ? b->mask_words : "none");
	if (!a->unknown && !b->unknown)
		compare_queries(c, of, &a->queries, &b->queries);
	if (a->rotary && b->rotary)
		compare_logits(c, of, a, b);
	if (a->layers[0] && b->layers[0] &&
	    strcmp(a->layers, b->layers) != 0)
		say(c, &c->different, "%s layers are %s in A, %s in B",
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
	char text[4][CONFIG_NUMBER];

	if (c->sides[0].positions.n != 2 || c->sides[1].positions.n != 2)
		return false;
	x = find_layers(&c->sides[1].positions, a[0].type);
	y = find_layers(&c->sides[1].positions, a[1].type);
	if (!x || !y || same_layers(c, &a[0], x) ||
	    !same_layers(c, &a[0], y) || !same_layers(c, &a[1], x))
		return false;
	say(c, &c->different, "the rope bases of %s and %s layers are swapped: "
	    "%s and %s in A, %s and %s in B", a[0].type, a[1].type,
	    config_digits(a[0].r.base, text[0]),
	    config_digits(a[1].r.base, text[1]),
	    config_digits(x->r.base, text[2]),
	    config_digits(y->r.base, text[3]));
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
			say(c, &c->different, "only %s has %s layers",
			    x ? "A" : "B", type);
	}
}

/* Whether both numbers are given, and differ. */
static bool differ(double a, double b)
{
	return a > 0 && b > 0 && config_differs(a, b);
}

void positions_compare(struct conversion *c)
{
	const struct model_positions *a = &c->sides[0].positions;
	const struct model_positions *b = &c->sides[1].positions;

	if (a->unknown || b->unknown)
		return;
	if (!compare_swapped(c))
		compare_all_layers(c);
	cosines_say(c);
	if (differ(a->heads, b->heads))
		say(c, &c->unknown, "the number of heads is %.0f in A, "
		    "%.0f in B", a->heads, b->heads);
	if (differ(a->image, b->image) || differ(a->patch, b->patch))
		say(c, &c->unknown, "the configurations have images of %.0f "
		    "and patches of %.0f in A, %.0f and %.0f in B", a->image,
		    a->patch, b->image, b->patch);
	if (differ(a->layers, b->layers))
		c->layers = text_of(c, "the number of layers is %.0f "
				    "in A, %.0f in B", a->layers, b->layers);
	if (differ(a->context, b->context))
		c->lengths = text_of(c, "the context differs: %.0f positions "
				     "in A, %.0f in B", a->context,
				     b->context);
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

struct head_layout positions_head(const struct conversion *c, size_t n)
{
	const struct layer_positions *a = rotating(&c->sides[0], n);
	const struct layer_positions *p = a ? a : rotating(&c->sides[1], n);

	return p ? (struct head_layout){ .dim = (size_t)p->r.head,
					 .rotary = (size_t)p->r.dims }
		 : (struct head_layout){ 0 };
}

bool positions_rotate(const struct side *s, bool *interleaved)
{
	const struct layer_positions *p = rotating(s, 0);

	*interleaved = p && p->r.interleaved;
	return p;
}

bool positions_orders(const struct conversion *c, bool interleaved[2])
{
	const bool a = positions_rotate(&c->sides[0], &interleaved[0]);

	return positions_rotate(&c->sides[1], &interleaved[1]) && a;
}

bool positions_first(const struct conversion *c, size_t first[2])
{
	for (size_t i = 0; i < 2; i++) {
		const struct model_positions *m = &c->sides[i].positions;

		if (m->n != 1 || !m->at[0].first)
			return false;
		first[i] = (size_t)strtoull(m->at[0].first, NULL, 10);
	}
	return true;
}

bool positions_keys(const struct side *s, size_t n, size_t *head)
{
	const struct model_positions *m = &s->positions;

	for (size_t i = 0; i < m->n; i++)
		if (!m->at[i].rotary ||
		    config_differs(m->at[i].r.head, m->at[0].r.head))
			return true;
	*head = m->n ? (size_t)m->at[0].r.head : 0;
	return !m->n || !(m->keys > 0) ||
	       !config_differs(m->keys * m->at[0].r.head, (double)n);
}

const char *positions_untold(const struct side *s)
{
	for (size_t i = 0; i < s->positions.n; i++) {
		const struct layer_positions *p = &s->positions.at[i];
		const bool made = p->commands &&
				  strncmp(p->commands, "posenc ", 7) == 0;
		const char *told = made ? "rotary none alibi sinusoidal "
					  "rotary-2d"
					: "rotary none rotary-2d";

		if (!text_has_word(told, p->kind, " "))
			return p->kind;
	}
	return NULL;
}

/* "rope --dim 128 --base 500000", or another kind. */
static const char *layers_words(struct conversion *c,
				const struct layer_positions *p)
{
	char base[CONFIG_NUMBER], scaling[SENTENCE];

	if (p->unknown)
		return text_of(c, "unknown: %s", p->unknown);
	if (!p->rotary)
		return text_of(c, "%s%s%s", p->kind,
			       p->commands && p->commands[0] ? ": " : "",
			       p->commands ? p->commands : "");
	return text_of(c, "rotary: base %s, %.0f of %.0f dimensions, %s%s%s%s",
		       config_digits(p->r.base, base), p->r.dims, p->r.head,
		       p->r.interleaved ? "interleaved" : "half",
		       p->r.scaling ? ", scaling " : "",
		       p->r.scaling ? cut_words(p->r.scaling, scaling) : "",
		       p->r.reversed ? ", reversed" : "");
}

void positions_report(struct conversion *c, struct report *r)
{
	static const char *const groups[] = {
		"positions_of_A", "positions_of_B",
	};

	for (size_t i = 0; i < 2; i++) {
		const struct model_positions *m = &c->sides[i].positions;

		report_group(r, groups[i]);
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
