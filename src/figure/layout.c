/* layout.c: panels of a figure, and the axes, legend and bar around them. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "exact/logarithm.h"
#include "figure/formula.h"
#include "figure/layout.h"

enum {
	NAME_TEXT = 2048,  /* bytes of a name, of which an ellipsis */
	ELLIPSIS = 4,      /* may take the last */
	HATCH_APART = 5,   /* points from line to line, along x and y */
};

int cap_height(const struct figure *f, int points)
{
	return (int)(0.73 * font_pixels(f, points));
}

int ticks_width(const struct figure *f, const struct ticks *ticks)
{
	int most = 0;

	for (size_t i = 0; i < ticks->n; i++) {
		const int w = figure_width(f, TICK_POINTS, ticks->tick[i].text);

		most = w > most ? w : most;
	}
	return most;
}

/* With --frame fixed, labels have the room of this one, or more. */
#define RESERVED "\xe2\x88\x92" "0.00000"

/* The height of an axis name. */
static int name_room(const struct figure *f)
{
	return pt(f, GAP) + pt(f, 1.2 * NAME_POINTS);
}

int word_room(const struct figure *f)
{
	return figure_width(f, TICK_POINTS, "nnnnnnnnnnnnnn");
}

void ticks_cut(const struct figure *f, struct ticks *ticks)
{
	for (size_t i = 0; f->fixed && i < ticks->n; i++)
		ticks->cut |= text_cut(f, TICK_POINTS, ticks->tick[i].text,
				       TICK_TEXT, word_room(f));
}

/* Whether labels are words, whose room does not depend on them. */
static bool fixed_words(const struct figure *f, const struct ticks *ticks)
{
	return f->fixed && ticks->step;
}

/* The room of labels beside a panel or a bar. */
static int labels_room(const struct figure *f, const struct ticks *ticks)
{
	if (fixed_words(f, ticks))
		return word_room(f);
	return greatest(ticks_width(f, ticks),
			f->fixed ? figure_width(f, TICK_POINTS, RESERVED) : 0);
}

int side_left_room(const struct figure *f, const struct side *s)
{
	return pt(f, TICK + GAP) + labels_room(f, &s->ticks) + name_room(f);
}

int side_bottom_room(const struct figure *f, const struct side *s)
{
	const int labels = fixed_words(f, &s->ticks) ? word_room(f) :
			   s->upright ? ticks_width(f, &s->ticks)
				      : cap_height(f, TICK_POINTS);

	return pt(f, TICK + GAP) + labels + name_room(f);
}

int side_bottom_out(const struct figure *f, const struct side *s, int width)
{
	double most = pt(f, MARGIN - GAP);

	if (f->fixed)
		most = fmax(most, figure_width(f, TICK_POINTS, RESERVED) / 2.0);
	for (size_t i = 0; i < s->ticks.n && !s->upright; i++) {
		const struct tick *t = &s->ticks.tick[i];
		const int w = figure_width(f, TICK_POINTS, t->text);

		most = fmax(most, w / 2.0 - fmin(t->at, width - t->at));
	}
	return (int)ceil(most) - pt(f, MARGIN - GAP);
}

/* "Position" for "position"; its width. */
static int usual_name(const struct figure *f, const struct name *name,
		      char text[NAME_TEXT])
{
	snprintf(text, NAME_TEXT - ELLIPSIS, "%s",
		 language_text(f->language, name->usual));
	text[0] = (char)toupper((unsigned char)text[0]);
	return figure_width(f, NAME_POINTS, text);
}

/* The name that was given, or the usual one; its width. */
static int name_text(const struct figure *f, const struct name *name,
		     char text[NAME_TEXT])
{
	if (!name->given)
		return usual_name(f, name, text);
	formula_show(name->given, SIZE_MAX, text, NAME_TEXT - ELLIPSIS);
	return figure_width(f, NAME_POINTS, text);
}

int side_name_width(const struct figure *f, const struct side *s)
{
	char text[NAME_TEXT];

	return name_text(f, &s->name, text);
}

int side_left_high(const struct figure *f, const struct side *s, int height)
{
	char text[NAME_TEXT];
	const int most = greatest(height, usual_name(f, &s->name, text));
	const int name = side_name_width(f, s);

	return greatest(height, name < most ? name : most);
}

/*
 * A name that was given is cut to the room that its panel has, or the usual
 * name takes.
 */
static void draw_name(struct figure *f, const struct name *name, int room,
		      int x, int y, bool upward)
{
	char text[NAME_TEXT];
	struct item *item;

	room = greatest(room, usual_name(f, name, text));
	name_text(f, name, text);
	if (!*text)
		return;
	if (text_cut(f, NAME_POINTS, text, sizeof text, room))
		figure_note(f, "a long name is cut");
	item = figure_text(f, INK_TEXT, NAME_POINTS, x, y, text);
	item->anchor = ANCHOR_MIDDLE;
	item->upward = upward;
}

int tick_begin(const struct figure *f, double at)
{
	return (int)floor(at - f->scale / 2.0 + 0.5);
}

/* Say which words are missing or short. */
static void note_words(struct figure *f, const struct ticks *ticks)
{
	char text[60] = "";

	if (ticks->step > 1)
		snprintf(text, sizeof text, "one of %zu words is shown",
			 ticks->step);
	figure_note(f, text);
	figure_note(f, ticks->cut ? "long words are cut" : "");
}

void side_left_name(struct figure *f, const struct box *b,
		    const struct side *s)
{
	draw_name(f, &s->name, b->h, b->x - f->scale - pt(f, TICK) -
		  pt(f, GAP - 2 + GAP) - labels_room(f, &s->ticks) - pt(f, 3),
		  b->y + b->h / 2, true);
}

void side_left(struct figure *f, const struct box *b, const struct side *s,
	       bool labels)
{
	const int x = b->x - f->scale - pt(f, TICK);

	note_words(f, &s->ticks);
	for (size_t i = 0; i < s->ticks.n; i++) {
		const struct tick *t = &s->ticks.tick[i];
		const int y = b->y + tick_begin(f, t->at);

		if (!s->bare)
			figure_rect(f, INK_TEXT, x, y, pt(f, TICK), f->scale);
		if (labels)
			figure_text(f, INK_TEXT, TICK_POINTS,
				    x - pt(f, GAP - 2), y + f->scale / 2 +
				    cap_height(f, TICK_POINTS) / 2,
				    t->text)->anchor = ANCHOR_END;
	}
	if (labels && !s->unnamed)
		side_left_name(f, b, s);
}

void side_bottom_name(struct figure *f, const struct box *b,
		      const struct side *s)
{
	draw_name(f, &s->name, b->w, b->x + b->w / 2,
		  b->y + b->h + f->scale + side_bottom_room(f, s) -
		  pt(f, 0.2 * NAME_POINTS), false);
}

void side_bottom(struct figure *f, const struct box *b, const struct side *s,
		 bool labels)
{
	const int y = b->y + b->h + f->scale;
	const int below = y + pt(f, TICK + GAP - 2);

	note_words(f, &s->ticks);
	for (size_t i = 0; i < s->ticks.n; i++) {
		const struct tick *t = &s->ticks.tick[i];
		const int x = b->x + tick_begin(f, t->at);
		struct item *item;

		if (!s->bare)
			figure_rect(f, INK_TEXT, x, y, f->scale, pt(f, TICK));
		if (!labels)
			continue;
		item = figure_text(f, INK_TEXT, TICK_POINTS, x + f->scale / 2,
				   below + cap_height(f, TICK_POINTS), t->text);
		item->anchor = ANCHOR_MIDDLE;
		if (s->upright) {
			item->anchor = ANCHOR_END;
			item->upward = true;
			item->x += cap_height(f, TICK_POINTS) / 2;
			item->y = below;
		}
	}
	if (labels && !s->unnamed)
		side_bottom_name(f, b, s);
}

void side_left_lines(struct figure *f, const struct box *b,
		     const struct side *s)
{
	for (size_t i = 0; i < s->ticks.n; i++)
		figure_rect(f, INK_GRID, b->x, b->y +
			    tick_begin(f, s->ticks.tick[i].at), b->w, f->scale);
}

void side_bottom_lines(struct figure *f, const struct box *b,
		       const struct side *s)
{
	for (size_t i = 0; i < s->ticks.n; i++)
		figure_rect(f, INK_GRID, b->x +
			    tick_begin(f, s->ticks.tick[i].at), b->y, f->scale,
			    b->h);
}

void frame(struct figure *f, const struct box *b)
{
	const int s = f->scale;

	figure_rect(f, INK_TEXT, b->x - s, b->y - s, b->w + 2 * s, s);
	figure_rect(f, INK_TEXT, b->x - s, b->y + b->h, b->w + 2 * s, s);
	figure_rect(f, INK_TEXT, b->x - s, b->y, s, b->h);
	figure_rect(f, INK_TEXT, b->x + b->w, b->y, s, b->h);
}

/* Whether the pixel at (x, y) of an image is one of -inf. */
static bool is_hidden(const struct figure *f, const struct image *i, int x,
		      int y)
{
	return i->levels[(size_t)(y / i->h) * i->cols + (size_t)(x / i->w)] ==
	       f->levels + MISSING_MINUS_INF;
}

void hatch(struct figure *f, int x, int y, const struct image *image)
{
	const int w = (int)image->cols * image->w;
	const int h = (int)image->rows * image->h;
	const int apart = pt(f, HATCH_APART);

	/* The diagonals of pixels whose x and y have the sum at */
	for (int at = apart / 2; f->theme == PRINT && at < w + h; at += apart) {
		int from = -1;

		for (int i = greatest(0, at - w + 1); i <= h && i <= at + 1;
		     i++) {
			const bool in = i < h && i <= at &&
					is_hidden(f, image, at - i, i);
			const struct point ends[] = {
				{ x + at + 1 - from, y + from },
				{ x + at + 1 - i, y + i },
			};

			if (!in && from >= 0)
				figure_points(f, ITEM_PATH, INK_MUTED, ends, 2)
					->width = f->scale / 2.0;
			from = !in ? -1 : from < 0 ? i : from;
		}
	}
}

enum {
	BAR = 14,         /* width, points */
	BAR_LEAST = 96,   /* height, points */
	BAR_MOST = 560,
	STEP_MOST = 22,   /* of a legend */
};

/* The name of a kind of missing values. */
static const char *missing_name(const struct figure *f,
				const struct color_scale *c, int kind)
{
	static const char *const names[MISSING_KINDS] = {
		"NaN", "inf", "\xe2\x88\x92inf"
	};

	return c->masked && kind == MISSING_MINUS_INF ?
		       language_text(f->language, c->masked) : names[kind];
}

unsigned levels_missing(const struct figure *f, const unsigned char *levels,
			size_t n)
{
	unsigned found = 0;

	for (int i = 0; i < MISSING_KINDS; i++)
		if (memchr(levels, f->levels + i, n))
			found |= 1U << i;
	return found;
}

/* The height of the patches for missing values. */
static int missing_height(const struct figure *f, unsigned missing)
{
	const int n = __builtin_popcount(missing);

	return n ? pt(f, n * (BAR + GAP) + 2) : 0;
}

static double step_height(const struct figure *f,
			  const struct color_scale *c, int height)
{
	const int most = pt(f, STEP_MOST);
	const int h = height / c->map.levels;

	return h > most ? most : h < 1 ? 1 : h;
}

/* The ends of ranges that differ between panels. */
static void each_ticks(struct bar *bar, bool centered)
{
	static const char *const names[] = {
		"max", "min", "max", ("\xe2\x88\x92" "max")
	};

	for (int i = 0; i < 2; i++) {
		struct tick *tick = &bar->ticks.tick[i];

		tick->at = i * bar->h;
		snprintf(tick->text, sizeof tick->text, "%s",
			 names[2 * centered + i]);
	}
	bar->ticks.n = 2;
}

/* Round values of the range of colours, where these show them. */
static void scaled_ticks(struct bar *bar, const struct figure *f,
			 const struct colormap *m)
{
	const int apart = pt(f, (f->wide ? 2 : 4) * TICK_POINTS);
	const double lo = colormap_scaled(m, m->lo) / 2;
	const double hi = colormap_scaled(m, m->hi) / 2;

	if (m->scaling == SCALING_LOG)
		ticks_log(&bar->ticks, m->lo, m->hi,
			  (size_t)(bar->h / apart) + 1);
	else if (m->scaling == SCALING_SQRT && m->lo <= 0 && m->hi >= 0)
		ticks_roots(&bar->ticks, m->lo, m->hi,
			    pt(f, 2 * TICK_POINTS) / (double)bar->h);
	else
		ticks_values(&bar->ticks, m->lo, m->hi,
			     (size_t)(bar->h / apart) + 1);
	for (size_t i = 0; i < bar->ticks.n; i++) {
		struct tick *t = &bar->ticks.tick[i];

		t->at = (hi - colormap_scaled(m, t->at) / 2) / (hi - lo) *
			bar->h;
	}
}

static void choose_bar_ticks(struct bar *bar, const struct figure *f,
			     const struct color_scale *c)
{
	const struct colormap *m = &c->map;
	const struct axis values = { .first = m->lo, .step = 1 };

	if (c->steps) {
		const double h = step_height(f, c, bar->h);

		bar->h = (int)h * m->levels;
		ticks_labels(&bar->ticks, &values, 0, (size_t)m->levels,
			     (size_t)(bar->h / pt(f, 1.6 * TICK_POINTS)));
		ticks_center(&bar->ticks, h);
	} else if (c->empty) {
		bar->h = 0;
	} else if (c->each) {
		each_ticks(bar, m->lo < 0 && m->hi > 0);
	} else {
		scaled_ticks(bar, f, m);
	}
}

/* The width of the patches for missing values and their names. */
static int missing_room(const struct figure *f, const struct panels *p)
{
	int most = 0;

	for (int i = 0; i < MISSING_KINDS; i++)
		if (p->missing & 1U << i)
			most = greatest(most, pt(f, BAR + GAP) +
				figure_width(f, TICK_POINTS,
					missing_name(f, &p->colors, i)));
	return most;
}

/* The bar of panels of that height together. */
static void bar_make(struct panels *p, const struct figure *f, int height)
{
	const int low = pt(f, BAR_LEAST), high = pt(f, BAR_MOST);
	struct bar *bar = &p->bar;
	char name[NAME_TEXT];
	int labels;

	bar->most = height < low ? low : height > high ? high : height;
	bar->h = bar->most - (f->fixed ? missing_height(f, p->missing) : 0);
	choose_bar_ticks(bar, f, &p->colors);
	labels = pt(f, BAR + TICK + GAP) + 2 * f->scale +
		 labels_room(f, &bar->ticks);
	bar->room = missing_room(f, p);
	/* A name that is longer than the bar is beside the patches, too */
	if (usual_name(f, &p->value, name) > bar->h)
		labels = greatest(labels, bar->room);
	bar->named = labels + name_room(f);
	bar->room = greatest(bar->room, bar->named);
}

/* Its height with all patches. */
static int bar_height(const struct figure *f, const struct panels *p)
{
	return f->fixed ? p->bar.most
			: p->bar.h + missing_height(f, p->missing);
}

/* One level per pixel: the greatest at the top; of integers, the least. */
static void bar_colors(struct figure *f, const struct panels *p, int x, int y)
{
	const struct color_scale *c = &p->colors;
	const size_t n = (size_t)p->bar.h, levels = (size_t)c->map.levels;
	unsigned char *level = figure_room(f, n, 1);

	for (size_t i = 0; level && i < n; i++)
		level[i] = (unsigned char)((c->steps ? i : n - 1 - i) *
					   levels / n);
	if (level)
		figure_image(f, x, y, &(struct image){ level, n, 1,
						       pt(f, BAR), 1 });
}

/* A patch for each kind of missing value, from (x, y) down. */
static void bar_missing(struct figure *f, const struct panels *p, int x, int y)
{
	struct box b = { x, y, pt(f, BAR), pt(f, BAR) };

	for (int i = 0; i < MISSING_KINDS; i++) {
		unsigned char level = (unsigned char)(f->levels + i);

		if (!(p->missing & 1U << i))
			continue;
		figure_rect(f, level, b.x, b.y, b.w, b.h);
		hatch(f, b.x, b.y, &(struct image){ &level, 1, 1, b.w, b.h });
		frame(f, &b);
		figure_text(f, INK_TEXT, TICK_POINTS,
			    b.x + b.w + f->scale + pt(f, GAP),
			    b.y + b.h / 2 + cap_height(f, TICK_POINTS) / 2,
			    missing_name(f, &p->colors, i));
		b.y += pt(f, BAR + GAP);
	}
}

void panels_bar(struct figure *f, const struct panels *p)
{
	const struct bar *bar = &p->bar;
	const struct box b = { bar->x + f->scale, bar->y, pt(f, BAR), bar->h };
	const int right = b.x + b.w + f->scale;
	const int label = bar->x + pt(f, BAR + TICK + GAP) + 2 * f->scale;

	if (!bar->room)
		return;
	if (p->colors.empty) {
		figure_note(f, "no value is finite");
	} else {
		bar_colors(f, p, b.x, b.y);
		frame(f, &b);
	}
	for (size_t i = 0; i < bar->ticks.n; i++) {
		const struct tick *t = &bar->ticks.tick[i];
		const int at = b.y + tick_begin(f, t->at);

		figure_rect(f, INK_TEXT, right, at, pt(f, TICK), f->scale);
		figure_text(f, INK_TEXT, TICK_POINTS, label,
			    at + f->scale / 2 + cap_height(f, TICK_POINTS) / 2,
			    t->text);
	}
	if (!p->colors.empty)
		draw_name(f, &p->value, b.h, bar->x + bar->named,
			  b.y + b.h / 2, true);
	bar_missing(f, p, b.x, b.y + b.h + pt(f, GAP));
}

struct box panels_box(const struct panels *p)
{
	struct box all = p->box;

	all.w += (greatest(p->across, 1) - 1) * p->step_x;
	all.h += (greatest(p->down, 1) - 1) * p->step_y;
	return all;
}

struct box panels_at(const struct panels *p, size_t i)
{
	const int across = greatest(p->across, 1);
	struct box b = p->box;

	b.x += (int)i % across * p->step_x;
	b.y += (int)i / across * p->step_y;
	return b;
}

/* Where the bar is: beside the panels and what extends beyond them. */
static int bar_beside(const struct figure *f, const struct panels *p)
{
	return greatest(pt(f, MARGIN), greatest(p->out, p->beside) +
				       pt(f, 2 * GAP));
}

/*
 * The heading is over the middle of all panels, which are beside the middle of
 * the bar, and of the name of a single row of them.
 */
void panels_place(struct figure *f, struct panels *p, const struct table *t,
		  const struct look *look)
{
	const struct box all = panels_box(p);
	const int margin = pt(f, MARGIN);
	const int labels = greatest(p->out, side_bottom_out(f, &p->x,
							    p->box.w));
	int right = greatest(labels, p->beside), body = all.h, high = 0, top;
	struct heading h;

	heading_make(&h, f, t, look, all.w);
	top = margin + h.h + pt(f, GAP) + p->above;
	if (p->down <= 1)
		body = greatest(body, side_left_high(f, &p->y, all.h));
	if (p->value.usual && !look->no_colorbar) {
		bar_make(p, f, all.h);
		high = bar_height(f, p);
		body = greatest(body, high);
		right = greatest(right, bar_beside(f, p) + p->bar.room);
	}
	p->box.x = margin + greatest(h.w / 2 - all.w / 2, greatest(labels,
				     side_left_room(f, &p->y)));
	p->box.y = top + (body - all.h) / 2;
	p->bar.x = p->box.x + all.w + bar_beside(f, p);
	p->bar.y = top + (body - (f->fixed ? p->bar.most : p->bar.h)) / 2;
	f->w = p->box.x + greatest(all.w + right, all.w / 2 + h.w / 2) + margin;
	f->h = greatest(greatest(top + body, p->bar.y + high), p->box.y +
			all.h + side_bottom_room(f, &p->x)) + margin;
	f->panel_x = p->box.x;
	f->panel_y = p->box.y;
	heading_draw(f, &h, p->box.x + all.w / 2, margin);
}

/* The logarithm of x, which is positive. */
static double logarithm(double x)
{
	return log_ratio(fmax(x, DBL_MIN), 1);
}

/* How far x is from a to b: 0 to 1. Halves, as all doubles span too much. */
static double part(double x, double a, double b, bool logarithmic)
{
	if (!logarithmic)
		return (x / 2 - a / 2) / (b / 2 - a / 2);
	if (!(x > 0) || isinf(x))
		return (double)NAN;
	return (logarithm(x) - logarithm(a)) / (logarithm(b) - logarithm(a));
}

double panels_x(const struct panels *p, double x)
{
	return part(x, p->left, p->right, p->log_x) * p->box.w;
}

double panels_y(const struct panels *p, double y)
{
	return part(y, p->high, p->low, p->log_y) * p->box.h;
}

void panels_ticks(struct panels *p)
{
	for (size_t i = 0; i < p->x.ticks.n; i++)
		p->x.ticks.tick[i].at = panels_x(p, p->x.ticks.tick[i].at);
	for (size_t i = 0; i < p->y.ticks.n; i++)
		p->y.ticks.tick[i].at = panels_y(p, p->y.ticks.tick[i].at);
}

struct point legend_line(struct figure *f, const struct panels *p, int i,
			 int columns, int width, const char *text)
{
	const struct box *b = &p->box;
	const int margin = pt(f, MARGIN);
	const int out = columns * width - margin - b->w;
	const int left = !f->wide ? b->x + b->w + margin
			 : width ? greatest(b->x - greatest(out, 0), margin)
				 : margin;
	const int top = b->y + pt(f, LEGEND_LINE) / 2 +
			(f->wide ? b->h + side_bottom_room(f, &p->x) +
				   pt(f, GAP) : 0);
	const int x = left + i % columns * width;
	const int y = top + i / columns * pt(f, LEGEND_LINE);

	figure_text(f, INK_TEXT, TICK_POINTS, x + pt(f, SWATCH + GAP),
		    y + cap_height(f, TICK_POINTS) / 2, text);
	return (struct point){ x, y };
}

void legend_grow(struct figure *f, const struct panels *p, int rows, int width)
{
	const int high = rows * pt(f, LEGEND_LINE), margin = pt(f, MARGIN);
	const struct box *b = &p->box;

	if (!rows)
		return;
	f->w = greatest(f->w, width + margin +
			      (f->wide ? margin : b->x + b->w));
	f->h = f->wide ? f->h + high + pt(f, GAP)
		       : greatest(f->h, b->y + high + side_bottom_room(f, &p->x)
				  + margin);
}
