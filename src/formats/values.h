/* values.h: reads values, as decimal text or as bytes, into a table. */
#ifndef VALUES_H
#define VALUES_H

#include "table/table.h"
#include "text/decimal.h"
#include "files/input.h"

/* Values of a table whose number is not known yet. Initially zero but in, t. */
struct values {
	const struct input_file *in;  /* for messages */
	struct table *t;      /* owns at; allocates nothing else now */
	bool compact;         /* values are float32 */
	union {
		double *at;   /* [n] */
		float *floats;  /* [n] of compact values */
	};
	size_t n, room;       /* values and capacity */
	bool doubles;         /* --dtype says float64 */
	bool fractions;       /* a decimal is not an integer */
	bool more_digits;     /* a decimal has more digits than float32 has */
	size_t inexact;       /* index + 1 of the first integer below 2^64 that
				 float64 can't represent; 0: none */
};

/*
 * Make room for n more values. The capacity doubles, as far as three quarters
 * of the available memory allow; fails if n more values need more than those.
 */
bool values_reserve(struct values *g, size_t n, struct error *err);

/* Append the decimal d with this text. */
bool values_add(struct values *g, const struct decimal *d,
		const char *text, struct error *err);

/*
 * Append plain decimals from s on, at most n, as far as decimals_read() reads
 * them; its result.
 */
const char *values_add_plain(struct values *g, const char *s, const char *stop,
			     char separator, char last, size_t n);

/*
 * The dtype of decimals without --dtype: I32, I64, F32 or F64, to which the
 * reader then rounds them. Fails if all are integers and one can't be
 * represented.
 */
bool values_dtype(const struct values *g, enum dtype *d, struct error *err);

/*
 * Round values to float32 or float64, many at a time. Returns how many were
 * rounded: 0 for other dtypes; fewer than all if a finite value is out of
 * range, when the block that has it and those after it stay.
 */
size_t values_round(const struct values *g, enum dtype d);

/* How a file stores an element. */
struct element {
	char kind;     /* 'f', 'B' bfloat16, 'i', 'u', 'b' bool; of FP8 the
			  bits of the mantissa: '3', '2', '0' */
	size_t size;   /* in bytes */
	bool big;      /* big-endian */
};

/* Convert n values of element e, whose bytes may change, to x. */
void element_load(struct element e, unsigned char *in, size_t n, double *x);

/* Whether it is one that the functions below read. */
bool element_known(struct element e);

/* The bits of the mantissa of FP8; -1: another element. */
int element_mantissa(struct element e);

/* Little-endian values of dtype d. */
struct element element_of(enum dtype d);

/*
 * Give t the shape of a file, 1 to RANK_MOST dimensions, and the dtype for e.
 * Fails if it has no elements or more than any file can hold.
 */
bool binary_shape(const struct input_file *in, struct element e,
		  const size_t *shape, size_t rank, struct table *t,
		  struct error *err);

/* Fail if a file of known size ends before the values of t, which come next. */
bool binary_check(const struct input_file *in, struct element e,
		  const struct table *t, struct error *err);

/*
 * Read the values of t, which come next in the file; or leave them there, if t
 * is on_demand.
 */
bool binary_read(struct input_file *in, struct element e, struct table *t,
		 struct error *err);

/*
 * Read the values of t, whose shape [rank] binary_shape() was given: strides[i]
 * values lie between those of neighbours in dimension i. The first one comes
 * next in the file.
 */
bool binary_read_strided(struct input_file *in, struct element e,
			 const size_t *shape, const size_t *strides,
			 size_t rank, struct table *t, struct error *err);

/* As binary_read(), rows of t->cols values to the end of the file. */
bool binary_read_rows(struct input_file *in, struct element e, struct table *t,
		      struct error *err);

#endif
