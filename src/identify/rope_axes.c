/* rope_axes.c: RoPE along the axes of images and videos, as models have it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/identify.h"

enum { TEXT_MOST = 1024 };  /* text tokens before the cells */

/* Rows, columns and frames of the cells in the rows from a table's first on. */
struct cells {
	size_t first, h, w, t;
};

/* Whether column j differs between the first cell and cell i. */
static bool differs(const struct profile *p, const struct cells *c, size_t j,
		    size_t i)
{
	const double within = 2 * (p->noise + p->abs_noise + p->assumed);
	const double x = profile_row(p, c->first)[j];

	return fabs(profile_row(p, c->first + i)[j] - x) >
	       within * fmax(1, fabs(x));
}

/*
 * Whether the cells may have this shape, of two axes or more: each column tells
 * one coordinate, so it changes in one of the first steps along the axes at
 * most; what changes in the next row has not changed at the end of this one.
 * Behind text tokens, each step changes something.
 */
static bool may_have_shape(const struct profile *p, const struct cells *c)
{
	const size_t step[] = { 1, c->w, c->w * c->h };
	const size_t size[] = { c->w, c->h, c->t };
	size_t moving[3] = { 0 };

	if ((c->h > 1) + (c->w > 1) + (c->t > 1) < 2)
		return false;
	for (size_t j = 0; j < p->cols; j++) {
		int changes = 0;

		for (int a = 0; a < 3; a++) {
			const bool moves = size[a] > 1 &&
					   differs(p, c, j, step[a]);

			if (moves && a && step[a] > 1 &&
			    differs(p, c, j, step[a] - 1))
				return false;
			moving[a] += moves;
			changes += moves;
		}
		if (changes > 1)
			return false;
	}
	for (int a = 0; c->first && a < 3; a++)
		if (size[a] > 1 && !moving[a])
			return false;
	return true;
}

/* The same where cells go by blocks of 2x2 and frames repeat. */
static bool may_have_blocks(const struct profile *p, const struct cells *c)
{
	if (c->h % 2 || c->w % 2)
		return false;
	for (size_t j = 0; j < p->cols; j++)
		if ((differs(p, c, j, 1) && differs(p, c, j, 2)) ||
		    (c->t > 1 && differs(p, c, j, c->w * c->h)))
			return false;
	return true;
}

/* The forms of a table; the first three have a column for each pair. */
enum { COS, SIN, ANGLES, COS_FULL, SIN_FULL, COSSIN, CIS, FORMS };

/* Whether columns k step and k step + apart are cosines and sines. */
static bool may_be_circles(const struct profile *p, size_t step, size_t apart)
{
	const double within = 1e-3 + 8 * (p->noise + p->assumed);

	for (size_t i = 0; i < p->n; i += p->n - 1)
		for (size_t k = 0; 2 * k + 1 < p->cols; k++) {
			const double *x = profile_row(p, i) + k * step;

			if (fabs(x[0] * x[0] + x[apart] * x[apart] - 1) >
			    within)
				return false;
		}
	return true;
}

/* Whether the table may have this form. */
static bool may_have_form(const struct profile *p, int form)
{
	const bool even = p->cols % 2 == 0;
	const double most = fmax(p->max, -p->min);

	switch (form) {
	case COSSIN:
		return even && may_be_circles(p, 1, p->cols / 2);
	case CIS:
		return even && may_be_circles(p, 2, 1);
	default:
		return form == ANGLES ||
		       (most <= 1.001 + p->assumed && (form < ANGLES || even));
	}
}

/* Try a preset with more options in each form of the table from one on. */
static bool try_forms(struct search *s, const char *preset, const char *more,
		      int form)
{
	static const char *const outs[FORMS] = {
		"cos", "sin", "angles", "cos-full", "sin-full", "cossin", "cis"
	};
	const size_t before = s->n;

	for (int k = form; k < FORMS; k++) {
		const size_t times = k <= ANGLES ? 2 : 1;

		if (!may_have_form(s->profile, k))
			continue;

		if (try_recipe(s, "rope", 4 * fmin((double)s->profile->n, 100),
			       "preset=%s %s out=%s dim=%zu", preset, more,
			       outs[k], times * s->profile->cols) &&
		    search_has_exact(s, before))
			return true;
	}
	return false;
}

/* Try a preset, and what its project also has, on the cells. */
static bool try_cells(struct search *s, const struct preset *preset,
		      const struct cells *c)
{
	static const struct {
		const char *where, *more;
	} ways[] = {
		{ "", "" },
		{ "separate", " coords=min" },
		{ "separate", " coords=max" },
		{ "alternating", " pairs=interleaved" },
	};
	char more[160], text[40] = "";

	if (c->first)
		snprintf(text, sizeof text, " text=%zu", c->first);
	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
		if (!strstr(preset->options, ways[k].where))
			continue;
		snprintf(more, sizeof more, "grid=%zux%zux%zu%s%s", c->h, c->w,
			 c->t, text, ways[k].more);
		if (c->t == 1)
			snprintf(more, sizeof more, "grid=%zux%zu%s%s", c->h,
				 c->w, text, ways[k].more);
		if (try_forms(s, preset->name, more, COS))
			return true;
	}
	return false;
}

/* Try a preset on cells of any shape that the rows from the first on allow. */
static bool try_shapes(struct search *s, const struct preset *preset,
		       size_t first)
{
	const struct profile *p = s->profile;
	const bool blocks = strstr(preset->options, "--merge") != NULL;
	const size_t last = strstr(preset->options, "--cls") != NULL;
	const size_t n = p->n - first - last;
	struct cells c = { .first = first };

	for (c.t = 1; c.t <= n; c.t++)
		for (c.w = 1; n % c.t == 0 && c.w <= n / c.t; c.w++) {
			c.h = n / c.t / c.w;
			if (n / c.t % c.w == 0 &&
			    (blocks ? may_have_blocks(p, &c)
				    : may_have_shape(p, &c)) &&
			    try_cells(s, preset, &c))
				return true;
		}
	return false;
}

void identify_rope_axes(struct search *s)
{
	const struct profile *p = s->profile;
	const struct recipe *rope = recipe_find("rope", s->err);
	char len[40];

	if (p->integers || p->n < 3 || p->cols < 3)
		return;
	snprintf(len, sizeof len, "len=%zu", p->n);
	for (const struct preset *r = rope->presets; r->name; r++) {
		const bool text = strstr(r->options, "--text-ids") != NULL;
		const size_t most = p->n - 1 < TEXT_MOST ? p->n - 1 : TEXT_MOST;

		if (!strstr(r->options, "--order")) {
			/* Others are also parts of sinusoids. */
			if (try_forms(s, r->name, len, COS_FULL))
				return;
			continue;
		}
		for (size_t n = 0; n <= (text ? most : 0); n++)
			if (try_shapes(s, r, n))
				return;
	}
}
