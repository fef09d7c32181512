/* similarity.c: how alike every two rows of a table are. */
#include "core/recipe.h"
#include "views/curve.h"
#include "views/similar.h"

struct similarity {
	int metric;
	bool curve;

	struct curve by;  /* what --curve shows */
};

static const char *const metrics[] = { "dot", "cosine", "l2", NULL };

static const struct option similarity_options[] = {
	{ OPTION(struct similarity, metric), .initial = "dot",
	  .words = metrics, .arg = "NAME",
	  .help = "dot product, cosine of the angle, or distance" },
	{ OPTION(struct similarity, curve),
	  .help = "of all pairs of rows as far apart, a row each: distance, "
		  "mean, std, min, max, n" },
	{0}
};

static const double *by_distance(const struct table *t, size_t i,
				 double *scratch)
{
	const struct curve *c = &((const struct similarity *)t->state)->by;

	scratch[0] = (double)i;
	scratch[1] = c->mean[i];
	scratch[2] = c->std[i];
	scratch[3] = c->lo[i];
	scratch[4] = c->hi[i];
	scratch[5] = (double)(c->n - i);
	return scratch;
}

static bool make_curve(struct similarity *s, const struct table *x,
		       struct table *t, struct error *err)
{
	struct table whole = { 0 };
	const bool good = similar_open(&whole, x, (enum metric)s->metric,
				       err) &&
			  curve_open(&s->by, &whole, t, err);

	t->note = whole.note;
	table_close(&whole);
	t->rows = x->rows;
	t->cols = 6;
	t->dtype = F32;
	t->down = (struct axis){ .name = "distance", .step = 1 };
	t->across = (struct axis){ .name = "statistic", .step = 1 };
	t->row = by_distance;
	t->state = s;
	return good;
}

static bool similarity_make(void *self, const struct table *inputs,
			    struct table *t, struct error *err)
{
	static const char *const titles[] = {
		"Dot products of rows", "Cosines of rows",
		"Distances of rows",
	};
	struct similarity *s = self;

	t->title = titles[s->metric];
	return s->curve ? make_curve(s, inputs, t, err)
			: similar_open(t, inputs, (enum metric)s->metric, err);
}

const struct recipe similarity_recipe = {
	.name = "similarity",
	.summary = "dot product, cosine or distance of every two rows",
	.about =
"  dot[i, j]    = sum_k x[i, k] x[j, k]\n"
"  cosine[i, j] = dot[i, j] / sqrt(dot[i, i] dot[j, j])\n"
"  l2[i, j]     = sqrt(sum_k (x[i, k] - x[j, k])^2)\n"
"\n"
"Sums run from the first column to the last in double precision, the same on\n"
"every machine. The cosine of a row of zeros with any other is given as 0.\n"
"With --curve row k tells of all pairs (i, i + k); std is that of the n\n"
"pairs themselves. Of sinusoids the dot product depends on k alone.\n",
	.paper = "Wang et al. 2021, On Position Embeddings in BERT, ICLR",
	.example = "posenc similarity pe.npy --metric cosine",
	.options = similarity_options,
	.size = sizeof(struct similarity),
	.inputs = 1,
	.make = similarity_make,
};
