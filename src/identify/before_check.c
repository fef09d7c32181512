/* before_check.c: runs the command of a law and compares its table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/before.h"
#include "identify/rounding.h"

enum { OPTIONS_ROOM = 500 };

/* Whether y is x rounded to d. */
static bool equals(enum dtype d, double x, double y)
{
	return dtype_holds(d, x) && fabs(dtype_round(d, x) - y) <= 0;
}

static void check_value(struct check *c, double x, double y)
{
	const double e = fabs(y - x);

	for (int d = 0; d <= BF16; d++)
		c->equal[d] = c->equal[d] && equals((enum dtype)d, x, y);
	if (c->printed)
		c->printed = reads_back(
			y, round_digits(dtype_round(F32, x), c->digits));
	if (c->adjacent)
		c->adjacent = dtype_ulps(c->stored, x, y) <= 1;
	c->squares += e * e;
	c->fourth += e * e * e * e;
	c->differ += e > 0;
}

static bool check_row(void *self, size_t i, const double *x)
{
	struct check *c = self;
	const double *y = before_row(c->b->y, i);

	for (size_t j = 0; j < c->b->cols; j++) {
		check_value(c, x[j], y[j]);
		if (fabs(y[j] - x[j]) > c->largest) {
			c->largest = fabs(y[j] - x[j]);
			c->row = i;
			c->col = j;
		}
	}
	return true;
}

/* Open rope --apply of the table before, with more options. */
static bool open_rotated(const struct before *b, const char *options,
			 struct table *t, struct error *err)
{
	const struct recipe *rope = recipe_find("rope", err);
	struct fields fields = {0};
	char *text;

	if (!recipe_begin(rope, t, &fields, err))
		return false;
	*(const struct table **)(void *)((char *)fields.self +
					 option_find(rope->options, "apply", 5)
						 ->at) = b->x;
	text = table_copy(t, options, err);
	return text && recipe_set_all(rope, &fields, text, err) &&
	       recipe_finish(rope, &fields, NULL, t, err);
}

/* The factor that the law's scaling multiplies cosines and sines by. */
static double law_amplitude(const struct before *b, const struct law *law)
{
	struct error err = {0};
	struct table t = {0};
	char text[300];
	double *row, amplitude = 1;

	snprintf(text, sizeof text, "dim=%zu out=cos len=1 %s", law->rotary,
		 law->text);
	if (recipe_open(&t, "rope", text, NULL, &err) &&
	    (row = table_alloc(&t, t.cols, sizeof *row, &err))) {
		table_rows(&t, F64, 0, 1, NULL, row);
		amplitude = row[0];
	}
	table_close(&t);
	pass_memory(b->err, &err);
	return amplitude;
}

/* Options for the direction and the measured attention factor. */
static void add_factor(const struct before *b, const struct law *law,
		       char text[120])
{
	const double usual = law_amplitude(b, law);
	const double within = 1e-6 + 3 * b->noise;
	const char *direction = b->reversed ? " reversed" : "";
	char number[32];

	nice_text(round_to_nice(b->amp, within * b->amp / 4), number);
	if (fabs(b->amp / usual - 1) <= within)
		snprintf(text, 120, "%s", direction);
	else if (b->reversed && fabs(b->amp * usual - 1) <= within)
		snprintf(text, 120, " inverse");
	else if (strstr(law->text, "=yarn:"))
		snprintf(text, 120, ",attention_factor=%s%s", number,
			 direction);
	else
		snprintf(text, 120, " scaling=yarn:1,1,attention_factor=%s%s",
			 number, direction);
}

/* Options for the layout of columns and the axis of positions. */
static void layout_options(const struct before *b, const struct law *law,
			   char text[200])
{
	size_t n = 0;

	text[0] = '\0';
	if (b->dim < b->cols)
		n += (size_t)snprintf(text + n, 200 - n, "dim=%zu ", b->dim);
	if (law->rotary < b->dim)
		n += (size_t)snprintf(text + n, 200 - n, "rotary-dim=%zu ",
				      law->rotary);
	if (b->offset)
		n += (size_t)snprintf(text + n, 200 - n, "rotary-offset=%zu ",
				      b->offset);
	if (b->pairing == PAIRING_INTERLEAVED)
		n += (size_t)snprintf(text + n, 200 - n, "pairs=interleaved ");
	if (b->planes)
		n += (size_t)snprintf(text + n, 200 - n, "along=planes ");
	if (b->planes && b->n < b->x->planes && b->even)
		snprintf(text + n, 200 - n, "len=%zu ", b->n);
}

/* Options for the positions: a start and a step, or a list. */
static char *position_options(const struct before *b)
{
	const double step = b->n > 1 ? b->at[1] - b->at[0] : 1;
	const size_t room = b->even ? 80 : 24 * b->n + 20;
	char *text = table_alloc(b->owner, room, 1, b->err);
	size_t n = 0;

	for (size_t j = 0; text && !b->even && j < b->n; j++)
		n += (size_t)snprintf(text + n, room - n, "%s%.0f",
				      j ? "," : "positions=", b->at[j]);
	if (text && b->even && fabs(b->at[0]) > 0)
		n += (size_t)snprintf(text + n, room - n, "start=%.0f ",
				      b->at[0]);
	if (text && b->even && fabs(step - 1) > 0)
		snprintf(text + n, room - n, "step=%.0f", step);
	return text;
}

/* Write the options of rope --apply for a law. */
static char *options_of(const struct before *b, const struct law *law)
{
	const char *positions = position_options(b);
	const size_t room = OPTIONS_ROOM + (positions ? strlen(positions) : 0);
	char *text = table_alloc(b->owner, room, 1, b->err);
	char layout[200], factor[120];

	if (!text || !positions)
		return NULL;
	layout_options(b, law, layout);
	add_factor(b, law, factor);
	snprintf(text, room, "%s%s %s%s", layout, positions, law->text, factor);
	return text;
}

double before_farthest(const struct before *b)
{
	double most = 0;

	for (size_t j = 0; j < b->n; j++)
		most = fmax(most, fabs(b->at[j]));
	return most;
}

double check_rms(const struct check *c)
{
	const struct before *b = c->b;

	return sqrt(c->squares / ((double)b->rows * (double)b->cols));
}

/*
 * Whether the residual is as small as that of the lengths, which no law of
 * angles changes, and arithmetic in float32.
 */
static bool is_close(const struct check *c)
{
	const struct before *b = c->b;
	const double arithmetic =
		fmin(1e-3, 0x1p-22 * (4 + before_farthest(b))) * b->length;

	const double share =
		2 * (double)(b->pairs * b->heads) / (double)b->cols;

	return check_rms(c) <=
	       sqrt(share) * (4 * b->noise * b->length + arithmetic);
}

bool before_check(struct before *b, const struct law *law, struct table *made,
		  struct check *c)
{
	const char *options = options_of(b, law);
	struct error err = {0};
	struct profile p;

	profile_table(&p, b->y);
	*c = (struct check){
		.b = b,
		.dtype = profile_dtype(&p),
		.stored = p.stored,
		.integers = p.integers,
		.digits = p.digits,
		.equal = {true, true, true, true},
		.printed = p.digits < MAX_DIGITS,
		.adjacent = true,
	};
	if (options && open_rotated(b, options, made, &err))
		return table_each(made, check_row, c, b->err) && is_close(c);
	pass_memory(b->err, &err);
	return false;
}
