/* layout.c: axes and colour bar of a figure. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"
#include "figure/layout.h"

enum {
	NAME_TEXT = 2048,  /* bytes of a name, of which an ellipsis */
	ELLIPSIS = 4,      /* may take the last */
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
	snprintf(text, NAME_TEXT - ELLIPSIS, "%s", name->usual);
	text[0] = (char)toupper((unsigned char)text[0]);
	return figure_width(f, NAME_POINTS, text);
}

/* The name that was given, or the usual one; its width. */
static int name_text(const struct figure *f, const struct name *name,
		     char text[NAME_TEXT])
{
	if (!name->given)
		return usual_name(f, name, text);
	utf8_show_joined(name->given, SIZE_MAX, text, NAME_TEXT - ELLIPSIS);
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

struct point legend_line(struct figure *f, const struct box *b,
			 const struct side *below, int i, int columns,
			 int width, const char *text)
{
	const int left = pt(f, MARGIN) + (f->wide ? 0 : b->x + b->w);
	const int top = b->y + pt(f, LEGEND_LINE) / 2 +
			(f->wide ? b->h + side_bottom_room(f, below) +
				   pt(f, GAP) : 0);
	const int x = left + i % columns * width;
	const int y = top + i / columns * pt(f, LEGEND_LINE);

	figure_text(f, INK_TEXT, TICK_POINTS, x + pt(f, SWATCH + GAP),
		    y + cap_height(f, TICK_POINTS) / 2, text);
	return (struct point){ x, y };
}

void frame(struct figure *f, const struct box *b)
{
	const int s = f->scale;

	figure_rect(f, INK_TEXT, b->x - s, b->y - s, b->w + 2 * s, s);
	figure_rect(f, INK_TEXT, b->x - s, b->y + b->h, b->w + 2 * s, s);
	figure_rect(f, INK_TEXT, b->x - s, b->y, s, b->h);
	figure_rect(f, INK_TEXT, b->x + b->w, b->y, s, b->h);
}

enum {
	BAR = 14,         /* width, points */
	BAR_LEAST = 96,   /* height, points */
	BAR_MOST = 560,
	STEP_MOST = 22,   /* of a legend */
};

static const char *const missing_names[MISSING_KINDS] = {
	"NaN", "inf", "\xe2\x88\x92inf"
};

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
		for (size_t i = 0; i < bar->ticks.n; i++)
			bar->ticks.tick[i].at = (bar->ticks.tick[i].at + 0.5) *
						h;
	} else if (c->empty) {
		bar->h = 0;
	} else if (c->each) {
		each_ticks(bar, m->lo < 0 && m->hi > 0);
	} else {
		ticks_values(&bar->ticks, m->lo, m->hi,
			      (size_t)(bar->h / pt(f, (f->wide ? 2 : 4) *
					      TICK_POINTS)) + 1);
		for (size_t i = 0; i < bar->ticks.n; i++)
			bar->ticks.tick[i].at = (m->hi / 2 -
				bar->ticks.tick[i].at / 2) /
				(m->hi / 2 - m->lo / 2) * bar->h;
	}
}

void bar_make(struct bar *bar, const struct figure *f,
	      const struct color_scale *c, struct name name, int height,
	      unsigned missing)
{
	const int low = pt(f, BAR_LEAST), high = pt(f, BAR_MOST);

	*bar = (struct bar){ .name = name, .missing = missing };
	bar->most = height < low ? low : height > high ? high : height;
	bar->h = bar->most - (f->fixed ? missing_height(f, missing) : 0);
	choose_bar_ticks(bar, f, c);
	bar->labels = pt(f, BAR + TICK + GAP) + 2 * f->scale +
		      ticks_width(f, &bar->ticks);
	bar->room = pt(f, BAR + TICK + GAP) + 2 * f->scale +
		    labels_room(f, &bar->ticks);
	for (int i = 0; i < MISSING_KINDS; i++)
		if (missing & 1U << i)
			bar->room = greatest(bar->room, pt(f, BAR + GAP) +
				figure_width(f, TICK_POINTS,
					     missing_names[i]));
	bar->room += name_room(f);
}

int bar_height(const struct figure *f, const struct bar *bar)
{
	return f->fixed ? bar->most
			: bar->h + missing_height(f, bar->missing);
}

/* One level per pixel: the greatest at the top; of integers, the least. */
static void bar_colors(struct figure *f, const struct bar *bar,
		       const struct color_scale *c, int x, int y)
{
	const size_t n = (size_t)bar->h, levels = (size_t)c->map.levels;
	unsigned char *level = figure_room(f, n, 1);
	struct item *item = figure_add(f, ITEM_IMAGE, 0);

	if (!level)
		return;
	for (size_t i = 0; i < n; i++)
		level[i] = (unsigned char)((c->steps ? i : n - 1 - i) *
					   levels / n);
	item->levels = level;
	item->rows = n;
	item->cols = 1;
	item->x = x;
	item->y = y;
	item->w = pt(f, BAR);
	item->h = 1;
}

/* A patch for each kind of missing value, from (x, y) down. */
static void bar_missing(struct figure *f, const struct bar *bar, int x, int y)
{
	struct box b = { x, y, pt(f, BAR), pt(f, BAR) };

	for (int i = 0; i < MISSING_KINDS; i++) {
		if (!(bar->missing & 1U << i))
			continue;
		figure_rect(f, f->levels + i, b.x, b.y, b.w, b.h);
		frame(f, &b);
		figure_text(f, INK_TEXT, TICK_POINTS,
			    b.x + b.w + f->scale + pt(f, GAP),
			    b.y + b.h / 2 + cap_height(f, TICK_POINTS) / 2,
			    missing_names[i]);
		b.y += pt(f, BAR + GAP);
	}
}

void bar_draw(struct figure *f, const struct bar *bar,
	      const struct color_scale *c, int x, int y)
{
	const struct box b = { x + f->scale, y, pt(f, BAR), bar->h };
	const int right = b.x + b.w + f->scale;

	if (c->empty) {
		figure_note(f, "no value is finite");
	} else {
		bar_colors(f, bar, c, b.x, y);
		frame(f, &b);
	}
	for (size_t i = 0; i < bar->ticks.n; i++) {
		const struct tick *t = &bar->ticks.tick[i];
		const int at = y + tick_begin(f, t->at);

		figure_rect(f, INK_TEXT, right, at, pt(f, TICK), f->scale);
		figure_text(f, INK_TEXT, TICK_POINTS, x + bar->labels,
			    at + f->scale / 2 + cap_height(f, TICK_POINTS) / 2,
			    t->text)->anchor = ANCHOR_END;
	}
	if (!c->empty)
		draw_name(f, &bar->name, bar->h, x + bar->room, y + bar->h / 2,
			  true);
	bar_missing(f, bar, b.x, y + bar->h + pt(f, GAP));
}
