/*
 * layout.c: the order of rows of query and key weights. Where one model rotates
 * halves and the other one neighbours, rows are permuted within each head, by
 * permute() of llama.cpp's convert_hf_to_gguf.py and of transformers'
 * convert_llama_weights_to_hf.py.
 */
#include <math.h>
#include <string.h>

#include "conversions/layout.h"
#include "conversions/tables.h"

size_t as_is(const struct order *o, size_t i)
{
	(void)o;
	return i;
}

static size_t in_heads(const struct order *o, size_t i)
{
	return head_source(&o->heads, i);
}

static const char *const order_names[] = {
	[HEAD_HALF] = "half", [HEAD_INTERLEAVED] = "interleaved",
};

/* What rotates together in these orders. */
static const char *const pair_names[] = {
	[HEAD_HALF] = "halves (k and k + d/2)",
	[HEAD_INTERLEAVED] = "neighbours (2k and 2k + 1)",
};

static bool read(struct conversion *c, struct weights *w, struct error *err)
{
	const struct pair *p = w->pair;

	if (!values_read(c, p, 0, &w->a, err) ||
	    !values_read(c, p, 1, &w->b, err))
		return false;
	values_turn_bias(&w->a);
	values_turn_bias(&w->b);
	w->rows = w->a.planes * w->a.rows;
	w->cols = w->a.cols;
	w->x = table_alloc(&w->a, w->cols, sizeof *w->x, err);
	w->y = table_alloc(&w->a, w->cols, sizeof *w->y, err);
	return w->x && w->y;
}

void count_unknown(struct conversion *c, const struct pair *p,
		   const struct agreement *g, const char *why,
		   struct error *err)
{
	struct error ignored = { 0 };
	const char *text = tables_explained(c, p, &ignored);

	pass_call(err, &ignored);
	if (text)
		why = g->shaped ? text : text_of(c, "%s; %s", why, text);
	say_of(&c->unknown, pair_name(p), why);
	count_pair(c, p, g);
}

void weights_compare(struct conversion *c, const struct pair *p,
		     void (*judge)(struct conversion *c,
				   const struct weights *w,
				   struct error *err),
		     struct error *err)
{
	struct weights w = { .pair = p };
	struct agreement g;

	if (read(c, &w, err)) {
		g = values_shapes(&w.a, &w.b);
		if (g.shaped)
			judge(c, &w, err);
		else
			count_unknown(c, p, &g, shapes_words(c, &g), err);
		c->layout |= split_check(&w.a, err) && split_check(&w.b, err);
	}
	table_close(&w.a);
	table_close(&w.b);
}

bool try_order(const struct weights *w, struct order *o, bool all)
{
	o->agreement = values_shapes(&w->a, &w->b);
	for (size_t i = 0; i < w->rows && (all || !o->agreement.differing); i++)
		values_agree(w->pair, &w->a, &w->b,
			     w->a.row(&w->a, o->source(o, i), w->x),
			     w->b.row(&w->b, i, w->y), w->cols, &o->agreement);
	return o->known = !o->agreement.differing;
}

/* The sum of squared differences of the rows that rotate in this order. */
static double distance(const struct weights *w, const struct order *o)
{
	double sum = 0;

	for (size_t i = 0; i < w->rows; i++) {
		const double *x = w->a.row(&w->a, o->source(o, i), w->x);
		const double *y = w->b.row(&w->b, i, w->y);
		const bool rotates = i % o->heads.dim < o->heads.rotary;

		for (size_t j = 0; rotates && j < w->cols; j++)
			sum += (x[j] - y[j]) * (x[j] - y[j]);
	}
	return sum;
}

/*
 * Weights that were trained further keep their order. One pair has no other
 * order: where no more rotate, orders of whole heads are compared. Two pairs
 * have one other order: half to interleaved is interleaved to half.
 */
static struct order nearest(const struct weights *w, struct head_layout heads)
{
	struct order o[] = {
		{ .source = as_is }, { .source = in_heads },
		{ .source = in_heads },
	};
	double least = (double)INFINITY, second = (double)INFINITY;
	size_t best = 0;

	if (heads.rotary < 4)
		heads.rotary = heads.dim;
	o[0].heads = o[1].heads = o[2].heads = heads;
	o[2].heads.to = (enum head_order)!heads.to;
	for (size_t i = 0; i < (heads.rotary > 4 ? 3 : 2); i++) {
		const double d = distance(w, &o[i]);

		second = fmin(second, fmax(d, least));
		best = d < least ? i : best;
		least = fmin(d, least);
	}
	try_order(w, &o[best], true);
	o[best].known = 4 * least < second;
	return o[best];
}

/*
 * Find the order: the one that is needed, none, or any other; heads of the
 * right size come first, the rows of which that rotate, then all of them.
 */
static struct order find_order(const struct weights *w,
			       const struct order *need)
{
	struct order o = *need, same = { .source = as_is };
	const struct head_layout *right = &need->heads;
	struct head_layout *l = &o.heads;

	if (try_order(w, &o, false))
		return o;
	if (try_order(w, &same, false))
		return same;
	o.source = in_heads;
	for (int pass = 0; pass < 6; pass++) {
		l->to = pass % 2 ? (enum head_order)!right->to : right->to;
		for (l->dim = w->rows; l->dim >= 4; l->dim--) {
			l->rotary = pass < 2 ? right->rotary : l->dim;
			if ((l->dim == right->dim) == (pass < 4) &&
			    w->rows % l->dim == 0 && l->dim % 2 == 0 &&
			    try_order(w, &o, false))
				return o;
		}
	}
	return right->dim >= 4 ? nearest(w, *right) : same;
}

/*
 * "permuted within each of 4 heads of 8, from half to interleaved order", or
 * "within the first 4 of each of 4 heads of 8"
 */
static const char *order_words(struct conversion *c, const struct weights *w,
			       const struct order *o)
{
	const struct head_layout *l = &o->heads;
	const char *part = l->rotary == l->dim ? ""
			   : text_of(c, "the first %zu of ", l->rotary);

	return text_of(c, "permuted within %seach of %zu head%s of %zu, from "
		       "%s to %s order", part, w->rows / l->dim,
		       w->rows > l->dim ? "s" : "", l->dim,
		       order_names[l->to == HEAD_HALF], order_names[l->to]);
}

/* An order that is not the one that both rotations need. */
static const char *wrong_words(struct conversion *c, const struct weights *w,
			       const struct order *o, const struct order *need)
{
	const bool moved = o->source == in_heads;
	const struct head_layout *l = &o->heads, *right = &need->heads;
	const char *words = moved ? order_words(c, w, o) : "";
	const char *both = text_of(c, "A rotates %s and B %s",
				   pair_names[right->to == HEAD_HALF],
				   pair_names[right->to]);

	if (need->source == as_is)
		return text_of(c, "its rows are %s, but both models rotate %s",
			       words, pair_names[right->to]);
	if (!moved)
		return text_of(c, "its rows are in the same order, but %s: "
			       "they have to be %s", both,
			       order_words(c, w, need));
	if (l->dim != right->dim)
		return text_of(c, "its rows are permuted as if it had %zu "
			       "head%s of %zu; it has %zu of %zu",
			       w->rows / l->dim, w->rows > l->dim ? "s" : "",
			       l->dim, w->rows / right->dim, right->dim);
	if (l->to == right->to)
		return text_of(c, "its rows are %s, but only the first %zu of "
			       "each head rotate", words, right->rotary);
	return text_of(c, "its rows are %s, but %s", words, both);
}

/* Count a pair in an order that is right. */
static void count(struct conversion *c, const struct weights *w,
		  const struct order *o)
{
	count_pair(c, w->pair, &o->agreement);
	if (o->source == as_is)
		return;
	c->permuted++;
	say_of(&c->also, pair_name(w->pair),
	       text_of(c, "rows are %s", order_words(c, w, o)));
}

/* Whether a tensor has keys. */
static bool has_keys(const struct pair *p)
{
	const char *own = pair_name(p);
	char name[NAME_ROOM];

	return strstr(own, ".attn_k.") ||
	       (name_in_gguf(own, strlen(own), name) &&
		strstr(name, ".attn_k."));
}

/* Check the number of heads of keys that the configurations say. */
static void check_heads(struct conversion *c, const struct weights *w)
{
	size_t head;

	for (size_t i = 0; i < 2; i++) {
		const struct side *s = &c->sides[i];

		if (positions_keys(s, w->rows, &head))
			continue;
		say_of(&c->unknown, pair_name(w->pair),
		       text_of(c, "it has %zu rows, not %.0f x %zu%s",
			       w->rows, s->positions.keys, head,
			       s->positions.assumed ? s->positions.assumed
			       : text_of(c, " as the configuration of %s says",
					 s->letter)));
	}
}

/* Why the order of rows is not known, which agree so as they stand. */
static const char *unknown_words(struct conversion *c, const struct pair *p,
				 const struct agreement *g)
{
	const struct split *s = &p->split;

	if (isinf(g->largest))
		return "it has values that are infinite or NaN in one model "
		       "only";
	return s->fusion
	       ? text_of(c, "its values are not those that %s has for it in %s",
			 c->sides[s->side].letter, p->of[s->side]->name)
	       : "its values differ so much that the order of rows is not "
		 "known";
}

/* Whether both are the same order of rows. */
static bool same_order(const struct order *a, const struct order *b)
{
	return a->source == b->source &&
	       (a->source == as_is ||
		(a->heads.dim == b->heads.dim && a->heads.to == b->heads.to &&
		 a->heads.rotary == b->heads.rotary));
}

static void judge(struct conversion *c, const struct weights *w,
		  struct error *err)
{
	bool of[2];
	const bool known = positions_orders(c, of);
	const bool other = known && of[0] != of[1];
	struct head_layout heads = positions_head(c, w->rows);
	struct order need, o;
	struct order same = { .source = as_is };
	const char *name = pair_name(w->pair);

	heads.to = of[1] ? HEAD_INTERLEAVED : HEAD_HALF;
	need = (struct order){
		.source = other && heads.rotary > 2 ? in_heads : as_is,
		.heads = heads,
	};
	o = find_order(w, &need);
	if (has_keys(w->pair))
		check_heads(c, w);
	if (!o.known) {
		try_order(w, &same, true);
		count_unknown(c, w->pair, &same.agreement,
			      unknown_words(c, w->pair, &same.agreement), err);
		return;
	}
	if (other && !heads.dim)
		say_of(&c->unknown, name, "its rows are not a multiple of the "
		       "size of a head");
	else if (known && !same_order(&o, &need)) {
		say_of(&c->different, name, wrong_words(c, w, &o, &need));
		c->disordered++;
		return;
	}
	count(c, w, &o);
}

void layout_compare(struct conversion *c, const struct pair *p,
		    struct error *err)
{
	weights_compare(c, p, judge, err);
}
