/* heading.c: the title of a figure, and how its table was made. */
#include <stdio.h>
#include <string.h>

#include "figure/layout.h"

/* Break text at blanks into lines no wider than width, if that can be. */
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

/* "posenc name --len 4 --dim 2" as "len 4, dim 2", if it is short, no path. */
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
	break_lines(h, f, look->title ? look->title : t->title,
		    width > pt(f, 400) ? width : pt(f, 400));
	if (!look->title)
		note_options(h, t->command);
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
	y += rise(f, TITLE_POINTS);
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

