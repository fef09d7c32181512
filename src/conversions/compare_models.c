/* compare_models.c: posenc compare of two models: the verdict, the report. */
#include <stdarg.h>
#include <string.h>

#include "conversions/compare_models.h"
#include "conversions/conversions.h"
#include "model/config.h"

__attribute__((format(printf, 2, 0)))
static const char *keep(struct conversion *c, const char *format, va_list list)
{
	const char *text = table_format(c->owner, c->err, format, list);

	return text ? text : "";
}

const char *text_of(struct conversion *c, const char *format, ...)
{
	va_list list;
	const char *text;

	va_start(list, format);
	text = keep(c, format, list);
	va_end(list);
	return text;
}

/* The next sentence of a list; of those beyond the most, the last one. */
static struct sentence *next(struct sentences *to)
{
	to->n += to->n < SENTENCES_MOST;
	return &to->at[to->n - 1];
}

void say(struct conversion *c, struct sentences *to, const char *format, ...)
{
	va_list list;
	const char *text;

	va_start(list, format);
	text = keep(c, format, list);
	va_end(list);
	*next(to) = (struct sentence){ .text = text };
}

void say_of(struct sentences *to, const char *tensor, const char *text)
{
	for (size_t i = 0; i < to->n; i++)
		if (to->at[i].tensor && strcmp(to->at[i].text, text) == 0) {
			to->at[i].more++;
			return;
		}
	*next(to) = (struct sentence){ tensor, text, 0 };
}

/* "blk.0.attn_q.weight and 31 more: its rows are ..." */
static const char *sentence_text(struct conversion *c,
				 const struct sentence *s)
{
	if (!s->tensor)
		return s->text;
	return s->more ? text_of(c, "%s and %zu more: %s", s->tensor, s->more,
				 s->text)
		       : text_of(c, "%s: %s", s->tensor, s->text);
}

/* Tensors of which it is said how they differ. */
enum { DETAILED_MOST = 8 };

static const char *difference_words(struct conversion *c,
				    const struct agreement *g)
{
	return g->shaped ? text_of(c, "%zu of %zu values differ, by %.3g at "
				   "most", g->differing,
				   g->rows[0] * g->cols[0], g->largest)
			 : shapes_words(c, g);
}

void count_pair(struct conversion *c, const struct pair *p,
		const struct agreement *g)
{
	if (!g->shaped || g->differing) {
		if (!c->other++)
			c->first_other = pair_name(p);
		if (c->other <= DETAILED_MOST)
			say_of(&c->also, pair_name(p), difference_words(c, g));
	} else if (g->rounded) {
		c->rounded++;
	} else {
		c->equal++;
	}
}

static void compare_others(struct conversion *c, const struct pair *p,
			   struct error *err)
{
	struct agreement g;

	if (values_compare(c, p, &g, err))
		count_pair(c, p, &g);
}

/* Whether both models rotate, or it is not known what they do. */
static bool may_rotate(const struct conversion *c)
{
	bool interleaved;

	for (size_t i = 0; i < 2; i++)
		if (!c->sides[i].positions.unknown &&
		    !positions_rotate(&c->sides[i], &interleaved))
			return false;
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
		[CONTENT_FUSED] = fused_compare,
		[CONTENT_POSITIONS] = tables_compare,
		[CONTENT_FREQUENCIES] = tables_compare,
		[CONTENT_FACTORS] = tables_compare,
	};
	const char *unread = unread_words(c, p);
	struct error why = { 0 };

	if (unread)
		fail(&why, "%s", unread);
	else
		compare[p->content](c, p, &why);
	pass_call(c->err, &why);
	if (!why.text[0])
		return;
	c->unread++;
	say_of(p->content == CONTENT_OTHER ? &c->also : &c->unknown,
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
 * What matters of a pair. Without rotation, rows of heads have no order; norms
 * of queries follow that of their rows.
 */
static enum content content_of(const struct conversion *c,
			       const struct pair *p)
{
	bool of[2];

	if (p->content == CONTENT_NORMS)
		return positions_orders(c, of) && of[0] != of[1]
		       ? CONTENT_HEADS : CONTENT_OTHER;
	return p->content <= CONTENT_FUSED && !may_rotate(c) ? CONTENT_OTHER
							     : p->content;
}

static bool has_alone(const struct conversion *c)
{
	return c->sides[0].alone || c->sides[1].alone;
}

static void check_alone(struct conversion *c)
{
	const char *a = positions_untold(&c->sides[0]);
	const char *kind = a ? a : positions_untold(&c->sides[1]);

	if (kind)
		say(c, &c->unknown, "configurations alone do not tell whether "
		    "%s positions are the same, and %s has no tensors", kind,
		    c->sides[0].alone ? "A" : "B");
	check_layout(c);
}

static void compare_tensors(struct conversion *c)
{
	size_t both = 0;

	if (has_alone(c)) {
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
	if (!both)
		say(c, &c->unknown, "no tensor of A has the name of one of B");
	check_layout(c);
}

static size_t in_both(const struct conversion *c)
{
	return c->n - c->only[0] - c->only[1];
}

/* Neither model has a configuration, and no tensor that is read differs. */
static bool is_equal(const struct conversion *c)
{
	const size_t both = in_both(c);

	return c->equal + c->rounded > 0 && !c->permuted &&
	       c->equal + c->rounded + c->unread == both;
}

static void note_unknown(struct conversion *c)
{
	const struct model_positions *a = &c->sides[0].positions;
	const struct model_positions *b = &c->sides[1].positions;

	if (a->absent && b->absent && is_equal(c))
		return;
	if (a->unknown)
		say(c, &c->unknown, "%s", a->unknown);
	if (b->unknown && !(a->unknown && !strcmp(a->unknown, b->unknown)))
		say(c, &c->unknown, "%s", b->unknown);
}

/* What there is to say of models with the same positions. */
static const char *same_words(struct conversion *c)
{
	const char *lengths = c->lengths ? text_of(c, "; %s", c->lengths) : "";
	bool of[2];

	positions_orders(c, of);
	/* Rows that are regrouped alone keep their order in each head */
	if (!c->permuted || of[0] == of[1])
		return lengths;
	return text_of(c, "; rows of q and k are permuted within each head, "
		       "%s order in A, %s in B, as each one rotates them%s",
		       of[0] ? "interleaved" : "half",
		       of[1] ? "interleaved" : "half", lengths);
}

/* Numbers of layers, "2 tensors are only in A"; "": there is no such thing. */
static const char *missing_words(struct conversion *c)
{
	const char *words = c->layers ? c->layers : "";

	for (size_t i = 0; i < 2; i++)
		if (c->missing[i])
			words = text_of(c, "%s%s%zu tensor%s only in %s",
					words, words[0] ? ", " : "",
					c->missing[i],
					c->missing[i] == 1 ? " is" : "s are",
					c->sides[i].letter);
	return words;
}

static void headline_same(struct conversion *c, struct report *r)
{
	const size_t both = in_both(c);
	const char *missing = missing_words(c);
	const char *more = missing[0] ? text_of(c, "; %s", missing) : "";
	const char *rounded = c->rounded ? " up to rounding" : "";
	const char *plural = both == 1 ? "" : "s";

	if (c->sides[0].positions.unknown)
		report_headline(r, "equal: %zu tensor%s in both%s%s%s; neither "
				"has a configuration, so that a rotary base or "
				"scaling was not compared", both - c->unread,
				both - c->unread == 1 ? "" : "s", rounded,
				c->unread
				? text_of(c, "; %zu more %s not read",
					  c->unread, c->unread == 1 ? "is"
					  : "are") : "", more);
	else if (has_alone(c))
		report_headline(r, "the same positions, by their configurations"
				"; tensors were not compared%s%s", more,
				same_words(c));
	else if (c->other)
		report_headline(r, "the same positions, but %zu of %zu tensors "
				"in both differ, the first is %s%s%s", c->other,
				both - c->unread, c->first_other, more,
				same_words(c));
	else if (c->unread)
		report_headline(r, "the same positions; %zu of %zu tensors in "
				"both are not read%s%s", c->unread, both, more,
				same_words(c));
	else if (missing[0])
		report_headline(r, "the same positions, but %s; %zu equal "
				"tensor%s in both%s%s", missing, both, plural,
				rounded, same_words(c));
	else
		report_headline(r, "the same model: equal positions and %zu "
				"equal tensor%s%s%s", both, plural, rounded,
				same_words(c));
}

/* The first sentence of a list, and how many there are besides. */
static void headline_reason(struct conversion *c, struct report *r,
			    const char *verdict, const struct sentences *why)
{
	const char *more = why->n < 2 ? "" :
			   text_of(c, "; and %zu more, see below", why->n - 1);

	report_headline(r, "%s: %s%s", verdict, sentence_text(c, &why->at[0]),
			more);
}

static void report_sentences(struct conversion *c, struct report *r,
			     const char *name, const struct sentences *s)
{
	const char *lines[SENTENCES_MOST];

	for (size_t i = 0; i < s->n; i++)
		lines[i] = sentence_text(c, &s->at[i]);
	if (s->n)
		report_lines(r, name, lines, s->n);
}

static void report_tensors(const struct conversion *c, struct report *r)
{
	report_group(r, "tensors");
	report_number(r, "in_both", (double)in_both(c), NULL);
	report_number(r, "equal", (double)c->equal, NULL);
	report_number(r, "equal_when_rounded", (double)c->rounded, NULL);
	report_number(r, "permuted_correctly", (double)c->permuted, NULL);
	report_number(r, "permuted_incorrectly", (double)c->disordered, NULL);
	report_number(r, "other_values", (double)c->other, NULL);
	report_number(r, "not_read", (double)c->unread, NULL);
	report_number(r, "only_in_A", (double)c->only[0], NULL);
	report_number(r, "only_in_B", (double)c->only[1], NULL);
}

static void report_models(struct conversion *c, struct report *r)
{
	report_group(r, "models");
	for (size_t i = 0; i < 2; i++) {
		const struct side *s = &c->sides[i];

		report_text(r, s->letter, "%s  %s, %s", s->path,
			    s->positions.unknown ? "unknown"
			    : s->positions.type, s->alone ? "no tensors" :
			    text_of(c, "%zu tensor%s", s->model.all.n,
				    s->model.all.n == 1 ? "" : "s"));
	}
	positions_report(c, r);
}

static void report_all(struct conversion *c, struct report *r)
{
	r->no = c->different.n || c->unknown.n;
	if (c->different.n)
		headline_reason(c, r, "not the same positions", &c->different);
	else if (c->unknown.n)
		headline_reason(c, r, "not known whether the positions are the "
				"same", &c->unknown);
	else
		headline_same(c, r);
	report_models(c, r);
	report_tensors(c, r);
	report_group(r, "findings");
	report_sentences(c, r, "different", &c->different);
	report_sentences(c, r, "unknown", &c->unknown);
	report_sentences(c, r, "also", &c->also);
}

/* Open a model, or a configuration alone. */
static bool open_side(struct conversion *c, struct side *s)
{
	s->alone = config_recognizes(s->path, c->err);
	if (s->alone)
		s->model.config = s->path;
	else if (!c->err->text[0])
		s->open = checkpoint_open(&s->model, s->path, c->owner,
					  c->err);
	return s->alone || s->open;
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
		note_unknown(c);
		report_all(c, r);
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
