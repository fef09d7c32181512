/* identify.c: the command that finds which command made a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/before.h"
#include "identify/fit.h"
#include "identify/low_precision.h"
#include "text/words.h"

struct identify {
	const struct table *before;
	double seconds;
};

static const struct option identify_options[] = {
	{ OPTION(struct identify, before), .arg = "TABLE",
	  .help = "queries or keys before a rotary embedding, of which TABLE "
		  "is the result: find the rotation" },
	{ OPTION(struct identify, seconds), .initial = "2.5",
	  .max = 1e9, .role = ROLE_PROGRAM, .arg = "S",
	  .help = "processor time after which no more candidates are tried" },
	{0}
};

/* "exact", "rounding", "close" or "all but few". */
static const char *grade_name(const struct match *m)
{
	static const char *const names[] = {
		[GRADE_CLOSE] = "close",
		[GRADE_ROUNDING] = "rounding",
		[GRADE_EXACT] = "exact",
	};

	return m->wrongs ? "all but few" : names[m->grade];
}

enum { TABLE_ROOM = 160 };

/* What the command of a match makes: "this table, transposed". */
static const char *table_words(const struct match *m,
			       const struct reading *reading,
			       char text[TABLE_ROOM])
{
	const struct table *given = m->candidate.given;
	size_t n = (size_t)snprintf(text, TABLE_ROOM, "%s", reading->text
				    ? reading->made : "this table");

	if (given && given->cols > 1)
		snprintf(text + n, TABLE_ROOM - n, " from its first %zu "
			 "columns", given->cols);
	else if (given)
		snprintf(text + n, TABLE_ROOM - n, " from its first column");
	return text;
}

/* "4 decimals", of values that were rounded as text; or "". */
static const char *digits_words(const struct profile *p, char text[32])
{
	text[0] = '\0';
	if (p->decimals == 0)
		snprintf(text, 32, "integers");
	else if (p->decimals < MAX_DIGITS)
		snprintf(text, 32, "%d decimal%s", p->decimals,
			 &"s"[p->decimals == 1]);
	else if (p->digits < MAX_DIGITS)
		snprintf(text, 32, "%d digits", p->digits);
	return text;
}

/* The answer about a match that is not exact. */
static void report_fit(const struct search *s, const struct reading *reading,
		       struct report *r)
{
	const struct match *m = &s->matches[0];
	const char *residuals = s->residuals.text;
	const bool named = reading->text || m->candidate.given;
	char text[96], digits[32], table[TABLE_ROOM];

	table_words(m, reading, table);
	digits_words(s->profile, digits);
	if (m->grade == GRADE_ROUNDING) {
		report_headline(r, "%s: '%s' makes %s%s up to rounding%s%s "
				"(largest residual %.2g)", m->recipe->name,
				m->command, table, reading->text ? "," : "",
				digits[0] ? " to " : "", digits, m->residual);
		return;
	}
	snprintf(text, sizeof text, ", which %s arithmetic%s%s explain%s",
		 m->dtype == F64 ? "float64" : "float32",
		 digits[0] ? " and rounding to " : "", digits,
		 digits[0] ? "" : "s");
	report_headline(r, "%s: '%s' fits%s%s%s with a root-mean-square "
			"residual of %.2g%s", m->recipe->name, m->command,
			named ? " " : "", named ? table : "",
			named ? "," : "", m->rms,
			m->explained ? text : residuals);
}

/* The answer about a match of all values but a few. */
static void report_wrong(const struct search *s, struct report *r)
{
	const struct match *m = &s->matches[0];
	const char *lines[MOST_WRONG];
	char rest[80] = "", more[32] = "", places[MOST_WRONG][120];

	for (size_t k = 0; k < m->wrongs; k++) {
		const struct wrong *w = &m->wrong[k];

		snprintf(places[k], sizeof places[k], "row %zu, column %zu "
			 "(%.9g, expected %.9g)", w->row, w->col, w->is,
			 w->expected);
		lines[k] = places[k];
	}
	if (!m->exact)
		snprintf(rest, sizeof rest, "; the others fit with a "
			 "root-mean-square residual of %.2g", m->rms);
	if (m->wrongs > 1)
		snprintf(more, sizeof more, " and %zu more", m->wrongs - 1);
	report_headline(r, "%s: '%s' makes all values but %zu of %zu: %s%s%s",
			m->recipe->name, m->command, m->wrongs,
			s->profile->n * s->profile->cols, lines[0], more, rest);
	report_group(r, "wrong");
	report_lines(r, "places", lines, m->wrongs);
}

void report_answer(const struct search *s, const struct reading *reading,
		   struct report *r)
{
	const struct match *m = &s->matches[0];
	const char *name = m->recipe->name;
	char table[TABLE_ROOM], rounded[32];

	table_words(m, reading, table);
	if (m->wrongs)
		report_wrong(s, r);
	else if (m->printed)
		report_headline(r, "%s: '%s' makes exactly %s (all printed "
				"digits are equal)", name, m->command, table);
	else if (m->rounded)
		report_headline(r, "%s: '%s' makes exactly %s when rounded "
				"to %s", name, m->command, table,
				digits_words(s->profile, rounded));
	else if (m->exact)
		report_headline(r, "%s: '%s' makes exactly %s (all %s are "
				"equal as %s)", name, m->command, table,
				s->skip ? "others" : "values",
				dtype_name(m->dtype));
	else
		report_fit(s, reading, r);
}

/* All options of the recipe with the values of the match. */
static void report_options(const struct match *m, struct report *r,
			   struct error *err)
{
	struct table t = { 0 };
	const bool good = recipe_open(&t, m->recipe->name, m->candidate.options,
				      m->candidate.given, err);

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

void report_match(const struct match *m, const struct reading *reading,
		  struct report *r, struct error *err)
{
	report_group(r, "scheme");
	report_text(r, "scheme", "%s", m->recipe->name);
	report_text(r, "description", "%s", m->recipe->summary);
	report_text(r, "paper", "%s", m->recipe->paper);
	report_text(r, "command", "%s", m->command);
	if (reading->text)
		report_text(r, "read_as", "%s", reading->text);
	report_options(m, r, err);
	report_group(r, "match");
	report_text(r, "dtype", "%s", dtype_name(m->dtype));
	report_flag(r, "exact", m->exact && !m->rounded && !m->wrongs);
	report_text(r, "grade", "%s", grade_name(m));
	report_number(r, "rms_residual", m->rms, NULL);
	report_number(r, "largest_residual", m->residual, NULL);
	if (!m->exact || m->rounded)
		report_text(r, "largest_residual_at", "row %zu, column %zu",
			    m->row, m->col);
}

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

/* Report the presets that make the same table as the best match. */
static void report_presets(const struct search *s, struct report *r)
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

/* Report the matches of s by likelihood, or the family of its verdict. */
static void report_candidates(const struct search *s, struct report *r)
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

/* Report the arrangement in a group of its own, if there is more to tell. */
static void report_reading(const struct finding *f, struct report *r)
{
	const struct columns *c = &f->reading.columns;
	const size_t cols = f->search.profile->cols;
	double *from;

	report_group(r, "reading");
	if (f->reading.rests)
		report_lines(r, "rest", f->reading.rest, f->reading.rests);
	if (f->reading.lines) {
		report_numbers(r, f->reading.names[0], f->reading.scale,
			       f->reading.lines);
		report_numbers(r, f->reading.names[1], f->reading.offset,
			       f->reading.lines);
	}
	if (!c->from)
		return;
	from = table_alloc(r->owner, cols, sizeof *from, r->err);
	if (!from)
		return;
	for (size_t j = 0; j < cols; j++)
		from[j] = (double)c->from[j];
	report_numbers(r, "columns", from, cols);
	if (f->reading.flipped)
		report_numbers(r, "signs", c->sign, cols);
}

/* Matches under noise are no ties: their likelihoods differ. */
static void report_ties(const struct search *s, struct report *r)
{
	const char *lines[MAX_MATCHES];

	for (size_t k = 1; k < s->n; k++)
		lines[k - 1] = s->matches[k].command;
	if (s->n > 1 && (s->matches[0].exact || s->matches[0].explained))
		report_lines(r, "ties", lines, s->n - 1);
}

/* What was compared with a table without a match. */
static void report_tried(const struct search *s, struct report *r)
{
	if (!s->tried)
		return;
	report_group(r, "tried");
	report_text(r, "commands", "alibi, enformer, fire, fourier, grid, "
		    "kerple, mask, naive, positions, relative, retnet, rope, "
		    "sandwich, shift, sinusoid, spherical, t5-bucket, "
		    "temperature");
	report_number(r, "candidates", (double)s->tried,
		      "that were near enough to be compared");
}

static bool identify_report(void *self, const struct table *inputs,
			    struct report *report, struct error *err)
{
	/* Not on the stack, which may be small */
	struct finding *found = table_alloc(report->owner, 1, sizeof *found,
					    err);
	const struct identify *s = self;
	struct table t = *inputs;
	/* Rows may be on demand: others are looked at in any order. */
	const bool stays = t.planes == 1 && t.rows > 1 && t.cols > 1 &&
			   t.rows * t.cols > LARGE;

	if (!found || ((s->before || !stays) &&
		       !table_in_memory(&t, inputs, report->owner, err)))
		return false;
	if (s->before)
		return before_report(s->before, &t, s->seconds, report, err);
	if (!find_command_within(found, &t, s->seconds, report->owner, err))
		return false;
	if (found->search.n) {
		report_answer(&found->search, &found->reading, report);
		report_low_precision(&found->search.matches[0], report);
		report_match(&found->search.matches[0], &found->reading, report,
			     err);
		report_presets(&found->search, report);
		report_ties(&found->search, report);
	} else {
		report_unrecognized(&found->profile, found->search.verdict,
				    report);
		if (found->profile.finite)
			report_tried(&found->search, report);
	}
	report_reading(found, report);
	report_candidates(&found->search, report);
	report_stop(&found->search, s->seconds, report);
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
"look like, and the exit status is 1.\n"
"\n"
"A command whose values are nearly those of the table is no match if\n"
"arithmetic and one rounding to the table's dtype or digits do not explain\n"
"the differences: the table has other parameters. The report names it as the\n"
"nearest (grade: near). In a float32 or float64 table, the differences may\n"
"also be noise; then it is a match.\n"
"\n"
"Some values may be wrong: a command that makes all but 1 % of the values,\n"
"and all but 16, is named with their places (grade: all but few); residuals\n"
"are those of the other values. Wrong values are found where they break what\n"
"the others follow: equal values along diagonals, columns that turn or rise\n"
"evenly, or the cells of a grid.\n"
"\n"
"A table is also found without its rows of zeros or NaN, and as rows before\n"
"linear interpolation to twice as many. Usual sinusoids and RoPE tables are\n"
"found when they were scaled or shifted, as a whole or by column or row\n"
"(quantized, standardized, LayerNorm), had values dropped (dropout), or have\n"
"others added that look like noise, such as token embeddings. Masks that no\n"
"command makes are described: padding, attention sinks, masked values.\n"
"\n"
"Divisors of rotary frequencies, such as rope_freqs.weight of a GGUF file,\n"
"are read as the frequencies that they leave, scaled by llama3, linear or\n"
"yarn. The base is the file's, or a usual or round one. If they are only near\n"
"to llama3's, the pairs that differ are listed.\n"
"\n"
"With --json, scheme.command is the command that was found, invocation the\n"
"command line of identify itself.\n",
	.details =
"Parameters are estimated from the table: frequencies from the phases of\n"
"column pairs, then positions, base and amplitude. Each is rounded to the\n"
"fewest decimal digits that its error allows. A match is exact if all values\n"
"are equal in some dtype, as printed with --precision, or rounded to\n"
"decimals. A match up to rounding differs by a unit of the last place or\n"
"digit at most. Others have a residual; float32 or float64 arithmetic is\n"
"named as its cause if it explains all. Ties are other commands with equally\n"
"good matches. Presets of the same table are listed.\n"
"\n"
"If nothing matches up to rounding, parameters are estimated again under\n"
"noise of up to 1 % of the standard deviation. A command fits if\n"
"the values say much more than its options. With 200 values or more the\n"
"residuals are tested: against steps (quantized tables), for rows or columns\n"
"with larger ones, for correlated neighbours, and against the normal and the\n"
"uniform distribution (Kolmogorov-Smirnov, 1 %). A command whose residuals\n"
"are correlated is reported as the nearest only. Candidates are listed with\n"
"likelihoods, under normal noise, and a prior of 10 bits for 3 digits of an\n"
"option.\n"
"\n"
"These candidates are tried. If none matches, they are tried on the table\n"
"rearranged: one row or column as several; one of equal planes; columns\n"
"stored twice; no causal mask; planes as rows or side by side; blocks of rows\n"
"or columns beside others; transposed. Columns of a sinusoid, or of RoPE's\n"
"sines or cosines, are found in any order, with any signs, and as adjacent or\n"
"every second of up to 8192 (usual bases, dims of multiples of 8):\n"
"  sinusoid   any base, start, step, list of positions and amplitude; all\n"
"             layouts and denominators (shift:X only with base 10000)\n"
"  rope       all outputs (decay with usual dims), any base, all scalings but\n"
"             longrope (yarn with usual training lengths, fast=32, slow=1;\n"
"             llama3 with low=1, high=4; proportional without F); positions\n"
"             0, 1, ..., or in at most 256 rows any integers up to 32767\n"
"  mrope      usual sections of three axes, at most 256 rows\n"
"  rounded    both, at positions 0, 1, ..., with frequencies, positions or\n"
"             angles rounded to bfloat16 or float16; the first position is\n"
"             reported whose row is off by more than 0.1 of the amplitude\n"
"  alibi      all forms, some of the heads; usual wrong slopes; no mask\n"
"  kerple, retnet, sandwich (base 10000); fire without --weights\n"
"  enformer   usual functions; spherical of a map\n"
"  temperature  any A and F; start and shift by their sum\n"
"  fourier    nerf, its points in the first columns; perceivers of up to 4\n"
"             axes, whole frequencies up to 4096\n"
"  positions  sequences, grids, up to 512 tokens between padding or documents\n"
"  t5-bucket  any buckets and maximum distance\n"
"  relative   distances; Shaw, Swin, DeBERTa with usual maximum positions\n"
"  grid       all variants, with base 10000, 1000 or 100; rope's presets,\n"
"             also with another --axes, --base, --ntk, --periods, --base-size\n"
"  naive      integers, fractions, bits and one-hot rows; at least 3 rows\n"
"  mask       all kinds, dilated or not; segments, images of up to 512 keys;\n"
"             1, 0 or -inf, or any one value of masked keys; at least\n"
"             9 values, unless some are below -1e4\n"
"  shift      any base and shift\n"
"\n"
"Not tried: embed, whose tables are random or learned; the sinusoids of\n"
"relative; tables of attend and similarity. 'No match found' means that\n"
"none of the candidates fits, not that no command makes the table.\n"
"\n"
"Other sine waves are told by frequencies, mistakes in exponents named.\n"
"A table without a match is tested for independent draws: rows and columns by\n"
"norms, means and correlations, values by repetition and Kolmogorov-Smirnov.\n"
"\n"
"--before finds the rotation that made TABLE from queries or keys: [n, dim],\n"
"[n, heads * dim], [heads, n, dim] or [n, heads, dim]: pairs, heads, base,\n"
"scaling (linear, ntk, yarn, llama3, proportional), direction, rounding and\n"
"positions. 'posenc rope --apply' is run and its table compared.\n"
"Not tried: --grid, --sections and --xpos.\n",
	.paper = "Vaswani et al. 2017, section 3.5: pairs of columns rotate",
	.example = "posenc identify pe.npy",
	.options = identify_options,
	.size = sizeof(struct identify),
	.inputs = 1,
	.on_demand = 1 << 24,  /* its searches take single values anywhere */
	.report = identify_report,
};
