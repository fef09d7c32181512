/* verdict.c: what was found, as sentences; the answer, and its report. */
#include <stdarg.h>
#include <string.h>

#include "conversions/conversions.h"

const char *text_of(struct conversion *c, const char *format, ...)
{
	va_list list;
	const char *text;

	va_start(list, format);
	text = table_format(c->owner, c->err, format, list);
	va_end(list);
	return text ? text : "";
}

void say(struct conversion *c, struct sentences *to, const char *tensor,
	 const char *format, ...)
{
	va_list list;
	const char *text;

	va_start(list, format);
	text = table_format(c->owner, c->err, format, list);
	va_end(list);
	for (size_t i = 0; text && tensor && i < to->n; i++)
		if (to->at[i].tensor && strcmp(to->at[i].text, text) == 0) {
			to->at[i].more++;
			return;
		}
	to->n += to->n < SENTENCES_MOST;
	to->at[to->n - 1] = (struct sentence){ tensor, text ? text : "", 0 };
}

/* "blk.0.attn_q.weight and 31 more: its rows are ..." */
static const char *sentence_text(struct conversion *c, const struct sentence *s)
{
	if (!s->tensor)
		return s->text;
	return s->more ? text_of(c, "%s and %zu more: %s", s->tensor, s->more,
				 s->text)
		       : text_of(c, "%s: %s", s->tensor, s->text);
}

static size_t in_both(const struct conversion *c)
{
	return c->n - c->only[0] - c->only[1];
}

/* Say why nothing is known; but not of models without configurations, of which
   no tensor that is read differs. */
static void note_unknown(struct conversion *c)
{
	const struct model_positions *a = &c->sides[0].positions;
	const struct model_positions *b = &c->sides[1].positions;
	const size_t equal = c->equal + c->rounded;

	if (a->absent && b->absent && equal && !c->permuted &&
	    equal + c->unread == in_both(c))
		return;
	if (a->unknown)
		say(c, &c->unknown, NULL, "%s", a->unknown);
	if (b->unknown && !(a->unknown && !strcmp(a->unknown, b->unknown)))
		say(c, &c->unknown, NULL, "%s", b->unknown);
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

static const char *rounded_words(struct conversion *c)
{
	const char *words = c->rounded > c->coarse ? " up to rounding" : "";

	return c->coarse ? text_of(c, "%s%s within the error of %s, %.3g at "
				   "most", words, words[0] ? " and" : "",
				   c->coarse_types, c->coarse_most)
			 : words;
}

/* Equal tensors of models without configurations. */
static void headline_equal(struct conversion *c, struct report *r,
			   const char *more)
{
	const size_t equal = in_both(c) - c->unread;
	const char *unread = !c->unread ? "" :
			     text_of(c, "; %zu more %s not read", c->unread,
				     c->unread == 1 ? "is" : "are");

	report_headline(r, "equal: %zu tensor%s in both%s%s%s; neither has a "
			"configuration, so that a rotary base or scaling was "
			"not compared", equal, equal == 1 ? "" : "s",
			rounded_words(c), unread, more);
}

static void headline_same(struct conversion *c, struct report *r)
{
	const size_t both = in_both(c);
	const char *missing = missing_words(c);
	const char *more = missing[0] ? text_of(c, "; %s", missing) : "";
	const char *plural = both == 1 ? "" : "s", *text;
	const bool interleaved = c->sides[0].interleaved;

	if (c->sides[0].positions.unknown) {
		headline_equal(c, r, more);
		return;
	}
	if (!c->tensors)
		text = text_of(c, ", by their configurations; tensors were not "
			       "compared%s", more);
	else if (c->other)
		text = text_of(c, ", but %zu of %zu tensors in both differ, "
			       "the first is %s%s", c->other, both - c->unread,
			       c->first_other, more);
	else if (c->unread)
		text = text_of(c, "; %zu of %zu tensors in both are not "
			       "read%s", c->unread, both, more);
	else if (missing[0])
		text = text_of(c, ", but %s; %zu equal tensor%s in both%s",
			       missing, both, plural, rounded_words(c));
	else
		text = text_of(c, " and weights: %zu equal tensor%s%s", both,
			       plural, rounded_words(c));
	/* Rows that are regrouped alone keep their order in each head */
	if (c->permuted && c->reorders)
		text = text_of(c, "%s; rows of q and k are permuted within "
			       "each head, %s order in A, %s in B, as each one "
			       "rotates them", text,
			       interleaved ? "interleaved" : "half",
			       interleaved ? "half" : "interleaved");
	report_headline(r, "the same positions%s%s%s", text,
			c->lengths ? "; " : "", c->lengths ? c->lengths : "");
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
	const struct {
		const char *name;
		size_t n;
	} facts[] = {
		{ "in_both", in_both(c) }, { "equal", c->equal },
		{ "equal_when_rounded", c->rounded },
		{ "permuted_correctly", c->permuted },
		{ "permuted_incorrectly", c->disordered },
		{ "other_values", c->other }, { "not_read", c->unread },
		{ "only_in_A", c->only[0] }, { "only_in_B", c->only[1] },
	};

	report_group(r, "tensors");
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		report_number(r, facts[i].name, (double)facts[i].n, NULL);
}

static void report_models(struct conversion *c, struct report *r)
{
	report_group(r, "models");
	for (size_t i = 0; i < 2; i++) {
		const struct side *s = &c->sides[i];

		report_text(r, s->letter, "%s  %s, %s", s->path,
			    s->positions.unknown ? "unknown"
			    : s->positions.type, s->open
			    ? text_of(c, "%zu tensor%s", s->model.all.n,
				      s->model.all.n == 1 ? "" : "s")
			    : "no tensors");
	}
}

void verdict_report(struct conversion *c, struct report *r)
{
	note_unknown(c);
	r->no = c->different.n || c->unknown.n;
	if (c->different.n)
		headline_reason(c, r, c->weights < c->different.n
				? "not the same positions"
				: "not the same weights", &c->different);
	else if (c->unknown.n)
		headline_reason(c, r, "not known whether the positions are the "
				"same", &c->unknown);
	else
		headline_same(c, r);
	report_models(c, r);
	positions_report(c, r);
	if (c->cosines.known) {
		report_group(r, "cosines_differ_from_position");
		apart_report(c->cosines.first, c->cosines.end, r);
	}
	if (c->tensors)
		report_tensors(c, r);
	report_group(r, "findings");
	report_sentences(c, r, "different", &c->different);
	report_sentences(c, r, "unknown", &c->unknown);
	report_sentences(c, r, "also", &c->also);
}
