/*
 * rope_grid.c: the axes of images and videos: which share of the dimensions
 * rotates by which coordinate, and the coordinates of cells and tokens.
 */
#include <math.h>
#include <string.h>

#include "text/decimal.h"
#include "text/words.h"
#include "encodings/rope.h"

const char *const rope_texts[] = {
	"zero", "first", "from-1", "last", "all", NULL
};

static const char *const shares[] = {
	"equal", "floor", "first", "quarter", NULL
};
enum { SHARE_EQUAL, SHARE_FLOOR, SHARE_FIRST, SHARE_QUARTER };

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

/* Read --grid; the number of frames. */
static bool read_size(struct rope *s, size_t *frames, struct error *err)
{
	double size[3] = { 1, 1, 1 };
	const size_t n = parse_extents(s->grid, size);
	const double cells = size[0] * size[1] * size[2];

	if (n < 2)
		return fail(err, "--grid: expected HxW or HxWxT, rows by "
			    "columns by frames, each at least 1, got '%.60s'",
			    s->grid);
	if (cells + (double)s->text + (double)s->cls > POSITION_MOST)
		return fail(err, "--grid %.60s has more than 2^53 tokens",
			    s->grid);
	s->lattice = lattice_of(size);
	s->lattice.merge = s->merge;
	s->lattice.before = s->text;
	*frames = s->lattice.frames;
	s->cells = (size_t)cells;
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
	const bool moved = s->at.start != 0 || s->at.step != 1;

	if (frames > 1 && !time && !s->merge)
		return fail(err, "--grid %.60s has frames, but --order %.60s "
			    "has no t", s->grid, order_of(s, frames));
	if (timed(s) && !time)
		return fail(err, "--fps needs t in --order, got '%.60s'",
			    order_of(s, frames));
	if (s->text && s->text_ids == NO_CHOICE)
		return fail(err, "--text: this convention has no text tokens "
			    "in its table; --text-ids says where they stand "
			    "(flux, flux2, lumina2, qwen-image and z-image "
			    "have them)");
	if (!lattice_merges(&s->lattice, "--grid", s->grid, err))
		return false;
	if (s->base_size && s->coords != COORDS_SCALED &&
	    s->coords != COORDS_FLOORED && s->coords != COORDS_FITTED)
		return fail(err, "--base-size needs --coords scaled, floored "
			    "or fitted");
	if (moved && s->coords != COORDS_INDEX)
		return fail(err, "--start and --step need --coords index");
	return true;
}

/* --base-size of rows and columns. */
static bool base_size(const struct rope *s, double size[2], struct error *err)
{
	double at[3] = { 16, 16 };
	size_t n = 2;

	if (s->coords == COORDS_FITTED) {
		at[0] = 30;
		at[1] = 45;
	}
	if (s->base_size)
		n = parse_extents(s->base_size, at);
	if (n < 1 || n > 2)
		return fail(err, "--base-size: expected N or HxW, got '%.60s'",
			    s->base_size);
	size[0] = at[0];
	size[1] = at[n - 1];
	return s->coords != COORDS_FLOORED ||
	       (size[0] * (double)s->lattice.height <= POSITION_MOST &&
		size[1] * (double)s->lattice.width <= POSITION_MOST) ||
	       fail(err, "--coords floored: --base-size times --grid must be "
		    "at most 2^53, got %gx%g times %.60s", size[0], size[1],
		    s->grid);
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

bool rope_grid(struct rope *s, struct table *t, struct error *err)
{
	size_t frames = 1;

	if (s->at.len || s->at.positions.at)
		return fail(err, "--grid cannot be combined with --len or "
			    "--positions");
	if (s->sections.at && (s->order || s->axes))
		return fail(err, "--sections cannot be combined with --order "
			    "or --axes");
	if (!read_size(s, &frames, err) || !read_order(s, frames, err) ||
	    !check_use(s, frames, err) || !place_axes(s, err) ||
	    !share_pairs(s, t, err) || !note_convention(s, t, err) ||
	    !note_text(s, t, err))
		return false;
	s->rows = s->text + s->cells + s->cls;
	table_cells(t, &s->lattice, "text", s->cls ? "class" : NULL);
	return true;
}
