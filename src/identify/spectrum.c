/* spectrum.c: the frequency and phase of each column of a table. */
#include <math.h>
#include <stdlib.h>

#include "exact/turns.h"
#include "identify/spectrum.h"

enum { MAX_ROWS = 1024, STEPS = 3 };

/* Rows that are measured. */
struct span {
	const struct profile *profile;
	size_t first, rows;
};

static double value(const struct span *of, size_t t, size_t j)
{
	return profile_value(of->profile, of->first + t, j);
}

static struct span span_from(const struct profile *p, size_t first)
{
	const size_t rows = p->n - first;

	return (struct span){ p, first, rows < MAX_ROWS ? rows : MAX_ROWS };
}

/* Sums over rows for all columns: x[t]^2, x[t] (x[t+1] + x[t-1]), the latter's
   square. */
static void recurrence(const struct span *of, struct tone *tones)
{
	const struct profile *p = of->profile;
	const size_t end = of->first + of->rows;

	for (size_t j = 0; j < p->cols; j++)
		tones[j] = (struct tone){ .c = 0 };
	for (size_t t = of->first + 1; t + 1 < end; t++) {
		const double *a = profile_row(p, t - 1), *x = profile_row(p, t);
		const double *b = profile_row(p, t + 1);

		for (size_t j = 0; j < p->cols; j++) {
			tones[j].rms += x[j] * x[j];
			tones[j].c += x[j] * (a[j] + b[j]);
			tones[j].off += (a[j] + b[j]) * (a[j] + b[j]);
		}
	}
	for (size_t j = 0; j < p->cols; j++) {
		struct tone *o = &tones[j];
		const double squares = o->rms;

		o->c = squares > 0 ? o->c / squares : 2;
		/* Rounding of the sums may leave less than nothing. */
		o->off = squares > 0 ? fmax(0, o->off / squares - o->c * o->c)
				     : 0;
		o->rms = sqrt(squares / (double)of->rows);
		o->w = fabs(o->c) < 2 ? acos(o->c / 2) : 0;
	}
}

bool solve_equations(double a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], size_t n,
		     double least, double *x)
{
	double was[MOST_UNKNOWNS];

	for (size_t i = 0; i < n; i++)
		was[i] = a[i][i];
	for (size_t i = 0; i < n; i++) {
		if (!(a[i][i] > least * was[i]))
			return false;
		for (size_t k = i + 1; k < n; k++)
			for (size_t j = n + 1; j-- > i;)
				a[k][j] -= a[k][i] / a[i][i] * a[i][j];
	}
	for (size_t i = n; i-- > 0;) {
		x[i] = a[i][n];
		for (size_t k = i + 1; k < n; k++)
			x[i] -= a[i][k] * x[k];
		x[i] /= a[i][i];
	}
	return true;
}

/* Equations of a least-squares fit, what they are equal to behind each row. */
struct normal {
	size_t n;              /* parameters */
	double m[MOST_UNKNOWNS][MOST_UNKNOWNS + 1];
	double left;           /* squares of what the last fit leaves */
};

/* Add an equation: derivatives f, and what the last fit leaves of a value. */
static void add_equation(struct normal *z, const double *f, double off)
{
	z->left += off * off;
	for (size_t i = 0; i < z->n; i++) {
		for (size_t k = 0; k < z->n; k++)
			z->m[i][k] += f[i] * f[k];
		z->m[i][z->n] += f[i] * off;
	}
}

/* The changes of parameters; variance: that of the last, in units of off. */
static bool solve(const struct normal *z, double *d, double *variance)
{
	struct normal one = *z, all = *z;
	double x[MOST_UNKNOWNS], scale[MOST_UNKNOWNS + 1] = { 0 };

	/* Rows and columns of norm 1 lose the least in rounding. */
	for (size_t i = 0; i < z->n; i++)
		scale[i] = 1 / sqrt(z->m[i][i]);
	scale[z->n] = 1;
	for (size_t i = 0; i < z->n; i++) {
		for (size_t k = 0; k <= z->n; k++)
			one.m[i][k] = all.m[i][k] *= scale[i] * scale[k];
		one.m[i][z->n] = i + 1 == z->n;
	}
	if (!solve_equations(all.m, z->n, 1e-14, d) ||
	    !solve_equations(one.m, z->n, 1e-14, x))
		return false;
	for (size_t i = 0; i < z->n; i++)
		d[i] *= scale[i];
	*variance = x[z->n - 1] * scale[z->n - 1] * scale[z->n - 1];
	return true;
}

/* What is fitted to a column: s sin(w t) + c cos(w t). */
struct sine {
	double s, c;
	double amp;            /* that it has, or 0: any */
};

/*
 * A Gauss-Newton step of the fit to rows 0 to n - 1 of a column, x, or, unless
 * turning, of s and c alone; sets what the fit before it left.
 */
static bool fit_step(struct tone *o, struct sine *f, const double *x, size_t n,
		     bool turning)
{
	const double a = sin(o->w), b = cos(o->w), is = hypot(f->s, f->c);
	const double weight = f->amp > 0 ? 16 * sqrt((double)n) / f->amp : 0;
	const double fixed[] = { weight * f->s, weight * f->c, 0 };
	double sine = 0, cosine = 1, d[MOST_UNKNOWNS], variance;
	struct normal z = { .n = turning ? 3 : 2 };

	for (size_t t = 0; t < n; t++) {
		const double next = sine * b + cosine * a;
		const double by[] = {
			sine, cosine,
			(double)t * (f->s * cosine - f->c * sine),
		};

		add_equation(&z, by, x[t] - f->s * sine - f->c * cosine);
		cosine = cosine * b - sine * a;
		sine = next;
	}
	o->left = sqrt(z.left / (double)n);
	if (f->amp > 0)
		add_equation(&z, fixed, weight * is * (f->amp - is));
	if (!solve(&z, d, &variance))
		return false;
	f->s += d[0];
	f->c += d[1];
	o->w += turning ? d[2] : 0;
	o->amp = hypot(f->s, f->c);
	o->phase = atan2(-f->s, f->c);
	o->error = 4 * o->left * sqrt(turning ? variance : 0) + 1e-15;
	return true;
}

static void read_column(const struct span *of, size_t j, double x[MAX_ROWS])
{
	for (size_t t = 0; t < of->rows; t++)
		x[t] = value(of, t, j);
}

/*
 * Fit a column by steps on more and more rows, so that the error of w never
 * exceeds what the rows can follow.
 */
static bool fit_tone(const double *x, size_t rows, struct tone *o)
{
	const double turn = fmax(16, 4 / o->w);
	struct sine f = { .amp = 0 };
	size_t n = turn < (double)rows ? (size_t)turn : rows;

	for (int step = 0;; step++) {
		if (!fit_step(o, &f, x, n, step > 0))
			return false;
		if (step >= STEPS && n == rows)
			return o->left <= 0.05 * o->amp;
		if (step >= STEPS)
			n = 2 * n < rows ? 2 * n : rows;
	}
}

/* Whether a column turns enough in its rows, and its noise hides no turn. */
static bool turns_enough(const struct tone *o, size_t rows)
{
	return o->w * (double)rows > 0.7 && o->w < TWO_PI / 2 - 0.01 &&
	       sqrt(o->off) < 0.3 * o->w * o->w;
}

/*
 * Set w by the rows between which a column turns by most of a radian, which
 * noise does not hide as it may from row to row; false if there are none.
 */
static bool find_turn(const double *x, size_t rows, struct tone *o)
{
	for (size_t lag = 1; 2 * lag + 8 < rows; lag *= 2) {
		double squares = 0, c = 0, off = 0, turned;

		for (size_t t = lag; t + lag < rows; t++) {
			const double both = x[t - lag] + x[t + lag];

			squares += x[t] * x[t];
			c += x[t] * both;
			off += both * both;
		}
		if (!(squares > 0))
			return false;
		c /= squares;
		turned = acos(fmax(-1, fmin(1, c / 2)));
		o->w = turned / (double)lag;
		if (turned > 0.7)
			return off / squares - c * c < 0.01;
	}
	return false;
}

static size_t measure_span(const struct span *of, double most,
			   struct tone *tones)
{
	const bool noise = of->profile->assumed > 0;
	const size_t n = of->rows;
	size_t fast = 0;
	double x[MAX_ROWS];

	recurrence(of, tones);
	for (size_t j = 0; j < of->profile->cols; j++) {
		struct tone *o = &tones[j];

		if (!noise && !turns_enough(o, n))
			continue;
		read_column(of, j, x);
		/* Less than half a turn needs exact values. */
		o->fast = (turns_enough(o, n) || find_turn(x, n, o)) &&
			  fit_tone(x, n, o) &&
			  (o->w * (double)n > 3 || o->error < 1e-3 * o->w);
		if (o->fast && o->left > most)
			return 0;
		fast += o->fast;
	}
	return fast;
}

size_t measure_tones(const struct profile *p, double most, struct tone *tones)
{
	const struct span all = span_from(p, 0);

	return measure_span(&all, most, tones);
}

/* Fit column j, which turns too little to tell its amplitude. */
static void fit_slow(const struct span *of, size_t j, double amp,
		     struct tone *o)
{
	double x[MAX_ROWS], from, to;
	struct sine f = { .amp = amp };

	read_column(of, j, x);
	from = acos(fmax(-1, fmin(1, x[0] / amp)));
	to = acos(fmax(-1, fmin(1, x[of->rows - 1] / amp)));
	o->w = fabs(to - from) / (double)(of->rows - 1);
	/* The first row is before or behind the crest. */
	f.s = amp * sin(from > to ? from : -from);
	f.c = amp * cos(from);
	for (int step = 0; step <= 2 * STEPS; step++)
		if (!fit_step(o, &f, x, of->rows, true)) {
			/* Near a crest, values change with its square. */
			o->error = 4 * sqrt(2 * o->left / amp) /
				   (double)of->rows;
			break;
		}
	o->phase *= o->w < 0 ? -1 : 1;
	o->w = fabs(o->w);
}

/* Measure the columns that are not fast; false if one is no wave. */
static bool measure_slow(const struct span *of, double most, double amp,
			 struct tone *tones)
{
	const struct profile *p = of->profile;
	const double still = 4 * amp * (p->noise + p->epsilon);

	for (size_t j = 0; j < p->cols; j++) {
		struct tone *o = &tones[j];
		const double begin = value(of, 0, j);
		double moved = 0, turned = 0;

		if (o->fast)
			continue;
		for (size_t t = 0; t < of->rows; t++) {
			const double x = value(of, t, j);

			moved = fmax(moved, fabs(x - begin));
			turned = fmax(turned,
				      fabs(x - (t % 2 ? -begin : begin)));
		}
		o->amp = fabs(begin);
		o->phase = acos(fmax(-1, fmin(1, begin / amp)));
		o->left = 0;
		o->error = sqrt(still / amp) / (double)of->rows;
		if (moved <= still || turned <= still)
			o->w = moved <= still ? 0 : TWO_PI / 2;
		else
			fit_slow(of, j, amp, o);
		if (o->left > most)
			return false;
	}
	return true;
}

size_t measure_all(const struct profile *p, size_t first, double most,
		   struct tone *tones)
{
	const struct span of = span_from(p, first);
	const size_t fast = measure_span(&of, HUGE_VAL, tones);
	double amp = 0;

	for (size_t j = 0; j < p->cols; j++) {
		if (tones[j].fast && tones[j].left > most)
			return 0;
		amp += tones[j].fast ? tones[j].amp / (double)fast : 0;
	}
	return fast && measure_slow(&of, most, amp, tones) ? fast : 0;
}

static int faster(const void *a, const void *b)
{
	const struct tone *x = a, *y = b;

	return (x->w < y->w) - (x->w > y->w);
}

size_t distinct_tones(struct tone *tones, size_t n)
{
	size_t kept = 0;

	qsort(tones, n, sizeof *tones, faster);
	for (size_t j = 0; j < n; j++) {
		const struct tone *o = &tones[j], *last = &tones[kept - 1];

		if (!kept || last->w - o->w > 2 * (last->error + o->error) +
						      TONE_ERROR * last->w)
			tones[kept++] = *o;
	}
	return kept;
}

const struct tone *spectrum_of(const struct profile *p, size_t first)
{
	struct spectrum *s = p->spectrum;
	const struct span of = span_from(p, first);
	const double rows = (double)of.rows;

	if (!s->known || s->first != first)
		s->known = measure_all(p, first, HUGE_VAL, s->tones);
	s->first = first;
	/* One column may be further off than its residuals tell. */
	for (size_t j = 0; s->known && j < p->cols; j++)
		s->tones[j].error = fmax(s->tones[j].error, 3 * p->assumed /
				(s->tones[j].amp * rows * sqrt(rows)));
	return s->known ? s->tones : NULL;
}

double pair_frequency(const struct tone *cosine, const struct tone *sine,
		      double *error)
{
	const double a = pow(cosine->error, -2), b = pow(sine->error, -2);
	const double w = (a * cosine->w + b * sine->w) / (a + b);

	*error = 2 / sqrt(a + b);
	return sin(cosine->phase - sine->phase) < 0 ? -w : w;
}
