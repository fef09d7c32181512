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

/* Whether t is a function of distance, such as that of rope --out decay. */
static bool is_function(const struct table *t)
{
	return t->row_axis.kind == AXIS_DISTANCE && t->cols == 1 &&
	       t->end - t->begin > 1;
}

void look_choose(struct look *look, const struct table *t)
{
	if (look->plot == NO_CHOICE && (curves_suit(look, t) || is_function(t)))
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
