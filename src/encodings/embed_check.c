/* embed_check.c: whether what is added to the rows fits them. */
#include <math.h>
#include <string.h>

#include "core/convention.h"
#include "core/parse.h"
#include "core/positions.h"
#include "core/within.h"
#include "encodings/embed.h"

#define FACTOR_MOST 1e30

/* A table whose rows are added: which of them, by what, for each row. */
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
		return fail(err, "--%s must be [%ss, %zu], not %s", a->flag,
			    a->what, s->dim, shape_of(a->table, shape));
	/* Without a list they count up. */
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
		return fail(err, "--%s must have a number for each of the %zu "
			    "rows, not %zu", flag, all, list->n);
	return true;
}

static bool check_vector(const struct embed *s, const struct table *t,
			 const char *flag, struct error *err)
{
	char shape[SHAPE_TEXT];

	if (t && (t->planes != 1 || (t->rows != 1 && t->cols != 1) ||
		  t->rows * t->cols != s->dim))
		return fail(err, "--%s must have %zu numbers, not %s", flag,
			    s->dim, shape_of(t, shape));
	return true;
}

static bool check_together(const struct embed *s, struct error *err)
{
	if (s->positions.at && s->past)
		return fail(err, "--positions and --past exclude each other");
	if (s->past && !s->position_table && !s->add)
		return fail(err, "--past needs --position-table or --add");
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
		return fail(err, "--multiplier must be sqrt-dim or a number "
			    "within 1e30, not '%.60s'", s->multiplier);
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
	for (size_t i = 0; s->positions.at && i < s->positions.n; i++)
		if (fabs(s->positions.at[i]) > POSITION_MOST)
			return fail(err, "--positions must be from -2^53 to "
				    "2^53, not %.17g", s->positions.at[i]);
	return convention_wave(&paper, &s->wave, t, err);
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

	if (!read_factor(s, err) || !check_together(s, err) ||
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
