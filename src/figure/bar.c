/* bar.c: a colour bar, or a legend of steps. */
#include "figure/layout.h"

enum {
	BAR = 14,         /* how wide, points */
	BAR_LEAST = 96,   /* how high, points */
	BAR_MOST = 560,
	STEP_MOST = 22,   /* of a legend */
};

static const char *none_name(const struct paint *p)
{
	return p->map.masked ? "\xe2\x88\x92inf" : "NaN";
}

static double step_height(const struct figure *f, const struct paint *p,
			  int height)
{
	const int most = pt(f, STEP_MOST);
	const int h = height / p->map.levels;

	return h > most ? most : h < 1 ? 1 : h;
}

void bar_make(struct bar *bar, const struct figure *f, const struct paint *p,
	      int height, bool none)
{
	const struct colormap *m = &p->map;
	const int low = pt(f, BAR_LEAST), high = pt(f, BAR_MOST);
	const struct axis numbers = { .first = m->lo, .step = 1 };

	*bar = (struct bar){ .none = none };
	bar->h = height < low ? low : height > high ? high : height;
	if (p->steps) {
		const double h = step_height(f, p, bar->h);

		bar->h = (int)h * m->levels;
		ticks_labels(&bar->ticks, &numbers, 0, (size_t)m->levels,
			     (size_t)(bar->h / pt(f, 1.6 * TICK_POINTS)));
		for (size_t i = 0; i < bar->ticks.n; i++)
			bar->ticks.tick[i].at = (bar->ticks.tick[i].at + 0.5) *
						h;
	} else if (!p->empty) {
		ticks_numbers(&bar->ticks, m->lo, m->hi,
			      (size_t)(bar->h / pt(f, 4 * TICK_POINTS)) + 1);
		for (size_t i = 0; i < bar->ticks.n; i++)
			bar->ticks.tick[i].at = (m->hi / 2 -
				bar->ticks.tick[i].at / 2) /
				(m->hi / 2 - m->lo / 2) * bar->h;
	}
	bar->room = pt(f, BAR + TICK + GAP) + 2 * f->scale +
		    ticks_width(f, &bar->ticks);
	if (none && bar->room < pt(f, BAR + GAP) +
	    figure_width(f, TICK_POINTS, none_name(p)))
		bar->room = pt(f, BAR + GAP) +
			    figure_width(f, TICK_POINTS, none_name(p));
}

/* The levels from top to bottom, one a pixel; of steps from the least on. */
static void bar_colors(struct figure *f, const struct bar *bar,
		       const struct paint *p, int x, int y)
{
	const size_t n = (size_t)bar->h, levels = (size_t)p->map.levels;
	unsigned char *level = figure_room(f, n, 1);
	struct item *item = figure_add(f, ITEM_IMAGE, 0);

	if (!level)
		return;
	for (size_t i = 0; i < n; i++)
		level[i] = (unsigned char)((p->steps ? i : n - 1 - i) *
					   levels / n);
	item->levels = level;
	item->rows = n;
	item->cols = 1;
	item->x = x;
	item->y = y;
	item->w = pt(f, BAR);
	item->h = 1;
}

void bar_draw(struct figure *f, const struct bar *bar, const struct paint *p,
	      int x, int y)
{
	const struct box b = { x + f->scale, y, pt(f, BAR), bar->h };
	const struct box none = { b.x, y + bar->h + pt(f, GAP), b.w, b.w };
	const int right = b.x + b.w + f->scale;

	if (!p->empty) {
		bar_colors(f, bar, p, b.x, y);
		frame(f, &b);
	}
	for (size_t i = 0; i < bar->ticks.n; i++) {
		const struct tick *t = &bar->ticks.tick[i];
		const int at = y + tick_begin(f, t->at);

		figure_rect(f, INK_TEXT, right, at, pt(f, TICK), f->scale);
		figure_text(f, INK_TEXT, TICK_POINTS, x + bar->room,
			    at + f->scale / 2 + rise(f, TICK_POINTS) / 2,
			    t->text)->anchor = ANCHOR_END;
	}
	if (!bar->none)
		return;
	figure_rect(f, f->levels, none.x, none.y, none.w, none.h);
	frame(f, &none);
	figure_text(f, INK_TEXT, TICK_POINTS, right + pt(f, GAP),
		    none.y + none.h / 2 + rise(f, TICK_POINTS) / 2,
		    none_name(p));
}
