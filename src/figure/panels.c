/* panels.c: how the planes of a heat map stand, and what they are called. */
#include <stdio.h>

#include "figure/heat.h"

enum { PANELS_MOST = 64 };

void panels_grid(struct heat *h)
{
	size_t n = 1;

	h->panels = h->s.planes < PANELS_MOST ? h->s.planes : PANELS_MOST;
	while (n * n < h->panels)
		n++;
	h->per_row = n;
	for (size_t k = n; k <= 2 * n; k++)
		if (h->panels % k == 0) {
			h->per_row = k;
			break;
		}
	h->rows = (h->panels + h->per_row - 1) / h->per_row;
	h->s.planes = h->panels;
}

bool panels_titled(const struct table *t)
{
	return t->planes > 1;
}

void panel_title(const struct table *t, size_t i,
		 char title[2 * TICK_TEXT])
{
	char text[TICK_TEXT];

	tick_text(text, axis_label(&t->over, t->begin / t->rows + i));
	snprintf(title, (size_t)2 * TICK_TEXT, "%s %s", t->over.name, text);
}

int panels_apart(const struct figure *f, const struct heat *h,
		 const struct table *t, int width)
{
	int most = pt(f, APART);

	for (size_t i = 0; i < h->panels && panels_titled(t); i++) {
		char title[2 * TICK_TEXT];

		panel_title(t, i, title);
		most = greatest(most, pt(f, GAP) - width +
				      figure_width(f, TICK_POINTS, title));
	}
	return most;
}
