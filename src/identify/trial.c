/* trial.c: compares a candidate's table with the input. */
#include <math.h>
#include <string.h>

#include "identify/rounding.h"
#include "identify/trial.h"
#include "table/never.h"

/*
 * A wrong value is off by more; others make another table. If the command is a
 * usual one that makes nearly all values, by more than this:
 */
#define WRONG 1e-2
#define NEAR_WRONG 1e-4

/* One of so many values may be out of tolerance where a candidate jumps. */
enum { JUMPS = 100 };

/* The most digits of shortest decimals of each floating-point dtype. */
static const int max_digits[DTYPES] = {
	[F64] = 17,
	[F32] = 9,
	[F16] = 5,
	[BF16] = 4,
};

/* 0 for infinities of one sign. */
static double distance(double x, double y)
{
	return x == y ? 0 : fabs(x - y);
}

/* Whether x is r, a value of d, or the shortest decimal of r. */
static bool same(enum dtype d, double x, double r)
{
	return distance(x, r) <= 0 || (fabs(dtype_round(d, x) - r) <= 0 &&
				       reads_back(x, shortest_decimal(r, d)));
}

/* The unit of the last digit of text, as the smaller value has it. */
static double last_digit(const struct profile *p, double x, double y)
{
	return profile_last_digit(p, fmin(fabs(x), fabs(y)));
}

/* How far rounding may have moved y to x. Text is rounded to digits. */
static double rounding_error(const struct profile *p, double x, double y)
{
	if (p->digits == MAX_DIGITS)
		return p->noise * fabs(y) + p->abs_noise;
	return fmax(0.5 * last_digit(p, x, y),
		    p->dtype_noise * fabs(y) + p->dtype_abs_noise);
}

/*
 * Whether x and y are the same or neighbours in the dtype that the values are
 * rounded to, or differ by one in the last digit of text.
 */
static bool adjacent(const struct profile *p, double x, double y)
{
	return distance(x, y) <= 0 ||
	       distance(x, dtype_round(p->rounded_to, y)) <= 0 ||
	       dtype_ulps(p->rounded_to, x, y) <= 1 ||
	       (p->digits < MAX_DIGITS && fabs(x - y) <= last_digit(p, x, y));
}

/*
 * How far arithmetic may have moved y; by_angle: the part of that which errors
 * of its angle make, in units of the profile's epsilon.
 */
static double arithmetic(const struct trial *t, double y, double by_angle)
{
	const struct candidate *c = t->candidate;
	const double off = t->profile->epsilon *
			   (c->absolute + by_angle + c->relative * fabs(y));
	const double most = MAX_TOLERANCE * t->amplitude;

	return off < most ? off : most;
}

/*
 * Whether x is a value within so much of y, rounded once to the dtype or the
 * digits of the input. Unlike adjacent(), this refuses the next value of a
 * narrow dtype: other parameters make it, too.
 */
static bool rounds_to(const struct profile *p, double x, double y,
		      double within)
{
	const enum dtype d = p->rounded_to;
	const double r = dtype_round(d, x);

	if (p->digits < MAX_DIGITS &&
	    fabs(x - y) <= (0.5 + 1e-9) * last_digit(p, x, y) + within)
		return true;
	return dtype_round(d, y - within) <= r &&
	       r <= dtype_round(d, y + within);
}

/* Row i of the input, without values that are wrong. */
static const double *input_row(const struct trial *t, size_t i)
{
	return t->input ? t->input : profile_row(t->profile, i);
}

/* Note the residuals of row i if the values were rounded to d. */
static void compare_as(struct trial *t, enum dtype d, size_t i)
{
	const double *x = input_row(t, i);

	for (size_t j = 0; j < t->profile->cols; j++) {
		const double r = dtype_round(d, t->scratch[j]);
		const double residual = distance(x[j], r);

		if (residual > t->residual[d]) {
			t->residual[d] = residual;
			t->row[d] = i;
			t->col[d] = j;
		}
		t->squares[d] += residual * residual;
		t->equal[d] = t->equal[d] && same(d, x[j], r);
	}
}

/* Integers are rounded values of what the command makes. */
static enum dtype before_rounding(const struct trial *t)
{
	const enum dtype own = t->profile->table->dtype;

	return dtype_integer(own) ? t->made.dtype : own;
}

/* Note whether x and y are equal with fewer digits or decimals. */
static void compare_as_text(struct trial *t, double x, double y)
{
	const struct profile *p = t->profile;
	const double r = dtype_round(t->made.dtype, y);
	const double of[] = { dtype_round(before_rounding(t), y), y };

	t->printed = t->printed && reads_back(x, round_digits(r, p->digits));
	for (size_t k = 0; k < 2; k++)
		t->rounded[k] = t->rounded[k] &&
				reads_back(x, round_decimals(of[k],
							     p->decimals));
}

/* Whether values may have been rounded to d before they were stored. */
static bool plausible(const struct profile *p, enum dtype d)
{
	const enum dtype own = p->table->dtype;

	if (d == own || dtype_integer(own) || dtype_integer(d))
		return d == own;
	return d > own && (d <= p->stored || p->digits <= max_digits[d]);
}

const double *trial_row(struct trial *t, size_t i)
{
	const struct columns *c = t->columns;
	struct table made = t->made;

	/* Doubles are the nearest only if no other dtype follows. */
	if (t->profile->stored == F64)
		made.dtype = F64;
	table_rows(&made, F64, i, 1, NULL, t->wide);
	for (size_t j = 0; j < t->profile->cols; j++)
		t->scratch[j] = c ? c->sign[j] * t->wide[c->from[j]]
				  : t->wide[j];
	return t->scratch;
}

/*
 * Whether x was not rounded to the dtype of the repaired input, from which the
 * tolerance is taken.
 */
static bool is_foreign(const struct trial *t, double x)
{
	return t->input &&
	       distance(x, dtype_round(t->profile->stored, x)) > 0;
}

/* Leave out value j of row i, unless it is near or too many are wrong. */
static bool leave_out(struct trial *t, size_t i, size_t j)
{
	const double least = t->near_wrong ? NEAR_WRONG : WRONG;

	if (!t->input || t->wrongs == t->most_wrong ||
	    (fabs(t->input[j] - t->scratch[j]) <= least * t->amplitude &&
	     !is_foreign(t, t->input[j])))
		return false;
	t->wrong[t->wrongs++] = (struct wrong){
		i, j, t->input[j],
		dtype_round(t->profile->table->dtype, t->scratch[j]),
	};
	t->input[j] = t->scratch[j] = 0;
	return true;
}

/* Whether row x is the made one as float32 or float64, without a difference. */
static bool row_stored(const struct trial *t, const double *x)
{
	const struct profile *p = t->profile;
	size_t differ = 0;

	if (t->input || p->digits < MAX_DIGITS || p->stored > F32)
		return false;
	if (p->stored == F32)
		for (size_t j = 0; j < p->cols; j++)
			differ += (double)(float)t->scratch[j] != x[j];
	else
		for (size_t j = 0; j < p->cols; j++)
			differ += t->scratch[j] != x[j];
	return !differ;
}

/*
 * The distance between the positions of rows i and i + 1 if these tell how
 * steep columns are: near each other, with angles of at most a radian per
 * position. 0 if not.
 */
static double slope_gap(const struct trial *t, size_t i)
{
	const struct axis *axis = &t->made.row_axis;
	const size_t rows = t->made.rows, at = i % rows;
	/* Tables of cosines and sines have one plane. */
	const double gap = NEVER(at + 1 == rows)
				   ? 0 : fabs(axis_label(axis, at + 1) -
					      axis_label(axis, at));

	return gap <= 1 && t->candidate->per_position <= 4.01 * t->amplitude
		       ? gap : 0;
}

/*
 * Note how steep each column is between rows i and i + 1, unless one of them
 * is of zeros: an error of an angle moves a value by the slope times as much.
 */
static void add_slopes(struct trial *t, size_t i, double gap)
{
	const size_t cols = t->profile->cols;
	double before = 0, after = 0;

	memcpy(t->before, trial_row(t, i), cols * sizeof *t->before);
	trial_row(t, i + 1);
	for (size_t j = 0; j < cols; j++) {
		before = fmax(before, fabs(t->before[j]));
		after = fmax(after, fabs(t->scratch[j]));
	}
	for (size_t j = 0; j < cols && before > 0 && after > 0; j++)
		t->slope[j] = fmax(t->slope[j], fabs(t->scratch[j] -
						     t->before[j]) / gap);
}

/*
 * Set t->slope. The relative error of a frequency w, which is computed by
 * logarithms and powers, grows with log(1 / w).
 */
static void find_slopes(struct trial *t)
{
	const size_t n = t->profile->n, cols = t->profile->cols;
	const size_t rows[] = { 0, 1, 2, 4, n / 8, n / 4, n / 2, n - 2 };
	const double most = t->candidate->per_position;

	t->sloped = true;
	for (size_t k = 0; most > 0 && k < sizeof rows / sizeof *rows; k++) {
		const double gap = rows[k] < n - 1 ? slope_gap(t, rows[k]) : 0;

		if (gap > 0)
			add_slopes(t, rows[k], gap);
	}
	for (size_t j = 0; j < cols; j++) {
		const double w = t->slope[j] / t->amplitude;

		t->slope[j] = w > 0 && w < 1
				      ? fmin(most, 4 * t->amplitude * w *
							   (1 - 0.5 * log(w)))
				      : most;
	}
}

/* Count the values of row i that rounding does not explain. */
static void count_unexplained(struct trial *t, size_t i)
{
	const struct profile *p = t->profile;
	const double *x = input_row(t, i);
	const double position =
		fabs(axis_label(&t->made.row_axis, i % t->made.rows));

	for (size_t j = 0; j < p->cols; j++) {
		const double y = t->scratch[j];

		t->unexplained += distance(x[j], y) > 0 &&
				  !rounds_to(p, x[j], y,
					     arithmetic(t, y, position *
								t->slope[j]));
	}
}

/*
 * Whether value j of a row, a cosine or sine, may be that of an angle rounded
 * the other way: it changes by no more than the angle.
 */
static bool may_jump(const struct trial *t, size_t j, double x, double position)
{
	const double steep =
		t->sloped ? t->slope[j] : t->candidate->per_position;

	/* Slopes are those of four units of an angle. */
	return fabs(x - t->scratch[j]) <=
	       t->candidate->jump * steep / 4 * position;
}

/* Whether arithmetic and rounding may have moved the value made to x. */
static bool is_near(const struct trial *t, size_t j, double x, double position)
{
	const double y = t->scratch[j];
	const double by_angle = t->candidate->per_position * position;

	return fabs(x - y) <= arithmetic(t, y, by_angle) +
				      2 * rounding_error(t->profile, x, y) &&
	       !is_foreign(t, x);
}

/* Generate row i; false if a value is out of tolerance. */
static bool row_agrees(struct trial *t, size_t i)
{
	const double *x = input_row(t, i);
	const double position =
		fabs(axis_label(&t->made.row_axis, i % t->made.rows));

	trial_row(t, i);
	t->stored = row_stored(t, x);
	if (t->stored)
		return true;
	if (t->input)
		memcpy(t->input, t->original->row(t->original, i, NULL),
		       t->profile->cols * sizeof *x);
	for (size_t j = 0; j < t->profile->cols; j++)
		if (x[j] != t->scratch[j] &&
		    !is_near(t, j, x[j], position) &&
		    !leave_out(t, i, j) &&
		    (!may_jump(t, j, x[j], position) ||
		     t->jumps++ == t->most_jumps))
			return false;
	return true;
}

/* Whether residuals with the values rounded to d can be asked for. */
static bool is_needed(const struct trial *t, enum dtype d)
{
	return t->plausible[d] &&
	       (t->equal[d] || d == t->profile->stored ||
		d == t->profile->table->dtype || d == t->made.dtype);
}

/* Whether all values so far are equal with fewer digits or decimals. */
static bool is_text(const struct trial *t)
{
	return t->printed || t->rounded[0] || t->rounded[1];
}

/* Compare row i; false if a value is out of tolerance. */
static bool compare_row(struct trial *t, size_t i)
{
	const size_t cols = t->profile->cols;
	const double *x = input_row(t, i);

	if (t->skip && t->skip[i])
		return true;
	if (!t->sloped)
		find_slopes(t);
	if (!row_agrees(t, i))
		return false;
	if (!t->stored)
		count_unexplained(t, i);
	for (int d = 0; d < DTYPES; d++)
		if (!(t->stored && d == (int)t->profile->stored) &&
		    is_needed(t, (enum dtype)d))
			compare_as(t, (enum dtype)d, i);
	for (size_t j = 0; is_text(t) && j < cols; j++)
		compare_as_text(t, x[j], t->scratch[j]);
	for (size_t j = 0; !t->stored && t->adjacent && j < cols; j++)
		t->adjacent = adjacent(t->profile, x[j], t->scratch[j]);
	for (int d = 0; d < DTYPES; d++)
		if (t->equal[d])
			return true;
	return is_text(t) || !t->strict;
}

/*
 * Whether rows without a difference leave nothing to note, and can be made many
 * at a time.
 */
static bool has_blocks(const struct trial *t)
{
	for (int d = 0; d < DTYPES; d++)
		if (t->plausible[d] != (d == F32))
			return false;
	return t->made.floats && t->profile->digits == MAX_DIGITS &&
	       !t->columns && !t->original && !t->skip;
}

/* Whether rows first to first + n - 1 are as made; made: room for [n, cols]. */
static bool block_stored(const struct trial *t, size_t first, size_t n,
			 float *made)
{
	const size_t cols = t->profile->cols;
	int differ = 0;

	t->made.floats(&t->made, first, n, made);
	for (size_t i = first; !differ && i < first + n; i++, made += cols) {
		const double *x = profile_row(t->profile, i);

		for (size_t j = 0; j < cols; j++)
			differ |= (double)made[j] != x[j];
	}
	return !differ;
}

/* A few rows reject most candidates; blocks of rows that are equal are fast. */
bool trial_compare(struct trial *t, size_t n, struct error *err)
{
	enum { BLOCK_BYTES = 1 << 17 };
	const size_t few[] = {0, 1, n / 2, n - 1};
	const size_t row = t->profile->cols * sizeof(float);
	const size_t block = table_block(&t->made, BLOCK_BYTES, row);
	const size_t most = block < n ? block : n;
	float *made = NULL;

	for (size_t k = 0; k < sizeof few / sizeof *few; k++)
		if (few[k] < n && !(t->skip && t->skip[few[k]]) &&
		    !row_agrees(t, few[k]))
			return false;
	if (has_blocks(t)) {
		made = table_alloc(&t->made, most, row, err);
		if (!made)
			return false;
	}
	t->jumps = t->wrongs = 0;
	for (size_t i = 0, end; i < n; i = end) {
		end = n - i < most ? n : i + most;
		if (made && block_stored(t, i, end - i, made))
			continue;
		for (size_t k = i; k < end; k++)
			if (!compare_row(t, k))
				return false;
	}
	return true;
}

bool trial_begin(struct trial *t, const struct candidate *c, struct error *err)
{
	const struct profile *p = t->profile;

	t->candidate = c;
	t->amplitude = fmax(fabs(p->min), fabs(p->max));
	t->adjacent = true;
	t->most_jumps = c->jump > 0 ? p->n * p->cols / JUMPS : 0;
	for (int d = 0; d < DTYPES; d++) {
		t->plausible[d] = plausible(p, (enum dtype)d);
		t->equal[d] = t->plausible[d];
	}
	if (!recipe_open(&t->made, c->recipe, c->options, c->given, err) ||
	    t->made.end != p->n)
		return false;
	/* Every family gives the number of columns. */
	if (NEVER(t->made.cols != (t->columns ? t->columns->all : p->cols)))
		return false;
	/* --precision does not change integers. */
	t->printed = p->digits < MAX_DIGITS && !dtype_integer(t->made.dtype);
	t->rounded[0] = t->rounded[1] =
		t->printed && p->decimals < MAX_DIGITS;
	t->wide = table_alloc(&t->made, t->made.cols, sizeof *t->wide, err);
	t->scratch = table_alloc(&t->made, p->cols, 4 * sizeof *t->scratch,
				 err);
	if (!t->wide || !t->scratch)
		return false;
	t->before = t->scratch + p->cols;
	t->slope = t->before + p->cols;
	t->input = t->original ? t->slope + p->cols : NULL;
	return true;
}

enum dtype trial_dtype(const struct trial *t)
{
	for (int d = 0; d < DTYPES; d++)
		if (t->equal[d])
			return (enum dtype)d;
	return t->printed			   ? t->made.dtype
	       : trial_rounded(t) < DTYPES ? t->profile->table->dtype
					   : t->profile->stored;
}

enum dtype trial_rounded(const struct trial *t)
{
	return t->rounded[0]   ? before_rounding(t)
	       : t->rounded[1] ? F64
			       : DTYPES;
}
