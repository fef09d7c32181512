/* rope_axes.c: which coordinate of a position each pair rotates by. */
#include <math.h>

#include "exact/within.h"
#include "encodings/rope.h"

double rope_coordinate(const struct rope *s, size_t i, size_t axis)
{
	const struct positions *p = &s->at;
	const struct rope_axis *a = &s->axis[axis];

	if (s->cells) {
		const struct cell at = rope_cell(s, i);

		return rope_at_index(s, a, rope_index(s, i, &at, a));
	}
	if (!s->sections.at || !p->positions.at)
		return position_at(p, i);
	return p->positions.at[s->by_axis ? axis * s->rows + i
					  : SECTIONS * i + axis];
}

/*
 * Whether --positions, of several lines of equal length, has its values axis by
 * axis, [3, n], or token by token, [n, 3].
 */
static bool read_lines(struct rope *s, struct table *t, struct error *err)
{
	const size_t width = s->at.positions.width;
	const size_t lines = s->at.positions.n / width;
	const bool chosen = s->positions_by != NO_CHOICE;

	if (s->by_axis && lines != SECTIONS)
		return fail(err, "--positions-by axis: expected three lines of "
			    "--positions, got %zu lines of %zu values", lines,
			    width);
	if (lines == 2 && width > SECTIONS)
		return fail(err, "--positions: expected three lines, one per "
			    "axis, or three values per line, got two lines of "
			    "%zu values", width);
	if (!chosen && lines == SECTIONS && width == SECTIONS)
		return fail(err, "--positions: three lines of three values may "
			    "be three tokens or three axes: add --positions-by "
			    "token or --positions-by axis");
	s->by_axis |= !chosen && lines == SECTIONS;
	return chosen || lines != 2 ||
	       table_note(t, err, "--positions: two lines of three values are "
			  "two tokens, [n, 3], not three axes, [3, n]");
}

/* Three coordinates for each position. */
static bool threes(struct rope *s, struct table *t, struct error *err)
{
	const struct list *list = &s->at.positions;

	if (list->n % SECTIONS)
		return fail(err, "--positions: expected time, row and column "
			    "for each row with --sections, got %zu values",
			    list->n);
	s->by_axis = s->positions_by == BY_AXIS;
	if (list->width > 1 && list->width < list->n &&
	    !read_lines(s, t, err))
		return false;
	s->rows = list->n / SECTIONS;
	s->axes_n = SECTIONS;
	t->row_axis = axis_of(AXIS_POSITION);
	return true;
}

/* The least and the greatest coordinate of an axis. */
static void axis_ends(const struct rope *s, size_t axis, double *least,
		      double *most)
{
	const size_t frame = s->cells ? s->height * s->width : s->rows;
	const size_t ends[] = { s->text, s->text + frame - 1,
				s->text + s->cells - 1, s->text - 1 };
	const bool list = s->at.positions.at;
	const size_t n = list ? s->rows : !s->cells ? 2 : s->text ? 4 : 3;

	*least = HUGE_VAL;
	*most = -HUGE_VAL;
	for (size_t i = 0; i < n; i++) {
		const double x = rope_coordinate(s, list ? i : ends[i], axis);

		*most = fmax(*most, x);
		*least = fmin(*least, x);
	}
}

/* Set what is known of the positions; check that all are exact. */
static bool find_extent(struct rope *s, struct error *err)
{
	double least = 0, most = -HUGE_VAL;

	for (size_t a = 0; a < s->axes_n; a++) {
		double first, last;

		axis_ends(s, a, &first, &last);
		most = fmax(most, last);
		least = fmin(least, first);
		s->span = fmax(s->span, last - first + 1);
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
	s->axes_n = 1;
	if (s->grid) {
		if (!rope_grid(s, t, err))
			return false;
	} else if (s->sections.at && s->at.positions.at) {
		if (!threes(s, t, err))
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

	if (s->sections.n != SECTIONS)
		return fail(err, "--sections: expected T,H,W, got %zu values",
			    s->sections.n);
	for (int a = 0; a < SECTIONS; a++) {
		if (!whole_within(n[a], 0, 0x1p20))
			return fail(err, "--sections: expected integers from 0 "
				    "to 2^20, got %.17g", n[a]);
		sum += n[a];
	}
	if (sum < (double)pairs || sum > (double)pairs)
		return fail(err, "--sections must add up to the %zu pairs, "
			    "got %.0f", pairs, sum);
	for (size_t k = 0; k < pairs && s->axes_n > 1; k++) {
		const double x = (double)k;
		const size_t third = k % SECTIONS;

		if (s->mrope == MROPE_CHUNKED)
			s->axis_of_pair[k] = x < n[0] ? SECTION_T
					     : x < n[0] + n[1] ? SECTION_H
							       : SECTION_W;
		else if (third && x < SECTIONS * n[third])
			s->axis_of_pair[k] = (unsigned char)third;
	}
	return true;
}

bool rope_axes(struct rope *s, size_t pairs, struct table *t,
	       struct error *err)
{
	s->axis_of_pair = table_alloc(t, pairs, 1, err);
	if (!s->axis_of_pair)
		return false;
	if (s->sections.at)
		return sections(s, pairs, err);
	for (size_t a = 0; a < s->axes_n && s->cells; a++)
		for (size_t k = 0; k < s->axis[a].pairs; k++)
			s->axis_of_pair[s->axis[a].first + k] =
				(unsigned char)a;
	return true;
}
