/* sample.c: a table reduced to the cells that a picture has room for. */
#include <math.h>
#include <string.h>

#include "table/blocks.h"
#include "figure/sample.h"

enum {
	ROWS_READ = 64,         /* of a cell, at most, */
	VALUES_READ = 1 << 17,  /* and so many values of a row of cells */
	BLOCK_BYTES = 1 << 15,  /* of levels */
};

struct sample sample_all(const struct table *t, size_t threads)
{
	size_t shape[3];
	const bool planes = table_shape(t, shape) == 3;
	struct sample s = {
		.t = t, .threads = threads, .cols = t->cols,
		.planes = planes ? shape[0] : 1,
		.rows = planes ? shape[1] : shape[0],
		.cell_rows = 1, .cell_cols = 1,
		.first = dtype_integer(t->dtype),
		.interleaved = t->col_axis.pairs == PAIRS_ADJACENT,
	};

	s.height = s.rows;
	s.width = s.cols;
	return s;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

void sample_shrink(struct sample *s, size_t height, size_t width)
{
	size_t stride, block;

	s->cell_rows = (s->rows + height - 1) / height;
	s->height = (s->rows + s->cell_rows - 1) / s->cell_rows;
	s->cell_cols = (s->cols + width - 1) / width;
	stride = s->interleaved ? 2 : 1;
	block = stride * s->cell_cols;
	s->width = s->cols / block * stride + least(s->cols % block, stride);
}

bool sample_means(struct sample *s, struct table *owner, struct error *err)
{
	const struct table *t = s->t;
	struct table *means;
	bool good;

	/* Its cells are square, as is a table that has means */
	if (!t->means || s->cell_rows == 1 || s->rows != t->rows)
		return true;
	means = table_alloc(owner, 1, sizeof *means, err);
	good = means && t->means(t, s->cell_rows, means, err);
	if (means)
		table_adopt(owner, means);
	if (good)
		s->means = means;
	return good;
}

size_t sample_row_of(const struct sample *s, size_t row)
{
	return row / s->cell_rows;
}

size_t sample_column_of(const struct sample *s, size_t column)
{
	return s->interleaved ? column / (2 * s->cell_cols) * 2 + column % 2
			: column / s->cell_cols;
}

size_t sample_rows_read(const struct sample *s)
{
	const size_t most = least(ROWS_READ, VALUES_READ / s->t->cols);

	if (s->means)
		return s->cell_rows;
	return s->first || !most ? 1 : least(s->cell_rows, most);
}

/* Add the columns of each cell, or its first, to sum [width]. */
static void add_columns(const struct sample *s, const double *x, double *sum)
{
	const size_t stride = s->interleaved ? 2 : 1;
	const size_t block = stride * s->cell_cols;
	const size_t end = s->first ? stride : block;

	for (size_t at = 0, i = 0; i < s->width; at += block)
		for (size_t k = 0; k < stride && i < s->width; k++, i++)
			for (size_t j = at + k;
			     j < least(at + end, s->cols); j += stride)
				sum[i] += x[j];
}

/*
 * Add the rows that are read of first to first + n - 1: all, or some, evenly
 * spread. scratch is one row, then those rows as the table makes them fastest.
 */
static void add_rows(const struct sample *s, size_t first, size_t n,
		     void *scratch, double *sum)
{
	const struct table *t = s->t;
	const size_t read = least(n, sample_rows_read(s));
	const enum dtype d = table_fastest(t);
	double *x = scratch;
	unsigned char *all = (unsigned char *)(x + t->cols);

	if (read == n)
		table_rows(t, d, first, n, NULL, all);
	for (size_t k = 0; k < read; k++) {
		unsigned char *row = all + k * t->cols * dtype_size(d);

		if (read < n)
			table_rows(t, d, first + k * n / read, 1, NULL, row);
		dtype_load(d, row, t->cols, x);
		add_columns(s, x, sum);
	}
}

/* The number of columns of cell i. */
static size_t columns_of(const struct sample *s, size_t i)
{
	const size_t stride = s->interleaved ? 2 : 1;
	const size_t first = i / stride * stride * s->cell_cols + i % stride;
	const size_t left = (s->cols - first + stride - 1) / stride;

	return s->first ? 1 : least(left, s->cell_cols);
}

/* Row i of planes * height rows of cells, to cells [width]. */
static void cells_of(const struct sample *s, size_t i, void *scratch,
		     double *cells)
{
	const size_t row = i % s->height * s->cell_rows;
	const size_t n = least(s->cell_rows, s->rows - row);
	const size_t read = least(n, sample_rows_read(s));

	memset(cells, 0, s->width * sizeof *cells);
	add_rows(s, s->t->begin + i / s->height * s->rows + row, n, scratch,
		 cells);
	for (size_t j = 0; j < s->width; j++)
		cells[j] /= (double)(read * columns_of(s, j));
}

/* Rows first to first + n - 1 of cells, to the start of scratch. */
static double *make_cells(const struct sample *s, size_t first, size_t n,
			  void *scratch)
{
	double *cells = scratch, *room = cells + n * s->width;

	if (s->kept)
		memcpy(cells, s->kept + first * s->width,
		       n * s->width * sizeof *cells);
	else if (s->means)
		table_rows(s->means, F64, first, n, room, cells);
	else
		for (size_t i = 0; i < n; i++)
			cells_of(s, first + i, room, cells + i * s->width);
	return cells;
}

/* Bytes that it needs. */
static size_t cells_scratch(const struct sample *s, size_t n)
{
	const size_t read = s->means ? 0 : (1 + sample_rows_read(s)) * s->cols;

	return (n * s->width + read) * sizeof(double);
}

/* Bytes that are read for n rows of cells: a measure of the work. */
static size_t cells_work(const struct sample *s, size_t n)
{
	return s->means ? n * s->width * sizeof(double)
			: s->cols * sample_rows_read(s);
}

/* A loop over the rows of a sample, and its result. */
struct sampling {
	const struct sample *s;
	const struct colormap *map;
	bool transpose;
	size_t row;                  /* the next to take */
	unsigned char *levels;       /* all */
	double lo, hi;
};

static bool is_whole(const struct sample *s)
{
	return s->cell_rows == 1 && s->cell_cols == 1;
}

/* The levels of rows first to first + n - 1 of the cells. */
static size_t make_levels(const void *self, size_t first, size_t n,
			  void *scratch, unsigned char *to)
{
	const struct sampling *p = self;
	const struct sample *s = p->s;
	const struct table *t = s->t;
	const enum dtype d = table_fastest(t);

	if (!is_whole(s)) {
		colormap_doubles(p->map, make_cells(s, first, n, scratch),
				 n * s->width, to);
		return n * s->width;
	}
	table_rows(t, d, t->begin + first, n, NULL, scratch);
	if (d == F32)
		colormap_floats(p->map, scratch, n * s->width, to);
	else
		colormap_doubles(p->map, scratch, n * s->width, to);
	return n * s->width;
}

static bool take_levels(void *taker, const unsigned char *levels, size_t n)
{
	struct sampling *p = taker;
	const size_t w = p->s->width, h = p->s->height;

	if (!p->transpose) {
		memcpy(p->levels + p->row * w, levels, n);
		p->row += n / w;
		return true;
	}
	for (size_t at = 0; at < n; at += w, p->row++)
		for (size_t j = 0; j < w; j++)
			p->levels[p->row / h * h * w + j * h + p->row % h] =
				levels[at + j];
	return true;
}

/* The least and greatest value of each row of cells. */
static size_t make_range(const void *self, size_t first, size_t n,
			 void *scratch, unsigned char *to)
{
	const struct sampling *p = self;
	const size_t width = p->s->width;
	const double *cells = make_cells(p->s, first, n, scratch);

	for (size_t i = 0; i < n; i++, cells += width) {
		double range[2] = { HUGE_VAL, -HUGE_VAL };

		for (size_t j = 0; j < width; j++) {
			const double x = cells[j], far = x - x;

			/* Of what is not finite, far is NaN. */
			range[0] = x + far < range[0] ? x : range[0];
			range[1] = x + far > range[1] ? x : range[1];
		}
		memcpy(to + i * sizeof range, range, sizeof range);
	}
	return n * 2 * sizeof(double);
}

static bool take_range(void *taker, const unsigned char *bytes, size_t n)
{
	struct sampling *p = taker;

	for (size_t at = 0; at < n; at += 2 * sizeof(double)) {
		double range[2];

		memcpy(range, bytes + at, sizeof range);
		p->lo = fmin(p->lo, range[0]);
		p->hi = fmax(p->hi, range[1]);
	}
	return true;
}

/* Rows of cells of a block. */
static size_t block_rows(const struct sample *s)
{
	if (s->means)
		return least(s->means->block_rows, s->height);
	if (!is_whole(s))
		return 1;
	return least(table_block(s->t, BLOCK_BYTES, s->width),
		     s->planes * s->height);
}

/* Where rows of cells are kept. */
struct keeping {
	const struct sample *s;
	double *cells;
};

static size_t keep_cells(const void *self, size_t first, size_t n,
			 void *scratch, unsigned char *to)
{
	const struct keeping *k = self;
	const size_t width = k->s->width;

	(void)to;
	memcpy(k->cells + first * width, make_cells(k->s, first, n, scratch),
	       n * width * sizeof(double));
	return 0;
}

bool sample_keep(struct sample *s, struct table *owner, struct error *err)
{
	const size_t rows = block_rows(s);
	struct keeping k = { .s = s };
	const struct blocks b = {
		.end = s->planes * s->height, .rows = rows,
		.bytes = rows, .scratch = cells_scratch(s, rows),
		.work = cells_work(s, rows), .make = keep_cells, .self = &k,
	};

	if (is_whole(s))
		return true;
	k.cells = table_alloc(owner, b.end * s->width, sizeof *k.cells, err);
	if (!k.cells || !blocks_run(&b, s->threads, err))
		return false;
	s->kept = k.cells;
	return true;
}

bool sample_levels(const struct sample *s, const struct colormap *m,
		   bool transpose, unsigned char *levels, struct error *err)
{
	struct sampling p = { .s = s, .map = m, .transpose = transpose,
			      .levels = levels };
	const size_t rows = block_rows(s);
	const struct blocks b = {
		.end = s->planes * s->height, .rows = rows,
		.bytes = rows * s->width,
		.scratch = is_whole(s) ? rows * s->cols * sizeof(double)
				       : cells_scratch(s, rows),
		.work = is_whole(s) ? 0 : cells_work(s, rows),
		.make = make_levels, .self = &p,
		.take = take_levels, .taker = &p,
	};

	return blocks_run(&b, s->threads, err);
}

bool sample_range(const struct sample *s, double *lo, double *hi,
		  struct error *err)
{
	struct sampling p = { .s = s, .lo = HUGE_VAL, .hi = -HUGE_VAL };
	const size_t rows = s->means ? block_rows(s) : 1;
	const struct blocks b = {
		.end = s->planes * s->height, .rows = rows,
		.bytes = rows * 2 * sizeof(double),
		.scratch = cells_scratch(s, rows),
		.work = cells_work(s, rows),
		.make = make_range, .self = &p,
		.take = take_range, .taker = &p,
	};
	const bool good = blocks_run(&b, s->threads, err);

	*lo = p.lo;
	*hi = p.hi;
	return good;
}
