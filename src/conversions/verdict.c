/* verdict.c: the answer to a comparison of two models, and its report. */
#include <string.h>

#include "conversions/verdict.h"

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

/* Say why nothing is known, unless tensors are equal all the same. */
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
	const char *plural = both == 1 ? "" : "s";

	if (c->sides[0].positions.unknown)
		headline_equal(c, r, more);
	else if (!conversion_has_tensors(c))
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
				rounded_words(c), same_words(c));
	else
		report_headline(r, "the same positions and weights: %zu equal "
				"tensor%s%s%s", both, plural,
				rounded_words(c), same_words(c));
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
			    : s->positions.type, s->open
			    ? text_of(c, "%zu tensor%s", s->model.all.n,
				      s->model.all.n == 1 ? "" : "s")
			    : "no tensors");
	}
	positions_report(c, r);
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
	cosines_report(c, r);
	if (conversion_has_tensors(c))
		report_tensors(c, r);
	report_group(r, "findings");
	report_sentences(c, r, "different", &c->different);
	report_sentences(c, r, "unknown", &c->unknown);
	report_sentences(c, r, "also", &c->also);
}
