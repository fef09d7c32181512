/* before.c: which rotary embedding turned one table into another. */
#include <math.h>
#include <stdio.h>

#include "identify/before.h"
#include "identify/budget.h"
#include "identify/low_precision.h"

static const char *const equal_words[] = {
	"all values are equal as float64",
	"all values are equal as float32",
	"all values are equal as float16",
	"all values are equal as bfloat16",
};

/* The root mean square of the residuals, relative. */
static double relative_size(const struct check *c)
{
	return check_rms(c) / (c->b->length * c->b->amp);
}

/* How values are equal, or NULL; in more the option of the command's dtype. */
static const char *equality(const struct check *c, const struct table *made,
			    char more[32])
{
	more[0] = '\0';
	for (int d = 0; d <= BF16; d++)
		if (c->equal[d]) {
			if (d != (int)made->dtype)
				snprintf(more, 32, " --dtype %s",
					 dtype_name((enum dtype)d));
			return equal_words[d];
		}
	if (!c->printed) {
		if (c->stored == F64 && relative_size(c) < FLOAT32_NOISE)
			snprintf(more, 32, " --dtype float64");
		return NULL;
	}
	snprintf(more, 32, " --precision %d", c->digits);
	return "all printed digits are equal";
}

/*
 * Whether arithmetic with a relative error explains the residuals of values
 * stored as float64 or float32. Errors of angles change no lengths.
 */
static bool is_arithmetic(const struct check *c, double error)
{
	return relative_size(c) <= error * (4 + before_farthest(c->b)) &&
	       c->stored <= F32 && c->b->noise <= 0x1p-22;
}

/* Whether the values are of dtype d, not integers that it has, too. */
static bool is_stored(const struct check *c, enum dtype d)
{
	return c->stored == d && (!c->integers || c->dtype == d);
}

/* What the residual looks like, ", explained by ...", or "". */
static const char *explanation(const struct check *c)
{
	const double size = relative_size(c);
	const double kurtosis =
		c->fourth * (double)c->differ / (c->squares * c->squares);

	if (is_arithmetic(c, 0x1p-53))
		return ", explained by float64 arithmetic";
	if (is_arithmetic(c, 0x1p-24))
		return ", explained by float32 arithmetic";
	if (c->integers && c->largest <= 0.5)
		return ", explained by rounding to integers";
	if (is_stored(c, F16) && size <= 0x1p-10)
		return ", explained by float16 arithmetic";
	if (is_stored(c, BF16) && size <= 0x1p-7)
		return ", explained by bfloat16 arithmetic";
	if (c->differ > 200 && fabs(kurtosis - 3) < 0.3)
		return ", which looks like Gaussian noise";
	return "";
}

/* What the command makes: the table, or one whose columns are reordered. */
static const char *table_words(const struct before *b, char text[120])
{
	snprintf(text, 120, "this table");
	if (b->order.dim)
		snprintf(text, 120,
			 "this table with the columns of each head of %zu "
			 "reordered from %s",
			 b->order.dim,
			 b->order.halves ? "half to interleaved"
					 : "interleaved to half");
	return text;
}

/* The answer, and the command as a fact. */
static void report_command(const struct check *c, const struct table *made,
			   struct report *r)
{
	const char *command = made->from.command;
	char more[32], words[130] = " ";
	const char *equal = equality(c, made, more);

	table_words(c->b, words + 1);
	if (equal)
		report_headline(r, "rope: '%s%s' makes exactly %s (%s)",
				command, more, words + 1, equal);
	else if (c->adjacent)
		report_headline(r,
				"rope: '%s%s' makes %s up to rounding "
				"(largest residual %.2g)",
				command, more, words + 1, c->largest);
	else
		report_headline(r,
				"rope: '%s%s' fits%s with a root-mean-square "
				"residual of %.2g%s",
				command, more, c->b->order.dim ? words : "",
				check_rms(c), explanation(c));
	report_group(r, "scheme");
	report_text(r, "scheme", "rope");
	report_text(r, "command", "%s%s", command, more);
	if (c->b->order.dim)
		report_text(r, "read_as", "%s", words + 1);
}

static void report_made(const struct check *c, const struct table *made,
			struct report *r)
{
	char more[32];
	const char *equal = equality(c, made, more);

	report_command(c, made, r);
	report_group(r, "match");
	report_text(r, "dtype", "%s", dtype_name(c->dtype));
	report_flag(r, "exact", equal);
	report_text(r, "grade", "%s",
		    equal	  ? "exact"
		    : c->adjacent ? "rounding"
				  : "close");
	if (equal)
		return;
	report_number(r, "largest_residual", c->largest, NULL);
	report_text(r, "largest_residual_at", "row %zu, column %zu", c->row,
		    c->col);
	report_number(r, "rms_residual", check_rms(c), NULL);
}

/* Pairs in words: "k and k + 32". */
static const char *pairs_words(const struct before *b, char text[80])
{
	if (b->pairing == PAIRING_HALF)
		snprintf(text, 80, "half: k and k + %zu", b->pairs);
	else if (b->pairing == PAIRING_INTERLEAVED)
		snprintf(text, 80, "interleaved: 2k and 2k + 1");
	else
		snprintf(text, 80,
			 "heads rotate by different angles, pairs as of %zu "
			 "and %zu",
			 b->column_pairs[0].a, b->column_pairs[0].b);
	return text;
}

/* What is known of the rotation, with or without a command. */
static void report_rotation(const struct before *b, struct report *r)
{
	char text[80];

	report_group(r, "rotation");
	report_text(r, "pairs", "%s", pairs_words(b, text));
	report_number(r, "head_dim", (double)b->dim, NULL);
	if (b->heads > 1)
		report_number(r, "heads_side_by_side", (double)b->heads, NULL);
	report_text(r, "rotating", "dimensions %zu to %zu of a head", b->offset,
		    b->offset + b->rotary - 1);
	report_text(r, "positions_along", "%s", b->planes ? "planes" : "rows");
	report_number(r, "factor_of_lengths", b->amp, NULL);
	report_number(r, "noise_of_lengths", b->noise, "relative");
}

/* The factor c that makes y nearest to c x, or 0 if it is not near. */
static double factor_of_all(const struct before *b)
{
	const size_t n = b->rows * b->cols;
	const double *x = b->x->row(b->x, 0, NULL);
	const double *y = b->y->row(b->y, 0, NULL);
	double xx = 0, xy = 0, left = 0;

	for (size_t i = 0; i < n; i++) {
		xx += x[i] * x[i];
		xy += x[i] * y[i];
	}
	for (size_t i = 0; i < n; i++)
		left += pow(y[i] - xy / xx * x[i], 2);
	return left <= 1e-4 * xy * xy / xx ? xy / xx : 0;
}

/* The report where pairs rotate by angles of no law, if they do. */
static void report_no_law(const struct before *b, struct report *r)
{
	const double factor = factor_of_all(b);
	char text[80];

	r->no = true;
	if (fabs(factor) > 0) {
		report_headline(r,
				"no match found: nothing rotates; TABLE is "
				"%.4g times the table before, with a relative "
				"residual below 0.01",
				factor);
		return;
	}
	if (!before_is_rotation(b)) {
		report_headline(r, "no match found: too few values to tell a "
				   "rotation from other changes");
		return;
	}
	report_headline(r,
			"no match found: pairs of columns rotate (%s), but "
			"no formula gives their angles",
			pairs_words(b, text));
	report_rotation(b, r);
	if (b->first < b->last)
		report_numbers(r, "frequencies", b->w, b->pairs);
}

/* What a law of low precision rounds, and from where on it matters. */
static void report_rounding(const struct law *law, struct report *r)
{
	char options[400];
	const struct match match = {
		.recipe = recipe_find("rope", r->err),
		.candidate = { .recipe = "rope", .options = options },
	};

	snprintf(options, sizeof options, "dim=%zu len=1 %s", law->rotary,
		 law->text);
	report_low_precision(&match, r);
}

static void report_law(const struct before *b, const struct law *law,
		       const struct check *c, const struct table *made,
		       struct report *r)
{
	report_made(c, made, r);
	report_rotation(b, r);
	report_text(r, "direction", "%s", b->reversed ? "reversed" : "usual");
	if (b->even)
		report_text(r, "positions", "%.0f, step %.0f", b->at[0],
			    b->n > 1 ? b->at[1] - b->at[0] : 1);
	else
		report_numbers(r, "positions", b->at, b->n);
	report_rounding(law, r);
}

/*
 * The law whose command makes the table with the smallest residual, the first
 * among nearly equal ones; of large tables, the first that makes it. Errors of
 * frequencies in float32 are like those of an odd base: it must make half of
 * the residual. The first is tried whatever the time.
 */
static size_t best_law(struct before *b)
{
	const bool large = b->rows * b->cols > 1 << 20;
	size_t best = b->law_count;
	double least = HUGE_VAL, below = 0.95;

	for (size_t k = 0;
	     k < b->law_count && (k == 0 || !search_over(&b->budget)); k++) {
		struct table made = {0};
		struct check c;

		if (before_positions(b, &b->laws[k]) &&
		    before_check(b, &b->laws[k], &made, &c) &&
		    check_rms(&c) < below * least) {
			least = check_rms(&c);
			below = law_is_usual(b->laws[k].text) &&
						is_arithmetic(&c, 0x1p-24)
					? 0.5
					: 0.95;
			best = k;
		}
		table_close(&made);
		if (best < b->law_count && large)
			break;
	}
	return best;
}

/*
 * Report the best law that makes the table, or makes exactly it; false if there
 * is none.
 */
static bool try_laws(struct before *b, bool exactly, struct report *r)
{
	const size_t best = best_law(b);
	struct table made = {0};
	struct check c;
	char more[32];
	bool good;

	if (best == b->law_count)
		return false;
	/* The same as when the law was found to be the best. */
	before_positions(b, &b->laws[best]);
	good = before_check(b, &b->laws[best], &made, &c) &&
	       (!exactly || equality(&c, &made, more));
	if (good)
		report_law(b, &b->laws[best], &c, &made, r);
	table_close(&made);
	return good;
}

static bool find_law(struct before *b, struct report *r)
{
	return b->pairing != PAIRING_OTHER &&
	       ((before_laws(b) && try_laws(b, true, r)) ||
		(before_any_laws(b) && try_laws(b, false, r)) ||
		(before_low_precision(b) && try_laws(b, false, r)) ||
		(before_usual(b) && try_laws(b, false, r)));
}

bool before_measurable(const struct table *t)
{
	const double *x = t->row(t, 0, NULL);
	double most = 0;

	for (size_t i = 0; i < t->planes * t->rows * t->cols; i++) {
		if (!(fabs(x[i]) < 0x1p500))
			return false;
		most = fmax(most, fabs(x[i]));
	}
	return most >= 0x1p-250 || most <= 0;
}

/* Both must have one shape and values that can be measured. */
static bool check_tables(const struct table *x, const struct table *y,
			 struct error *err)
{
	char expected[SHAPE_TEXT], got[SHAPE_TEXT];

	if (x->planes != y->planes || x->rows != y->rows || x->cols != y->cols)
		return fail(err,
			    "--before: expected a table of TABLE's shape "
			    "%s, got %s",
			    shape_of(y, expected), shape_of(x, got));
	if (!before_measurable(x) || !before_measurable(y))
		return fail(err, "--before: expected finite values, below "
			    "2^500 and not all below 2^-250 in magnitude, got "
			    "others in %s",
			    before_measurable(x) ? "TABLE" : x->title);
	return true;
}

bool before_report(const struct table *x, const struct table *y,
		   double seconds, struct report *r, struct error *err)
{
	struct before b = {
		.owner = r->owner,
		.err = err,
		.x = x,
		.y = y,
		.rows = x->planes * x->rows,
		.cols = x->cols,
	};
	struct table ordered;
	const char *why = "", *heads = "";
	bool pairs, reordered;

	if (!check_tables(x, y, err))
		return false;
	search_begin(&b.budget, seconds);
	pairs = before_pairs(&b, &why);
	reordered = !pairs && before_order(&b, &ordered);
	if (!(pairs || reordered) ||
	    !before_heads(&b, pairs ? &why : &heads) ||
	    (!find_law(&b, r) && reordered)) {
		r->no = true;
		report_headline(r, "%s", why);
	} else if (!r->headline) {
		report_no_law(&b, r);
	}
	report_stop(&b.budget, seconds, r);
	return !err->text[0];
}
