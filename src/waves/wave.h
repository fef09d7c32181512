/*
 * wave.h: rows of sines and cosines on a series of frequencies.
 *
 * The folder waves/ is the part that encodings periodic in the position share.
 * Its main type is struct wave: exact frequencies, the layout of the columns,
 * and the arithmetic. It includes table/, exact/ and recipe/ (the options of
 * convention.h).
 *
 *   wave.h            rows of a wave
 *   emulation.c       the arithmetic of other programs instead of the exact one
 *   low_precision.c   frequencies, positions or angles of 16 bits
 *   apart.h           from which position on two sets of cosines differ
 *   convention.h      the options that describe a wave: --base, --layout, ...
 */
#ifndef WAVE_H
#define WAVE_H

#include "exact/turns.h"

/*
 * Sines and cosines as other programs compute them: the same operations in the
 * same order, each rounded to single precision (NUMPY64: double), elementary
 * functions correctly rounded. The programs' own libraries are off by a unit in
 * the last place now and then, and differ from one machine to the next.
 */
enum emulation_program {
	EXACT, TORCH_EXP, TORCH_POW, TORCH_DIV, KERAS, FAIRSEQ, T2T_SIGNAL,
	DIFFUSERS_TIMESTEP, X_TRANSFORMERS, NUMPY64,
	LOW_PRECISION,  /* and what follows: LOW_PRECISION_NAMES */
};

/*
 * What is rounded to bfloat16 or float16 before sine and cosine are taken; all:
 * the cosines and sines, too.
 */
#define LOW_PRECISION_NAMES                                     \
	"bf16-freqs", "fp16-freqs", "bf16-positions", "fp16-positions", \
	"bf16-angles", "fp16-angles", "bf16-all", "fp16-all"

/* The values of --emulate, in this order; ends with NULL. */
extern const char *const emulation_names[];

/* "exact" and LOW_PRECISION_NAMES; ends with NULL. */
extern const char *const low_precision_names[];

struct emulation {
	int program;            /* enum emulation_program; LOW_PRECISION for
				   all that follow */
	double scale;           /* factor of every angle */
	double *factor;         /* [n] frequencies, or divisors of positions */
	double angle_max;       /* the largest angle per position, in radians */
	struct turns radian;    /* the frequency 1 */

	/* Of programs from LOW_PRECISION on; F64: not rounded. */
	enum dtype position, angle, value;
};

/*
 * Prepare n > 0 frequencies scale * base^(-k / denominator); the denominator is
 * not 0. Memory is owned by t. Fails if a frequency is out of the range of the
 * program's precision. Positions times angle_max must not exceed 2^53.
 */
bool emulation_begin(struct emulation *e, int program, size_t n, double base,
		     double denominator, double scale, struct table *t,
		     struct error *err);

/* Sine and cosine [n] of a position at the frequencies from the k-th on. */
void emulation_sincos(const struct emulation *e, size_t k, size_t n,
		      double position, double *sine, double *cosine);

/*
 * Pair k of the row of position p is f(p w_k) at column k * stride and g(p w_k)
 * at column k * stride + apart. f and g are sine and cosine, or cosine and sine
 * (cosine_first), or both the first of these (same_function). A g past the last
 * column is left out; columns without a pair are 0.
 */
struct wave {
	struct turns turns;
	size_t cols;
	size_t stride, apart;  /* 2, 1: interleaved; 1, pairs: split; 4, 1: two
				  axes in turn, by wave_pairs() only */
	bool cosine_first;
	bool same_function;    /* g is f */
	double amplitude;
	struct emulation emulation;  /* EXACT: none */

	/* Set by wave_prepare() for wave_floats(). */
	double start, step;
	size_t block;          /* rows per anchor; 0: no blocks */
	double *angle_sine;    /* [block / 2 + 1, pairs], at step * 0, 1, ... */
	double *angle_cosine;  /* [block / 2 + 1, pairs] */
	double *sine_max;      /* [pairs], largest |sine| of these */
};

/*
 * Make a wave of low precision: round its frequencies to float32, then do as
 * low_precision_names[which] says. Positions are at most farthest. Frequencies
 * that are rounded and nothing else make an exact wave of other frequencies.
 * Memory is owned by t. Fails if a value is out of range.
 */
bool wave_lower_precision(struct wave *w, int which, double farthest,
			  struct table *t, struct error *err);

/* As emulation_sincos(), with a program from LOW_PRECISION on. */
void low_precision_sincos(const struct wave *w, size_t k, size_t n,
			  double position, double *sine, double *cosine);

/* The angle of a position at frequency k, in radians. */
double wave_angle(const struct wave *w, size_t k, double position);

/* The column axis of such rows: where the two columns of a pair are. */
struct axis wave_axis(const struct wave *w);

/* The same where their values are these sines and cosines. */
struct axis wave_columns(const struct wave *w);

/* The frequencies of a table whose positions have a range of that length. */
struct frequencies wave_frequencies(const struct wave *w, double length);

/*
 * Write the row of a position to x [cols], correctly rounded once it is rounded
 * to d. F64: all are the nearest doubles.
 */
void wave_row(const struct wave *w, enum dtype d, double position, double *x);

/* The same for pairs first to first + n - 1 only. */
void wave_pairs(const struct wave *w, enum dtype d, size_t first, size_t n,
		double position, double *x);

/*
 * Prepare wave_floats() for the positions start + i * step, i < rows. Memory is
 * owned by t. If blocks can't be used or don't pay (positions that are not
 * whole, few rows, very wide rows, an amplitude), w->block stays 0.
 */
bool wave_prepare(struct wave *w, double start, double step, size_t rows,
		  struct table *t, struct error *err);

/*
 * Whether no column turns by more than half a turn from one prepared position
 * to the next, so that values between them are worth drawing.
 */
bool wave_smooth(const struct wave *w);

/*
 * Write rows first to first + n - 1, correctly rounded, to out [n, cols];
 * w->block is not 0. Fastest if first and n are multiples of w->block.
 */
void wave_floats(const struct wave *w, size_t first, size_t n, float *out);

#endif
