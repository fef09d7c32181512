/* embed_draw.c: tables drawn as layers begin, by any of four generators. */
#include <math.h>

#include "core/numpy_random.h"
#include "core/random.h"
#include "core/torch_random.h"
#include "core/within.h"
#include "encodings/embed.h"

enum init { INIT_NORMAL, INIT_UNIFORM, INIT_ZEROS };
enum rng { PHILOX, TORCH, NUMPY, NUMPY_LEGACY };

#define INIT_MOST 1e30
#define KEPT_MOST (1ul << 28)  /* numbers: 2 GiB */

static double deviation(const struct embed *s)
{
	return s->init.n ? s->init.at[0] : 1;
}

/* Uniform from A to B: a + u (b - a), as NumPy has it. */
static void stretch(const struct embed *s, size_t n, double *x)
{
	const double a = s->init.at[0], b = s->init.at[1];

	for (size_t j = 0; s->init.n && j < n; j++)
		x[j] = a + (b - a) * x[j];
}

static void scale(const struct embed *s, size_t n, double *x)
{
	for (size_t j = 0; s->init.n && j < n; j++)
		x[j] = x[j] * deviation(s) + 0.0;  /* not -0 */
}

const double *draw_part(const struct embed *s, size_t id, size_t first,
			size_t n, double *x)
{
	const size_t at = id * s->dim + first;

	if (s->drawn)
		return s->drawn + at;
	if (s->init.word == INIT_NORMAL) {
		random_normal(s->seed, at, n, x);
		scale(s, n, x);
	} else if (s->init.word == INIT_UNIFORM) {
		random_uniform(s->seed, at, n, x);
		stretch(s, n, x);
	} else {
		for (size_t j = 0; j < n; j++)
			x[j] = 0;
	}
	return x;
}

static void draw_normal(const struct embed *s, size_t n, double *x)
{
	switch (s->rng) {
	case TORCH:
		torch_normal(s->seed, deviation(s), s->vocab * s->dim, n, x);
		return;
	case NUMPY:
		numpy_normal(s->seed, n, x);
		break;
	default:
		numpy_legacy_normal((uint32_t)s->seed, n, x);
	}
	scale(s, n, x);
}

static void draw_uniform(const struct embed *s, size_t n, double *x)
{
	switch (s->rng) {
	case TORCH:
		torch_uniform(s->seed, s->init.at[0],
			      s->init.n ? s->init.at[1] : 1, n, x);
		return;
	case NUMPY:
		numpy_uniform(s->seed, n, x);
		break;
	default:
		numpy_legacy_uniform((uint32_t)s->seed, n, x);
	}
	stretch(s, n, x);
}

bool draw_prepare(struct embed *s, size_t rows, struct table *t,
		  struct error *err)
{
	const size_t n = rows * s->dim;  /* draw_check(): no overflow */

	if (s->rng == PHILOX || s->init.word == INIT_ZEROS)
		return true;
	if (n > KEPT_MOST)
		return fail(err, "--rng %s draws in order and keeps what it "
			    "draws: %zu rows of --dim %zu are more than the "
			    "%lu numbers it can (philox keeps none)",
			    s->rng == TORCH ? "torch" : s->rng == NUMPY
			    ? "numpy" : "numpy-legacy", rows, s->dim,
			    KEPT_MOST);
	s->drawn = table_alloc(t, n, sizeof *s->drawn, err);
	if (!s->drawn)
		return false;
	(s->init.word == INIT_NORMAL ? draw_normal : draw_uniform)
		(s, n, s->drawn);
	for (size_t i = 0; i < n; i++)
		s->drawn[i] += 0.0;  /* not -0 */
	return true;
}

bool draw_check(const struct embed *s, struct table *t, struct error *err)
{
	const double *at = s->init.at;
	size_t n;

	if (__builtin_mul_overflow(s->vocab, s->dim, &n))
		return fail(err, "--vocab %zu of --dim %zu has more than 2^64 "
			    "elements", s->vocab, s->dim);
	if (s->init.n == 1 && !within(at[0], 0, INIT_MOST))
		return fail(err, "--init normal:STD must be from 0 to 1e30, "
			    "not %.9g", at[0]);
	if (s->init.n == 2 &&
	    (!within(at[0], -INIT_MOST, at[1]) || at[1] > INIT_MOST))
		return fail(err, "--init uniform:A,B must have A not above B, "
			    "both within 1e30, not %.9g,%.9g", at[0], at[1]);
	if (s->rng == NUMPY_LEGACY && s->seed > UINT32_MAX)
		return fail(err, "--seed must be from 0 to 4294967295 with "
			    "--rng numpy-legacy, not %zu", s->seed);
	t->dtype = F32;
	t->bounds = BOUNDS_LOOSE;
	t->hi = s->init.n ? at[s->init.n - 1] : 1;
	t->lo = fmin(s->init.n == 2 ? at[0] : 0, 0);
	t->hi = fmax(t->hi, 0);
	if (s->init.word == INIT_NORMAL) {
		t->hi *= s->rng == PHILOX ? RANDOM_NORMAL_MOST
					  : NUMPY_NORMAL_MOST;
		t->lo = -t->hi;
	}
	return true;
}
