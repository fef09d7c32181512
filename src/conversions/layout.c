/* layout.c: whether rows of queries, keys and values are as both need them. */
#include <math.h>
#include <string.h>

#include "conversions/conversions.h"
#include "formats/on_demand.h"

static const char *const order_names[] = {
	[HEAD_HALF] = "half", [HEAD_INTERLEAVED] = "interleaved",
};

/* What rotates together in these orders. */
static const char *const pair_names[] = {
	[HEAD_HALF] = "halves (k and k + d/2)",
	[HEAD_INTERLEAVED] = "neighbours (2k and 2k + 1)",
};

/*
 * "permuted within each of 4 heads of 8, from half to interleaved order", or
 * "within the first 4 of each of 4 heads of 8"; "each head of 8 of queries and
 * keys" if the tensor has all
 */
static const char *turn_words(struct conversion *c, const struct weights *w,
			      const struct head_layout *l)
{
	const size_t heads = w->rows / l->dim;
	const char *part = l->rotary == l->dim ? ""
			   : text_of(c, "the first %zu of ", l->rotary);
	const char *of = !w->part
			 ? text_of(c, "each head of %zu of queries and keys",
				   l->dim)
			 : text_of(c, "each of %zu head%s of %zu", heads,
				   heads == 1 ? "" : "s", l->dim);

	return text_of(c, "permuted within %s%s, from %s to %s order", part,
		       of, order_names[l->to == HEAD_HALF],
		       order_names[l->to]);
}

/* Whether heads are permuted alike in two orders. */
static bool same_turns(const struct order *a, const struct order *b)
{
	for (size_t i = 0; i < 2; i++) {
		const struct head_layout *x = &a->turns[i], *y = &b->turns[i];

		if (x->dim != y->dim ||
		    (x->dim && (x->rotary != y->rotary || x->to != y->to)))
			return false;
	}
	return true;
}

static bool same_fusion(const struct fusion *a, const struct fusion *b)
{
	return a->groups == b->groups && a->parts == b->parts &&
	       (a->groups < 2 || a->keys == b->keys);
}

static bool same_fusions(const struct order *a, const struct order *b)
{
	return same_fusion(&a->of[0], &b->of[0]) &&
	       same_fusion(&a->of[1], &b->of[1]);
}

/* Whether a model has so many heads of queries, or of keys. */
static bool is_number_of_heads(const struct conversion *c, size_t n)
{
	for (size_t i = 0; i < 2; i++) {
		const struct fusion *f = &c->sides[i].positions.fusion;

		/* Converters of 2023 took the queries of each key */
		if (n == f->heads || n == f->keys || n * f->keys == f->heads)
			return true;
	}
	return false;
}

/* "as if it had 4 heads of 8; it has 2 of 16" */
static const char *heads_words(struct conversion *c, const struct weights *w,
			       size_t dim)
{
	return text_of(c, "as if it had %zu head%s of %zu; it has %zu of %zu",
		       w->rows / dim, w->rows > dim ? "s" : "", dim,
		       w->rows / w->heads.dim, w->heads.dim);
}

/* Two permutations, of which one or both should not be. */
static const char *two_turns_words(struct conversion *c,
				   const struct weights *w,
				   const struct order *o)
{
	const size_t first = o->turns[0].dim, then = o->turns[1].dim;
	const size_t dim = then == w->heads.dim ? first : then;
	const char *words = turn_words(c, w, &o->turns[0]);
	const char *next = turn_words(c, w, &o->turns[1]);

	if (strcmp(words, next) == 0)
		return text_of(c, "its rows are %s, twice", words);
	words = text_of(c, "%s, then %s", words, next);
	if (dim == w->heads.dim || !is_number_of_heads(c, w->rows / dim))
		return text_of(c, "its rows are %s", words);
	return text_of(c, "its rows are ordered %s: they are %s",
		       heads_words(c, w, dim), words);
}

/* An order of heads that is not the one that both rotations need. */
static const char *turned_words(struct conversion *c, const struct weights *w,
				const struct order *o)
{
	const struct head_layout *l = &o->turns[0], *right = &w->heads;
	const struct head_layout *need = &w->need.turns[0];
	const char *const pairs = pair_names[right->to];
	const char *words, *both = text_of(c, "A rotates %s and B %s",
					   pair_names[right->to == HEAD_HALF],
					   pairs);

	if (o->turns[1].dim)
		words = two_turns_words(c, w, o);
	else if (l->dim && l->dim != right->dim && need->dim)
		return text_of(c, "its rows are permuted %s",
			       heads_words(c, w, l->dim));
	else
		words = text_of(c, "its rows are %s", l->dim
				? turn_words(c, w, l) : "in the same order");
	if (w->pair->content == CONTENT_VALUES)
		return text_of(c, "%s, but values do not rotate", words);
	if (!c->may_rotate)
		return !right->dim ? words :
		       text_of(c, "%s, but it has %zu of %zu", words,
			       w->rows / right->dim, right->dim);
	if (!need->dim)
		return text_of(c, "%s, but both models rotate %s", words,
			       pairs);
	if (!l->dim)
		return text_of(c, "%s, but %s: they have to be %s", words,
			       both, turn_words(c, w, need));
	if (!o->turns[1].dim && l->to == right->to)
		return text_of(c, "%s, but only the first %zu of each head "
			       "rotate", words, right->rotary);
	return text_of(c, "%s, but %s", words, both);
}

/* "A (gpt_neox)", "B (gptneox in GGUF)" */
static const char *side_words(struct conversion *c, size_t side)
{
	const struct side *s = &c->sides[side];

	return text_of(c, "%s (%s%s)", s->letter, s->positions.type,
		       s->positions.gguf ? " in GGUF" : "");
}

/* "all queries, ...; B (gptneox in GGUF) has to have ..." */
static const char *side_fused_words(struct conversion *c,
				    const struct weights *w,
				    const struct order *o, size_t side)
{
	const struct fusion *f = &o->of[side];
	const bool as_gguf = f->groups == 1 && f->parts == PARTS_QKV &&
			     !c->sides[side].positions.gguf;

	return text_of(c, "%s%s; %s has to have %s", fusion_words(c, f),
		       as_gguf ? ", as llama.cpp has them" : "",
		       side_words(c, side), fusion_words(c, &w->need.of[side]));
}

/* "A (gpt_neox) has to have ..., B (gptneox in GGUF) ..." */
static const char *both_need_words(struct conversion *c,
				   const struct weights *w)
{
	return text_of(c, "%s has to have %s, %s %s", side_words(c, 0),
		       fusion_words(c, &w->need.of[0]), side_words(c, 1),
		       fusion_words(c, &w->need.of[1]));
}

/* Queries, keys and values that are not as both models need them. */
static const char *fused_words(struct conversion *c, const struct weights *w,
			       const struct order *o)
{
	const struct split *s = &w->pair->split;
	const struct fusion *x = &o->of[0], *y = &o->of[1];
	const bool a = same_fusion(x, &w->need.of[0]);
	const bool b = same_fusion(y, &w->need.of[1]);

	if (s->used)
		return text_of(c, "%s has it in one tensor with others, whose "
			       "rows are %s", c->sides[s->side].letter,
			       side_fused_words(c, w, o, s->side));
	if (w->need.rows[0] && x->groups == y->groups &&
	    x->parts == y->parts && !o->turns[0].dim &&
	    !o->turns[1].dim)
		return text_of(c, "its rows are in the same order in both "
			       "models, but %s", both_need_words(c, w));
	if (w->need.rows[0] && (a || b))
		return text_of(c, "its queries, keys and values are regrouped "
			       "in %s, if they are right in %s: %s",
			       c->sides[a].letter, c->sides[!a].letter,
			       side_fused_words(c, w, o, a));
	return text_of(c, "its queries, keys and values are regrouped, from "
		       "%s in A to %s in B%s%s", fusion_words(c, x),
		       fusion_words(c, y), w->need.rows[0] ? "; " : "",
		       w->need.rows[0] ? both_need_words(c, w) : "");
}

/* Count a pair in an order that is right, or not known to be wrong. */
static void count(struct conversion *c, const struct weights *w,
		  const struct order *o)
{
	const char *name = pair_name(w->pair);
	const struct fusion *a = &o->of[0], *b = &o->of[1];
	const bool turned = o->turns[0].dim &&
			    o->first < o->rows[0] + o->rows[1];
	const bool regrouped = a->groups && b->groups && !same_fusion(a, b);

	count_pair(c, w->pair, &o->agreement);
	c->permuted += turned || regrouped;
	if (turned)
		say(c, &c->also, name, "rows are %s",
		    turn_words(c, w, &o->turns[0]));
	if (regrouped)
		say(c, &c->also, name, "rows are %s in A, %s in B, as each "
		    "one has to have them", fusion_words(c, a),
		    fusion_words(c, b));
}

/* Check the number of heads of keys that the configurations say, if all layers
   have heads of one size. */
static void check_keys(struct conversion *c, const struct weights *w)
{
	const char *name = pair_name(w->pair);
	char gguf[NAME_ROOM] = "";

	name_in_gguf(name, strlen(name), gguf);
	for (size_t i = 0; i < 2; i++) {
		const struct side *s = &c->sides[i];
		const struct model_positions *m = &s->positions;
		const double head = m->at[0].r.head;
		size_t k = 0;

		while (k < m->n && m->at[k].rotary &&
		       !config_differs(m->at[k].r.head, head))
			k++;
		if ((strstr(name, ".attn_k.") || strstr(gguf, ".attn_k.")) &&
		    m->n && k == m->n && m->keys > 0 &&
		    config_differs(m->keys * head, (double)w->rows))
			say(c, &c->unknown, name, "it has %zu rows, not %.0f x "
			    "%.0f%s", w->rows, m->keys, head, m->assumed
			    ? m->assumed
			    : text_of(c, " as the configuration of %s says",
				      s->letter));
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
	if (p->content == CONTENT_FUSED || p->content == CONTENT_LATENT)
		return "its rows are in no known order, or have other values";
	return s->used
	       ? text_of(c, "its values are not those that %s has for it in %s",
			 c->sides[s->side].letter, p->of[s->side]->name)
	       : "its values differ so much that the order of rows is not "
		 "known";
}

/* Count a pair whose values differ, and say why its order is not known. */
static void count_unknown(struct conversion *c, const struct pair *p,
			  const struct agreement *g, const char *why,
			  struct error *err)
{
	struct error ignored = { 0 };
	const char *text = tables_explained(c, p, &ignored);

	pass_call(err, &ignored);
	if (text)
		why = g->shaped ? text : text_of(c, "%s; %s", why, text);
	if (c->may_rotate && p->content != CONTENT_VALUES &&
	    !(p->split.used && p->split.part == 2))
		say(c, &c->unknown, pair_name(p), "%s", why);
	count_pair(c, p, g);
}

/* Of rows in heads of known size, those that are not queries tell the heads of
   keys, whatever a configuration says, or leaves out. */
static void take_keys(struct fusion *f, size_t rows, size_t head)
{
	const size_t heads = head && rows % head == 0 ? rows / head : 0;
	const size_t keys = heads > f->heads ? (heads - f->heads) / 2 : 0;

	if (!keys || !f->heads || f->heads + 2 * keys != heads)
		return;
	if (f->name && f->groups == f->keys)
		f->groups = keys;
	f->keys = keys;
}

/*
 * Set the order that both models need of a tensor with queries, keys and
 * values. NULL, or why it is not known. Two models of a class have the same,
 * whatever it is.
 */
static const char *need_fused(struct conversion *c, struct weights *w)
{
	const struct model_positions *a = &c->sides[0].positions;
	const struct model_positions *b = &c->sides[1].positions;
	struct order *need = &w->need;
	const struct fusion *more = &need->of[0];
	size_t groups[2];

	for (size_t i = 0; i < 2; i++) {
		need->of[i] = fusion_of(&c->sides[i], w->pair->of[i]);
		take_keys(&need->of[i], w->rows, w->heads.dim);
		groups[i] = need->of[i].groups;
	}
	more += groups[1] > groups[0];
	if (groups[0] && groups[1] &&
	    order_set_parts(need, w->rows, more->heads, more->keys) &&
	    order_fits(need))
		return NULL;
	need->of[0].groups = need->of[1].groups = 1;
	need->rows[0] = need->rows[1] = 0;
	need->rows[2] = w->rows;
	if (w->vague || (groups[0] == groups[1] &&
			 (groups[0] == 1 || (a->gguf == b->gguf &&
					     !strcmp(a->type, b->type)))))
		return NULL;
	if (groups[0] && groups[1])
		return text_of(c, "its %zu rows are not those of %zu heads of "
			       "queries and %zu of keys and values", w->rows,
			       more->heads, more->keys);
	return text_of(c, "it is not known in which order %s has queries, keys "
		       "and values in a tensor of this name",
		       side_words(c, groups[0] > 0));
}

/* Set the order that both models need; NULL, or why it is not known. */
static const char *set_need(struct conversion *c, struct weights *w)
{
	const struct pair *p = w->pair;
	const struct split *s = &p->split;
	struct order *need = &w->need;
	const char *unknown = NULL;

	if (c->may_rotate)
		w->heads = positions_head(c, w->rows);
	w->heads.to = c->sides[1].interleaved ? HEAD_INTERLEAVED : HEAD_HALF;
	if (c->reorders && w->heads.rotary > 2 && p->content != CONTENT_VALUES)
		need->turns[0] = w->heads;
	if (s->used) {
		need->of[s->side] = fusion_of(&c->sides[s->side],
					      p->of[s->side]);
		memcpy(need->rows, s->rows, sizeof s->rows);
		for (size_t k = 0; k < s->part; k++)
			need->first += s->rows[k];
		need->of[!s->side].heads = need->of[s->side].heads;
		need->of[!s->side].keys = need->of[s->side].keys;
	} else if (p->content == CONTENT_FUSED) {
		unknown = need_fused(c, w);
	} else {
		need->rows[p->content == CONTENT_LATENT ? 2 : 0] = w->rows;
	}
	if (!c->may_rotate && need->of[s->side].heads)
		w->heads.dim = w->heads.rotary = need->rows[0] /
						 need->of[s->side].heads;
	return unknown;
}

/* Where what is wrong is said: two models of a class have one order, even if it
   is not known which. */
static struct sentences *wrong(struct conversion *c, const struct weights *w)
{
	return w->vague ? &c->unknown : &c->different;
}

/* Say of rows in a wrong order what they are, and have to be. */
static void say_wrong(struct conversion *c, const struct weights *w,
		      const struct order *o)
{
	const bool fused = !same_fusions(o, &w->need);
	const char *text = fused ? fused_words(c, w, o)
				 : turned_words(c, w, o);

	if (fused && w->need.rows[0] && !same_turns(o, &w->need))
		text = text_of(c, "%s; besides, %s", text,
			       turned_words(c, w, o));
	say(c, wrong(c, w), pair_name(w->pair), "%s", text);
	c->disordered += !w->vague;
	c->other += w->vague;
}

/*
 * Rows of a part that are permuted though nothing rotates, as llama.cpp's
 * converter of Baichuan does: products stay the same if queries and keys are
 * alike.
 */
static bool is_turned_alike(struct conversion *c, const struct weights *w,
			    const struct order *o, size_t part)
{
	const size_t dim = w->heads.dim, second = o->turns[1].dim;

	if (c->may_rotate || !same_fusions(o, &w->need) || !dim ||
	    o->turns[0].dim != dim || (second && second != dim))
		return false;
	if (part < 2)
		c->turned[part][o->turns[0].to + (second ? 2 : 0)]++;
	return true;
}

/* Count rows in the order that was found, or say what is wrong with it. */
static void judge_order(struct conversion *c, const struct weights *w,
			const struct order *o)
{
	const struct order *need = &w->need;
	const bool known = c->both_rotate || need->of[0].groups ||
			   need->of[1].groups;

	if (c->reorders && w->pair->content == CONTENT_LATENT) {
		/* Some rotate; their order is not understood further */
		c->disordered++;
		say(c, &c->different, pair_name(w->pair), "its rows are in the "
		    "same order, but A rotates %s and B %s",
		    c->sides[0].interleaved ? "neighbours" : "halves",
		    c->sides[1].interleaved ? "neighbours" : "halves");
		return;
	}
	if (c->reorders && !w->heads.dim && !need->rows[2])
		say(c, &c->unknown, pair_name(w->pair), "its rows are not a "
		    "multiple of the size of a head");
	else if (known && !(same_fusions(o, need) && same_turns(o, need)) &&
		 !is_turned_alike(c, w, o, w->pair->split.part)) {
		say_wrong(c, w, o);
		return;
	}
	count(c, w, o);
}

/*
 * Whether all values of one tensor are found if queries, keys and values are
 * permuted each in its own way; say what is wrong with them.
 */
static bool judge_parts(struct conversion *c, const struct weights *w)
{
	struct weights part[3];
	struct order o[3];

	if (w->part || !w->need.rows[0] || !order_find_parts(w, part, o))
		return false;
	if (!same_fusions(&o[2], &w->need))
		say_wrong(c, w, &o[2]);
	else
		c->disordered++;
	for (size_t i = 0; i < 2; i++)
		if (!same_turns(&o[i], &w->need) &&
		    !is_turned_alike(c, &part[i], &o[i], i))
			say(c, wrong(c, w), pair_name(w->pair),
			    "of its %s, %s", i ? "keys" : "queries",
			    turned_words(c, &part[i], &o[i]));
	return true;
}

static void judge(struct conversion *c, struct weights *w, struct error *err)
{
	const char *unknown = set_need(c, w);
	struct order o;

	if (unknown)
		say(c, &c->unknown, pair_name(w->pair), "%s", unknown);
	w->vague |= unknown != NULL;
	check_keys(c, w);
	if (order_find(w, &o)) {
		judge_order(c, w, &o);
		return;
	}
	if (judge_parts(c, w))
		return;
	if (order_find_nearest(w, &o)) {
		judge_order(c, w, &o);
	} else {
		o = w->need;
		order_try(w, &o, true);
		count_unknown(c, w->pair, &o.agreement,
			      unknown_words(c, w->pair, &o.agreement), err);
	}
}

void layout_compare(struct conversion *c, const struct pair *p,
		    struct error *err)
{
	const struct split *s = &p->split;
	const struct side *a = &c->sides[0], *b = &c->sides[1];
	struct weights w = {
		.pair = p, .part = p->content == CONTENT_HEADS ||
				   p->content == CONTENT_VALUES,
		.late = b->positions.gguf || !a->positions.gguf,
		.vague = a->positions.unknown || b->positions.unknown,
	};
	struct table *t = w.of;
	struct agreement g;

	if (values_read(c, p, 0, &t[0], err) &&
	    values_read(c, p, 1, &t[1], err)) {
		/* A bias, one row, is a column: a row for each value */
		for (size_t i = 0; i < 2; i++)
			if (t[i].planes * t[i].rows < 2) {
				t[i].rows = t[i].cols;
				t[i].cols = 1;
			}
		g = values_shapes(&t[0], &t[1]);
		w.rows = s->used ? s->rows[s->part] : g.rows[0];
		w.cols = g.cols[0];
		w.x = table_alloc(&t[0], 2 * w.cols, sizeof *w.x, err);
		w.y = w.x ? w.x + w.cols : NULL;
	}
	if (w.x) {
		if (s->used) {
			g.rows[s->side] = w.rows;
			g.shaped = g.cols[0] == g.cols[1] &&
				   t[!s->side].planes == 1;
		}
		if (g.shaped)
			judge(c, &w, err);
		else
			count_unknown(c, p, &g, shapes_words(c, &g), err);
		c->layout |= on_demand_check(&t[0], err) &&
			     on_demand_check(&t[1], err);
	}
	table_close(&t[0]);
	table_close(&t[1]);
}
