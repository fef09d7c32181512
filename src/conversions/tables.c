/* tables.c: tables of positions, and frequencies. */
#include "conversions/conversions.h"
#include "conversions/tables.h"
#include "conversions/values.h"
#include "recipes.h"

/* Read a tensor, and name it as a TABLE argument: "FOLDER:NAME". */
static bool read_named(struct conversion *c, size_t side,
		       const struct tensor *one, struct table *t,
		       struct error *err)
{
	const char *path = text_of(c, "%s:%s", c->sides[side].path, one->name);

	return checkpoint_read(&c->sides[side].model, one, t, err) &&
	       format_name(path, t, err);
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

/* Whether frequencies have one shape and are the same. */
static bool same_frequencies(const struct table *a, const struct table *b)
{
	return values_shaped(a, b) &&
	       frequencies_near(a->row(a, 0, NULL), b->row(b, 0, NULL),
				a->planes * a->rows * a->cols, SAME_FREQUENCY);
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
	    read_named(c, 0, p->of[0], &t[0], err) &&
	    read_named(c, 1, p->of[1], &t[1], err))
		text = answer(c, t, &known, err);
	table_close(&t[0]);
	table_close(&t[1]);
	return known ? text : NULL;
}

/* Compare both as tables, and say how they differ. */
static void explain_pair(struct conversion *c, const struct pair *p,
			 struct error *err)
{
	struct table t[2] = { { 0 }, { 0 } };
	const char *text;
	bool known;

	if (read_named(c, 0, p->of[0], &t[0], err) &&
	    read_named(c, 1, p->of[1], &t[1], err)) {
		if (p->content != CONTENT_POSITIONS &&
		    same_frequencies(&t[0], &t[1]))
			c->equal++;
		else {
			text = answer(c, t, &known, err);
			say_of(&c->different, pair_name(p), text);
			c->other += !err->text[0];
		}
	}
	table_close(&t[0]);
	table_close(&t[1]);
}

/*
 * Whether rows of positions are the same, which begin at other rows. The tables
 * are in memory: rows need no scratch.
 */
static bool rows_agree(const struct pair *p, const struct table *a,
		       const struct table *b, const size_t first[2])
{
	struct agreement g = { .shaped = true };

	for (size_t i = 0; i + first[0] < a->rows; i++)
		values_agree(p, a, b, a->row(a, i + first[0], NULL),
			     b->row(b, i + first[1], NULL), a->cols, &g);
	return !g.differing;
}

/*
 * Whether one model has rows before its position 0 that the other one lacks,
 * as GGUF has no rows of padding of RoBERTa.
 */
static bool is_shifted(struct conversion *c, const struct pair *p,
		       const size_t first[2], struct error *err)
{
	struct table t[2] = { { 0 }, { 0 } };
	const bool same =
		checkpoint_read(&c->sides[0].model, p->of[0], &t[0], err) &&
		checkpoint_read(&c->sides[1].model, p->of[1], &t[1], err) &&
		t[0].planes * t[1].planes == 1 && t[0].cols == t[1].cols &&
		t[1].rows > first[1] &&
		t[0].rows - first[0] == t[1].rows - first[1] &&
		rows_agree(p, &t[0], &t[1], first);

	table_close(&t[0]);
	table_close(&t[1]);
	return same;
}

/* Compare learned tables whose rows of position 0 differ. */
static void compare_shifted(struct conversion *c, const struct pair *p,
			    const size_t first[2], const struct agreement *g,
			    struct error *err)
{
	const char *rows = text_of(c, "rows begin at %zu in A, at %zu in B",
				   first[0], first[1]);

	if (is_shifted(c, p, first, err)) {
		c->equal++;
		say_of(&c->also, pair_name(p), rows);
	} else if (!err->text[0]) {
		count_pair(c, p, g);
		say_of(&c->different, pair_name(p), rows);
	}
}

void tables_compare(struct conversion *c, const struct pair *p,
		    struct error *err)
{
	const bool positions = p->content == CONTENT_POSITIONS;
	struct agreement g;
	size_t first[2];

	if (positions && !values_compare(c, p, &g, err))
		return;
	if (positions && positions_first(c, first) && first[0] != first[1])
		compare_shifted(c, p, first, &g, err);
	else if (positions && g.shaped && !g.differing)
		count_pair(c, p, &g);
	else
		explain_pair(c, p, err);
}
