/* relative.c: distances between positions, clipped, Shaw et al. 2018. */
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
	{ OPTION(struct relative, kind), .words = kinds, .arg = "NAME",
	  .help = "whose convention; shaw unless --window (swin) or --buckets "
		  "(deberta) tell" },
	{ OPTION(struct relative, distances), .arg = "A:B",
	  .help = "one row: the numbers of distances A to B, both included, in "
		  "place of queries and keys" },
	{ OPTION(struct relative, clip), .min = 0, .max = 0x1p52,
	  .arg = "K", .help = "the longest distance told apart" },
	{ OPTION(struct relative, out), .words = outs, .arg = "WHAT",
	  .help = "labels (the default with --clip and for swin), distances "
		  "(without it), the vector of each label (with --table), "
		  "swin's log-spaced coordinates, or the table of xl and "
		  "xlnet" },
	{ OPTION(struct relative, table), .arg = "FILE",
	  .help = "a vector for each label, [labels, dim]" },
	{ OPTION(struct relative, sign), .words = signs, .arg = "NAME",
	  .help = "which is taken from which; query-key but for shaw" },
	{ OPTION(struct relative, align), .words = aligns, .arg = "NAME",
	  .help = "whether fewer queries than keys are the first or the last; "
		  "end but for deberta" },
	{ OPTION(struct relative, buckets), .min = 2, .max = 65536,
	  .arg = "B", .help = "half of B distances each way are told apart, "
			      "farther ones by logarithms (deberta)" },
	{ OPTION(struct relative, max_position), .min = 2, .max = 0x1p52,
	  .arg = "M", .help = "distance M - 1 has bucket B - 1 (deberta)" },
	{ OPTION(struct relative, window), .arg = "HxW",
	  .help = "queries and keys are the cells of a window (swin)" },
	{ OPTION(struct relative, pretrained), .arg = "HxW",
	  .help = "the window that scales --out logcoords (swin)" },
	{ OPTION(struct relative, cls),
	  .help = "a class token before the cells, with 3 more labels (swin)" },
	{ OPTION(struct relative, dim), .min = 2, .max = 1048576, .arg = "D",
	  .help = "columns of the sinusoids (xl, xlnet)" },
	{ OPTION(struct relative, causal),
	  .help = "the sinusoids of keys that are not ahead (xlnet)" },
	{0}
};

/* clip(x, k) + k, the index of a_ij in w = (w_-k, ..., w_k). */
static double label(long x, const void *self)
{
	const struct relative *s = self;

	return relative_distance(x, s) + (double)s->clip;
}

static bool shaw_make(struct relative *s, struct table *t, struct error *err)
{
	if (s->table && s->clip == NOT_GIVEN && s->table->rows % 2)
		s->clip = (long)(s->table->rows / 2);
	if (s->out != OUT_DISTANCES && s->clip == NOT_GIVEN)
		return fail(err, s->table ? "--table must have 2K + 1 rows for "
			    "--clip K, not %zu" : "--out labels needs --clip K",
			    s->table ? s->table->rows : 0);
	return relative_pairs(s, t, relative_distance, label,
			      2 * (size_t)s->clip + 1, err);
}

/* What sets the kinds apart. */
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
static bool settle_kind(struct relative *s, struct error *err)
{
	const unsigned all = (1 << KINDS) - 1;
	const struct {
		const char *flag;
		unsigned kinds;
		bool given;
	} rules[] = {
		{ "--distances", 1 << SHAW | 1 << DEBERTA, s->distances.given },
		{ "--clip", all & ~(1u << SWIN), s->clip != NOT_GIVEN },
		{ "--table", 1 << SHAW | 1 << DEBERTA | 1 << SWIN, s->table },
		{ "--align", all & ~(1u << SWIN), s->align != NOT_GIVEN },
		{ "--buckets", 1 << DEBERTA, s->buckets },
		{ "--max-position", 1 << DEBERTA, s->max_position },
		{ "--window", 1 << SWIN, s->window },
		{ "--pretrained", 1 << SWIN, s->pretrained },
		{ "--cls", 1 << SWIN, s->cls },
		{ "--dim", 1 << XL | 1 << XLNET, s->dim },
		{ "--causal", 1 << XLNET, s->causal },
	};

	if (s->kind == NOT_GIVEN)
		s->kind = s->window ? SWIN : s->buckets ? DEBERTA : SHAW;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].given && !(rules[i].kinds >> s->kind & 1))
			return fail(err, "%s is not for --kind %s",
				    rules[i].flag, kinds[s->kind]);
	if (s->distances.given &&
	    (s->sign != NOT_GIVEN || s->align != NOT_GIVEN))
		return fail(err, "--%s is not for --distances, which are given "
			    "as they are",
			    s->sign == NOT_GIVEN ? "align" : "sign");
	return true;
}

/* Fill in what --out, --sign and --align follow from, and check --out. */
static bool settle(struct relative *s, struct error *err)
{
	if (s->out == NOT_GIVEN)
		s->out = s->table ? OUT_VECTORS :
			 s->kind == SWIN ? OUT_LABELS :
			 s->kind <= DEBERTA && s->clip != NOT_GIVEN
			 ? OUT_LABELS : OUT_DISTANCES;
	if (!(kind_of[s->kind].outs >> s->out & 1))
		return fail(err, "--out %s is not for --kind %s", outs[s->out],
			    kinds[s->kind]);
	if (s->table && s->out != OUT_VECTORS)
		return fail(err, "--table is for --out vectors");
	if (s->kind < XL && !s->table && s->out == OUT_VECTORS)
		return fail(err, "--out vectors needs --table FILE");
	if (s->sign == NOT_GIVEN)
		s->sign = (int)kind_of[s->kind].sign;
	if (s->align == NOT_GIVEN)
		s->align = (int)kind_of[s->kind].align;
	return true;
}

static bool relative_make(void *self, const struct table *inputs,
			  struct table *t, struct error *err)
{
	struct relative *s = self;

	(void)inputs;
	t->title = "Relative positions";
	if (!settle_kind(s, err) || !settle(s, err))
		return false;
	t->value = s->out == OUT_LABELS ? "label" :
		   s->out == OUT_DISTANCES ? "distance" : NULL;
	if (s->distances.given) {
		if (!relative_range(s, t, err))
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
	.summary = "distances of queries and keys, clipped labels, vectors",
	.about =
"  shaw     distance[i, j] = j - i\n"
"           label = max(-K, min(K, j - i)) + K    from 0 to 2K\n"
"           vector[i, j] = table[label[i, j]]\n"
"  deberta  distance r = i - j; label = max(-K, min(K - 1, r)) + K\n"
"           with --buckets, m = B / 2: r where |r| <= m, and farther off\n"
"           sign(r) (m + ceil(log(|r| / m) / log((M - 1) / m) (m - 1)))\n"
"  swin     label = (dy + H - 1) (2W - 1) + dx + W - 1, d = query - key;\n"
"           with --cls, N = (2H - 1) (2W - 1) and on: class to cell, cell to\n"
"           class, class to class\n"
"           logcoords = sign(c) log2(1 + |c|) / 3, c = 8 dy / (H - 1)\n"
"  xl       distance = i - j, at most K; vector = sinusoid(distance), sines\n"
"           then cosines; sinusoids: rows of distances keys - 1 down to 0\n"
"  xlnet    the same with rows of distances keys down to 1 - queries (0 with\n"
"           --causal)\n"
"\n"
"i counts queries, j keys. The last query stands at the last key, as in\n"
"decoding with a cache (--align start: the first at the first, as DeBERTa has\n"
"it). Logarithms are decided in integers. --len 5 --clip 2 has the first row\n"
"2 3 4 4 4.\n",
	.paper = "Shaw et al. 2018, arXiv:1803.02155, section 3.2",
	.example = "posenc relative --len 5 --clip 2",
	.options = relative_options,
	.size = sizeof(struct relative),
	.make = relative_make,
};
