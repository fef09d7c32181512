/* relative.c: is it distances of queries and keys, or labels of these? */
#include <math.h>
#include <stdio.h>

#include "identify/families.h"

/* Distances and Shaw's labels, the last query at the last key or not. */
static void try_shaw(struct hunt *h)
{
	const struct sight *s = h->sight;
	const double *x = sight_row(s, 0);
	const double far = fmax(fabs(s->lo), fabs(s->hi));
	char size[64];

	sight_lengths(s, size);
	for (int k = 0; k < (s->n == s->cols ? 2 : 4); k++) {
		const char *sign = k % 2 ? " sign=query-key" : "";
		const char *align = k / 2 ? " align=start" : "";
		const size_t past = k / 2 || s->cols < s->n ? 0
							    : s->cols - s->n;

		if (hunt_guess(h, "relative", 4, "%s%s%s", size, sign, align))
			continue;
		hunt_guess(h, "relative", 4, "%s clip=%.0f out=distances%s%s",
			   size, far, sign, align);
		hunt_guess(h, "relative", 4, "%s clip=%.0f%s%s", size, x[past],
			   sign, align);
	}
}

/*
 * How far labels are the distances themselves, from the middle of a row out to
 * where two are the same; 0 where that is nowhere.
 */
static double linear_end(const struct sight *s, size_t row)
{
	const double *x = sight_row(s, row);
	size_t at = row;

	while (s->n == 1 && at + 1 < s->cols && x[at] < 0)
		at++;
	for (; at > 0; at--)
		if (fabs(x[at] - x[at - 1]) < 1)
			return fabs(x[at]);
	return 0;
}

/*
 * DeBERTa's buckets: r as it is to B / 2, by logarithms from there to M, which
 * is a usual number.
 */
static void try_deberta(struct hunt *h)
{
	static const int most[] = {
		512, 256, 128, 64, 40, 32, 1024, 2048, 4096, 16, 8, 20, 100,
	};
	const struct sight *s = h->sight;
	const double end = linear_end(s, (s->n < s->cols ? s->n : s->cols) - 1);
	char size[64];

	if (s->n == 1)
		snprintf(size, sizeof size, "distances=-%zu:%zu", s->cols / 2,
			 s->cols - 1 - s->cols / 2);
	else
		sight_lengths(s, size);
	if (s->n != s->cols)
		hunt_guess(h, "relative", 4, "%s kind=deberta", size);
	for (size_t k = 0; end > 0 && k < sizeof most / sizeof *most; k++)
		for (int less = 0; less < 8; less++) {
			const double m = end - less;

			if (m < 1 || m >= most[k])
				continue;
			if (hunt_guess(h, "relative", 4, "%s kind=deberta "
				       "buckets=%.0f max-position=%d", size,
				       2 * m, most[k]))
				return;
		}
}

/* The labels of a window's cells: H W of them, of every factoring. */
static void try_swin(struct hunt *h)
{
	const size_t n = h->sight->n;

	if (n != h->sight->cols)
		return;
	for (size_t cls = 0; cls < 2; cls++)
		for (size_t w = 1; w <= n - cls; w++)
			if ((n - cls) % w == 0)
				hunt_guess(h, "relative", 4,
					   "kind=swin window=%zux%zu%s",
					   (n - cls) / w, w,
					   cls ? " cls" : "");
}

/*
 * Swin v2's coordinates of the (2H - 1) (2W - 1) distances of a window; the
 * greatest is log2(1 + 8 (H - 1) / (P - 1)) / 3 for a window P before.
 */
static void try_coordinates(struct hunt *h)
{
	const struct sight *s = h->sight;
	const size_t hh = (s->table->planes + 1) / 2;
	const size_t w = (s->table->rows + 1) / 2;
	const double *x = sight_row(s, s->n - 1);
	char before[64] = "";

	if (fabs(x[0] - log2(9) / 3) > 1e-3)
		snprintf(before, sizeof before, " pretrained=%.0fx%.0f",
			 1 + 8 * ((double)hh - 1) / (exp2(3 * x[0]) - 1),
			 1 + 8 * ((double)w - 1) / (exp2(3 * x[1]) - 1));
	hunt_guess(h, "relative", 4, "kind=swin out=logcoords window=%zux%zu%s",
		   hh, w, before);
}

void identify_relative(struct hunt *h)
{
	const struct sight *s = h->sight;

	if (s->cols == 2 && s->table->planes > 1)
		try_coordinates(h);

	if (!s->whole || s->n != s->table->rows)
		return;
	if (sight_toeplitz(s)) {
		try_shaw(h);
		try_deberta(h);
	}
	if (!h->n)
		try_swin(h);
}
