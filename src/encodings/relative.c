/* relative.c: distances between positions, clipped, Shaw et al. 2018. */
#include <math.h>

#include "exact/limbs.h"
#include "exact/logarithm.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"
#include "waves/convention.h"

enum kind { SHAW, DEBERTA, SWIN, XL, XLNET };
enum out {
	OUT_LABELS, OUT_DISTANCES, OUT_VECTORS, OUT_LOGCOORDS, OUT_SINUSOIDS,
};
enum sign { KEY_QUERY, QUERY_KEY };
enum align { ALIGN_START, ALIGN_END };

/* Rows and columns of a window. */
struct window {
	size_t height, width;
};

/* What a kind makes of the distance x = j - i, of any plane. */
typedef double number_at(const void *self, size_t plane, long x);

struct relative {
	struct lengths lengths;
	struct range distances;
	int kind;
	struct integer clip;
	int out;
	const struct table *table;
	int sign, align;
	size_t buckets, max_position;  /* deberta */
	struct extents window, pretrained;  /* swin */
	bool cls;
	size_t dim;  /* xl, xlnet */
	bool causal;

	number_at *label;        /* for --out vectors */
	double *last;            /* [steps], the last distance of each bucket */
	size_t steps;            /*   of a logarithm */
	struct window size, trained;
	struct wave wave;
};

static const char *const kinds[] = {
	"shaw", "deberta", "swin", "xl", "xlnet", NULL
};
static const char *const outs[] = {
	"labels", "distances", "vectors", "logcoords", "sinusoids", NULL
};
static const char *const out_needs[] = {
	"kind=shaw|deberta|swin", "kind!=swin", "table kind=xl|xlnet",
	"kind=swin", "kind=xl|xlnet",
};
static const char *const signs[] = { "key-query", "query-key", NULL };
static const char *const aligns[] = { "start", "end", NULL };
static const char *const sign_phrases[] = {
	"key \xe2\x88\x92 query", "query \xe2\x88\x92 key",
};
static const char *const align_phrases[] = {
	"queries at the first keys", "queries at the last keys",
};

enum { SIDE_MOST = 4096 };  /* cells of a window */

static const struct option relative_options[] = {
	LENGTHS_OPTIONS,
	CONFIG_OPTION,
	{ OPTION(struct relative, kind), .phrase = "",
	  .words = kinds,
	  .implied = "window: swin; buckets: deberta; shaw", .arg = "NAME",
	  .help = "model whose convention to use (default: swin with --window, "
		  "deberta with --buckets, else shaw)" },
	{ OPTION(struct relative, distances), .needs = "kind=shaw|deberta",
	  .excludes = "len query-len key-len sign align", .arg = "A:B",
	  .help = "shaw, deberta: make one row, of the distances A to B (key - "
		  "query), both included" },
	{ OPTION(struct relative, clip), .min = 0, .max = 0x1p52,
	  .phrase = "clipped at %",
	  .needs = "kind!=swin", .arg = "K",
	  .help = "clip distances to -K..K, or for deberta to -K..K-1 "
		  "(default: from --table or --buckets, else none)" },
	{ OPTION(struct relative, out), .phrase = "",
	  .words = outs, .word_needs = out_needs,
	  .implied = "table: vectors; kind=swin: labels; clip, "
		     "kind=shaw|deberta: labels; distances", .arg = "WHAT",
	  .help = "values to make: label numbers, distances, the vector of "
		  "each label in --table (of each distance for xl, xlnet), "
		  "swin's log-spaced coordinates, or the sinusoids of xl, "
		  "xlnet (default: vectors with --table, labels with --clip "
		  "and for swin, else distances)" },
	{ OPTION(struct relative, table),
	  .needs = "kind=shaw|deberta|swin, out=vectors", .arg = "FILE",
	  .help = "file of one vector per label, [labels, dim]" },
	{ OPTION(struct relative, sign), .words = signs,
	  .phrases = sign_phrases,
	  .implied = "kind=shaw: key-query; query-key", .arg = "NAME",
	  .help = "sign of distances: key - query or query - key (default: "
		  "key-query for shaw, else query-key)" },
	{ OPTION(struct relative, align), .words = aligns,
	  .phrases = align_phrases,
	  .needs = "kind!=swin", .implied = "kind=deberta: start; end",
	  .arg = "NAME",
	  .help = "position of the queries if there are fewer than keys: at "
		  "the first or the last keys (default: start for deberta, "
		  "else end)" },
	{ OPTION(struct relative, buckets), .min = 2, .max = 65536,
	  .one = "bucket", .many = "buckets",
	  .needs = "kind=deberta, max-position", .arg = "B",
	  .help = "deberta: number of buckets, logarithmic beyond distance B/2 "
		  "(default: none)" },
	{ OPTION(struct relative, max_position), .min = 2, .max = 0x1p52,
	  .phrase = "maximum position %",
	  .needs = "kind=deberta, buckets", .arg = "M",
	  .help = "deberta: scale of --buckets: distance M - 1 is in bucket "
		  "B - 1" },
	{ OPTION(struct relative, window), .required = true,
	  .needs = "kind=swin", .excludes = "len query-len key-len",
	  .min = 1, .max = SIDE_MOST, .arg = "HxW",
	  .help = "swin: size of the window whose cells are the queries and "
		  "the keys" },
	{ OPTION(struct relative, pretrained), .phrase = "pretrained with %",
	  .needs = "kind=swin, out=logcoords",
	  .min = 1, .max = SIDE_MOST, .arg = "HxW",
	  .help = "swin: size of the window of pretraining, which scales --out "
		  "logcoords (default: --window)" },
	{ OPTION(struct relative, cls), .phrase = "class token",
	  .needs = "kind=swin, out!=logcoords",
	  .help = "swin: add a class token before the cells, with 3 more "
		  "labels" },
	{ OPTION(struct relative, dim), .role = ROLE_COLUMNS,
	  .min = 2, .max = 1048576, .required = true,
	  .needs = "kind=xl|xlnet, out=vectors|sinusoids", .arg = "D",
	  .one = "dimension", .many = "dimensions",
	  .help = "xl, xlnet: number of columns of sinusoids and vectors" },
	{ OPTION(struct relative, causal), .needs = "kind=xlnet, out=sinusoids",
	  .help = "xlnet: make only the sinusoids of keys up to the query" },
	{0}
};

/*
 * clip(x, k) = max(-k, min(k, x)), Shaw's section 3.2, of the distance x =
 * j - i, or of i - j where --sign says so.
 */
static double clipped(const void *self, size_t plane, long x)
{
	const struct relative *s = self;
	const long k = s->clip.value;

	(void)plane;
	if (s->sign == QUERY_KEY)
		x = -x;
	if (s->clip.given)
		x = x < -k ? -k : x > k ? k : x;
	return (double)x;
}

/* Make t one row: a query and keys at --distances from it. */
static bool make_range(struct relative *s, struct table *t, struct error *err)
{
	if (!distances_shape(&s->distances, t, err))
		return false;
	s->sign = KEY_QUERY;
	t->row_axis = axis_of(AXIS_QUERY);
	return true;
}

/* The vector of query i / keys, key i % keys, where it lies in the table. */
static const double *vector_row(const struct table *t, size_t i,
				double *scratch)
{
	const struct relative *s = t->state;
	const long x = (long)(i % t->rows) - (long)(i / t->rows) - t->past;

	return s->table->row(s->table, (size_t)s->label(s, 0, x), scratch);
}

/* Check that --table has one row per label. */
static bool check_rows(const struct relative *s, size_t labels,
		       struct error *err)
{
	char shape[SHAPE_TEXT];

	if (s->table->planes == 1 && s->table->rows == labels)
		return true;
	return fail(err, "--table: expected shape [%zu, dim], one row per "
		    "label, got %s", labels, shape_of(s->table, shape));
}

/* Change the shape of t from [rows, cols] to [rows, cols, dim of --table]. */
static void set_vectors(const struct relative *s, struct table *t)
{
	t->plane_axis = t->row_axis;
	t->row_axis = t->col_axis;
	t->col_axis = axis_of(AXIS_DIMENSION);
	t->planes = t->rows;
	t->rows = t->cols;
	t->cols = s->table->cols;
	t->dtype = F32;
	t->bounds = s->table->bounds;
	t->lo = s->table->lo;
	t->hi = s->table->hi;
	t->state = s;
}

/*
 * Make t of s->out: distances, labels 0 to labels - 1, or a vector for each
 * label. distance rises or falls throughout. label may be NULL where s->out
 * needs none.
 */
static bool make_matrix(struct relative *s, struct table *t,
			number_at *distance, number_at *label, size_t labels,
			struct error *err)
{
	const double a = distance(s, 0, -(long)(t->rows - 1) - t->past);
	const double b = distance(s, 0, (long)(t->cols - 1) - t->past);

	if (s->table) {
		s->label = label;
		t->row = vector_row;
		set_vectors(s, t);
		return check_rows(s, labels, err);
	}
	t->dtype = I32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = a < b ? a : b;
	t->hi = a < b ? b : a;
	if (s->out == OUT_LABELS) {
		t->halves = HALVES_MIRRORED;
		t->lo = 0;
		t->hi = (double)(labels - 1);
	}
	return table_by_distance(t, s->out == OUT_LABELS ? label : distance, s,
				 err);
}

/* clip(x, k) + k, the index of a_ij in w = (w_-k, ..., w_k). */
static double shaw_label(const void *self, size_t plane, long x)
{
	const struct relative *s = self;

	return clipped(s, plane, x) + (double)s->clip.value;
}

static bool shaw_make(struct relative *s, struct table *t, struct error *err)
{
	if (s->table && !s->clip.given && s->table->rows % 2)
		s->clip = integer_of(s->table->rows / 2);
	if (s->out != OUT_DISTANCES && !s->clip.given)
		return fail(err, s->table ? "--table: expected 2K + 1 rows for "
			    "--clip K, got %zu" : "--out labels needs --clip K",
			    s->table ? s->table->rows : 0);
	return make_matrix(s, t, clipped, shaw_label,
			   2 * (size_t)s->clip.value + 1, err);
}

/*
 * deberta: distances in logarithmic buckets, He et al. 2021, arXiv:2006.03654,
 * and the code of its second version.
 */

enum { STEPS_MOST = 1 << 16 };

/*
 * The bucket of a distance n > 0: n up to m = B / 2, then m + c with the least
 * c that has (n / m)^(m - 1) <= ((M - 1) / m)^c.
 */
static long bucket(const struct relative *s, long n)
{
	const long m = (long)(s->buckets / 2);
	size_t low = 0, high = s->steps;

	if (!s->buckets || n <= m)
		return n;
	while (low < high) {
		const size_t mid = (low + high) / 2;

		if (s->last[mid] < (double)n)
			low = mid + 1;
		else
			high = mid;
	}
	return m + (long)low;
}

static double deberta_distance(const void *self, size_t plane, long x)
{
	const struct relative *s = self;
	const long k = s->clip.value;

	(void)plane;
	if (s->sign == QUERY_KEY)
		x = -x;
	x = x < 0 ? -bucket(s, -x) : bucket(s, x);
	if (s->clip.given)
		x = x < -k ? -k : x > k - 1 ? k - 1 : x;
	return (double)x;
}

/* delta(i, j), section 3.1: from 0 to 2 k - 1. */
static double deberta_label(const void *self, size_t plane, long x)
{
	const struct relative *s = self;

	return deberta_distance(s, plane, x) + (double)s->clip.value;
}

/* The largest distance up to most in step c, or -1 without memory. */
static double last_of_step(const struct relative *s, size_t c, size_t most)
{
	const size_t m = s->buckets / 2;
	size_t low = m, high = most;  /* low is in step c or before it */

	while (low < high) {
		const size_t mid = high - (high - low) / 2;
		const int reaches = power_reaches(s->max_position - 1, mid,
						  m, c, m - 1);

		if (reaches < 0)
			return -1;
		if (reaches)
			low = mid;
		else
			high = mid - 1;
	}
	return (double)low;
}

/* The last distance of each step of the logarithm, up to distance most. */
static bool find_steps(struct relative *s, size_t most, struct table *t,
		       struct error *err)
{
	const size_t m = s->buckets / 2;

	s->last = table_alloc(t, STEPS_MOST, sizeof *s->last, err);
	if (!s->last)
		return false;
	/* If m = 1, the weight m - 1 of the logarithm is 0: one step. */
	s->last[0] = m > 1 ? (double)m : (double)most;
	for (s->steps = 1; s->last[s->steps - 1] < (double)most; s->steps++) {
		double *last = &s->last[s->steps];

		if (s->steps == STEPS_MOST)
			return fail(err, "--max-position %zu is too close to "
				    "half of --buckets: it makes more than %d "
				    "buckets",
				    s->max_position, STEPS_MOST);
		*last = last_of_step(s, s->steps, most);
		if (*last < 0)
			return fail_memory(err);
	}
	return true;
}

static bool check_deberta(struct relative *s, struct error *err)
{
	if (s->buckets && s->max_position < s->buckets / 2 + 2)
		return fail(err, "--max-position must be at least %zu for "
			    "--buckets %zu, got %zu", s->buckets / 2 + 2,
			    s->buckets, s->max_position);
	if (s->clip.given && s->clip.value == 0)
		return fail(err, "--clip must be at least 1 with --kind "
			    "deberta, got 0");
	if (s->clip.given || s->out == OUT_DISTANCES)
		return true;
	if (s->buckets)
		s->clip = integer_of(s->buckets);
	else if (s->table && s->table->rows % 2 == 0)
		s->clip = integer_of(s->table->rows / 2);
	else
		return fail(err, s->table ? "--table: expected 2K rows for "
			    "--clip K, got %zu" : "--out labels needs --clip K "
			    "or --buckets B",
			    s->table ? s->table->rows : 0);
	return true;
}

static bool deberta_make(struct relative *s, struct table *t,
			 struct error *err)
{
	const long before = (long)(t->rows - 1) + t->past;
	const long after = (long)(t->cols - 1) - t->past;
	const long most = before > after ? before : after;

	t->title = "DeBERTa's relative positions";
	if (!check_deberta(s, err))
		return false;
	if (s->buckets && !find_steps(s, (size_t)(most > 0 ? most : 0), t, err))
		return false;
	return make_matrix(s, t, deberta_distance, deberta_label,
			   2 * (size_t)s->clip.value, err);
}

/*
 * swin: offsets of cells in a window, Liu et al. 2021, arXiv:2103.14030,
 * section 3.2, and log-spaced, Liu et al. 2022, arXiv:2111.09883, section 3.3.
 */

/* Number of offsets between two cells of a window. */
static size_t offsets(const struct window *w)
{
	return (2 * w->height - 1) * (2 * w->width - 1);
}

/* Number of labels: the offsets, and with --cls three more. */
static size_t labels(const struct relative *s)
{
	return offsets(&s->size) + (s->cls ? 3 : 0);
}

/* (dy + H - 1) (2 W - 1) + dx + W - 1, (dy, dx) from cell b to cell a. */
static size_t offset(const struct window *w, size_t a, size_t b)
{
	const size_t dy = a / w->width + w->height - 1 - b / w->width;
	const size_t dx = a % w->width + w->width - 1 - b % w->width;

	return dy * (2 * w->width - 1) + dx;
}

/* The label of a query and a key: cells, numbered row by row. */
static size_t swin_label(const struct relative *s, size_t query, size_t key)
{
	const size_t n = offsets(&s->size), cls = s->cls;

	if (cls && !query)
		return key ? n : n + 2;
	if (cls && !key)
		return n + 1;
	if (s->sign == KEY_QUERY)
		return offset(&s->size, key - cls, query - cls);
	return offset(&s->size, query - cls, key - cls);
}

static const double *label_row(const struct table *t, size_t i, double *scratch)
{
	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = (double)swin_label(t->state, i, j);
	return scratch;
}

static const double *window_vector_row(const struct table *t, size_t i,
				       double *scratch)
{
	const struct relative *s = t->state;

	return s->table->row(s->table,
			     swin_label(s, i / t->rows, i % t->rows),
			     scratch);
}

/* sign(c) log2(1 + |c|) / log2(8), c = 8 d / (side - 1). */
static double logcoord(double d, size_t side)
{
	const double most = (double)(side - 1);
	const double x = log_ratio(most + 8 * fabs(d), most) / log_ratio(8, 1);

	return d < 0 ? -x : x;
}

/* Row i: the offset (i / rows, i % rows), counted from the smallest. */
static const double *logcoord_row(const struct table *t, size_t i,
				  double *scratch)
{
	const struct relative *s = t->state;
	const size_t y = i / t->rows, x = i % t->rows;
	const double zero_y = (double)(s->size.height - 1);
	const double zero_x = (double)(s->size.width - 1);

	scratch[0] = logcoord((double)y - zero_y, s->trained.height);
	scratch[1] = logcoord((double)x - zero_x, s->trained.width);
	return scratch;
}

static bool make_logcoords(const struct relative *s, struct table *t,
			   struct error *err)
{
	const struct window *w = &s->trained;

	if (w->height < 2 || w->width < 2)
		return fail(err, "--%s must be at least 2x2 for --out "
			    "logcoords, got %zux%zu", s->pretrained.n
			    ? "pretrained" : "window", w->height, w->width);
	t->title = "Swin's log-spaced coordinates";
	t->value = "coordinate";
	t->planes = 2 * s->size.height - 1;
	t->rows = 2 * s->size.width - 1;
	t->cols = 2;
	t->dtype = F32;
	t->hi = fmax(logcoord((double)s->size.height - 1, w->height),
		     logcoord((double)s->size.width - 1, w->width));
	t->lo = -t->hi;
	t->bounds = BOUNDS_TIGHT;
	t->plane_axis = (struct axis){ .name = "dy", .step = 1,
				 .first = 1 - (double)s->size.height };
	t->row_axis = (struct axis){ .name = "dx", .step = 1,
				 .first = 1 - (double)s->size.width };
	t->col_axis = (struct axis){ .name = "coordinate", .step = 1 };
	t->row = logcoord_row;
	return true;
}

static bool swin_make(struct relative *s, struct table *t, struct error *err)
{
	s->size = (struct window){ s->window.at[0], s->window.at[1] };
	s->trained = s->pretrained.n
		? (struct window){ s->pretrained.at[0], s->pretrained.at[1] }
		: s->size;
	t->state = s;
	if (s->out == OUT_LOGCOORDS)
		return make_logcoords(s, t, err);
	t->title = "Swin's relative positions";
	t->rows = t->cols = s->size.height * s->size.width + s->cls;
	t->row_axis = axis_of(AXIS_QUERY);
	t->col_axis = axis_of(AXIS_KEY);
	t->dtype = I32;
	t->bounds = BOUNDS_TIGHT;
	t->hi = (double)(labels(s) - 1);
	t->row = label_row;
	if (s->out == OUT_LABELS)
		return true;
	set_vectors(s, t);
	t->row = window_vector_row;
	return check_rows(s, labels(s), err);
}

/*
 * xl and xlnet: sinusoids of distances, Dai et al. 2019, arXiv:1901.02860,
 * section 3.3, and Yang et al. 2019, arXiv:1906.08237.
 */

/* R of query i / rows, key i % rows. */
static const double *xl_vector_row(const struct table *t, size_t i,
				   double *scratch)
{
	const struct relative *s = t->state;
	const long x = (long)(i % t->rows) - (long)(i / t->rows) - t->past;

	wave_row(&s->wave, t->dtype, clipped(s, 0, x), scratch);
	return scratch;
}

/* Row i of R: the distance of the first row, less i. */
static const double *xl_sinusoid_row(const struct table *t, size_t i,
				     double *scratch)
{
	const struct relative *s = t->state;
	const long d = (long)t->row_axis.first - (long)i;

	wave_row(&s->wave, t->dtype,
		 clipped(s, 0, s->sign == QUERY_KEY ? -d : d), scratch);
	return scratch;
}

static bool xl_wave(struct relative *s, struct table *t, struct error *err)
{
	const struct convention c = {
		.dim = s->dim, .base = 10000, .layout = SPLIT, .angle_scale = 1
	};

	if (s->dim % 2)
		return fail(err, "--dim must be even, got %zu", s->dim);
	t->cols = s->dim;
	t->dtype = F32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = -1;
	t->hi = 1;
	t->state = s;
	if (!convention_wave(&c, &s->wave, t, err))
		return false;
	t->col_axis = wave_columns(&s->wave);
	return true;
}

/* The table R of distances first, first - 1, ..., last, or the pairs'. */
static bool xl_any(struct relative *s, struct table *t, size_t first, long last,
		   struct error *err)
{
	t->title = "Relative sinusoids";
	if (s->out == OUT_DISTANCES)
		return make_matrix(s, t, clipped, NULL, 0, err);
	if (s->out == OUT_VECTORS) {
		t->plane_axis = t->row_axis;
		t->row_axis = t->col_axis;
		t->planes = t->rows;
		t->rows = t->cols;
		t->row = xl_vector_row;
		return xl_wave(s, t, err);
	}
	t->rows = (size_t)((long)first - last) + 1;
	t->row_axis = axis_from(AXIS_DISTANCE, (double)first, -1);
	t->row = xl_sinusoid_row;
	return xl_wave(s, t, err);
}

static bool xl_make(struct relative *s, struct table *t, struct error *err)
{
	return xl_any(s, t, t->cols - 1, 0, err);
}

static bool xlnet_make(struct relative *s, struct table *t, struct error *err)
{
	return xl_any(s, t, t->cols, s->causal ? 0 : 1 - (long)t->rows, err);
}

static bool relative_make(void *self, const struct table *inputs,
			  struct table *t, struct error *err)
{
	static bool (*const make[])(struct relative *s, struct table *t,
				    struct error *err) = {
		[SHAW] = shaw_make, [DEBERTA] = deberta_make,
		[SWIN] = swin_make, [XL] = xl_make, [XLNET] = xlnet_make,
	};
	struct relative *s = self;

	(void)inputs;
	t->title = "Relative positions";
	t->value = s->out == OUT_LABELS ? "label" :
		   s->out == OUT_DISTANCES ? "distance" : NULL;
	if (s->distances.given) {
		if (!make_range(s, t, err))
			return false;
	} else if (s->kind != SWIN) {
		if (!lengths_shape(&s->lengths, t, err))
			return false;
		if (s->align == ALIGN_START)
			t->past = 0;
	}
	return make[s->kind](s, t, err);
}

const struct recipe relative_recipe = {
	.name = "relative",
	.summary = "relative positions of queries and keys: distances, labels",
	.about =
"Makes the table [queries, keys] of distances, or of the labels that a model\n"
"gives to distances. A label selects a row of the model's learned table;\n"
"--table gathers these rows, [queries, keys, dim].\n",
	.details =
"  shaw     distance[i, j] = j - i\n"
"           label = max(-K, min(K, j - i)) + K    from 0 to 2K\n"
"           vector[i, j] = row label[i, j] of --table\n"
"  deberta  distance r = i - j; label = max(-K, min(K - 1, r)) + K\n"
"           with --buckets, m = B / 2: r if |r| <= m, else\n"
"           sign(r) (m + ceil(log(|r| / m) / log((M - 1) / m) (m - 1)))\n"
"  swin     label = (dy + H - 1) (2W - 1) + dx + W - 1, dy and dx from the\n"
"           key's cell to the query's; with --cls and N = (2H - 1) (2W - 1),\n"
"           N: class to cell, N + 1: cell to class, N + 2: class to class\n"
"           logcoords = sign(c) log2(1 + |c|) / 3, c = 8 dy / (H - 1), and\n"
"           the same for dx and W\n"
"  xl       distance = i - j, -K to K; vector = sinusoid(distance), sines\n"
"           then cosines; sinusoids: rows of distances keys - 1 down to 0\n"
"  xlnet    as xl; sinusoids: rows of distances keys down to 1 - queries (to\n"
"           0 with --causal)\n"
"\n"
"i is the position of the query, j that of the key. The last query is at the\n"
"position of the last key, as in decoding with a cache. With --align start,\n"
"as in DeBERTa, the first query is at the first key. Buckets are computed in\n"
"exact integers. The first row of --len 5 --clip 2 is 2 3 4 4 4.\n",
	.paper = "Shaw et al. 2018, arXiv:1803.02155, section 3.2",
	.example = "posenc relative --len 5 --clip 2",
	.options = relative_options,
	.starts = (const struct start[]){
		{ "len", "32", "query-len key-len distances window" }, {0}
	},
	.size = sizeof(struct relative),
	.make = relative_make,
};
