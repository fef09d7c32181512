/* inspect.c: posenc inspect: shift and verdicts of a table. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

#include "recipe/recipe.h"
#include "views/inspect.h"
#include "views/similarity.h"
#include "views/svd.h"

/*
 * Columns a and b of a pair as complex values z = a + i b. The least-squares
 * factor from z[t] to z[t + shift] is
 * sum z[t + shift] conj z[t] / sum |z[t]|^2.
 */
struct pairing {
	const char *name;
	size_t stride, offset;  /* columns: a = stride k, b = a + offset */
	double residual;        /* relative to the norm of the shifted rows */
	double stretch;         /* the largest ||factor| - 1| */
};

/* ||x[t + shift] - x[t]|| / ||x[t + shift]||: as if no row changed. */
static double identity_residual(const struct table *x, size_t shift)
{
	double remaining = 0, total = 0;

	for (size_t i = 0; i + shift < x->rows; i++) {
		const double *from = x->row(x, i, NULL);
		const double *to = x->row(x, i + shift, NULL);

		for (size_t j = 0; j < x->cols; j++) {
			remaining += (to[j] - from[j]) * (to[j] - from[j]);
			total += to[j] * to[j];
		}
	}
	return total > 0 ? sqrt(remaining / total) : 0;
}

static double complex pair_at(const struct table *x, const struct pairing *p,
			      size_t i, size_t k)
{
	const double *row = x->row(x, i, NULL) + p->stride * k;

	return row[0] + row[p->offset] * (double complex)I;
}

/* The factor that shifts pair k by shift rows; 1 for a pair of zeros. */
static double complex shift_factor(const struct table *x,
				   const struct pairing *p, size_t shift,
				   size_t k)
{
	double complex sum = 0;
	double squares = 0;

	for (size_t i = 0; i + shift < x->rows; i++) {
		const double complex z = pair_at(x, p, i, k);
		const double complex next = pair_at(x, p, i + shift, k);

		sum += next * conj(z);
		squares += creal(z) * creal(z) + cimag(z) * cimag(z);
	}
	return squares > 0 ? sum / squares : 1;
}

/* angles [cols / 2]: M[2k, 2k + 1] = sin(angle) in posenc shift. */
static void fit_shift(const struct table *x, size_t shift, struct pairing *p,
		      double *angles)
{
	double remaining = 0, total = 0;

	p->stretch = 0;
	for (size_t k = 0; k < x->cols / 2; k++) {
		const double complex c = shift_factor(x, p, shift, k);

		angles[k] = 0.0 - carg(c);
		p->stretch = fmax(p->stretch, fabs(cabs(c) - 1));
		for (size_t i = 0; i + shift < x->rows; i++) {
			const double complex next =
				pair_at(x, p, i + shift, k);
			const double difference =
				cabs(next - c * pair_at(x, p, i, k));

			remaining += difference * difference;
			total += creal(next) * creal(next) +
			       cimag(next) * cimag(next);
		}
	}
	p->residual = total > 0 ? sqrt(remaining / total) : 0;
}

/* The shift by any matrix, if there are enough rows to determine one. */
static bool add_any_matrix(const struct inspection *s, struct error *err)
{
	const struct table *x = s->x;
	const double *from = x->row(x, 0, NULL);
	double residual;

	if (x->rows <= s->shift + x->cols) {
		report_text(s->r, "matrix_residual", "undetermined: needs at "
			    "least %zu rows", s->shift + x->cols + 1);
		return true;
	}
	if (!least_squares(from, from + s->shift * x->cols, x->rows - s->shift,
			   x->cols, &residual, err))
		return false;
	report_number(s->r, "matrix_residual", residual,
		      "(0: one matrix shifts every row exactly)");
	return true;
}

static bool inspect_shift(struct inspection *s, struct error *err)
{
	const size_t half = s->x->cols / 2;
	struct pairing pairings[] = {
		{ .name = "interleaved", .stride = 2, .offset = 1 },
		{ .name = "split", .stride = 1, .offset = half },
	};
	double *angles = table_alloc(s->r->owner, half + 1, 2 * sizeof *angles,
				     err);
	size_t best;

	report_group(s->r, "shift");
	s->residual = (double)NAN;
	if (!angles)
		return false;
	if (!half || s->x->rows < s->shift + 2) {
		report_text(s->r, "skipped", "needs at least 2 columns and "
			    "%zu rows", s->shift + 2);
		return true;
	}
	for (size_t k = 0; k < 2; k++)
		fit_shift(s->x, s->shift, &pairings[k], angles + k * half);
	best = pairings[1].residual < pairings[0].residual;
	s->residual = pairings[best].residual;
	s->identity = identity_residual(s->x, s->shift);
	report_number(s->r, "by", (double)s->shift,
		      s->shift == 1 ? "row" : "rows");
	report_number(s->r, "residual", s->residual, "(0: exactly one rotation "
		      "and stretch per column pair)");
	report_number(s->r, "identity_residual", s->identity, "(the same if "
		      "rows are taken not to change)");
	report_text(s->r, "pairs", "%s", pairings[best].name);
	report_number(s->r, "stretch", pairings[best].stretch,
		      "(largest difference between 1 and the absolute value of "
		      "a factor)");
	report_numbers(s->r, "angles", angles + best * half, half);
	return add_any_matrix(s, err);
}

struct inspect {
	bool check;
	size_t shift, max_rows;
};

/* Thresholds that tables of 16-bit floats still pass. */
#define SMALLEST 0x1p-250  /* largest magnitude: cosines need its 4th power */
#define INVARIANCE_MIN 0.99
#define RESIDUAL_MAX 0.01
#define IDENTITY_SHARE 0.1  /* of the identity residual, at most */

enum {
	ROWS_MAX = 4096,  /* of pairs, shift, spectrum and columns */
	PROPERTIES = 5,
};

/* rows * columns * min(rows, columns) that takes seconds. */
#define WORK_MAX 0x1p30

static const struct option inspect_options[] = {
	{ OPTION(struct inspect, check), .phrase = "",
	  .help = "exit with status 1 if one of the five properties fails "
		  "or is unknown" },
	{ OPTION(struct inspect, shift), .initial = "1", .min = 1,
	  .phrase = "shift of %",
	  .max = ROWS_MAX - 1, .arg = "PHI",
	  .help = "number of rows for the shift test, as --by of posenc "
		  "shift" },
	{ OPTION(struct inspect, max_rows), .min = 2, .max = ROWS_MAX,
	  .phrase = "up to % rows",
	  .arg = "N",
	  .help = "maximum number of rows, from the first on, for pairs, "
		  "shift, spectrum and columns (default: 4096; fewer if the "
		  "table has more than 512 columns, so that it takes seconds)"
	},
	{0}
};

/* How many properties hold, and how many could not be measured. */
struct verdicts {
	size_t passed, unknown;
};

static void add_verdict(struct inspection *s, struct verdicts *v,
			const char *name, bool pass, double measure,
			const char *what)
{
	v->passed += pass;
	v->unknown += isnan(measure) ? 1 : 0;
	report_verdict(s->r, name, pass, measure, what);
}

/* The five desired properties with their measures. */
static struct verdicts add_verdicts(struct inspection *s)
{
	struct verdicts v = { 0 };

	report_group(s->r, "desiderata");
	add_verdict(s, &v, "finite", s->not_finite == 0,
		    (double)s->not_finite,
		    "values that are not finite (required: 0)");
	add_verdict(s, &v, "unique", s->repeated == 0,
		    (double)s->repeated,
		    "rows equal to an earlier row (required: 0)");
	add_verdict(s, &v, "equidistant",
		    s->invariance >= INVARIANCE_MIN, s->invariance,
		    "translation invariance (required: at least 0.99)");
	add_verdict(s, &v, "bounded", s->largest <= 1, s->largest,
		    "largest absolute value (required: at most 1)");
	add_verdict(s, &v, "any_length",
		    s->residual <= RESIDUAL_MAX &&
			    s->residual < IDENTITY_SHARE * s->identity,
		    s->residual, "shift residual (required: at most 0.01, and "
		    "below a tenth of the identity residual)");
	return v;
}

/* Fail if the squares of all values are too small to be told from 0. */
static bool check_scale(const struct table *x, struct error *err)
{
	double largest = 0;

	for (size_t i = 0; i < x->rows; i++)
		for (size_t j = 0; j < x->cols; j++)
			largest = fmax(largest, fabs(x->row(x, i, NULL)[j]));
	if (largest > 0 && largest < SMALLEST)
		return fail(err, "the largest value of TABLE must be 0 or at "
			    "least 2^-250 in magnitude, got %g", largest);
	return true;
}

/* The default of --max-rows. */
static size_t usual_rows(const struct table *x)
{
	const double cols = (double)x->cols;
	const double rows = fmax(WORK_MAX / (cols * cols),
				 sqrt(WORK_MAX / cols));

	return (size_t)fmin(rows, ROWS_MAX);
}

/* Parts that need finite values, and time quadratic in the rows. */
static bool inspect_finite(struct inspection *s, size_t max_rows,
			   struct error *err)
{
	const struct table *const whole = s->x;
	struct table first = *whole;
	bool good;

	if (s->not_finite)
		return true;
	if (first.rows > max_rows) {
		first.rows = max_rows;
		report_text(s->r, "limit", "pairs, shift, spectrum and columns "
			    "use the first %zu rows only (--max-rows)",
			    max_rows);
	}
	s->x = &first;
	good = table_in_memory(&first, &first, s->r->owner, err) &&
	       similarity_check(s->x, err) && check_scale(s->x, err) &&
	       (s->x->rows < 2 || inspect_pairs(s, err)) &&
	       inspect_shift(s, err) && inspect_spectrum(s, err) &&
	       inspect_columns(s, err);
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
	const size_t most = o->max_rows ? o->max_rows : usual_rows(inputs);
	const size_t rows = inputs->rows < most ? inputs->rows : most;
	char unknown[40] = "";
	struct verdicts v;

	if (!similarity_one_plane(s.x, err))
		return false;
	if (rows > 1 && s.shift >= rows)
		return fail(err, "--shift must be less than the %zu rows of "
			    "TABLE%s, got %zu", rows, rows < inputs->rows ?
			    " that are compared (--max-rows)" : "", s.shift);
	if (!inspect_values(&s, err) || !inspect_rows(&s, err) ||
	    !inspect_finite(&s, most, err))
		return false;
	v = add_verdicts(&s);
	r->no = o->check && v.passed < PROPERTIES;
	if (v.unknown)
		snprintf(unknown, sizeof unknown, ", %zu %s unknown", v.unknown,
			 v.unknown == 1 ? "is" : "are");
	report_headline(r, "%zu x %zu %s: %zu of %d desired properties hold%s, "
			"%zu unusual row%s", s.x->rows, s.x->cols,
			dtype_name(s.x->dtype), v.passed, PROPERTIES, unknown,
			s.unusual, s.unusual == 1 ? "" : "s");
	return true;
}

/* The dot products of all rows, or by distance. */
static bool inspect_draw(void *self, const struct table *inputs, bool lines,
			 struct table *t, struct error *err)
{
	(void)self;
	t->title = lines ? "Dot products of rows by distance"
			 : "Dot products of rows";
	t->value = "dot product";
	return lines ? similarity_curve(t, inputs, METRIC_DOT, false, err)
		     : similarity_open(t, inputs, METRIC_DOT, err);
}

const struct recipe inspect_recipe = {
	.name = "inspect",
	.summary = "statistics and properties of any table",
	.about =
"Reports statistics of a table that has one row per position: its values,\n"
"unusual rows, the similarity of rows, whether one rotation per column pair\n"
"shifts every row, singular values and the wavelength of each column. The\n"
"report ends with five properties (desiderata) that a position encoding\n"
"should have, each PASS, FAIL or unknown. Figures come with the report. They\n"
"show the dot product of every pair of rows; with --plot lines, means by\n"
"distance.\n",
	.details =
"x_i are the rows of X, G = X X^T is its Gram matrix, and Z has the columns\n"
"of X in pairs, as complex values a + ib:\n"
"\n"
"  translation invariance = 1 - sum (G[i, j] - mean of its diagonal)^2 /\n"
"                               sum (G[i, j] - mean of G)^2\n"
"      1: the dot product of two rows depends only on their distance\n"
"  monotonicity           = share of steps from j to j + 1, j >= i, with\n"
"                           cos(x_i, x_j+1) < cos(x_i, x_j), of those\n"
"                           where both differ by more than rounding\n"
"      1: cosine similarity decreases with every step from the diagonal\n"
"  shift residual         = ||Z[t + PHI] - Z[t] C|| / ||Z[t + PHI]||\n"
"      0: exactly one rotation and stretch per column pair\n"
"  identity residual      = the same for X and C = 1: rows that hardly change\n"
"                           make it small, too\n"
"  matrix residual        = the same for the best matrix in place of C\n"
"\n"
"C has one complex factor per column pair, fitted by least squares. The angle\n"
"is -arg C: positive for pairs of the sine and the cosine of growing angles,\n"
"negative for pairs of the cosine and the sine. The stretch is the largest\n"
"difference between 1 and the absolute value of a factor. Both layouts of\n"
"pairs are tried, interleaved and split. The one with the smaller residual is\n"
"reported, or interleaved if both are equal. For a sinusoid the angles are\n"
"those of posenc shift --by PHI.\n"
"\n"
"Of the singular values s:\n"
"\n"
"  rank                     = number of s above 1e-10 times the largest and\n"
"                             4 u ||X|| (1 / sqrt n + 1 / sqrt dim), which is\n"
"                             the rounding to float32, u = 2^-24, or 16 bits\n"
"  effective rank           = exp(-sum p log p), p = s / sum s\n"
"  effective rank of squares  the same for s^2\n"
"  stable rank              = sum s^2 / max s^2\n"
"  components 90            = fewest s whose squares make 90 % of sum s^2\n"
"  explained variance ratio = s^2 / sum s^2 of X minus its column means, one\n"
"                             value per principal component\n"
"\n"
"The wavelength of a column is that of the sinusoid that fits it best, a\n"
"constant added, near its largest Fourier coefficient. One longer than the\n"
"table cannot be measured: it is null in JSON and - in text, as that of a\n"
"constant column.\n"
"\n"
"A row is unusual if it equals an earlier row, is constant, or has a norm\n"
"that is not finite. In tables of at least 16 rows, these are unusual, too:\n"
"  rows whose norm differs from the median norm by more than 0.1 %\n"
"  rows whose cosine similarity with both neighbours is more than 0.2 below\n"
"  the median, if that median is at least 0.5\n"
"In both cases the difference must also exceed 6 * 1.4826 times the median\n"
"absolute deviation.\n"
"\n"
"The five properties:\n"
"  finite         all values are finite\n"
"  unique         no row is repeated\n"
"  equidistant    translation invariance of at least 0.99\n"
"  bounded        no absolute value above 1\n"
"  any length     shift residual of at most 0.01, and below a tenth of the\n"
"                 identity residual\n"
"\n"
"The groups pairs, shift, spectrum and columns use the first rows only: 4096,\n"
"but of tables with c columns, more than 512, the larger of 2^30 / c^2 and\n"
"the root of 2^30 / c. --max-rows sets another number.\n",
	.paper = "Wang et al. 2021, ICLR; Roy and Vetterli 2007, EUSIPCO",
	.example = "posenc inspect pe.npy --check",
	.options = inspect_options,
	.size = sizeof(struct inspect),
	.inputs = 1,
	.on_demand = 1,
	.report = inspect_report,
	.draw = inspect_draw,
};
