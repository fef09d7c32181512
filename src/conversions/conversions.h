/*
 * src/conversions/: posenc compare of two models: are they conversions of one?
 *
 *   compare_models.c  the command, pair after pair; which paths name models
 *   positions_read.c  what a configuration says of positions; positions.c: how
 *                     two of them differ; rotations.c: their frequencies, and
 *                     from where on cosines differ
 *   pairs.c           tensors of both models that are the same one, by their
 *                     names (names.c)
 *   values.c          the values of a pair
 *   layout.c          the order of rows of queries, keys and values, which
 *                     orders.c finds; fused.c: of all three in one tensor
 *   tables.c          tables of positions, and frequencies
 *   verdict.c         what was found, as sentences; the answer and report
 *
 * A model is a folder, a GGUF file or another file of many tensors; or its
 * configuration alone. This folder includes compare, model, containers and the
 * folders below them.
 */
#ifndef CONVERSIONS_H
#define CONVERSIONS_H

#include "checkpoint/checkpoint.h"
#include "model/logits.h"
#include "recipe/recipe.h"
#include "views/permute.h"
#include "waves/apart.h"

/*
 * Whether paths [2] name models: folders, or files of named tensors, without
 * ":NAME", that are not both of one tensor; or configurations. Their files are
 * opened. Fails only if memory runs out.
 */
bool names_models(const char *const *paths, struct error *err);

/*
 * Takes models in place of tables: the inputs have only a title, the path, and
 * a command.
 */
extern const struct recipe compare_models_recipe;

/* The order of queries, keys and values in one tensor, or in its groups. */
enum part_order {
	PARTS_QKV, PARTS_QVK, PARTS_KQV, PARTS_KVQ, PARTS_VQK, PARTS_VKQ,
	PART_ORDERS
};
extern const char part_orders[PART_ORDERS][4];  /* their letters */

/*
 * How a model has queries, keys and values in one tensor: in groups, each with
 * its share of all three. One group: all of one come first. As many groups as
 * heads: the query, key and value of each.
 */
struct fusion {
	size_t groups;         /* 0: not known, or a part has its own tensor */
	enum part_order parts; /* in each group */
	size_t heads, keys;    /* of queries, and of keys; 0: not known */
	const char *name;      /* a part of the tensors' names; NULL: any */
};

/* A tensor that one model has as a part of a larger one. */
struct split {
	bool used;             /* if not, both models have the same parts */
	size_t side;           /* the model that has all in one tensor */
	size_t part;           /* 0: queries, 1: keys, 2: values */
	size_t rows[3];        /* of these */
};

/* A tensor of each model; NULL where one has none. */
struct pair {
	const struct tensor *of[2];
	enum content content;
	struct split split;
};

/* The positions of a model's layers of a type. */
struct layer_positions {
	const char *type;      /* "full_attention"; NULL: all layers */
	const char *kind;      /* "rotary", "learned", "none" */
	const char *unknown;   /* why they are not known, or NULL */
	bool no_attention;     /* such as convolutions */
	bool rotary;           /* they rotate, and it is known how: */
	struct rotary_positions r;
	const char *mask;      /* "causal", "window:512"; NULL: unknown */
	const char *mask_unknown; /* why; then this is known of windows: */
	double window;         /* that of some layers; 0: not given */
	double windowless;     /* how many layers have none; 0: not given */
	struct query_factors queries;
	struct logits logits;  /* what is done to them, */
	const char *logits_words;  /* in words; NULL: it is not known */
	const char *commands;  /* of other kinds: that make their tables */
	const char *mask_keys; /* of layers that do not rotate, "window_size
				  256"; "": none; NULL: they rotate */
	const char *mask_words; /* the same, "window_size 256 by default" where
				   the file has no such key */
	const char *text;      /* the configuration, of kinds that posenc has no
				  commands for; NULL: of others */
	const char *layers;    /* "0-4, 6-10"; "": unknown */
	const char *first;     /* the row of position 0 of a learned table;
				  NULL: unknown */
};

/* What a configuration says. */
struct model_positions {
	const char *type;      /* "llama" */
	const char *unknown;   /* why nothing is known, or NULL */
	bool absent;           /* as there is no configuration */
	bool gguf;
	struct layer_positions at[LAYER_TYPES];  /* [n] */
	size_t n;
	double context;        /* the maximum length; 0: not given */
	double keys;           /* heads of keys; 0: not known as a number */
	const char *assumed;   /* ": KEY is not in FILE, and its default is 8";
				  NULL: the file has it */
	struct fusion fusion;  /* of queries, keys and values */
	double heads, layers, image, patch;  /* the same of other sizes */
};

/* One of the two models. */
struct side {
	const char *letter;    /* "A" */
	const char *path;      /* as given */
	struct checkpoint model;
	bool open;             /* model is; if not: a configuration alone */
	struct model_positions positions;
	bool rotates;          /* and it is known how; if so: */
	bool interleaved;      /* 2k and 2k + 1 rotate together, not halves */
};

/* A sentence; of a tensor, with the number of others that it is true of. */
struct sentence {
	const char *tensor;    /* NULL: of none */
	const char *text;
	size_t more;
};

enum { SENTENCES_MOST = 64 };

struct sentences {
	struct sentence at[SENTENCES_MOST];
	size_t n;
};

/* The first positions at which cosines differ by more than each of
   apart_limits. */
struct cosines {
	bool known;
	double first[APART_LIMITS];  /* end: none before it */
	double end;            /* of the positions that were compared */
	double length;         /* of the context, on which scalings depend */
	double factor[2];      /* by which cosines are multiplied */
};

/* The comparison of two models, and what was found. */
struct conversion {
	struct side sides[2];
	struct pair *pairs;    /* [n] */
	size_t n;
	struct table *owner;   /* of all text */
	struct error *err;
	bool tensors;          /* both models have them */
	bool may_rotate;       /* both do, or it is not known whether */
	bool both_rotate;      /* and it is known how; if so, */
	bool reorders;         /* one rotates halves, the other neighbours */

	/* Why positions differ; why it is not known whether they do; and what
	   else there is to say. */
	struct sentences different, unknown, also;

	struct cosines cosines;  /* where those of positions differ */
	const char *lengths;   /* how lengths of contexts differ; NULL: they
				  don't, or are not known */
	const char *layers;    /* the same of numbers of layers */

	/* Tensors that both have: */
	size_t equal, rounded, other;
	size_t coarse;         /* of rounded ones, those of blocks or FP8, */
	const char *coarse_types;  /* "Q4_K's blocks", */
	double coarse_most;    /* and the largest difference */
	size_t permuted;       /* equal ones with rows in the right order, */
	size_t disordered;     /* and those with rows in a wrong one */
	size_t turned[2][4];   /* of queries and of keys, those permuted to
				  either order, once or twice, though nothing
				  rotates */
	size_t weights;        /* sentences of different that are about weights
				  alone, as no row rotates */
	size_t unread;         /* of these, whose values posenc does not read */
	size_t only[2];        /* that one of them has, */
	size_t missing[2];     /* and that the other one cannot make again */
	const char *first_other;
	size_t explained;      /* tensors that were compared as tables */
	bool layout;           /* rows of q or k were compared */
};

/* verdict.c: text in memory of the owner; "" if that runs out. */
const char *text_of(struct conversion *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Add a sentence of a tensor, or of none (NULL); of those beyond
 * SENTENCES_MOST, the last one is kept. One of a tensor that is there already
 * counts one more.
 */
void say(struct conversion *c, struct sentences *to, const char *tensor,
	 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Report what was found. */
void verdict_report(struct conversion *c, struct report *r);

/* positions_read.c: read what the configuration of a model says. */
void positions_read(struct conversion *c, struct side *s);

/* positions.c: compare both, and report them. */
void positions_compare(struct conversion *c);
void positions_report(struct conversion *c, struct report *r);

/* Heads, of which n rows are a multiple; of size 0: unknown. */
struct head_layout positions_head(const struct conversion *c, size_t n);

/* The longer context of both, at most 2^40; 1: neither says it. */
double positions_longest(const struct conversion *c);

/* Frequencies that differ by less, relatively, are equal: they are float32. */
#define SAME_FREQUENCY 1e-6

/* rotations.c: whether y [n] differs from x by at most tolerance times the
   absolute value of x. */
bool frequencies_near(const double *x, const double *y, size_t n,
		      double tolerance);

/*
 * Whether both rotate by the same frequencies in contexts of all lengths, and
 * multiply by the same factor. False where posenc rope refuses one of them.
 */
bool rotations_same(struct conversion *c, const struct rotary_positions *a,
		    const struct rotary_positions *b);

/* Check frequencies that one side alone stores with those it rotates by. */
void frequencies_check(struct conversion *c, struct side *s,
		       const struct tensor *one, struct error *err);

/*
 * Note in c->cosines where cosines of two rotations of the same pairs differ:
 * in the longer context, or where only shorter or longer ones differ, there.
 */
void cosines_compare(struct conversion *c, const struct rotary_positions *a,
		     const struct rotary_positions *b);

/* Say that. */
void cosines_say(struct conversion *c);

enum { NAME_ROOM = 200 };

/* names.c: what a tensor of that name [n] holds. */
enum content name_content(const char *name, size_t n);

/*
 * The name in GGUF of a tensor that has name [n] elsewhere: "token_embd.weight"
 * for "model.decoder.embed_tokens.weight". Modules around it that not every
 * model has stay: "tower_a.token_embd.weight". Returns its length; 0: none.
 */
size_t name_in_gguf(const char *name, size_t n, char to[NAME_ROOM]);

/*
 * The same; of several names in GGUF, number which; with halves, the words
 * "encoder" and "decoder" stay: "decoder.token_embd.weight".
 */
size_t name_key(const char *name, size_t n, size_t which, bool halves,
		char to[NAME_ROOM]);

/* Whether one of the names is of an encoder, and the other one of a decoder. */
bool names_of_two_halves(const char *a, const char *b);

/* Bytes of names of modules around the model: 6 of "model.wpe.weight". */
size_t name_wrapped(const char *name, size_t n);

/* Whether a name, or a word of it, is of a part that has layers of its own. */
bool name_of_part(const char *name, size_t n);

/* pairs.c: find the pairs, in the order of A's names: c->pairs. */
bool pairs_find(struct conversion *c);

/* A tensor's name, of either model; that of a part, not of the whole. */
const char *pair_name(const struct pair *p);

/* How the values of two tensors agree. */
struct agreement {
	size_t rows[2], cols[2];
	bool shaped;           /* the shapes are the same; if so: */
	bool rounded;          /* some differ by a rounding to a dtype alone */
	double coarse;         /* the largest difference that the blocks of a
				  type, or FP8, may have made; 0: none */
	size_t differing;      /* others, */
	double largest;        /* and the largest difference */
};

/*
 * values.c: read a tensor of a pair, whose rows may stay in the file:
 * on_demand_check() when they were used. Fails for a dtype that posenc does not
 * read.
 */
bool values_read(struct conversion *c, const struct pair *p, size_t side,
		 struct table *t, struct error *err);

/* Whether a matrix is read transposed: the other one is not [in, out], too. */
bool values_transposed(const struct conversion *c, const struct pair *p,
		       size_t side);

/* An agreement with the shapes of two tables. */
struct agreement values_shapes(const struct table *a, const struct table *b);

/* "its shape is 32 x 64 in A, 64 x 64 in B" */
const char *shapes_words(struct conversion *c, const struct agreement *g);

/* Compare the tensors of a pair. */
bool values_compare(struct conversion *c, const struct pair *p,
		    struct agreement *g, struct error *err);

/* Compare n values x of A, in rows of blocks whole ones, with y of B. */
void values_agree(const struct pair *p, const struct table *a,
		  const struct table *b, const double *x, const double *y,
		  size_t n, struct agreement *g);

/* Count a pair whose values agree so; of the first that differ, say how. */
void count_pair(struct conversion *c, const struct pair *p,
		const struct agreement *g);

/* Whether a tensor of a side has all values of another one. */
bool tensors_equal(struct side *s, const struct tensor *one,
		   const struct tensor *other, struct error *err);

/* tables.c: compare tables of positions, or frequencies. */
void tables_compare(struct conversion *c, const struct pair *p,
		    struct error *err);

/*
 * What posenc compare finds that one tensor of a pair is of the other; NULL:
 * nothing, or some pairs were explained already.
 */
const char *tables_explained(struct conversion *c, const struct pair *p,
			     struct error *err);

/* fused.c: what the configuration says; heads: 0 if it has no such number. */
struct fusion fusion_read(const struct config *of, double heads, double keys);

/* That of a tensor of a side. */
struct fusion fusion_of(const struct side *s, const struct tensor *t);

/* Whether a tensor is a matrix [in, out] of a class that has such. */
bool fusion_columns(const struct side *s, const struct tensor *t);

/* "the query, key and value of each of 4 heads" */
const char *fusion_words(struct conversion *c, const struct fusion *f);

/*
 * Begin to split a tensor of a model into what the other one has in three.
 * False: its order is not known, or shapes do not fit.
 */
bool split_begin(const struct conversion *c, size_t side,
		 const struct tensor *fused, const struct tensor *const of[3],
		 struct split *s);

/* layout.c: compare weights or biases, and the order of their rows. */
void layout_compare(struct conversion *c, const struct pair *p,
		    struct error *err);

/* orders.c: the order of rows of queries, keys and values. */

/* How the rows of A became those of B. */
struct order {
	struct fusion of[2];   /* groups 0: the part alone */
	size_t rows[3];        /* of queries, keys and values */
	size_t first;          /* row of the part that is compared */
	struct head_layout turns[2];  /* of heads of queries and keys, one
				  after the other; dim 0: none */
	struct agreement agreement;  /* of both in this order */
};

/* The weights of both models; a bias is one value per row. */
struct weights {
	const struct pair *pair;
	struct table of[2];
	size_t rows, cols;     /* that are compared */
	bool part;             /* they are one of queries, keys and values */
	size_t late;           /* the side that may be made of the other one */
	double *x, *y;         /* [cols], scratch */
	struct order need;     /* that both models need, */
	struct head_layout heads;  /* and their heads, in the order of B; of
				  size 0: unknown */
	bool vague;            /* it is not known what they need */
};

/*
 * Whether this is the order. All rows are compared, or those before the first
 * that differs.
 */
bool order_try(const struct weights *w, struct order *o, bool all);

/*
 * Find the order: the one that is needed, none, or any other, in the heads
 * or others. False: values differ in all.
 */
bool order_find(const struct weights *w, struct order *o);

/*
 * Find the orders of queries, keys and values of one tensor, each permuted in
 * its own way.
 */
bool order_find_parts(const struct weights *w, struct weights part[3],
		      struct order o[3]);

/* Find the order in which values are much nearer than in any other. */
bool order_find_nearest(const struct weights *w, struct order *best);

/* Set the sizes of the parts of all rows; false: these heads don't fit. */
bool order_set_parts(struct order *o, size_t all, size_t heads, size_t keys);

/* Whether each group of each model has the same rows. */
bool order_fits(const struct order *o);

#endif
