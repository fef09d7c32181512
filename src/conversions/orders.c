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

#include "conversions/conversions.h"

const char part_orders[PART_ORDERS][4] = {
	"qkv", "qvk", "kqv", "kvq", "vqk", "vkq",
};

/* Where a model has row i. */
static size_t place(const struct order *o, size_t side, size_t i)
{
	const struct fusion *f = &o->of[side];
	const size_t *rows = o->rows;
	const size_t keys = rows[0], values = keys + rows[1];
	const size_t part = i < keys ? 0 : i < values ? 1 : 2;
	size_t group, share, before = 0;

	if (!f->groups)
		return i - o->first;
	group = (values + rows[2]) / f->groups;
	share = rows[part] / f->groups;
	i -= part == 0 ? 0 : part == 1 ? keys : values;
	for (const char *at = part_orders[f->parts]; *at != "qkv"[part]; at++)
		before += rows[*at == 'q' ? 0 : *at == 'k' ? 1 : 2] / f->groups;
	return i / share * group + i % share + before;
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

/* A few rows tell of most orders that they are not the one. */
bool order_try(const struct weights *w, struct order *o, bool all)
{
	const struct agreement none = {
		.rows = { w->rows, w->rows }, .cols = { w->cols, w->cols },
		.shaped = true,
	};

	o->agreement = none;
	if (!all && !rows_agree(w, o, 16, w->rows / 16 + 1, false))
		return false;
	o->agreement = none;
	return rows_agree(w, o, w->rows, 1, all);
}

bool order_set_parts(struct order *o, size_t all, size_t heads, size_t keys)
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

bool order_fits(const struct order *o)
{
	for (size_t i = 0; i < 2; i++) {
		const struct fusion *f = &o->of[i];
		const size_t n = f->groups;

		if (n > 1 && (!o->rows[1] || f->heads % n || f->keys % n ||
			      o->rows[0] % n || o->rows[1] % n))
			return false;
	}
	return true;
}

/*
 * Turns of heads: what is needed; none, or if that is needed, one; another.
 * Other ways to have queries, keys and values in one tensor, of these heads: as
 * needed, all queries first, by key, by head, by the parts of some processors;
 * each with the parts in all orders.
 */
enum {
	TURNS = 3, USUAL_GROUPINGS = 4, GROUPINGS = 7, USUAL_ORDERS = 2,
	WAYS_TO_FUSE = GROUPINGS * PART_ORDERS,
};

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
	for (size_t i = 0; i < 2; i++) {
		struct fusion *f = &o->of[i ? !side : side];
		const size_t groups[] = {
			f->groups, 1, f->keys, f->heads, 2, 4, 8,
		};

		if (ways[i] && !f->groups)
			return false;
		f->groups = groups[ways[i] / PART_ORDERS];
		/* In pairs, of which values before keys is one */
		f->parts = (enum part_order)(f->parts ^
					     ways[i] % PART_ORDERS);
	}
	if (turn && !heads->dim)
		return false;
	if (turn == 1 && need->turns[0].dim)
		o->turns[0].dim = 0;
	else if (turn)
		o->turns[0] = *heads;
	if (turn == 2)
		o->turns[0].to = (enum head_order)!heads->to;
	return order_fits(o);
}

/* How many vary one side alone, and all. */
enum {
	OF_ONE = TURNS * WAYS_TO_FUSE, OF_EITHER = 2 * OF_ONE,
	CHOICES = OF_ONE * WAYS_TO_FUSE,
};

/* One of OF_EITHER in which one side varies: first the one that is more likely
   to be converted. */
static bool choose_one(const struct weights *w, size_t number,
		       const struct head_layout *heads, struct order *o)
{
	return choose(&w->need, number % OF_ONE, w->late ^ (number / OF_ONE),
		      heads, o);
}

static bool is_usual(size_t way)
{
	return way / PART_ORDERS < USUAL_GROUPINGS &&
	       way % PART_ORDERS < USUAL_ORDERS;
}

static bool is_unusual(size_t number)
{
	return !is_usual(number / TURNS % WAYS_TO_FUSE) ||
	       !is_usual(number / OF_ONE);
}

/*
 * Find an order of groups other than those needed: of one side, first the one
 * that is more likely to be converted; of both; of other heads of keys.
 */
static bool find_fusion(const struct weights *w, struct order *o)
{
	const size_t n = w->heads.dim ? w->rows / w->heads.dim : 0;
	struct order other = w->need;

	for (size_t i = 0; i < OF_EITHER; i++)
		if (choose_one(w, i, &w->heads, o) && order_try(w, o, false))
			return true;
	for (size_t k = 0; !w->part && 3 * k <= n; k++) {
		if (k && !order_set_parts(&other, w->rows, n - 2 * k, k))
			continue;
		for (size_t i = 0; i < CHOICES; i++)
			if (!(k && is_unusual(i)) &&
			    choose(&other, i, 0, &w->heads, o) &&
			    order_try(w, o, false))
				return true;
	}
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
 * ones before (moves 1 and 2, to either order) or after (3 and 4), or twice
 * (5). Right heads come first; of them the rows that rotate, then all.
 */
static bool find_turns(const struct weights *w, size_t move, bool own,
		       struct order *o)
{
	const struct head_layout *right = &w->heads;
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
			if (move == 5)
				o->turns[1] = *one;
			if ((one->dim == right->dim) == own && one->rotary &&
			    one->rotary <= one->dim && order_try(w, o, false))
				return true;
		}
	return false;
}

/*
 * The sum of squares of what rows differ by in an order: of some of all rows,
 * or of those that rotate in heads, unless these have size 0. *size: of all
 * values.
 */
static double distance(const struct weights *w, const struct order *o,
		       const struct head_layout *heads, double *size)
{
	const double *x, *y;
	double sum = 0;

	*size = 0;
	for (size_t i = 0; i < w->rows; i += w->rows / 512 + 1) {
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
bool order_find_nearest(const struct weights *w, struct order *best)
{
	const bool alone = !w->need.of[0].groups && !w->need.of[1].groups;
	struct head_layout heads = w->heads, these = { 0 };
	double least = (double)INFINITY, second, size;
	struct order o;

	if (heads.rotary < 4)
		heads.rotary = heads.dim;
	if (alone)
		these = heads;
	distance(w, &w->need, &these, &second);
	for (size_t i = 0; i < OF_EITHER; i++) {
		double d;

		if (!choose_one(w, i, &heads, &o))
			continue;
		d = distance(w, &o, &these, &size);
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
	order_try(w, best, true);
	return true;
}

/* Of groups as needed: the order of heads that is needed, none, any other. */
static bool find_heads(const struct weights *w, struct order *o)
{
	const struct order *need = &w->need;
	const bool turned = w->part &&
			    need->first < need->rows[0] + need->rows[1];

	*o = *need;
	if (order_try(w, o, false))
		return true;
	o->turns[0].dim = 0;
	if (order_try(w, o, false))
		return true;
	for (size_t i = 0; turned && i < (w->heads.dim ? 12 : 2); i++)
		if (find_turns(w, i / 2, i % 2 == 0, o))
			return true;
	return false;
}

bool order_find(const struct weights *w, struct order *o)
{
	*o = w->need;
	return order_try(w, o, false) ||
	       ((o->of[0].groups || o->of[1].groups) && find_fusion(w, o)) ||
	       find_heads(w, o);
}

bool order_find_parts(const struct weights *w, struct weights part[3],
		      struct order o[3])
{
	struct order base;

	for (size_t i = 0; i < OF_EITHER; i += TURNS) {
		size_t k = 3;

		if (!choose_one(w, i, &w->heads, &base))
			continue;
		base.first = w->rows;
		while (k-- > 0) {
			base.first -= base.rows[k];
			part[k] = *w;
			part[k].part = true;
			part[k].rows = base.rows[k];
			part[k].need = base;
			if (!find_heads(&part[k], &o[k]))
				break;
		}
		if (k > 2)  /* as SIZE_MAX: all were found */
			return true;
	}
	return false;
}
