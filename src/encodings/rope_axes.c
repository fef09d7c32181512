/* rope_axes.c: which coordinate of a position each pair rotates by. */
#include <math.h>

#include "exact/within.h"
#include "encodings/rope.h"

double rope_coordinate(const struct rope *s, size_t i, size_t axis)
{
	const struct positions *p = &s->at;
	const struct rope_axis *a = &s->axis[axis];

	if (s->cells) {
		const struct grid_cell at = rope_cell(s, i);

		return rope_at_index(s, a, rope_index(s, i, &at, a));
	}
	if (!s->sections.at || !p->positions.at)
		return position_at(p, i);
	return p->positions.at[s->by_axis ? axis * s->rows + i
					  : s->sections.n * i + axis];
}

/* What a position has for each of two, three or four sections. */
static const char *coordinates(const struct rope *s)
{
	static const char *const names[] = {
		"row and column", "time, row and column",
		"position, width, height and time",
	};

	return names[s->sections.n - 2];
}

bool rope_sections(const struct rope *s, struct error *err)
{
	const size_t n = s->sections.n;

	if (s->sections.at && (n < 2 || n > SECTIONS_MOST))
		return fail(err, "--sections: expected two to four numbers of "
			    "pairs, such as T,H,W, got %zu", n);
	if (s->sections.at && s->mrope != MROPE_CHUNKED && n != SECTIONS)
		return fail(err, "--mrope %s needs three --sections T,H,W, got "
			    "%zu", rope_mropes[s->mrope], n);
	if (s->grid && n == SECTIONS_MOST)
		return fail(err, "four --sections need --positions: --grid "
			    "gives cells no position beside time, row and "
			    "column");
	return true;
}

static const char *const count_words[] = {
	"no", "one", "two", "three", "four"
};

/*
 * Whether --positions, of several lines of equal length, has its values axis by
 * axis, [3, n], or token by token, [n, 3].
 */
static bool read_lines(struct rope *s, struct table *t, struct error *err)
{
	const size_t width = s->at.positions.width, n = s->sections.n;
	const size_t lines = s->at.positions.n / width;
	const char *axes = count_words[n];
	const bool chosen = s->positions_by != NO_CHOICE;

	if (s->by_axis && lines != n)
		return fail(err, "--positions-by axis: expected %s lines of "
			    "--positions, got %zu lines of %zu values", axes,
			    lines, width);
	if (lines < n && width > n)
		return fail(err, "--positions: expected %s lines, one per "
			    "axis, or %s values per line, got %s lines of %zu "
			    "values", axes, axes, count_words[lines], width);
	if (!chosen && lines == n && width == n)
		return fail(err, "--positions: %s lines of %s values may be "
			    "%s tokens or %s axes: add --positions-by token "
			    "or --positions-by axis", axes, axes, axes, axes);
	s->by_axis |= !chosen && lines == n;
	return chosen || lines >= n || width != n ||
	       table_note(t, err, "--positions: %s lines of %s values are %s "
			  "tokens, [n, %zu], not %s axes, [%zu, n]",
			  count_words[lines], axes, count_words[lines], n,
			  axes, n);
}

/* Whether some of n values are equal. */
static bool has_equal(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (x[i] == x[j])
				return true;
	return false;
}

/*
 * A list without lines is read token by token. Where it rises from its first
 * value to its last, it may as well be positions of one coordinate: in no
 * sequence of texts and images do all coordinates rise, as those of a text
 * token are equal and cells of an image share some.
 */
static bool read_flat(const struct rope *s, struct table *t, struct error *err)
{
	const struct list *list = &s->at.positions;
	const size_t n = s->sections.n, rows = list->n / n;
	size_t rising = 1;
	bool equal = false;

	if (s->positions_by != NO_CHOICE || rows < 2)
		return true;
	while (rising < list->n && list->at[rising - 1] < list->at[rising])
		rising++;
	if (rising == list->n)
		return fail(err, "--positions: %zu rising values may be %zu "
			    "positions, or %zu of %s: write each position %zu "
			    "times, or add --positions-by token", list->n,
			    list->n, rows, coordinates(s), n);
	for (size_t i = 0; i < rows && !equal; i++)
		equal = has_equal(list->at + n * i, n);
	return equal ||
	       table_note(t, err, "--positions: %zu values are read as %zu "
			  "positions of %s", list->n, rows, coordinates(s));
}

/* A coordinate of each section for each position. */
static bool read_coordinates(struct rope *s, struct table *t,
			     struct error *err)
{
	const struct list *list = &s->at.positions;
	const size_t n = s->sections.n;

	if (list->n % n)
		return fail(err, "--positions: expected %s for each row with "
			    "--sections, got %zu values", coordinates(s),
			    list->n);
	s->by_axis = s->positions_by == BY_AXIS;
	if (!(list->width > 1 && list->width < list->n ? read_lines(s, t, err)
						       : read_flat(s, t, err)))
		return false;
	s->rows = list->n / n;
	s->axes_n = n;
	t->row_axis = axis_of(AXIS_POSITION);
	return true;
}

/* The least and the greatest coordinate of an axis. */
static void axis_ends(const struct rope *s, size_t axis, double *least,
		      double *most)
{
	const struct lattice *l = &s->lattice;
	const size_t frame = s->cells ? l->height * l->width : s->rows;
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
	double most = -HUGE_VAL;

	for (size_t a = 0; a < s->axes_n; a++) {
		double first, last;

		axis_ends(s, a, &first, &last);
		most = fmax(most, last);
		s->least = fmin(s->least, first);
		s->span = fmax(s->span, last - first + 1);
	}
	s->extent = most + 1;
	s->farthest = fmax(most, -s->least);
	if (most > POSITION_MOST || s->least < -POSITION_MOST)
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
		if (!read_coordinates(s, t, err))
			return false;
	} else {
		if (!positions_shape(&s->at, t, err))
			return false;
		s->rows = t->rows;
	}
	return find_extent(s, err);
}

/*
 * The axis of pair k. Qwen2-VL gives the first pairs to time, the next to rows,
 * the last to columns; Hunyuan-VL has a fourth section (vLLM b91ee1b,
 * xdrope.py). Qwen3-VL gives each third pair to rows and the one behind it to
 * columns, as far as their sections reach, and all others to time. ERNIE-4.5-VL
 * and Ming alternate rows and columns and give the last pairs to time (vLLM
 * 1e63510, ernie45_vl_rope.py; 9c5b716, bailing_mrope.py).
 */
static size_t section_of(const struct rope *s, const size_t *n, size_t pairs,
			 size_t k)
{
	size_t axis = SECTION_T;

	if (s->mrope == MROPE_CHUNKED)
		for (; k >= n[axis]; axis++)
			k -= n[axis];
	else if (s->mrope == MROPE_INTERLEAVED)
		axis = k < SECTIONS * n[k % SECTIONS] ? k % SECTIONS
						      : SECTION_T;
	else if (k < pairs - n[n[0] == n[1] ? 2 : 0])
		axis = k % 2 ? SECTION_W : SECTION_H;
	return axis;
}

static bool sections(struct rope *s, size_t pairs, struct error *err)
{
	size_t n[SECTIONS_MOST] = { 0 }, sum = 0;

	for (size_t a = 0; a < s->sections.n; a++) {
		const double x = s->sections.at[a];

		if (!whole_within(x, 0, 0x1p20))
			return fail(err, "--sections: expected integers from 0 "
				    "to 2^20, got %.17g", x);
		n[a] = (size_t)x;
		sum += n[a];
	}
	if (sum != pairs)
		return fail(err, "--sections must add up to the %zu pairs, "
			    "got %zu", pairs, sum);
	/* Files have T,H,W or H,W,T */
	if (s->mrope == MROPE_ALTERNATE && n[1] != n[0] && n[1] != n[2])
		return fail(err, "--mrope alternate needs --sections T,H,W or "
			    "H,W,T with as many pairs for rows H as for "
			    "columns W, got %zu,%zu,%zu", n[0], n[1], n[2]);
	for (size_t k = 0; k < pairs && s->axes_n > 1; k++)
		s->axis_of_pair[k] = (unsigned char)section_of(s, n, pairs, k);
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
