/* mask.c: which keys each query may attend to. */
#include <math.h>

#include "core/pairs.h"
#include "core/recipe.h"
#include "core/within.h"

enum kind { CAUSAL, FULL, PREFIX, WINDOW, SEGMENTS };
enum values { VALUES_01, VALUES_NINF };

struct mask {
	struct pairs pairs;
	struct pick kind;
	struct list segments;
	int values;

	long past;  /* positions before the first query */
};

static const char *const kinds[] = {
	"causal", "full", "prefix:K", "window:W", "segments", NULL
};
static const char *const value_words[] = { "01", "ninf", NULL };

static const struct option mask_options[] = {
	PAIRS_OPTIONS,
	{ OPTION(struct mask, kind), .initial = "causal", .words = kinds,
	  .arg = "KIND", .help = "keys up to the query's own; all; the first "
				 "K, and those up to its own; the last W up "
				 "to its own; those of its segment" },
	{ OPTION(struct mask, segments), .arg = "LIST|@FILE|-",
	  .help = "a number for each key: with any kind, keys of another "
		  "number than the query's are hidden" },
	{ OPTION(struct mask, values), .initial = "01", .words = value_words,
	  .arg = "NAME", .help = "1 for keys that are seen and 0 for others, "
				 "or 0 and -inf, to be added to logits" },
	{0}
};

static double value_of(const struct mask *s, bool seen)
{
	if (s->values == VALUES_NINF)
		return seen ? 0 : -(double)INFINITY;
	return seen;
}

/* Whether a key so far after its query is seen, where nothing else counts. */
static bool sees(const struct mask *s, long distance)
{
	return s->kind.word == FULL || s->kind.word == SEGMENTS ||
	       (distance <= 0 && (s->kind.word != WINDOW ||
				  -(double)distance < s->kind.at[0]));
}

static double by_distance(long distance, const void *self)
{
	return value_of(self, sees(self, distance));
}

static const double *mask_row(const struct table *t, size_t i, double *scratch)
{
	const struct mask *s = t->state;
	const double *segment = s->segments.at;
	const long own = (long)i + s->past;

	for (size_t j = 0; j < t->cols; j++) {
		const bool seen = sees(s, (long)j - own) ||
				  (s->kind.word == PREFIX &&
				   (double)j < s->kind.at[0]);
		const bool same = !segment || segment[j] == segment[own];

		scratch[j] = value_of(s, seen && same);
	}
	return scratch;
}

static bool check_kind(const struct mask *s, struct error *err)
{
	const double x = s->kind.at[0];

	if (s->kind.word == PREFIX && !whole_within(x, 0, HUGE_VAL))
		return fail(err, "prefix:K must have a whole number from 0 on, "
			    "not %.17g", x);
	if (s->kind.word == WINDOW && !whole_within(x, 1, HUGE_VAL))
		return fail(err, "window:W must have a whole number from 1 on, "
			    "not %.17g", x);
	if (s->kind.word == SEGMENTS && !s->segments.at)
		return fail(err, "segments must be given by --segments LIST");
	return true;
}

static bool check_segments(const struct mask *s, const struct table *t,
			   struct error *err)
{
	if (s->segments.n != t->cols)
		return fail(err, "--segments must have a number for each of "
			    "%zu keys, not %zu", t->cols, s->segments.n);
	if (t->rows > t->cols)
		return fail(err, "--segments has none for the first of %zu "
			    "queries of %zu keys", t->rows, t->cols);
	return true;
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
	t->dtype = F32;
	t->masked = s->values == VALUES_NINF;
	if (s->values == VALUES_01) {
		t->dtype = I32;
		t->bounds = BOUNDS_TIGHT;
		t->hi = 1;
	}
	t->row = mask_row;
	t->state = s;
	return s->segments.at || s->kind.word == PREFIX ||
	       table_toeplitz(t, by_distance, s, s->past, err);
}

const struct recipe mask_recipe = {
	.name = "mask",
	.summary = "which keys each query may attend to",
	.about =
"  causal     key j is seen by query i where j <= i + keys - queries\n"
"  full       all keys are seen\n"
"  prefix:K   causal, and where j < K\n"
"  window:W   causal, and where j > i + keys - queries - W: W keys at most\n"
"  segments   where both are of one segment\n"
"\n"
"Fewer queries than keys are the last, as in decoding with a cache. Where\n"
"--segments is given, it hides other segments under any kind, as it is for\n"
"several texts in one sequence. The last row of --len 4 --kind window:2 is\n"
"0 0 1 1.\n",
	.paper = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3",
	.example = "posenc mask --len 8 --kind causal",
	.options = mask_options,
	.size = sizeof(struct mask),
	.make = mask_make,
};
