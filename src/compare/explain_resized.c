/* explain_resized.c: one table is the other resized (posenc resize). */
#include <stdio.h>
#include <string.h>

#include "compare/explain.h"
#include "resize/resize.h"

enum {
	FITS_MOST = 24,        /* candidates that are kept */
	PREFIX_MOST = 8,       /* rows before cells, such as of class tokens */
	CLASS_ROWS = 3,        /* after relative positions */
	BITS_NEEDED = 32,
	ROW_COST = 32,         /* of a row's weights, as values compared */
	HIERARCHICAL_MOST = 4096,  /* rows: bert4keras has 512 */
};

enum {
	GRID = 1, SEQUENCE = 2, ANTIALIAS = 4, CORNERS = 8, SQUARE = 16,
	WINDOWS = 32,  /* sides that geometric modes take */
	LONGER = 64,   /* only to more rows: to fewer, it is a part */
	ALONE = 128,   /* without rows that stay */
};

/* What resize is asked for, beside sizes, and where that is tried. */
static const struct way {
	int mode;
	unsigned int flags;
	double offset;
} ways[] = {
	{ MODE_bicubic, GRID, 0 },
	{ MODE_bicubic, GRID | ANTIALIAS, 0 },
	{ MODE_bicubic, GRID, 0.1 },
	{ MODE_bicubic, GRID | ANTIALIAS, 0.1 },
	{ MODE_bicubic, GRID | CORNERS, 0 },
	{ MODE_bicubic, GRID | ANTIALIAS | CORNERS, 0 },
	{ MODE_bicubic, GRID | ANTIALIAS | SQUARE, 0 },
	{ MODE_bilinear, GRID, 0 },
	{ MODE_bilinear, GRID | ANTIALIAS, 0 },
	{ MODE_bilinear, GRID, 0.1 },
	{ MODE_bilinear, GRID | ANTIALIAS, 0.1 },
	{ MODE_bilinear, GRID | CORNERS, 0 },
	{ MODE_bilinear, GRID | ANTIALIAS | CORNERS, 0 },
	{ MODE_linear, SEQUENCE, 0 },
	{ MODE_linear, SEQUENCE | CORNERS, 0 },
	{ MODE_linear, SEQUENCE, 0.1 },
	{ MODE_cubic, SEQUENCE, 0 },
	{ MODE_cubic, SEQUENCE | CORNERS, 0 },
	{ MODE_cubic, SEQUENCE, 0.1 },
	{ MODE_nearest, GRID | SEQUENCE, 0 },
	{ MODE_area, GRID | SEQUENCE, 0 },
	{ MODE_cut, GRID, 0 },
	{ MODE_geometric_linear, GRID | WINDOWS, 0 },
	{ MODE_geometric_cubic, GRID | WINDOWS, 0 },
	{ MODE_tile, SEQUENCE | LONGER, 0 },
	{ MODE_hierarchical, SEQUENCE | LONGER, 0 },
	{ MODE_last, SEQUENCE | LONGER | ALONE, 0 },
};

/* A candidate, and the largest difference of its table and that other. */
struct fit {
	struct resize s;
	double residual;
};

struct resizing {
	struct explainer *e;
	const struct table *from, *to;  /* of which one may be the other */
	double *row;           /* scratch [columns] */
	size_t first, last;    /* rows that both tables begin and end with */
	struct fit *fits;      /* [FITS_MOST] */
	size_t n;
	bool said;             /* an explanation was found */
};

/* Infinite where it is too large, or there was no time. */
static double residual(const struct resizing *r, const struct table *t)
{
	const struct table *to = r->to;
	double largest = 0;

	evidence_begin(r->e, to);
	for (size_t i = 0; i < to->rows; i++) {
		const double *x = t->row(t, i, r->row);
		const double *y = to->row(to, i, NULL);

		for (size_t j = 0; j < to->cols; j++) {
			const double v = dtype_round(to->dtype, x[j]);
			const double d = value_difference(v, y[j]);

			evidence_add(r->e, v, y[j], d);
			largest = fmax(largest, d);
		}
		if (!spend(r->e, to->cols + ROW_COST) ||
		    largest > r->e->limit)
			return (double)INFINITY;
	}
	return evident_residual(r->e, largest);
}

/* Try s, whose sizes are set, and keep it if it fits. */
static void try_resize(struct resizing *r, const struct resize *s)
{
	struct fit *f = &r->fits[r->n];
	struct table t = { 0 };

	if (!spend(r->e, ROW_COST))
		return;
	f->s = *s;
	f->s.table = r->from;
	if (resize_prepare(&f->s, &t, r->e->err)) {
		f->residual = residual(r, &t);
		r->n += r->n + 1 < FITS_MOST && isfinite(f->residual);
	}
	table_close(&t);
}

/* Whether a way suits the sizes of s, from a to b rows that do not stay. */
static bool suits(const struct resize *s, const struct way *w, size_t a,
		  size_t b)
{
	const size_t least = GEOMETRIC_CUBIC_LEAST;

	if (!(w->flags & (s->sequence ? SEQUENCE : GRID)) ||
	    (w->flags & SQUARE && s->made.height == s->made.width) ||
	    (w->flags & LONGER && b <= a) ||
	    (w->flags & ALONE && s->prefix + s->suffix))
		return false;
	if (w->mode == MODE_hierarchical)
		return b <= a * a && a <= HIERARCHICAL_MOST;
	return !(w->flags & WINDOWS) ||
	       (geometric_takes(s->rows.in, s->made.height, least) &&
		geometric_takes(s->columns.in, s->made.width, least));
}

static void try_ways(struct resizing *r, struct resize s)
{
	const size_t a = s.rows.in * s.columns.in;

	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
		const struct way *w = &ways[k];

		if (!suits(&s, w, a, lattice_cells(&s.made)))
			continue;
		if (w->flags & WINDOWS)
			spend(r->e, s.rows.in * s.made.height +
				    s.columns.in * s.made.width);
		s.mode.word = w->mode;
		s.antialias = w->flags & ANTIALIAS;
		s.align_corners = w->flags & CORNERS;
		s.offset = w->offset;
		s.square = w->flags & SQUARE;
		try_resize(r, &s);
	}
}

/*
 * From a rows to b, between those that both have at the ends; or the first
 * stay: the last that both tables have may be made, too.
 */
static void try_sequences(struct resizing *r, size_t a, size_t b,
			  struct resize s)
{
	s.sequence = true;
	s.rows.in = a;
	s.made.height = b;
	s.columns.in = s.made.width = 1;
	try_ways(r, s);
	for (size_t kept = r->first - 1; r->first && kept <= r->first &&
	     s.prefix + s.suffix == 0; kept++) {
		s.mode = (struct pick){ MODE_keep, 1, { (double)kept } };
		if (kept < a)
			try_resize(r, &s);
	}
}

/* Grids of one row or column are sequences. */
static void try_grids(struct resizing *r, size_t a, size_t b, struct resize s)
{
	for (size_t h = 2; h <= a / 2; h++)
		for (size_t k = 2; a % h == 0 && k <= b / 2; k++) {
			s.rows.in = h;
			s.columns.in = a / h;
			s.made.height = k;
			s.made.width = b / k;
			if (b % k == 0)
				try_ways(r, s);
		}
}

static void try_all(struct resizing *r, size_t suffix)
{
	const size_t a = r->from->rows, b = r->to->rows;
	const size_t least = a < b ? a : b;

	for (size_t p = 0; p <= r->first && p <= PREFIX_MOST; p++) {
		const struct resize s = { .prefix = p, .suffix = suffix,
					  .made = { .frames = 1,
						    .merge = 1 } };

		if (p + suffix >= least)
			return;
		try_sequences(r, a - p - suffix, b - p - suffix, s);
		try_grids(r, a - p - suffix, b - p - suffix, s);
	}
}

/* Whether the preset p has the options of s; sizes are for the user. */
static bool is_preset(const struct resize *p, const struct resize *s)
{
	return p->mode.word == s->mode.word && p->antialias == s->antialias &&
	       p->align_corners == s->align_corners &&
	       !(fabs(p->offset - s->offset) > 0) && p->square == s->square &&
	       p->prefix == s->prefix &&
	       (p->suffix == s->suffix ||
		(p->relative && s->suffix == CLASS_ROWS));
}

/* " (presets: timm, dinov2-reg)", or nothing. */
static void add_presets(struct explainer *e, const struct resize *s,
			char text[SENTENCE])
{
	const size_t before = strlen(text);

	for (const struct preset *p = resize_presets; p->name; p++) {
		struct table t = { 0 };
		struct fields f = { 0 };

		if (recipe_begin(&resize_recipe, &t, &f, e->err) &&
		    recipe_set(&resize_recipe, &f, "preset", p->name,
			       e->err) && is_preset(f.self, s))
			add(text, "%s%s", text[before] ? ", " : " (presets: ",
			    p->name);
		table_close(&t);
	}
	if (text[before])
		add(text, ")");
}

/*
 * The dtype in which values were compared, if resize writes another one unless
 * it is asked for this; or NULL.
 */
static const char *dtype_of(const struct resizing *r)
{
	const enum dtype from = r->from->dtype, to = r->to->dtype;
	const enum dtype written = dtype_integer(from) ? F32 : from;

	return to == written || dtype_integer(to) ? NULL : dtype_name(to);
}

/* "B is A resized from 7x7 to 14x14 (presets: timm)", and the command. */
static void say_fit(const struct resizing *r, const struct fit *f)
{
	struct explainer *e = r->e;
	const bool forward = r->from == e->c->a;
	const char *dtype = dtype_of(r);
	struct resize s = f->s;
	char options[SENTENCE], what[SENTENCE] = "", to[48], grid[48];
	struct explanation *x;

	snprintf(to, sizeof to, "%zux%zu", s.made.height, s.made.width);
	snprintf(grid, sizeof grid, "%zux%zu", s.rows.in, s.columns.in);
	if (s.sequence)
		snprintf(to, sizeof to, "%zu", r->to->rows);
	s.to.text = to;
	s.grid.text = s.sequence ? NULL : grid;
	options_line(resize_recipe.options, &s, options);
	if (e->tie)
		add(what, "%s", options);
	else if (s.sequence)
		add(what, " from %zu to %s rows", r->from->rows, to);
	else
		add(what, " from %s to %s", grid, to);
	add_presets(e, &f->s, what);
	x = explained(e, "%s resized%s", forward ? "B is A" : "A is B", what);
	explained_by(e, x, "resize %s%s%s%s", r->from->from.command, options,
		     dtype ? " --dtype " : "", dtype ? dtype : "");
}

/*
 * What a few roundings may come to of values that were made; rows that stayed,
 * such as of a class token, may be far larger.
 */
static double rounding_of(const struct resizing *r)
{
	const struct table *t = r->to;
	static const double steps[DTYPES] = {
		[F64] = 0x1p-50, [F32] = 0x1p-21, [F16] = 0x1p-8,
		[BF16] = 0x1p-5,
	};
	double most = 0;

	for (size_t i = r->first; i + r->last < t->rows; i++)
		for (size_t j = 0; j < t->cols; j++) {
			const double x = fabs(t->row(t, i, NULL)[j]);

			most = isfinite(x) ? fmax(most, x) : most;
		}
	return most * steps[t->dtype];
}

/* Name the first that fits as well as any, up to rounding, and the others. */
static void say_fits(struct resizing *r)
{
	const double rounding = rounding_of(r);
	double least = (double)INFINITY;
	bool named = false;

	for (size_t k = 0; k < r->n; k++)
		least = fmin(least, r->fits[k].residual);
	for (size_t k = 0; k < r->n; k++) {
		const struct fit *f = &r->fits[k];

		if (f->residual > 2 * least + rounding)
			continue;
		/* A part leaves rows without explanation */
		r->e->found &= r->said || r->to->rows <= r->from->rows;
		if (!named && !try_residual(r->e, f->residual))
			return;
		r->e->tie |= named;
		say_fit(r, f);
		named = r->said = true;
	}
}

/* How many rows may be the same, rounded, from the first or last ones on. */
static size_t rows_alike(const struct resizing *r, bool back)
{
	const struct table *x = r->from, *y = r->to;

	for (size_t n = 0; n < x->rows && n < y->rows; n++) {
		const double *a = row_of(x, back ? x->rows - 1 - n : n);
		const double *b = row_of(y, back ? y->rows - 1 - n : n);

		for (size_t j = 0; j < x->cols; j++)
			if (value_difference(a[j], b[j]) > r->e->limit)
				return n;
	}
	return x->rows < y->rows ? x->rows : y->rows;
}

/* Whether to is from resized. */
static void try_direction(struct resizing *r, const struct table *from,
			  const struct table *to)
{
	r->from = from;
	r->to = to;
	r->n = 0;
	r->first = rows_alike(r, false);
	r->last = rows_alike(r, true);
	if (r->first == to->rows ||
	    (to->rows < from->rows && r->first + r->last >= to->rows) ||
	    (r->e->c->shaped && r->first + r->last > PREFIX_MOST))
		return;  /* it is a part, or some rows differ or lack */
	try_all(r, 0);
	if (r->last >= CLASS_ROWS)
		try_all(r, CLASS_ROWS);
	if (r->last > CLASS_ROWS)
		try_all(r, r->last);
	say_fits(r);
}

void explain_resized(struct explainer *e)
{
	const struct table *a = e->c->a, *b = e->c->b;
	struct resizing r = { .e = e };

	if ((explained_exactly(e) && e->c->shaped) || a->planes > 1 ||
	    b->planes > 1 || a->cols != b->cols ||
	    (double)table_size(b) * e->bits_b < BITS_NEEDED)
		return;
	r.row = explainer_alloc(e, b->cols, sizeof *r.row);
	r.fits = explainer_alloc(e, FITS_MOST, sizeof *r.fits);
	if (!r.row || !r.fits)
		return;
	try_direction(&r, a, b);
	try_direction(&r, b, a);
}
