/*
 * rope_axes.c: which coordinate of a position each pair rotates by, and the
 * coordinates of positions, of cells of images and videos, and of tokens.
 */
#include <math.h>
#include <string.h>

#include "exact/within.h"
#include "text/decimal.h"
#include "text/words.h"
#include "encodings/rope.h"

const char *const rope_texts[] = {
	"zero", "first", "from-1", "last", "all", NULL
};

size_t rope_index(const struct rope *s, size_t i, const struct grid_cell *at,
		  const struct rope_axis *a)
{
	if (i < s->text)
		return a->size + i;
	if (i >= s->text + s->cells)
		return a->size + s->text;
	return cell_at(at, a->along);
}

double rope_at_index(const struct rope *s, const struct rope_axis *a,
		     size_t index)
{
	const size_t h = s->lattice.height, w = s->lattice.width;
	const size_t half = (h > w ? h : w) / 2, n = a->size;

	if (index < n && a->floored) {
		const size_t cell = index * (size_t)a->step / n;

		return (double)cell;
	}
	if (index < n)
		return fma((double)index, a->step, a->start);
	index -= n;
	if (index == s->text)
		return 0;
	switch (s->text_ids) {
	case TEXT_ALL:
		return (double)(half + index);
	case TEXT_FIRST:
		return a == s->axis ? (double)index : 0;
	case TEXT_FROM_1:
		return a == s->axis ? (double)index + 1 : 0;
	case TEXT_LAST:
		return a == s->axis + s->axes_n - 1 ? (double)index : 0;
	default:
		return 0;
	}
}

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

static const char *const shares[] = {
	"equal", "floor", "first", "quarter", NULL
};
enum { SHARE_EQUAL, SHARE_FLOOR, SHARE_FIRST, SHARE_QUARTER };

/* Read --grid; the number of frames. */
static bool read_size(struct rope *s, size_t *frames, struct error *err)
{
	s->lattice = lattice_of(s->grid.at, s->grid.n);
	s->cells = lattice_cells(&s->lattice);
	if ((double)s->cells + (double)s->text + (double)s->cls >
	    POSITION_MOST)
		return fail(err, "--grid %.60s has more than 2^53 tokens",
			    s->grid.text);
	s->lattice.merge = s->merge;
	s->lattice.before = s->text;
	*frames = s->lattice.frames;
	return true;
}

/* --order, or the usual one. */
static const char *order_of(const struct rope *s, size_t frames)
{
	return s->order ? s->order : s->sections.n == 2 ? "y,x"
	       : s->sections.n || frames > 1 ? "t,y,x" : "x,y";
}

static bool read_order(struct rope *s, size_t frames, struct error *err)
{
	char along[ROPE_AXES];

	s->axes_n = lattice_order(order_of(s, frames), "yxt0n", along,
				  ROPE_AXES);
	for (size_t a = 0; a < s->axes_n; a++)
		s->axis[a].along = along[a];
	return s->axes_n ||
	       fail(err, "--order: expected up to %d of y, x, t, 0 and n, "
		    "separated by commas, got '%.60s'", ROPE_AXES, s->order);
}

/* Whether a coordinate of cells is among the axes. */
static bool has_axis(const struct rope *s, char along)
{
	for (size_t a = 0; a < s->axes_n; a++)
		if (s->axis[a].along == along)
			return true;
	return false;
}

/* Whether t does not count frames. */
static bool timed(const struct rope *s)
{
	return s->fps != 24;
}

/* Refuse options that do not fit the axes, or each other. */
static bool check_use(const struct rope *s, size_t frames, struct error *err)
{
	const bool time = has_axis(s, 't');

	if (frames > 1 && !time && !s->merge)
		return fail(err, "--grid %.60s has frames, but --order %.60s "
			    "has no t", s->grid.text, order_of(s, frames));
	if (timed(s) && !time)
		return fail(err, "--fps needs t in --order, got '%.60s'",
			    order_of(s, frames));
	if (s->text && s->text_ids == NO_CHOICE)
		return fail(err, "--text: this convention has no text tokens "
			    "in its table; --text-ids says where they stand "
			    "(flux, flux2, lumina2, qwen-image and z-image "
			    "have them)");
	if (!lattice_merges(&s->lattice, "--grid", s->grid.text, err))
		return false;
	return true;
}

/* --base-size of rows and columns. */
static bool base_size(const struct rope *s, double size[2], struct error *err)
{
	const struct extents *of = &s->base_size;
	const bool fitted = s->coords == COORDS_FITTED;

	size[0] = of->n ? (double)of->at[0] : fitted ? 30 : 16;
	size[1] = of->n ? (double)of->at[of->n - 1] : fitted ? 45 : 16;
	return s->coords != COORDS_FLOORED ||
	       (size[0] * (double)s->lattice.height <= POSITION_MOST &&
		size[1] * (double)s->lattice.width <= POSITION_MOST) ||
	       fail(err, "--coords floored: --base-size times --grid must be "
		    "at most 2^53, got %gx%g times %.60s", size[0], size[1],
		    s->grid.text);
}

/*
 * The grid in the base size, as large as its aspect allows and centred. All in
 * double precision, as CogVideoX's pipeline computes it.
 */
static void fit(const struct rope *s, const double base[2], double length[2],
		double first[2])
{
	const double h = (double)s->lattice.height;
	const double w = (double)s->lattice.width;
	const bool high = h / w > base[0] / base[1];

	length[0] = high ? base[0] : rint(base[1] / w * h);
	length[1] = high ? rint(base[0] / h * w) : base[1];
	first[0] = rint((base[0] - length[0]) / 2);
	first[1] = rint((base[1] - length[1]) / 2);
}

/*
 * From first to (first + length) (n - 1) / n in n - 1 equal steps: coordinate i
 * is first + i ((first + length) (n - 1) / n - first) / (n - 1).
 */
static void set_fitted(struct rope_axis *a, double first, double length)
{
	const double n = (double)a->size;

	a->start = first;
	a->step = length;
	a->over = n;
	if (n > 1 && first > 0) {
		a->over = n * (n - 1);
		a->start = first * a->over;
		a->step = (first + length) * (n - 1) - first * n;
	} else if (n < 2) {
		a->over = 1;
	}
}

/* The cells' centres, between -1 and 1: (2 i + 1 - n) / n, in full turns. */
static void set_normalized(struct rope_axis *a, size_t n)
{
	a->start = 1 - (double)n;
	a->step = 2;
	a->over = (double)n;
	a->full_turns = true;
}

static void set_coordinates(const struct rope *s, struct rope_axis *a,
			    const double base[2])
{
	const size_t h = s->lattice.height, w = s->lattice.width;
	const size_t half = a->size / 2;
	const int k = a->along == 'x';
	double length[2], first[2];

	switch (s->coords) {
	case COORDS_CENTERED:
		a->start = -(double)(a->size - half);
		break;
	case COORDS_SCALED:
		a->step = base[k];
		a->over = (double)a->size;
		break;
	case COORDS_FLOORED:
		a->step = base[k];
		a->floored = true;
		break;
	case COORDS_FITTED:
		fit(s, base, length, first);
		set_fitted(a, first[k], length[k]);
		break;
	case COORDS_SEPARATE:
		set_normalized(a, a->size);
		break;
	case COORDS_MIN:
		set_normalized(a, h < w ? h : w);
		break;
	case COORDS_MAX:
		set_normalized(a, h > w ? h : w);
		break;
	default:
		break;
	}
}

/* The size and the coordinates of each axis. */
static bool place_axes(struct rope *s, struct error *err)
{
	double base[2];

	if (!base_size(s, base, err))
		return false;
	for (struct rope_axis *a = s->axis; a < s->axis + s->axes_n; a++) {
		const bool cell = a->along == 'y' || a->along == 'x';

		a->size = lattice_size(&s->lattice, a->along);
		if (cell || a->along == 't') {
			a->start = s->at.start;
			a->step = s->at.step;
		}
		if (cell)
			set_coordinates(s, a, base);
		else if (a->along == 'n')
			a->start = (double)s->text +
				   (s->text_ids == TEXT_FROM_1);
		else if (a->along == 't' && timed(s)) {
			a->step *= 24;
			a->start *= 24;
			a->over = s->fps;
		}
		if (a->full_turns || a->over != 1)
			s->fractional = true;
	}
	if (s->fractional && s->text && s->text_ids != TEXT_ZERO)
		return fail(err, "--text needs coordinates of cells that are "
			    "whole numbers, or --text-ids zero");
	return true;
}

/* The number of dimensions of each axis, by the rule of that name. */
static bool share(struct rope *s, size_t rule, double *dims, struct error *err)
{
	const size_t n = s->axes_n, r = s->rotary_dim;
	const size_t each = rule == SHARE_EQUAL ? r / n : 2 * (r / (2 * n));

	if (rule == SHARE_EQUAL && r % (2 * n))
		return fail(err, "%s must be a multiple of %zu with %zu axes, "
			    "got %zu", r < s->dim ? "--rotary-dim" : "--dim",
			    2 * n, n, r);
	if (rule == SHARE_QUARTER && (n != 3 || r % 16))
		return fail(err, "--axes quarter needs 3 axes and a --dim that "
			    "is a multiple of 16, got %zu and %zu", n, r);
	if (!each)
		return fail(err, "--dim must be at least %zu with %zu axes, "
			    "got %zu", 2 * n, n, r);
	for (size_t a = 0; a < n; a++)
		dims[a] = (double)(rule != SHARE_QUARTER ? each :
				   a ? 3 * (r / 8) : r / 4);
	if (rule == SHARE_FIRST)
		dims[0] = (double)(r - (n - 1) * each);
	if (rule == SHARE_FLOOR)
		s->rotary_dim = n * each;
	return true;
}

/* A rule's name, or a size for each axis. */
static bool read_shares(struct rope *s, double *dims, struct table *t,
			struct error *err)
{
	struct lookup l = lookup_begin(s->axes ? s->axes : shares[0]);
	struct list list;
	double sum = 0;

	for (size_t rule = 0; shares[rule]; rule++)
		if (lookup_is(&l, shares[rule]))
			return share(s, rule, dims, err);
	if (!strchr("0123456789", s->axes[0]))
		return lookup_fail_value(&l, "--axes", "equal, floor, first, "
					 "quarter or a size for each axis",
					 err);
	if (!list_read(&list, s->axes, "--axes", t, err))
		return false;
	if (list.n != s->axes_n)
		return fail(err, "--axes: expected %zu sizes, one for each of "
			    "--order, got %zu", s->axes_n, list.n);
	for (size_t a = 0; a < list.n; a++) {
		if (!(list.at[a] >= 2 && fmod(list.at[a], 2) == 0))
			return fail(err, "--axes: expected even sizes of at "
				    "least 2, got %.17g", list.at[a]);
		dims[a] = list.at[a];
		sum += dims[a];
	}
	if (sum != (double)s->rotary_dim)
		return fail(err, "--axes must add up to the %zu rotary "
			    "dimensions, got %.17g", s->rotary_dim, sum);
	return true;
}

/* Give each axis its pairs, one axis after another. */
static bool share_pairs(struct rope *s, struct table *t, struct error *err)
{
	double dims[ROPE_AXES];
	size_t first = 0;

	if (s->sections.at)
		return true;
	if (!read_shares(s, dims, t, err))
		return false;
	for (size_t a = 0; a < s->axes_n; a++) {
		s->axis[a].first = first;
		s->axis[a].pairs = (size_t)dims[a] / 2;
		first += s->axis[a].pairs;
	}
	return true;
}

/* A grid whose convention nobody named may be another one than is meant. */
static bool note_convention(struct rope *s, struct table *t, struct error *err)
{
	if (s->order || s->sections.at || s->coords != COORDS_INDEX)
		return true;
	if (s->spacing.word == SPACING_HALF_1)
		return fail(err, "--spacing half-1 (--preset retnet) is for "
			    "positions in one dimension: with --grid it needs "
			    "--order");
	return table_note(t, err, "--grid: dimensions are shared by --order "
			  "%s, coordinates count from 0; models differ: "
			  "--preset takes the convention of one",
			  s->axes_n == 3 ? "t,y,x" : "x,y");
}

/* Models that place text tokens have some. */
static bool note_text(const struct rope *s, struct table *t, struct error *err)
{
	return s->text || s->text_ids == NO_CHOICE ||
	       table_note(t, err, "--text-ids %s: the table has no text "
			  "tokens; --text N adds them",
			  rope_texts[s->text_ids]);
}

static bool place_grid(struct rope *s, struct table *t, struct error *err)
{
	size_t frames = 1;

	if (!read_size(s, &frames, err) || !read_order(s, frames, err) ||
	    !check_use(s, frames, err) || !place_axes(s, err) ||
	    !share_pairs(s, t, err) || !note_convention(s, t, err) ||
	    !note_text(s, t, err))
		return false;
	s->rows = s->text + s->cells + s->cls;
	table_cells(t, &s->lattice, "text", s->cls ? "class" : NULL);
	return true;
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
	if (s->sections.at && s->mrope != MROPE_CHUNKED && n != SECTIONS &&
	    (s->mrope != MROPE_RAREST || n > SECTIONS))
		return fail(err, "--mrope %s needs %sthree --sections T,H,W, "
			    "got %zu", rope_mropes[s->mrope],
			    s->mrope == MROPE_RAREST ? "two or " : "", n);
	if (s->grid.n && n == SECTIONS_MOST)
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
	if (s->grid.n) {
		if (!place_grid(s, t, err))
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

/*
 * The axis of which the least share has pairs so far, the first of equals, but
 * not that of the pair before while there is another; of three sections the
 * last pair is of the first (openPangu-VL; vLLM 41c5903, mrope_interleaved.py).
 */
static void rarest_first(const struct rope *s, const size_t *n, size_t pairs,
			 unsigned char *axis)
{
	const bool last = s->sections.n == SECTIONS;
	const size_t count[] = { n[0] - last, n[1], n[2] };
	size_t placed[SECTIONS] = { 0 };

	for (size_t k = 0; k + last < pairs; k++) {
		size_t best = SECTIONS;

		for (size_t a = 0; a < SECTIONS; a++)
			if (placed[a] < count[a] && (!k || a != axis[k - 1]) &&
			    (best == SECTIONS || placed[a] * count[best] <
						 placed[best] * count[a]))
				best = a;
		axis[k] = best < SECTIONS ? (unsigned char)best : axis[k - 1];
		placed[axis[k]]++;
	}
	if (last)
		axis[pairs - 1] = SECTION_T;
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
	if (s->mrope == MROPE_HEADS) {
		s->heads = sum;
		return sum || fail(err, "--mrope heads needs a head, got "
				   "--sections %.60s", s->sections.text);
	}
	if (sum != pairs)
		return fail(err, "--sections must add up to the %zu pairs, "
			    "got %zu", pairs, sum);
	/* Files have T,H,W or H,W,T */
	if (s->mrope == MROPE_ALTERNATE && n[1] != n[0] && n[1] != n[2])
		return fail(err, "--mrope alternate needs --sections T,H,W or "
			    "H,W,T with as many pairs for rows H as for "
			    "columns W, got %zu,%zu,%zu", n[0], n[1], n[2]);
	if (s->mrope == MROPE_RAREST && s->sections.n == SECTIONS && !n[0])
		return fail(err, "--mrope rarest needs a pair for time, the "
			    "last, got --sections %.60s", s->sections.text);
	if (s->axes_n > 1 && s->mrope == MROPE_RAREST)
		rarest_first(s, n, pairs, s->axis_of_pair);
	else if (s->axes_n > 1)
		for (size_t k = 0; k < pairs; k++)
			s->axis_of_pair[k] =
				(unsigned char)section_of(s, n, pairs, k);
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
