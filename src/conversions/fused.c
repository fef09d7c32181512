/*
 * fused.c: queries, keys and values in one tensor. Some models have them in
 * groups of heads: queries, then a key and a value. llama.cpp's
 * convert_hf_to_gguf.py puts all queries first, then all keys, then all values
 * (GPTNeoX, Falcon).
 */
#include "conversions/layout.h"
#include "text/words.h"

/* Architectures of GGUF files with regrouped rows. */
static bool is_regrouped(const struct side *s)
{
	return s->positions.gguf &&
	       text_has_word("gptneox falcon", s->positions.type, " ");
}

/* Rows of all queries. */
static size_t queries_of(const struct order *o)
{
	return o->groups * (o->each - 2) * o->heads.dim;
}

/* B has all queries, then all keys, then all values. */
static size_t of_groups(const struct order *o, size_t i)
{
	const size_t d = o->heads.dim, queries = queries_of(o);
	const size_t own = (o->each - 2) * d;  /* queries of a group */
	size_t part;

	if (i < queries)
		return i / own * o->each * d + i % own;
	i -= queries;
	part = i / (o->groups * d);
	i %= o->groups * d;
	return (i / d * o->each + o->each - 2 + part) * d + i % d;
}

/* A has. */
static size_t to_groups(const struct order *o, size_t i)
{
	const size_t d = o->heads.dim, own = o->each - 2;
	const size_t group = i / (o->each * d), head = i / d % o->each;

	if (head < own)
		return (group * own + head) * d + i % d;
	return queries_of(o) + ((head - own) * o->groups + group) * d + i % d;
}

/* Find groups of heads that are regrouped. */
static bool find_groups(const struct weights *w, struct order *o)
{
	const size_t heads = o->heads.dim ? w->rows / o->heads.dim : 0;

	/* One group is all queries, then all keys, then all values */
	for (o->groups = 2; 3 * o->groups <= heads; o->groups++)
		if (heads % o->groups == 0) {
			o->each = heads / o->groups;
			o->source = of_groups;
			if (try_order(w, o, false))
				return true;
			o->source = to_groups;
			if (try_order(w, o, false))
				return true;
		}
	return false;
}

/* Whether each row is near to the same row of the other, as after training. */
static bool rows_alike(const struct weights *w)
{
	for (size_t i = 0; i < w->rows; i++) {
		const double *x = w->a.row(&w->a, i, w->x);
		const double *y = w->b.row(&w->b, i, w->y);
		double apart = 0, length = 0;

		for (size_t j = 0; j < w->cols; j++) {
			apart += (x[j] - y[j]) * (x[j] - y[j]);
			length += x[j] * x[j];
		}
		if (2 * apart > length)
			return false;
	}
	return true;
}

static void judge_same(struct conversion *c, const struct weights *w,
		       const struct order *o)
{
	bool of[2];

	if (positions_orders(c, of) && of[0] != of[1]) {
		c->disordered++;
		say_of(&c->different, pair_name(w->pair), of[0]
		       ? "its rows are in the same order, but A rotates "
			 "neighbours and B halves"
		       : "its rows are in the same order, but A rotates "
			 "halves and B neighbours");
	} else {
		count_pair(c, w->pair, &o->agreement);
	}
}

static void judge(struct conversion *c, const struct weights *w,
		  struct error *err)
{
	const char *name = pair_name(w->pair);
	struct order same = { .source = as_is };
	struct order groups = { .heads = positions_head(c, w->rows) };

	if (try_order(w, &same, false)) {
		judge_same(c, w, &same);
	} else if (!find_groups(w, &groups)) {
		try_order(w, &same, true);
		if (rows_alike(w))
			count_pair(c, w->pair, &same.agreement);
		else
			count_unknown(c, w->pair, &same.agreement, "its rows "
				      "are in no known order, or have other "
				      "values", err);
	} else if (is_regrouped(&c->sides[0]) != is_regrouped(&c->sides[1])) {
		c->permuted++;
		count_pair(c, w->pair, &groups.agreement);
		say_of(&c->also, name, "queries, keys and values are regrouped "
		       "as llama.cpp has them");
	} else {
		c->disordered++;
		say_of(&c->different, name, "its queries, keys and values are "
		       "regrouped, as of no such model");
	}
}

void fused_compare(struct conversion *c, const struct pair *p,
		   struct error *err)
{
	weights_compare(c, p, judge, err);
}
