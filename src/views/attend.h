/* attend.h: what the files of attend share. */
#ifndef ATTEND_H
#define ATTEND_H

#include "core/recipe.h"

enum attend_scheme {
	SCHEME_NONE, SCHEME_SINUSOID, SCHEME_RELATIVE, SCHEME_T5, SCHEME_ALIBI,
	SCHEME_ROPE, SCHEMES
};
enum attend_out { OUT_WEIGHTS, OUT_LOGITS, OUT_VALUES };

extern const char *const attend_schemes[];

/* Where the rows of queries, keys and values come from. */
struct sources {
	/* [rows, columns], or [heads, rows, columns] */
	const struct table *q, *k, *v;
	bool one;  /* all are TABLE */
};

/* Of each query and key, what a scheme knows: element (head, i, j) of it. */
struct side {
	const double *at;  /* NULL: nothing */
	long first, head, query;  /* at[first + h head + i query + j] */
};

/* Attention, ready to be computed a row at a time. */
struct attention {
	size_t heads, queries, keys;
	size_t dim, value_dim;     /* of a head */
	const double *q;           /* [heads, queries, dim] */
	const double *k;           /* [heads, dim, keys] */
	const double *v;           /* [heads, keys, value_dim], or NULL */
	double divisor;            /* of products */
	struct side bias;          /* of T5 or ALiBi */
	struct side label;         /* of Shaw, from 0 to labels - 1 */
	size_t labels;
	const double *label_keys;  /* q . a^K, [heads, queries, labels] */
	const double *label_values;  /* a^V, [labels, value_dim], or NULL */
	const unsigned char *seen; /* [queries, keys], or NULL: all are */
};

struct attend {
	const struct table *q, *k, *v, *wq, *wk, *wv, *wo;
	size_t heads;
	int scheme;
	struct pick mask;
	struct list segments;
	int out, check;
	bool unscaled;

	/* Options of the scheme, which checks them. */
	const char *layout, *denom, *first, *base, *pairs, *rotary_dim;
	const char *scaling, *num_buckets, *max_distance, *form, *bias_max;
	double start, step;
	bool bidirectional, causal;
	long clip;
	const struct table *table, *table_k, *table_v;

	struct attention made;
};

/*
 * Read off which tables are attended over, TABLE or --q, --k and --v, and
 * refuse what has no products.
 */
bool attend_sources(const struct attend *s, const struct table *inputs,
		    struct sources *from, struct error *err);

/*
 * Make all of a but its sides, scheme and mask, for owner to keep: rows of the
 * sources through --wq, --wk and --wv, in heads, turned by RoPE.
 */
bool attend_project(const struct attend *s, const struct sources *from,
		    struct attention *a, struct table *owner,
		    struct error *err);

/* The sinusoid that is added to rows [rows, cols]: that sum, owner's. */
bool attend_add_sinusoid(const struct attend *s, const struct table *x,
			 struct table *sum, struct table *owner,
			 struct error *err);

/* Turn rows x [heads, n, dim], the first of them at position past. */
bool attend_turn(const struct attend *s, double *x, const size_t shape[3],
		 long past, struct table *owner, struct error *err);

/* Make the sides of a that the scheme has, and the mask. */
bool attend_scheme(const struct attend *s, struct attention *a,
		   struct table *owner, struct error *err);

/* All of a. */
bool attend_open(const struct attend *s, const struct sources *from,
		 struct attention *a, struct table *owner, struct error *err);

/* to [n] += factor x [n] */
void attend_add(double *to, double factor, const double *x, size_t n);

/* Logits or weights of query i under head h, to x [keys]. */
void attend_logits(const struct attention *a, size_t h, size_t i, double *x);
void attend_weights(const struct attention *a, size_t h, size_t i, double *x);

/* The values of all queries, in heads side by side, through --wo: owner's. */
bool attend_values(const struct attend *s, const struct attention *a,
		   struct table *values, struct table *owner,
		   struct error *err);

/* Whether outputs are permuted as inputs are. */
bool attend_check(const struct attend *s, const struct sources *from,
		  struct report *r, struct error *err);

#endif
