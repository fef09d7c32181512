/* relative.c: distances between positions, clipped, Shaw et al. 2018. */
#include "waves/convention.h"
#include "encodings/relative.h"

enum kind { SHAW, DEBERTA, SWIN, XL, XLNET, KINDS };

static const char *const kinds[] = {
	"shaw", "deberta", "swin", "xl", "xlnet", NULL
};
static const char *const outs[] = {
	"labels", "distances", "vectors", "logcoords", "sinusoids", NULL
};
static const char *const signs[] = { "key-query", "query-key", NULL };
static const char *const aligns[] = { "start", "end", NULL };

static const struct option relative_options[] = {
	PAIRS_OPTIONS,
	CONFIG_OPTION,
	{ OPTION(struct relative, kind), .words = kinds, .arg = "NAME",
	  .help = "model whose convention to use (default: swin with --window, "
		  "deberta with --buckets, else shaw)" },
	{ OPTION(struct relative, distances), .arg = "A:B",
	  .help = "shaw, deberta: make one row, of the distances A to B (key - "
		  "query), both included" },
	{ OPTION(struct relative, clip), .min = 0, .max = 0x1p52,
	  .arg = "K", .help = "clip distances to -K..K, or for deberta to "
			      "-K..K-1 (default: from --table or --buckets, "
			      "else none)" },
	{ OPTION(struct relative, out), .words = outs, .arg = "WHAT",
	  .help = "values to make: label numbers, distances, the vector of "
		  "each label in --table (of each distance for xl, xlnet), "
		  "swin's log-spaced coordinates, or the sinusoids of xl, "
		  "xlnet (default: vectors with --table, labels with --clip "
		  "and for swin, else distances)" },
	{ OPTION(struct relative, table), .arg = "FILE",
	  .help = "file of one vector per label, [labels, dim]" },
	{ OPTION(struct relative, sign), .words = signs, .arg = "NAME",
	  .help = "sign of distances: key - query or query - key (default: "
		  "key-query for shaw, else query-key)" },
	{ OPTION(struct relative, align), .words = aligns, .arg = "NAME",
	  .help = "position of the queries if there are fewer than keys: at "
		  "the first or the last keys (default: start for deberta, "
		  "else end)" },
	{ OPTION(struct relative, buckets), .min = 2, .max = 65536,
	  .arg = "B", .help = "deberta: number of buckets, logarithmic beyond "
			      "distance B/2 (default: none)" },
	{ OPTION(struct relative, max_position), .min = 2, .max = 0x1p52,
	  .arg = "M", .help = "deberta: scale of --buckets: distance M - 1 is "
			      "in bucket B - 1" },
	{ OPTION(struct relative, window), .arg = "HxW",
	  .help = "swin: size of the window whose cells are the queries and "
		  "the keys" },
	{ OPTION(struct relative, pretrained), .arg = "HxW",
	  .help = "swin: size of the window of pretraining, which scales --out "
		  "logcoords (default: --window)" },
	{ OPTION(struct relative, cls),
	  .help = "swin: add a class token before the cells, with 3 more "
		  "labels" },
	{ OPTION(struct relative, dim), .role = ROLE_COLUMNS,
	  .min = 2, .max = 1048576, .arg = "D",
	  .one = "dimension", .many = "dimensions",
	  .help = "xl, xlnet: number of columns of sinusoids and vectors" },
	{ OPTION(struct relative, causal),
	  .help = "xlnet: make only the sinusoids of keys up to the query" },
	{0}
};

/*
 * clip(x, k) = max(-k, min(k, x)), Shaw's section 3.2, of the distance x =
 * j - i, or of i - j where --sign says so.
 */
static double clipped(long x, const void *self)
{
	const struct relative *s = self;
	const long k = s->clip.value;

	if (s->sign == QUERY_KEY)
		x = -x;
	if (s->clip.given)
		x = x < -k ? -k : x > k ? k : x;
	return (double)x;
}

/* Make t one row: a query and keys at --distances from it. */
static bool make_range(struct relative *s, struct table *t, struct error *err)
{
	if (pairs_given(&s->pairs))
		return fail(err, "--distances cannot be combined with --len, "
			    "--query-len or --key-len");
	if (!distances_shape(&s->distances, t, err))
		return false;
	s->sign = KEY_QUERY;
	s->past = -s->distances.first;
	t->row_axis = axis_of(AXIS_QUERY);
	return true;
}

/* The vector of query i / keys, key i % keys, where it lies in the table. */
static const double *vector_row(const struct table *t, size_t i,
				double *scratch)
{
	const struct relative *s = t->state;
	const long x = (long)(i % t->rows) - (long)(i / t->rows) - s->past;

	return s->table->row(s->table, (size_t)s->label(x, s), scratch);
}

bool relative_rows(const struct relative *s, size_t labels, struct error *err)
{
	char shape[SHAPE_TEXT];

	if (s->table->planes == 1 && s->table->rows == labels)
		return true;
	return fail(err, "--table: expected shape [%zu, dim], one row per "
		    "label, got %s", labels, shape_of(s->table, shape));
}

void relative_vectors(const struct relative *s, struct table *t)
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

bool relative_pairs(struct relative *s, struct table *t,
		    relative_number *distance, relative_number *number,
		    size_t labels, struct error *err)
{
	const double a = distance(-(long)(t->rows - 1) - s->past, s);
	const double b = distance((long)(t->cols - 1) - s->past, s);

	if (s->table) {
		s->label = number;
		t->row = vector_row;
		relative_vectors(s, t);
		return relative_rows(s, labels, err);
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
	return table_toeplitz(t, s->out == OUT_LABELS ? number : distance,
			      s, s->past, err);
}

/* clip(x, k) + k, the index of a_ij in w = (w_-k, ..., w_k). */
static double label(long x, const void *self)
{
	const struct relative *s = self;

	return clipped(x, s) + (double)s->clip.value;
}

static bool shaw_make(struct relative *s, struct table *t, struct error *err)
{
	if (s->table && !s->clip.given && s->table->rows % 2)
		s->clip = integer_of(s->table->rows / 2);
	if (s->out != OUT_DISTANCES && !s->clip.given)
		return fail(err, s->table ? "--table: expected 2K + 1 rows for "
			    "--clip K, got %zu" : "--out labels needs --clip K",
			    s->table ? s->table->rows : 0);
	return relative_pairs(s, t, clipped, label,
			      2 * (size_t)s->clip.value + 1, err);
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
	const long x = (long)(i % t->rows) - (long)(i / t->rows) - s->past;

	wave_row(&s->wave, t->dtype, clipped(x, s), scratch);
	return scratch;
}

/* Row i of R: the distance of the first row, less i. */
static const double *xl_sinusoid_row(const struct table *t, size_t i,
				     double *scratch)
{
	const struct relative *s = t->state;
	const long d = (long)t->row_axis.first - (long)i;

	wave_row(&s->wave, t->dtype,
		 clipped(s->sign == QUERY_KEY ? -d : d, s), scratch);
	return scratch;
}

static bool xl_wave(struct relative *s, struct table *t, struct error *err)
{
	const struct convention c = {
		.dim = s->dim, .base = 10000, .layout = SPLIT, .angle_scale = 1
	};

	if (!s->dim)
		return fail(err, "--dim D is missing");
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
	t->col_axis = wave_axis(&s->wave);
	return true;
}

/* The table R of distances first, first - 1, ..., last, or the pairs'. */
static bool xl_any(struct relative *s, struct table *t, size_t first, long last,
		   struct error *err)
{
	t->title = "Relative sinusoids";
	if (s->out == OUT_DISTANCES && s->dim)
		return fail(err, "--dim needs --out vectors or sinusoids");
	if (s->out != OUT_SINUSOIDS && s->causal)
		return fail(err, "--causal needs --out sinusoids");
	if (s->out == OUT_DISTANCES)
		return relative_pairs(s, t, clipped, NULL, 0, err);
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

/* How the kinds differ. */
static const struct {
	enum relative_sign sign;
	enum relative_align align;
	unsigned outs;  /* bits, 1 << OUT_... */
	bool (*make)(struct relative *s, struct table *t, struct error *err);
} kind_of[KINDS] = {
	[SHAW] = { KEY_QUERY, ALIGN_END, 1 << OUT_LABELS | 1 << OUT_DISTANCES |
		   1 << OUT_VECTORS, shaw_make },
	[DEBERTA] = { QUERY_KEY, ALIGN_START, 1 << OUT_LABELS |
		      1 << OUT_DISTANCES | 1 << OUT_VECTORS, deberta_make },
	[SWIN] = { QUERY_KEY, ALIGN_END, 1 << OUT_LABELS | 1 << OUT_VECTORS |
		   1 << OUT_LOGCOORDS, swin_make },
	[XL] = { QUERY_KEY, ALIGN_END, 1 << OUT_DISTANCES | 1 << OUT_VECTORS |
		 1 << OUT_SINUSOIDS, xl_make },
	[XLNET] = { QUERY_KEY, ALIGN_END, 1 << OUT_DISTANCES |
		    1 << OUT_VECTORS | 1 << OUT_SINUSOIDS, xlnet_make },
};

/* Fill in --kind, and refuse options of other kinds. */
static bool set_kind(struct relative *s, struct error *err)
{
	const unsigned all = (1 << KINDS) - 1;
	const struct {
		const char *flag;
		unsigned kinds;
		bool given;
	} rules[] = {
		{ "--distances", 1 << SHAW | 1 << DEBERTA, s->distances.given },
		{ "--clip", all & ~(1u << SWIN), s->clip.given },
		{ "--table", 1 << SHAW | 1 << DEBERTA | 1 << SWIN, s->table },
		{ "--align", all & ~(1u << SWIN), s->align != NO_CHOICE },
		{ "--buckets", 1 << DEBERTA, s->buckets },
		{ "--max-position", 1 << DEBERTA, s->max_position },
		{ "--window", 1 << SWIN, s->window },
		{ "--pretrained", 1 << SWIN, s->pretrained },
		{ "--cls", 1 << SWIN, s->cls },
		{ "--dim", 1 << XL | 1 << XLNET, s->dim },
		{ "--causal", 1 << XLNET, s->causal },
	};

	if (s->kind == NO_CHOICE)
		s->kind = s->window ? SWIN : s->buckets ? DEBERTA : SHAW;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].given && !(rules[i].kinds >> s->kind & 1))
			return fail(err, "%s does not apply to --kind %s",
				    rules[i].flag, kinds[s->kind]);
	if (s->distances.given &&
	    (s->sign != NO_CHOICE || s->align != NO_CHOICE))
		return fail(err, "--%s does not apply to --distances",
			    s->sign == NO_CHOICE ? "align" : "sign");
	return true;
}

/* Fill in the defaults of --out, --sign and --align; check --out. */
static bool set_defaults(struct relative *s, struct error *err)
{
	if (s->out == NO_CHOICE)
		s->out = s->table ? OUT_VECTORS :
			 s->kind == SWIN ? OUT_LABELS :
			 s->kind <= DEBERTA && s->clip.given
			 ? OUT_LABELS : OUT_DISTANCES;
	if (!(kind_of[s->kind].outs >> s->out & 1))
		return fail(err, "--out %s does not apply to --kind %s",
			    outs[s->out], kinds[s->kind]);
	if (s->table && s->out != OUT_VECTORS)
		return fail(err, "--table needs --out vectors");
	if (s->kind < XL && !s->table && s->out == OUT_VECTORS)
		return fail(err, "--out vectors needs --table FILE");
	if (s->sign == NO_CHOICE)
		s->sign = (int)kind_of[s->kind].sign;
	if (s->align == NO_CHOICE)
		s->align = (int)kind_of[s->kind].align;
	return true;
}

static bool relative_make(void *self, const struct table *inputs,
			  struct table *t, struct error *err)
{
	struct relative *s = self;

	(void)inputs;
	t->title = "Relative positions";
	if (!set_kind(s, err) || !set_defaults(s, err))
		return false;
	t->value = s->out == OUT_LABELS ? "label" :
		   s->out == OUT_DISTANCES ? "distance" : NULL;
	if (s->distances.given) {
		if (!make_range(s, t, err))
			return false;
	} else if (s->kind != SWIN) {
		if (!pairs_shape(&s->pairs, t, err))
			return false;
		if (s->align == ALIGN_END)
			s->past = (long)t->cols - (long)t->rows;
	}
	return kind_of[s->kind].make(s, t, err);
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
