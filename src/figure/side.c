/* side.c: what stands beside a panel: ticks, labels, a name; its frame. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/layout.h"

int rise(const struct figure *f, int points)
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

/* Of a name beside its labels. */
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
				      : rise(f, TICK_POINTS);

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

/* "Position" for "position". */
static void draw_name(struct figure *f, const char *name, int x, int y,
		      bool upward)
{
	char text[80];
	struct item *item;

	snprintf(text, sizeof text, "%s", name);
	text[0] = (char)toupper((unsigned char)text[0]);
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
				    rise(f, TICK_POINTS) / 2,
				    t->text)->anchor = ANCHOR_END;
	}
	if (labels)
		draw_name(f, s->name, x - pt(f, GAP - 2 + GAP) -
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
				   below + rise(f, TICK_POINTS), t->text);
		item->anchor = ANCHOR_MIDDLE;
		if (s->upright) {
			item->anchor = ANCHOR_END;
			item->upward = true;
			item->x += rise(f, TICK_POINTS) / 2;
			item->y = below;
		}
	}
	if (labels)
		draw_name(f, s->name, b->x + b->w / 2,
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
