/*
 * quantized.c: types of ggml whose values share a scale in blocks. Layouts are
 * those of ggml/src/ggml-common.h, formulas those of dequantize_row_*() in
 * ggml-quants.c (ggml d99724f2).
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "containers/quantized.h"

enum { SCALES_MOST = 16 };

/*
 * Where bits of values are: run bytes have those of run values in their lowest
 * bits, then of the next run values in the bits above; the next bytes go on.
 */
struct digits {
	unsigned char at, bits, run;  /* at: in a block; bits 0: nowhere */
};

/* The scales of a block and, unless they stay 0, what is subtracted. */
typedef void scales_of(const unsigned char *block, double *scale, double *min);

/* A value is scale * (digit - zero), or scale * codes[digit], - min. */
struct quantization {
	const char *name;
	size_t values, bytes;  /* of a block; 0: unknown */
	size_t group;          /* values of one scale */
	scales_of *scales;     /* NULL: not read */
	struct digits low, high;
	int zero;
	const signed char *codes;

	/*
	 * What rounding may change: the range of a group (of values up from
	 * their least one, or of magnitudes) by steps, and of the largest
	 * magnitude in the block this part, as its scales are rounded, too.
	 */
	bool ranges;
	double steps, part;
};

static double half_at(const unsigned char *b)
{
	double x;

	dtype_load(F16, b, 1, &x);
	return x;
}

static void one_scale(const unsigned char *b, double *scale, double *min)
{
	(void)min;
	*scale = half_at(b);
}

static void scale_and_min(const unsigned char *b, double *scale, double *min)
{
	*scale = half_at(b);
	*min = -half_at(b + 2);
}

static void last_scale(const unsigned char *b, double *scale, double *min)
{
	(void)min;
	*scale = half_at(b + 64);
}

static void float_scale(const unsigned char *b, double *scale, double *min)
{
	(void)min;
	dtype_load(F32, b, 1, scale);
}

/* An exponent, of half of the scale, as codes are doubled. */
static void exponent(const unsigned char *b, double *scale, double *min)
{
	(void)min;
	*scale = ldexp(1, *b - 128);
}

/* Positive E4M3, halved, as codes are doubled. */
static void positive_fp8(const unsigned char *b, double *scale, double *min)
{
	(void)min;
	for (int i = 0; i < 4; i++) {
		const int e = b[i] >> 3 & 15, m = b[i] & 7;

		scale[i] = b[i] == 0x7f ? 0 :
			   e ? ldexp(8 + m, e - 11) : ldexp(m, -10);
	}
}

/* 16 scales and minima of 4 bits. */
static void scales_q2(const unsigned char *b, double *scale, double *min)
{
	for (int i = 0; i < 16; i++) {
		scale[i] = half_at(b + 80) * (b[i] & 15);
		min[i] = half_at(b + 82) * (b[i] >> 4);
	}
}

/* 16 scales of 6 bits: the lower 4, then the upper 2. */
static void scales_q3(const unsigned char *b, double *scale, double *min)
{
	const unsigned char *s = b + 96;

	(void)min;
	for (int i = 0; i < 16; i++) {
		const int low = s[i % 8] >> i / 8 * 4 & 15;
		const int high = s[8 + i % 4] >> i / 4 * 2 & 3;

		scale[i] = half_at(b + 108) * ((low | high << 4) - 32);
	}
}

/*
 * 8 scales and minima of 6 bits: the first 4 of each in a byte of their own,
 * whose upper bits are those of the last 4.
 */
static void scales_q4(const unsigned char *b, double *scale, double *min)
{
	const unsigned char *s = b + 4;

	for (int i = 0; i < 4; i++) {
		const int low = s[8 + i];

		scale[i] = half_at(b) * (s[i] & 63);
		min[i] = half_at(b + 2) * (s[4 + i] & 63);
		scale[4 + i] = half_at(b) * ((low & 15) | (s[i] >> 6) << 4);
		min[4 + i] = half_at(b + 2) *
			     (low >> 4 | (s[4 + i] >> 6) << 4);
	}
}

static void scales_q6(const unsigned char *b, double *scale, double *min)
{
	(void)min;
	dtype_load(I8, b + 192, 16, scale);
	for (int i = 0; i < 16; i++)
		scale[i] *= half_at(b + 208);
}

static void scales_iq4(const unsigned char *b, double *scale, double *min)
{
	(void)min;
	for (int i = 0; i < 8; i++) {
		const int low = b[4 + i / 2] >> i % 2 * 4 & 15;
		const int high = (b[2] | b[3] << 8) >> 2 * i & 3;

		scale[i] = half_at(b) * ((low | high << 4) - 32);
	}
}

/* kvalues_iq4nl; kvalues_fp4, which are doubled */
static const signed char codes_iq4[] = {
	-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89,
	113,
};
static const signed char codes_fp4[] = {
	0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12,
};

static const signed char codes_signs[] = { -1, 1 };

/*
 * Of the last two columns, the steps are those of ggml's quantizers without an
 * importance matrix: half a step where values are rounded to the nearest one,
 * a whole step where scales are optimized, so that the ends are cut. The parts
 * were measured with them on normal, uniform and heavy-tailed values.
 */
static const struct quantization quantizations[] = {
	[2] = { "Q4_0", 32, 18, 32, one_scale, { 2, 4, 16 }, { 0 }, 8, NULL,
		false, 8, 0x1p-10 },
	[3] = { "Q4_1", 32, 20, 32, scale_and_min, { 4, 4, 16 }, { 0 }, 0,
		NULL, true, 30, 0x1p-9 },
	[6] = { "Q5_0", 32, 22, 32, one_scale, { 6, 4, 16 }, { 2, 1, 1 }, 16,
		NULL, false, 16, 0x1p-10 },
	[7] = { "Q5_1", 32, 24, 32, scale_and_min, { 8, 4, 16 }, { 4, 1, 1 },
		0, NULL, true, 62, 0x1p-9 },
	[8] = { "Q8_0", 32, 34, 32, one_scale, { 2, 8, 32 }, { 0 }, 0, NULL,
		false, 254, 0x1p-11 },
	[9] = { .name = "Q8_1" },
	[10] = { "Q2_K", 256, 84, 16, scales_q2, { 16, 2, 32 }, { 0 }, 0, NULL,
		 true, 3, 0.13 },
	[11] = { "Q3_K", 256, 110, 16, scales_q3, { 32, 2, 32 }, { 0, 1, 32 },
		 4, NULL, false, 4, 0.06 },
	[12] = { "Q4_K", 256, 144, 32, scales_q4, { 16, 4, 32 }, { 0 }, 0,
		 NULL, true, 15, 0.025 },
	[13] = { "Q5_K", 256, 176, 32, scales_q4, { 48, 4, 32 }, { 16, 1, 32 },
		 0, NULL, true, 31, 0.025 },
	[14] = { "Q6_K", 256, 210, 16, scales_q6, { 0, 4, 64 }, { 128, 2, 32 },
		 32, NULL, false, 32, 0.006 },
	[15] = { "Q8_K", 256, 292, 256, float_scale, { 4, 8, 32 }, { 0 }, 0,
		 NULL, false, 127, 0 },
	[16] = { .name = "IQ2_XXS", .values = 256, .bytes = 66 },
	[17] = { .name = "IQ2_XS", .values = 256, .bytes = 74 },
	[18] = { .name = "IQ3_XXS", .values = 256, .bytes = 98 },
	[19] = { .name = "IQ1_S", .values = 256, .bytes = 50 },
	[20] = { "IQ4_NL", 32, 18, 32, one_scale, { 2, 4, 16 }, { 0 }, 0,
		 codes_iq4, false, 127 / 12.0, 0.06 },
	[21] = { .name = "IQ3_S", .values = 256, .bytes = 110 },
	[22] = { .name = "IQ2_S", .values = 256, .bytes = 82 },
	[23] = { "IQ4_XS", 256, 136, 32, scales_iq4, { 8, 4, 16 }, { 0 }, 0,
		 codes_iq4, false, 127 / 12.0, 0.07 },
	[29] = { .name = "IQ1_M", .values = 256, .bytes = 56 },
	[34] = { .name = "TQ1_0", .values = 256, .bytes = 54 },
	[35] = { "TQ2_0", 256, 66, 256, last_scale, { 0, 2, 32 }, { 0 }, 1,
		 NULL, false, 2, 0x1p-10 },
	[39] = { "MXFP4", 32, 17, 32, exponent, { 1, 4, 16 }, { 0 }, 0,
		 codes_fp4, false, 4, 0 },
	[40] = { "NVFP4", 64, 36, 16, positive_fp8, { 4, 4, 8 }, { 0 }, 0,
		 codes_fp4, false, 6, 0.1 },
	[41] = { "Q1_0", 128, 18, 128, one_scale, { 2, 1, 1 }, { 0 }, 0,
		 codes_signs, false, 1, 0 },
	[42] = { "Q2_0", 64, 18, 64, one_scale, { 2, 2, 1 }, { 0 }, 1, NULL,
		 false, 2, 0x1p-10 },
};

enum { QUANTIZATIONS = sizeof quantizations / sizeof *quantizations };

const struct quantization *quantization_of(uint64_t type)
{
	return type < QUANTIZATIONS && quantizations[type].name
		       ? &quantizations[type] : NULL;
}

const char *quantization_name(const struct quantization *q)
{
	return q->name;
}

size_t quantization_bytes(const struct quantization *q, size_t count)
{
	size_t bytes;

	return !q->values ? 0 :
	       __builtin_mul_overflow(count / q->values, q->bytes, &bytes)
		       ? SIZE_MAX : bytes;
}

bool quantization_known(const struct quantization *q)
{
	return q->scales;
}

/* Add the bits of n values, shifted up, to their digits. */
static void add_bits(const unsigned char *block, const struct digits *d,
		     size_t n, int up, unsigned char *digits)
{
	const unsigned char *b = block + d->at;

	for (size_t i = 0; d->bits && i < n; b += d->run)
		for (int shift = 0; shift < 8; shift += d->bits)
			for (size_t k = 0; k < d->run; k++)
				digits[i++] |= (unsigned char)
					((b[k] >> shift & ((1 << d->bits) - 1))
					 << up);
}

/* The values of a block, which ggml rounds to float32. */
static void load_block(const struct quantization *q, const unsigned char *b,
		       double *x)
{
	double scale[SCALES_MOST], min[SCALES_MOST] = { 0 };
	unsigned char digits[BLOCK_VALUES] = { 0 };

	q->scales(b, scale, min);
	add_bits(b, &q->low, q->values, 0, digits);
	add_bits(b, &q->high, q->values, q->low.bits, digits);
	for (size_t i = 0; i < q->values; i++) {
		const int of = q->codes ? q->codes[digits[i]] :
			       q->low.bits == 8 ? (signed char)digits[i] :
			       digits[i] - q->zero;

		x[i] = (double)(float)(scale[i / q->group] * of -
				       min[i / q->group]);
	}
}

/* Append the values of n blocks to *g, which has room for them. */
static void append(struct values *g, const struct quantization *q,
		   const unsigned char *bytes, size_t n)
{
	double x[BLOCK_VALUES];

	for (; n--; bytes += q->bytes, g->n += q->values) {
		load_block(q, bytes, g->compact ? x : g->at + g->n);
		if (g->compact)
			dtype_store(F32, x, q->values, g->floats + g->n);
	}
}

static bool read_blocks(struct input_file *in, const struct quantization *q,
			struct values *g, size_t n, struct error *err)
{
	enum { AT_ONCE = 1 << 17 };  /* bytes */

	while (g->n < n) {
		const size_t left = (n - g->n) / q->values;
		const size_t most = AT_ONCE / q->bytes;
		const size_t k = left < most ? left : most;

		if (!in_read(in, k * q->bytes, err))
			return false;
		if (in->n < k * q->bytes)
			return fail_file(err, in->path, "ends at byte %zu, "
					 "within its values", in->at + in->n);
		/* The size of a file is known, that of a pipe is not */
		if (!values_reserve(g, in->size == SIZE_MAX ? k * q->values
				    : n - g->n, err))
			return false;
		append(g, q, in->bytes, k);
		in_drop(in, k * q->bytes);
	}
	return true;
}

bool quantized_read(struct input_file *in, const struct tensor *one,
		    struct table *t, struct error *err)
{
	const struct quantization *q = one->quantization;
	struct values g = { .in = in, .t = t, .compact = t->compact };
	const struct element single = { 'f', 4, false };
	const size_t row = one->shape[one->rank - 1];

	if (row % q->values)
		return fail_file(err, in->path, "tensor '%.*s': rows of %s "
				 "must be multiples of %zu, got %zu",
				 tensor_width(one), one->name, q->name,
				 q->values, row);
	if (!binary_shape(in, single, one->shape, one->rank, t, err) ||
	    !in_skip(in, one->begin, err) ||
	    !read_blocks(in, q, &g, t->planes * t->rows * t->cols, err))
		return false;
	if (g.compact)
		table_dense_floats(t, g.floats);
	else
		table_dense(t, g.at);
	return true;
}

bool tensor_readable(const struct tensor *t)
{
	return t->element.kind ||
	       (t->quantization && t->quantization->scales);
}

bool tensor_is_coarse(const struct tensor *t)
{
	return t->quantization || element_mantissa(t->element) >= 0;
}

static double largest(const double *x, const double *y, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fmax(fabs(x[i]), fabs(y[i])));
	return most;
}

/* From the least value, or 0, to the greatest, or 0. */
static double range(const double *x, const double *y, size_t n)
{
	double least = 0, most = 0;

	for (size_t i = 0; i < n; i++) {
		least = fmin(least, fmin(x[i], y[i]));
		most = fmax(most, fmax(x[i], y[i]));
	}
	return most - least;
}

/*
 * Half of the last place of FP8 of few bits of mantissa; near 0 the least step,
 * of values themselves or, by the largest one nearby, of those with a scale.
 */
static void add_fp8_error(int bits, const double *x, const double *y, size_t n,
			  double *error)
{
	const double least = bits == 3 ? 0x1p-9 : bits == 2 ? 0x1p-16 : 0;
	const double some = largest(x, y, n) * 0x1p-12;

	for (size_t i = 0; i < n; i++) {
		const double size = fmax(fabs(x[i]), fabs(y[i]));
		const bool on_grid = least > 0 && fmod(y[i], least) == 0;

		error[i] += fmax(ldexp(size, -bits - 1),
				 on_grid ? fmax(some, least / 2) : some);
	}
}

void tensor_add_error(const struct tensor *t, const double *x, const double *y,
		      size_t n, double *error)
{
	const struct quantization *q = t->quantization;
	const int bits = element_mantissa(t->element);

	if (!q) {
		if (bits >= 0)
			add_fp8_error(bits, x, y, n, error);
		return;
	}
	for (size_t i = 0; i < n; i += q->group) {
		const size_t k = n - i < q->group ? n - i : q->group;
		const size_t block = i - i % q->values;
		const size_t all = n - block < q->values ? n - block
							 : q->values;
		const double whole = q->ranges ? range(x + i, y + i, k)
					       : largest(x + i, y + i, k);
		const double part = q->part *
				    largest(x + block, y + block, all);

		for (size_t j = i; j < i + k; j++)
			error[j] += whole / q->steps + part;
	}
}
