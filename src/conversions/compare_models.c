/* compare_models.c: posenc compare of two models: compare pair after pair. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "containers/quantized.h"
#include "conversions/conversions.h"
#include "containers/open.h"
#include "text/words.h"

/* The number of tensors of a file or folder; 0: it is no model, or an error. */
static size_t count_tensors(const char *path, struct error *err)
{
	struct table owner = { 0 };
	struct error why = { 0 };
	struct checkpoint c;
	size_t n = 0;

	if (checkpoint_open(&c, path, &owner, &why)) {
		n = c.all.n;
		checkpoint_close(&c);
	}
	table_close(&owner);
	pass_memory(err, &why);
	return n;
}

/* The same; folders, even of one tensor, and configurations are models. */
static size_t count_or_model(const char *path, struct error *err)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		/* Otherwise it may be "FILE:NAME", or opening it tells */
		if (errno == EIO)
			fail_call(err, path);
		return 0;
	}
	if (S_ISDIR(st.st_mode))
		return SIZE_MAX;
	if (!S_ISREG(st.st_mode))
		return 0;
	return config_recognizes(path, err) ? SIZE_MAX
					    : count_tensors(path, err);
}

/*
 * Whether a path that is no model should be one, beside a model of n tensors:
 * beside a folder, if it is missing, or has the suffix of a container; beside a
 * configuration, if it may be one. Opening it says what is wrong.
 */
static bool should_be_model(const char *path, const char *model, size_t n,
			    struct error *err)
{
	const struct format *f = format_reading(path);
	struct stat st;

	if (strchr(path, ':') || strcmp(path, "-") == 0)
		return false;
	return (is_folder(model) || stat(path, &st) != 0 ||
		(f && f->container) ||
		(config_recognizes(model, err) && config_suits(path, err))) &&
	       (is_folder(model) ? count_tensors(model, err) : n) > 1;
}

bool names_models(const char *const *paths, struct error *err)
{
	const size_t n[] = {
		count_or_model(paths[0], err), count_or_model(paths[1], err),
	};

	for (size_t i = 0; i < 2; i++)
		if (!n[i])
			return n[!i] && !err->text[0] &&
			       should_be_model(paths[i], paths[!i], n[!i], err);
	return n[0] > 1 || n[1] > 1;
}

/* Open a model, or a configuration alone, which a folder may have, too. */
static bool open_side(struct conversion *c, struct side *s)
{
	struct stat st;

	if (config_suits(s->path, c->err)) {
		s->model.config = s->path;
		return true;
	}
	if (is_folder(s->path) && locate_none(s->path, c->owner, c->err)) {
		s->model.config = path_in(s->path, "config.json", c->owner,
					  c->err);
		if (s->model.config && stat(s->model.config, &st) == 0 &&
		    S_ISREG(st.st_mode))
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
	c->tensors = c->sides[0].open && c->sides[1].open;
	return true;
}

/* Why values of a pair are not read, if its types tell, or NULL. */
static const char *unread_words(struct conversion *c, const struct pair *p)
{
	for (size_t i = 0; i < 2; i++) {
		const struct tensor *t = p->of[i];

		if (!t->dtype[0] && c->sides[i].model.all.note)
			return c->sides[i].model.all.note;
		if (t->dtype[0] && !tensor_readable(t))
			return text_of(c, "its type %s is not read", t->dtype);
	}
	return NULL;
}

static void compare_pair(struct conversion *c, const struct pair *p)
{
	const bool weights = p->content == CONTENT_VALUES ||
			     (p->content <= CONTENT_LATENT && !c->may_rotate);
	const char *unread = unread_words(c, p);
	const size_t before = c->different.n;
	struct error why = { 0 };
	struct agreement g;

	if (unread)
		fail(&why, "%s", unread);
	else if (p->content > CONTENT_LATENT)
		tables_compare(c, p, &why);
	else if (p->content != CONTENT_OTHER)
		layout_compare(c, p, &why);
	else if (values_compare(c, p, &g, &why))
		count_pair(c, p, &g);
	pass_call(c->err, &why);
	c->weights += weights ? c->different.n - before : 0;
	if (!why.text[0])
		return;
	c->unread++;
	say(c, p->content == CONTENT_OTHER || weights ? &c->also : &c->unknown,
	    pair_name(p), "%s", why.text);
}

/*
 * What matters of a pair. Without rotation, rows of heads have no order, but
 * those of queries, keys and values in one tensor do; norms of queries follow
 * the order of their rows.
 */
static enum content content_of(const struct conversion *c,
			       const struct pair *p)
{
	const bool both = p->of[0] && p->of[1];

	if (p->content == CONTENT_NORMS)
		return c->reorders ? CONTENT_HEADS : CONTENT_OTHER;
	if (p->content == CONTENT_VALUES)
		return c->may_rotate && both ? p->content : CONTENT_OTHER;
	if (p->content > CONTENT_LATENT || c->may_rotate)
		return p->content;
	return both && (p->split.used || p->content == CONTENT_FUSED)
	       ? p->content : CONTENT_OTHER;
}

/* Whether a tensor has this name in GGUF. */
static bool name_is(const struct tensor *t, const char *wanted)
{
	char name[NAME_ROOM];

	return strcmp(t->name, wanted) == 0 ||
	       (name_in_gguf(t->name, t->length, name) &&
		strcmp(name, wanted) == 0);
}

/* Whether it is the table of tokens once more, as where both are tied. */
static bool is_tied(struct conversion *c, struct side *s,
		    const struct tensor *t)
{
	const struct tensor *tokens = s->model.all.at;
	const struct tensor *end = tokens + s->model.all.n;
	struct error ignored = { 0 };
	bool tied;

	if (!name_is(t, "output.weight"))
		return false;
	while (tokens < end && !name_is(tokens, "token_embd.weight"))
		tokens++;
	tied = tokens < end && tensors_equal(s, t, tokens, &ignored);
	pass_call(c->err, &ignored);
	return tied;
}

/* Whether layers of a model have learned positions or biases of their own. */
static bool has_learned(const struct side *s)
{
	for (size_t i = 0; i < s->positions.n; i++)
		if (text_has_word("learned t5 relative",
				  s->positions.at[i].kind, " "))
			return true;
	return false;
}

/* What it means that a tensor is in one model alone. */
static void note_missing(struct conversion *c, const struct pair *p)
{
	struct side *s = &c->sides[!p->of[0]];
	const struct tensor *t = p->of[!p->of[0]];
	const struct positional *known = positional_named(t->name, t->length);
	struct sentences *to = &c->also;
	struct error unread = { 0 };

	if (p->content == CONTENT_OTHER) {
		c->missing[!p->of[0]] += !(known && known->computed) &&
					 !is_tied(c, s, t);
		return;
	}
	if (p->content == CONTENT_FREQUENCIES &&
	    !name_of_part(t->name, t->length))
		frequencies_check(c, s, t, &unread);
	pass_call(c->err, &unread);
	if (p->content <= CONTENT_LATENT ||
	    (p->content == CONTENT_POSITIONS && s->positions.unknown))
		to = &c->unknown;
	else if (p->content == CONTENT_POSITIONS && has_learned(s))
		to = &c->different;
	say(c, to, pair_name(p), "only %s has it", s->letter);
}

/*
 * The kind of a model's positions that a configuration does not tell in full,
 * as tables are learned, or posenc has no command for some; NULL: none.
 */
static const char *untold(const struct side *s)
{
	for (size_t i = 0; i < s->positions.n; i++) {
		const struct layer_positions *p = &s->positions.at[i];
		const bool made = p->commands &&
				  strncmp(p->commands, "posenc ", 7) == 0;

		if (!text_has_word("rotary none rotary-2d", p->kind, " ") &&
		    !(made && text_has_word("alibi sinusoidal", p->kind, " ")))
			return p->kind;
	}
	return NULL;
}

static void compare_pairs(struct conversion *c)
{
	size_t both = 0;

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
		say(c, &c->different, NULL, "rows of heads are not permuted "
		    "alike in queries and keys");
		c->weights++;
	}
	if (!both)
		say(c, &c->unknown, NULL, "no tensor of A has the name of one "
		    "of B");
}

static void compare_tensors(struct conversion *c)
{
	const char *a = untold(&c->sides[0]);
	const char *kind = a ? a : untold(&c->sides[1]);

	if (c->tensors && !pairs_find(c))
		return;
	if (c->tensors)
		compare_pairs(c);
	else if (kind)
		say(c, &c->unknown, NULL, "configurations alone do not tell "
		    "whether %s positions are the same, and %s has no tensors",
		    kind, c->sides[0].open ? "B" : "A");
	if (c->reorders && !c->layout)
		say(c, &c->unknown, NULL, "%s rotates halves and %s "
		    "neighbours, and the rows of query and key weights could "
		    "not be compared", c->sides[1].interleaved ? "A" : "B",
		    c->sides[1].interleaved ? "B" : "A");
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
