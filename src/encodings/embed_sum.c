/*
 * embed_sum.c: what models make of the rows they look up: scaled, positions
 * and segments added, normalized.
 */
#include <math.h>
#include <string.h>

#include "encodings/embed.h"

enum { PART = 256 };  /* elements at a time */

/* A number of row i's token in a list for each token, or for a sequence. */
static double listed(const struct embed *s, const struct list *list, size_t i)
{
	return list->at[list->n == s->sequence ? i % s->sequence : i];
}

double sum_position(const struct embed *s, size_t i)
{
	return s->positions.at ? listed(s, &s->positions, i)
			       : (double)(s->past + i % s->sequence);
}

double sum_segment(const struct embed *s, size_t i)
{
	return s->segments.at ? listed(s, &s->segments, i) : 0;
}

static const double *token_part(const struct embed *s, size_t id,
				size_t first, size_t n, double *x)
{
	if (s->table)
		return s->table->row(s->table, id, NULL) + first;
	return draw_part(s, id, first, n, x);
}

/* What shortens a row to --max-norm, as torch.embedding_renorm_() does. */
static double shortening(const struct embed *s, size_t id)
{
	double part[PART], squares = 0, norm;

	for (size_t j = 0; j < s->dim; j += PART) {
		const size_t n = s->dim - j < PART ? s->dim - j : PART;
		const double *x = token_part(s, id, j, n, part);

		for (size_t k = 0; k < n; k++)
			squares += x[k] * x[k];
	}
	norm = sqrt(squares);
	return norm > s->max_norm ? s->max_norm / (norm + 1e-7) : 1;
}

static void add_token(const struct embed *s, size_t id, double *x)
{
	double part[PART], factor = s->factor;

	if (s->max_norm > 0)
		factor *= shortening(s, id);
	for (size_t j = 0; j < s->dim; j += PART) {
		const size_t n = s->dim - j < PART ? s->dim - j : PART;
		const double *y = token_part(s, id, j, n, part);

		for (size_t k = 0; k < n; k++)
			x[j + k] += factor * y[k];
	}
}

static void add_row(const struct table *t, size_t i, double *x)
{
	const double *y = t->row(t, i, NULL);

	for (size_t j = 0; j < t->cols; j++)
		x[j] += y[j];
}

/* Numbers that lie in a row or a column. */
static const double *vector(const struct table *t)
{
	return t ? t->row(t, 0, NULL) : NULL;
}

/* Ba, Kiros and Hinton 2016, arXiv:1607.06450, with the biased variance. */
static void normalize(const struct embed *s, double *x)
{
	const double *gamma = vector(s->gamma), *beta = vector(s->beta);
	const double n = (double)s->dim;
	double mean = 0, variance = 0, root;

	for (size_t j = 0; j < s->dim; j++)
		mean += x[j];
	mean /= n;
	for (size_t j = 0; j < s->dim; j++)
		variance += (x[j] - mean) * (x[j] - mean);
	root = sqrt(variance / n + s->eps);
	for (size_t j = 0; j < s->dim; j++)
		x[j] = (x[j] - mean) / root * (gamma ? gamma[j] : 1) +
		       (beta ? beta[j] : 0);
}

void sum_row(const struct embed *s, size_t i, size_t id, double *x)
{
	if (s->wave.cols)
		wave_row(&s->wave, sum_position(s, i), x);
	else
		memset(x, 0, s->dim * sizeof *x);
	if (id < s->vocab && id != s->padding)
		add_token(s, id, x);
	if (s->segment_table)
		add_row(s->segment_table, (size_t)sum_segment(s, i), x);
	if (s->position_table)
		add_row(s->position_table, (size_t)sum_position(s, i), x);
	if (s->add && s->add->row)
		add_row(s->add, (size_t)sum_position(s, i), x);
	if (s->layernorm)
		normalize(s, x);
}
