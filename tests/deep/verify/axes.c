/*
 * axes.c: compares random cells of rope's presets of images and videos with
 * MPFR at 400 bits, by formulas written here once more. float32 must be
 * correctly rounded, float64 within one unit in the last place. Run by `make
 * verify`, and for fewer cells by `make check`. TAP on standard output.
 */
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posenc.h"

enum { BITS = 400, SIDE = 40, FRAMES = 12 };

static uint64_t state = 88172645463325252ull;

static long draw(long n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (long)(state % (uint64_t)n);
}

/* A token: its row, column and frame, and the size of the grid. */
struct token {
	long y, x, t, h, w;
};

/* An angle: num / den (turns or radians) * base^(-up / down), stretched. */
struct angle {
	double num, den;
	bool turns;
	double base, up, down;
	double stretch;        /* r of base r^(d / (d - 2)); or 0 */
};

/* Axes in the order of their pairs: what they rotate by, and dimensions. */
struct axes {
	const char *along;
	long dims[4];
};

static struct axes shares(const char *name, long d)
{
	const long six = 2 * (d / 6), third = 2 * (d / 3 / 2);

	if (!strcmp(name, "vjepa2"))
		return (struct axes){ "tyx", { third, third, third } };
	if (!strcmp(name, "wan") || !strcmp(name, "cosmos"))
		return (struct axes){ "tyx", { d - 2 * six, six, six } };
	if (!strncmp(name, "cogvideox", 9))
		return (struct axes){ "tyx", { d / 4, d / 8 * 3, d / 8 * 3 } };
	if (!strcmp(name, "flux"))
		return (struct axes){ "0yx", { 16, 56, 56 } };
	if (!strcmp(name, "flux2"))
		return (struct axes){ "0yx0", { 32, 32, 32, 32 } };
	if (!strcmp(name, "lumina2"))
		return (struct axes){ "0yx", { 32, 32, 32 } };
	if (!strcmp(name, "hunyuan-video") || !strcmp(name, "qwen-image"))
		return (struct axes){ "tyx", { 16, 56, 56 } };
	if (!strcmp(name, "rope-vit") || !strcmp(name, "sam2") ||
	    !strcmp(name, "llama4-vision"))
		return (struct axes){ "xy", { d / 2, d / 2 } };
	return (struct axes){ "yx", { d / 2, d / 2 } };
}

/* CogVideoX: index i of n stands in a base size, of which this is one side. */
static void fitted(struct angle *a, const struct token *k, bool row)
{
	const double h = (double)k->h, w = (double)k->w;
	const double n = row ? h : w, i = a->num;
	double length = row ? 30 : 45, top;

	if (h / w > 30.0 / 45 && !row)
		length = rint(30.0 / h * w);
	if (!(h / w > 30.0 / 45) && row)
		length = rint(45.0 / w * h);
	top = rint(((row ? 30 : 45) - length) / 2);
	a->num = n > 1 ? top * n * (n - 1) +
			 i * ((top + length) * (n - 1) - top * n) : top;
	a->den = n > 1 ? n * (n - 1) : 1;
}

static struct angle angle_of(const char *name, long d, const struct token *k,
			     size_t pair)
{
	const struct axes axes = shares(name, d);
	struct angle a = { .den = 1, .base = 10000 };
	long j = (long)pair, axis = 0, n;
	char along;

	while (j >= axes.dims[axis] / 2)
		j -= axes.dims[axis++] / 2;
	along = axes.along[axis];
	n = along == 'y' ? k->h : k->w;
	a.num = (double)(along == 'y' ? k->y : along == 'x' ? k->x
			 : along == 't' ? k->t : 0);
	a.up = 2 * (double)j;
	a.down = (double)axes.dims[axis];
	if (!strcmp(name, "dinov3"))
		a = (struct angle){ 2 * a.num + 1 - (double)n, (double)n, true,
				    100, a.up, a.down, 0 };
	if (!strcmp(name, "pixtral")) {
		a.up = 2 * a.up + 2 * (double)axis;
		a.down *= 2;
	}
	if (!strcmp(name, "eva02")) {
		a.num *= 16;
		a.den = (double)n;
	}
	if (!strcmp(name, "cogvideox") && along != 't')
		fitted(&a, k, along == 'y');
	if (!strcmp(name, "qwen-image") && along != 't')
		a.num -= ceil((double)n / 2);
	if (!strcmp(name, "llama4-vision"))
		a.num += 1;
	if (!strcmp(name, "cosmos") && along == 't')
		a.stretch = 2;
	a.base = !strcmp(name, "flux2") ? 2000
		 : !strcmp(name, "hunyuan-video") ? 256
		 : !strcmp(name, "rope-vit") ? 100 : a.base;
	return a;
}

static void exact(mpfr_t sine, mpfr_t cosine, const struct angle *a)
{
	mpfr_t x, e;

	mpfr_inits2(BITS, x, e, (mpfr_ptr)0);
	mpfr_set_d(x, a->base, MPFR_RNDN);
	if (a->stretch > 0) {
		mpfr_set_d(e, a->down, MPFR_RNDN);
		mpfr_div_d(e, e, a->down - 2, MPFR_RNDN);
		mpfr_ui_pow(e, (unsigned long)a->stretch, e, MPFR_RNDN);
		mpfr_mul(x, x, e, MPFR_RNDN);
	}
	mpfr_set_d(e, -a->up, MPFR_RNDN);
	mpfr_div_d(e, e, a->down, MPFR_RNDN);
	mpfr_pow(x, x, e, MPFR_RNDN);
	mpfr_mul_d(x, x, a->num, MPFR_RNDN);
	mpfr_div_d(x, x, a->den, MPFR_RNDN);
	if (a->turns) {
		mpfr_const_pi(e, MPFR_RNDN);
		mpfr_mul(x, x, e, MPFR_RNDN);
		mpfr_mul_ui(x, x, 2, MPFR_RNDN);
	}
	mpfr_sin_cos(sine, cosine, x, MPFR_RNDN);
	mpfr_clears(x, e, (mpfr_ptr)0);
}

static unsigned long cells, wrong, off;

static void compare(float f, double ours, const mpfr_t truth, const char *what,
		    size_t row, size_t col)
{
	/* Of half a turn, say, which pi to so many bits makes no zero. */
	const bool zero = mpfr_get_exp(truth) < -BITS / 2;
	const double f64 = zero ? 0 : mpfr_get_d(truth, MPFR_RNDN);

	cells++;
	off += fabs(ours - f64) > nextafter(fabs(f64), 2) - fabs(f64);
	if ((double)f == (double)mpfr_get_flt(truth, MPFR_RNDN) &&
	    (float)ours == f)
		return;
	if (wrong++ < 10)
		printf("# %s: row %zu, column %zu: %.9g, truth %.17g\n", what,
		       row, col, (double)f, f64);
}

/* The token of row i: by frames, rows and columns, or by blocks of 2x2. */
static struct token token_of(size_t i, long h, long w, bool blocks)
{
	struct token k = { .h = h, .w = w };
	size_t at = 0;
	const long m = blocks ? 2 : 1;

	for (k.t = 0;; k.t++)
		for (long by = 0; by < h; by += m)
			for (long bx = 0; bx < w; bx += m)
				for (k.y = by; k.y < by + m; k.y++)
					for (k.x = bx; k.x < bx + m; k.x++)
						if (at++ == i)
							return k;
}

/* Whether tokens go by blocks of 2x2. */
static bool in_blocks(const char *name)
{
	return !strncmp(name, "qwen", 4) && strstr(name, "vision");
}

static void some_cells(struct pe_table *t, const char *name, long d, long h,
		       long w, size_t tokens, const char *what)
{
	const size_t cols = pe_cols(t), pairs = cols / 2;
	double *row = calloc(cols, sizeof *row);
	float *floats = calloc(cols, sizeof *floats);
	mpfr_t sine, cosine;

	mpfr_inits2(BITS, sine, cosine, (mpfr_ptr)0);
	for (int n = 0; n < 8; n++) {
		const size_t i = (size_t)draw((long)tokens);
		const struct token k = token_of(i, h, w, in_blocks(name));
		const double *x = pe_row(t, i, row);

		pe_fill(t, i, 1, floats);
		for (int m = 0; m < 12; m++) {
			const size_t p = (size_t)draw((long)pairs);
			const struct angle a = angle_of(name, d, &k, p);

			exact(sine, cosine, &a);
			compare(floats[p], x[p], cosine, what, i, p);
			compare(floats[pairs + p], x[pairs + p], sine, what, i,
				pairs + p);
		}
	}
	mpfr_clears(sine, cosine, (mpfr_ptr)0);
	free(row);
	free(floats);
}

/* Each preset, with a dimension that it has, or 0: any multiple of 16. */
static const struct {
	const char *name;
	long dim;
	bool frames;
} presets[] = {
	{ "dinov3", 0, false }, { "pixtral", 0, false },
	{ "qwen2-vl-vision", 0, true }, { "qwen2.5-vl-vision", 0, true },
	{ "qwen3-vl-vision", 0, true }, { "eva02", 0, false },
	{ "vjepa2", 0, true }, { "flux", 128, false }, { "flux2", 128, false },
	{ "wan", 0, true }, { "hunyuan-video", 128, true },
	{ "cosmos", 0, true }, { "cogvideox", 0, true },
	{ "cogvideox1.5", 0, true }, { "llama4-vision", 0, false },
	{ "rope-vit", 0, false }, { "sam2", 0, false },
	{ "qwen-image", 128, true }, { "lumina2", 96, false },
};

int main(int argc, char **argv)
{
	const unsigned long wanted = argc > 1 ? strtoul(argv[1], NULL, 10)
					      : 100000;

	for (size_t n = 0; cells < wanted; n++) {
		const size_t p = n % (sizeof presets / sizeof *presets);
		const char *name = presets[p].name;
		const long d = presets[p].dim ? presets[p].dim
					      : 16 * (1 + draw(12));
		const long m = in_blocks(name) ? 2 : 1;
		const long h = m * (1 + draw(SIDE)), w = m * (1 + draw(SIDE));
		const long frames = presets[p].frames ? 1 + draw(FRAMES) : 1;
		char options[200], why[PE_WHY];
		struct pe_table *t;

		snprintf(options, sizeof options, "preset=%s grid=%ldx%ldx%ld "
			 "dim=%ld out=cossin", name, h, w, frames, d);
		t = pe_open("rope", options, why, sizeof why);
		if (!t) {
			printf("not ok - %s: %s\n", options, why);
			return 1;
		}
		some_cells(t, name, d, h, w, (size_t)(h * w * frames), options);
		pe_close(t);
	}
	printf("%s - %lu cells of images and videos compared with MPFR: %lu "
	       "wrong in float32, %lu of float64 off by more than a unit\n",
	       wrong || off ? "not ok" : "ok", cells, wrong, off);
	return wrong || off;
}
