/*
 * rotary.h: frequencies and positions measured from a RoPE table, whatever its
 * columns hold.
 */
#ifndef ROTARY_H
#define ROTARY_H

#include "identify/identify.h"

enum rotary_form { FORM_ANGLES, FORM_COS, FORM_SIN, FORM_BOTH };

/* How columns are read, and what was measured. */
struct rotary {
	const struct profile *profile;
	struct search *search; /* whose time ends the search for positions */
	const char *out;       /* value of rope's --out */
	enum rotary_form form;
	bool interleaved;      /* --pairs interleaved of the -full forms */
	bool sine_first;       /* of FORM_BOTH: columns k stride are sines */
	const char *emulate;   /* " emulate=bf16-all", or NULL */
	double jump;           /* of candidates */
	size_t pairs;
	size_t stride, gap;    /* pair k: columns k stride, k stride + gap */
	double amp;            /* amplitude of sines and cosines */
	double *w, *error;     /* [pairs] frequencies and their errors */
	double *positions;     /* [n], or NULL: the table has none */
	bool evenly_spaced;    /* the positions */
	struct table owner;    /* of what rotary_open() allocates */
};

enum { ROTARY_FORMS = 7 };

/*
 * The ways to read the columns, how many there are; of sinusoids also sines
 * first, whose out is NULL.
 */
size_t rotary_forms(const struct profile *p, bool sinusoids,
		    struct rotary forms[ROTARY_FORMS]);

/* The angle of pair k in row i, unwrapped to be nearest to expected. */
double rotary_angle(const struct rotary *r, size_t i, size_t k,
		    double expected, double *error);

/* Try these ways until one returns true. */
void rotary_each_form(struct search *s, bool sinusoids,
		      bool (*try)(struct search *s, struct rotary *r));

/* One row of frequencies, for the caller to set; false if out of memory. */
bool rotary_of_frequencies(struct rotary *r, struct search *s, size_t pairs);

/* Allocate what is measured; false if out of memory. */
bool rotary_open(struct rotary *r, struct search *s);

/*
 * Measure frequencies, assuming that row 1 is position 1; false if there are
 * none, or row 0 has no position. Sines alone don't determine their amplitude:
 * it is 1, or, if first_is_one, such that the first frequency is 1.
 */
bool rotary_measure(struct rotary *r, bool first_is_one);

/*
 * Refine the frequencies by rows 2, 4, 8, ..., whose angles are powers of two
 * times those of row 1 though positions or angles were rounded.
 */
void rotary_refine(struct rotary *r);

/*
 * Narrow the interval of each frequency, which lies between w and error here,
 * by all rows in which it tells the angle, each of which was rounded by half a
 * unit in its last place, unit times a power of two. Sets w and error.
 */
void rotary_narrow(struct rotary *r, double unit);

/* Assume the unscaled frequencies of a base; false if row 0 has no position. */
bool rotary_assume_base(struct rotary *r, double base);

/*
 * Find the integer position of every row from the fastest pairs, whose
 * frequencies are in w; refines w. False if a row has none.
 */
bool rotary_find_positions(struct rotary *r);

/*
 * Options for evenly spaced positions, if say is set or they are not the
 * defaults, or for a list: " positions=3,1"; NULL: no memory, or no positions.
 */
const char *rope_position_options(struct search *s, const double *at, size_t n,
			   bool even, bool say);

/* Try the base with a scaling, "" or " scaling=ntk:%s" (rope.c). */
bool rope_try_base(struct search *s, const struct rotary *r, double base,
		   const char *scaling, ...)
	__attribute__((format(printf, 4, 5)));

/* Try the base with all frequencies divided by f. */
bool rope_try_linear(struct search *s, const struct rotary *r, double base,
		     double f);

/* Try scalings that divide slow frequencies and keep fast ones (rope.c). */
bool rope_try_by_parts(struct search *s, const struct rotary *r, double base);

/* Whether the frequencies explain the first rows as those of 0, 1, 2, ... */
bool rotary_counts(const struct rotary *r, size_t rows);

/* Try whatever may have made the frequencies r->w, whose errors are known. */
void rotary_try_frequencies(struct search *s, struct rotary *r);

#endif
