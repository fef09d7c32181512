/* spectrum.c: the frequency and phase of each column of a table. */
#include <math.h>
#include <stdlib.h>

#include "exact/turns.h"
#include "identify/spectrum.h"

enum { MAX_ROWS = 1024, STEPS = 3, MOST_FITTED = 4 };

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

/* Weighted equations of a least-squares fit of up to MOST_FITTED parameters. */
struct normal {
	int n;                 /* parameters */
	double m[MOST_FITTED][MOST_FITTED], y[MOST_FITTED];
	double left;           /* squares of what the last fit leaves */
};

/* Add an equation: derivatives f, and what the last fit leaves of a value. */
static void add_equation(struct normal *z, const double *f, double off)
{
	z->left += off * off;
	for (int i = 0; i < z->n; i++) {
		for (int k = 0; k < z->n; k++)
			z->m[i][k] += f[i] * f[k];
		z->y[i] += f[i] * off;
	}
}

/*
 * Solve m d = y by Gauss-Jordan elimination of the positive definite matrix,
 * with rows and columns of norm 1, which its inverse replaces.
 */
static bool solve(struct normal *z, double d[MOST_FITTED])
{
	double scale[MOST_FITTED];

	for (int i = 0; i < z->n; i++)
		scale[i] = 1 / sqrt(z->m[i][i]);
	for (int i = 0; i < z->n; i++)
		for (int k = 0; k < z->n; k++)
			z->m[i][k] *= scale[i] * scale[k];
	for (int i = 0; i < z->n; i++) {
		const double pivot = z->m[i][i];

		if (!(pivot > 1e-14))
			return false;
		z->m[i][i] = 1;
		for (int k = 0; k < z->n; k++)
			z->m[i][k] /= pivot;
		for (int l = 0; l < z->n; l++) {
			const double f = l == i ? 0 : z->m[l][i];

			z->m[l][i] = l == i ? z->m[l][i] : 0;
			for (int k = 0; k < z->n; k++)
				z->m[l][k] -= f * z->m[i][k];
		}
	}
	for (int i = 0; i < z->n; i++) {
		d[i] = 0;
		for (int k = 0; k < z->n; k++) {
			z->m[i][k] *= scale[i] * scale[k];
			d[i] += z->m[i][k] * z->y[k];
		}
	}
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
	double sine = 0, cosine = 1, d[MOST_FITTED];
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
	if (!solve(&z, d))
		return false;
	f->s += d[0];
	f->c += d[1];
	o->w += turning ? d[2] : 0;
	o->amp = hypot(f->s, f->c);
	o->phase = atan2(-f->s, f->c);
	o->error = 4 * o->left * sqrt(z.m[2][2]) + 1e-15;
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

/* Add row i of a comb whose waves have the speeds e^(-decay k). */
static void add_comb_row(struct normal *z, const struct comb *c,
			 const double *x, const struct comb_column *of,
			 size_t cols, double i, const int at[4])
{
	const double angle = c->x[COMB_START] + i * c->x[COMB_STEP];

	for (size_t j = 0; j < cols; j++) {
		const double k = (double)of[j].k;
		const double w = exp(-c->x[COMB_DECAY] * k);
		const double a = angle * w - of[j].quarter * TWO_PI / 4;
		const double y = cos(a), slope = -c->x[COMB_AMP] * sin(a);
		const double all[] = {
			y, slope * w, slope * w * i, -slope * angle * w * k,
		};
		double f[MOST_FITTED];

		if (of[j].quarter < 0)
			continue;
		for (int n = 0; n < 4; n++)
			if (at[n] >= 0)
				f[at[n]] = all[n];
		add_equation(z, f, x[j] - c->x[COMB_AMP] * y);
	}
}

bool comb_fit(struct comb *c, const struct profile *p,
	      const struct comb_column *columns, const bool free[4])
{
	enum { VALUES = 1 << 15, MOST_STEPS = 6 };
	const size_t most = VALUES / p->cols + 4;
	const size_t rows = p->n < most ? p->n : most;
	double before = HUGE_VAL, d[MOST_FITTED];
	int at[4], n = 0;

	for (int k = 0; k < 4; k++)
		at[k] = free[k] ? n++ : -1;
	for (int step = 0; step < MOST_STEPS; step++) {
		struct normal z = { .n = n };
		double values = 0;

		for (size_t r = 0; r < rows; r++) {
			const size_t i = p->n - 1 - r * p->n / rows;

			if (profile_zero_row(p, i))
				continue;
			add_comb_row(&z, c, profile_row(p, i), columns,
				     p->cols, (double)i, at);
			values += (double)p->cols;
		}
		c->left = sqrt(z.left / values);
		if (!(c->left <= before) || !solve(&z, d))
			return step > 1 && c->left <= 2 * before;
		for (int k = 0; k < 4; k++) {
			c->x[k] += free[k] ? d[at[k]] : 0;
			c->error[k] = free[k]
				? c->left * sqrt(z.m[at[k]][at[k]]) : 0;
		}
		before = c->left;
	}
	return true;
}

/*
 * Narrow the interval of a comb's change by the values of row i: each was
 * rounded from what the other parameters and a changed one make, if narrow to
 * the dtype whose shortest decimals they are.
 */
static void narrow_by_row(const struct comb *c, const struct profile *p,
			  const struct comb_column *of, size_t i, int which,
			  double slack, bool narrow, double change[2])
{
	const double angle = c->x[COMB_START] + (double)i * c->x[COMB_STEP];
	int at[4] = { -1, -1, -1, -1 };

	at[which] = 0;
	for (size_t j = 0; j < p->cols; j++) {
		/* Shortest decimals of a dtype are as far from its values. */
		const double x = narrow
			? dtype_round(p->rounded_to, profile_row(p, i)[j])
			: profile_row(p, i)[j];
		const double size = fabs(x) > 0 ? ldexp(1, ilogb(x)) : 0;
		/* Half a unit in the last digit, or place. */
		const double half =
			narrow ? p->dtype_noise * size + 0x1p-25
			: p->digits < MAX_DIGITS
				? 0.5 * profile_last_digit(p, x)
				: p->noise * size + p->abs_noise;
		const double within =
			half + slack * (1 + fabs(angle)) * c->x[COMB_AMP];
		struct normal z = { .n = 1 };
		double off;

		add_comb_row(&z, c, &x, &of[j], 1, (double)i, at);
		off = z.y[0] / z.m[0][0];
		if (!(z.m[0][0] > 0) || isinf(off))
			continue;
		change[0] = fmax(change[0], off - within / sqrt(z.m[0][0]));
		change[1] = fmin(change[1], off + within / sqrt(z.m[0][0]));
	}
}

bool comb_narrow(struct comb *c, const struct profile *p,
		 const struct comb_column *columns, int which)
{
	enum { VALUES = 1 << 17, PASSES = 2 };
	const size_t step = p->n * p->cols / VALUES + 1;
	const double slacks[] = { 0x1p-53, 4 * p->epsilon };
	const double x = c->x[which];

	for (int k = p->dtype_noise > 0 ? 0 : 2; k < 4; k++) {
		double change[2] = { 0 };

		c->x[which] = x;
		for (int pass = 0; pass < PASSES && change[0] <= change[1];
		     pass++) {
			c->x[which] += (change[0] + change[1]) / 2;
			change[0] = -HUGE_VAL;
			change[1] = HUGE_VAL;
			for (size_t i = p->n - 1; i < p->n; i -= step)
				if (!profile_zero_row(p, i))
					narrow_by_row(c, p, columns, i, which,
						      slacks[k % 2], k < 2,
						      change);
		}
		c->x[which] += (change[0] + change[1]) / 2;
		c->error[which] = (change[1] - change[0]) / 2;
		if (change[0] <= change[1])
			return !isinf(c->error[which]);
	}
	return false;
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

/* Weighted least squares of log w over the index; false if some w disagree. */
static bool fit_logs(struct progression *g, const struct tone *tones)
{
	double sum = 0, x = 0, y = 0, xx = 0, xy = 0;

	for (size_t i = 0; i < g->n; i++) {
		const double f = 1 / (pow(tones[i].error / tones[i].w, 2) +
				      pow(TONE_ERROR / 10, 2));

		sum += f;
		x += f * (double)i;
		y += f * log(tones[i].w);
		xx += f * (double)i * (double)i;
		xy += f * (double)i * log(tones[i].w);
	}
	xx -= x * x / sum;
	g->decay = g->n > 1 ? -(xy - x * y / sum) / xx : 0;
	g->decay_error = g->n > 1 ? 1 / sqrt(xx) : 0;
	g->first = exp((y + g->decay * x) / sum);
	g->first_error = g->first * sqrt(1 / sum) +
			 g->first * x / sum * g->decay_error;
	for (size_t i = 0; i < g->n; i++)
		if (fabs(log(tones[i].w / g->first) + (double)i * g->decay) >
		    2 * tones[i].error / tones[i].w + TONE_ERROR)
			return false;
	return true;
}

bool fit_progression(struct progression *g, const struct tone *tones, size_t n,
		     struct tone *sorted)
{
	size_t fast = 0;

	*g = (struct progression){ .amp = 0 };
	for (size_t j = 0; j < n; j++)
		if (tones[j].fast) {
			sorted[fast++] = tones[j];
			g->amp += tones[j].amp;
		}
	g->amp /= (double)fast;
	if (fabs(g->amp - 1) < 0.002)
		g->amp = 1;
	for (size_t j = 0; j < fast; j++)
		if (fabs(sorted[j].amp - g->amp) > 0.02 * g->amp)
			return false;
	g->n = distinct_tones(sorted, fast);
	return fit_logs(g, sorted);
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
