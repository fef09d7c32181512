/* relative.c: distances of queries and keys, or their bucket numbers. */
#include <math.h>
#include <stdio.h>

#include "identify/identify.h"

/* Try distances and Shaw's clipped ones, queries aligned to either end. */
static void try_shaw(struct search *s)
{
	const struct profile *p = s->profile;
	const double far = fmax(fabs(p->min), fabs(p->max));
	char size[64];

	profile_lengths(p, size);
	for (int k = 0; k < (p->n == p->cols ? 2 : 4); k++) {
		const char *sign = k % 2 ? " sign=query-key" : "";
		const char *align = k / 2 ? " align=start" : "";
		const size_t past =
			k / 2 || p->cols < p->n ? 0 : p->cols - p->n;

		if (try_recipe(s, "relative", 4, "%s%s%s", size, sign, align))
			continue;
		try_recipe(s, "relative", 4, "%s clip=%.0f out=distances%s%s",
			   size, far, sign, align);
		try_recipe(s, "relative", 4, "%s clip=%.0f%s%s", size,
			   profile_row(p, 0)[past], sign, align);
	}
}

/*
 * The distance up to which buckets are the distances themselves: where two
 * neighbours are first equal; 0 if there are none.
 */
static double linear_end(const struct profile *p, size_t row)
{
	const double *x = profile_row(p, row);
	size_t at = row;

	while (p->n == 1 && at + 1 < p->cols && x[at] < 0)
		at++;
	for (; at > 0; at--)
		if (fabs(x[at] - x[at - 1]) < 1)
			return fabs(x[at]);
	return 0;
}

/*
 * Try DeBERTa's buckets: the distance itself up to B / 2, logarithmic from
 * there to M, which must be one of the usual values. Logarithms may go on in
 * steps of 1 for less than the square root of M.
 */
static void try_deberta(struct search *s)
{
	static const int most[] = {
		512, 256, 128, 64, 40, 32, 1024, 2048, 4096, 16, 8, 20, 100,
	};
	const struct profile *p = s->profile;
	const double end = linear_end(p, (p->n < p->cols ? p->n : p->cols) - 1);
	char size[64];

	if (p->n == 1)
		snprintf(size, sizeof size, "distances=-%zu:%zu", p->cols / 2,
			 p->cols - 1 - p->cols / 2);
	else
		profile_lengths(p, size);
	if (p->n != p->cols)
		try_recipe(s, "relative", 4, "%s kind=deberta", size);
	for (size_t k = 0; end > 0 && k < sizeof most / sizeof *most; k++)
		for (int less = 0; less * less < most[k]; less++) {
			const double m = end - less;

			if (m < 1 || m >= most[k])
				continue;
			if (try_recipe(s, "relative", 4,
				       "%s kind=deberta "
				       "buckets=%.0f max-position=%d",
				       size, 2 * m, most[k]))
				return;
		}
}

/* Try Swin's table indices for every window of H W cells. */
static void try_swin(struct search *s)
{
	const size_t n = s->profile->n;

	if (n != s->profile->cols)
		return;
	for (size_t cls = 0; cls < 2; cls++)
		for (size_t w = 1; w <= n - cls; w++)
			if ((n - cls) % w == 0)
				try_recipe(s, "relative", 4,
					   "kind=swin window=%zux%zu%s",
					   (n - cls) / w, w, cls ? " cls" : "");
}

/*
 * Try Swin v2's log-spaced coordinates of the (2H - 1) (2W - 1) distances in a
 * window. The largest is log2(1 + 8 (H - 1) / (P - 1)) / 3 if pretrained with
 * a window of P.
 */
static void try_coordinates(struct search *s)
{
	const struct profile *p = s->profile;
	const size_t hh = (p->table->planes + 1) / 2;
	const size_t w = (p->table->rows + 1) / 2;
	const double *x = profile_row(p, p->n - 1);
	char before[64] = "";

	if (fabs(x[0] - log2(9) / 3) > 1e-3 + p->assumed)
		snprintf(before, sizeof before, " pretrained=%.0fx%.0f",
			 1 + 8 * ((double)hh - 1) / (exp2(3 * x[0]) - 1),
			 1 + 8 * ((double)w - 1) / (exp2(3 * x[1]) - 1));
	try_recipe(s, "relative", 4, "kind=swin out=logcoords window=%zux%zu%s",
		   hh, w, before);
}

void identify_relative(struct search *s)
{
	const struct profile *p = s->profile;

	if (p->cols == 2 && p->table->planes > 1)
		try_coordinates(s);

	if (!p->integers || p->n != p->table->rows)
		return;
	if (profile_toeplitz(p)) {
		try_shaw(s);
		try_deberta(s);
	}
	if (!s->n)
		try_swin(s);
}
