/* resize.c: posenc resize: learned position tables made longer or shorter. */
#include <math.h>
#include <string.h>

#include "exact/simd.h"
#include "resize/resize.h"

static const struct mode modes[] = {
	{ 0, NULL, NULL, NULL },
#define MODE(name, word, applies, antialias, open, meaning)             \
	{ applies, &name##_filter, antialias, open },
#include "resize/list.h"
#undef MODE
};

static const char *const words[] = {
	"auto",
#define MODE(name, word, applies, antialias, open, meaning) word,
#include "resize/list.h"
#undef MODE
	NULL,
};

static const char *const meanings[] = {
	"bicubic for --to HxW, linear for --to N",
#define MODE(name, word, applies, antialias, open, meaning) meaning,
#include "resize/list.h"
#undef MODE
};

static const char *const unchanged_words[] = {
	"never", "count", "square", NULL,
};

static const char *const mode_phrases[MODE_geometric_cubic + 1] = {
	[MODE_tile] = "all rows again", [MODE_last] = "last row again",
	[MODE_keep] = "% rows kept",
	[MODE_hierarchical] = "hierarchical[ with A %]",
};
static const char *const unchanged_phrases[] = {
	"", "unchanged if as many cells", "unchanged if a square of as many",
};

enum { SIDE_MOST = 1 << 24 };  /* cells; a float32 counts as far */

static const struct option resize_options[] = {
	PRESET_OPTION,
	{ OPTION(struct resize, to), .required = true, .role = ROLE_EXTENT,
	  .phrase = "to %",
	  .min = 1, .max = SIDE_MOST, .arg = "HxW|N",
	  .help = "cells of the result, H rows by W columns; or rows of a "
		  "sequence, prefix and suffix included" },
	{ OPTION(struct resize, grid), .role = ROLE_EXTENT, .phrase = "from %",
	  .min = 1, .max = SIDE_MOST, .arg = "HxW",
	  .help = "cells of TABLE, row by row (default: a square)" },
	{ OPTION(struct resize, mode), .initial = "auto", .words = words,
	  .phrase = "%", .phrases = mode_phrases,
	  .meanings = meanings, .arg = "MODE",
	  .help = "how values are made" },
	{ OPTION(struct resize, antialias),
	  .help = "bilinear and bicubic: filters as wide as a new cell, as "
		  "PyTorch's antialias=True and Pillow" },
	{ OPTION(struct resize, align_corners), .phrase = "aligned corners",
	  .help = "first and last cells stay where they are, as PyTorch's "
		  "align_corners=True (default: cells have edges)" },
	{ OPTION(struct resize, offset), .initial = "0", .arg = "X",
	  .help = "step of the coordinates: n / (m + X) for n cells to m, as "
		  "scale_factor=(m + X) / n makes it; 0.1 in DINO" },
	{ OPTION(struct resize, prefix), .initial = "0", .max = 0x1p31,
	  .one = "row kept before", .many = "rows kept before",
	  .arg = "P", .help = "the first P rows of TABLE, such as that of a "
			      "class token, stay as they are" },
	{ OPTION(struct resize, suffix), .initial = "0", .max = 0x1p31,
	  .one = "row kept behind", .many = "rows kept behind",
	  .arg = "S", .help = "the last S rows stay as they are" },
	{ OPTION(struct resize, relative),
	  .help = "cells are relative positions in a window: the last 3 rows "
		  "stay if there are 3 more than cells" },
	{ OPTION(struct resize, unchanged), .initial = "never",
	  .phrases = unchanged_phrases,
	  .words = unchanged_words, .arg = "WHEN",
	  .help = "return the rows of TABLE as they are if --to has as many "
		  "cells (count), or only if it is also a square (square)" },
	{ OPTION(struct resize, square),
	  .help = "resize to a square of the longer side of --to, and leave "
		  "out rows and columns beyond --to" },
	{ OPTION_IN(offsetof(struct resize, made), struct lattice, merge),
	  .phrase = "blocks of % \xc3\x97 %", .initial = "1",
	  .min = 1, .max = 65536, .arg = "M",
	  .help = "order cells by blocks of M x M" },
	{ OPTION_IN(offsetof(struct resize, made), struct lattice, frames),
	  .one = "frame", .many = "frames", .initial = "1",
	  .min = 1, .max = 16384, .arg = "T",
	  .help = "repeat all cells T times" },
	{ OPTION(struct resize, pad), .min = 1, .max = 0x1p31,
	  .phrase = "padded to % rows", .arg = "N",
	  .help = "add copies of the first row of the result up to N rows "
		  "(default: none)" },
	{ OPTION(struct resize, keep), .unrecorded = true,
	  .help = "write the whole safetensors file that TABLE is a tensor of, "
		  "in which the result replaces it" },
	{0}
};

#define BERT4KERAS 0.4  /* A of --mode hierarchical */

enum { SUM_ROWS = 4 };          /* that are added at a time */

/* Sums of rows, each times a weight. */
struct weighted_sum {
	double *out;            /* [cols] */
	size_t cols;
	size_t taken, waiting;  /* rows in all, and not yet added */
	double weight[SUM_ROWS];     /* of those that wait */
	const void *x[SUM_ROWS];
	bool single;            /* they are float32 */
	enum simd simd;
};

/* Both loops for rows of a type: add_four_float, add_one_float. */
#define LOOPS(type)                                                     \
	SIMD_LOOP void four_loop_##type(double *restrict out,           \
					size_t cols, const double *w,   \
					const void *const *x)           \
	{                                                               \
		const type *restrict a = x[0], *restrict b = x[1];      \
		const type *restrict c = x[2], *restrict d = x[3];      \
		const double p = w[0], q = w[1], u = w[2], v = w[3];    \
									\
		for (size_t j = 0; j < cols; j++)                       \
			out[j] += (p * (double)a[j] + q * (double)b[j]) + \
				  (u * (double)c[j] + v * (double)d[j]); \
	}                                                               \
	SIMD_EACH(void, add_four_##type, (double *restrict out,         \
					  size_t cols, const double *w, \
					  const void *const *x),        \
		  four_loop_##type(out, cols, w, x))                    \
	SIMD_LOOP void one_loop_##type(double *restrict out,            \
				       size_t cols, double w,           \
				       const type *restrict x)          \
	{                                                               \
		for (size_t j = 0; j < cols; j++)                       \
			out[j] += w * (double)x[j];                     \
	}                                                               \
	SIMD_EACH(void, add_one_##type, (double *restrict out,          \
					 size_t cols, double w,         \
					 const void *x),                \
		  one_loop_##type(out, cols, w, x))

LOOPS(double)
LOOPS(float)

/* Take the row x [cols], doubles or floats, which must last to the end. */
static void weighted_add(struct weighted_sum *s, double weight, const void *x)
{
	s->weight[s->waiting] = weight;
	s->x[s->waiting++] = x;
	if (s->taken++ == 1)
		memset(s->out, 0, s->cols * sizeof *s->out);
	if (s->waiting < SUM_ROWS)
		return;
	(s->single ? add_four_float : add_four_double)[s->simd](
		s->out, s->cols, s->weight, s->x);
	s->waiting = 0;
}

/*
 * The sum divided by that of the weights: out, or a row that was alone. There
 * is one at least.
 */
static const double *weighted_end(const struct weighted_sum *s, double weights)
{
	if (s->taken == 1 && !s->single)
		return s->x[0];
	if (s->taken == 1) {
		dtype_load(F32, s->x[0], s->cols, s->out);
		return s->out;
	}
	for (size_t k = 0; k < s->waiting; k++)
		(s->single ? add_one_float : add_one_double)[s->simd](
			s->out, s->cols, s->weight[k], s->x[k]);
	for (size_t j = 0; weights != 1 && j < s->cols; j++)
		s->out[j] /= weights;
	return s->out;
}

/* Row i of x as it lies in memory. */
static const void *source(const struct table *x, const float *floats, size_t i)
{
	return floats ? (const void *)(floats + i * x->cols)
		      : x->row(x, i, NULL);
}

/* Cell i of the result. NaN in a cell without weight does not count. */
static const double *cell_row(const struct resize *s, size_t i, double *out)
{
	const struct table *x = s->table;
	const float *floats = table_floats(x);
	struct weighted_sum sum = { .out = out, .cols = x->cols,
				    .single = floats, .simd = simd_best() };
	const struct grid_cell at = lattice_cell(&s->made, i);
	const struct span down = s->down->span(&s->rows, at.row);
	const struct span across = s->across->span(&s->columns, at.column);

	for (size_t j = 0; j < down.n; j++) {
		const double w = s->down->weight(&s->rows, &down, j);
		const size_t first = s->prefix + across.first +
				     (down.first + j) * s->columns.in;

		for (size_t k = 0; w != 0 && k < across.n; k++) {
			const double v = s->across->weight(&s->columns,
							   &across, k);

			if (v != 0)
				weighted_add(&sum, w * v,
						 source(x, floats, first + k));
		}
	}
	return weighted_end(&sum, down.sum * across.sum);
}

static const double *resize_row(const struct table *t, size_t i,
				double *scratch)
{
	const struct resize *s = t->state;
	const struct table *x = s->table;
	const size_t end = s->prefix + lattice_cells(&s->made);

	if (i >= end + s->suffix)
		i = 0;
	if (i < s->prefix)
		return x->row(x, i, scratch);
	if (i >= end)
		return x->row(x, x->planes * x->rows - s->suffix + i - end,
			      scratch);
	return cell_row(s, i - s->prefix, scratch);
}

static bool check_mode(const struct resize *s, const struct mode *m,
		       struct error *err)
{
	const char *word = words[s->mode.word];

	if (!(m->applies & (s->sequence ? ON_SEQUENCES : ON_GRIDS)))
		return fail(err, "--mode %s applies to %s, got --to %.60s",
			    word, s->sequence ? "grids (--grid HxW --to HxW)"
					      : "sequences (--to N)",
			    s->to.text);
	if (s->antialias && !m->antialias)
		return fail(err, "--antialias applies to --mode bilinear and "
			    "bicubic, not to %s", word);
	if (s->align_corners && !(m->applies & WITH_CORNERS))
		return fail(err, "--align-corners applies to --mode bilinear, "
			    "bicubic, linear and cubic, not to %s", word);
	if (!(s->offset >= 0 && s->offset < 1))
		return fail(err, "--offset must be at least 0 and less than 1, "
			    "got %g", s->offset);
	if (s->offset > 0 && !(m->applies & WITH_OFFSET))
		return fail(err, "--offset applies to --mode nearest, "
			    "bilinear, bicubic, linear and cubic, not to %s",
			    word);
	return true;
}

/* Whether --unchanged says so of these sizes. */
static bool stays(const struct resize *s)
{
	const struct lattice *to = &s->made;

	return s->unchanged != UNCHANGED_NEVER &&
	       s->rows.in * s->columns.in == to->height * to->width &&
	       (s->unchanged == UNCHANGED_COUNT || to->height == to->width);
}

/* Complete what is known of both axes. */
static void set_scales(struct resize *s)
{
	const size_t h = s->made.height, w = s->made.width;
	struct scale *axes[] = { &s->rows, &s->columns };

	s->rows.out = s->square && w > h ? w : h;
	s->columns.out = s->square && h > w ? h : w;
	if (stays(s)) {
		s->rows.in = s->rows.out = h;
		s->columns.in = s->columns.out = w;
		s->offset = 0;
	}
	for (size_t i = 0; i < 2; i++) {
		axes[i]->corners = s->align_corners;
		axes[i]->offset = s->offset;
		axes[i]->number = s->mode.n ? s->mode.at[0] : BERT4KERAS;
	}
}

/* Choose and prepare what makes rows and columns. */
static bool set_filters(struct resize *s, struct table *t, struct error *err)
{
	const struct mode *m = &modes[s->mode.word];
	const bool same = s->rows.in == s->rows.out &&
			  s->columns.in == s->columns.out;

	s->down = s->antialias ? m->antialias : m->filter;
	s->across = s->sequence ? &copy_filter : s->down;
	if (m->open && (!m->open(&s->rows, t, err) ||
			!(s->sequence || m->open(&s->columns, t, err))))
		return false;
	if (same && !(s->offset > 0))
		s->down = s->across = &copy_filter;
	return true;
}

/*
 * Bounds from the greatest value before: no mode makes it 32 times as large
 * (geometric-cubic 18.8 times), but for the shares of hierarchical. Says how
 * many values are not finite.
 */
static bool set_bounds(const struct resize *s, bool copies, struct table *t,
		       struct error *err)
{
	const struct table *x = s->table;
	const double share = s->mode.word == MODE_hierarchical
				     ? s->rows.number : 0;
	struct survey is = { x->lo, x->hi, 0 };
	double most;

	if (!x->finite)
		is = table_survey(x);
	most = is.lo <= is.hi ? fmax(fabs(is.lo), fabs(is.hi)) : 0;
	t->bounds = BOUNDS_LOOSE;
	t->hi = copies ? most : most * 32 * (1 + share) / (1 - share);
	t->lo = -t->hi;
	if (!isfinite(t->hi))
		return fail(err, "TABLE has values of up to %g, too large to "
			    "resize in float64", most);
	if (!is.odd)
		return true;
	return table_note(t, err, "%zu value%s of TABLE %s NaN or infinite; so "
			  "are values made from %s", is.odd,
			  is.odd > 1 ? "s" : "", is.odd > 1 ? "are" : "is",
			  is.odd > 1 ? "them" : "it");
}

/* What figures show beside the result: TABLE with its grid. */
static bool set_before(const struct resize *s, struct table *t,
		       struct error *err)
{
	struct table *before = table_alloc(t, 1, sizeof *before, err);

	if (!before)
		return false;
	*before = *s->table;
	before->grid = (struct lattice){
		.height = s->rows.in, .width = s->columns.in, .frames = 1,
		.before = s->prefix,
	};
	t->before = before;
	return true;
}

/* The shape and axes, of one plane whatever those of TABLE. */
static bool set_table(const struct resize *s, struct table *t,
		      struct error *err)
{
	const size_t rows = s->prefix + lattice_cells(&s->made) + s->suffix;

	if (s->pad && s->pad < rows)
		return fail(err, "--pad must be at least %zu, the rows of the "
			    "result, got %zu", rows, s->pad);
	table_like(t, s->table);
	t->title = "Resized table";
	t->planes = 1;
	t->plane_axis = (struct axis){0};
	t->rows = s->pad ? s->pad : rows;
	t->row_axis = axis_of(AXIS_POSITION);
	if (!s->sequence)
		table_cells(t, &s->made, "prefix", s->suffix ? "suffix"
			    : s->pad ? "padding" : NULL);
	t->row = resize_row;
	t->state = s;
	return true;
}

bool resize_prepare(struct resize *s, struct table *t, struct error *err)
{
	s->made.before = s->prefix;
	set_scales(s);
	return set_filters(s, t, err) && set_table(s, t, err);
}

/* Let t replace the tensor that TABLE was read from. */
static bool set_kept(const struct resize *s, struct table *t,
		     struct error *err)
{
	const struct stored_tensor *of = s->table->from.tensor;
	const char *format = of ? of->format : "a file of one table";

	if (of && strcmp(format, "index.json") == 0)
		return fail(err, "--keep keeps the tensors of one file; got "
			    "the index of several: name the one that has "
			    "%.100s", of->name);
	if (!of || strcmp(format, "safetensors") != 0)
		return fail(err, "--keep keeps the tensors of a safetensors "
			    "file, FILE:NAME; got %s", format);
	if (!of->path)
		return fail(err, "--keep reads its file twice, as a pipe "
			    "cannot be read");
	if (s->made.merge > 1)
		return fail(err, "--keep and --merge exclude each other");
	t->kept = of;
	return true;
}

static bool resize_make(void *self, const struct table *inputs,
			struct table *t, struct error *err)
{
	struct resize *s = self;
	bool copies;

	s->table = inputs;
	if (!resize_shape(s, t, err) || (s->keep && !set_kept(s, t, err)))
		return false;
	if (s->mode.word == MODE_auto)
		s->mode.word = s->sequence ? MODE_linear : MODE_bicubic;
	if (!check_mode(s, &modes[s->mode.word], err) ||
	    (!s->sequence && !set_before(s, t, err)) ||
	    !resize_prepare(s, t, err))
		return false;
	copies = s->down->weight == copy_weight;
	if (dtype_integer(t->dtype) && !copies)
		t->dtype = F32;
	if (!copies && !resize_note_computed(s, t, err))
		return false;
	return set_bounds(s, copies, t, err);
}

const struct recipe resize_recipe = {
	.name = "resize",
	.summary = "learned position tables made longer or shorter",
	.about =
"Resizes a table of learned positions, as projects do where the size of\n"
"images or the length of texts changes. --to HxW resizes a grid of cells, one\n"
"row of the table each, and --to N a sequence of rows. Rows before and after\n"
"the cells, such as that of a class token, stay as they are (--prefix,\n"
"--suffix). A preset resizes as a project does.\n",
	.details =
"  table = A TABLE B^T    A for the rows of cells, B for their columns\n"
"\n"
"Cell i of m is made from n cells around x. With s = n / (m + offset),\n"
"\n"
"  x = s (i + 1/2) - 1/2\n"
"  x = i (n - 1) / (m - 1)    --align-corners\n"
"\n"
"  nearest   floor(i n / m), in float32\n"
"  bilinear  1 - t and t of cells k and k + 1, where x = k + t\n"
"  bicubic   w(t + 1), w(t), w(1 - t), w(2 - t) of cells k - 1 to k + 2;\n"
"            cells outside have the values of the first or last\n"
"  area      mean of cells floor(i n / m) to ceil((i + 1) n / m) - 1\n"
"\n"
"  w(u) = (A + 2) |u|^3 - (A + 3) |u|^2 + 1             |u| <= 1\n"
"       = A |u|^3 - 5 A |u|^2 + 8 A |u| - 4 A       1 < |u| < 2\n"
"\n"
"A is -0.75. With --antialias A is -0.5, the filter is max(s, 1) times as\n"
"wide, cells outside are left out, and weights are divided by their sum: the\n"
"result differs also where the grid grows. Values of bicubic can be outside\n"
"the range of TABLE. The same size makes the same values, except with\n"
"--offset.\n"
"\n"
"In sequences, keep:K has row K + j at K + j (N - K) / (M - K), and goes on\n"
"along the last difference; hierarchical:A makes row i = A e[i div N] +\n"
"(1 - A) e[i mod N] with e = (T - A T[0]) / (1 - A). Geometric modes place\n"
"cells at 0, 1, 1 + q, 1 + q + q^2 and so on, on both sides, with q such that\n"
"the last is that of the new window.\n"
"\n"
"Values are computed in double precision and rounded once, to the dtype of\n"
"TABLE unless --dtype names another; of integers, to float32. The result has\n"
"two dimensions. A cell without weight does not count, even if it is NaN.\n",
	.paper = "PyTorch, torch.nn.functional.interpolate; Keys 1981, Cubic "
		 "convolution interpolation; presets name their projects",
	.example = "posenc resize pe.npy --to 32",
	.options = resize_options,
	.presets = resize_presets,
	.size = sizeof(struct resize),
	.inputs = 1,
	.compact = true,
	.make = resize_make,
};
