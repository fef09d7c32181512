/* layout.c: title, axes and colour bar of a figure. */
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
	return pt(f, 0.73 * points);
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

/* The height of an axis name. */
static int name_room(const struct figure *f)
{
	return pt(f, GAP) + pt(f, 1.2 * NAME_POINTS);
}

int side_left_room(const struct figure *f, const struct side *s)
{
	return pt(f, TICK + GAP) + ticks_width(f, &s->ticks) + name_room(f);
}

int side_bottom_room(const struct figure *f, const struct side *s)
{
	const int labels = s->upright ? ticks_width(f, &s->ticks)
				      : cap_height(f, TICK_POINTS);

	return pt(f, TICK + GAP) + labels + name_room(f);
}

int side_bottom_out(const struct figure *f, const struct side *s, int width)
{
	double most = pt(f, MARGIN - GAP);

	for (size_t i = 0; i < s->ticks.n && !s->upright; i++) {
		const struct tick *t = &s->ticks.tick[i];
		const int w = figure_width(f, TICK_POINTS, t->text);

		most = fmax(most, w / 2.0 - fmin(t->at, width - t->at));
	}
	return (int)ceil(most) - pt(f, MARGIN - GAP);
}

/* Shorten text to fit width pixels, with an ellipsis. */
static void cut_name(const struct figure *f, char text[NAME_TEXT], int width)
{
	size_t n = strlen(text);

	while (n && figure_width(f, NAME_POINTS, text) > width) {
		do
			n--;
		while (n && (text[n] & 0xc0) == 0x80);
		snprintf(text + n, NAME_TEXT - n, "\xe2\x80\xa6");
	}
}

/*
 * "Position" for "position". A name that was given is cut to the room that its
 * panel has, or the usual name takes.
 */
static void draw_name(struct figure *f, const struct name *name, int room,
		      int x, int y, bool upward)
{
	char text[NAME_TEXT];
	struct item *item;

	snprintf(text, sizeof text - ELLIPSIS, "%s", name->usual);
	text[0] = (char)toupper((unsigned char)text[0]);
	if (name->given) {
		room = greatest(room, figure_width(f, NAME_POINTS, text));
		utf8_show(name->given, SIZE_MAX, text,
			  sizeof text - ELLIPSIS);
		cut_name(f, text, room);
	}
	item = figure_text(f, INK_TEXT, NAME_POINTS, x, y, text);
	item->anchor = ANCHOR_MIDDLE;
	item->upward = upward;
}

int tick_begin(const struct figure *f, double at)
{
	return (int)floor(at - f->scale / 2.0 + 0.5);
}

void side_left(struct figure *f, const struct box *b, const struct side *s,
	       bool labels)
{
	const int x = b->x - f->scale - pt(f, TICK);

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
	if (labels)
		draw_name(f, &s->name, b->h, x - pt(f, GAP - 2 + GAP) -
			  ticks_width(f, &s->ticks) - pt(f, 3), b->y + b->h / 2,
			  true);
}

void side_bottom(struct figure *f, const struct box *b, const struct side *s,
		 bool labels)
{
	const int y = b->y + b->h + f->scale;
	const int below = y + pt(f, TICK + GAP - 2);

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
	if (labels)
		draw_name(f, &s->name, b->w, b->x + b->w / 2,
			  y + side_bottom_room(f, s) - pt(f, 0.2 * NAME_POINTS),
			  false);
}

void frame(struct figure *f, const struct box *b)
{
	const int s = f->scale;

	figure_rect(f, INK_TEXT, b->x - s, b->y - s, b->w + 2 * s, s);
	figure_rect(f, INK_TEXT, b->x - s, b->y + b->h, b->w + 2 * s, s);
	figure_rect(f, INK_TEXT, b->x - s, b->y, s, b->h);
	figure_rect(f, INK_TEXT, b->x + b->w, b->y, s, b->h);
}

/* Break text at blanks into at most four lines, of width if possible. */
static void break_lines(struct heading *h, const struct figure *f,
			const char *text, int width)
{
	char *line = h->lines[0];
	const size_t room = sizeof h->lines[0];

	h->count = 1;
	while (*text) {
		const size_t n = strlen(line), k = strcspn(text, " ");

		snprintf(line + n, room - n, "%s%.*s", n ? " " : "", (int)k,
			 text);
		if (n && h->count < 4 &&
		    figure_width(f, TITLE_POINTS, line) > width) {
			line[n] = '\0';
			line = h->lines[h->count++];
			snprintf(line, room, "%.*s", (int)k, text);
		}
		text += k + strspn(text + k, " ");
	}
}

/* "posenc x --len 4 --dim 2" as "len 4, dim 2", if short and without paths. */
static void note_options(struct heading *h, const char *command)
{
	const char *c = strstr(command, " --");
	size_t n = 0;

	if (!c || strchr(c, '/') || strlen(c) >= sizeof h->options)
		return;
	while (*c) {
		if (strncmp(c, " --", 3) == 0) {
			memcpy(h->options + n, ", ", 2);
			n += n ? 2 : 0;
			c += 3;
		} else {
			h->options[n++] = *c++;
		}
	}
	h->options[n] = '\0';
}

void heading_make(struct heading *h, const struct figure *f,
		  const struct table *t, const struct look *look, int width)
{
	int options;

	*h = (struct heading){ 0 };
	break_lines(h, f, f->title,
		    width > pt(f, 400) ? width : pt(f, 400));
	if (!look->title)
		note_options(h, t->from.command);
	for (int i = 0; i < h->count; i++) {
		const int w = figure_width(f, TITLE_POINTS, h->lines[i]);

		h->w = w > h->w ? w : h->w;
	}
	options = figure_width(f, TICK_POINTS, h->options);
	if (options > (width > h->w ? width : h->w))
		h->options[0] = '\0';
	else if (options > h->w)
		h->w = options;
	if (!h->lines[0][0])
		h->count = 0;
	h->h = h->count * pt(f, 1.35 * TITLE_POINTS) +
	       (h->options[0] ? pt(f, 1.45 * TICK_POINTS) : 0);
}

void heading_draw(struct figure *f, const struct heading *h, int middle, int y)
{
	y += cap_height(f, TITLE_POINTS);
	for (int i = 0; i < h->count; i++) {
		figure_text(f, INK_TEXT, TITLE_POINTS, middle, y,
			    h->lines[i])->anchor = ANCHOR_MIDDLE;
		y += pt(f, 1.35 * TITLE_POINTS);
	}
	if (h->options[0])
		figure_text(f, INK_MUTED, TICK_POINTS, middle, y -
			    pt(f, 0.1 * TITLE_POINTS), h->options)->anchor =
			ANCHOR_MIDDLE;
}

enum {
	BAR = 14,         /* width, points */
	BAR_LEAST = 96,   /* height, points */
	BAR_MOST = 560,
	STEP_MOST = 22,   /* of a legend */
};

static const char *none_name(const struct color_scale *c)
{
	return c->map.masked ? "\xe2\x88\x92inf" : "NaN";
}

static double step_height(const struct figure *f,
			  const struct color_scale *c, int height)
{
	const int most = pt(f, STEP_MOST);
	const int h = height / c->map.levels;

	return h > most ? most : h < 1 ? 1 : h;
}

void bar_make(struct bar *bar, const struct figure *f,
	      const struct color_scale *c, struct name name, int height,
	      bool none)
{
	const struct colormap *m = &c->map;
	const int low = pt(f, BAR_LEAST), high = pt(f, BAR_MOST);
	const struct axis values = { .first = m->lo, .step = 1 };

	*bar = (struct bar){ .name = name, .none = none };
	bar->h = height < low ? low : height > high ? high : height;
	if (c->steps) {
		const double h = step_height(f, c, bar->h);

		bar->h = (int)h * m->levels;
		ticks_labels(&bar->ticks, &values, 0, (size_t)m->levels,
			     (size_t)(bar->h / pt(f, 1.6 * TICK_POINTS)));
		for (size_t i = 0; i < bar->ticks.n; i++)
			bar->ticks.tick[i].at = (bar->ticks.tick[i].at + 0.5) *
						h;
	} else if (!c->empty) {
		ticks_values(&bar->ticks, m->lo, m->hi,
			      (size_t)(bar->h / pt(f, 4 * TICK_POINTS)) + 1);
		for (size_t i = 0; i < bar->ticks.n; i++)
			bar->ticks.tick[i].at = (m->hi / 2 -
				bar->ticks.tick[i].at / 2) /
				(m->hi / 2 - m->lo / 2) * bar->h;
	}
	bar->labels = pt(f, BAR + TICK + GAP) + 2 * f->scale +
		      ticks_width(f, &bar->ticks);
	bar->room = bar->labels;
	if (none)
		bar->room = greatest(bar->room, pt(f, BAR + GAP) +
				     figure_width(f, TICK_POINTS,
						  none_name(c)));
	bar->room += name_room(f);
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

void bar_draw(struct figure *f, const struct bar *bar,
	      const struct color_scale *c, int x, int y)
{
	const struct box b = { x + f->scale, y, pt(f, BAR), bar->h };
	const struct box none = { b.x, y + bar->h + pt(f, GAP), b.w, b.w };
	const int right = b.x + b.w + f->scale;

	if (!c->empty) {
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
	if (!bar->none)
		return;
	figure_rect(f, f->levels, none.x, none.y, none.w, none.h);
	frame(f, &none);
	figure_text(f, INK_TEXT, TICK_POINTS, right + pt(f, GAP),
		    none.y + none.h / 2 + cap_height(f, TICK_POINTS) / 2,
		    none_name(c));
}
