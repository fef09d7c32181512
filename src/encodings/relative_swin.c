/*
 * relative_swin.c: offsets of cells in a window, Liu et al. 2021,
 * arXiv:2103.14030, section 3.2, and log-spaced, Liu et al. 2022,
 * arXiv:2111.09883, section 3.3.
 */
#include <math.h>

#include "exact/logarithm.h"
#include "text/decimal.h"
#include "encodings/relative.h"

enum { SIDE_MOST = 4096 };

/* Number of offsets between two cells of a window. */
static size_t offsets(const struct window *w)
{
	return (2 * w->height - 1) * (2 * w->width - 1);
}

/* Number of labels: the offsets, and with --cls three more. */
static size_t labels(const struct relative *s)
{
	return offsets(&s->size) + (s->cls ? 3 : 0);
}

/* (dy + H - 1) (2 W - 1) + dx + W - 1, (dy, dx) from cell b to cell a. */
static size_t offset(const struct window *w, size_t a, size_t b)
{
	const size_t dy = a / w->width + w->height - 1 - b / w->width;
	const size_t dx = a % w->width + w->width - 1 - b % w->width;

	return dy * (2 * w->width - 1) + dx;
}

/* The label of a query and a key: cells, numbered row by row. */
static size_t label(const struct relative *s, size_t query, size_t key)
{
	const size_t n = offsets(&s->size), cls = s->cls;

	if (cls && !query)
		return key ? n : n + 2;
	if (cls && !key)
		return n + 1;
	if (s->sign == KEY_QUERY)
		return offset(&s->size, key - cls, query - cls);
	return offset(&s->size, query - cls, key - cls);
}

static const double *label_row(const struct table *t, size_t i, double *scratch)
{
	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = (double)label(t->state, i, j);
	return scratch;
}

static const double *vector_row(const struct table *t, size_t i,
				double *scratch)
{
	const struct relative *s = t->state;

	return s->table->row(s->table, label(s, i / t->rows, i % t->rows),
			     scratch);
}

/* sign(c) log2(1 + |c|) / log2(8), c = 8 d / (side - 1). */
static double logcoord(double d, size_t side)
{
	const double most = (double)(side - 1);
	const double x = log_ratio(most + 8 * fabs(d), most) / log_ratio(8, 1);

	return d < 0 ? -x : x;
}

/* Row i: the offset (i / rows, i % rows), counted from the smallest. */
static const double *logcoord_row(const struct table *t, size_t i,
				  double *scratch)
{
	const struct relative *s = t->state;
	const size_t y = i / t->rows, x = i % t->rows;
	const double zero_y = (double)(s->size.height - 1);
	const double zero_x = (double)(s->size.width - 1);

	scratch[0] = logcoord((double)y - zero_y, s->trained.height);
	scratch[1] = logcoord((double)x - zero_x, s->trained.width);
	return scratch;
}

static bool make_logcoords(const struct relative *s, struct table *t,
			   struct error *err)
{
	const struct window *w = &s->trained;

	if (w->height < 2 || w->width < 2)
		return fail(err, "--%s must be at least 2x2 for --out "
			    "logcoords, got %zux%zu", s->pretrained
			    ? "pretrained" : "window", w->height, w->width);
	t->title = "Swin's log-spaced coordinates";
	t->value = "coordinate";
	t->planes = 2 * s->size.height - 1;
	t->rows = 2 * s->size.width - 1;
	t->cols = 2;
	t->dtype = F32;
	t->hi = fmax(logcoord((double)s->size.height - 1, w->height),
		     logcoord((double)s->size.width - 1, w->width));
	t->lo = -t->hi;
	t->bounds = BOUNDS_TIGHT;
	t->plane_axis = (struct axis){ .name = "dy", .step = 1,
				 .first = 1 - (double)s->size.height };
	t->row_axis = (struct axis){ .name = "dx", .step = 1,
				 .first = 1 - (double)s->size.width };
	t->col_axis = (struct axis){ .name = "coordinate", .step = 1 };
	t->row = logcoord_row;
	return true;
}

/* "7x7" */
static bool read_window(const char *flag, const char *text, struct window *w,
			struct error *err)
{
	double size[3];

	if (parse_extents(text, size) != 2 || size[0] > SIDE_MOST ||
	    size[1] > SIDE_MOST)
		return fail(err, "--%s: expected HxW, each from 1 to %d, got "
			    "'%.60s'", flag, SIDE_MOST, text);
	*w = (struct window){ (size_t)size[0], (size_t)size[1] };
	return true;
}

static bool check(struct relative *s, struct error *err)
{
	const struct pairs *p = &s->pairs;

	if (pairs_given(p))
		return fail(err, "--%s does not apply to --kind swin: --window "
			    "HxW sets the size", p->len ? "len" : p->query_len
			    ? "query-len" : "key-len");
	if (!s->window)
		return fail(err, "--window HxW is missing");
	if (s->pretrained && s->out != OUT_LOGCOORDS)
		return fail(err, "--pretrained needs --out logcoords");
	if (s->cls && s->out == OUT_LOGCOORDS)
		return fail(err, "--cls does not apply to --out logcoords");
	if (!read_window("window", s->window, &s->size, err))
		return false;
	s->trained = s->size;
	return !s->pretrained ||
	       read_window("pretrained", s->pretrained, &s->trained, err);
}

bool swin_make(struct relative *s, struct table *t, struct error *err)
{
	if (!check(s, err))
		return false;
	t->state = s;
	if (s->out == OUT_LOGCOORDS)
		return make_logcoords(s, t, err);
	t->title = "Swin's relative positions";
	t->rows = t->cols = s->size.height * s->size.width + s->cls;
	t->row_axis = axis_of(AXIS_QUERY);
	t->col_axis = axis_of(AXIS_KEY);
	t->dtype = I32;
	t->bounds = BOUNDS_TIGHT;
	t->hi = (double)(labels(s) - 1);
	t->row = label_row;
	if (s->out == OUT_LABELS)
		return true;
	relative_vectors(s, t);
	t->row = vector_row;
	return relative_rows(s, labels(s), err);
}
