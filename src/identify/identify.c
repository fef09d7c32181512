/* identify.c: the command that finds which command made a table. */
#include <stdio.h>
#include <string.h>

#include "table/never.h"
#include "text/words.h"
#include "identify/identify.h"

static const struct option identify_options[] = {
	{0}
};

#define FAMILY(name) identify_##name,
static void (*const families[])(struct search *s) = {
#include "identify/list.h"
};
#undef FAMILY

/* Whether "name=value" sets the extent of a table or its arithmetic. */
static bool is_extent(const struct recipe *r, const char *word)
{
	const struct option *o = option_find(r->options, word,
					     strcspn(word, "="));

	return o->role == ROLE_EXTENT || o->role == ROLE_COLUMNS ||
	       o->role == ROLE_ARITHMETIC;
}

/* "preset=NAME" with the extent from options; owned by owner. */
static char *preset_options(const struct match *m, const char *preset,
			    struct table *owner, struct error *err)
{
	const char *options = m->candidate.options;
	const size_t room = strlen(preset) + strlen(options) + 16;
	char *text = table_alloc(owner, room, 1, err);
	char *copy = table_copy(owner, options, err), *word;
	size_t n;

	if (!text || !copy)
		return NULL;
	n = (size_t)snprintf(text, room, "preset=%s", preset);
	while ((word = word_next(&copy, err)))
		if (is_extent(m->recipe, word))
			n += (size_t)snprintf(text + n, room - n, " %s", word);
	return text;
}

/* Whether rows i are equal; scratch [2, cols]. */
static bool same_row(const struct table *a, const struct table *b, size_t i,
		     double *scratch)
{
	double *x = scratch, *y = scratch + a->cols;

	table_rows(a, F64, i, 1, NULL, x);
	table_rows(b, F64, i, 1, NULL, y);
	return memcmp(x, y, a->cols * sizeof *x) == 0;
}

/* Whether the tables are equal in the first rows and in some others. */
static bool same_tables(const struct table *a, const struct table *b,
			struct table *owner, struct error *err)
{
	enum { SAMPLE_ROWS = 8 };
	const size_t n = a->end;
	double *scratch = table_alloc(owner, a->cols, 2 * sizeof *scratch, err);
	/* Both have the same options for the number of rows. */
	bool same = scratch && !NEVER(n != b->end) && a->cols == b->cols;

	for (size_t k = 0; same && k < SAMPLE_ROWS; k++)
		same = (k >= n || same_row(a, b, k, scratch)) &&
		       same_row(a, b, n * k / SAMPLE_ROWS, scratch);
	return same;
}

/* Whether the preset, with the extent of the match, makes the same table. */
static bool preset_matches(const struct match *m, const char *preset,
			   struct error *err)
{
	struct table match = { 0 }, other = { 0 }, room = { 0 };
	struct error why = { 0 };
	const char *text = preset_options(m, preset, &room, &why);
	const bool good =
		text &&
		recipe_open(&match, m->recipe->name, m->candidate.options, NULL,
			    &why) &&
		recipe_open(&other, m->recipe->name, text, NULL, &why) &&
		same_tables(&match, &other, &room, &why);

	table_close(&match);
	table_close(&other);
	table_close(&room);
	if (why.memory)
		*err = why;
	return good;
}

/* The rows of a plane are contiguous in a dense table. */
static const double *flat_row(const struct table *t, size_t i, double *scratch)
{
	const struct table *from = t->state;

	return from->row(from, i * from->rows, scratch);
}

/* View each plane of t as a row; false if that changes nothing. */
static bool flatten_planes(struct table *to, const struct table *t)
{
	*to = *t;
	to->planes = 1;
	to->rows = t->planes;
	to->cols = t->rows * t->cols;
	to->row = flat_row;
	to->state = t;
	return t->planes > 1 && t->rows > 1;
}

/* Transpose t, one plane, to memory of owner; false if that changes nothing. */
static bool transpose(struct table *to, const struct table *t,
		      struct table *owner, struct error *err)
{
	const size_t n = t->planes * t->rows;
	double *x = table_alloc(owner, n * t->cols, sizeof *x, err);

	*to = *t;
	to->planes = 1;
	to->rows = t->cols;
	to->cols = n;
	if (!x)
		return false;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < t->cols; j++)
			x[j * n + i] = t->row(t, i, NULL)[j];
	table_dense(to, x);
	return n > 1;
}

/* What the command makes: "this table, transposed". */
static const char *table_words(const char *reading, char text[64])
{
	snprintf(text, 64, "this table%s%s", reading ? ", " : "",
		 reading ? reading : "");
	return text;
}

static void report_answer(const struct search *s, const char *reading,
			  struct report *r)
{
	const struct match *m = &s->matches[0];
	const char *name = m->recipe->name;
	char table[64], digits[32] = "";

	table_words(reading, table);
	if (s->profile->digits < MAX_DIGITS)
		snprintf(digits, sizeof digits, " and %d digits",
			 s->profile->digits);
	if (m->printed)
		report_headline(r, "%s: '%s' makes exactly %s (all printed "
				"digits are equal)", name, m->command, table);
	else if (m->rounded)
		report_headline(r, "%s: '%s' makes exactly %s when rounded "
				"to %d decimals", name, m->command, table,
				s->profile->decimals);
	else if (m->exact)
		report_headline(r, "%s: '%s' makes exactly %s (all values "
				"are equal as %s)", name, m->command, table,
				dtype_name(m->dtype));
	else
		report_headline(r, "%s: '%s' makes %s up to rounding (largest "
				"residual %.2g, explained by %s arithmetic%s)",
				name, m->command, table, m->residual,
				m->dtype == F64 ? "float64" : "float32",
				digits);
}

/* All options of the recipe with the values of the match. */
static void report_options(const struct match *m, struct report *r,
			   struct error *err)
{
	struct table t = { 0 };
	const bool good = recipe_open(&t, m->recipe->name, m->candidate.options,
				      NULL, err);

	report_group(r, "parameters");
	for (const struct option *o = m->recipe->options; good && o->name;
	     o++) {
		char room[OPTION_ROOM];
		const char *text = option_text(o, t.from.options, room);

		if (o->kind == OPTION_FLAG ? option_changed(o, t.from.options)
					   : text[0])
			report_text(r, o->name, "%s", text);
	}
	table_close(&t);
}

static void report_match(const struct match *m, const char *reading,
			 struct report *r, struct error *err)
{
	report_group(r, "scheme");
	report_text(r, "scheme", "%s", m->recipe->name);
	report_text(r, "description", "%s", m->recipe->summary);
	report_text(r, "paper", "%s", m->recipe->paper);
	report_text(r, "command", "%s", m->command);
	if (reading)
		report_text(r, "read_as", "%s", reading);
	report_options(m, r, err);
	report_group(r, "match");
	report_text(r, "dtype", "%s", dtype_name(m->dtype));
	report_flag(r, "exact", m->exact && !m->rounded);
	report_number(r, "largest_residual", m->residual, NULL);
	if (!m->exact || m->rounded)
		report_text(r, "largest_residual_at", "row %zu, column %zu",
			    m->row, m->col);
}

/* Presets that make the same table. */
static void report_presets(const struct search *s, struct report *r,
			   struct error *err)
{
	const struct match *m = &s->matches[0];
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

static void report_ties(const struct search *s, struct report *r)
{
	const char *lines[MAX_MATCHES];

	for (size_t k = 1; k < s->n; k++)
		lines[k - 1] = s->matches[k].command;
	if (s->n > 1)
		report_lines(r, "ties", lines, s->n - 1);
}

/* Run all families on the table; whether there is a match. */
static bool run_families(struct search *s, struct profile *p,
			 const struct table *t)
{
	profile_table(p, t);
	s->profile = p;
	for (size_t k = 0;
	     p->max > p->min && k < sizeof families / sizeof *families; k++)
		if (p->finite ||
		    (p->additive_mask && families[k] == identify_mask))
			families[k](s);
	search_keep_best(s);
	return s->n;
}

/*
 * Run all families on the table in other shapes: with each plane as a row, and
 * transposed. Returns how the table was read if there is a match, or NULL.
 */
static const char *reshape_and_run(struct search *s, struct profile *p,
				   const struct table *t)
{
	struct table flat, transposed;

	if (flatten_planes(&flat, t) && run_families(s, p, &flat))
		return "each plane as one row";
	if (transpose(&transposed, t->planes > 1 ? &flat : t, s->owner,
		      s->err) &&
	    run_families(s, p, &transposed))
		return t->planes > 1 ? "planes as rows, transposed"
				     : "transposed";
	s->verdict = NULL;
	return NULL;
}

static bool identify_report(void *self, const struct table *inputs,
			    struct report *report, struct error *err)
{
	struct profile profile, other;
	struct search search = { .owner = report->owner, .err = err };
	const char *reading = NULL;

	(void)self;
	if (!run_families(&search, &profile, inputs) && !search.verdict)
		reading = reshape_and_run(&search, &other, inputs);
	if (err->text[0])
		return false;
	if (!search.n) {
		report_unrecognized(&profile, search.verdict, report);
		return true;
	}
	report_answer(&search, reading, report);
	report_match(&search.matches[0], reading, report, err);
	report_presets(&search, report, err);
	report_ties(&search, report);
	return true;
}

const struct recipe identify_recipe = {
	.name = "identify",
	.summary = "find the command that made a table",
	.about =
"Finds the command that makes a given table: the encoding, its conventions\n"
"and parameters, and the dtype that the values were rounded to. Each\n"
"candidate is generated and compared with the table, so the command that is\n"
"reported was run. If there is no match, the report says what the values\n"
"look like, and the exit status is 1.\n",
	.details =
"Parameters are estimated from the table: frequencies from the phases of\n"
"column pairs, then positions, base and amplitude. Each is rounded to the\n"
"fewest decimal digits that its error allows. A match is exact if all values\n"
"are equal in some dtype, as printed with --precision, or rounded to\n"
"decimals. A match up to rounding has a largest residual that the rounding of\n"
"float32 or float64 arithmetic explains. Ties are other commands with equally\n"
"good matches. Presets that make the same table are listed.\n"
"\n"
"These candidates are tried. If none matches, they are tried on the table\n"
"with each plane as one row, then on the transposed table:\n"
"  sinusoid   any base, start, step, list of positions and amplitude; all\n"
"             layouts and denominators (shift:X only with base 10000)\n"
"  rope       all outputs, any base, all scalings but longrope (yarn and\n"
"             llama3 with usual factors and training lengths); positions\n"
"             0, 1, ..., or in at most 256 rows any integers up to 32767\n"
"  alibi      slopes and biases in all forms; common wrong slopes are named\n"
"  t5-bucket  any number of buckets, any maximum distance\n"
"  relative   distances; Shaw, Swin, DeBERTa with usual maximum positions\n"
"  grid       all variants and rope --grid, with base 10000, 1000 or 100\n"
"  naive      integers, fractions, bits and one-hot rows\n"
"  mask       causal, window, prefix; segments of up to 512 keys\n"
"  shift      any base and shift\n"
"\n"
"Not tried: embed, whose tables are random or learned; the sinusoids of\n"
"relative; tables made by attend and similarity. 'No match found' means that\n"
"none of the candidates fits, not that no command makes the table.\n",
	.paper = "Vaswani et al. 2017, section 3.5: pairs of columns rotate",
	.example = "posenc identify pe.npy",
	.options = identify_options,
	.size = 1,
	.inputs = 1,
	.report = identify_report,
};
