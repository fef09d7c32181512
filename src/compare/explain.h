/*
 * explain.h: the search for an explanation: changes of A that are compared with
 * B. A change has an inverse, or leaves little: it is undone, what remains is
 * compared, and the best is named. explain.c compares; explain_orders.c,
 * explain_values.c, explain_shapes.c and explain_resized.c say which changes
 * there are. An explanation is a function there and a line in EXPLANATIONS.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <stdint.h>

#include "compare/compare.h"
#include "views/permute.h"

#define NOWHERE SIZE_MAX  /* B has something there that A has not */

enum { PLANES, ROWS, COLUMNS, AXES };

extern const char *const axis_word[AXES];  /* "plane" */

/* Where index i of an axis of B is in A. */
struct index_map {
	size_t (*source)(const struct index_map *m, size_t i);
	size_t n;                /* indices of B; try_map() sets it */
	size_t hint;             /* an index that distinguishes this map */
	long first, by;          /* parameters of source() */
	size_t outer, p, q, inner;
	struct head_layout heads;
	const double *order;     /* [n], in place of source(); or NULL */
};

/* first + i * by, if that is one of 0 to n - 1. */
size_t stepped_source(const struct index_map *m, size_t i);

/*
 * B = factor * A + offset, with indices mapped, then clipped and rounded. What
 * is NULL changes nothing.
 */
struct change {
	const struct index_map *maps[AXES];
	double factor, offset;
	const double *own;          /* [n] a number of each row or column, */
	int axis;                   /* of this axis: a factor, too, */
	bool adds;                  /* or an addend */
	double low, high;
	enum dtype rounded;         /* F64: not rounded */
	bool back;                  /* A is the rounded one */
	double needed;              /* bits of evidence, as it is one of many
				       changes, or leaves rows unexplained */
};

/* No change at all, to set fields of. */
#define NO_CHANGE .factor = 1, .rounded = F64, \
	.low = -(double)INFINITY, .high = (double)INFINITY

/* Bits of evidence that any explanation needs. */
#define CHANCE 4

/*
 * Whether tables agree beside their largest values: a limit that is a share of
 * these lets any small values pass. Zeros and the largest are not counted.
 */
struct evidence {
	const struct table *of;     /* the scale is of this table; or NULL */
	double largest;             /* finite magnitude */
	double scale;               /* about the median of the others */
	size_t n, near;             /* values so far; those that agree */
};

struct explainer {
	const struct comparison *c;
	struct explanation *best;
	struct table *owner;
	struct error *err;
	const struct table *a, *b;  /* A, or one that was made of it, and B; or
				       inversely, to find A in B */
	const char *made;           /* "transposed", of such an A; or "" */
	size_t shape_a[AXES], shape_b[AXES];
	bool alike;                 /* they have one shape */
	bool found;
	double limit;               /* of the residual */
	double most_tolerated;      /* whatever the tolerance is */
	struct evidence evidence;
	double bits_a, bits_b;      /* log2 of the number of distinct values */
	bool tie;                   /* the last change is exact, as the best */
	struct explanation spare;   /* takes the facts of such a change */
	struct sums *sums;          /* of a and b (explain_values.c); or NULL */
	size_t *columns;            /* scratch [columns of B] */
	size_t work;                /* values compared */
};

/* Take a and b as the tables to compare. */
void explainer_compare(struct explainer *e, const struct table *a,
		       const struct table *b);

/* Whether an explanation with residual 0 was found. */
bool explained_exactly(const struct explainer *e);

/* Whether the residual of values v of A and b of B is not too large. */
bool value_explained(const struct explainer *e, double v, double b,
		     double residual);

/*
 * Compare the change with B. True if it leaves less than the best explanation:
 * the caller says what it is. Also true for one more exact explanation, which
 * explained() lists under "also".
 */
bool try_change(struct explainer *e, const struct change *x);

/* The same for a map of one axis, which is one of 2^bits. */
bool try_map(struct explainer *e, int axis, struct index_map *m, double bits);

/* What the change leaves; infinite if that is too much, or chance. */
double change_residual(struct explainer *e, const struct change *x);

/* try_change() for a known residual: true for 0, never if it is infinite. */
bool try_residual(struct explainer *e, double residual);

/* Whether it holds for all pairs of values, first for those that differ most */
bool all_values(const struct explainer *e,
		bool (*holds)(void *self, double a, double b), void *self);

/* Begin to count evidence for b. */
void evidence_begin(struct explainer *e, const struct table *b);

/* Count a pair of values, which differ by d. */
void evidence_add(struct explainer *e, double a, double b, double d);

/* A residual; infinite if it is not 0 and too many of the values differ. */
double evident_residual(const struct explainer *e, double residual);

/* What the change is that was tried last; returns where to add facts. */
struct explanation *explained(struct explainer *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Set the command that makes x, however long the paths in it are. */
void explained_by(struct explainer *e, struct explanation *x,
		  const char *format, ...)
	__attribute__((format(printf, 3, 4)));

enum { LISTED = 6 };

/* "1, 3, 5, ...": the first LISTED of x [n]. */
const char *index_list(const double *x, size_t n, char text[SENTENCE]);

/* Count n compared values; false when there were too many. */
bool spend(struct explainer *e, size_t n);

void *explainer_alloc(struct explainer *e, size_t n, size_t size);

/* Of x at a place: equal for equal values, for 0 and -0, and for all NaN. */
uint64_t value_hash(double x, size_t place);

/* When an explanation is tried: */
enum {
	UNLIKE = 1,   /* also if shapes differ */
	MADE = 2,     /* also after A was transposed */
	INEXACT = 4,  /* only while none is exact */
	UNFOUND = 8,  /* only while there is none */
};

/*
 * In this order: where several leave the same difference, the first is named.
 * Each is a function that tries changes.
 */
#define EXPLANATIONS(EXPLANATION) \
	EXPLANATION(arranged, UNLIKE) \
	EXPLANATION(part, UNLIKE) \
	EXPLANATION(left_out, UNLIKE | INEXACT) \
	EXPLANATION(columns, MADE) \
	EXPLANATION(heads, MADE) \
	EXPLANATION(rounded, MADE) \
	EXPLANATION(truncated, INEXACT) \
	EXPLANATION(decimals, INEXACT) \
	EXPLANATION(sign, MADE) \
	EXPLANATION(scaled, MADE | INEXACT) \
	EXPLANATION(reversed_rows, MADE) \
	EXPLANATION(replaced_value, 0) \
	EXPLANATION(signs, INEXACT) \
	EXPLANATION(offset, MADE) \
	EXPLANATION(cells, INEXACT) \
	EXPLANATION(regrouped, MADE | INEXACT) \
	EXPLANATION(permuted, INEXACT) \
	EXPLANATION(repeated_rows, 0) \
	EXPLANATION(shifted_rows, 0) \
	EXPLANATION(affine, UNFOUND) \
	EXPLANATION(own_numbers, UNFOUND) \
	EXPLANATION(clipped, UNFOUND) \
	EXPLANATION(transposed, UNLIKE | UNFOUND) \
	EXPLANATION(resized, UNLIKE)

#define EXPLANATION(name, when) void explain_##name(struct explainer *e);
EXPLANATIONS(EXPLANATION)
#undef EXPLANATION

/* Try those that suit e->a, which may be made of A. */
void explain_all(struct explainer *e);

#endif
