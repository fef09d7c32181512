/*
 * attend.h: posenc attend: scaled dot-product attention with a scheme of
 * positions. attend.c has the options, the tables and --check; attention.c
 * computes weights, attend_values.c values; attend_scheme.c makes what a scheme
 * adds, and the mask; attend_labels.c what depends on queries or keys and their
 * distance.
 */
#ifndef ATTEND_H
#define ATTEND_H

#include "recipe/recipe.h"
#include "views/gram.h"

enum attend_scheme {
	SCHEME_NONE, SCHEME_SINUSOID, SCHEME_RELATIVE, SCHEME_T5, SCHEME_ALIBI,
	SCHEME_ROPE, SCHEME_KERPLE, SCHEME_SANDWICH, SCHEME_FIRE, SCHEME_RETNET,
	SCHEME_DEBERTA, SCHEME_XL, SCHEMES
};
enum attend_out { OUT_WEIGHTS, OUT_LOGITS, OUT_VALUES };

extern const char *const attend_schemes[];
extern const struct recipe attend_recipe;

/* The exponent of the largest values: sums of products of four are finite. */
enum { ATTEND_LARGEST = 120 };

/* The tables that queries, keys and values are made of. */
struct sources {
	/* [rows, columns] or [heads, rows, columns] */
	const struct table *q, *k, *v;
	bool one;  /* all three are TABLE */
};

/* A value for each head, query i and key j, such as a bias. */
struct pair_values {
	const double *at;  /* NULL: there are none */
	long first, head_stride, query_stride;
	/* (h, i, j): at[first + h head_stride + i query_stride + j] */
};

/* The values of query i in head h: [keys], or NULL. */
static inline const double *pair_row(const struct pair_values *s, size_t h,
				     size_t i)
{
	return s->at ? s->at + (s->first + (long)h * s->head_stride +
				(long)i * s->query_stride) : NULL;
}

/* Attention of all heads, ready to be computed row by row. */
struct attention {
	size_t heads, queries, keys;
	size_t dim, value_dim;       /* of a head */
	const double *q;             /* [heads, queries, dim] */
	const double *k;             /* [heads, keys, dim] */
	struct gram *q_rows, *k_rows;  /* the same, [heads] */
	const double *v;             /* [heads, keys, value_dim], or NULL */
	double scale, divisor;       /* q . k times one by the other */
	double softcap;              /* 0: none */
	struct pair_values bias;     /* of T5, ALiBi ... */
	struct pair_values decay;    /* of RetNet, which has no softmax */
	struct pair_values label;    /* of a distance, from 0 to labels - 1 */
	size_t labels;
	const double *label_keys;    /* q . a^K, [heads, queries, labels] */
	const double *label_queries; /* k . a^Q, [heads, keys, labels] */
	const double *label_values;  /* a^V, [labels, value_dim], or NULL */
	const unsigned char *visible; /* [queries, keys], or NULL: all are */
	const double *sinks;         /* logits [heads] that join the softmax,
					or NULL */
};

struct attend {
	const struct table *q, *k, *v, *wq, *wk, *wv, *wo;
	size_t heads, head_dim;
	int scheme;
	struct pick mask;
	struct list segments, cu_seqlens, images;
	size_t dilation;
	int out, check;
	bool unscaled;
	double qk_scale, softcap;
	struct list sinks;
	const struct table *temperature;

	/* Of the schemes that no encoding has; other options of a scheme are
	   those of its encoding. */
	size_t sandwich_dim;
	const struct table *table_k, *table_q, *table_v, *wr, *bias_u, *bias_v;

	struct attention attention;
};

/*
 * Find the tables to attend over: TABLE, or --q, --k and --v. Fails if some are
 * missing, or if values are not finite or too large.
 */
bool attend_sources(const struct attend *s, const struct table *inputs,
		    struct sources *from, struct error *err);

/*
 * Make queries, keys and values of a: rows of the sources times --wq, --wk and
 * --wv, split into heads, rotated by RoPE. owner keeps them.
 */
bool attend_project(const struct attend *s, const struct sources *from,
		    struct attention *a, struct table *owner,
		    struct error *err);

/* sum = x + the sinusoidal table of x's shape [rows, cols]; owner keeps it. */
bool attend_add_sinusoid(const struct attend *s, const struct table *x,
			 struct table *sum, struct table *owner,
			 struct error *err);

/* Rotate rows x [heads, n, dim] by RoPE; the first is at position past. */
bool attend_rotate(const struct attend *s, double *x, const size_t shape[3],
		   long past, struct table *owner, struct error *err);

/* Make the biases, labels and mask of a. Fails for unsuitable options. */
bool attend_scheme(const struct attend *s, struct attention *a,
		   struct table *owner, struct error *err);

/* attend_labels.c: labels and what depends on them, of three schemes. */
bool attend_shaw(const struct attend *s, struct attention *a,
		 struct table *owner, struct error *err);
bool attend_deberta(const struct attend *s, struct attention *a,
		    struct table *owner, struct error *err);
bool attend_xl(const struct attend *s, struct attention *a,
	       struct table *owner, struct error *err);

/*
 * The table of an encoding while it is made. The first failure is kept in err;
 * later calls then do nothing.
 */
struct encoding {
	const struct recipe *recipe;
	struct fields fields;
	struct error *err;
	struct table t;
};

/* Begin the table of the scheme's encoding with the options that it lends. */
bool scheme_begin(struct encoding *e, const struct attend *s,
		  const struct table *owner, struct error *err);

/* Set an option of the encoding to a text or a number. */
void encoding_set(struct encoding *e, const char *name, const char *text);
void encoding_set_number(struct encoding *e, const char *name, double x);

/* Set its numbers of queries and keys. */
void encoding_set_pairs(struct encoding *e, const struct attention *a);

/* Whether an option differs from its default. */
bool encoding_given(const struct encoding *e, const char *name);

/* Make the table; false if anything has failed. */
bool encoding_finish(struct encoding *e);

/* All rows of the table, to x [end, cols], from which it may be made. */
bool encoding_rows(struct encoding *e, double *x);

/* Copy the table; only its diagonals if it has them. */
bool encoding_keep(struct pair_values *to, struct encoding *e,
		   struct table *owner, struct error *err);

void encoding_close(struct encoding *e);

/* What products of vectors of n elements are divided by: sqrt(n), or 1. */
double attend_divisor(const struct attend *s, size_t n);

/* to [n] += factor * x [n] */
void attend_add(double *to, double factor, const double *x, size_t n);

/* Prepare q and k, which no longer change, for what follows. */
bool attend_panels(struct attention *a, struct table *owner,
		   struct error *err);

/*
 * Logits or weights of rows first to first + n - 1, counted through the heads'
 * queries, to x [n, keys].
 */
void attend_logits(const struct attention *a, size_t first, size_t n,
		   double *x);
void attend_weights(const struct attention *a, size_t first, size_t n,
		    double *x);

/* Values of all queries, heads side by side, times --wo; owner keeps them. */
bool attend_values(const struct attend *s, const struct attention *a,
		   struct table *values, struct table *owner,
		   struct error *err);

#endif
