/* sample.c: a table in as many cells as a picture has room for. */
#include <math.h>
#include <string.h>

#include "core/blocks.h"
#include "figure/sample.h"

enum {
	ROWS_READ = 64,         /* of those that make a cell, at most, */
	NUMBERS_READ = 1 << 17, /* or of so many numbers, where one is fewer */
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
		.down = 1, .across = 1,
		.pick = dtype_integer(t->dtype),
		.turns = strcmp(t->across.name, "dimension") == 0,
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
	size_t apart, block;

	s->down = (s->rows + height - 1) / height;
	s->height = (s->rows + s->down - 1) / s->down;
	s->across = (s->cols + width - 1) / width;
	apart = s->turns ? 2 : 1;
	block = apart * s->across;
	s->width = s->cols / block * apart + least(s->cols % block, apart);
}

size_t sample_row_of(const struct sample *s, size_t row)
{
	return row / s->down;
}

size_t sample_column_of(const struct sample *s, size_t column)
{
	return s->turns ? column / (2 * s->across) * 2 + column % 2
			: column / s->across;
}

size_t sample_rows_read(const struct sample *s)
{
	const size_t most = least(ROWS_READ, NUMBERS_READ / s->t->cols);

	return s->pick || !most ? 1 : least(s->down, most);
}

/* Add the columns that make each cell to its sum, or put the first there. */
static void add_columns(const struct sample *s, const double *x, double *sum)
{
	const size_t apart = s->turns ? 2 : 1;
	const size_t block = apart * s->across;
	const size_t end = s->pick ? apart : block;

	for (size_t at = 0, i = 0; i < s->width; at += block)
		for (size_t k = 0; k < apart && i < s->width; k++, i++)
			for (size_t j = at + k;
			     j < least(at + end, s->cols); j += apart)
				sum[i] += x[j];
}

/* Rows first to first + n - 1 of t added so, apart being what lies between. */
static void add_rows(const struct sample *s, size_t first, size_t n,
		     void *scratch, double *sum)
{
	const struct table *t = s->t;
	const size_t read = least(n, sample_rows_read(s));
	double *x = scratch;
	float *f = (float *)(void *)(x + t->cols);

	for (size_t k = 0; k < read; k++) {
		const size_t row = first + k * n / read;

		if (t->floats) {
			if (read == n && k == 0)
				t->floats(t, first, n, f);
			else if (read < n)
				t->floats(t, row, 1, f + k * t->cols);
			for (size_t j = 0; j < t->cols; j++)
				x[j] = (double)f[k * t->cols + j];
			add_columns(s, x, sum);
		} else {
			add_columns(s, t->row(t, row, x), sum);
		}
	}
}

/* How many columns of t make cell i. */
static size_t columns_of(const struct sample *s, size_t i)
{
	const size_t apart = s->turns ? 2 : 1;
	const size_t first = i / apart * apart * s->across + i % apart;
	const size_t left = (s->cols - first + apart - 1) / apart;

	return s->pick ? 1 : least(left, s->across);
}

/* Row i of planes * height of cells, to cells [width]. */
static void cells_of(const struct sample *s, size_t i, void *scratch,
		     double *cells)
{
	const size_t row = i % s->height * s->down;
	const size_t n = least(s->down, s->rows - row);
	const size_t read = least(n, sample_rows_read(s));

	memset(cells, 0, s->width * sizeof *cells);
	add_rows(s, s->t->begin + i / s->height * s->rows + row, n, scratch,
		 cells);
	for (size_t j = 0; j < s->width; j++)
		cells[j] /= (double)(read * columns_of(s, j));
}

/* What blocks are made of: a sample and how its numbers look. */
struct painting {
	const struct sample *s;
	const struct colormap *map;
	bool transpose;
	size_t row;                  /* the next to be taken */
	unsigned char *levels;       /* all */
	double lo, hi;
};

static bool is_whole(const struct sample *s)
{
	return s->down == 1 && s->across == 1;
}

/* The levels of rows first to first + n - 1 of the cells. */
static size_t make_levels(const void *self, size_t first, size_t n,
			  void *scratch, unsigned char *to)
{
	const struct painting *p = self;
	const struct sample *s = p->s;
	const struct table *t = s->t;
	double *cells = scratch;

	if (is_whole(s) && t->floats) {
		t->floats(t, t->begin + first, n, scratch);
		colormap_floats(p->map, scratch, n * s->width, to);
		return n * s->width;
	}
	for (size_t i = 0; i < n; i++) {
		const double *x = cells;

		if (is_whole(s))
			x = t->row(t, t->begin + first + i, cells);
		else
			cells_of(s, first + i, cells + s->width, cells);
		colormap_doubles(p->map, x, s->width, to + i * s->width);
	}
	return n * s->width;
}

static bool take_levels(void *taker, const unsigned char *levels, size_t n)
{
	struct painting *p = taker;
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

/* The least and greatest number of each row of cells. */
static size_t make_range(const void *self, size_t first, size_t n,
			 void *scratch, unsigned char *to)
{
	const struct painting *p = self;
	const size_t width = p->s->width;
	double *cells = scratch;

	for (size_t i = 0; i < n; i++) {
		double range[2] = { HUGE_VAL, -HUGE_VAL };

		cells_of(p->s, first + i, cells + width, cells);
		for (size_t j = 0; j < width; j++)
			if (isfinite(cells[j])) {
				range[0] = fmin(range[0], cells[j]);
				range[1] = fmax(range[1], cells[j]);
			}
		memcpy(to + i * sizeof range, range, sizeof range);
	}
	return n * 2 * sizeof(double);
}

static bool take_range(void *taker, const unsigned char *bytes, size_t n)
{
	struct painting *p = taker;

	for (size_t at = 0; at < n; at += 2 * sizeof(double)) {
		double range[2];

		memcpy(range, bytes + at, sizeof range);
		p->lo = fmin(p->lo, range[0]);
		p->hi = fmax(p->hi, range[1]);
	}
	return true;
}

static size_t block_rows(const struct sample *s)
{
	if (!is_whole(s))
		return 1;
	return least(table_block(s->t, BLOCK_BYTES, s->width),
		     s->planes * s->height);
}

bool sample_levels(const struct sample *s, const struct colormap *m,
		   bool transpose, unsigned char *levels, struct error *err)
{
	struct painting p = { .s = s, .map = m, .transpose = transpose,
			      .levels = levels };
	const size_t rows = block_rows(s);
	const size_t read = is_whole(s) ? rows : sample_rows_read(s);
	const struct blocks b = {
		.end = s->planes * s->height, .rows = rows,
		.bytes = rows * s->width,
		.scratch = (s->width + s->cols) * sizeof(double) +
			   (s->t->floats ? read * s->cols * sizeof(float) : 0),
		.work = is_whole(s) ? 0 : s->cols * sample_rows_read(s),
		.make = make_levels, .self = &p,
		.take = take_levels, .taker = &p,
	};

	return blocks_run(&b, s->threads, err);
}

bool sample_range(const struct sample *s, double *lo, double *hi,
		  struct error *err)
{
	struct painting p = { .s = s, .lo = HUGE_VAL, .hi = -HUGE_VAL };
	const struct blocks b = {
		.end = s->planes * s->height, .rows = 1,
		.bytes = 2 * sizeof(double),
		.scratch = (s->width + s->cols) * sizeof(double) +
			   (s->t->floats ? sample_rows_read(s) * s->cols *
			    sizeof(float) : 0),
		.work = s->cols * sample_rows_read(s),
		.make = make_range, .self = &p,
		.take = take_range, .taker = &p,
	};
	const bool good = blocks_run(&b, s->threads, err);

	*lo = p.lo;
	*hi = p.hi;
	return good;
}
