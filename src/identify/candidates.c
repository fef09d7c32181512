/* candidates.c: reports on all matches, and on presets that make the same. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/fit.h"
#include "text/words.h"

/*
 * "preset=NAME" with those of the words "name=value" that set a table's extent
 * or input and, if so asked, its arithmetic, which becomes *emulate, or NULL.
 * Owned by owner.
 */
static char *preset_options(const struct match *m, const char *preset,
			    const char **emulate, struct table *owner,
			    struct error *err)
{
	const char *options = m->candidate.options;
	const size_t room = strlen(preset) + strlen(options) + 16;
	char *text = table_alloc(owner, room, 1, err);
	char *words = table_copy(owner, options, err), *word;
	size_t n;

	if (!text || !words)
		return NULL;
	n = (size_t)snprintf(text, room, "preset=%s", preset);
	while ((word = word_next(&words, err))) {
		const struct option *o = option_find(
			m->recipe->options, word, strcspn(word, "="));

		if (o->role == ROLE_ARITHMETIC && emulate)
			*emulate = word;
		else if (!(o->role == ROLE_EXTENT || o->role == ROLE_COLUMNS ||
			   option_reads_tables(o)))
			continue;
		n += (size_t)snprintf(text + n, room - n, " %s", word);
	}
	return text;
}

/* Whether both have the same options, but for that which named the preset. */
static bool same_options(const struct table *a, const struct table *b)
{
	char room[2][OPTION_ROOM];

	for (const struct option *o = a->from.recipe->options; o->name; o++)
		if (strcmp(o->name, "preset") != 0 &&
		    strcmp(option_text(o, a->from.options, room[0]),
			   option_text(o, b->from.options, room[1])) != 0)
			return false;
	return true;
}

/*
 * Whether the tables are equal. Of large ones with other options that takes
 * too long: hardly any are.
 */
static bool same_tables(const struct table *a, const struct table *b,
			struct error *err)
{
	const size_t bytes = a->cols * sizeof(double);
	struct table room = { 0 };
	double *x = table_alloc(&room, 2, bytes, err), *y = x + a->cols;
	const bool same = x && a->end == b->end && a->cols == b->cols;
	size_t i = same && same_options(a, b) ? a->end : 0;

	for (; same && i < a->end && a->end * a->cols <= LARGE; i++) {
		table_rows(a, F64, i, 1, NULL, x);
		table_rows(b, F64, i, 1, NULL, y);
		if (memcmp(x, y, bytes) != 0)
			break;
	}
	table_close(&room);
	return same && i == a->end;
}

/* Whether the options make the same table as the match. */
static bool makes_same(const struct match *m, const char *options,
		       struct error *err)
{
	struct table match = { 0 }, other = { 0 };
	struct error why = { 0 };
	const char *name = m->recipe->name;
	const bool good = options &&
			  recipe_open(&match, name, m->candidate.options,
				      m->candidate.given, &why) &&
			  recipe_open(&other, name, options,
				      m->candidate.given, &why) &&
			  same_tables(&match, &other, &why);

	table_close(&match);
	table_close(&other);
	pass_memory(err, &why);
	return good;
}

/* The preset's name, with an option for the arithmetic if it needs that. */
static const char *preset_words(const struct match *m, const char *preset,
				struct report *r)
{
	const char *emulate = NULL;
	char *text = preset_options(m, preset, NULL, r->owner, r->err);

	if (makes_same(m, text, r->err))
		return preset;
	text = preset_options(m, preset, &emulate, r->owner, r->err);
	if (!emulate || !makes_same(m, text, r->err))
		return NULL;
	/* It holds these words, and more. */
	snprintf(text, strlen(text) + 1, "%s --emulate %s", preset,
		 strchr(emulate, '=') + 1);
	return text;
}

void report_presets(const struct search *s, struct report *r)
{
	const struct match *m = &s->matches[0];
	const struct preset *presets = m->recipe->presets;
	const char **names;
	size_t all = 0, n = 0;

	while (presets && presets[all].name)
		all++;
	names = table_alloc(r->owner, all, sizeof *names, r->err);
	for (size_t k = 0; names && k < all; k++) {
		names[n] = preset_words(m, presets[k].name, r);
		n += names[n] != NULL;
	}
	if (n)
		report_lines(r, "presets", names, n);
}

const char *grade_name(const struct match *m)
{
	static const char *const names[] = {
		[GRADE_CLOSE] = "close",
		[GRADE_ROUNDING] = "rounding",
		[GRADE_EXACT] = "exact",
	};

	return m->wrongs ? "all but few" : names[m->grade];
}

/* Likelihoods of matches, up to a factor; their sum. Exact ones share. */
static double likelihoods(const struct search *s, double weight[MAX_MATCHES])
{
	const bool exact = search_has_exact(s, 0);
	double least = HUGE_VAL, sum = 0;

	for (size_t k = 0; k < s->n; k++)
		least = fmin(least, s->matches[k].cost);
	for (size_t k = 0; k < s->n; k++) {
		const struct match *m = &s->matches[k];

		weight[k] = exact ? m->exact : exp(least - m->cost);
		sum += weight[k];
	}
	return sum;
}

void report_candidates(const struct search *s, struct report *r)
{
	double weight[MAX_MATCHES];
	const double sum = likelihoods(s, weight);

	report_group(r, "candidates");
	for (size_t k = 0; k < s->n; k++) {
		const struct match *m = &s->matches[k];

		report_item(r);
		report_number(r, "likelihood", weight[k] / sum, NULL);
		report_text(r, "grade", "%s", grade_name(m));
		report_number(r, "residual", m->rms, NULL);
		report_text(r, "command", "%s", m->command);
	}
	if (s->n || !s->family)
		return;
	report_item(r);
	if (s->nearest.recipe) {
		report_text(r, "grade", "near");
		report_number(r, "residual", s->nearest.rms, NULL);
		report_text(r, "command", "%s", s->nearest.command);
		return;
	}
	report_text(r, "grade", "family");
	report_text(r, "family", "%s", s->family);
}
