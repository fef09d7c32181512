/* identify.c: which scheme, with which parameters, made a table. */
#include <stdio.h>

#include "identify/families.h"
#include "identify/presets.h"
#include "identify/shapes.h"
#include "identify/unknown.h"

static const struct option identify_options[] = {
	{0}
};

#define FAMILY(name) identify_##name,
static void (*const families[])(struct hunt *h) = {
#include "identify/list.h"
};
#undef FAMILY

static void report_answer(const struct hunt *h, const char *as,
			  struct report *r)
{
	const struct match *m = &h->matches[0];
	const char *dtype = dtype_name(m->dtype);
	char made[64] = "this table", digits[32] = "";

	if (as)
		snprintf(made, sizeof made, "this table (%s)", as);
	if (h->sight->digits < DIGITS_MOST)
		snprintf(digits, sizeof digits, " and of %d digits",
			 h->sight->digits);
	if (m->cut)
		report_headline(r, "%s: '%s' makes %s, to its last digit",
				m->recipe->name, m->command, made);
	else if (m->rounded)
		report_headline(r, "%s: '%s' makes %s, rounded to %d "
				"decimals", m->recipe->name, m->command,
				made, h->sight->decimals);
	else if (m->exact)
		report_headline(r, "%s: '%s' makes %s, to the last bit of %s",
				m->recipe->name, m->command, made, dtype);
	else
		report_headline(r, "%s: '%s' makes %s, to %.2g: the "
				"difference is that of %s arithmetic%s",
				m->recipe->name, m->command, made, m->error,
				m->dtype == F64 ? "float64" : "float32",
				digits);
}

/* All options of the recipe as the answer has them, a fact each. */
static void report_options(const struct match *m, struct report *r,
			   struct error *err)
{
	struct table t = { 0 };
	const bool good = recipe_open(&t, m->recipe->name, m->claim.options,
				      NULL, err);

	report_group(r, "parameters");
	for (const struct option *o = m->recipe->options; good && o->name;
	     o++) {
		const char *typed = option_typed(o, t.self);
		char text[64];

		option_text(o, t.self, text, sizeof text);
		if (o->kind == OPTION_FLAG ? option_changed(o, t.self)
					   : text[0])
			report_text(r, o->name, "%s", typed ? typed : text);
	}
	table_close(&t);
}

static void report_match(const struct match *m, const char *as,
			 struct report *r, struct error *err)
{
	report_group(r, "scheme");
	report_text(r, "scheme", "%s", m->recipe->name);
	report_text(r, "makes", "%s", m->recipe->summary);
	report_text(r, "paper", "%s", m->recipe->paper);
	report_text(r, "command", "%s", m->command);
	if (as)
		report_text(r, "taken_with", "%s", as);
	report_options(m, r, err);
	report_group(r, "match");
	report_text(r, "dtype", "%s", dtype_name(m->dtype));
	report_flag(r, "exact", m->exact && !m->rounded);
	report_number(r, "largest_error", m->error, NULL);
	if (!m->exact || m->rounded)
		report_text(r, "largest_error_at", "row %zu, column %zu",
			    m->row, m->col);
}

/* "paper annotated d2l": presets that make the table. */
static void report_presets(const struct hunt *h, struct report *r,
			   struct error *err)
{
	const struct match *m = &h->matches[0];
	const struct preset *presets = m->recipe->presets;
	const char **names;
	size_t all = 0, n = 0;

	while (presets && presets[all].name)
		all++;
	names = table_alloc(r->owner, all, sizeof *names, err);
	for (size_t k = 0; names && k < all; k++)
		if (preset_matches(m, presets[k].name, err))
			names[n++] = presets[k].name;
	if (n)
		report_lines(r, "presets", names, n);
}

static void report_ties(const struct hunt *h, struct report *r)
{
	const char *lines[MATCHES_MOST];

	for (size_t k = 1; k < h->n; k++)
		lines[k - 1] = h->matches[k].command;
	if (h->n > 1)
		report_lines(r, "ties", lines, h->n - 1);
}

/* Ask all families about the table; whether one knows it. */
static bool look(struct hunt *h, struct sight *s, const struct table *t)
{
	sight_take(s, t);
	h->sight = s;
	for (size_t k = 0; s->hi > s->lo &&
	     k < sizeof families / sizeof *families; k++)
		if (s->finite || (s->hides && families[k] == identify_mask))
			families[k](h);
	hunt_settle(h);
	return h->n;
}

/*
 * What the table was taken for where that made it known: each plane for a row,
 * of that columns for rows, or columns for rows; or NULL.
 */
static const char *look_again(struct hunt *h, struct sight *s,
			      const struct table *t)
{
	struct table flat, turned;

	if (shape_flat(&flat, t) && look(h, s, &flat))
		return "a row for each plane";
	if (shape_turned(&turned, t->planes > 1 ? &flat : t, h->owner,
			 h->err) &&
	    look(h, s, &turned))
		return "columns for rows";
	h->verdict = NULL;
	return NULL;
}

static bool identify_report(void *self, const struct table *inputs,
			    struct report *report, struct error *err)
{
	struct sight sight, other;
	struct hunt hunt = { .owner = report->owner, .err = err };
	const char *as = NULL;

	(void)self;
	if (!look(&hunt, &sight, inputs) && !hunt.verdict)
		as = look_again(&hunt, &other, inputs);
	if (err->text[0])
		return false;
	if (!hunt.n) {
		unknown_report(&sight, hunt.verdict, report);
		return true;
	}
	report_answer(&hunt, as, report);
	report_match(&hunt.matches[0], as, report, err);
	report_presets(&hunt, report, err);
	report_ties(&hunt, report);
	return true;
}

const struct recipe identify_recipe = {
	.name = "identify",
	.summary = "which scheme, with which parameters, made a table",
	.about =
"Measures the table, guesses what made it, makes that, and compares: the\n"
"command it answers with is one that was tried. Frequencies and positions\n"
"are read off the numbers and set to the roundest decimals that fit. Other\n"
"parameters that make the same table are named as ties. Exit status 1 where\n"
"no scheme fits, with what can be said instead.\n",
	.paper = "sinusoids turn by as much from row to row: the phases tell",
	.example = "posenc identify pe.npy",
	.options = identify_options,
	.size = 1,
	.inputs = 1,
	.report = identify_report,
};
