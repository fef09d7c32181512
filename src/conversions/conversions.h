/*
 * src/conversions/: posenc compare of two models: are they conversions of one?
 *
 *   conversions.h    a model's side, pairs of tensors, and what was found
 *   compare_models.c the command: the verdict and the report
 *   paths.c          which paths name models
 *   pairs.c          tensors of both models that are the same one
 *   names.c          their names in different projects
 *   split.c          queries, keys and values of one tensor
 *   positions_read.c what the configurations mean
 *   positions.c      how that differs
 *   layout.h         the order of rows of query and key weights (layout.c),
 *                    and of those with values in one tensor (fused.c)
 *   tables.c         tables of positions, and frequencies
 *   frequencies.c    those that a model rotates by, and that it stores
 *   missing.c        tensors of one model alone
 *   values.c         the values of a pair of tensors
 *
 * A model is a folder, a GGUF file or another file of many tensors. This folder
 * includes compare, model, containers and the folders below them.
 */
#ifndef CONVERSIONS_H
#define CONVERSIONS_H

#include "checkpoint/checkpoint.h"
#include "model/rotary.h"
#include "recipe/report.h"

enum { NAME_ROOM = 200 };

/* What a tensor holds, as its name says. */
enum content {
	CONTENT_OTHER,
	CONTENT_HEADS,         /* weights or biases of queries or keys */
	CONTENT_FUSED,         /* the same with others in one tensor */
	CONTENT_NORMS,         /* factors of the values of queries or keys:
				  compared as one of the above, or as other */
	CONTENT_POSITIONS,     /* a table of positions, or of biases */
	CONTENT_FREQUENCIES,   /* of rotary pairs */
	CONTENT_FACTORS,       /* divisors of them, in GGUF */
};

/*
 * names.c: the name in GGUF of a tensor that has name [n] elsewhere, of
 * "model.decoder.embed_tokens.weight" "token_embd.weight", after the modules
 * around it that are not of every model: "tower_a.token_embd.weight". Its
 * length; 0: none.
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

/* Whether a program makes such a tensor again, so that a file may lack it. */
bool name_derived(const char *name, size_t n);

/* What a tensor of that name holds. */
enum content name_content(const char *name, size_t n);

/* The positions of a model's layers of a type. */
struct layer_positions {
	const char *type;      /* "full_attention"; NULL: all layers */
	const char *kind;      /* "rotary", "learned", "none" */
	const char *unknown;   /* why they are not known, or NULL */
	bool rotary;           /* they rotate, and it is known how: */
	struct rotary_positions r;
	const char *mask;      /* "causal", "window:512"; NULL: unknown */
	const char *commands;  /* of other kinds: that make their tables */
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
	double keys;           /* heads of keys; 0: not given as a number */
	double heads, layers, image, patch;  /* the same of other sizes */
};

/* One of the two models. */
struct side {
	const char *letter;    /* "A" */
	const char *path;      /* as given */
	struct checkpoint model;
	bool open;             /* model is */
	bool alone;            /* a configuration without tensors */
	struct model_positions positions;
};

/* How the values of two tensors agree. */
struct agreement {
	size_t rows[2], cols[2];
	bool shaped;           /* the shapes are the same; if so: */
	bool rounded;          /* some differ by a rounding to a dtype alone */
	size_t differing;      /* others, */
	double largest;        /* and the largest difference */
};

/* The order of queries, keys and values, of all heads, in one tensor. */
enum fusion {
	FUSED_UNKNOWN,
	FUSED_PARTS,           /* rows: all queries, all keys, all values */
	FUSED_COLUMNS,         /* columns in this order */
	FUSED_GROUPS,          /* queries, a key and a value of each group */
};

/* A part of such a tensor; of no other tensor if fusion is FUSED_UNKNOWN. */
struct split {
	enum fusion fusion;
	size_t side;           /* the model that has all in one tensor */
	size_t sizes[3];       /* rows of queries, keys and values */
	size_t part;           /* 0 to 2, of them */
	size_t head;           /* the size of one */
};

/* A tensor of each model; NULL where one has none. */
struct pair {
	const struct tensor *of[2];
	enum content content;
	struct split split;
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

/* The comparison of two models, and what was found. */
struct conversion {
	struct side sides[2];
	struct pair *pairs;    /* [n] */
	size_t n;
	struct table *owner;   /* of all text */
	struct error *err;

	/* Why positions differ; why it is not known whether they do; and what
	   else there is to say. */
	struct sentences different, unknown, also;

	const char *lengths;   /* how lengths of contexts differ; NULL: they
				  don't, or are not known */
	const char *layers;    /* the same of numbers of layers */

	/* Tensors that both have: */
	size_t equal, rounded, other;
	size_t permuted;       /* equal ones with rows in the right order, */
	size_t disordered;     /* and those with rows in a wrong one */
	size_t unread;         /* of these, whose values posenc does not read */
	size_t only[2];        /* that one of them has, */
	size_t missing[2];     /* and that the other one cannot make again */
	const char *first_other;
	size_t explained;      /* tensors that were compared as tables */
	bool layout;           /* rows of q or k were compared */
};

/* Text in memory of the owner; "" if that runs out. */
const char *text_of(struct conversion *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Add a sentence; or one of a tensor: if it is said already, one more. */
void say(struct conversion *c, struct sentences *to, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void say_of(struct sentences *to, const char *tensor, const char *text);

/* Read what the configuration of a side says; compare both. */
void positions_read(struct conversion *c, struct side *s);
void positions_compare(struct conversion *c);

/*
 * The kind of a model's positions that a configuration does not tell in full,
 * as tables are learned, or posenc has no command for some; NULL: none.
 */
const char *positions_untold(const struct side *s);

/* Report the positions of both. */
void positions_report(struct conversion *c, struct report *r);

/* The size of heads, of which n rows are a multiple; 0: unknown. */
size_t positions_head(const struct conversion *c, size_t n);

/*
 * Whether a model rotates, and it is known how; then, whether dimensions 2k and
 * 2k + 1 rotate together, not halves.
 */
bool positions_rotate(const struct side *s, bool *interleaved);

/* The rows of position 0 in learned tables, if both models say them. */
bool positions_first(const struct conversion *c, size_t first[2]);

/*
 * Whether keys of n rows have the heads that the configuration says; if it is
 * known, else true. *head: their size.
 */
bool positions_keys(const struct side *s, size_t n, size_t *head);

/* The same of both models. */
bool positions_orders(const struct conversion *c, bool interleaved[2]);

/* Count a pair whose values agree so. */
void count_pair(struct conversion *c, const struct pair *p,
		const struct agreement *g);

/*
 * split.c: begin to split a tensor of a model into what the other one has in
 * three. False: its order is not known, or shapes do not fit.
 */
bool split_begin(const struct conversion *c, size_t side,
		 const struct tensor *fused, const struct tensor *const of[3],
		 struct split *s);

/* Make t, the whole tensor, its part; values of columns are in memory. */
bool split_take(const struct split *s, struct table *t, struct error *err);

/* on_demand_check() of a table that may be a part. */
bool split_check(const struct table *t, struct error *err);

/* pairs.c: find the pairs of tensors, in the order of A's names. */
bool pairs_find(struct conversion *c);

/* A tensor's name, of either model; that of a part, not of the whole. */
const char *pair_name(const struct pair *p);

/* values.c: whether the type of a tensor is read, as far as that is known. */
bool values_readable(const struct tensor *t);

/*
 * Read a tensor of a pair, whose rows may stay in the file: split_check() when
 * they were used. Fails for a dtype that posenc does not read.
 */
bool values_read(struct conversion *c, const struct pair *p, size_t side,
		 struct table *t, struct error *err);

/* Give a bias, which is one row, a row for each value. */
void values_turn_bias(struct table *t);

/* Whether the shapes are the same. */
bool values_shaped(const struct table *a, const struct table *b);

/* An agreement with the shapes of two tables. */
struct agreement values_shapes(const struct table *a, const struct table *b);

/* "its shape is 32 x 64 in A, 64 x 64 in B" */
const char *shapes_words(struct conversion *c, const struct agreement *g);

/* Whether a tensor of a side has all values of another one. */
bool tensors_equal(struct side *s, const struct tensor *one,
		  const struct tensor *other, struct error *err);

/* Compare the tensors of a pair. */
bool values_compare(struct conversion *c, const struct pair *p,
		    struct agreement *g, struct error *err);

/* Compare n values x of A, in rows of Q8_0 whole ones, with y of B. */
void values_agree(const struct pair *p, const struct table *a,
		  const struct table *b, const double *x, const double *y,
		  size_t n, struct agreement *g);

/* layout.c: compare query or key weights, and the order of their rows. */
void layout_compare(struct conversion *c, const struct pair *p,
		    struct error *err);

/* fused.c: the same of queries, keys and values in one tensor. */
void fused_compare(struct conversion *c, const struct pair *p,
		   struct error *err);

/* tables.c: compare tables of positions, and frequencies. */
void tables_compare(struct conversion *c, const struct pair *p,
		    struct error *err);

/*
 * What posenc compare finds that one tensor of a pair is of the other; NULL:
 * nothing, or some pairs were explained already.
 */
const char *tables_explained(struct conversion *c, const struct pair *p,
			     struct error *err);

/* Frequencies that differ by less, relatively, are equal: they are float32. */
#define SAME_FREQUENCY 1e-6

/* frequencies.c: whether y [n] differs from x by up to tolerance times x. */
bool frequencies_near(const double *x, const double *y, size_t n,
		      double tolerance);

/*
 * Whether both rotate by the same frequencies (out "freqs") in a context of
 * that length; or multiply by the same factor, which cosines of position 0 are
 * (out "cos"). False where posenc rope refuses one of them.
 */
bool frequencies_same(struct conversion *c, const struct rotary_positions *a,
		      const struct rotary_positions *b, double length,
		      const char *out);

/* Check frequencies that one side alone stores with those it rotates by. */
void frequencies_check(struct conversion *c, struct side *s,
		       const struct pair *p, struct error *err);

/* missing.c: what it means that a tensor is in one model alone. */
void note_missing(struct conversion *c, const struct pair *p);

#endif
