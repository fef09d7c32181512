/* conventions.c: presets of rope that rotate along axes, tried on a table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/budget.h"
#include "identify/conventions.h"

enum { TEXT_MOST = 1024 };  /* text tokens before the cells */

/*
 * Whether column j differs between the first cell and cell i. Of distant cells,
 * of which there are many, few columns are asked for.
 */
static bool differs(const struct profile *p, const struct cells *c, size_t j,
		    size_t i)
{
	const double within = 2 * (p->noise + p->abs_noise + p->assumed);
	const double x = profile_row(p, c->first)[j];

	const double y = i == 1 ? profile_row(p, c->first + 1)[j]
				: profile_value(p, c->first + i, j);

	return fabs(y - x) > within * fmax(1, fabs(x));
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

/* The same where cells go by blocks and frames repeat. */
static bool may_have_blocks(const struct profile *p, const struct cells *c)
{
	if (c->h % c->merge || c->w % c->merge)
		return false;
	for (size_t j = 0; j < p->cols; j++)
		if ((differs(p, c, j, 1) && differs(p, c, j, c->merge)) ||
		    (c->t > 1 && differs(p, c, j, c->w * c->h)))
			return false;
	return true;
}

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

bool may_have_form(const struct profile *p, int form)
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

bool try_form(struct search *s, const char *options, const char *more,
	      int form)
{
	static const char *const outs[FORMS] = {
		"cos", "sin", "angles", "cos-full", "sin-full", "cossin", "cis"
	};
	const size_t times = form < COS_FULL ? 2 : 1;
	const size_t before = s->n;

	return try_recipe(s, "rope", 4 * fmin((double)s->profile->n, 100),
			  "%s %s out=%s dim=%zu", options, more,
			  outs[form], times * s->profile->cols) &&
	       search_has_exact(s, before);
}

const char *grid_options(const struct cells *c, char text[GRID_ROOM])
{
	size_t n = (size_t)snprintf(text, GRID_ROOM, "grid=%zux%zu", c->h,
				    c->w);

	if (c->t > 1)
		n += (size_t)snprintf(text + n, GRID_ROOM - n, "x%zu", c->t);
	if (c->first)
		snprintf(text + n, GRID_ROOM - n, " text=%zu", c->first);
	return text;
}

/* The least divisor of n above d; 0: there is none. */
static size_t next_divisor(size_t n, size_t d)
{
	size_t e;

	for (d++; d <= n / d; d++)
		if (n % d == 0)
			return d;
	for (e = n / d; e && n % e; e--)
		;
	return e ? n / e : 0;
}

/* Try a preset on cells of any shape that the rows from the first on allow. */
static bool try_shapes(struct search *s, const struct convention *v,
		       size_t first, try_function *try)
{
	const struct profile *p = s->profile;
	const size_t n = p->n - first - v->cls;
	struct cells c = { .first = first, .merge = v->merge ? v->merge : 1 };

	for (c.t = 1; c.t; c.t = next_divisor(n, c.t))
		for (c.w = 1; c.w; c.w = next_divisor(n / c.t, c.w)) {
			c.h = n / c.t / c.w;
			if ((v->merge ? may_have_blocks(p, &c)
				      : may_have_shape(p, &c)) &&
			    try(s, v, &c))
				return true;
		}
	return false;
}

/* The value of an option as text, "" if it has none, to at most size bytes. */
static void copy_value(const struct recipe *r, const void *self,
		       const char *name, char *to, size_t size)
{
	const struct option *o = option_find(r->options, name, strlen(name));
	char text[OPTION_ROOM];

	snprintf(to, size, "%s", option_text(o, self, text));
}

/* Conventions of no project in particular. */
static const char *const unnamed[] = {
	"order=y,x", "order=x,y",
	"order=y,x pairs=interleaved", "order=x,y pairs=interleaved",
	"order=y,x merge=2", "order=x,y merge=2",
	"order=y,x pairs=interleaved merge=2",
	"order=x,y pairs=interleaved merge=2",
	"order=y,x spacing=alternating", "order=x,y spacing=alternating",
	"order=t,y,x", "order=t,y,x pairs=interleaved",
};

bool convention_read(struct search *s, size_t k, struct convention *v)
{
	const struct recipe *r = recipe_find("rope", s->err);
	struct table room = { 0 };
	struct fields f = { .given = NULL };
	char merge[24], cls[24], base[32], *text = NULL;

	v->named = k >= COUNT(unnamed);
	if (v->named && !r->presets[k - COUNT(unnamed)].name)
		return false;
	v->options = search_text(s, "%s%s", v->named ? "preset=" : "",
				 v->named ? r->presets[k - COUNT(unnamed)].name
					  : unnamed[k]);
	if (v->options)
		text = search_text(s, "%s", v->options);
	if (text && recipe_begin(r, &room, &f, s->err) &&
	    recipe_set_all(r, &f, text, s->err)) {
		copy_value(r, f.self, "order", v->order, sizeof v->order);
		copy_value(r, f.self, "coords", v->coords, sizeof v->coords);
		copy_value(r, f.self, "pairs", v->pairs, sizeof v->pairs);
		copy_value(r, f.self, "spacing", v->spacing,
			   sizeof v->spacing);
		copy_value(r, f.self, "text-ids", v->text_ids,
			   sizeof v->text_ids);
		copy_value(r, f.self, "merge", merge, sizeof merge);
		copy_value(r, f.self, "cls", cls, sizeof cls);
		copy_value(r, f.self, "base", base, sizeof base);
		v->merge = strtoul(merge, NULL, 10);
		v->cls = strtoul(cls, NULL, 10);
		v->base = strtod(base, NULL);
	}
	table_close(&room);
	return !s->err->text[0];
}

bool convention_try(struct search *s, const struct convention *v,
		    try_function *try)
{
	const size_t rows = s->profile->n - v->cls - 1;
	const size_t texts = rows < TEXT_MOST ? rows : TEXT_MOST;
	const size_t most = v->text_ids[0] ? texts : 0;

	for (size_t n = 0; search_goes_on(s, n <= most); n++)
		if (try_shapes(s, v, n, try))
			return true;
	return false;
}
