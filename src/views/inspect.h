/* inspect.h: the parts of the report that posenc inspect makes of a table. */
#ifndef INSPECT_H
#define INSPECT_H

#include "recipe/report.h"

/* The table, its report, and the measures that the verdict depends on. */
struct inspection {
	const struct table *x;      /* one plane */
	struct report *r;
	size_t shift;               /* rows */

	size_t not_finite;          /* values */
	double largest;             /* |x|, or NaN if every value is NaN */
	size_t repeated;            /* rows equal to an earlier one */
	size_t unusual;             /* rows */
	double invariance;          /* translation invariance, 1 at best */
	double residual;            /* of the shift, 0 at best; or NaN */
	double identity;            /* residual if rows did not change */
};

/* Each adds a group of facts to the report. False: memory ran out. */

/* Shape, dtype, range, mean and deviation; sets not_finite and largest. */
bool inspect_values(struct inspection *s, struct error *err);

/* Norms of rows, repeated rows, unusual rows. */
bool inspect_rows(struct inspection *s, struct error *err);

/* All pairs of rows: nearest rows, translation invariance, monotonicity. */
bool inspect_pairs(struct inspection *s, struct error *err);

/* Singular values, ranks, principal components. */
bool inspect_spectrum(struct inspection *s, struct error *err);

/* The wavelength of each column. */
bool inspect_columns(struct inspection *s, struct error *err);

#endif
