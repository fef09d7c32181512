/* rope_axes.c: rotary positions in one, two and three dimensions. */
#include <math.h>

#include "text/decimal.h"
#include "exact/within.h"
#include "encodings/rope.h"

double rope_coordinate(const struct rope *s, size_t i, enum rope_axis axis)
{
	const struct positions *p = &s->at;
	size_t cell;

	if (s->sections.at && p->positions.at)
		return p->positions.at[AXES * i + axis];
	if (!s->width)
		return position_at(p, i);
	cell = axis == AXIS_T ? 0 : axis == AXIS_H ? i / s->width
						    : i % s->width;
	return fma((double)cell, p->step, p->start);
}

static bool read_grid(struct rope *s, struct error *err)
{
	double size[3];

	if (parse_extents(s->grid, size) != 2 || size[0] * size[1] > 0x1p53)
		return fail(err, "--grid: expected HxW, rows by columns, got "
			    "'%.60s'", s->grid);
	s->height = (size_t)size[0];
	s->width = (size_t)size[1];
	return true;
}

/* Positions of a grid, or of three coordinates each. */
static bool many_dimensions(struct rope *s, struct table *t, struct error *err)
{
	const struct positions *p = &s->at;

	if (s->grid && (p->len || p->positions.at))
		return fail(err, "--grid cannot be combined with --len or "
			    "--positions");
	if (s->grid && !read_grid(s, err))
		return false;
	if (!s->grid && p->positions.n % AXES)
		return fail(err, "--positions: expected time, row and column "
			    "for each row with --sections, got %zu values",
			    p->positions.n);
	s->rows = s->grid ? s->height * s->width : p->positions.n / AXES;
	t->row_axis = axis_of(s->grid ? AXIS_CELL : AXIS_POSITION);
	return true;
}

/* Set extent to the largest position + 1; check that all are exact. */
static bool find_extent(struct rope *s, struct error *err)
{
	const struct list *list = &s->at.positions;
	double least = 0, most = -HUGE_VAL;

	for (size_t i = 0; i < list->n; i++) {
		most = fmax(most, list->at[i]);
		least = fmin(least, list->at[i]);
	}
	for (enum rope_axis a = 0; !list->at && a < AXES; a++) {
		const double first = rope_coordinate(s, 0, a);
		const double last = rope_coordinate(s, s->rows - 1, a);

		most = fmax(most, fmax(first, last));
		least = fmin(least, fmin(first, last));
	}
	s->extent = most + 1;
	s->farthest = fmax(most, -least);
	if (most > POSITION_MOST || least < -POSITION_MOST)
		return fail(err, "positions must be between -2^53 and 2^53, "
			    "where they are exact");
	return true;
}

bool rope_positions(struct rope *s, struct table *t, struct error *err)
{
	if (s->grid || (s->sections.at && s->at.positions.at)) {
		if (!many_dimensions(s, t, err))
			return false;
	} else {
		if (!positions_shape(&s->at, t, err))
			return false;
		s->rows = t->rows;
	}
	return find_extent(s, err);
}

/*
 * Qwen2-VL gives the first pairs to time, the next to rows, the last to
 * columns. Qwen3-VL gives each third pair to rows and the one behind it to
 * columns, as far as their sections reach, and all others to time.
 */
static bool sections(struct rope *s, size_t pairs, struct error *err)
{
	const double *n = s->sections.at;
	double sum = 0;

	if (s->sections.n != AXES)
		return fail(err, "--sections: expected T,H,W, got %zu values",
			    s->sections.n);
	for (int a = 0; a < AXES; a++) {
		if (!whole_within(n[a], 0, 0x1p20))
			return fail(err, "--sections: expected integers from 0 "
				    "to 2^20, got %.17g", n[a]);
		sum += n[a];
	}
	if (sum < (double)pairs || sum > (double)pairs)
		return fail(err, "--sections must add up to the %zu pairs, "
			    "got %.0f", pairs, sum);
	for (size_t k = 0; k < pairs; k++) {
		const double x = (double)k;
		const size_t third = k % AXES;

		if (s->mrope == MROPE_CHUNKED)
			s->axis[k] = x < n[0] ? AXIS_T : x < n[0] + n[1]
				     ? AXIS_H : AXIS_W;
		else if (third && x < AXES * n[third])
			s->axis[k] = (unsigned char)third;
	}
	return true;
}

bool rope_axes(struct rope *s, size_t pairs, struct table *t,
	       struct error *err)
{
	s->axis = table_alloc(t, pairs, 1, err);
	if (!s->axis)
		return false;
	s->one_axis = !s->width &&
		      (!s->sections.at || !s->at.positions.at);
	if (s->sections.at)
		return sections(s, pairs, err);
	/* Half rotate by the column, half by the row (Heo et al. 2024). */
	for (size_t k = 0; s->width && k < pairs; k++)
		s->axis[k] = k < pairs / 2 ? AXIS_W : AXIS_H;
	return true;
}
