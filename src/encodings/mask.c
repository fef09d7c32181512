/* mask.c: which keys each query may attend to. */
#include <math.h>

#include "recipe/positions.h"
#include "recipe/recipe.h"
#include "exact/within.h"

enum kind { CAUSAL, FULL, PREFIX, WINDOW, CHUNK, SEGMENTS };
enum values { VALUES_01, VALUES_NINF, VALUES_FILL };

struct mask {
	struct pairs pairs;
	struct pick kind;
	struct list segments;
	struct pick values;

	long past;  /* positions before the first query */
};

static const char *const kinds[] = {
	"causal", "full", "prefix:K", "window:W", "chunk:C",
	"segments", NULL
};
static const char *const value_words[] = { "01", "ninf", "fill:X", NULL };

static const struct option mask_options[] = {
	PAIRS_OPTIONS,
	CONFIG_OPTION,
	{ OPTION(struct mask, kind), .initial = "causal", .words = kinds,
	  .arg = "KIND", .help = "keys that a query attends to: up to its own "
				 "position; all; the first K and those up to "
				 "its own; the last W up to its own; those up "
				 "to its own in its chunk of C positions; "
				 "those of its segment" },
	{ OPTION(struct mask, segments), .arg = "LIST|@FILE|-",
	  .help = "segment id of each key; with any --kind, keys of segments "
		  "other than the query's are masked" },
	{ OPTION(struct mask, values), .initial = "01", .words = value_words,
	  .arg = "NAME", .help = "values of visible and masked keys: 1 and 0; "
				 "0 and -inf (to add to logits); 0 and X" },
	{0}
};

static double value_of(const struct mask *s, bool visible)
{
	if (s->values.word == VALUES_01)
		return visible;
	if (visible)
		return 0;
	return s->values.word == VALUES_FILL ? s->values.at[0]
					     : -(double)INFINITY;
}

/* Whether a key at this distance (key - query) is visible by distance alone. */
static bool is_visible(const struct mask *s, long distance)
{
	return s->kind.word == FULL || s->kind.word == SEGMENTS ||
	       (distance <= 0 && (s->kind.word != WINDOW ||
				  -(double)distance < s->kind.at[0]));
}

/* The chunk that a position is in. */
static double chunk_of(const struct mask *s, long position)
{
	return floor((double)position / s->kind.at[0]);
}

static double by_distance(long distance, const void *self)
{
	return value_of(self, is_visible(self, distance));
}

static const double *mask_row(const struct table *t, size_t i, double *scratch)
{
	const struct mask *s = t->state;
	const double *segment = s->segments.at;
	const long own = (long)i + s->past;

	for (size_t j = 0; j < t->cols; j++) {
		const bool visible = is_visible(s, (long)j - own) ||
				     (s->kind.word == PREFIX &&
				      (double)j < s->kind.at[0]);
		const bool same = (!segment || segment[j] == segment[own]) &&
				  (s->kind.word != CHUNK ||
				   chunk_of(s, (long)j) == chunk_of(s, own));

		scratch[j] = value_of(s, visible && same);
	}
	return scratch;
}

static bool check_kind(const struct mask *s, struct error *err)
{
	const double x = s->kind.at[0];

	if (s->kind.word == PREFIX && !whole_within(x, 0, HUGE_VAL))
		return fail(err, "mask kind prefix:K: expected an integer of "
			    "at least 0, got %.17g", x);
	if (s->kind.word == WINDOW && !whole_within(x, 1, HUGE_VAL))
		return fail(err, "mask kind window:W: expected an integer of "
			    "at least 1, got %.17g", x);
	if (s->kind.word == CHUNK && !whole_within(x, 1, HUGE_VAL))
		return fail(err, "mask kind chunk:C: expected an integer of "
			    "at least 1, got %.17g", x);
	if (s->kind.word == SEGMENTS && !s->segments.at)
		return fail(err, "mask kind segments needs --segments LIST");
	if (s->values.word == VALUES_FILL && s->values.at[0] == 0)
		return fail(err, "mask values fill:X: expected a number other "
			    "than 0, got 0");
	return true;
}

static bool check_segments(const struct mask *s, const struct table *t,
			   struct error *err)
{
	if (s->segments.n != t->cols)
		return fail(err, "--segments: expected %zu values, one per "
			    "key, got %zu", t->cols, s->segments.n);
	if (t->rows > t->cols)
		return fail(err, "--segments: expected at most %zu queries "
			    "for %zu keys, got %zu", t->cols, t->cols, t->rows);
	return true;
}

/* The dtype of the values, and their bounds. */
static void set_values(const struct mask *s, struct table *t)
{
	const double x = s->values.at[0];

	t->dtype = F32;
	t->masked = s->values.word == VALUES_NINF;
	if (s->values.word == VALUES_01) {
		t->dtype = I32;
		t->bounds = BOUNDS_TIGHT;
		t->hi = 1;
	} else if (s->values.word == VALUES_FILL) {
		t->dtype = dtype_holds(F32, x) ? F32 : F64;
		t->bounds = BOUNDS_LOOSE;
		t->lo = fmin(x, 0);
		t->hi = fmax(x, 0);
	}
}

static bool mask_make(void *self, const struct table *inputs, struct table *t,
		      struct error *err)
{
	struct mask *s = self;
	struct pairs *p = &s->pairs;

	(void)inputs;
	if (!p->len && !p->key_len)
		p->len = s->segments.n;
	if (!check_kind(s, err) || !pairs_shape(p, t, err) ||
	    (s->segments.at && !check_segments(s, t, err)))
		return false;
	s->past = (long)t->cols - (long)t->rows;
	t->title = "Attention mask";
	set_values(s, t);
	t->row = mask_row;
	t->state = s;
	return s->segments.at || s->kind.word == PREFIX ||
	       s->kind.word == CHUNK ||
	       table_toeplitz(t, by_distance, s, s->past, err);
}

const struct recipe mask_recipe = {
	.name = "mask",
	.summary = "attention masks: which keys each query may attend to",
	.about =
"Makes a mask [queries, keys]: 1 for each key that the query may attend to\n"
"and 0 for the others, or 0 and -inf to add to the attention logits.\n"
"Libraries that avoid infinities add a large number: --values fill:-1e9 makes\n"
"0 and -1e9, and fill:1 marks the keys that are masked.\n",
	.details =
"  causal     query i sees key j if j <= i + keys - queries\n"
"  full       every query sees all keys\n"
"  prefix:K   as causal, and also if j < K\n"
"  window:W   as causal, but only the last W keys: also\n"
"             j > i + keys - queries - W\n"
"  chunk:C    as causal, but only keys of the query's chunk: positions 0 to\n"
"             C - 1, C to 2C - 1, ... (Llama 4)\n"
"  segments   query and key must have the same segment id\n"
"\n"
"If there are fewer queries than keys, the queries are at the last keys, as\n"
"in decoding with a cache. With any other kind, --segments also masks the\n"
"keys of other segments, for several texts packed into one sequence. The\n"
"last row of --len 4 --kind window:2 is 0 0 1 1.\n",
	.paper = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3",
	.example = "posenc mask --len 8 --kind causal",
	.options = mask_options,
	.size = sizeof(struct mask),
	.make = mask_make,
};
