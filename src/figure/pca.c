/*
 * pca.c: rows as points in the plane of two of their first three principal
 * components, joined by a line and coloured by position: the helix of GPT-2's
 * positions, the circles of sinusoids.
 */
#include <math.h>
#include <stdio.h>

#include "figure/layout.h"
#include "figure/plots.h"
#include "views/svd.h"

enum {
	SIDE = 300,              /* of a panel, points */
	APART = 36,              /* panels, points, beside the axis */
	DOT = 6,                 /* diameter, points */
	SHADES = 64,             /* colours of positions */
	PARTS = 50,              /* of a map, of which some are not seen */
	ROWS_MOST = 8192,
	LEAST_MOST = 1024,       /* of rows and columns, the fewer */
	VALUES_MOST = 1 << 23,
	COMPONENTS = 3,
};

#define SEEN_LIGHT 1.25   /* contrast with the page: as yellow has, */
#define SEEN_DARK 2       /* and on a dark page, where dots look smaller */
#define SHARE_LEAST 1e-6  /* of the variance, for a panel of PC 3 */

/* The first principal components of the rows of a table. */
struct components {
	size_t n;                  /* rows */
	double (*at)[COMPONENTS];  /* [n] of each row; 0 beyond the rank */
	double share[COMPONENTS];  /* of the variance; 0 if there is none */
};

struct pca {
	struct components found;
	const struct table *t;
	const struct look *look;
	struct panels p;         /* PC 1 and 2, and PC 1 and 3 */
};

/* How well c is seen on the page of f: a ratio of 1 or more. */
static double contrast(const struct figure *f, struct color c)
{
	const double a = color_luminance(c);
	const double b = color_luminance(figure_color(f, INK_PAGE));

	return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

/* Colours of a map, without those at its ends that the page hides. */
static void visible_palette(struct figure *f, const char *map)
{
	const double least = f->theme == DARK ? SEEN_DARK : SEEN_LIGHT;
	int ends[2] = { 0, PARTS };

	for (int i = 0; i < 2; i++)
		while (contrast(f, colormap_color(map, (double)ends[i] /
						  PARTS)) < least)
			ends[i] += i ? -1 : 1;
	for (int i = 0; i < SHADES; i++) {
		const int at = ends[0] * (SHADES - 1 - i) + ends[1] * i;

		f->palette[i] = colormap_color(map, (double)at /
					       ((SHADES - 1) * PARTS));
	}
}

/* The first rows have the colours at one end, the last those at the other. */
static void choose_colors(struct pca *p, struct figure *f)
{
	const struct axis *a = &p->t->row_axis;
	const size_t first = p->t->begin % p->t->rows;
	struct colormap *m = &p->p.colors.map;
	const double lo = axis_label(a, first);
	const double hi = axis_label(a, first + p->found.n - 1);
	const bool counts = !a->at && lo < hi;

	*m = (struct colormap){
		.name = p->look->cmap ? p->look->cmap : "viridis",
		.lo = counts ? lo : 0, .levels = SHADES,
		.hi = counts ? hi : (double)p->found.n - 1,
	};
	p->p.value = (struct name){ counts ? a->name : "row", p->look->zlabel };
	look_widen(&m->lo, &m->hi);
	colormap_palette(m, f->palette);
	visible_palette(f, m->name);
	f->levels = SHADES;
}

/* Both axes of all panels span the same range, so that circles are round. */
static void choose_range(struct pca *p, const struct figure *f, size_t panels)
{
	struct panels *all = &p->p;
	double half = 0;

	for (size_t i = 0; i < p->found.n; i++)
		for (size_t a = 0; a <= panels; a++)
			half = fmax(half, fabs(p->found.at[i][a]));
	all->right = all->high = half > 0 ? 1.08 * half : 1;
	all->left = all->low = -all->right;
	ticks_values(&all->x.ticks, all->left, all->right,
		     (size_t)(all->box.w / pt(f, 60)));
	all->y.ticks = all->x.ticks;
	panels_ticks(all);
}

/* The words of rows beside their points, towards the middle. */
static void draw_words(struct figure *f, const struct pca *p,
		       const struct box *b, const struct point *at)
{
	struct ticks *words = figure_room(f, 1, sizeof *words);

	if (!words || !p->look->words)
		return;
	ticks_words(words, p->look->words, NULL, p->found.n, TICKS_MOST);
	for (size_t i = 0; i < words->n; i++) {
		const struct point *to = &at[(size_t)words->tick[i].at];
		const bool left = to->x < b->x + b->w / 2.0;

		figure_text(f, INK_TEXT, TICK_POINTS, (int)to->x +
			    (left ? pt(f, GAP) : -pt(f, GAP)),
			    (int)to->y - pt(f, GAP) / 2,
			    words->tick[i].text)->anchor =
			left ? ANCHOR_START : ANCHOR_END;
	}
}

/* The rows in the order of their positions: a line, then a dot for each. */
static void draw_rows(struct figure *f, const struct pca *p,
		      const struct box *b, size_t up)
{
	const size_t n = p->found.n;
	struct point *at = figure_room(f, 2 * n, sizeof *at);

	if (!at)
		return;
	for (size_t i = 0; i < n; i++)
		at[i] = (struct point){
			b->x + panels_x(&p->p, p->found.at[i][0]),
			b->y + panels_y(&p->p, p->found.at[i][up]),
		};
	figure_points(f, ITEM_PATH, INK_MUTED, at, n)->width = f->scale;
	for (size_t level = 0, i = 0; level < SHADES; level++) {
		const size_t first = i;

		while (i < n && i * (SHADES - 1) < (level + 1) * (n - 1))
			i++;
		if (i > first)
			figure_points(f, ITEM_DOTS, (int)level, at + first,
				      i - first)->width = pt(f, DOT);
	}
	draw_words(f, p, b, at);
}

static void draw_panel(struct figure *f, struct pca *p, size_t up)
{
	const struct box b = panels_at(&p->p, up - 1);
	struct side *x = &p->p.x, *y = &p->p.y;
	char right[40], upward[40];

	snprintf(right, sizeof right, "PC 1 (%.0f %%)",
		 100 * p->found.share[0]);
	snprintf(upward, sizeof upward, "PC %zu (%.0f %%)", up + 1,
		 100 * p->found.share[up]);
	x->name = (struct name){ right, p->look->xlabel };
	y->name = (struct name){ upward, p->look->ylabel };
	side_bottom_lines(f, &b, x);
	side_left_lines(f, &b, y);
	draw_rows(f, p, &b, up);
	frame(f, &b);
	side_left(f, &b, y, true);
	side_bottom(f, &b, x, true);
}

/* The panels are side by side, on a narrow page one below the other. */
static void place(struct figure *f, struct pca *p, int panels)
{
	struct panels *all = &p->p;

	const bool below = f->wide && (!f->high || f->high > f->wide);

	all->x.name.usual = all->y.name.usual = "PC 1 (100 %)";
	all->across = below ? 1 : panels;
	all->down = below ? panels : 1;
	all->step_x = all->box.w + pt(f, APART) + side_left_room(f, &all->y);
	all->step_y = all->box.h + side_bottom_room(f, &all->x) +
		      2 * pt(f, GAP);
	panels_place(f, all, p->t, p->look);
}

/*
 * Rows begin to end of t to x, divided by the largest magnitude, minus their
 * mean. Returns what they were divided by, or 0: a value is not finite.
 */
static double read_rows(struct figure *f, const struct table *t, double *x)
{
	const size_t rows = t->end - t->begin, n = rows * t->cols;
	double scale = 0;

	table_rows(t, F64, t->begin, rows, NULL, x);
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i])) {
			fail(&f->err, "--plot pca needs finite values, got %g "
			     "in row %zu, column %zu", x[i],
			     t->begin + i / t->cols, i % t->cols);
			return 0;
		}
		scale = fmax(scale, fabs(x[i]));
	}
	scale = scale > 0 ? scale : 1;
	for (size_t i = 0; i < n; i++)
		x[i] /= scale;
	columns_center(x, rows, t->cols);
	return scale;
}

/*
 * Component k of all rows of x [n, cols]. Its largest value is positive; of
 * several that differ by rounding alone, the first.
 */
static void project(struct components *c, size_t k, const struct svd *s,
		    const double *x, size_t cols, double scale, double *vector)
{
	double most = 0;

	svd_vector(s, k, vector);
	for (size_t j = 0; j < cols && c->n >= cols && s->values[k] > 0; j++)
		vector[j] /= s->values[k];
	for (size_t i = 0; i < c->n; i++) {
		double sum = c->n < cols ? vector[i] : 0;

		for (size_t j = 0; j < cols && c->n >= cols; j++)
			sum += x[i * cols + j] * vector[j];
		c->at[i][k] = sum * scale;
		most = fabs(sum) > fabs(most) * (1 + 1e-9) ? sum : most;
	}
	for (size_t i = 0; i < c->n && most < 0; i++)
		c->at[i][k] = -c->at[i][k];
}

static bool components_find(struct components *c, struct figure *f,
			    const struct table *t)
{
	const size_t n = t->end - t->begin;
	struct table room = { 0 };
	struct svd s = { 0 };
	double *x = table_alloc(&room, n * t->cols, sizeof *x, &f->err);
	double *vector = table_alloc(&room, t->cols, sizeof *vector, &f->err);
	bool good = x && vector;
	const double scale = good ? read_rows(f, t, x) : 0;
	double all = 0;

	*c = (struct components){ .n = n };
	c->at = figure_room(f, n, sizeof *c->at);
	good = good && scale > 0 && c->at &&
	       svd_open(&s, x, n, t->cols, &room, &f->err);
	for (size_t k = 0; good && k < s.n; k++)
		all += s.values[k] * s.values[k];
	for (size_t k = 0; good && k < s.n && k < COMPONENTS; k++) {
		c->share[k] = all > 0 ? s.values[k] * s.values[k] / all : 0;
		project(c, k, &s, x, t->cols, scale, vector);
	}
	table_close(&room);
	return good;
}

/* The components, which are found once for all attempts to be so wide. */
static bool find(struct pca *p, struct figure *f)
{
	if (!f->kept) {
		f->kept = figure_room(f, 1, sizeof p->found);
		if (!f->kept || !components_find(f->kept, f, p->t))
			return false;
	}
	p->found = *(struct components *)f->kept;
	return true;
}

static void layout(struct figure *f, const struct table *t,
		   const struct look *look, size_t threads)
{
	struct pca *p = figure_room(f, 1, sizeof *p);
	size_t panels;

	(void)threads;
	if (!p)
		return;
	p->t = t;
	p->look = look;
	if (!find(p, f))
		return;
	panels = p->found.share[2] > SHARE_LEAST ? 2 : 1;
	p->p.box.w = p->p.box.h = panels_wide(f, SIDE);
	choose_range(p, f, panels);
	choose_colors(p, f);
	place(f, p, (int)panels);
	for (size_t i = 1; i <= panels; i++)
		draw_panel(f, p, i);
	panels_bar(f, &p->p);
}

static bool check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err)
{
	const size_t least = rows < t->cols ? rows : t->cols;

	if (look->range)
		return fail(err, "--range does not apply to --plot pca");
	if (!plot_one_plane(look, planes, err))
		return false;
	if (rows < 3 || t->cols < 2)
		return fail(err, "--plot pca needs at least 3 rows and 2 "
			    "columns, got %zu x %zu", rows, t->cols);
	return (rows <= ROWS_MOST && least <= LEAST_MOST &&
		t->cols <= VALUES_MOST / rows) ||
	       fail(err, "--plot pca draws at most %d rows, %d values, and %d "
		    "rows or %d columns, got %zu x %zu", ROWS_MOST,
		    VALUES_MOST, LEAST_MOST, LEAST_MOST, rows, t->cols);
}

const struct plot plot_pca = {
	.bar = true, .unscaled = true, .check = check, .layout = layout,
};
