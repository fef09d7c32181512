/*
 * embed_sum.c: sums of looked-up rows, positions and segments, scaled and
 * normalized as in the input layer of a model, and their terms; position ids.
 */
#include <math.h>
#include <string.h>

#include "exact/within.h"
#include "text/decimal.h"
#include "recipe/positions.h"
#include "waves/convention.h"
#include "encodings/embed.h"

enum { PART = 256 };  /* elements at a time */

/* What is added, in this order; the first sets the row. */
enum term {
	TERM_SINUSOID, TERM_TOKEN, TERM_SEGMENT, TERM_POSITION, TERM_ADDED,
	TERMS
};

/* The value of row i, from a list for all rows or for one sequence. */
static double listed(const struct embed *s, const struct list *list, size_t i)
{
	return list->at[list->n == s->sequence ? i % s->sequence : i];
}

static double sum_position(const struct embed *s, size_t i)
{
	return s->positions.at ? listed(s, &s->positions, i)
			       : (double)(s->past + i % s->sequence);
}

static double sum_segment(const struct embed *s, size_t i)
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

/* Factor that limits a row to --max-norm, as torch.embedding_renorm_(). */
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

/* The values of a table of one row or one column. */
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

/* Whether a term is among the options. */
static bool has_term(const struct embed *s, enum term term)
{
	const bool has[TERMS] = {
		[TERM_SINUSOID] = s->wave.cols, [TERM_TOKEN] = true,
		[TERM_SEGMENT] = s->segment_table,
		[TERM_POSITION] = s->position_table,
		[TERM_ADDED] = s->add && s->add->row,
	};

	return has[term];
}

/* Write the term to x [dim], for row i of t, which has that id. */
static void add_term(const struct embed *s, enum term term, size_t i, size_t id,
		    double *x)
{
	if (term == TERM_SINUSOID)
		wave_row(&s->wave, F32, sum_position(s, i), x);
	else if (term == TERM_SEGMENT)
		add_row(s->segment_table, (size_t)sum_segment(s, i), x);
	else if (term != TERM_TOKEN)
		add_row(term == TERM_ADDED ? s->add : s->position_table,
			(size_t)sum_position(s, i), x);
	else if (id < s->vocab && id != s->padding)
		add_token(s, id, x);
}

void sum_row(const struct embed *s, size_t i, size_t id, double *x)
{
	memset(x, 0, s->dim * sizeof *x);
	for (enum term term = 0; term < TERMS; term++)
		if (has_term(s, term))
			add_term(s, term, i, id, x);
	if (s->layernorm)
		normalize(s, x);
}

/* What the rows of a term are made of. */
struct term_source {
	const struct embed *s;
	enum term term;
};

static const double *term_row(const struct table *t, size_t i, double *scratch)
{
	const struct term_source *p = t->state;

	memset(scratch, 0, t->cols * sizeof *scratch);
	add_term(p->s, p->term, i, embed_id(p->s, i), scratch);
	return scratch;
}

bool terms_make(const struct embed *s, struct table *t, struct error *err)
{
	/* Tokens first, as in BERT's figure */
	static const enum term order[] = {
		TERM_POSITION, TERM_ADDED, TERM_SINUSOID, TERM_SEGMENT,
		TERM_TOKEN,
	};
	static const char *const names[] = {
		[TERM_SINUSOID] = "sinusoid", [TERM_TOKEN] = "token",
		[TERM_SEGMENT] = "segment", [TERM_POSITION] = "position",
		[TERM_ADDED] = "added",
	};

	_Static_assert((int)TERMS <= BESIDE_MOST, "all are beside one another");
	for (size_t k = 0; k < TERMS && !s->plain && !s->layernorm; k++) {
		struct table *x;
		struct term_source *p;

		if (!has_term(s, order[k]))
			continue;
		x = table_alloc(t, 1, sizeof *x, err);
		p = table_alloc(t, 1, sizeof *p, err);
		if (!x || !p)
			return false;
		*p = (struct term_source){ s, order[k] };
		*x = (struct table){
			.planes = t->planes, .rows = t->rows, .cols = t->cols,
			.dtype = F32, .title = names[order[k]], .state = p,
			.row = term_row, .beside = t->terms,
		};
		t->terms = x;
	}
	return true;
}

#define FACTOR_MOST 1e30

/* A table whose rows are added, and the function that selects them. */
struct addend {
	const struct table *table;
	const char *flag, *what;
	const struct list *list;
	double (*row)(const struct embed *s, size_t i);
};

static bool check_addend(const struct embed *s, const struct addend *a,
			 struct error *err)
{
	const size_t n = a->list->at ? a->list->n : s->sequence;
	char shape[SHAPE_TEXT];

	if (!a->table || !a->table->row)
		return true;
	if (a->table->planes != 1 || a->table->cols != s->dim)
		return fail(err, "--%s: expected shape [%ss, %zu], got %s",
			    a->flag, a->what, s->dim,
			    shape_of(a->table, shape));
	/* Without a list, positions count up: the last is the largest. */
	for (size_t i = a->list->at ? 0 : n - 1; i < n; i++) {
		const double x = a->row(s, i);

		if (!whole_within(x, 0, (double)a->table->rows - 1))
			return fail(err, "%s %.17g at index %zu is out of "
				    "range: --%s has %zu rows, 0 to %zu",
				    a->what, x, i, a->flag, a->table->rows,
				    a->table->rows - 1);
	}
	return true;
}

static bool check_list(const struct embed *s, const struct list *list,
		       const char *flag, struct error *err)
{
	const size_t all = s->batch * s->sequence;

	if (list->at && list->n != s->sequence && list->n != all)
		return fail(err, "--%s: expected %zu values, one per row, got "
			    "%zu", flag, all, list->n);
	return true;
}

static bool check_vector(const struct embed *s, const struct table *t,
			 const char *flag, struct error *err)
{
	char shape[SHAPE_TEXT];

	if (t && (t->planes != 1 || (t->rows != 1 && t->cols != 1) ||
		  t->rows * t->cols != s->dim))
		return fail(err, "--%s: expected %zu values, got %s", flag,
			    s->dim, shape_of(t, shape));
	return true;
}

static bool read_factor(struct embed *s, struct error *err)
{
	s->factor = 1;
	if (!s->multiplier)
		return true;
	if (strcmp(s->multiplier, "sqrt-dim") == 0) {
		s->factor = sqrt((double)s->dim);
		return true;
	}
	if (!parse_real(s->multiplier, &s->factor) ||
	    fabs(s->factor) > FACTOR_MOST)
		return fail(err, "--multiplier: expected sqrt-dim or a number "
			    "between -1e30 and 1e30, got '%.60s'",
			    s->multiplier);
	return true;
}

/* The sinusoid of the paper. */
static bool make_wave(struct embed *s, struct table *t, struct error *err)
{
	const struct convention paper = {
		.dim = s->dim, .base = 10000, .angle_scale = 1
	};

	if (!s->add || s->add->row)
		return true;
	return positions_check(&s->positions, err) &&
	       convention_wave(&paper, &s->wave, t, err);
}

bool sum_prepare(struct embed *s, struct table *t, struct error *err)
{
	const struct addend addends[] = {
		{ s->segment_table, "segment-table", "segment", &s->segments,
		  sum_segment },
		{ s->position_table, "position-table", "position",
		  &s->positions, sum_position },
		{ s->add, "add", "position", &s->positions, sum_position },
	};

	if (!read_factor(s, err) ||
	    !check_list(s, &s->positions, "positions", err) ||
	    !check_list(s, &s->segments, "segments", err))
		return false;
	for (size_t i = 0; i < sizeof addends / sizeof *addends; i++)
		if (!check_addend(s, &addends[i], err))
			return false;
	s->plain = !s->multiplier && !(s->max_norm > 0) && !s->add &&
		   !s->segment_table && !s->position_table && !s->layernorm;
	if (s->plain)
		return true;
	t->dtype = F32;
	t->bounds = BOUNDS_NONE;
	return check_vector(s, s->gamma, "gamma", err) &&
	       check_vector(s, s->beta, "beta", err) && make_wave(s, t, err);
}

bool position_ids_make(const struct embed *s, struct table *t,
		       struct error *err)
{
	const double padding = (double)s->padding_idx.value;
	const struct token_count count = {
		true, padding, padding, padding + 1 + (double)s->past
	};
	double *x;

	if (padding < 0)
		return fail(err, "--padding-idx must be at least 0 with --out "
			    "positions, got %.0f", padding);
	x = table_alloc(t, s->ids.n, sizeof *x, err);
	if (!x)
		return false;
	t->title = "Position ids";
	t->value = "position";
	t->rows = s->batch;
	t->cols = s->sequence;
	t->dtype = I32;
	t->row_axis = axis_of(AXIS_SEQUENCE);
	t->col_axis = (struct axis){ .name = "token", .step = 1 };
	t->lo = padding;
	t->hi = t->lo + (double)s->past + (double)s->sequence;
	t->bounds = BOUNDS_LOOSE;
	for (size_t i = 0; i < s->batch; i++)
		positions_count(&count, s->ids.at + i * s->sequence,
				s->sequence, x + i * s->sequence);
	table_dense(t, x);
	return true;
}
