/*
 * solve.c: the unknowns of a family's row, by the method of Levenberg and
 * Marquardt with the command as the model.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/families.h"
#include "identify/rounding.h"
#include "identify/spectrum.h"

enum { MOST_ROWS = 48, MOST_VALUES = 1 << 20 };
enum { NUMBER_ROOM = 26, STEPS = 40, TIES = 8 };

/* An unknown of the options, in which its index + 1 is a byte. */
struct unknown {
	char kind;             /* '?', '~' or '#' */
	bool each;             /* one for each plane */
	double first, last;    /* where to begin; of counts, the range */
};

/*
 * A part of the table with unknowns of its own: a plane, or all of them.
 * x are logarithms of positive unknowns.
 */
struct part {
	double x[MOST_UNKNOWNS], error[MOST_UNKNOWNS], old[MOST_UNKNOWNS];
	double squares;        /* of what is left, weighted */
	double damp;
	bool ended;
	bool rounded;          /* x are the numbers themselves */
};

struct problem {
	struct search *s;
	struct candidate c;
	struct table owner;    /* of the memory below */
	char *text;            /* the options */
	char *command;         /* with numbers: room for those of all parts */
	size_t room;
	struct unknown of[MOST_UNKNOWNS];
	bool fixed[MOST_UNKNOWNS];  /* in all parts */
	size_t n;
	struct part *parts;
	size_t parts_n;
	int digits, steps;     /* of unknowns that are not fixed, as more take
				  exact tables long; of the fit */
	size_t rows[MOST_ROWS], m;  /* that are compared, plane by plane */
	double *made, *next, *change[MOST_UNKNOWNS];  /* [m, cols] */
};

static const struct profile *given(const struct problem *p)
{
	return p->s->profile;
}

static void *alloc(struct problem *p, size_t n, size_t size)
{
	return table_alloc(&p->owner, n, size, p->s->err);
}

static double value(const struct problem *p, size_t part, size_t k)
{
	const struct part *of = &p->parts[part];
	const bool number = of->rounded || p->fixed[k];

	return p->of[k].kind == '?' && !number ? exp(of->x[k]) : of->x[k];
}

/* Write the options with numbers for unknowns to p->command. */
static void write_command(struct problem *p)
{
	char number[32];
	size_t n = 0;

	for (const char *c = p->text; *c; c++) {
		const size_t k = (size_t)*c - 1;

		if (k >= p->n) {
			p->command[n++] = *c;
			continue;
		}
		for (size_t i = 0; i < (p->of[k].each ? p->parts_n : 1); i++) {
			nice_text(value(p, i, k), number);
			if (!p->fixed[k] && !p->parts[i].rounded)
				snprintf(number, sizeof number, "%.*g",
					 p->digits, value(p, i, k));
			n += (size_t)snprintf(p->command + n, p->room - n,
					      "%s%s", i ? "," : "", number);
		}
	}
	p->command[n] = '\0';
}

/* Open the table; false if the recipe refuses, or it has another shape. */
static bool open_made(struct problem *p, struct table *t)
{
	struct error err = { 0 };
	bool good;

	write_command(p);
	good = !search_over(p->s) &&
	       recipe_open(t, p->c.recipe, p->command, NULL, &err) &&
	       t->planes * t->rows == given(p)->n && t->cols == given(p)->cols;
	pass_memory(p->s->err, &err);
	return good;
}

/* Make the rows; false if there is no such table. */
static bool make(struct problem *p, double *to)
{
	struct table t = { 0 };
	const bool good = open_made(p, &t);

	for (size_t i = 0; good && i < p->m; i++)
		table_rows(&t, F64, p->rows[i], 1, NULL,
			   to + i * given(p)->cols);
	table_close(&t);
	return good;
}

/* The rows of part i: from the index that is returned up to *end. */
static size_t rows_of(const struct problem *p, size_t i, size_t *end)
{
	*end = (i + 1) * p->m / p->parts_n;
	return i * p->m / p->parts_n;
}

/* As many rows of each plane, spread over it: the last ones tell the most. */
static bool choose_rows(struct problem *p)
{
	const struct profile *of = given(p);
	const bool count = p->of[0].kind == '#';
	const size_t planes = of->table->planes, rows = of->table->rows;
	size_t most = count ? 2 : MOST_ROWS / planes;

	if (!most || of->cols > MOST_VALUES || most * planes > MOST_ROWS)
		return false;
	while (most > 1 && most * planes * of->cols > MOST_VALUES)
		most--;
	most = most < rows ? most : rows;
	p->m = 0;
	for (size_t i = 0; i < planes; i++)
		for (size_t k = 0; k < most; k++)
			p->rows[p->m++] = (i + 1) * rows - 1 -
				(most > 1 ? k * (rows - 1) / (most - 1) : 0);
	return true;
}

/* The noise that a value of the input may have. */
static double noise_of(const struct profile *of, double x)
{
	return fmax(of->noise, of->epsilon) * fabs(x) + of->abs_noise +
	       of->epsilon * (of->max - of->min) / 16;
}

/* What is left of a value, in units of that. */
static double residual(const struct problem *p, const double *made, size_t i,
		       size_t j)
{
	const double x = profile_row(given(p), p->rows[i])[j];
	const double off = x - made[i * given(p)->cols + j];

	return isfinite(off) ? off / noise_of(given(p), x) : 0;
}

static double squares(const struct problem *p, size_t part,
		      const double *made)
{
	size_t end, i = rows_of(p, part, &end);
	double sum = 0;

	for (; i < end; i++)
		for (size_t j = 0; j < given(p)->cols; j++) {
			const double off = residual(p, made, i, j);

			sum += off * off;
		}
	return sum;
}

static void step_all(struct problem *p, size_t k, double by)
{
	for (size_t i = 0; i < p->parts_n; i++)
		p->parts[i].x[k] += by;
}

/* Set p->change to derivatives by the unknowns that are not fixed. */
static bool differentiate(struct problem *p)
{
	const size_t all = p->m * given(p)->cols;

	for (size_t k = 0; k < p->n; k++) {
		double h = 0x1p-20;

		if (p->fixed[k])
			continue;
		step_all(p, k, h);
		if (!make(p, p->change[k])) {
			/* It may be the most that the command takes. */
			step_all(p, k, -2 * h);
			h = -h;
			if (!make(p, p->change[k]))
				return false;
		}
		step_all(p, k, -h);
		for (size_t i = 0; i < all; i++)
			p->change[k][i] = (p->change[k][i] - p->made[i]) / h;
	}
	return true;
}

/* The normal equations of a part; how many unknowns they have: at [n]. */
static size_t add_equations(const struct problem *p, size_t part, size_t *at,
			    double a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1])
{
	const size_t cols = given(p)->cols;
	size_t end, n = 0;

	for (size_t k = 0; k < p->n; k++)
		if (!p->fixed[k])
			at[n++] = k;
	for (size_t i = rows_of(p, part, &end); i < end; i++)
		for (size_t j = 0; j < cols; j++) {
			const size_t v = i * cols + j;
			const double x = profile_row(given(p), p->rows[i])[j];
			const double r = residual(p, p->made, i, j);
			const double w = 1 / noise_of(given(p), x);

			for (size_t k = 0; k < n; k++) {
				const double d = w * p->change[at[k]][v];

				if (!isfinite(d) || isinf(x))
					continue;
				for (size_t l = 0; l < n; l++)
					a[k][l] += d * w * p->change[at[l]][v];
				a[k][n] += d * r;
			}
		}
	return n;
}

/* Move the unknowns of a part, and set what their errors are. */
static void move(struct problem *p, size_t part)
{
	double a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1] = { { 0 } };
	double b[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], by[MOST_UNKNOWNS];
	struct part *of = &p->parts[part];
	size_t at[MOST_UNKNOWNS];
	const size_t n = add_equations(p, part, at, a);
	size_t end;
	const size_t begin = rows_of(p, part, &end);
	const double m = (double)((end - begin) * given(p)->cols);
	/* Noise is what is left; rounding is known */
	const double off = fmax(given(p)->assumed > 0 ? 0 : 1,
				sqrt(of->squares / m));

	memcpy(of->old, of->x, sizeof of->old);
	for (size_t k = 0; k < n; k++) {
		memcpy(b, a, sizeof b);
		for (size_t l = 0; l < n; l++)
			b[l][n] = l == k;
		of->error[at[k]] = solve_equations(b, n, 0, by)
			? 6 * off * sqrt(fabs(by[k])) + 1e-15 : HUGE_VAL;
	}
	memcpy(b, a, sizeof b);
	for (size_t k = 0; k < n; k++)
		b[k][k] *= 1 + of->damp;
	if (!solve_equations(b, n, 0, by))
		of->ended = true;
	for (size_t k = 0; k < n && !of->ended; k++)
		of->x[at[k]] += p->of[at[k]].kind == '?'
			? fmax(-2, fmin(2, by[k])) : by[k];
}

/* Make the table where all have moved, less far if that is refused. */
static bool make_next(struct problem *p)
{
	enum { HALVES = 8 };

	for (int k = 0; k < HALVES; k++) {
		if (make(p, p->next))
			return true;
		for (size_t i = 0; i < p->parts_n; i++)
			for (size_t j = 0; j < p->n; j++) {
				struct part *of = &p->parts[i];

				if (!of->ended)
					of->x[j] = (of->x[j] + of->old[j]) / 2;
			}
	}
	return false;
}

/* Whether a positive unknown went so far that it says nothing any more. */
static bool is_lost(const struct problem *p, const struct part *of)
{
	for (size_t k = 0; k < p->n; k++)
		if (p->of[k].kind == '?' && !p->fixed[k] &&
		    fabs(of->x[k] - log(p->of[k].first)) > log(1e6))
			return true;
	return false;
}

/* Keep what makes the table nearer; whether a part may come nearer still. */
static bool judge(struct problem *p, bool made)
{
	const size_t cols = given(p)->cols;
	bool more = false;

	for (size_t i = 0; i < p->parts_n; i++) {
		struct part *of = &p->parts[i];
		const double now = made ? squares(p, i, p->next) : HUGE_VAL;
		size_t end;
		const size_t begin = rows_of(p, i, &end);
		const double hopeless = 1e6 * (double)((end - begin) * cols);

		if (of->ended)
			continue;
		if (now < of->squares) {
			of->ended = of->squares - now <
				(now > hopeless ? 1e-2 : 1e-7) * of->squares;
			of->squares = now;
			of->damp *= 0.1;
			memcpy(p->made + begin * cols, p->next + begin * cols,
			       (end - begin) * cols * sizeof *p->made);
		} else {
			memcpy(of->x, of->old, sizeof of->x);
			of->damp = fmax(of->damp, 1e-6) * 10;
			of->ended = of->damp > 1e6;
		}
		more = more || !of->ended;
	}
	return more;
}

/* The root mean square that is left of all values, in units of their noise. */
static double rms(const struct problem *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->parts_n; i++)
		sum += p->parts[i].squares;
	return sqrt(sum / (double)(p->m * given(p)->cols));
}

/* Fit the unknowns that are not fixed; false if the command is refused. */
static bool fit(struct problem *p)
{
	bool more = true, lost = false;

	if (!make(p, p->made))
		return false;
	for (size_t i = 0; i < p->parts_n; i++) {
		p->parts[i].squares = squares(p, i, p->made);
		p->parts[i].damp = 1e-3;
		p->parts[i].ended = p->parts[i].rounded;
	}
	for (int step = 0; more && step < p->steps; step++) {
		if (!differentiate(p))
			return false;
		for (size_t i = 0; i < p->parts_n; i++)
			if (!p->parts[i].ended)
				move(p, i);
		more = judge(p, make_next(p));
		for (size_t i = 0; i < p->parts_n; i++)
			lost = lost || (!p->parts[i].rounded &&
					is_lost(p, &p->parts[i]));
		if (lost)
			return false;
	}
	return true;
}

static bool run(struct problem *p)
{
	write_command(p);
	return try_candidate(p->s, &p->c, "%s", p->command);
}

/* Whether a number is none that people type. */
static bool is_odd(const struct problem *p)
{
	for (size_t k = 0; k < p->n; k++)
		for (size_t i = 0; i < p->parts_n; i++)
			if (nice_digits(value(p, i, k)) > ROUND_DIGITS)
				return true;
	return false;
}

/* Round an unknown of part i to a number within its error. */
static void round_unknown(struct problem *p, size_t i, size_t k, double error)
{
	const double x = value(p, i, k);

	p->parts[i].x[k] = p->of[k].kind == '?'
		? round_to_usual(x, x * fmin(error, 0.1))
		: round_to_decimals(x, error);
}

/*
 * Round one unknown after the other, fit the others again, and run; if there
 * is a match already, only with numbers that people type.
 */
static bool round_and_run(struct problem *p, double share, bool match)
{
	for (size_t k = 0; k < p->n; k++) {
		for (size_t i = 0; i < p->parts_n; i++)
			if (!p->parts[i].rounded)
				round_unknown(p, i, k,
					      share * p->parts[i].error[k]);
		p->fixed[k] = true;
		if (k + 1 < p->n && !fit(p))
			return false;
	}
	return !(match && is_odd(p)) && run(p);
}

/* Set the unknowns to where they begin: fixed, as numbers, or to be fitted. */
static void start(struct problem *p, bool fixed)
{
	for (size_t k = 0; k < p->n; k++) {
		const double x = p->of[k].first;

		p->fixed[k] = fixed;
		for (size_t i = 0; i < p->parts_n; i++)
			p->parts[i].x[k] =
				p->of[k].kind == '?' && !fixed ? log(x) : x;
	}
}

/* Whether a part is as near with rounded numbers as it was with others. */
static bool is_as_near(const struct problem *p, size_t i,
		       const struct part *was)
{
	size_t end;
	const size_t begin = rows_of(p, i, &end);
	const double n = (double)((end - begin) * given(p)->cols);

	return squares(p, i, p->made) <= 1.1 * was->squares + 0.1 * n;
}

/*
 * Round less and less, as the values allow several digits; parts that have
 * theirs keep them. Noise hides digits: then the roundest numbers are named.
 */
static bool round_all(struct problem *p, const struct part *fitted)
{
	const size_t before = p->s->n;
	const bool noise = given(p)->assumed > 0;

	for (double share = 1; share > 1e-4; share *= 0.25) {
		if (round_and_run(p, share, p->s->n > before) &&
		    (noise || search_has_exact(p->s, before)))
			return true;
		if (!make(p, p->made))
			return false;
		for (size_t i = 0; i < p->parts_n; i++) {
			struct part *of = &p->parts[i];

			of->rounded = p->parts_n > 1 &&
				(of->rounded || is_as_near(p, i, &fitted[i]));
			if (!of->rounded)
				*of = fitted[i];
		}
		memset(p->fixed, 0, sizeof p->fixed);
	}
	return p->s->n > before;
}

static bool solve_reals(struct problem *p)
{
	const size_t before = p->s->n;
	const bool noise = given(p)->assumed > 0;
	struct part *fitted = alloc(p, p->parts_n, sizeof *fitted);

	/* What most people use */
	start(p, true);
	if (!fitted ||
	    (run(p) && (noise || search_has_exact(p->s, before))))
		return fitted;
	start(p, false);
	if (!fit(p) || !(rms(p) < (noise ? 2 : 4 * (8 + p->c.absolute))))
		return false;
	memcpy(fitted, p->parts, p->parts_n * sizeof *fitted);
	return round_all(p, fitted) || p->s->n > before;
}

/*
 * The sum of squares of values that are finite: of the table, or of the
 * command, which refuses only what is beyond the largest.
 */
static double total(struct problem *p, bool made)
{
	const size_t cols = given(p)->cols;
	double sum = 0;

	if (made && !make(p, p->made))
		return HUGE_VAL;
	for (size_t i = 0; i < p->m; i++)
		for (size_t j = 0; j < cols; j++) {
			const double x = made ? p->made[i * cols + j]
				: profile_row(given(p), p->rows[i])[j];

			sum += isfinite(x) ? x * x : 1;
		}
	return sum;
}

/*
 * The least count whose total is beyond what is wanted, or, if reached is set,
 * equal to it; total * sign rises with the count.
 */
static double bisect(struct problem *p, double sign, double want, bool reached)
{
	const struct unknown *u = &p->of[0];
	double low = fmin(u->first, u->last) - 1;
	double high = fmax(u->first, u->last) + 1;

	while (high - low > 1 && !search_over(p->s)) {
		const double mid = floor((low + high) / 2);
		double more;

		p->parts[0].x[0] = mid;
		more = sign * (total(p, true) - want);
		if (reached ? more >= 0 : more > 0)
			high = mid;
		else
			low = mid;
	}
	return high;
}

static bool try_count(struct problem *p, double x)
{
	p->parts[0].x[0] = x;
	return run(p);
}

/*
 * All counts of a range may make the table. Powers of two go first, then the
 * roundest; of a few, all are named.
 */
static bool solve_count(struct problem *p)
{
	const double want = total(p, false);
	const double sign = p->of[0].first < p->of[0].last ? 1 : -1;
	const double least = bisect(p, sign, want, true);
	const double most = bisect(p, sign, want, false) - 1;
	bool found = false;

	if (least > most)
		return false;
	if (least <= 128 && most >= 128 && try_count(p, 128))
		return true;
	for (int k = 1; k < 32; k++)
		if (ldexp(1, k) >= least && ldexp(1, k) <= most &&
		    try_count(p, ldexp(1, k)))
			return true;
	found = try_count(p, rint(round_to_nice((least + most) / 2,
						(most - least) / 2)));
	for (double x = least; most - least <= TIES && x <= most; x++)
		found = try_count(p, x) || found;
	return found;
}

/* Read an unknown of the text; the end of it. */
static const char *read_unknown(struct unknown *u, const char *from)
{
	char *end;

	*u = (struct unknown){ .kind = *from };
	u->first = strtod(from + 1, &end);
	if (u->kind == '#')
		u->last = strtod(end + 1, &end);
	u->each = strncmp(end, ",...", 4) == 0;
	return u->each ? end + 4 : end;
}

/* Read the options without alternatives; false: too large, or no memory. */
static bool begin(struct problem *p, const char *options)
{
	const size_t planes = given(p)->table->planes;
	size_t n = 0;

	p->text = alloc(p, strlen(options) + 1, 1);
	p->parts_n = 1;
	for (const char *c = options; p->text && *c;) {
		if (!strchr("?~#", *c)) {
			p->text[n++] = *c++;
			continue;
		}
		c = read_unknown(&p->of[p->n], c);
		p->parts_n = p->of[p->n].each ? planes : p->parts_n;
		p->text[n++] = (char)++p->n;
	}
	p->room = strlen(options) + p->n * p->parts_n * NUMBER_ROOM + 1;
	p->command = alloc(p, p->room, 1);
	p->parts = alloc(p, p->parts_n, sizeof *p->parts);
	if (!p->text || !p->command || !p->parts)
		return false;
	return true;
}

/* Room for the rows that are made. */
static bool begin_rows(struct problem *p)
{
	if (!choose_rows(p))
		return false;
	p->made = alloc(p, (2 + p->n) * p->m,
			given(p)->cols * sizeof *p->made);
	p->next = p->made + p->m * given(p)->cols;
	for (size_t k = 0; k < p->n; k++)
		p->change[k] = p->next + (k + 1) * p->m * given(p)->cols;
	return p->made;
}

static bool solve_one(struct search *s, const struct family *f,
		      const char *options)
{
	struct problem p = { .s = s, .digits = 17, .steps = STEPS, .c = {
		.recipe = f->recipe, .absolute = f->absolute, .relative = 4,
	} };
	const bool begun = begin(&p, options);
	bool found = false;

	if (begun && !p.n)
		found = run(&p);
	else if (begun && begin_rows(&p))
		found = p.of[0].kind == '#' ? solve_count(&p)
					    : solve_reals(&p);
	table_close(&p.owner);
	return found;
}

/* Narrow the change of unknown k of the only part by all rows. */
static bool narrow_by_command(struct narrowing *z, struct problem *p, size_t k)
{
	double *x = &p->parts[0].x[k];
	const double before = *x;
	bool good;

	z->made = z->moved = (struct table){ 0 };
	good = open_made(p, &z->made);
	*x += z->h;
	good = good && open_made(p, &z->moved) && narrow_by_rows(z);
	*x = before + (good ? (z->low + z->high) / 2 : 0);
	table_close(&z->made);
	table_close(&z->moved);
	return good;
}

/*
 * Set unknown k to the middle of the interval in which all values are made but
 * for rounding, and its error to half the length; false: there is none.
 */
static bool narrow(struct problem *p, size_t k)
{
	struct part *of = &p->parts[0];
	const double units[] = { 0x1p-53, 4 * given(p)->epsilon };
	const double x = of->x[k];
	struct narrowing z = {
		.profile = given(p), .candidate = &p->c, .h = 0x1p-26,
		.row = p->made, .moved_row = p->next,
	};

	for (int n = given(p)->dtype_noise > 0 ? 0 : 2; n < 4; n++) {
		z.unit = units[n % 2];
		z.narrow = n < 2;
		of->x[k] = x;
		if (!narrow_by_command(&z, p, k) ||
		    !narrow_by_command(&z, p, k))
			continue;
		of->error[k] = (z.high - z.low) / 2;
		return true;
	}
	return false;
}

/*
 * Round all unknowns but one; false if another has too many digits: of fewer
 * unknowns, more are known.
 */
static bool round_others(struct problem *p, size_t odd)
{
	const struct part *of = &p->parts[0];
	const int most = p->n < 3 ? ODD_DIGITS + 2 : ODD_DIGITS;

	for (size_t k = 0; k < p->n; k++) {
		if (k == odd)
			continue;
		round_unknown(p, 0, k, of->error[k]);
		p->fixed[k] = true;
		if (nice_digits(of->x[k]) > most)
			return false;
	}
	return true;
}

/* Fit the unknowns from near values on. All but one are rounded. */
static void solve_odd(struct problem *p)
{
	const size_t before = p->s->n;
	struct part fitted;
	char *tried;

	start(p, false);
	p->digits = given(p)->stored == F64 ? 17 : 12;
	if (!fit(p) || !(rms(p) < 4 * (8 + p->c.absolute + p->c.per_position *
				       (double)given(p)->n)))
		return;
	p->digits = 17;
	fitted = p->parts[0];
	tried = alloc(p, p->room, 1);
	for (size_t odd = 0; tried && odd < p->n &&
			     !search_has_exact(p->s, before); odd++) {
		p->parts[0] = fitted;
		memset(p->fixed, 0, sizeof p->fixed);
		if (!round_others(p, odd) || !narrow(p, odd))
			continue;
		round_unknown(p, 0, odd, p->parts[0].error[odd]);
		p->fixed[odd] = true;
		write_command(p);
		if (strcmp(tried, p->command) != 0)
			run(p);
		memcpy(tried, p->command, p->room);
	}
}

bool solve_near(struct search *s, const struct candidate *c,
		const char *options)
{
	const size_t before = s->n;
	struct problem p = { .s = s, .c = *c, .steps = STEPS / 4 };
	size_t m = 0;

	if (options && begin(&p, options) && begin_rows(&p)) {
		for (size_t i = 0; i < p.m; i++)
			if (!profile_zero_row(s->profile, p.rows[i]))
				p.rows[m++] = p.rows[i];
		p.m = m;
		solve_odd(&p);
	}
	table_close(&p.owner);
	return s->n > before;
}

/* Behind the alternative that begins at the text: at '|' or '}'. */
static const char *alternative_end(const char *at)
{
	for (int depth = 0; depth || (*at != '|' && *at != '}'); at++)
		depth += (*at == '{') - (*at == '}');
	return at;
}

bool solve_family(struct search *s, const struct family *f,
		  const char *options)
{
	const char *open = strchr(options, '{'), *close = open, *at = open;
	bool found = false;

	if (!open)
		return solve_one(s, f, options);
	do
		close = alternative_end(close + 1);
	while (*close != '}');
	while (at != close && !search_over(s)) {
		const char *end = alternative_end(at + 1);
		const bool last = at[1] == '!';
		char *one;

		at += 1 + last;
		if (last && search_has_exact(s, 0))
			break;
		one = search_text(s, "%.*s%.*s%s", (int)(open - options),
				  options, (int)(end - at), at, close + 1);
		found = (one && solve_family(s, f, one)) || found;
		at = end;
	}
	return found;
}
