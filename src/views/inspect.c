/* inspect.c: a report on any table. */
#include <math.h>

#include "core/recipe.h"
#include "views/inspect.h"
#include "views/similar.h"

struct inspect {
	bool check;
	size_t shift;
};

/* What passes; tables in 16 bits do. */
#define INVARIANCE_LEAST 0.99
#define RESIDUAL_MOST 0.01

enum { ROWS_MOST = 4096 };

static const struct option inspect_options[] = {
	{ OPTION(struct inspect, check),
	  .help = "exit 1 if one of the desiderata fails" },
	{ OPTION(struct inspect, shift), .initial = "1", .min = 1,
	  .max = ROWS_MOST - 1, .arg = "PHI",
	  .help = "rows that the shift moves on, as posenc shift --by PHI" },
	{0}
};

static void judge(struct inspection *s, size_t *passed, const char *name,
		  bool pass, double measure, const char *what)
{
	*passed += pass;
	report_verdict(s->r, name, pass, measure, what);
}

/* What an encoding should be, each with what was measured; how many hold. */
static size_t judge_all(struct inspection *s)
{
	size_t passed = 0;

	report_group(s->r, "desiderata");
	judge(s, &passed, "deterministic", s->not_finite == 0,
	      (double)s->not_finite, "numbers that are not finite (0)");
	judge(s, &passed, "unique", s->repeated == 0, (double)s->repeated,
	      "rows that repeat an earlier one (0)");
	judge(s, &passed, "equidistant", s->invariance >= INVARIANCE_LEAST,
	      s->invariance, "translation invariance (0.99 or more)");
	judge(s, &passed, "bounded", s->largest <= 1, s->largest,
	      "the largest number, without sign (1 or less)");
	judge(s, &passed, "any_length", s->residual <= RESIDUAL_MOST,
	      s->residual, "shift residual: rows go on by one rule (0.01 or "
	      "less)");
	return passed;
}

/* What takes finite numbers, and time that grows with the rows' square. */
static bool inspect_finite(struct inspection *s, struct error *err)
{
	const struct table *const whole = s->x;
	struct table first = *whole;
	bool good;

	if (s->not_finite)
		return true;
	if (first.rows > ROWS_MOST) {
		first.rows = ROWS_MOST;
		report_text(s->r, "from_here", "of the first %d rows only",
			    ROWS_MOST);
	}
	s->x = &first;
	good = similar_check(s->x, err) &&
	       (s->x->rows < 2 || inspect_pairs(s, err)) &&
	       svd_open(&s->svd, s->x, s->shift, s->r->owner, err) &&
	       inspect_shift(s, err);
	if (good)
		inspect_spectrum(s);
	good = good && inspect_columns(s, err);
	s->x = whole;
	return good;
}

static bool inspect_report(void *self, const struct table *inputs,
			   struct report *r, struct error *err)
{
	const struct inspect *o = self;
	struct inspection s = {
		.x = inputs, .r = r, .shift = o->shift,
		.invariance = (double)NAN, .residual = (double)NAN,
	};
	size_t passed;

	if (s.x->planes != 1)
		return fail(err, "TABLE has %zu planes: --head H picks one",
			    s.x->planes);
	if (s.x->rows > 1 && s.shift >= s.x->rows)
		return fail(err, "--shift must be less than the rows of TABLE, "
			    "%zu, not %zu", s.x->rows, s.shift);
	inspect_numbers(&s);
	if (!inspect_rows(&s, err) || !inspect_finite(&s, err))
		return false;
	passed = judge_all(&s);
	r->no = o->check && passed < 5;
	report_headline(r, "%zu x %zu %s: %zu of 5 desiderata hold, %zu odd "
			"row%s", s.x->rows, s.x->cols, dtype_name(s.x->dtype),
			passed, s.odd, s.odd == 1 ? "" : "s");
	return true;
}

const struct recipe inspect_recipe = {
	.name = "inspect",
	.summary = "a report on any table",
	.about =
"Row norms; odd rows: repeated, zeros, constant, far longer or shorter than\n"
"most, unlike their neighbours (medians say what is usual). Of rows x_i:\n"
"\n"
"  translation invariance = 1 - sum (G[i, j] - mean of its diagonal)^2 /\n"
"                               sum (G[i, j] - mean of G)^2,  G = X X^T\n"
"  monotonicity           = how often cos(x_i, x_j+1) < cos(x_i, x_j), j >= i\n"
"  shift residual         = |Z[t + PHI] - Z[t] C| / |Z[t + PHI]|\n"
"\n"
"where Z has columns in pairs, a + ib, and C one factor for each. The best C\n"
"turns by angles: of a sinusoid, those of M in posenc shift --by PHI. The\n"
"spectrum is X's singular values (LAPACK is looked for, package liblapack3);\n"
"wavelengths are those of each column's largest Fourier coefficient.\n"
"\n"
"Five desiderata pass or fail: deterministic (all finite), unique (no row\n"
"comes twice), equidistant (translation invariance 0.99 or more), bounded (no\n"
"number beyond 1), any length (shift residual 0.01 or less). Of more than\n"
"4096 rows the first 4096 are taken for all but norms and odd rows.\n",
	.paper = "Wang et al. 2021, ICLR; Roy and Vetterli 2007, EUSIPCO",
	.example = "posenc inspect pe.npy --check",
	.options = inspect_options,
	.size = sizeof(struct inspect),
	.inputs = 1,
	.report = inspect_report,
};
