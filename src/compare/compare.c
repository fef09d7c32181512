/* compare.c: posenc compare: the differences of two tables. */
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "identify/identify.h"

bool values_equal(const struct comparison *c, double a, double b)
{
	const double difference = value_difference(a, b);

	/* rtol times an infinite b would tolerate any value */
	return (isfinite(difference) &&
		difference <= c->atol + c->rtol * fabs(b)) ||
	       (c->ulp >= 0 && dtype_ulps(c->dtype, a, b) <= c->ulp);
}

struct compare {
	double atol, rtol;
	struct integer ulp;
	size_t heads;
};

static const struct option compare_options[] = {
	{ OPTION(struct compare, atol), .phrase = "",
	  .initial = "0", .min = 0, .max = 1e300,
	  .arg = "X", .help = "absolute tolerance" },
	{ OPTION(struct compare, rtol), .phrase = "",
	  .initial = "0", .min = 0, .max = 1e300,
	  .arg = "X", .help = "relative tolerance, as a factor of B's value" },
	{ OPTION(struct compare, ulp), .phrase = "",
	  .min = 0, .max = 0x1p52, .arg = "N",
	  .help = "also tolerate up to N units in the last place of the less "
		  "precise dtype (default: off)" },
	{ OPTION(struct compare, heads), .min = 1, .max = 0x1p31,
	  .one = "head", .many = "heads", .arg = "H",
	  .help = "number of heads, where they are permuted (default: any)" },
	{0}
};

/* A value, a difference, at one place. */
static void update_peak(struct peak *p, double x, size_t row, size_t col)
{
	if (x > p->value)
		*p = (struct peak){ x, row, col };
}

/* The largest differences of rows and columns are in c->row_most, col_most. */
static void measure_value(struct comparison *c, size_t i, size_t j, double a,
			  double b)
{
	const double difference = value_difference(a, b);

	if (!(difference > 0))
		return;
	c->differing++;
	c->outside += !values_equal(c, a, b);
	c->nans += isnan(a) || isnan(b);
	c->sum += difference;
	update_peak(&c->absolute, difference, i, j);
	update_peak(&c->relative, difference / fabs(b), i, j);
	update_peak(&c->ulps, dtype_ulps(c->dtype, a, b), i, j);
	c->row_most[i] = fmax(c->row_most[i], difference);
	c->col_most[j] = fmax(c->col_most[j], difference);
}

/* How many values of x [n] are above 0; worst is where the largest is. */
static size_t count_positive(const double *x, size_t n, size_t *worst)
{
	size_t count = 0;

	*worst = 0;
	for (size_t i = 0; i < n; i++) {
		*worst = x[i] > x[*worst] ? i : *worst;
		count += x[i] > 0;
	}
	return count;
}

static bool measure(struct comparison *c, struct table *owner,
		    struct error *err)
{
	const size_t rows = c->a->planes * c->a->rows;

	c->row_most = table_alloc(owner, rows, sizeof *c->row_most, err);
	c->col_most = table_alloc(owner, c->a->cols, sizeof *c->col_most, err);
	if (!c->row_most || !c->col_most)
		return false;
	c->absolute.value = 0;
	for (size_t i = 0; i < rows; i++) {
		const double *a = row_of(c->a, i), *b = row_of(c->b, i);

		if (memcmp(a, b, c->a->cols * sizeof *a) == 0)
			continue;
		for (size_t j = 0; j < c->a->cols; j++)
			measure_value(c, i, j, a[j], b[j]);
	}
	c->row_count = count_positive(c->row_most, rows, &c->worst_row);
	c->col_count = count_positive(c->col_most, c->a->cols, &c->worst_col);
	return true;
}

struct finite finite_values(const struct table *t)
{
	struct finite f = { .low = (double)INFINITY,
			    .high = -(double)INFINITY };
	double n = 0, sum = 0, squares = 0, some = 0;

	for (size_t i = 0; i < t->planes * t->rows; i++) {
		const double *x = row_of(t, i);

		for (size_t j = 0; j < t->cols; j++) {
			if (!isfinite(x[j]))
				continue;
			some = n > 0 ? some : x[j];
			f.low = x[j] < f.low ? x[j] : f.low;
			f.high = x[j] > f.high ? x[j] : f.high;
			sum += x[j] - some;
			squares += (x[j] - some) * (x[j] - some);
			n++;
		}
	}
	f.largest = n > 0 ? fmax(fabs(f.low), fabs(f.high)) : 0;
	f.deviation = n > 0 ? sqrt(fmax(0, squares / n - sum / n * (sum / n)))
			    : 0;
	return f;
}

const char *shape_words(const struct table *t, char text[SHAPE_TEXT])
{
	const bool folded = t->planes != 1 && t->outer_rank > 1;
	const size_t *outer = folded ? t->outer : &t->planes;
	size_t n = 0;

	for (size_t i = 0; t->planes != 1 && i < (folded ? t->outer_rank : 1);
	     i++)
		n += (size_t)snprintf(text + n, SHAPE_TEXT - n, "%zu x ",
				      outer[i]);
	snprintf(text + n, SHAPE_TEXT - n, "%zu x %zu", t->rows, t->cols);
	return text;
}

bool same_shape(const struct table *a, const struct table *b)
{
	char x[SHAPE_TEXT], y[SHAPE_TEXT];

	return strcmp(shape_words(a, x), shape_words(b, y)) == 0;
}

/* ---- what is measured where no command is found for both: noise, signs */

enum {
	LINES = 8,             /* rows and columns that tests of noise need */
	MOST_NOISE = 1 << 18, /* of more, the first rows are measured */
	CERTAIN = 4,           /* standard errors that noise may be off by */
};

/*
 * Whether the noisy table is the plain one with small, normal differences
 * that have no mean, and nothing in common with its values.
 */
static bool add_noise(const struct comparison *c, bool back,
		      char text[SENTENCE])
{
	const struct table *plain = back ? c->b : c->a;
	const struct table *noisy = back ? c->a : c->b;
	const char *x = back ? "B" : "A", *y = back ? "A" : "B";
	const double deviation = finite_values(plain).deviation;
	const size_t all = table_size(plain);
	const size_t n = all < MOST_NOISE ? all : MOST_NOISE;
	double mean = 0, centre = 0, square = 0, common = 0, sd, few;
	struct table room = { 0 }, d = *plain;
	struct error err = { 0 };
	double *e = table_alloc(&room, n, sizeof *e, &err);
	bool noise = e && 2 * c->differing > all;

	for (size_t k = 0; noise && k < n; k++) {
		const double from = value_of(plain, k);

		e[k] = value_of(noisy, k) - from;
		mean += e[k] / (double)n;
		centre += from / (double)n;
		square += e[k] * e[k] / (double)n;
		common += e[k] * from / (double)n;
	}
	common -= mean * centre;
	sd = sqrt(square);
	few = CERTAIN * sd / sqrt((double)n);
	d.planes = 1;
	d.cols = d.cols < LINES || n / d.cols < LINES ? LINES : d.cols;
	d.rows = n / d.cols;
	table_dense(&d, e);
	noise = noise && d.rows && sd > 0 && 2 * sd <= deviation &&
		fabs(mean) <= few && fabs(common) <= few * deviation &&
		looks_like_noise(&d, &room, &err);
	table_close(&room);
	if (noise)
		add(text, "%s is near %s: %s - %s looks like normal noise "
			  "with a standard deviation of %.2g (%.2g %% of %s's "
			  "variance)", y, x, y, x, sd,
		    100 * square / (deviation * deviation), x);
	return noise;
}

bool same_magnitudes(const struct comparison *c)
{
	for (size_t i = 0; i < c->a->planes * c->a->rows; i++)
		for (size_t j = 0; j < c->a->cols; j++)
			if (value_difference(fabs(row_of(c->a, i)[j]),
					     fabs(row_of(c->b, i)[j])) > 0)
				return false;
	return true;
}

/* Values that differ in their signs; or of which one table has none. */
static void add_signs(const struct comparison *c, char text[SENTENCE])
{
	if (!(finite_values(c->b).low < 0))
		add(text, "B is the absolute values of A");
	else if (!(finite_values(c->a).low < 0))
		add(text, "A is the absolute values of B");
	else
		add(text, "B is A with the signs of %zu values changed",
		    c->differing);
}

/*
 * A clause about tables of one shape: "B is near A: B - A looks like normal
 * noise ...", or about signs or constants, or nothing.
 */
void add_measured(const struct comparison *c, char text[SENTENCE])
{
	const struct finite a = finite_values(c->a), b = finite_values(c->b);

	if (!c->shaped)
		return;
	if (table_size(c->a) > 1 && a.low >= a.high && b.low >= b.high &&
	    !c->nans && isfinite(c->absolute.value))
		add(text, "all values of A are %.9g, those of B %.9g", a.low,
		    b.low);
	else if (same_magnitudes(c))
		add_signs(c, text);
	else if (!add_noise(c, false, text))
		add_noise(c, true, text);
}

/* ---- the report */

static void add_differences(struct report *r, const struct comparison *c)
{
	const double n = (double)table_size(c->a);

	report_group(r, "differences");
	report_number(r, "values", n, NULL);
	report_number(r, "differing", (double)c->differing, NULL);
	report_number(r, "over_tolerance", (double)c->outside, NULL);
	if (!c->differing)
		return;
	report_place(r, "largest_absolute", c->absolute.value, c->absolute.row,
		     c->absolute.col);
	report_text(r, "values_there", "%.9g in A, %.9g in B",
		    row_of(c->a, c->absolute.row)[c->absolute.col],
		    row_of(c->b, c->absolute.row)[c->absolute.col]);
	report_place(r, "largest_relative", c->relative.value, c->relative.row,
		     c->relative.col);
	report_place(r, "largest_ulp", c->ulps.value, c->ulps.row, c->ulps.col);
	report_text(r, "ulp_dtype", "%s", dtype_name(c->dtype));
	report_number(r, "mean_absolute", c->sum / n, NULL);
	report_number(r, "rows_differing", (double)c->row_count, NULL);
	report_number(r, "worst_row", (double)c->worst_row, NULL);
	report_number(r, "columns_differing", (double)c->col_count, NULL);
	report_number(r, "worst_column", (double)c->worst_col, NULL);
}

enum {
	SHARE = 100,  /* one of so many values may differ, */
	MOST = 16,    /* and so many at most */
	LISTED = 4,   /* in the headline */
};

/* The values beyond the tolerance; returns how many. A file may change. */
static size_t list_places(const struct comparison *c, struct report *r,
			  const char *places[MOST])
{
	const size_t rows = c->a->planes * c->a->rows;
	size_t n = 0;

	for (size_t i = 0; i < rows && n < MOST; i++) {
		const double *a = row_of(c->a, i), *b = row_of(c->b, i);
		const bool same = memcmp(a, b, c->a->cols * sizeof *a) == 0;

		for (size_t j = 0; j < c->a->cols && !same && n < MOST; j++) {
			char text[SENTENCE] = "";

			if (values_equal(c, a[j], b[j]))
				continue;
			add(text, "row %zu, column %zu (%.9g in A, %.9g in B)",
			    i, j, a[j], b[j]);
			places[n++] = table_copy(r->owner, text, r->err);
		}
	}
	return n;
}

bool explain_few(const struct comparison *c, struct report *r,
		 char text[SENTENCE])
{
	const char **places;
	size_t n;

	text[0] = '\0';
	if (c->outside > MOST || c->outside > table_size(c->a) / SHARE)
		return false;
	places = table_alloc(r->owner, MOST, sizeof *places, r->err);
	n = places ? list_places(c, r, places) : 0;
	if (r->err->text[0])
		return false;
	add(text, "%zu of %zu values: ", n, table_size(c->a));
	for (size_t k = 0; k < n && k < LISTED; k++)
		add(text, "%s%s", k ? "; " : "", places[k]);
	if (n > LISTED)
		add(text, "; and %zu more", n - LISTED);
	report_group(r, "explanation");
	report_lines(r, "places", places, n);
	return true;
}

/*
 * The headline of a difference that no simple change explains; commands is a
 * clause about the commands that make the tables, or empty.
 */
static void headline_different(struct report *r, const struct comparison *c,
			       const char *commands)
{
	char more[SENTENCE] = "", measured[SENTENCE] = "";

	if (c->row_count == 1)
		add(more, "in row %zu, ", c->worst_row);
	else if (c->col_count == 1)
		add(more, "in column %zu, ", c->worst_col);
	if (c->nans)
		add(more, "%zu of them NaN in one table only", c->nans);
	else
		add(more, "largest difference %.3g", c->absolute.value);
	add_measured(c, measured);
	report_headline(r, "different: %zu of %zu values, %s%s%s%s%s",
			c->outside, table_size(c->a), more,
			measured[0] ? "; " : "", measured,
			commands[0] ? "; " : "", commands);
}

/* The reason is what turns A into B; command does that, unless it is NULL. */
static void headline_explained(struct report *r, const struct comparison *c,
			       const char *reason, const char *command)
{
	const char *verdict = c->shaped ? "different, but explained: "
					: "different shapes, but explained: ";

	report_headline(r, "%s%s%s%s%s", verdict, reason,
			command ? "; 'posenc " : "", command ? command : "",
			command ? "' does that" : "");
	if (r->headline)
		r->reason = r->headline + strlen(verdict);
}

/* The explanation as a sentence, then as facts. */
static void add_explanation(struct report *r, const struct comparison *c,
			    const struct explanation *e)
{
	char reason[SENTENCE] = "";

	add(reason, "%s", e->text);
	if (e->residual > 0)
		add(reason, ", to within %.2g", e->residual);
	headline_explained(r, c, reason, e->command);
	report_group(r, "explanation");
	report_number(r, "remaining_difference", e->residual, NULL);
	if (e->heads) {
		report_number(r, "heads", (double)e->heads, NULL);
		report_number(r, "head_dim", (double)e->head_dim, NULL);
		report_number(r, "rotary_dim", (double)e->rotary_dim, NULL);
	}
	if (e->command)
		report_text(r, "command", "posenc %s", e->command);
	if (e->order)
		report_numbers(r, e->order_of, e->order, e->n);
	if (e->ties)
		report_lines(r, "also", e->also, e->ties);
}

enum { MOST_VALUES = 1 << 22 };  /* of a table, to be identified quickly */

/*
 * What the commands of both tables say, or of their difference; these are
 * searched in memory, if the tables are small.
 */
static void add_commands(struct report *r, const struct comparison *c)
{
	const bool small = table_size(c->a) <= MOST_VALUES &&
			   table_size(c->b) <= MOST_VALUES;
	struct comparison here = *c;
	struct table a, b;
	char commands[SENTENCE] = "", sum[SENTENCE];
	char x[SHAPE_TEXT], y[SHAPE_TEXT];

	here.a = &a;
	here.b = &b;
	if (!small) {
		report_group(r, "commands");
		report_text(r, "not_tried", "to identify tables of more than "
			    "%d values", MOST_VALUES);
	} else if (!table_in_memory(&a, c->a, r->owner, r->err) ||
		   !table_in_memory(&b, c->b, r->owner, r->err)) {
		return;
	}
	if (small && explain_identified(&here, r, commands))
		report_headline(r, "different%s: %s", c->shaped ? ""
				: " shapes", commands);
	else if (small && !commands[0] && (explain_rotated(&here, r, sum) ||
					   explain_added(&here, r, sum)))
		headline_explained(r, c, sum, NULL);
	else if (c->shaped)
		headline_different(r, c, commands);
	else
		report_headline(r, "different shapes: %s and %s%s%s",
				shape_words(c->a, x), shape_words(c->b, y),
				commands[0] ? "; " : "", commands);
}

/* Tables that are not equal. */
static bool add_reason(struct report *r, const struct comparison *c,
		       struct error *err)
{
	char places[SENTENCE];
	struct explanation e;

	if (explain(c, &e, r->owner, err))
		add_explanation(r, c, &e);
	else if (c->shaped && explain_few(c, r, places))
		report_headline(r, "different: %s", places);
	else
		add_commands(r, c);
	report_group(r, "explanation");
	if (e.stopped)
		report_text(r, "search", "ended early, some explanations were "
			    "not tried");
	return !err->memory;
}

/* A tolerance as large as the values differ among themselves says little. */
static void headline_tolerated(struct report *r, const struct comparison *c)
{
	const double spread = fmax(finite_values(c->a).deviation,
				   finite_values(c->b).deviation);
	char more[SENTENCE] = "";

	if (spread > 0 && c->absolute.value > spread)
		add(more, ", more than the standard deviation of either table "
			  "(%.3g)", spread);
	report_headline(r, "equal within the tolerance: largest difference "
			"%.3g%s", c->absolute.value, more);
}

static bool compare_report(void *self, const struct table *inputs,
			   struct report *r, struct error *err)
{
	const struct compare *s = self;
	const struct table *a = &inputs[0], *b = &inputs[1];
	const bool integers = dtype_integer(a->dtype) ||
			      dtype_integer(b->dtype);
	char shape[SHAPE_TEXT];
	struct comparison c = {
		.a = a, .b = b,
		.dtype = (a->dtype < b->dtype) == integers ? a->dtype
							   : b->dtype,
		.atol = s->atol, .rtol = s->rtol,
		.ulp = s->ulp.given ? (double)s->ulp.value : -1,
		.heads = s->heads,
		.shaped = same_shape(a, b),
		.absolute.value = (double)INFINITY,
	};

	if (c.shaped && s->heads && a->rows % s->heads && a->cols % s->heads)
		return fail(err, "--heads must divide the %zu rows or the %zu "
			    "columns, got %zu", a->rows, a->cols, s->heads);
	report_group(r, "tables");
	for (int k = 0; k < 2; k++)
		report_text(r, k ? "B" : "A", "%s %s  %s",
			    shape_words(&inputs[k], shape),
			    dtype_name(inputs[k].dtype),
			    inputs[k].from.command);
	if (c.shaped && !measure(&c, r->owner, err))
		return false;
	if (c.shaped)
		add_differences(r, &c);
	r->no = !c.shaped || c.outside;
	if (r->no)
		return add_reason(r, &c, err);
	if (!c.differing)
		report_headline(r, "equal: all %zu values are the same",
				table_size(a));
	else
		headline_tolerated(r, &c);
	return true;
}

/* ---- figures: the differences as a table */

enum { PIECE = 512 };  /* values of a row at once */

/*
 * B - A of values first to at most first + PIECE - 1 of row i of a pair of
 * tables to out [PIECE], 0 where they are equal infinities or NaN; returns how
 * many there are.
 */
static size_t differences(const struct table *pair, size_t i, size_t first,
			  double *out)
{
	const size_t left = pair->cols - first;
	const size_t n = left < PIECE ? left : PIECE;
	double a[PIECE];

	table_part(&pair[0], i, first, n, a);
	table_part(&pair[1], i, first, n, out);
	for (size_t j = 0; j < n; j++)
		out[j] = value_difference(a[j], out[j]) > 0 ? out[j] - a[j] : 0;
	return n;
}

static const double *difference_row(const struct table *t, size_t i,
				    double *scratch)
{
	for (size_t j = 0; j < t->cols;)
		j += differences(t->state, i, j, scratch + j);
	return scratch;
}

/* The largest and the mean magnitude of the differences of a row. */
static const double *magnitudes_row(const struct table *t, size_t i,
				    double *scratch)
{
	const struct table *pair = t->state;
	double sum = 0, most = 0, d[PIECE];

	for (size_t first = 0, n; first < pair->cols; first += n) {
		n = differences(pair, i, first, d);
		for (size_t j = 0; j < n; j++) {
			/* NaN in one of them is infinitely far away */
			const double x = isnan(d[j]) ? (double)INFINITY
						     : fabs(d[j]);

			sum += x;
			most = fmax(most, x);
		}
	}
	scratch[0] = most;
	scratch[1] = sum / (double)pair->cols;
	return scratch;
}

/* The table of figures: struct recipe's draw(). */
static bool compare_draw(void *self, const struct table *inputs, bool lines,
		  struct table *t, struct error *err)
{
	static const char *const magnitudes[] = { "largest", "mean" };
	const struct table *a = inputs, *b = inputs + 1;
	char x[SHAPE_TEXT], y[SHAPE_TEXT];

	(void)self;
	if (!same_shape(a, b))
		return fail(err, "a figure shows the differences of tables of "
			    "one shape, got %s and %s", shape_words(a, x),
			    shape_words(b, y));
	t->title = lines ? "|B \xe2\x88\x92 A| by row" : "B \xe2\x88\x92 A";
	t->value = "difference";
	t->planes = lines ? 1 : a->planes;
	t->rows = lines ? a->planes * a->rows : a->rows;
	t->cols = lines ? 2 : a->cols;
	t->plane_axis = a->plane_axis;
	t->row_axis = a->row_axis;
	t->col_axis = lines ? (struct axis){ .name = "magnitude", .step = 1,
					     .names = magnitudes }
			    : a->col_axis;
	t->row = lines ? magnitudes_row : difference_row;
	t->state = inputs;
	return true;
}

const struct recipe compare_recipe = {
	.name = "compare",
	.summary = "how two tables differ, and what explains it",
	.about =
"Says whether two tables are equal within a tolerance, how much they differ\n"
"and where. If a simple change turns A into B, such as another order of\n"
"columns, it is named. Otherwise both tables are identified, and the options\n"
"in which their commands differ are named. If not both are known, signs that\n"
"differ or normal noise are named: B - A that has nothing in common with its\n"
"neighbours, nor with the values of one table. The exit status is 0 if the\n"
"tables are equal within the tolerance, else 1. Figures come with the report.\n"
"They show B - A; with --plot lines, the largest and mean |B - A| of rows.\n"
"A and B may also be models: folders with config.json and weights, GGUF\n"
"files, or other files of several tensors. The exit status is 0 if their\n"
"positions are the same, whatever the container, else 1.\n",
	.details =
"Values a of A and b of B are equal if |a - b| <= atol + rtol |b|, or if they\n"
"are at most --ulp N units in the last place of the less precise dtype apart.\n"
"NaN equals NaN. Tables whose shapes differ are different; leading dimensions\n"
"of 1 do not count.\n"
"\n"
"These explanations are tried. Shapes: the same values in the same order;\n"
"axes exchanged, also after reshaping, as [height, width, channels] to\n"
"[channels, height, width]; one table is the other resized, as a grid or a\n"
"sequence, by posenc resize with an offset of 0 or 0.1 and up to 8 rows that\n"
"stay in front; or a part of the other, or every second to 64th row of it, or\n"
"all but few rows.\n"
"Columns: split, interleaved, swapped, reversed. Heads: rows or columns\n"
"permuted within each head between half and interleaved order, all or the\n"
"first of each head. Values: A rounded to another dtype, or A is B rounded; A\n"
"truncated to a dtype, or rounded to decimals or cut off after them; with\n"
"every sign changed, or those of some rows or columns; times a factor, plus a\n"
"number, or both; with factors of rows or columns, numbers added to columns,\n"
"or rows or columns set to 0; clipped; a value replaced. Rows: reversed,\n"
"shifted, repeated (positions clamped or modulo), cells of a grid\n"
"transposed. Any order: planes, rows or columns permuted; rows or columns\n"
"regrouped, such as [heads, 3, dim] to [3, heads, dim]. Two changes at a\n"
"time: axes exchanged, and columns, heads, groups or values changed.\n"
"\n"
"All values must agree. The difference that remains must be at most 1/1000 of\n"
"the largest difference and of the largest absolute value of B, or within the\n"
"tolerance and 1/8 of B's standard deviation. Where shapes change, 3/4 of the\n"
"values of B other than 0 and the largest must agree to about 1/100 of their\n"
"median, too. The explanation with the smallest remaining difference is\n"
"named; others that are exact, too, are listed as also. Shifted rows leave\n"
"the first or last rows unexplained, at most half of them. The search says if\n"
"it ends early.\n"
"\n"
"If there is none, and at most 1 % of the values and 16 differ by more than\n"
"the tolerance, they are listed. Otherwise both tables are identified, as by\n"
"posenc identify. Of several commands, those that differ least are taken.\n"
"M-RoPE's sections one after another are found beside a table with\n"
"interleaved ones. If neither is identified, a rotary embedding that makes B\n"
"of A is searched, as by posenc identify --before, or two of one table, one\n"
"of them with a usual base and no scaling; then B - A and A - B are\n"
"identified: so positions that were added twice are reported.\n"
"\n"
"Not identified: tables of more than 4194304 values.\n"
"\n"
"Of models these are compared. Configurations, config.json or the keys of\n"
"GGUF, in what they mean: kind of positions, base, rotary dimensions,\n"
"scaling, sections, types of layers, masks, factors of queries by position,\n"
"factors and caps of logits; frequencies are equal to a factor of 1e-6.\n"
"Tables of positions and stored frequencies, as above. The order of rows of\n"
"query and key weights: where one\n"
"model rotates halves and the other one neighbours, those that rotate must be\n"
"permuted within each head, those of keys in the number of key-value heads,\n"
"else not. Queries, keys and values in one tensor of one model are split\n"
"where its code is known to split them. Other tensors. They are matched by\n"
"their names in transformers, in Meta's files and in GGUF; of several stacks\n"
"of layers, as an encoder and a decoder, those of the same name. A weight\n"
"that is the other one rounded to its dtype or to blocks, is equal.\n"
"\n"
"The first line says 'the same positions and weights' if all tensors that\n"
"both have are equal, 'the same positions' if other weights differ, 'not the\n"
"same positions' with the first reason, or 'not known whether the positions\n"
"are the same': if a configuration is missing or of an unknown model type, if\n"
"it does not say which layers have a window, if keys of masks differ where no\n"
"layer rotates, if the numbers of heads differ, or if rows of query and key\n"
"weights are in no known order or of a type that posenc does not read.\n"
"Another length of context alone is no other position.\n",
	.paper = "tolerances as in numpy.allclose with equal_nan",
	.example = "posenc compare pe.npy other.npy --atol 1e-6",
	.options = compare_options,
	.size = sizeof(struct compare),
	.inputs = 2,
	.on_demand = 1,
	.report = compare_report,
	.draw = compare_draw,
};
