/* explain_heads.c: dimensions of rotary heads in another order. */
#include <stdio.h>

#include "compare/explain.h"

static size_t heads_source(const struct index_map *m, size_t i)
{
	return head_source(&m->heads, i);
}

static void say_heads(struct explainer *e, int axis,
		      const struct head_layout *l)
{
	static const char *const order[] = { "half", "interleaved" };
	const size_t heads = e->shape_b[axis] / l->dim;
	const bool bias = axis == COLUMNS && e->shape_b[ROWS] == 1;
	char partial[60] = "", part[40] = "";
	struct explanation *x;

	if (l->rotary != l->dim) {
		snprintf(partial, sizeof partial, ", of which the first %zu "
			 "rotate", l->rotary);
		snprintf(part, sizeof part, " --rotary-dim %zu", l->rotary);
	}
	x = explained(e, "B is A with its %ss permuted within each of %zu "
		      "head%s of %zu%s, from %s to %s order", axis_word[axis],
		      heads, heads == 1 ? "" : "s", l->dim, partial,
		      order[l->to == HEAD_HALF], order[l->to]);
	x->heads = heads;
	x->head_dim = l->dim;
	x->rotary_dim = l->rotary;
	explained_by(e, x, "permute %s --heads %zu --to %s%s%s",
		     e->c->a->from.command, heads, order[l->to],
		     axis == COLUMNS && !bias ? " --axis columns" : "", part);
}

static void try_heads(struct explainer *e, int axis, size_t dim, size_t rotary)
{
	const size_t n = e->shape_b[axis];

	for (int to = HEAD_HALF; to <= HEAD_INTERLEAVED; to++) {
		const struct index_map m = {
			.source = heads_source, .n = n,
			.hint = to == HEAD_HALF ? rotary / 2 : 1,
			.heads = { dim, rotary, (enum head_order)to },
		};
		struct change x = { NO_CHANGE, .needed = CHANCE };

		x.maps[axis] = &m;
		if (try_change(e, &x))
			say_heads(e, axis, &m.heads);
	}
}

/* All numbers of heads, or the one that is given, with all or some rotating. */
static void try_axis(struct explainer *e, int axis, bool all)
{
	const size_t n = e->shape_b[axis], given = e->c->heads;

	for (size_t heads = 1; heads <= n / 4; heads++) {
		const size_t dim = n / heads;
		/* Columns of one head are explain_columns()'s. */
		const bool other = axis == COLUMNS && heads == 1;

		if (n % heads || (given && heads != given))
			continue;
		if (all && dim % 2 == 0 && !(other && !given))
			try_heads(e, axis, dim, dim);
		for (size_t r = 4; !all && r < dim; r += 2)
			try_heads(e, axis, dim, r);
	}
}

void explain_heads(struct explainer *e)
{
	for (int all = 1; e->c->shaped && all >= 0; all--)
		for (int axis = ROWS; axis <= COLUMNS; axis++)
			try_axis(e, axis, all);
}
