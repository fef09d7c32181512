/*
 * subfigures.c: several figures in one. Each is laid out by its own kind, as a
 * list of items, which are then moved to their place and share one palette.
 * Panels of a row begin at the same height, as do their headings, those of a
 * column at the same left.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/heat.h"
#include "figure/layout.h"
#include "figure/plots.h"
#include "figure/subfigures.h"

enum { COLORS_MOST = LEVELS + MISSING_KINDS };  /* of all palettes */

#define SHARE 1.2    /* of the usual width of panels, for those of a row */
#define LARGER 1.25  /* the title of all, than those of each */

/* A subfigure that is laid out. */
struct placed {
	struct item *first, **last;
	int w, h;
	int x, y;                  /* of its panel, from its own corner */
	int right, below;          /* what is after that */
	double panels;             /* as in struct figure */
	struct color palette[PALETTE_MOST];
	int levels;
	int begin;                 /* in the palette of all */
	void *kept;                /* by its layout, with --width */
};

/* Where columns and rows begin, and the sizes on either side of panels. */
struct tracks {
	int at[SUBFIGURES_MOST], before[SUBFIGURES_MOST],
	    after[SUBFIGURES_MOST];
	int n, end;
};

struct arranged {
	struct placed placed[SUBFIGURES_MOST];
	struct tracks columns, rows;
	struct point heights[2];  /* as in struct figure */
};

/* "(a) Rotary ...", in memory of f, whose heading is that of subfigure i. */
static const char *title_of(struct figure *f, const struct subfigures *s,
			    size_t i)
{
	const char *title = f->heading;
	char *text = figure_room(f, strlen(title) + 8, 1);

	if (!s->letters || !text)
		return title;
	sprintf(text, "(%s%c)%s%s", i < 26 ? "" : i < 52 ? "a" : "b",
		(int)('a' + i % 26), *title ? " " : "", title);
	return text;
}

/* Lay out subfigure i on a page of its own, which is a share of the page. */
static void lay_out(struct figure *f, const struct subfigures *s, size_t i,
		    struct placed *to)
{
	const struct subfigure *one = &s->at[i];
	const struct figure page = *f;
	const int columns = (int)s->columns;

	f->last = &f->first;
	f->first = NULL;
	f->levels = f->panel_x = f->panel_y = 0;
	figure_words(f, one->t, &one->look);
	f->heading = title_of(f, s, i);
	f->kept = to->kept;
	f->wide = page.wide / columns;
	f->high = page.high / (int)((s->n + s->columns - 1) / s->columns);
	f->share *= page.wide ? 1 : fmin(1, SHARE / columns);
	if (one->sum)
		panels_layout(f, one->t, &one->look, f->threads);
	else
		plot_of(&one->look)->layout(f, one->t, &one->look, f->threads);
	notes_draw(f);
	/* Not in the margin, which is cut off */
	if (f->wide && f->print && f->note[0])
		f->h += pt(f, MARGIN);
	if (f->wide)
		f->w = greatest(f->w, texts_wide(f, f->first));
	*to = (struct placed){
		.first = f->first, .last = f->last, .w = f->w, .h = f->h,
		.x = f->panel_x, .y = f->panel_y,
		.right = f->w - f->panel_x, .below = f->h - f->panel_y,
		.panels = f->panels, .levels = f->levels, .kept = f->kept,
	};
	memcpy(to->palette, f->palette, sizeof to->palette);
	f->note[0] = '\0';
	f->title = page.title;
	f->heading = page.heading;
	f->subtitle = page.subtitle;
	f->wide = page.wide;
	f->high = page.high;
	f->share = page.share;
}

/* How many levels of a palette are left if none may have more than most. */
static int levels_left(const struct placed *p, int most)
{
	return p->levels < most ? p->levels : most;
}

/* Whether an earlier subfigure has the same palette: then which, else i. */
static size_t palette_of(const struct placed *all, size_t i)
{
	const size_t n = sizeof *all->palette * (size_t)(all[i].levels +
							 MISSING_KINDS);

	for (size_t k = 0; k < i; k++)
		if (all[k].levels == all[i].levels &&
		    memcmp(all[k].palette, all[i].palette, n) == 0)
			return k;
	return i;
}

/* The colours of all palettes, if none has more levels than most. */
static int count_colors(const struct placed *all, size_t n, int most)
{
	int sum = 0;

	for (size_t i = 0; i < n; i++)
		if (all[i].levels && palette_of(all, i) == i)
			sum += levels_left(&all[i], most) + MISSING_KINDS;
	return sum;
}

/* Level k of n as one of m levels over the same range. */
static int scaled(int k, int n, int m)
{
	return n > 1 ? (k * (m - 1) + (n - 1) / 2) / (n - 1) : 0;
}

/* The levels of the items of p as those in the palette of all. */
static void renumber(struct figure *f, const struct placed *p, int most)
{
	const int left = levels_left(p, most);
	unsigned char to[256] = { 0 };

	for (int k = 0; k < p->levels; k++)
		to[k] = (unsigned char)(p->begin + scaled(k, p->levels, left));
	for (int k = 0; k < MISSING_KINDS; k++)
		to[p->levels + k] = (unsigned char)(p->begin + left + k);
	for (struct item *i = p->first; i; i = i->next) {
		const size_t n = i->kind == ITEM_IMAGE ? i->rows * i->cols : 0;
		unsigned char *levels = n ? figure_room(f, n, 1) : NULL;

		for (size_t k = 0; levels && k < n; k++)
			levels[k] = to[i->levels[k]];
		if (levels)
			i->levels = levels;
		if (p->levels && i->kind != ITEM_IMAGE && i->ink < INK)
			i->ink = to[i->ink];
	}
}

/* Join the palettes; where there is no room for all, with fewer levels. */
static void join_palettes(struct figure *f, struct placed *all, size_t n)
{
	int most = LEVELS, at = 0;

	/* An odd number, for the middle of a diverging map */
	while (most > 3 && count_colors(all, n, most) > COLORS_MOST)
		most -= 2;
	for (size_t i = 0; i < n; i++) {
		struct placed *p = &all[i];
		const size_t same = palette_of(all, i);
		const int left = levels_left(p, most);

		p->begin = all[same].begin;
		if (same == i && p->levels) {
			p->begin = at;
			at += left + MISSING_KINDS;
		}
		for (int k = 0; k < left; k++)
			f->palette[p->begin + k] =
				p->palette[scaled(k, left, p->levels)];
		for (int k = 0; p->levels && k < MISSING_KINDS; k++)
			f->palette[p->begin + left + k] =
				p->palette[p->levels + k];
		renumber(f, p, most);
	}
	f->levels = greatest(at - MISSING_KINDS, 0);
}

/* Make room in a track. */
static void widen(struct tracks *t, size_t i, int before, int after)
{
	t->before[i] = greatest(t->before[i], before);
	t->after[i] = greatest(t->after[i], after);
	t->n = greatest(t->n, (int)i + 1);
}

static void arrange(struct tracks *t, int from)
{
	t->end = from;
	for (int i = 0; i < t->n; i++) {
		t->at[i] = t->end + t->before[i];
		t->end = t->at[i] + t->after[i];
	}
}

/* The width of panels beside one another. */
static double panels_across(const struct subfigures *s,
			    const struct placed *all)
{
	double sum = 0;

	for (size_t c = 0; c < s->columns; c++) {
		double most = 0;

		for (size_t i = c; i < s->n; i += s->columns)
			most = fmax(most, all[i].panels);
		sum += most;
	}
	return sum;
}

/* In a row, headings stand at one height: of the one that is the highest. */
static void raise_heading(struct item *first, int up)
{
	for (struct item *i = first; i; i = i->next)
		if (i->heading)
			i->y -= up;
}

static void place(struct figure *f, const struct subfigures *s,
		  struct arranged *a)
{
	const struct tracks *t = &a->columns;

	for (size_t i = 0; i < s->n; i++) {
		const size_t c = i % s->columns, r = i / s->columns;
		struct placed *p = &a->placed[i];

		raise_heading(p->first, a->rows.before[r] - p->y);
		figure_move(p->first, t->at[c] - p->x, a->rows.at[r] - p->y);
		if (f->wide)
			texts_keep(f, p->first, t->at[c] - t->before[c],
				   t->at[c] + t->after[c]);
		*f->last = p->first;
		f->last = p->first ? p->last : f->last;
	}
	f->w = a->columns.end;
	f->h = a->rows.end;
}

/* Draw the title of all from the middle of the upper edge on; its height. */
static int draw_title(struct figure *f, const struct table *t,
		      const struct look *look, int width)
{
	struct heading h;

	f->last = &f->first;
	f->first = NULL;
	if (!look->title)
		return 0;
	heading_make(&h, f, t, look, (int)(width / LARGER));
	heading_draw(f, &h, width / 2, 0);
	for (struct item *i = f->first; i; i = i->next) {
		i->size = (int)(i->size * LARGER);
		i->y = (int)(i->y * LARGER) + pt(f, MARGIN);
	}
	return (int)(h.h * LARGER) + pt(f, GAP);
}

/* Find the range of all lines: each that is laid out widens it to its own. */
static void share_heights(struct figure *f, const struct subfigures *s,
			  struct arranged *a)
{
	const struct point none = { HUGE_VAL, -HUGE_VAL };

	a->heights[0] = a->heights[1] = none;
	f->heights = a->heights;
	for (size_t i = 0; i < s->n; i++)
		if (plot_of(&s->at[i].look)->curves)
			lay_out(f, s, i, &a->placed[i]);
}

void subfigures_layout(struct figure *f, const struct table *t,
		       const struct look *look)
{
	const struct subfigures *s = look->subfigures;
	struct arranged *a = f->kept ? f->kept
				     : figure_room(f, 1, sizeof *a);

	if (!a)
		return;
	memset(&a->columns, 0, sizeof a->columns);
	memset(&a->rows, 0, sizeof a->rows);
	if (s->shared && !f->heights)
		share_heights(f, s, a);
	for (size_t i = 0; i < s->n; i++) {
		struct placed *p = &a->placed[i];

		lay_out(f, s, i, p);
		widen(&a->columns, i % s->columns, p->x, p->right);
		widen(&a->rows, i / s->columns, p->y, p->below);
	}
	f->kept = a;
	f->panels = panels_across(s, a->placed);
	f->about = s->about;
	join_palettes(f, a->placed, s->n);
	arrange(&a->columns, 0);
	arrange(&a->rows, draw_title(f, t, look, a->columns.end));
	place(f, s, a);
}

/* Whether the colours of a subfigure are values. */
static bool colored(const struct subfigure *one)
{
	const struct plot *plot = plot_of(&one->look);

	return (plot->bar || plot->transposes) && !plot->unscaled;
}

/* What all heat maps of a figure are, so that one bar is true of each. */
struct kinds {
	bool steps;            /* integers of one kind, in a legend of steps */
	bool shares, uneven;   /* as in struct table: coloured by roots */
};

static struct kinds find_kinds(const struct subfigures *s)
{
	struct kinds all = { true, true, true };
	const struct table *first = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct table *t = s->at[i].t;

		if (!colored(&s->at[i]))
			continue;
		first = first ? first : t;
		all.steps &= dtype_integer(t->dtype) &&
			     t->halves == first->halves;
		all.shares &= t->shares;
		all.uneven &= t->uneven && t->planes > 1;
	}
	return all;
}

/* The range of the values of all. */
static bool find_range(const struct subfigures *s, double *lo, double *hi,
		       struct error *err)
{
	*lo = HUGE_VAL;
	*hi = -HUGE_VAL;
	for (size_t i = 0; i < s->n; i++) {
		double a, b;

		if (!colored(&s->at[i]))
			continue;
		if (!table_range(s->at[i].t, &a, &b, err))
			return false;
		*lo = fmin(*lo, a);
		*hi = fmax(*hi, b);
	}
	if (*lo < 0 && *hi > 0)
		look_center(lo, hi);
	return true;
}

/* Keep the last colour bar of each row, and those below which cells that a mask
   hides are named. */
static void keep_bars(struct subfigures *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = i + 1; k < s->n && k % s->columns; k++)
			s->at[i].look.no_colorbar |= colored(&s->at[i]) &&
						!masked_name(s->at[i].t) &&
						colored(&s->at[k]) &&
						plot_of(&s->at[k].look)->bar;
}

bool subfigures_share(struct subfigures *s, struct error *err)
{
	const struct kinds all = find_kinds(s);
	double lo, hi;

	if (!find_range(s, &lo, &hi, err))
		return false;
	for (size_t i = 0; i < s->n && lo <= hi; i++) {
		struct table *t = s->at[i].t;

		if (!colored(&s->at[i]))
			continue;
		t->shares = all.shares;
		t->uneven = all.uneven;
		t->bounds = BOUNDS_TIGHT;
		t->lo = lo;
		t->hi = hi;
		if (!all.steps)
			s->at[i].look.range = s->range;
	}
	s->shared = true;
	look_widen(&lo, &hi);
	snprintf(s->range, sizeof s->range, "%.17g:%.17g", lo, hi);
	keep_bars(s);
	return true;
}
