/* mask.c: which keys each query may attend to. */
#include <math.h>

#include "recipe/positions.h"
#include "recipe/recipe.h"
#include "exact/within.h"

enum kind { CAUSAL, FULL, PREFIX, WINDOW, CHUNK, SEGMENTS, BAND, SYMMETRIC };
enum values {
	VALUES_01, VALUES_NINF, VALUES_FILL,
	VALUES_F16, VALUES_BF16, VALUES_F32, VALUES_F64
};

#define UNLIMITED HUGE_VAL

struct mask {
	struct lengths lengths;
	struct pick kind;
	size_t dilation;
	struct list segments, cu_seqlens, images;
	struct pick values;

	double before, after; /* how far a visible key may be */
	double masked;        /* the value of masked keys */
};

static const char *const kinds[] = {
	"causal", "full", "prefix:K", "window:W", "chunk:C",
	"segments", "band:L,R", "symmetric:W", NULL
};
static const char *const kind_meanings[] = {
	"keys up to its own position", "all keys",
	"as causal, and the first K keys", "the last W keys up to its own",
	"keys up to its own in its chunk of C positions",
	"keys of its segment",
	"from L keys before its own to R behind it; -1: no limit",
	"up to W keys on either side",
};
static const char *const kind_phrases[] = {
	"causal", "full", "prefix of %", "window of %", "chunks of %",
	"segments", "band (%, %)", "% on either side",
};
static const char *const value_phrases[] = {
	"1 and 0", "0 and \xe2\x88\x92inf", "0 and %", "0 and float16's least",
	"0 and bfloat16's least", "0 and float32's least",
	"0 and float64's least",
};
static const char *const value_words[] = {
	"01", "ninf", "fill:X", "min-float16", "min-bfloat16", "min-float32",
	"min-float64", NULL
};
static const char *const value_meanings[] = {
	"1 and 0", "0 and -inf, to add to logits", "0 and X",
	"0 and -65504", "0 and about -3.39e38", "0 and about -3.40e38",
	"0 and about -1.80e308",
};

static const struct option mask_options[] = {
	LENGTHS_OPTIONS,
	CONFIG_OPTION,
	{ OPTION(struct mask, kind), .phrases = kind_phrases,
	  .initial = "causal", .words = kinds,
	  .meanings = kind_meanings, .arg = "KIND",
	  .help = "keys that a query attends to" },
	{ OPTION(struct mask, dilation), .initial = "1", .min = 1,
	  .max = LENGTHS_MOST, .arg = "D",
	  .help = "only keys at distances of 0, D, 2D, ... are visible, "
		  "besides the first K of prefix and those of --images; W, L "
		  "and R count these" },
	{ OPTION(struct mask, segments), .excludes = "cu-seqlens",
	  .arg = "LIST|@FILE|-",
	  .help = "segment id of each key; with any --kind, keys of segments "
		  "other than the query's are masked" },
	{ OPTION(struct mask, cu_seqlens), .arg = "LIST|@FILE|-",
	  .help = "offsets where documents begin, from 0 on, and where the "
		  "last ends, as FlashAttention takes them: --segments of "
		  "packed documents" },
	{ OPTION(struct mask, images), .arg = "LIST|@FILE|-",
	  .help = "image of each key, or -1 for text; with any --kind, keys "
		  "of the query's image and segment are visible" },
	{ OPTION(struct mask, values), .initial = "01", .words = value_words,
	  .meanings = value_meanings, .phrases = value_phrases, .arg = "NAME",
	  .help = "values of visible and masked keys" },
	{0}
};

static const struct option_heading mask_headings[] = {
	{ "Length", "len query-len key-len config" },
	{ "Visible keys", NULL },
	{ "Values", "values" },
	{0}
};

static double value_of(const struct mask *s, bool visible)
{
	if (s->values.word == VALUES_01)
		return visible;
	return visible ? 0 : s->masked;
}

/* Whether a key at this distance (key - query) is visible by distance alone. */
static bool is_visible(const struct mask *s, long distance)
{
	const double d = (double)distance;

	return d >= -s->before && d <= s->after &&
	       distance % (long)s->dilation == 0;
}

/* The chunk that a position is in. */
static double chunk_of(const struct mask *s, long position)
{
	return floor((double)position / s->kind.at[0]);
}

static double at_distance(const void *self, size_t plane, long distance)
{
	(void)plane;
	return value_of(self, is_visible(self, distance));
}

/* Whether key and query are of the same image. */
static bool is_same_image(const struct mask *s, size_t key, long query)
{
	const double *image = s->images.at;

	return image && image[key] >= 0 && image[key] == image[query];
}

static const double *mask_row(const struct table *t, size_t i, double *scratch)
{
	const struct mask *s = t->state;
	const double *segment = s->segments.at;
	const long own = (long)i + t->past;

	for (size_t j = 0; j < t->cols; j++) {
		const bool visible = is_visible(s, (long)j - own) ||
				     (s->kind.word == PREFIX &&
				      (double)j < s->kind.at[0]);
		const bool seen = visible &&
				  (s->kind.word != CHUNK ||
				   chunk_of(s, (long)j) == chunk_of(s, own));

		scratch[j] = value_of(s, (seen || is_same_image(s, j, own)) &&
					 (!segment ||
					  segment[j] == segment[own]));
	}
	return scratch;
}

/* Set how far keys may be from the query, by --kind and --dilation. */
static void set_reach(struct mask *s)
{
	const double *at = s->kind.at, by = (double)s->dilation;
	const int kind = s->kind.word;

	s->before = UNLIMITED;
	s->after = kind == FULL || kind == SEGMENTS ? UNLIMITED : 0;
	if (kind == WINDOW)
		s->before = (at[0] - 1) * by;
	if (kind == SYMMETRIC)
		s->before = s->after = at[0] * by;
	if (kind == BAND) {
		s->before = at[0] < 0 ? UNLIMITED : at[0] * by;
		s->after = at[1] < 0 ? UNLIMITED : at[1] * by;
	}
}

static bool check_kind(const struct mask *s, struct error *err)
{
	static const double least[] = {
		[PREFIX] = 0, [WINDOW] = 1, [CHUNK] = 1, [BAND] = -1,
		[SYMMETRIC] = 0
	};
	const struct pick *kind = &s->kind;

	for (size_t i = 0; i < kind->n; i++)
		if (!whole_within(kind->at[i], least[kind->word], HUGE_VAL))
			return fail(err, "mask kind %s: expected %s of at "
				    "least %.0f, got %.17g", kinds[kind->word],
				    kind->n > 1 ? "integers" : "an integer",
				    least[kind->word], kind->at[i]);
	/* attend has no --kind: its mask's is --mask */
	if (kind->word == SEGMENTS && !s->segments.at)
		return fail(err, "mask kind segments needs --segments LIST "
			    "or --cu-seqlens LIST");
	if (s->values.word == VALUES_FILL && s->values.at[0] == 0)
		return fail(err, "mask values fill:X: expected a number other "
			    "than 0, got 0");
	return true;
}

/* Set the segment of each key from --cu-seqlens. */
static bool read_documents(struct mask *s, struct table *t, struct error *err)
{
	const struct list *end = &s->cu_seqlens;
	size_t keys = 0;
	double *segment;

	if (!end->at)
		return true;
	for (size_t i = 0; i < end->n; i++) {
		if (!whole_within(end->at[i], (double)keys, i ? 0x1p27 : 0))
			return fail(err, "--cu-seqlens: expected 0, then "
				    "integers in ascending order up to 2^27, "
				    "got %.17g at index %zu", end->at[i], i);
		keys = (size_t)end->at[i];
	}
	if (!keys)
		return fail(err, "--cu-seqlens: expected the end of a "
			    "document, got only 0");
	segment = table_alloc(t, keys, sizeof *segment, err);
	for (size_t i = 1, k = 0; segment && i < end->n; i++)
		while ((double)k < end->at[i])
			segment[k++] = (double)i;
	s->segments = (struct list){ .at = segment, .n = keys };
	return segment;
}

/* Whether a list has a value for each key, those of the queries among them. */
static bool check_list(const struct list *list, const char *name,
		       const struct table *t, struct error *err)
{
	if (!list->at)
		return true;
	if (list->n != t->cols)
		return fail(err, list->text
			    ? "--%s: expected %zu values, one per key, got %zu"
			    : "--%s: expected the end of the last document at "
			      "%zu, the number of keys, got %zu",
			    name, t->cols, list->n);
	if (t->rows > t->cols)
		return fail(err, "--%s: expected at most %zu queries for %zu "
			    "keys, got %zu", name, t->cols, t->cols, t->rows);
	return true;
}

/* The dtype of the values, and their bounds. */
static void set_values(struct mask *s, struct table *t)
{
	static const enum dtype dtypes[] = {
		[VALUES_NINF] = F32, [VALUES_F16] = F16, [VALUES_BF16] = BF16,
		[VALUES_F32] = F32, [VALUES_F64] = F64
	};
	const int word = s->values.word;

	if (word == VALUES_01) {
		t->dtype = I32;
		t->bounds = BOUNDS_TIGHT;
		t->hi = 1;
		return;
	}
	s->masked = word == VALUES_NINF ? -(double)INFINITY
		  : word == VALUES_FILL ? s->values.at[0]
		  : -dtype_greatest(dtypes[word]);
	t->dtype = word != VALUES_FILL ? dtypes[word]
		 : dtype_holds(F32, s->masked) ? F32 : F64;
	if (word == VALUES_NINF)
		return;
	t->bounds = BOUNDS_LOOSE;
	t->lo = fmin(s->masked, 0);
	t->hi = fmax(s->masked, 0);
	t->addend = s->masked;
}

static bool mask_make(void *self, const struct table *inputs, struct table *t,
		      struct error *err)
{
	struct mask *s = self;
	struct lengths *p = &s->lengths;
	const char *flag = s->cu_seqlens.at ? "cu-seqlens" : "segments";

	(void)inputs;
	if (!read_documents(s, t, err))
		return false;
	if (!p->len && !p->key_len)
		p->len = s->segments.at ? s->segments.n : s->images.n;
	if (!check_kind(s, err) || !lengths_shape(p, t, err) ||
	    !check_list(&s->segments, flag, t, err) ||
	    !check_list(&s->images, "images", t, err))
		return false;
	set_reach(s);
	t->title = "Attention mask";
	set_values(s, t);
	t->row = mask_row;
	t->state = s;
	return s->segments.at || s->images.at || s->kind.word == PREFIX ||
	       s->kind.word == CHUNK ||
	       table_by_distance(t, at_distance, s, err);
}

const struct recipe mask_recipe = {
	.name = "mask",
	.summary = "attention masks: which keys each query may attend to",
	.about =
"Makes a mask [queries, keys]: 1 for each key that the query may attend to\n"
"and 0 for the others, or 0 and -inf to add to the attention logits.\n"
"Libraries that avoid infinities add a large number: --values fill:-1e9 makes\n"
"0 and -1e9, and fill:1 marks the keys that are masked; min-float16 is 0 and\n"
"-65504, torch.finfo(torch.float16).min, as float16.\n",
	.details =
"  causal     query i sees key j if j <= i + keys - queries\n"
"  full       every query sees all keys\n"
"  prefix:K   as causal, and also if j < K\n"
"  window:W   as causal, but only the last W keys: also\n"
"             j > i + keys - queries - W\n"
"  chunk:C    as causal, but only keys of the query's chunk: positions 0 to\n"
"             C - 1, C to 2C - 1, ... (Llama 4)\n"
"  segments   query and key must have the same segment id\n"
"  band:L,R   i - L <= j - keys + queries <= i + R, as window_size=(L, R) of\n"
"             FlashAttention; -1 is no limit\n"
"  symmetric:W   band:W,W (ModernBERT, with W half of its local_attention)\n"
"\n"
"If there are fewer queries than keys, the queries are at the last keys, as\n"
"in decoding with a cache. With any other kind, --segments also masks the\n"
"keys of other segments, for several texts packed into one sequence;\n"
"--cu-seqlens 0,3,5 is --segments 1,1,1,2,2. --images shows each query the\n"
"keys of its own image, before and behind it (Gemma 3, PaliGemma), but none\n"
"of other segments, whose images may have the same numbers. With --dilation\n"
"D a query sees only keys at distances of a multiple of D (Longformer:\n"
"--kind symmetric:W --dilation D).\n"
"The last row of --len 4 --kind window:2 is 0 0 1 1.\n"
"\n"
"Two masks are often added, that of padding to another. If twice the value\n"
"of a masked key exceeds the dtype of the output, a note says so: the sum is\n"
"-inf, and a row of -inf is NaN after softmax.\n",
	.paper = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3; "
		 "dilation: Beltagy et al. 2020, arXiv:2004.05150",
	.example = "posenc mask --len 8 --kind causal",
	.options = mask_options,
	.headings = mask_headings,
	.starts = (const struct start[]){
		{ "len", "32",
		  "query-len key-len config segments cu-seqlens images" }, {0}
	},
	.size = sizeof(struct mask),
	.make = mask_make,
};
