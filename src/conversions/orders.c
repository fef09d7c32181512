/*
 * orders.c: the order of rows of queries, keys and values.
 *
 * Rows are numbered as in all queries, then all keys, then all values. Each
 * model has these rows in the places that its class reads (fused.c). Where one
 * model rotates halves and the other one neighbours, rows of queries and keys
 * are permuted within each head besides, by permute() of llama.cpp's
 * conversion/llama.py and of transformers' convert_llama_weights_to_hf.py. An
 * order is both; of two files it is found by trying the one that both need,
 * then those that follow from common mistakes.
 */
#include <math.h>
#include <string.h>

#include "conversions/conversions.h"
#include "conversions/tables.h"
#include "conversions/values.h"
#include "formats/on_demand.h"

/* The weights of both models; a bias is one value per row. */
struct weights {
	const struct pair *pair;
	struct table of[2];
	size_t rows, cols;     /* that are compared */
	size_t late;           /* the side that may be made of the other one */
	double *x, *y;         /* [cols], scratch */
};

/* How the rows of A became those of B. */
struct order {
	struct fusion of[2];   /* groups 0: the part alone */
	size_t rows[3];        /* of queries, keys and values */
	size_t first;          /* row of the part that is compared */
	struct head_layout turns[2];  /* of heads of queries and keys, one
				  after the other; dim 0: none */
	bool known;
	struct agreement agreement;  /* of both in this order */
};

/* Where a model has row i. */
static size_t place(const struct order *o, size_t side, size_t i)
{
	const struct fusion *f = &o->of[side];
	const size_t *rows = o->rows;
	const size_t keys = rows[0], values = keys + rows[1];
	const size_t part = i < keys ? 0 : i < values ? 1 : 2;
	size_t group, share;

	if (!f->groups)
		return i - o->first;
	group = (values + rows[2]) / f->groups;
	share = rows[part] / f->groups;
	i -= part == 0 ? 0 : part == 1 ? keys : values;
	return i / share * group + i % share +
	       (part ? keys / f->groups : 0) +
	       (part == (f->values_first ? 1 : 2)
		? rows[3 - part] / f->groups : 0);
}

/* The row of A that became row i of B. */
static size_t source(const struct order *o, size_t i)
{
	if (i >= o->rows[0] + o->rows[1])
		return i;
	for (size_t k = 2; k-- > 0;)
		if (o->turns[k].dim)
			i = head_source(&o->turns[k], i);
	return i;
}

/* Row i of B, in numbers of all parts, with that of A from which it came. */
static void take_rows(const struct weights *w, const struct order *o, size_t i,
		      const double **x, const double **y)
{
	const struct table *a = &w->of[0], *b = &w->of[1];

	i += o->first;
	*x = a->row(a, place(o, 0, source(o, i)), w->x);
	*y = b->row(b, place(o, 1, i), w->y);
}

/* Compare n rows, each step after the one before, until one differs. */
static bool rows_agree(const struct weights *w, struct order *o, size_t n,
		       size_t step, bool all)
{
	const double *x, *y;

	for (size_t i = 0; i < n && (all || !o->agreement.differing); i++) {
		take_rows(w, o, i * step % w->rows, &x, &y);
		values_agree(w->pair, &w->of[0], &w->of[1], x, y, w->cols,
			     &o->agreement);
	}
	return !o->agreement.differing;
}

/* Rows of that many, scattered, without one twice if they are fewer. */
enum { SOME_ROWS = 512 };

static size_t scattered(size_t rows)
{
	return rows / SOME_ROWS + 1;
}

/*
 * Whether this is the order. A few rows tell most that are not; all are
 * compared, or those before the first that differs.
 */
static bool try_order(const struct weights *w, struct order *o, bool all)
{
	const struct agreement none = {
		.rows = { w->rows, w->rows }, .cols = { w->cols, w->cols },
		.shaped = true,
	};

	o->agreement = none;
	if (!all && !rows_agree(w, o, 16, w->rows / 16 + 1, false))
		return o->known = false;
	o->agreement = none;
	return o->known = rows_agree(w, o, w->rows, 1, all);
}

/* Whether rows stand where they are in A. */
static bool as_is(const struct order *o)
{
	const struct fusion *a = &o->of[0], *b = &o->of[1];

	return a->groups == b->groups && a->values_first == b->values_first &&
	       !o->turns[0].dim && !o->turns[1].dim;
}

static bool same_fusion(const struct fusion *a, const struct fusion *b)
{
	return a->groups == b->groups && a->values_first == b->values_first &&
	       (a->groups < 2 || a->keys == b->keys);
}

/* Sizes of the parts of all rows for these heads; false: they don't fit. */
static bool set_parts(struct order *o, size_t all, size_t heads, size_t keys)
{
	const size_t n = heads + 2 * keys, head = n ? all / n : 0;

	if (!head || !keys || all % n || heads % keys)
		return false;
	o->rows[0] = heads * head;
	o->rows[1] = o->rows[2] = keys * head;
	for (size_t i = 0; i < 2; i++) {
		o->of[i].heads = heads;
		o->of[i].keys = keys;
	}
	return true;
}

/*
 * Other ways to have queries, keys and values in one tensor, of these heads: as
 * needed, by head, by key, all queries first; then values before keys.
 */
enum { WAYS_TO_FUSE = 8 };

static bool choose_fusion(struct fusion *f, size_t way)
{
	const size_t groups[] = { f->groups, 1, f->keys, f->heads };

	if (!f->groups)
		return way == 0;
	f->groups = groups[way / 2];
	f->values_first ^= way % 2;
	return true;
}

/* Turns of heads: what is needed, none if that is one, else one; another. */
enum { TURNS = 3 };

static void choose_turn(struct order *o, size_t way,
			const struct head_layout *heads)
{
	if (way == 0)
		return;
	if (way == 1 && o->turns[0].dim) {
		o->turns[0].dim = 0;
		return;
	}
	o->turns[0] = *heads;
	if (way == 2)
		o->turns[0].to = (enum head_order)!heads->to;
}

/* Whether each group has the same rows. */
static bool fits(const struct order *o, const struct fusion *f)
{
	return f->groups < 2 ||
	       (o->rows[1] && f->heads % f->groups == 0 &&
		f->keys % f->groups == 0 && o->rows[0] % f->groups == 0 &&
		o->rows[1] % f->groups == 0);
}

/*
 * An order of this number beside the one needed, in which the side that may
 * vary has rows in another way, or both have. False: there is none.
 */
static bool choose(const struct order *need, size_t number, size_t side,
		   const struct head_layout *heads, struct order *o)
{
	const size_t turn = number % TURNS;
	const size_t ways[] = { number / TURNS % WAYS_TO_FUSE,
				number / TURNS / WAYS_TO_FUSE };

	*o = *need;
	for (size_t i = 0; i < 2; i++)
		if (!choose_fusion(&o->of[i ? !side : side], ways[i]))
			return false;
	if (turn && !heads->dim)
		return false;
	choose_turn(o, turn, heads);
	return fits(o, &o->of[0]) && fits(o, &o->of[1]);
}

/* How many vary one side alone, and all. */
enum { OF_ONE = TURNS * WAYS_TO_FUSE, CHOICES = OF_ONE * WAYS_TO_FUSE };

/*
 * Find an order of groups other than those needed: of one side, first the one
 * that is more likely to be converted; of both; of other heads of keys.
 */
static bool find_fusion(const struct weights *w, const struct order *need,
			const struct head_layout *heads, struct order *o)
{
	const size_t n = heads->dim ? w->rows / heads->dim : 0;
	struct order other = *need;

	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < OF_ONE; i++)
			if (choose(need, i, side ^ w->late, heads, o) &&
			    try_order(w, o, false))
				return true;
	for (size_t k = 0; !w->pair->split.used && 3 * k <= n; k++)
		for (size_t i = 0; (!k || set_parts(&other, w->rows, n - 2 * k,
						    k)) && i < CHOICES; i++)
			if (choose(&other, i, 0, heads, o) &&
			    try_order(w, o, false))
				return true;
	return false;
}

/* The next smaller size of heads of an even number of the rows; 0: none. */
static size_t next_head(size_t rows, size_t dim)
{
	do
		dim--;
	while (dim >= 4 && (rows % dim || dim % 2));
	return dim >= 4 ? dim : 0;
}

/*
 * Find heads of any size in which rows were permuted: alone, or with the right
 * ones before (moves 1 and 2, to either order) or after (3 and 4). Right heads
 * come first; of them the rows that rotate, then all.
 */
static bool find_turns(const struct weights *w, size_t move, bool own,
		       const struct head_layout *right, struct order *o)
{
	const size_t rows = w->rows;
	struct head_layout *one = &o->turns[move == 1 || move == 2];

	o->turns[0] = o->turns[1] = *right;
	o->turns[0].to = o->turns[1].to = (enum head_order)(move % 2);
	if (!move)
		o->turns[1].dim = 0;
	for (size_t way = 0; way < 4; way++)
		for (one->dim = rows + 1;
		     (one->dim = next_head(rows, one->dim));) {
			one->rotary = (way < 2) == own ? right->rotary
						       : one->dim;
			one->to = (enum head_order)((way & 1) ^ right->to);
			if ((one->dim == right->dim) == own && one->rotary &&
			    one->rotary <= one->dim && try_order(w, o, false))
				return true;
		}
	return false;
}

/* The mean square of what rows differ by in an order; of rows that rotate, if
   it is said which they are. */
static double distance(const struct weights *w, const struct order *o,
		       const struct head_layout *heads, double *size)
{
	const size_t step = scattered(w->rows);
	const double *x, *y;
	double sum = 0;

	*size = 0;
	for (size_t i = 0; i < w->rows; i += step) {
		if (heads->dim && (i + o->first) % heads->dim >= heads->rotary)
			continue;
		take_rows(w, o, i, &x, &y);
		for (size_t j = 0; j < w->cols; j++) {
			sum += (x[j] - y[j]) * (x[j] - y[j]);
			*size += x[j] * x[j] + y[j] * y[j];
		}
	}
	return sum;
}

/*
 * Weights that were trained further keep their order: one is much nearer than
 * any other, and than weights that have nothing in common. One pair has no
 * other order: where no more rotate, orders of whole heads are compared. Two
 * pairs have one other order: half to interleaved is interleaved to half.
 */
static bool find_nearest(const struct weights *w, const struct order *need,
			 struct head_layout heads, struct order *best)
{
	const bool alone = !need->of[0].groups && !need->of[1].groups;
	const struct head_layout none = { 0 };
	double least = (double)INFINITY, second, size;
	struct order o;

	if (heads.rotary < 4)
		heads.rotary = heads.dim;
	distance(w, need, alone ? &heads : &none, &second);
	for (size_t i = 0; i < 2 * OF_ONE; i++) {
		double d;

		if (!choose(need, i % OF_ONE, w->late ^ (i / OF_ONE), &heads,
			    &o))
			continue;
		d = distance(w, &o, alone ? &heads : &none, &size);
		if (d < least) {
			second = fmin(second, least);
			least = d;
			*best = o;
		} else if (d > least) {
			second = fmin(second, d);
		}
	}
	if (!(4 * least < second))
		return false;
	try_order(w, best, true);
	return best->known = true;
}

/* Find the order: the one that is needed, none, or any other. */
static bool find_order(const struct weights *w, const struct order *need,
		       const struct head_layout *heads, struct order *o)
{
	const bool fused = need->of[0].groups || need->of[1].groups;
	const bool turned = (!fused || w->pair->split.used) &&
			    need->rows[0] + need->rows[1];

	*o = *need;
	if (try_order(w, o, false))
		return true;
	if (fused && find_fusion(w, need, heads, o))
		return true;
	*o = *need;
	o->turns[0].dim = 0;
	if (try_order(w, o, false))
		return true;
	for (size_t i = 0; turned && i < (heads->dim ? 10 : 2); i++)
		if (find_turns(w, i / 2, i % 2 == 0, heads, o))
			return true;
	return find_nearest(w, need, *heads, o);
}

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
			      const struct order *o,
			      const struct head_layout *l)
{
	const size_t heads = w->rows / l->dim;
	const char *part = l->rotary == l->dim ? ""
			   : text_of(c, "the first %zu of ", l->rotary);
	const char *of = o->of[0].groups && o->of[1].groups
			 ? text_of(c, "each head of %zu of queries and keys",
				   l->dim)
			 : text_of(c, "each of %zu head%s of %zu", heads,
				   heads == 1 ? "" : "s", l->dim);

	return text_of(c, "permuted within %s%s, from %s to %s order", part,
		       of, order_names[l->to == HEAD_HALF],
		       order_names[l->to]);
}

static bool same_turn(const struct head_layout *a, const struct head_layout *b)
{
	return a->dim == b->dim &&
	       (!a->dim || (a->rotary == b->rotary && a->to == b->to));
}

/* Whether a model has so many heads of queries, or of keys. */
static bool is_number_of_heads(const struct conversion *c, size_t n)
{
	for (size_t i = 0; i < 2; i++)
		if (n == c->sides[i].positions.fusion.heads ||
		    n == c->sides[i].positions.fusion.keys)
			return true;
	return false;
}

/* Two permutations, of which one or both should not be. */
static const char *two_turns_words(struct conversion *c,
				   const struct weights *w,
				   const struct order *o,
				   const struct head_layout *right)
{
	const struct head_layout *first = &o->turns[0], *then = &o->turns[1];
	const struct head_layout *l = then->dim == right->dim ? first : then;
	const char *words = turn_words(c, w, o, first);

	if (same_turn(first, then))
		return text_of(c, "its rows are %s, twice", words);
	words = text_of(c, "%s, then %s", words, turn_words(c, w, o, then));
	if (l->dim == right->dim || !is_number_of_heads(c, w->rows / l->dim))
		return text_of(c, "its rows are %s", words);
	return text_of(c, "its rows are ordered as if it had %zu head%s of "
		       "%zu; it has %zu of %zu: they are %s", w->rows / l->dim,
		       w->rows > l->dim ? "s" : "", l->dim,
		       w->rows / right->dim, right->dim, words);
}

/* An order of heads that is not the one that both rotations need. */
static const char *turned_words(struct conversion *c, const struct weights *w,
				const struct order *o,
				const struct order *need,
				const struct head_layout *right)
{
	const struct head_layout *l = &o->turns[0];
	const char *words = l->dim ? turn_words(c, w, o, l) : "";
	const char *both = text_of(c, "A rotates %s and B %s",
				   pair_names[right->to == HEAD_HALF],
				   pair_names[right->to]);

	if (o->turns[1].dim)
		words = two_turns_words(c, w, o, right);
	else if (l->dim && l->dim != right->dim)
		return text_of(c, "its rows are permuted as if it had %zu "
			       "head%s of %zu; it has %zu of %zu",
			       w->rows / l->dim, w->rows > l->dim ? "s" : "",
			       l->dim, w->rows / right->dim, right->dim);
	else
		words = text_of(c, "its rows are %s",
				l->dim ? words : "in the same order");
	if (!need->turns[0].dim)
		return text_of(c, "%s, but both models rotate %s", words,
			       pair_names[right->to]);
	if (!l->dim)
		return text_of(c, "%s, but %s: they have to be %s", words,
			       both, turn_words(c, w, o, &need->turns[0]));
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
				    const struct order *o,
				    const struct order *need, size_t side)
{
	const struct fusion *f = &o->of[side];

	const bool as_gguf = f->groups == 1 && !f->values_first &&
			     !c->sides[side].positions.gguf;

	return text_of(c, "%s%s; %s has to have %s", fusion_words(c, f),
		       as_gguf ? ", as llama.cpp has them" : "",
		       side_words(c, side), fusion_words(c, &need->of[side]));
}

/* Queries, keys and values that are not as both models need them. */
static const char *fused_words(struct conversion *c, const struct weights *w,
			       const struct order *o, const struct order *need)
{
	const struct split *s = &w->pair->split;
	const bool a = same_fusion(&o->of[0], &need->of[0]);
	const bool b = same_fusion(&o->of[1], &need->of[1]);

	if (s->used)
		return text_of(c, "%s has it in one tensor with others, whose "
			       "rows are %s", c->sides[s->side].letter,
			       side_fused_words(c, o, need, s->side));
	if (as_is(o))
		return text_of(c, "its rows are in the same order in both "
			       "models, but %s has to have %s, %s %s",
			       side_words(c, 0), fusion_words(c, &need->of[0]),
			       side_words(c, 1), fusion_words(c, &need->of[1]));
	if (a || b)
		return text_of(c, "its queries, keys and values are regrouped "
			       "in %s, if they are right in %s: %s",
			       c->sides[a].letter, c->sides[!a].letter,
			       side_fused_words(c, o, need, a));
	return text_of(c, "its rows are regrouped, from %s to %s; %s has to "
		       "have %s, %s %s", fusion_words(c, &o->of[0]),
		       fusion_words(c, &o->of[1]), side_words(c, 0),
		       fusion_words(c, &need->of[0]), side_words(c, 1),
		       fusion_words(c, &need->of[1]));
}

/* Count a pair in an order that is right, or not known to be wrong. */
static void count(struct conversion *c, const struct weights *w,
		  const struct order *o)
{
	const char *name = pair_name(w->pair);
	const struct fusion *a = &o->of[0], *b = &o->of[1];

	count_pair(c, w->pair, &o->agreement);
	if (as_is(o) || w->pair->split.used)
		c->permuted += o->turns[0].dim > 0;
	else
		c->permuted++;
	if (o->turns[0].dim && o->first < o->rows[0] + o->rows[1])
		say_of(&c->also, name, text_of(c, "rows are %s",
		       turn_words(c, w, o, &o->turns[0])));
	if (a->groups && b->groups && !same_fusion(a, b))
		say_of(&c->also, name, text_of(c, "rows are %s in A, %s in B, "
		       "as each one has to have them", fusion_words(c, a),
		       fusion_words(c, b)));
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
	if (may_rotate(c) && !(p->split.used && p->split.part == 2))
		say_of(&c->unknown, pair_name(p), why);
	count_pair(c, p, g);
}

/* The turn of heads that both rotations need; dim 0: none. */
static void set_turn(const struct conversion *c, const struct weights *w,
		     struct order *need, struct head_layout *heads)
{
	bool of[2];
	const bool known = positions_orders(c, of);

	*heads = may_rotate(c) ? positions_head(c, w->rows)
			       : (struct head_layout){ 0 };
	heads->to = of[1] ? HEAD_INTERLEAVED : HEAD_HALF;
	if (known && of[0] != of[1] && heads->rotary > 2)
		need->turns[0] = *heads;
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
 * The order that both models need of a tensor with queries, keys and values.
 * NULL, or why it is not known. Two models of a class have the same, whatever
 * it is.
 */
static const char *need_fused(struct conversion *c, const struct weights *w,
			      struct order *need)
{
	const struct side *a = &c->sides[0], *b = &c->sides[1];
	const size_t groups[] = { need->of[0].groups, need->of[1].groups };
	const struct fusion *more = &need->of[groups[1] > groups[0]];
	const bool unknown = a->positions.unknown || b->positions.unknown;
	if (groups[0] && groups[1] &&
	    set_parts(need, w->rows, more->heads, more->keys) &&
	    fits(need, &need->of[0]) && fits(need, &need->of[1]))
		return NULL;
	need->of[0].groups = need->of[1].groups = 1;
	need->rows[0] = need->rows[1] = 0;
	need->rows[2] = w->rows;
	if (unknown || (groups[0] == groups[1] &&
			(groups[0] == 1 ||
			 (a->positions.gguf == b->positions.gguf &&
			  !strcmp(a->positions.type, b->positions.type)))))
		return NULL;
	if (groups[0] && groups[1])
		return text_of(c, "its %zu rows are not those of %zu heads of "
			       "queries and %zu of keys and values", w->rows,
			       more->heads, more->keys);
	return text_of(c, "it is not known in which order %s has queries, keys "
		       "and values in a tensor of this name",
		       side_words(c, groups[0] > 0));
}

/* The order that both models need; NULL, or why it is not known. */
static const char *set_need(struct conversion *c, const struct weights *w,
			    struct order *need, struct head_layout *heads)
{
	const struct pair *p = w->pair;
	const struct split *s = &p->split;

	set_turn(c, w, need, heads);
	if (s->used) {
		need->of[s->side] = fusion_of(&c->sides[s->side],
					      p->of[s->side]);
		memcpy(need->rows, s->rows, sizeof s->rows);
		for (size_t k = 0; k < s->part; k++)
			need->first += s->rows[k];
		need->of[!s->side].heads = need->of[s->side].heads;
		need->of[!s->side].keys = need->of[s->side].keys;
	} else if (p->content == CONTENT_FUSED) {
		for (size_t i = 0; i < 2; i++)
			need->of[i] = fusion_of(&c->sides[i], p->of[i]);
		for (size_t i = 0; i < 2; i++)
			take_keys(&need->of[i], w->rows, heads->dim);
		return need_fused(c, w, need);
	} else {
		need->rows[p->content == CONTENT_LATENT ? 2 : 0] = w->rows;
	}
	return NULL;
}

/* Say of rows in a wrong order what they are, and have to be. */
static void say_wrong(struct conversion *c, const struct weights *w,
		      const struct order *o, const struct order *need,
		      const struct head_layout *heads)
{
	const bool fused = !same_fusion(&o->of[0], &need->of[0]) ||
			   !same_fusion(&o->of[1], &need->of[1]);
	const char *text = fused ? fused_words(c, w, o, need)
				 : turned_words(c, w, o, need, heads);
	const size_t n = c->different.n;

	if (fused && !same_turn(&o->turns[0], &need->turns[0]))
		text = text_of(c, "%s; besides, %s", text,
			       turned_words(c, w, o, need, heads));
	say_of(&c->different, pair_name(w->pair), text);
	c->disordered++;
	c->weights += c->different.n > n && !may_rotate(c);
}

/* Rows that rotate in both models, whose order is not understood further. */
static bool judge_latent(struct conversion *c, const struct weights *w)
{
	bool of[2];

	if (w->pair->content != CONTENT_LATENT || !positions_orders(c, of) ||
	    of[0] == of[1])
		return true;
	c->disordered++;
	say_of(&c->different, pair_name(w->pair),
	       text_of(c, "its rows are in the same order, but A rotates %s "
		       "and B %s", of[0] ? "neighbours" : "halves",
		       of[1] ? "neighbours" : "halves"));
	return false;
}

static void judge(struct conversion *c, const struct weights *w,
		  struct error *err)
{
	const char *name = pair_name(w->pair);
	struct order need = { 0 }, o;
	struct head_layout heads;
	const char *unknown = set_need(c, w, &need, &heads);
	bool of[2];
	const bool known = positions_orders(c, of);

	if (unknown)
		say_of(&c->unknown, name, unknown);
	if (has_keys(w->pair))
		check_heads(c, w);
	if (!find_order(w, &need, &heads, &o)) {
		o = need;
		try_order(w, &o, true);
		count_unknown(c, w->pair, &o.agreement,
			      unknown_words(c, w->pair, &o.agreement), err);
		return;
	}
	if (!judge_latent(c, w))
		return;
	if (known && of[0] != of[1] && !heads.dim && !need.rows[2])
		say_of(&c->unknown, name, "its rows are not a multiple of the "
		       "size of a head");
	else if ((known || need.of[0].groups || need.of[1].groups) &&
		 !(same_fusion(&o.of[0], &need.of[0]) &&
		   same_fusion(&o.of[1], &need.of[1]) && !o.turns[1].dim &&
		   same_turn(&o.turns[0], &need.turns[0]))) {
		say_wrong(c, w, &o, &need, &heads);
		return;
	}
	count(c, w, &o);
}

static bool read(struct conversion *c, struct weights *w, struct error *err)
{
	const struct split *s = &w->pair->split;

	for (size_t i = 0; i < 2; i++) {
		if (!values_read(c, w->pair, i, &w->of[i], err))
			return false;
		values_turn_bias(&w->of[i]);
	}
	w->rows = s->used ? s->rows[s->part]
			  : w->of[0].planes * w->of[0].rows;
	w->cols = w->of[0].cols;
	w->late = c->sides[1].positions.gguf || !c->sides[0].positions.gguf;
	w->x = table_alloc(&w->of[0], w->cols, sizeof *w->x, err);
	w->y = table_alloc(&w->of[0], w->cols, sizeof *w->y, err);
	return w->x && w->y;
}

/* Whether both have the same columns, and all rows. */
static bool is_shaped(const struct weights *w, struct agreement *g)
{
	*g = values_shapes(&w->of[0], &w->of[1]);
	if (w->pair->split.used) {
		g->rows[w->pair->split.side] = w->rows;
		g->shaped = w->of[0].cols == w->of[1].cols &&
			    w->of[!w->pair->split.side].planes == 1;
	}
	return g->shaped;
}

void orders_compare(struct conversion *c, const struct pair *p,
		    struct error *err)
{
	struct weights w = { .pair = p };
	struct agreement g;

	if (read(c, &w, err)) {
		if (is_shaped(&w, &g))
			judge(c, &w, err);
		else
			count_unknown(c, p, &g, shapes_words(c, &g), err);
		c->layout |= on_demand_check(&w.of[0], err) &&
			     on_demand_check(&w.of[1], err);
	}
	table_close(&w.of[0]);
	table_close(&w.of[1]);
}
