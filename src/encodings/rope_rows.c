/* rope_rows.c: rows of rotary angles, cosines and sines, and rotated tables. */
#include <math.h>
#include <string.h>

#include "exact/floating.h"
#include "encodings/rope.h"

/* Values that are prepared for the coordinates of a grid, at most: 12 MiB. */
enum { PREPARED_MOST = 1 << 20 };

/*
 * xPos (Sun et al. 2022): multiply the values x of a position by the decay of
 * each pair. Pair k of h decays with the distance from the centre by
 * zeta^(distance / B), zeta = (2k / d + 0.4) / 1.4 with d = 2 h. The choice of
 * centre scales queries and keys inversely; implementations differ in it.
 */
static void xpos_decay(const struct rope *s, double position, double *x)
{
	enum { LIMBS = 3 };
	const struct wave *w = &s->wave;
	const double h = (double)w->turns.n, half = s->extent / 2;
	const double centre = s->center == CENTER_FLOOR ? floor(half) :
			      s->center == CENTER_CEIL ? ceil(half) : 0;
	const double sign = s->downscale != s->inverse ? -1 : 1;
	const double power = sign * (position - centre) / s->xpos;

	for (size_t k = 0; k < w->turns.n; k++) {
		const double zeta = (5 * (double)k + 2 * h) / (7 * h);
		const struct floating f = floating_power(zeta, power, LIMBS);
		const double scale = floating_double(&f, LIMBS);
		const size_t at = k * w->stride;

		x[at] *= scale;
		if (at + w->apart < w->cols)
			x[at + w->apart] *= scale;
	}
}

/*
 * (x_a, x_b) becomes (x_a cos - x_b sin, x_a sin + x_b cos), equation 34; wave
 * holds the cosine at a and the sine at b, and may be the result y. Reversed,
 * the sine is negative.
 */
static void rotate(const struct rope *r, const double *wave, const double *x,
		   double *y)
{
	const struct wave *w = &r->wave;

	for (size_t k = 0; k < w->turns.n; k++) {
		const size_t a = k * w->stride, b = a + w->apart;
		const double c = wave[a], s = r->reversed ? -wave[b] : wave[b];

		y[a] = x[a] * c - x[b] * s + 0.0;  /* not -0 */
		y[b] = x[a] * s + x[b] * c + 0.0;
	}
}

/*
 * One head of --pairs mixed: dimensions 2j and 2j + 1 turn together, each by
 * the angle that a table of halves has in its place (V-JEPA 2's
 * rotate_queries_or_keys(), whose weights need it).
 */
static void rotate_mixed(const struct rope *s, size_t p, const double *x,
			 double *y)
{
	struct wave w = s->wave;

	w.stride = 0;
	w.apart = 1;
	w.cols = 2;
	for (size_t a = 0; a < s->axes_n; a++) {
		const size_t first = s->axis[a].first, n = s->axis[a].pairs;
		const double at = rope_coordinate(s, p, a);

		for (size_t j = 0; j < 2 * n; j += 2) {
			const double *from = x + 2 * first + j;
			double *to = y + 2 * first + j, even[2], odd[2];

			wave_pairs(&w, F32, first + j % n, 1, at, even);
			wave_pairs(&w, F32, first + (j + 1) % n, 1, at,
				   odd);
			to[0] = from[0] * even[0] - from[1] * even[1] + 0.0;
			to[1] = from[1] * odd[0] + from[0] * odd[1] + 0.0;
		}
	}
}

char rope_along(const struct table *t, size_t j)
{
	const struct rope *s = t->state;
	const size_t n = s->wave.turns.n;
	const bool next = s->wave.stride == 2 || rope_blocks(s) ||
			  (s->apply && s->pairs == PAIRS_MIXED);
	const size_t k = s->apply ? j % s->dim - s->rotary_offset : j;
	char axis;

	if (k >= 2 * n)
		return 0;
	axis = s->axis[s->axis_of_pair[t->cols == n ? k : next ? k / 2
						   : k % n]].along;
	if (axis == '0' || axis == 'n')
		return 0;
	return axis;
}

/* The values of an axis for a coordinate, to their columns of x. */
static void axis_values(const struct rope *s, const struct rope_axis *a,
			enum dtype d, double coordinate, double *x)
{
	struct wave w = s->wave;

	if (rope_blocks(s)) {
		w.apart = a->pairs;
		x += a->first;
	}
	wave_pairs(&w, d, a->first, a->pairs, coordinate, x);
}

static void grid_row(const struct rope *s, enum dtype d, size_t p, double *to)
{
	const struct grid_cell at = rope_cell(s, p);

	for (size_t k = 0; k < s->axes_n; k++) {
		const struct rope_axis *a = &s->axis[k];
		const struct rope_columns *c = &a->columns;
		const double *from = c->doubles;

		if (!from || d == F64) {
			axis_values(s, a, d, rope_coordinate(s, p, k), to);
			continue;
		}
		from += rope_index(s, p, &at, a) * c->cols;
		memcpy(to + c->at[0], from, c->n[0] * sizeof *from);
		memcpy(to + c->at[1], from + c->n[0], c->n[1] * sizeof *from);
	}
}

/* The same in several rows of float32. */
static void grid_floats(const struct table *t, size_t first, size_t n,
			float *out)
{
	const struct rope *s = t->state;

	for (size_t i = first; i < first + n; i++, out += t->cols) {
		const struct grid_cell at = rope_cell(s, i);

		for (size_t k = 0; k < s->axes_n; k++) {
			const struct rope_axis *a = &s->axis[k];
			const struct rope_columns *c = &a->columns;
			const float *from = c->floats + c->cols *
					    rope_index(s, i, &at, a);

			memcpy(out + c->at[0], from, c->n[0] * sizeof *from);
			memcpy(out + c->at[1], from + c->n[0],
			       c->n[1] * sizeof *from);
		}
	}
}

/* Pairs of 1-D positions, or of sections: runs of pairs have one axis. */
static void runs_row(const struct rope *s, enum dtype d, size_t p, double *to)
{
	const struct wave *w = &s->wave;
	const unsigned char *axis = s->axis_of_pair;
	const size_t n = w->turns.n;

	for (size_t k = 0, end; k < n; k = end) {
		for (end = k + 1; end < n && axis[end] == axis[k];)
			end++;
		wave_pairs(w, d, k, end - k, rope_coordinate(s, p, axis[k]),
			   to);
	}
	if (s->xpos > 0)
		xpos_decay(s, rope_coordinate(s, p, 0), to);
}

/* The axis by which a head rotates, of --mrope heads. */
static size_t axis_of_head(const struct rope *s, size_t head)
{
	double left = (double)head;
	size_t axis = 0;

	while (s->axes_n > 1 && left >= s->sections.at[axis])
		left -= s->sections.at[axis++];
	return axis;
}

/* Cosines and sines of position p, those that the pairs of a head rotate by. */
static void position_row(const struct rope *s, enum dtype d, size_t p,
			 size_t head, double *to)
{
	if (s->coefficients.n)
		rope_fourier_row(s, head, rope_coordinate(s, p, 0), to);
	else if (s->heads > 1)
		wave_pairs(&s->wave, d, 0, s->wave.turns.n,
			   rope_coordinate(s, p, axis_of_head(s, head)), to);
	else if (!rope_shared(s))
		runs_row(s, d, p, to);
	else if (!s->apply || s->pairs != PAIRS_MIXED)
		grid_row(s, d, p, to);
}

/* The position of row i of --apply. */
static size_t position_of(const struct rope *s, const struct table *t, size_t i)
{
	return s->along == ALONG_PLANES ? i / t->rows % s->rows : i % t->rows;
}

/* The head of the cosines that rotate column j of row i of --apply. */
static size_t head_of(const struct rope *s, const struct table *t, size_t i,
		      size_t j)
{
	const bool planes = s->along == ALONG_PLANES;
	const size_t blocks = t->cols / s->dim;
	const size_t n = blocks * (planes ? t->rows : t->planes);
	const size_t head = blocks * (planes ? i % t->rows : i / t->rows) +
			    j / s->dim;

	return head / (n / s->heads);
}

/* Rotate the heads of row i; what they rotate by lies in the last of y. */
static void rotate_row(const struct table *t, size_t i, double *y)
{
	const struct rope *s = t->state;
	const size_t first = s->rotary_offset, n = 2 * s->wave.turns.n;
	const size_t p = position_of(s, t, i);
	const double *x = s->apply->row(s->apply, i, NULL);
	double *wave = y + t->cols - s->dim + first;

	for (size_t h = 0; h < t->cols; h += s->dim) {
		if (h == 0 || s->heads > 1)
			position_row(s, F32, p, head_of(s, t, i, h), wave);
		if (s->pairs == PAIRS_MIXED)
			rotate_mixed(s, p, x + h + first, y + h + first);
		else
			rotate(s, wave, x + h + first, y + h + first);
		for (size_t j = h; j < h + first; j++)
			y[j] = x[j];
		for (size_t j = h + first + n; j < h + s->dim; j++)
			y[j] = x[j];
	}
}

const double *rope_row(const struct table *t, size_t i, double *scratch)
{
	const struct rope *s = t->state;

	if (s->apply)
		rotate_row(t, i, scratch);
	else
		position_row(s, t->dtype, i % s->rows, i / s->rows, scratch);
	return scratch;
}

double rope_frequency(const struct rope *s, size_t k)
{
	return turns_angle(&s->wave.turns, k, s->axis[s->axis_of_pair[k]].over);
}

const double *rope_angles_row(const struct table *t, size_t i, double *scratch)
{
	const struct rope *s = t->state;

	for (size_t k = 0; k < t->cols; k++)
		scratch[k] = s->out == ROPE_FREQS
			? rope_frequency(s, k)
			: wave_angle(&s->wave, k,
				     rope_coordinate(s, i,
						     s->axis_of_pair[k]));
	return scratch;
}

static void line_floats(const struct table *t, size_t first, size_t n,
			float *out)
{
	const struct rope *s = t->state;

	wave_floats(&s->wave, first, n, out);
}

/* Which columns an axis has. */
static void set_columns(const struct rope *s, struct rope_axis *a)
{
	const struct wave *w = &s->wave;
	struct rope_columns *c = &a->columns;
	const bool one_run = w->stride == 2 || rope_blocks(s);

	c->at[0] = one_run ? 2 * a->first : a->first;
	c->n[0] = one_run ? 2 * a->pairs : a->pairs;
	if (!one_run && w->apart < w->cols) {
		c->at[1] = a->first + w->apart;
		c->n[1] = a->pairs;
	}
	c->cols = c->n[0] + c->n[1];
}

/* Compute the values of each coordinate of an axis; row is [cols]. */
static bool prepare_axis(const struct rope *s, struct rope_axis *a, double *row,
			 struct table *t, struct error *err)
{
	struct rope_columns *c = &a->columns;
	const size_t n = a->size + s->text + 1;

	c->doubles = table_alloc(t, n * c->cols, sizeof *c->doubles, err);
	c->floats = table_alloc(t, n * c->cols, sizeof *c->floats, err);
	if (!c->doubles || !c->floats)
		return false;
	for (size_t i = 0; i < n; i++) {
		double *to = c->doubles + i * c->cols;

		axis_values(s, a, F32, rope_at_index(s, a, i), row);
		memcpy(to, row + c->at[0], c->n[0] * sizeof *to);
		memcpy(to + c->n[0], row + c->at[1], c->n[1] * sizeof *to);
	}
	for (size_t i = 0; i < n * c->cols; i++)
		c->floats[i] = (float)c->doubles[i];
	return true;
}

static bool prepare_grid(struct rope *s, struct table *t, struct error *err)
{
	double values = 0, *row;

	for (size_t a = 0; a < s->axes_n; a++) {
		set_columns(s, &s->axis[a]);
		values += ((double)s->axis[a].size + (double)s->text + 1) *
			  (double)s->axis[a].columns.cols;
	}
	if (values > PREPARED_MOST)
		return true;
	row = table_alloc(t, s->wave.cols, sizeof *row, err);
	if (!row)
		return false;
	for (size_t a = 0; a < s->axes_n; a++)
		if (!prepare_axis(s, &s->axis[a], row, t, err))
			return false;
	if (!s->apply)
		t->floats = grid_floats;
	return true;
}

static const double *between_rows(const struct table *t, double i,
				  double *scratch)
{
	const struct rope *s = t->state;

	wave_row(&s->wave, t->dtype, fma(i, s->at.step, s->at.start), scratch);
	return scratch;
}

bool rope_prepare(struct rope *s, struct table *t, struct error *err)
{
	struct wave *w = &s->wave;
	const struct positions *at = &s->at;

	if (rope_shared(s))
		return s->apply && s->pairs == PAIRS_MIXED
			? true : prepare_grid(s, t, err);
	if (s->apply || s->axes_n > 1 || at->positions.at)
		return true;
	if (!wave_prepare(w, at->start, at->step, s->rows, t, err))
		return false;
	t->floats = w->block ? line_floats : NULL;
	t->block_rows = w->block;
	if (wave_smooth(w))
		t->between = between_rows;
	return true;
}

/*
 * --out decay and bound: how dot products of rotated queries and keys change
 * with their distance, without the vectors: Su et al. 2021, section 3.4.3.
 */

enum { PART = 64 };  /* pairs at a time */

/* Mean of cosines, or of |S_j|, S_j the sum of the first j e^(i m w_k). */
static const double *decay_row(const struct table *t, size_t i,
			       double *scratch)
{
	const struct rope *s = t->state;
	const struct turns *turns = &s->wave.turns;
	const double distance = position_at(&s->at, i);
	double sine[PART], cosine[PART], re = 0, im = 0, sum = 0;

	for (size_t k = 0; k < turns->n; k += PART) {
		const size_t n = turns->n - k < PART ? turns->n - k : PART;

		turns_sincos(turns, k, n, distance, sine, cosine);
		for (size_t j = 0; j < n; j++) {
			re += cosine[j];
			im += sine[j];
			sum += sqrt(re * re + im * im);
		}
	}
	*scratch = (s->out == ROPE_DECAY ? re : sum) / (double)turns->n;
	return scratch;
}

void rope_decay(struct rope *s, struct table *t)
{
	const bool bound = s->out == ROPE_BOUND;

	t->title = "Long-term decay of RoPE";
	t->value = bound ? "upper bound" : "mean cosine";
	t->rows = s->rows;
	t->cols = 1;
	t->row_axis.kind = AXIS_DISTANCE;
	t->row_axis.name = axis_of(AXIS_DISTANCE).name;
	t->col_axis = axis_of(AXIS_COLUMN);
	t->bounds = BOUNDS_LOOSE;
	t->hi = bound ? (double)s->wave.turns.n : 1;
	t->lo = -t->hi;
	t->row = decay_row;
}
