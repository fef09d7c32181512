/*
 * naive.c: the simplest encodings: numbers, bits, one-hot rows. Also the file
 * to copy for a new encoding. It has the parts of every encoding in this order:
 * its options, its formulas, a row, the checks and the shape of the table, and
 * the recipe that names it all. One line in list.h makes it a command.
 */
#include <math.h>
#include <stdint.h>

#include "recipe/positions.h"
#include "recipe/recipe.h"

enum kind { INTEGER, NORMALIZED, BINARY, GRAY, ONEHOT };
enum bits { MSB, LSB };
enum norm { NORM_N, NORM_N_1, NORM_CENTER };

/* Values of the options, each in a field of its name, and what they imply. */
struct naive {
	struct positions positions;
	int kind;
	size_t dim;
	int bits, norm;
	bool plus_minus;  /* --signed */

	double lo, hi;    /* the smallest and the largest position */
	double n;         /* number of positions, for --norm */
};

#define COLUMNS_MOST 1048576

static const char *const kinds[] = {
	"integer", "normalized", "binary", "gray", "onehot", NULL
};
static const char *const kind_phrases[] = {
	"integer", "normalized", "binary", "Gray code", "one-hot",
};
static const char *const bit_orders[] = { "msb", "lsb", NULL };
static const char *const bit_phrases[] = {
	"most significant bit first", "least significant bit first",
};
static const char *const norms[] = { "n", "n-1", "center", NULL };
static const char *const norm_meanings[] = {
	"p / n", "p / (n - 1)", "from -1 at p = 0 to 1 at p = n - 1",
};
static const char *const norm_phrases[] = {
	"p/n", "p/(n \xe2\x88\x92 1)", ("from \xe2\x88\x92" "1 to 1"),
};

static const struct option naive_options[] = {
	{ OPTION(struct naive, kind), .initial = "integer",
	  .phrases = kind_phrases,
	  .words = kinds, .arg = "KIND", .help = "how a position is encoded" },
	POSITIONS_OPTIONS(offsetof(struct naive, positions), true),
	{ OPTION(struct naive, dim), .role = ROLE_COLUMNS,
	  .min = 1, .max = COLUMNS_MOST,
	  .one = "dimension", .many = "dimensions",
	  .arg = "D", .help = "number of columns; integer and normalized "
		  "repeat the value in each (default: 1; binary and gray: the "
		  "bits of the largest position; onehot: that position + 1)" },
	{ OPTION(struct naive, bits), .words = bit_orders, .implied = "msb",
	  .phrases = bit_phrases,
	  .needs = "kind=binary|gray", .arg = "ORDER",
	  .help = "binary, gray: order of the bits, most or least significant "
		  "first (default: msb)" },
	{ OPTION(struct naive, norm), .words = norms, .implied = "n",
	  .phrases = norm_phrases,
	  .needs = "kind=normalized", .meanings = norm_meanings, .arg = "NAME",
	  .help = "normalized: value of position p of n (default: n)" },
	{ .name = "signed", .at = offsetof(struct naive, plus_minus),
	  .kind = OPTION_FLAG, .needs = "kind=binary|gray|onehot",
	  .help = "binary, gray, onehot: write -1 in place of 0" },
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

/* Bit j of p, the least significant being bit 0. */
static bool bit(uint64_t p, size_t j)
{
	return j < 64 && p >> j & 1;
}

/* Whether column j of cols is 1; p ^ (p >> 1) is the Gray code of p. */
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
	const bool is_code = s->kind >= BINARY;
	const double value = s->kind == NORMALIZED ? normalized(s, p) : p;

	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = !is_code ? value + 0.0 :  /* not -0 */
			     is_set(s, (uint64_t)p, j, t->cols) ? 1 : t->lo;
	return scratch;
}

/* Find the range of the positions; return whether all are whole numbers. */
static bool find_range(struct naive *s, const struct table *t)
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

/* Values of integer and normalized: shape, dtype and bounds. */
static bool make_values(struct naive *s, struct table *t, bool whole,
			struct error *err)
{
	const bool wide = s->hi > 0x7fffffff || s->lo < -0x1p31;

	if (s->kind == NORMALIZED && s->norm != NORM_N && s->n < 2)
		return fail(err, "--norm %s needs at least 2 positions, got 1",
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

/* Columns that position p needs. */
static double columns_needed(const struct naive *s, double p)
{
	int bits;

	if (s->kind == ONEHOT)
		return p + 1;
	frexp(p, &bits);
	return fmax(bits, 1);
}

/* Codes of binary, gray and onehot: shape, dtype and bounds. */
static bool make_codes(const struct naive *s, struct table *t, bool whole,
		       struct error *err)
{
	const char *kind = kinds[s->kind];
	double needed;

	if (!whole || s->lo < 0)
		return fail(err, "--kind %s: expected integer positions of at "
			    "least 0, got %.17g", kind,
			    s->lo < 0 ? s->lo : s->hi);
	needed = columns_needed(s, s->hi);
	if (s->dim && (double)s->dim < needed)
		return fail(err, "--dim must be at least %.0f for position "
			    "%.0f with --kind %s, got %zu", needed, s->hi, kind,
			    s->dim);
	if (needed > COLUMNS_MOST)
		return fail(err, "--kind %s needs %.0f columns for position "
			    "%.0f; at most %d are allowed", kind, needed,
			    s->hi, COLUMNS_MOST);
	t->cols = s->dim ? s->dim : (size_t)needed;
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
	if (!positions_shape(&s->positions, t, err))
		return false;
	whole = find_range(s, t);
	t->title = "Naive positions";
	t->bounds = BOUNDS_TIGHT;
	t->col_axis = axis_of(AXIS_DIMENSION);
	t->row = naive_row;
	t->state = s;
	return s->kind < BINARY ? make_values(s, t, whole, err)
				: make_codes(s, t, whole, err);
}

const struct recipe naive_recipe = {
	.name = "naive",
	.summary = "integer, normalized, binary, Gray and one-hot positions",
	.about =
"Makes the simplest encodings of positions, [positions, dim]: integers,\n"
"fractions of the length, bits, or a single 1 per row. They show which\n"
"problems sinusoids solve.\n",
	.details =
"  integer      P[p] = p\n"
"  normalized   P[p] = p / n, p / (n - 1), (2 p - (n - 1)) / (n - 1)\n"
"  binary       P[p, j] = bit j of p, the most significant first\n"
"  gray         P[p, j] = bit j of p xor (p >> 1): one bit changes per step\n"
"  onehot       P[p, j] = 1 if j = p, else 0\n"
"\n"
"Position 6 of --kind binary --len 8: 1, 1, 0; of --kind gray: 1, 0, 1. With\n"
"--start 1, --norm n ends at 1.\n"
"\n"
"Integers grow without bound. The same normalized value stands for different\n"
"positions in texts of different lengths. Neighbouring positions may differ\n"
"in many bits. Sinusoids avoid all three problems.\n",
	.paper = "binary counting; Gray 1953, US patent 2632058",
	.example = "posenc naive --kind binary --len 8",
	.options = naive_options,
	.starts = (const struct start[]){
		{ "len", "64", "positions" }, {0}
	},
	.size = sizeof(struct naive),
	.make = naive_make,
};
