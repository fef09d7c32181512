/* columns.c: the frequency and phase of each column of a table. */
#include <math.h>
#include <stdlib.h>

#include "exact/turns.h"
#include "identify/columns.h"

enum { MAX_ROWS = 1024, STEPS = 3 };

/* Sums over rows for all columns: x[t]^2, x[t] (x[t+1] + x[t-1]), the latter's
   square. */
static void recurrence(const struct profile *p, size_t rows, struct tone *tones)
{
	for (size_t j = 0; j < p->cols; j++)
		tones[j] = (struct tone){ .c = 0 };
	for (size_t t = 1; t + 1 < rows; t++) {
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
		o->rms = sqrt(squares / (double)rows);
		o->w = fabs(o->c) < 2 ? acos(o->c / 2) : 0;
	}
}

/* Sums of a fit of x[t] to s sin(w t) + c cos(w t) and the change of w. */
struct normal {
	double m[3][3], y[3];  /* m is symmetric: from its diagonal on */
	double left;           /* squares of what the last fit leaves */
};

/* Add row t, for which the last fit gave s and c. */
static void add_row(struct normal *z, double t, double sine, double cosine,
		    double s, double c, double x)
{
	const double f[3] = { sine, cosine, t * (s * cosine - c * sine) };
	const double off = x - s * sine - c * cosine;

	z->left += off * off;
	for (int i = 0; i < 3; i++) {
		for (int k = i; k < 3; k++)
			z->m[i][k] += f[i] * f[k];
		z->y[i] += f[i] * off;
	}
}

/* Solve m d = y by elimination of a positive definite matrix. */
static bool solve(struct normal *z, double d[3])
{
	for (int i = 0; i < 3; i++) {
		if (!(z->m[i][i] > 0))
			return false;
		for (int k = i + 1; k < 3; k++) {
			const double f = z->m[i][k] / z->m[i][i];

			for (int l = k; l < 3; l++)
				z->m[k][l] -= f * z->m[i][l];
			z->y[k] -= f * z->y[i];
		}
	}
	for (int i = 2; i >= 0; i--) {
		d[i] = z->y[i];
		for (int k = i + 1; k < 3; k++)
			d[i] -= z->m[i][k] * d[k];
		d[i] /= z->m[i][i];
	}
	return true;
}

/*
 * Fit column j by Gauss-Newton steps on more and more rows, so that the error
 * of w never exceeds what the rows can follow.
 */
static bool fit_tone(const struct profile *p, size_t j, size_t rows,
		     struct tone *o)
{
	double s = 0, c = 0, x[MAX_ROWS];
	size_t n = rows < 16 ? rows : 16;

	for (size_t t = 0; t < rows; t++)
		x[t] = profile_value(p, t, j);
	for (int step = 0;; step++) {
		const double a = sin(o->w), b = cos(o->w);
		double sine = 0, cosine = 1, d[3], left;
		struct normal z = { .left = 0 };

		for (size_t t = 0; t < n; t++) {
			const double next = sine * b + cosine * a;

			add_row(&z, (double)t, sine, cosine, s, c, x[t]);
			cosine = cosine * b - sine * a;
			sine = next;
		}
		left = z.left;
		/* The first step fits s and c alone. */
		if (!step)
			z.m[2][2] += 1;
		if (!solve(&z, d))
			return false;
		s += d[0];
		c += d[1];
		o->w += step ? d[2] : 0;
		o->amp = hypot(s, c);
		o->left = sqrt(left / (double)n);
		o->error = 4 * sqrt(left / (double)n / z.m[2][2]) + 1e-15;
		if (step >= STEPS && n == rows) {
			o->phase = atan2(-s, c);
			return left <= 0.0025 * o->amp * o->amp * (double)n;
		}
		if (step >= STEPS)
			n = 2 * n < rows ? 2 * n : rows;
	}
}

/* Whether a column turns enough in its rows, and its noise hides no turn. */
static bool turns_enough(const struct tone *o, size_t rows)
{
	return o->w * (double)rows > 0.7 && o->w < TWO_PI / 2 - 0.05 &&
	       sqrt(o->off) < 0.3 * o->w * o->w;
}

/* Less than half a turn needs exact values. */
static bool well_known(const struct tone *o, size_t rows)
{
	return o->w * (double)rows > 3 || o->error < 1e-3 * o->w;
}

size_t measure_tones(const struct profile *p, double most, struct tone *tones)
{
	const size_t rows = p->n < MAX_ROWS ? p->n : MAX_ROWS;
	size_t fast = 0;

	recurrence(p, rows, tones);
	for (size_t j = 0; j < p->cols; j++) {
		tones[j].fast = turns_enough(&tones[j], rows) &&
				fit_tone(p, j, rows, &tones[j]) &&
				well_known(&tones[j], rows);
		if (tones[j].fast && tones[j].left > most)
			return 0;
		fast += tones[j].fast;
	}
	return fast;
}

static int faster(const void *a, const void *b)
{
	const struct tone *x = a, *y = b;

	return (x->w < y->w) - (x->w > y->w);
}

/* Whether both have one frequency, as far as it was measured. */
static bool alike(const struct tone *a, const struct tone *b)
{
	return fabs(a->w - b->w) <=
	       2 * (a->error + b->error) + TONE_ERROR * fabs(a->w);
}

/* Keep one of tones [n] alike; returns how many are left. */
static size_t distinct(struct tone *tones, size_t n)
{
	size_t kept = 0;

	for (size_t j = 0; j < n; j++)
		if (!kept || !alike(&tones[kept - 1], &tones[j]))
			tones[kept++] = tones[j];
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
	qsort(sorted, fast, sizeof *sorted, faster);
	g->n = distinct(sorted, fast);
	return fit_logs(g, sorted);
}
