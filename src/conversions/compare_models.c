/* compare_models.c: posenc compare of two models: compare pair after pair. */
#include <string.h>
#include <sys/stat.h>

#include "conversions/compare_models.h"
#include "conversions/orders.h"
#include "conversions/tables.h"
#include "conversions/values.h"
#include "conversions/verdict.h"
#include "formats/locate.h"
#include "model/config.h"

static void compare_others(struct conversion *c, const struct pair *p,
			   struct error *err)
{
	struct agreement g;

	if (values_compare(c, p, &g, err))
		count_pair(c, p, &g);
}

bool may_rotate(const struct conversion *c)
{
	for (size_t i = 0; i < 2; i++) {
		const struct model_positions *m = &c->sides[i].positions;
		bool may = m->unknown;

		for (size_t k = 0; k < m->n; k++)
			may |= m->at[k].rotary || m->at[k].unknown;
		if (!may)
			return false;
	}
	return true;
}

/* Why values of a pair are not read, if its types tell, or NULL. */
static const char *unread_words(struct conversion *c, const struct pair *p)
{
	for (size_t i = 0; i < 2; i++) {
		const struct tensor *t = p->of[i];
		const char *note = c->sides[i].model.all.note;

		if (!values_readable(t))
			return text_of(c, "its type %s is not read", t->dtype);
		if (!t->dtype[0] && note)
			return note;
	}
	return NULL;
}

static void compare_pair(struct conversion *c, const struct pair *p)
{
	static void (*const compare[])(struct conversion *c,
				       const struct pair *p,
				       struct error *err) = {
		[CONTENT_OTHER] = compare_others,
		[CONTENT_HEADS] = layout_compare,
		[CONTENT_FUSED] = layout_compare,
		[CONTENT_LATENT] = layout_compare,
		[CONTENT_POSITIONS] = tables_compare,
		[CONTENT_FREQUENCIES] = tables_compare,
		[CONTENT_FACTORS] = tables_compare,
	};
	const bool weights = p->content <= CONTENT_LATENT && !may_rotate(c);
	const char *unread = unread_words(c, p);
	const size_t before = c->different.n;
	struct error why = { 0 };

	if (unread)
		fail(&why, "%s", unread);
	else
		compare[p->content](c, p, &why);
	pass_call(c->err, &why);
	c->weights += weights ? c->different.n - before : 0;
	if (!why.text[0])
		return;
	c->unread++;
	say_of(p->content == CONTENT_OTHER || weights ? &c->also : &c->unknown,
	       pair_name(p), text_of(c, "%s", why.text));
}

/* Models that rotate in different orders, whose weights were not compared. */
static void check_layout(struct conversion *c)
{
	bool of[2];

	if (positions_orders(c, of) && of[0] != of[1] && !c->layout)
		say(c, &c->unknown, "%s rotates halves and %s neighbours, and "
		    "the rows of query and key weights could not be compared",
		    of[1] ? "A" : "B", of[1] ? "B" : "A");
}

/*
 * What matters of a pair. Without rotation, rows of heads have no order, but
 * those of queries, keys and values in one tensor do; norms of queries follow
 * the order of their rows.
 */
static enum content content_of(const struct conversion *c,
			       const struct pair *p)
{
	bool of[2];

	if (p->content == CONTENT_NORMS)
		return positions_orders(c, of) && of[0] != of[1]
		       ? CONTENT_HEADS : CONTENT_OTHER;
	if (p->content > CONTENT_LATENT || may_rotate(c))
		return p->content;
	return p->of[0] && p->of[1] &&
	       (p->split.used || p->content == CONTENT_FUSED)
	       ? p->content : CONTENT_OTHER;
}

bool conversion_has_tensors(const struct conversion *c)
{
	return c->sides[0].open && c->sides[1].open;
}

/* Whether configurations tell enough, as a model has no tensors. */
static void check_alone(struct conversion *c)
{
	const char *a = positions_untold(&c->sides[0]);
	const char *kind = a ? a : positions_untold(&c->sides[1]);

	if (kind)
		say(c, &c->unknown, "configurations alone do not tell whether "
		    "%s positions are the same, and %s has no tensors", kind,
		    c->sides[0].open ? "B" : "A");
	check_layout(c);
}

static void compare_tensors(struct conversion *c)
{
	size_t both = 0;

	if (!conversion_has_tensors(c)) {
		check_alone(c);
		return;
	}
	if (!pairs_find(c))
		return;
	for (size_t i = 0; i < c->n && !c->err->text[0]; i++) {
		struct pair *p = &c->pairs[i];

		p->content = content_of(c, p);
		if (p->of[0] && p->of[1])
			compare_pair(c, p);
		else
			note_missing(c, p);
		both += p->of[0] && p->of[1];
	}
	if (memcmp(c->turned[0], c->turned[1], sizeof *c->turned) != 0) {
		say(c, &c->different, "rows of heads are not permuted alike in "
		    "queries and keys");
		c->weights++;
	}
	if (!both)
		say(c, &c->unknown, "no tensor of A has the name of one of B");
	check_layout(c);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Open a model, or a configuration alone, which a folder may have, too. */
static bool open_side(struct conversion *c, struct side *s)
{
	if (config_suits(s->path, c->err)) {
		s->model.config = s->path;
		return true;
	}
	if (is_folder(s->path) && locate_none(s->path, c->owner, c->err)) {
		s->model.config = path_in(s->path, "config.json", c->owner,
					  c->err);
		if (s->model.config && is_file(s->model.config))
			return true;
	}
	if (!c->err->text[0])
		s->open = checkpoint_open(&s->model, s->path, c->owner,
					  c->err);
	return s->open;
}

static bool open_sides(struct conversion *c, const struct table *inputs)
{
	for (size_t i = 0; i < 2; i++) {
		struct side *s = &c->sides[i];

		s->letter = i ? "B" : "A";
		s->path = inputs[i].title;
		if (!open_side(c, s))
			return false;
		positions_read(c, s);
		if (c->err->text[0])
			return false;
	}
	return true;
}

static bool compare_models(void *self, const struct table *inputs,
			   struct report *r, struct error *err)
{
	struct conversion *c = table_alloc(r->owner, 1, sizeof *c, err);

	(void)self;
	if (!c)
		return false;
	c->owner = r->owner;
	c->err = err;
	if (open_sides(c, inputs)) {
		positions_compare(c);
		compare_tensors(c);
		verdict_report(c, r);
	}
	for (size_t i = 0; i < 2; i++)
		if (c->sides[i].open)
			checkpoint_close(&c->sides[i].model);
	return !err->text[0];
}

static const struct option no_options[] = { {0} };

const struct recipe compare_models_recipe = {
	.name = "compare",
	.summary = "whether two models are conversions of one",
	.options = no_options,
	.inputs = 2,
	.report = compare_models,
};
