/* evidence.c: bits that a candidate explains, and bits that it took. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "identify/rounding.h"
#include "identify/trial.h"
#include "table/sort.h"
#include "text/decimal.h"

/*
 * A table of chance agrees with one of all commands whose options take up to b
 * bits less than the table has with a probability of 2^-b: b must be MARGIN.
 */
enum { MARGIN = 6, RECIPE_BITS = 3, LEAST_VALUES = 3 };

enum { SAMPLE_VALUES = 1024, FEW_KINDS = 3 };

#define BITS_PER_DIGIT 3.321928
#define WORD_BITS 2.0
/* 0 and such a value are more than a bit: only masks have them. */
#define LEAST_INTEGER (-1e3)
#define MASK_BITS 3.0

#define NUMBER_BITS 2.0 /* of a number besides its digits: sign, length */

/* Magnitudes beyond these take 2 bits per decade. */
#define USUAL_MOST 1e9
#define USUAL_LEAST 1e-3

/* A power of two counts as two digits. */
static double number_bits(double x)
{
	int exponent;
	const bool power = fabs(frexp(fabs(x), &exponent) - 0.5) <= 0;
	const int digits = nice_digits(x);
	double bits = BITS_PER_DIGIT * (power && digits > 2 ? 2 : digits);

	if (rint(x) == x)
		bits = fmin(bits, log2(1 + fabs(x)));
	bits += NUMBER_BITS;
	if (fabs(x) > USUAL_MOST)
		bits += 2 * log10(fabs(x) / USUAL_MOST);
	if (x != 0 && fabs(x) < USUAL_LEAST)
		bits += 2 * log10(USUAL_LEAST / fabs(x));
	return bits;
}

/* Whether the table gives the number: its shape, or what masks fill with. */
static bool is_given(const struct trial *t, double x)
{
	const double of[] = {
		(double)t->made.planes, (double)t->made.rows,
		(double)t->made.cols,
	};

	for (size_t k = 0; k < sizeof of / sizeof *of; k++)
		if (x > 1 && fabs(of[k] - x) <= 0)
			return true;
	return x <= LEAST_INTEGER && x == t->profile->min;
}

/* The words and numbers of an option's value. */
static double text_bits(const struct trial *t, const char *p)
{
	double bits = 0;

	while (*p) {
		const struct decimal number = decimal_read(p);

		if (number.end > p) {
			bits += is_given(t, number.x) ? 0
						      : number_bits(number.x);
			p = number.end;
		} else if (isalpha((unsigned char)*p)) {
			/* "min-float16", or the first of "half-1" */
			bits += WORD_BITS;
			while (isalnum((unsigned char)*p) ||
			       (*p == '-' && isalpha((unsigned char)p[1])))
				p++;
		} else {
			p++;
		}
	}
	return bits;
}

/* The bits of different numbers; sets how many there are. */
static double list_bits(const struct list *list, struct table *owner,
			struct error *err, size_t *different)
{
	double *x = table_alloc(owner, list->n, sizeof *x, err), bits = 0;

	*different = 0;
	if (!x)
		return HUGE_VAL;
	memcpy(x, list->at, list->n * sizeof *x);
	sort_doubles(x, list->n);
	for (size_t i = 0; i < list->n; i++)
		if (!i || x[i] > x[i - 1]) {
			bits += number_bits(x[i]);
			++*different;
		}
	return bits;
}

/* Whether the command has the option: others have defaults that depend. */
static bool is_in_command(const struct option *o, const char *command)
{
	char flag[40];
	const size_t length = strlen(option_flag(o, flag));
	const char *at = command;

	while ((at = strstr(at, flag)) && at[length] && at[length] != ' ')
		at += length;
	return at;
}

/* The bits of an option; 0 for the table's shape. */
static double option_bits(const struct option *o, const struct trial *t)
{
	const bool shape = o->role == ROLE_EXTENT || o->role == ROLE_COLUMNS;
	const struct origin *from = &t->made.from;
	char room[OPTION_ROOM];
	size_t n = 0;

	if (o->kind == OPTION_LIST || !is_in_command(o, from->command))
		return 0;
	if (shape && o->kind != OPTION_REAL)
		return o->kind == OPTION_CHOICE;
	while (o->kind == OPTION_CHOICE && o->words[n])
		n++;
	if (n)
		return log2((double)n);
	if (o->kind == OPTION_FLAG)
		return WORD_BITS;
	return text_bits(t, option_text(o, from->options, room));
}

/*
 * The bits of a value if the table seems to hold few different ones: all
 * integers of their range, or two to FEW_KINDS values; HUGE_VAL if more.
 */
static double kind_bits(const struct profile *p)
{
	const size_t all = p->n * p->cols;
	double kinds[FEW_KINDS];
	size_t n = 0;

	if (p->integers && p->min > LEAST_INTEGER)
		return log2(p->max - p->min + 1);
	/* All values, or a part: the first row may hold a single one. */
	for (size_t j = 0; j < SAMPLE_VALUES; j++) {
		const size_t i = sample_index(j, all);
		const double x = profile_value(p, i / p->cols, i % p->cols);
		size_t k = 0;

		while (k < n && fabs(x - kinds[k]) > 0)
			k++;
		if (k == FEW_KINDS)
			return HUGE_VAL;
		if (k == n)
			kinds[n++] = x;
	}
	return p->max <= 0 && p->min <= LEAST_INTEGER ? MASK_BITS
						       : log2((double)n);
}

bool evidence_cost(struct trial *t, struct error *err)
{
	const struct option *o = t->made.from.recipe->options;
	const char *self = t->made.from.options;

	t->rows_differ = t->made.row_axis.step == 0 ? 1 : t->profile->n;
	t->cost = MARGIN + RECIPE_BITS;
	t->bits = RECIPE_BITS;
	for (; o->name; o++) {
		const void *value = self + o->at;
		const struct list *list = value;
		const double more = option_bits(o, t);

		t->cost += more;
		t->bits += more > 0 ? more + 1 : 0;
		if (o->kind == OPTION_LIST && list->n)
			t->list_cost = list_bits(list, &t->made, err,
						 &t->rows_differ);
	}
	t->bits += t->list_cost;
	return !err->text[0];
}

/* The bits of a value of a column, with a residual. */
static double value_bits(const struct trial *t, const struct moments *c,
			 double residual)
{
	const struct profile *p = t->profile;
	const double size = sqrt(c->variance + c->mean * c->mean);
	const double deviation =
		t->rows_differ > 1 ? sqrt(c->variance) : p->deviation;
	const double unit = fmax(p->noise * size, p->abs_noise) / sqrt(3);

	return fmax(0, log2(deviation / fmax(unit, residual)));
}

/*
 * Whether the frequencies and the values of independent columns are worth more
 * than the options. bits: of a row; vary: columns that are not constant.
 */
static bool columns_suffice(struct trial *t, double bits, double vary)
{
	const double share =
		(double)t->candidate->independent / (double)t->profile->cols;
	const double rows = (double)t->rows_differ;
	const double first = t->made.row_axis.first;
	const double start = first == 0 ? 0 : number_bits(first);

	bits *= share;
	if (rows * bits < t->cost + t->list_cost)
		return false;
	/* One frequency is what the step says, whatever the base. */
	t->few_frequencies =
		t->candidate->independent > 1 && rows > 1 &&
		bits + share * vary * log2(rows) < t->cost - start;
	return !t->few_frequencies;
}

bool evidence_suffices(struct trial *t, struct error *err)
{
	const struct profile *p = t->profile;
	const double n = (double)p->n * (double)p->cols;
	const double residual = sqrt(t->squares[trial_dtype(t)] / n);
	const struct moments *columns =
		n < LEAST_VALUES ? NULL : profile_columns(p, &t->made, err);
	const double kind = kind_bits(p);
	double bits = 0, vary = 0;

	for (size_t j = 0; columns && j < p->cols; j++) {
		const double more = kind < HUGE_VAL ? kind : value_bits(
			t, &columns[j], residual);

		bits += more;
		vary += more > 0;
	}
	if (!columns)
		return false;
	return t->candidate->independent
		       ? columns_suffice(t, bits, vary)
		       : (double)p->n * bits >= t->cost + t->list_cost;
}
