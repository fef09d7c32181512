/* plots.c: the list of the kinds of figures. */
#include "figure/curves.h"
#include "figure/plots.h"

#define PLOT(name, meaning) extern const struct plot plot_##name;
#include "figure/list.h"
#undef PLOT

#define PLOT(name, meaning) &plot_##name,
static const struct plot *const plots[] = {
#include "figure/list.h"
};
#undef PLOT

#define PLOT(name, meaning) #name,
const char *const plot_words[] = {
#include "figure/list.h"
	NULL
};
#undef PLOT

#define PLOT(name, meaning) meaning,
const char *const plot_meanings[] = {
#include "figure/list.h"
};

#undef PLOT

#define PLOT(name, meaning) KIND_##name,
enum {
#include "figure/list.h"
};
#undef PLOT

/*
 * Whether t is one value for each row, such as that of rope --out decay for
 * each distance: a heat map would be a second colour bar.
 */
static bool is_function(const struct table *t)
{
	const size_t rows = t->end - t->begin;

	return t->cols == 1 && rows > 1 && rows <= t->rows && !t->grid.height;
}

/* Whether options ask for the colours or cells of a heat map. */
static bool asks_cells(const struct look *look)
{
	return look->cmap || look->zlabel || look->key_words || look->cell ||
	       look->transpose || look->highlight || look->annotate ||
	       look->scale_colors != NO_CHOICE;
}

void look_choose(struct look *look, const struct table *t)
{
	if (look->plot != NO_CHOICE || asks_cells(look))
		return;
	if (bars_suit(t))
		look->plot = KIND_bars;
	else if (curves_suit(look, t) || is_function(t))
		look->plot = KIND_lines;
}

static int kind(const struct look *look)
{
	return look->plot == NO_CHOICE ? 0 : look->plot;
}

const struct plot *plot_of(const struct look *look)
{
	return plots[kind(look)];
}

const char *plot_name(const struct look *look)
{
	return plot_words[kind(look)];
}

bool plot_one_plane(const struct look *look, size_t planes, struct error *err)
{
	return planes == 1 ||
	       fail(err, "--plot %s draws one plane, got %zu: select the rows "
		    "of one with --rows", plot_name(look), planes);
}
