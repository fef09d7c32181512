/* tables.c: tables of positions, and frequencies. */
#include <stdlib.h>

#include "conversions/conversions.h"
#include "recipes.h"

/* Read the tensors of a pair, until close_both(), and name them as TABLE
   arguments: "FOLDER:NAME". */
static bool read_both(struct conversion *c, const struct pair *p,
		      struct table t[2], struct error *err)
{
	for (size_t i = 0; i < 2; i++)
		if (!checkpoint_read(&c->sides[i].model, p->of[i], &t[i],
				     err) ||
		    !format_name(text_of(c, "%s:%s", c->sides[i].path,
					 p->of[i]->name), &t[i], err))
			return false;
	return true;
}

static void close_both(struct table t[2])
{
	table_close(&t[0]);
	table_close(&t[1]);
}

/*
 * The answer of posenc compare on both tables, without what it begins with;
 * *known: it explains a difference.
 */
static const char *answer(struct conversion *c, const struct table *tables,
			  bool *known, struct error *err)
{
	const struct recipe *r = recipe_find("compare", err);
	struct table t = { 0 };
	struct report report = { 0 };
	struct fields fields = { 0 };
	const char *text = "";

	if (recipe_begin(r, &t, &fields, err) &&
	    recipe_report(r, &fields, tables, &t, &report, err))
		text = text_of(c, "%s", report.reason ? report.reason
						      : report.headline);
	*known = report.reason;
	table_close(&t);
	return text;
}

/* Pairs that are explained: it takes time and memory. */
enum { EXPLAINED_MOST = 4 };

const char *tables_explained(struct conversion *c, const struct pair *p,
			     struct error *err)
{
	struct table t[2] = { { 0 }, { 0 } };
	const char *text = NULL;
	bool known = false;

	if (!p->split.used && !values_transposed(c, p, 0) &&
	    !values_transposed(c, p, 1) && c->explained++ < EXPLAINED_MOST &&
	    read_both(c, p, t, err))
		text = answer(c, t, &known, err);
	close_both(t);
	return known ? text : NULL;
}

/* Compare both as tables, and say how they differ. */
static void explain_pair(struct conversion *c, const struct pair *p,
			 struct error *err)
{
	struct table t[2] = { { 0 }, { 0 } };
	const char *text;
	bool known;

	if (read_both(c, p, t, err)) {
		if (p->content != CONTENT_POSITIONS &&
		    values_shapes(&t[0], &t[1]).shaped &&
		    frequencies_near(t[0].row(&t[0], 0, NULL),
				     t[1].row(&t[1], 0, NULL),
				     t->planes * t->rows * t->cols,
				     SAME_FREQUENCY))
			c->equal++;
		else {
			text = answer(c, t, &known, err);
			say(c, &c->different, pair_name(p), "%s", text);
			c->other += !err->text[0];
		}
	}
	close_both(t);
}

/*
 * Whether one model has rows before its position 0 that the other one lacks, as
 * GGUF has no rows of padding of RoBERTa. The tables are in memory: rows need
 * no scratch.
 */
static bool is_shifted(struct conversion *c, const struct pair *p,
		       const size_t first[2], struct error *err)
{
	struct table t[2] = { { 0 }, { 0 } }, *a = &t[0], *b = &t[1];
	struct agreement g = { .shaped = true };
	const bool shaped = read_both(c, p, t, err) &&
			    a->planes * b->planes == 1 && a->cols == b->cols &&
			    b->rows > first[1] &&
			    a->rows - first[0] == b->rows - first[1];

	for (size_t i = 0; shaped && i + first[0] < a->rows; i++)
		values_agree(p, a, b, a->row(a, i + first[0], NULL),
			     b->row(b, i + first[1], NULL), a->cols, &g);
	close_both(t);
	return shaped && !g.differing;
}

/* The rows of position 0 in learned tables, if both models say them. */
static bool find_first(const struct conversion *c, size_t first[2])
{
	for (size_t i = 0; i < 2; i++) {
		const struct model_positions *m = &c->sides[i].positions;

		if (m->n != 1 || !m->at[0].first)
			return false;
		first[i] = (size_t)strtoull(m->at[0].first, NULL, 10);
	}
	return true;
}

void tables_compare(struct conversion *c, const struct pair *p,
		    struct error *err)
{
	const bool positions = p->content == CONTENT_POSITIONS;
	struct agreement g;
	size_t first[2];

	if (positions && !values_compare(c, p, &g, err))
		return;
	if (positions && find_first(c, first) && first[0] != first[1]) {
		const bool shifted = is_shifted(c, p, first, err);

		if (err->text[0])
			return;
		if (shifted)
			c->equal++;
		else
			count_pair(c, p, &g);
		say(c, shifted ? &c->also : &c->different, pair_name(p),
		    "rows begin at %zu in A, at %zu in B", first[0], first[1]);
	} else if (positions && g.shaped && !g.differing)
		count_pair(c, p, &g);
	else
		explain_pair(c, p, err);
}
