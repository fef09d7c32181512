/* values_text.c: values of files as decimal text into tables. */
#include <float.h>
#include <math.h>

#include "formats/format.h"
#include "formats/values.h"

bool reads_float64(const struct read_options *options)
{
	const int dtype = options->raw->dtype;

	return dtype != NO_CHOICE && dtype % DTYPES == F64;
}

/*
 * x, or its neighbour on the side of the digits if x is half way between two
 * float32 values: so that rounding to float32 is correct.
 */
static double lean_to_digits(const char *text, double x)
{
	const double y = decimal_single(text, x);

	return y > (double)(float)x ? nextafter(x, HUGE_VAL) :
	       y < (double)(float)x ? nextafter(x, -HUGE_VAL) : x;
}

bool values_add(struct values *g, const struct decimal *d,
		const char *text, struct error *err)
{
	if (!values_reserve(g, 1, err))
		return false;
	g->at[g->n++] = d->single && isfinite(d->x) && !g->doubles
			? lean_to_digits(text, d->x) : d->x;
	if (!g->inexact && d->whole && fabs(d->x) < 0x1p64 &&
	    !parse_exact(text, d->x))
		g->inexact = g->n;
	/* Integers have no negative zero */
	g->fractions |= !d->whole || (d->x == 0 && signbit(d->x));
	g->more_digits |= !d->single;
	return true;
}

const char *values_add_plain(struct values *g, const char *s, const char *stop,
			     char separator, char last, size_t n)
{
	const size_t room = g->room - g->n;
	struct decimals all = { .most = n < room ? n : room,
				.more_digits = g->more_digits };

	if (!all.most)
		return s;
	all.x = g->at + g->n;
	s = decimals_read(&all, s, stop, separator, last);
	g->n += all.n;
	g->fractions |= all.fractions;
	g->more_digits |= all.more_digits;
	return s;
}

bool values_dtype(const struct values *g, enum dtype *d, struct error *err)
{
	const size_t cols = g->t->cols, last = g->inexact - 1;
	double most = 0;

	if (g->inexact && !g->fractions)
		return fail_file(err, g->in->path, "row %zu, column %zu: "
				 "float64 cannot represent this integer "
				 "exactly", last / cols, last % cols);
	for (size_t i = 0; !g->fractions && i < g->n; i++)
		most = fmax(most, fabs(g->at[i]));
	*d = !g->fractions && most < 0x1p31 ? I32 :
	     !g->fractions && most < 0x1p53 ? I64 :
	     g->more_digits || g->doubles ? F64 : F32;
	return true;
}

size_t values_round(const struct values *g, enum dtype d)
{
	enum { SOME = 1024 };
	size_t done = 0;

	if (d == F64)
		return g->n;
	for (size_t n; d == F32 && done < g->n; done += n) {
		double *x = g->at + done;
		unsigned over = 0;

		n = g->n - done < SOME ? g->n - done : SOME;
		for (size_t i = 0; i < n; i++)
			over |= (fabs((double)(float)x[i]) > (double)FLT_MAX) &
				(fabs(x[i]) <= DBL_MAX);
		if (over)
			break;
		for (size_t i = 0; i < n; i++)
			x[i] = (double)(float)x[i];
	}
	return done;
}
