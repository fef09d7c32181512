/*
 * families.c: the rows of families that one engine finds, solve.c. Their order
 * is that of trial: earlier rows win among equals.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "identify/families.h"

/* ---- when a table may be of a family */

static double size(const struct profile *p)
{
	return fmax(fabs(p->min), fabs(p->max));
}

static bool of_integers(const struct profile *p)
{
	return p->integers && p->n == p->table->rows;
}

static bool of_distances(const struct profile *p)
{
	return of_integers(p) && profile_toeplitz(p);
}

static bool of_oblong(const struct profile *p)
{
	return p->n != p->cols && of_distances(p);
}

static bool of_cells(const struct profile *p)
{
	return of_integers(p) && p->n == p->cols && p->min >= 0 &&
	       !profile_toeplitz(p);
}

static bool of_coordinates(const struct profile *p)
{
	return p->finite && p->cols == 2 && p->table->planes > 1;
}

static bool of_same_columns(const struct profile *p)
{
	return p->finite && profile_same_columns(p);
}

/*
 * Two rows have a start and a step whatever they are, and few small integers
 * may be evenly spaced by chance.
 */
static bool of_steps(const struct profile *p)
{
	const double first = p->n < 3 ? 0 : profile_row(p, 0)[0];
	const double more = ((double)p->n - 2) * log2(2 * size(p) + 2);

	if (p->n < 3 || !of_same_columns(p))
		return false;
	return !p->integers || more >= 10 ||
	       ((first == 0 || first == 1) &&
		profile_row(p, 1)[0] - first == 1);
}

/* 0 and 1, or -1 and 1. */
static bool of_two_values(const struct profile *p)
{
	/* One or two rows have a start and a step whatever they hold. */
	if (!p->integers || p->n < 3 || p->max != 1 ||
	    (p->min != 0 && p->min != -1))
		return false;
	for (size_t i = 0; p->min < 0 && i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++)
			if (profile_row(p, i)[j] == 0)
				return false;
	return true;
}

static bool of_bits(const struct profile *p)
{
	return p->cols <= 53 && of_two_values(p);
}

static bool of_buckets(const struct profile *p)
{
	return p->min >= 0 && p->max <= 8192 && of_distances(p) &&
	       profile_row(p, p->n - 1)[p->cols - 1] >= 0;
}

static bool is_causal(const struct profile *p)
{
	const double *x = profile_row(p, 0);

	return x[p->cols - 1] <= 0;
}

static bool of_one_side(const struct profile *p)
{
	return is_causal(p) && of_buckets(p);
}

static bool of_two_sides(const struct profile *p)
{
	return !is_causal(p) && of_buckets(p);
}

static bool of_numbers(const struct profile *p)
{
	return (p->finite || p->masked) && !(p->assumed > 0);
}

/* Biases of planes, or slopes: of one sign. */
static bool of_biases(const struct profile *p)
{
	return (p->finite || p->masked) && p->cols > 1 &&
	       (p->max <= p->assumed || p->min >= -p->assumed);
}

static bool of_finite_biases(const struct profile *p)
{
	return p->finite && of_biases(p);
}

static bool of_heads(const struct profile *p)
{
	return of_finite_biases(p) && p->table->planes > 1;
}

static bool of_masked_biases(const struct profile *p)
{
	return p->masked && p->max <= 0;
}

static bool of_stacked_heads(const struct profile *p)
{
	return of_finite_biases(p) && p->table->planes == 1 &&
	       p->n % p->cols == 0 && p->n > p->cols;
}

static bool of_rows_of_heads(const struct profile *p)
{
	return of_finite_biases(p) && p->table->planes == 1 && p->n > 1;
}

static bool of_slopes(const struct profile *p)
{
	return p->finite && p->min > 0 && (p->n == 1 || p->cols == 1) &&
	       p->n * p->cols <= 1024;
}

/* Biases that fall with the distance from 0. */
static bool of_penalties(const struct profile *p)
{
	const struct table *t = p->table;

	return p->finite && !p->integers && p->max <= p->assumed &&
	       t->cols > 2 && t->rows <= t->cols;
}

/* Biases that are the largest at distance 0. */
static bool of_peaks(const struct profile *p)
{
	const struct table *t = p->table;
	const double *x = profile_row(p, t->rows - 1);
	const double peak = x[t->cols - 1];
	size_t j = 0;

	while (j < t->cols && x[j] <= peak + p->assumed)
		j++;
	return p->finite && !p->integers && t->cols > 2 &&
	       t->rows <= t->cols && peak > 0 && j == t->cols;
}

static bool of_decays(const struct profile *p)
{
	return p->finite && p->n == 1 && p->cols > 2 &&
	       fabs(profile_row(p, 0)[0] - 0.96875) <= p->noise + p->assumed;
}

/* Distances relative to a position: 0 at distance 0. */
static bool of_relative_distances(const struct profile *p)
{
	return p->finite && p->table->planes == 1 && p->cols > 3 &&
	       p->n <= p->cols && p->min >= -p->assumed &&
	       fabs(profile_row(p, p->n - 1)[p->cols - 1]) <= p->assumed;
}

/* RoPE's decay and bound: one column with its largest value at distance 0. */
static bool of_curve(const struct profile *p)
{
	return p->finite && p->cols == 1 && p->n > 3 && !p->integers &&
	       profile_row(p, 0)[0] >= fmax(1, p->max) - p->noise - p->assumed;
}

/* ---- what rows take from a table */

static double planes(const struct profile *p)
{
	return (double)p->table->planes;
}

static double rows(const struct profile *p)
{
	return (double)p->table->rows;
}

static double cols(const struct profile *p) { return (double)p->cols; }
static double all_rows(const struct profile *p) { return (double)p->n; }

static double values(const struct profile *p)
{
	return (double)p->n * (double)p->cols;
}

static double stacked(const struct profile *p)
{
	return (double)(p->n / p->cols);
}

/* The value at distance 0 of the first query, if the last has none ahead. */
static double here(const struct profile *p)
{
	return profile_row(p, 0)[p->cols > p->n ? p->cols - p->n : 0];
}

static double corner(const struct profile *p) { return profile_row(p, 0)[0]; }

/* Keys before the last query, which has those after it behind. */
static double before(const struct profile *p)
{
	const double *x = profile_row(p, p->n - 1);
	size_t n = 0;

	while (n + 1 < p->cols && fabs(x[n]) > 0)
		n++;
	return (double)n;
}

static double after(const struct profile *p)
{
	return (double)p->cols - 1 - before(p);
}

static double past(const struct profile *p)
{
	return fmax(0, before(p) + 1 - (double)p->n);
}

/* T5's buckets of the future come after those of the past. */
static double buckets(const struct profile *p)
{
	const size_t at = (size_t)(before(p) + 1 - fmin(before(p) + 1,
							(double)p->n));
	const double *x = profile_row(p, 0);

	return at + 1 < p->cols ? 2 * (x[at + 1] - 1) : 0;
}

static double buckets_of_past(const struct profile *p) { return p->max + 1; }

static double window_height(const struct profile *p)
{
	return (planes(p) + 1) / 2;
}

static double window_width(const struct profile *p)
{
	return (rows(p) + 1) / 2;
}

/* Sandwich's bias at distance 0 is D H / 16 for the first head. */
static double sandwich_dim(const struct profile *p)
{
	const struct table *t = p->table;

	return rint(16 * profile_row(p, t->rows - 1)[t->cols - 1] / planes(p));
}

/* The bound of RoPE at distance 0 is the mean of 1 to dim / 2. */
static double bound_dim(const struct profile *p)
{
	return 4 * corner(p) - 2;
}

/* Write to the text that a name stands for. */
typedef bool text_of(struct search *s, char **to);

static bool lengths(struct search *s, char **to)
{
	const struct table *t = s->profile->table;

	*to = t->rows == t->cols
		? search_text(s, "len=%zu", t->cols)
		: search_text(s, "query-len=%zu key-len=%zu", t->rows, t->cols);
	return *to;
}

/* The same, or the distances of a single query. */
static bool distances(struct search *s, char **to)
{
	const struct profile *p = s->profile;

	if (p->n > 1)
		return lengths(s, to);
	*to = search_text(s, "distances=-%.0f:%.0f", before(p), after(p));
	return *to;
}

/* The same, with the keys before the first query if that is not the first. */
static bool reach(struct search *s, char **to)
{
	const struct profile *p = s->profile;

	if (distances(s, to) && p->n > 1 && p->n != p->cols)
		*to = search_text(s, "%s past=%.0f", *to, past(p));
	return *to;
}

static bool is_signed(struct search *s, char **to)
{
	*to = search_text(s, "%s", s->profile->min < 0 ? " signed" : "");
	return *to;
}

/* "{1x6|2x3|3x2|6x1}", grids of n cells. */
static bool grids_of(struct search *s, size_t n, char **to)
{
	*to = search_text(s, "{%zux1", n);
	for (size_t w = 2; *to && w <= n; w++)
		if (n % w == 0)
			*to = search_text(s, "%s|%zux%zu", *to, n / w, w);
	*to = *to ? search_text(s, "%s}", *to) : NULL;
	return *to;
}

static bool grids(struct search *s, char **to)
{
	return grids_of(s, s->profile->n, to);
}

/* Of the rows after the first. */
static bool grids_of_rest(struct search *s, char **to)
{
	return s->profile->n > 1 && grids_of(s, s->profile->n - 1, to);
}

/* "start=2 step=1" of the first columns that are not the least value. */
static bool hot(struct search *s, char **to)
{
	const struct profile *p = s->profile;
	double at[2] = { 0 };

	for (size_t i = 0; i < 2; i++)
		for (size_t j = p->cols; j-- > 0;)
			if (profile_row(p, i)[j] > 0)
				at[i] = (double)j;
	*to = search_text(s, "start=%.0f step=%.0f", at[0], at[1] - at[0]);
	return *to;
}

/* The integer whose bits are row i. */
static double decode(const struct profile *p, size_t i, bool lsb, bool gray)
{
	const double *x = profile_row(p, i);
	uint64_t bits = 0;

	for (size_t j = 0; j < p->cols; j++)
		bits = bits << 1 | (x[lsb ? p->cols - 1 - j : j] > 0);
	for (int shift = 32; gray && shift; shift /= 2)
		bits ^= bits >> shift;
	return (double)bits;
}

/* The four ways to write bits, each with its start and step. */
static bool bits(struct search *s, char **to)
{
	const struct profile *p = s->profile;

	*to = search_text(s, "{");
	for (int k = 0; k < 4 && *to; k++) {
		const bool lsb = k % 2, gray = k / 2;
		const double first = decode(p, 0, lsb, gray);
		const double step = decode(p, 1, lsb, gray) - first;

		/* Any few bits are some numbers. */
		if (values(p) - log2(1 + first) - log2(1 + fabs(step)) < 12)
			continue;
		*to = search_text(s, "%s%skind=%s bits=%s start=%.0f step=%.0f",
				  *to, (*to)[1] ? "|" : "",
				  gray ? "gray" : "binary", lsb ? "lsb" : "msb",
				  first, step);
	}
	*to = *to && (*to)[1] ? search_text(s, "%s}", *to) : NULL;
	return *to;
}

/*
 * Swin v2's largest coordinate is log2(1 + 8 (H - 1) / (P - 1)) / 3 if it was
 * pretrained with a window of P.
 */
static bool pretrained(struct search *s, char **to)
{
	const struct profile *p = s->profile;
	const double *x = profile_row(p, p->n - 1);

	*to = search_text(s, "pretrained=%.0fx%.0f",
		1 + 8 * (window_height(p) - 1) / (exp2(3 * x[0]) - 1),
		1 + 8 * (window_width(p) - 1) / (exp2(3 * x[1]) - 1));
	return *to;
}

/* Positions of keys by the first head's slope: "positions=-2,-1,0". */
static bool positions(struct search *s, char **to)
{
	const struct profile *p = s->profile;
	double n = 1;

	while (2 * n <= fmax(planes(p), p->n == rows(p) ? rows(p) : 1))
		n *= 2;
	*to = search_text(s, "positions=%.0f",
			  profile_row(p, 0)[0] / exp2(-8 / n));
	for (size_t j = 1; *to && j < p->cols; j++) {
		const double at = profile_row(p, 0)[j] / exp2(-8 / n);

		if (fabs(at) > 0x1p53 || p->cols > 4096)
			return false;
		*to = search_text(s, "%s,%.0f", *to, at);
	}
	return *to;
}

static const struct name {
	const char *name;
	double (*number)(const struct profile *p);
	text_of *text;         /* or NULL */
} names[] = {
	{ "planes", planes, NULL },
	{ "rows", rows, NULL },
	{ "cols", cols, NULL },
	{ "n", all_rows, NULL },
	{ "values", values, NULL },
	{ "stacked", stacked, NULL },
	{ "far", size, NULL },
	{ "here", here, NULL },
	{ "corner", corner, NULL },
	{ "buckets", buckets, NULL },
	{ "buckets-of-past", buckets_of_past, NULL },
	{ "height", window_height, NULL },
	{ "width", window_width, NULL },
	{ "sandwich-dim", sandwich_dim, NULL },
	{ "bound-dim", bound_dim, NULL },
	{ "lengths", NULL, lengths },
	{ "distances", NULL, distances },
	{ "reach", NULL, reach },
	{ "signed", NULL, is_signed },
	{ "grids", NULL, grids },
	{ "grids-of-rest", NULL, grids_of_rest },
	{ "hot", NULL, hot },
	{ "bits", NULL, bits },
	{ "pretrained", NULL, pretrained },
	{ "positions", NULL, positions },
};

/* ---- the rows */

#define T5 "<reach> max-distance={#2147483647:2|!#2147483647:2 emulate=torch}" \
	" num-buckets="
#define ALIBI "form={symmetric|causal|row} bias-max=?8"

static const struct family families[] = {
	{ "naive", "kind=normalized len=<n> dim=<cols> norm={n|n-1|center} "
	  "start={0|1}", of_same_columns, 0, true, NULL },
	{ "naive", "kind=integer len=<n> dim=<cols> start=~0 step=~1",
	  of_steps, 0, true, NULL },
	{ "naive", "kind=onehot len=<n> dim=<cols> <hot><signed>",
	  of_two_values, 0, true, NULL },
	{ "naive", "len=<n> dim=<cols> <bits><signed>", of_bits, 0, true,
	  NULL },
	{ "relative", "<lengths>{| sign=query-key}"
	  "{| clip=<far> out=distances| clip=<here>}", of_distances, 4, true,
	  NULL },
	{ "relative", "<lengths>{| sign=query-key} align=start"
	  "{| clip=<far> out=distances| clip=<corner>}", of_oblong, 4, true,
	  NULL },
	{ "relative", "<distances> kind=deberta max-position="
	  "{512|!256|!128|!64|!40|!32|!1024|!2048|!4096|!16|!8|!20|!100} "
	  "buckets=#2:4096", of_distances, 4, true, NULL },
	{ "relative", "<lengths> kind=deberta", of_oblong, 4, true, NULL },
	{ "relative", "kind=swin window=<grids>", of_cells, 4, true, NULL },
	{ "relative", "kind=swin cls window=<grids-of-rest>", of_cells, 4, true,
	  NULL },
	{ "relative", "kind=swin out=logcoords window=<height>x<width>"
	  "{|! <pretrained>}", of_coordinates, 4, false, NULL },
	{ "t5-bucket", T5 "<buckets>", of_two_sides, 0, true, NULL },
	{ "t5-bucket", T5 "{<buckets-of-past>|!32|!64|!128|!256|!16|!8|!320} "
	  "causal", of_one_side, 0, true, NULL },
	{ "alibi", "heads=<planes> <lengths> {" ALIBI "|!form=row "
	  "emulate=falcon}", of_finite_biases, 8, false, NULL },
	{ "alibi", "heads=<planes> <lengths> form=masked bias-max=?8",
	  of_masked_biases, 8, false, NULL },
	{ "alibi", "heads=<planes> query-len=<rows> form=row <positions>",
	  of_heads, 8, false, NULL },
	{ "alibi", "heads=<stacked> len=<cols> " ALIBI, of_stacked_heads, 8,
	  false, NULL },
	{ "alibi", "heads=<rows> query-len=1 key-len=<cols> " ALIBI,
	  of_rows_of_heads, 8, false, NULL },
	{ "alibi", "heads=<rows> query-len=1 form=row <positions>",
	  of_rows_of_heads, 8, false, NULL },
	{ "alibi", "heads=<values>{ bias-max=?8|! emulate=falcon}", of_slopes,
	  8, false, NULL },
	{ "alibi", NULL, of_numbers, 0, false, alibi_mistakes },
	{ "retnet", "heads=<cols>", of_decays, 8, false, NULL },
	{ "kerple", "heads=<planes> <lengths> kind={log|!power} r1=?1,... "
	  "r2=?1,... form={symmetric|causal}", of_penalties, 8, false, NULL },
	{ "sandwich", "heads=<planes> <lengths> dim=<sandwich-dim>", of_peaks,
	  8, false, NULL },
	{ "retnet", "heads=<planes> <lengths> normalize={root-sum|none}",
	  of_peaks, 8, false, NULL },
	{ "fire", "<lengths> c=?0.3{|! threshold=0|! threshold=?<cols>|! "
	  "threshold=?8}", of_relative_distances, 8, false, NULL },
	{ "rope", "len=<n> {out=bound dim=<bound-dim>|!out=decay dim={128|!64|"
	  "!96|!80|!256|!192|!48|!32|!16|!8|!4}} base={10000|!500000|!1000000|"
	  "!?10000|!?100|!?1000|!?40000|!?200000}", of_curve, 40, false, NULL },
};

/* The text that a name between < and > stands for, or NULL. */
static char *named(struct search *s, const char *from, size_t length)
{
	char *text = NULL;

	for (size_t k = 0; k < COUNT(names); k++) {
		const struct name *n = &names[k];

		if (strncmp(n->name, from, length) || n->name[length])
			continue;
		if (!n->text)
			return search_text(s, "%.0f", n->number(s->profile));
		return n->text(s, &text) ? text : NULL;
	}
	return NULL;
}

/* Put in what the table tells; NULL: it is none of the family. */
static char *fill(struct search *s, const char *options)
{
	char *text = search_text(s, "%s", "");

	while (text && *options) {
		const size_t plain = strcspn(options, "<");
		const char *end = strchr(options, '>');
		char *name;

		if (!options[plain])
			return search_text(s, "%s%s", text, options);
		name = named(s, options + plain + 1,
			     (size_t)(end - options) - plain - 1);
		text = name ? search_text(s, "%s%.*s%s", text, (int)plain,
					  options, name)
			    : NULL;
		options = end + 1;
	}
	return text;
}

void identify_families(struct search *s)
{
	for (size_t k = 0; k < COUNT(families); k++) {
		const struct family *f = &families[k];
		char *options;

		if (s->verdict || (s->n && !f->ties) || !f->is_for(s->profile))
			continue;
		if (f->mistakes) {
			f->mistakes(s);
			continue;
		}
		options = fill(s, f->options);
		if (options)
			solve_family(s, f, options);
	}
}
