/* naive.c: positions as plain numbers, bits or places, before sinusoids. */
#include <math.h>
#include <stdint.h>

#include "core/positions.h"
#include "core/recipe.h"

enum kind { INTEGER, NORMALIZED, BINARY, GRAY, ONEHOT };
enum bits { MSB, LSB };
enum norm { NORM_N, NORM_N_1, NORM_CENTER };

struct naive {
	struct positions positions;
	int kind;
	size_t dim;
	int bits, norm;
	bool plus_minus;

	double lo, hi;  /* the least and the greatest position */
	double n;       /* positions, for norm */
};

#define COLUMNS_MOST 1048576

static const char *const kinds[] = {
	"integer", "normalized", "binary", "gray", "onehot", NULL
};
static const char *const bit_orders[] = { "msb", "lsb", NULL };
static const char *const norms[] = { "n", "n-1", "center", NULL };

static const struct option naive_options[] = {
	{ OPTION(struct naive, kind), .initial = "integer",
	  .words = kinds, .arg = "KIND", .help = "what stands for a position" },
	POSITIONS_OPTIONS(offsetof(struct naive, positions)),
	{ OPTION(struct naive, dim), .min = 1, .max = COLUMNS_MOST,
	  .arg = "D", .help = "columns; as many as the greatest position needs "
		  "(binary, gray, onehot), or 1: the number, repeated" },
	{ OPTION(struct naive, bits), .words = bit_orders, .arg = "ORDER",
	  .help = "which bit comes first, the most or the least significant: "
		  "for binary (msb) and gray (msb)" },
	{ OPTION(struct naive, norm), .words = norms, .arg = "NAME",
	  .help = "p / n (the default), p / (n - 1), or from -1 to 1 about "
		  "the center: for normalized" },
	{ .name = "signed", .at = offsetof(struct naive, plus_minus),
	  .kind = OPTION_FLAG,
	  .help = "-1 and 1 in place of 0 and 1: for binary, gray, onehot" },
	{0}
};

static double normalized(const struct naive *s, double p)
{
	switch (s->norm) {
	case NORM_N_1:
		return p / (s->n - 1);
	case NORM_CENTER:
		return (2 * p - (s->n - 1)) / (s->n - 1);
	default:
		return p / s->n;
	}
}

/* Bit j of p, counted from the right. */
static bool bit(uint64_t p, size_t j)
{
	return j < 64 && p >> j & 1;
}

/* Whether column j of cols is set; g = p ^ (p >> 1) is Gray's code. */
static bool is_set(const struct naive *s, uint64_t p, size_t j, size_t cols)
{
	if (s->kind == ONEHOT)
		return p == j;
	if (s->kind == GRAY)
		p ^= p >> 1;
	return bit(p, s->bits == LSB ? j : cols - 1 - j);
}

static const double *naive_row(const struct table *t, size_t i,
			       double *scratch)
{
	const struct naive *s = t->state;
	const double p = position_at(&s->positions, i);
	const bool digits = s->kind >= BINARY;
	const double value = s->kind == NORMALIZED ? normalized(s, p) : p;

	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = !digits ? value + 0.0 :  /* not -0 */
			     is_set(s, (uint64_t)p, j, t->cols) ? 1 : t->lo;
	return scratch;
}

/* Look at all positions; whether they are whole. */
static bool survey(struct naive *s, const struct table *t)
{
	const struct positions *p = &s->positions;
	const double first = position_at(p, 0);
	const double last = position_at(p, t->rows - 1);
	bool whole = first == rint(first) && p->step == rint(p->step);

	s->n = p->len ? (double)p->len : (double)t->rows;
	s->lo = fmin(first, last);
	s->hi = fmax(first, last);
	for (size_t i = 0; p->positions.at && i < t->rows; i++) {
		const double x = p->positions.at[i];

		whole = whole && x == rint(x);
		s->lo = fmin(s->lo, x);
		s->hi = fmax(s->hi, x);
	}
	return whole;
}

/* Refuse options that the kind has no use for; fill in the others. */
static bool settle(struct naive *s, struct error *err)
{
	const char *kind = kinds[s->kind];

	if (s->norm != NOT_GIVEN && s->kind != NORMALIZED)
		return fail(err, "--norm is for --kind normalized, not %s",
			    kind);
	if (s->bits != NOT_GIVEN && s->kind != BINARY && s->kind != GRAY)
		return fail(err, "--bits is for --kind binary or gray, not %s",
			    kind);
	if (s->plus_minus && s->kind < BINARY)
		return fail(err, "--signed is for --kind binary, gray or "
			    "onehot, not %s", kind);
	if (s->norm == NOT_GIVEN)
		s->norm = NORM_N;
	if (s->bits == NOT_GIVEN)
		s->bits = MSB;
	return true;
}

static bool make_numbers(struct naive *s, struct table *t, bool whole,
			 struct error *err)
{
	const bool wide = s->hi > 0x7fffffff || s->lo < -0x1p31;

	if (s->kind == NORMALIZED && s->norm != NORM_N && s->n < 2)
		return fail(err, "--norm %s divides by zero for one position",
			    norms[s->norm]);
	t->cols = s->dim ? s->dim : 1;
	t->dtype = F32;
	t->lo = s->lo;
	t->hi = s->hi;
	if (s->kind == INTEGER && whole)
		t->dtype = wide ? I64 : I32;
	if (s->kind == NORMALIZED) {
		t->lo = normalized(s, s->lo);
		t->hi = normalized(s, s->hi);
	}
	return true;
}

/* Columns for positions to p. */
static size_t columns_needed(const struct naive *s, double p)
{
	int bits;

	if (s->kind == ONEHOT)
		return (size_t)p + 1;
	frexp(p, &bits);
	return bits > 1 ? (size_t)bits : 1;
}

static bool make_digits(const struct naive *s, struct table *t, bool whole,
			struct error *err)
{
	const char *kind = kinds[s->kind];
	size_t needed;

	if (!whole || s->lo < 0)
		return fail(err, "--kind %s takes whole positions from 0 on, "
			    "not %.17g", kind, s->lo < 0 ? s->lo : s->hi);
	needed = columns_needed(s, s->hi);
	if (s->dim && s->dim < needed)
		return fail(err, "--dim %zu is too narrow for position %.0f, "
			    "which takes %zu in %s", s->dim, s->hi, needed,
			    kind);
	if (needed > COLUMNS_MOST)
		return fail(err, "--kind %s takes %zu columns for position "
			    "%.0f, more than %d", kind, needed, s->hi,
			    COLUMNS_MOST);
	t->cols = s->dim ? s->dim : needed;
	t->dtype = I32;
	t->lo = s->plus_minus ? -1 : 0;
	t->hi = 1;
	return true;
}

static bool naive_make(void *self, const struct table *inputs,
		       struct table *t, struct error *err)
{
	struct naive *s = self;
	bool whole;

	(void)inputs;
	if (!settle(s, err) || !positions_shape(&s->positions, t, err))
		return false;
	whole = survey(s, t);
	t->title = "Naive positions";
	t->bounds = BOUNDS_TIGHT;
	t->across = (struct axis){ .name = "dimension", .step = 1 };
	t->row = naive_row;
	t->state = s;
	return s->kind < BINARY ? make_numbers(s, t, whole, err)
				: make_digits(s, t, whole, err);
}

const struct recipe naive_recipe = {
	.name = "naive",
	.summary = "integer, normalized, binary, gray and one-hot positions",
	.about =
"  integer      P[p] = p\n"
"  normalized   P[p] = p / n, p / (n - 1), (2 p - (n - 1)) / (n - 1)\n"
"  binary       P[p, j] = bit j of p, the most significant first\n"
"  gray         P[p, j] = bit j of p xor (p >> 1): rows differ in one bit\n"
"  onehot       P[p, j] = 1 where j = p, else 0\n"
"\n"
"Position 6 of --kind binary --len 8: 1, 1, 0; of --kind gray: 1, 0, 1. These\n"
"grow without bound, mean another thing for each length or jump, which is why\n"
"sinusoids took their place. With --start 1, --norm n ends at 1.\n",
	.paper = "binary counting; Gray 1953, US patent 2632058",
	.example = "posenc naive --kind binary --len 8",
	.options = naive_options,
	.size = sizeof(struct naive),
	.make = naive_make,
};
