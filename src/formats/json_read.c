/* json_read.c: our own objects and plain arrays of numbers into a table. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "formats/gather.h"
#include "formats/json.h"
#include "formats/json_scan.h"

/* What is known of the table while it comes. */
struct reader {
	struct json j;
	struct gather g;
	size_t rank;              /* 0 until the first number came */
	size_t shape[RANK_MOST];  /* of the data; 0 until an array ended */
	bool has_data;
	size_t said_rank;         /* of the member "shape", 0 without */
	double said[RANK_MOST];
	int dtype;                /* of the member "dtype", or NOT_GIVEN */
};

static bool read_number(struct reader *r, struct error *err)
{
	struct decimal d = { .x = (double)NAN, .single = true };
	const char *text = "";

	if ((*r->j.at != 'n' || !json_word(&r->j, "null", err)) &&
	    !json_number(&r->j, &d, &text, err))
		return false;
	if (r->dtype == F32 && isfinite(d.x)) {
		d.x = decimal_single(text, d.x);
		if (isinf(d.x)) {
			r->j.at -= d.end - text;
			return json_fail(&r->j, err, "a number that float32 "
					 "cannot hold");
		}
	}
	return gather_decimal(&r->g, &d, text, err);
}

/* The end of an array of n, which is as all beside it. */
static bool end_array(struct reader *r, size_t depth, size_t n,
		      struct error *err)
{
	size_t *wanted = &r->shape[depth];

	if (!n)
		return json_fail(&r->j, err, "an array that holds no number");
	if (!*wanted)
		*wanted = n;
	if (n != *wanted)
		return json_fail(&r->j, err, "an array of %zu ends beside "
				 "arrays of %zu", n, *wanted);
	return true;
}

/* An array at depth, 0 outermost; its '[' comes next. */
static bool read_array(struct reader *r, size_t depth, struct error *err)
{
	struct json *j = &r->j;
	size_t n = 0;

	if (depth == RANK_MOST || (r->rank && depth == r->rank))
		return json_fail(j, err, depth == RANK_MOST
				 ? "more than 8 dimensions"
				 : "an array stands where numbers should");
	if (!json_take(j, '[', err))
		return false;
	while (json_next(j, ']', &n, err)) {
		if (json_peek(j, err) == '[') {
			if (!read_array(r, depth + 1, err))
				return false;
			continue;
		}
		if (!r->rank)
			r->rank = depth + 1;
		if (r->rank != depth + 1)
			return json_unexpected(j, "an array", err);
		if (!read_number(r, err))
			return false;
	}
	return !err->text[0] && end_array(r, depth, n, err);
}

/* "shape": up to RANK_MOST whole numbers. */
static bool read_shape(struct reader *r, struct error *err)
{
	struct decimal d;
	const char *text;
	size_t n = 0;

	if (!json_take(&r->j, '[', err))
		return false;
	while (json_next(&r->j, ']', &n, err)) {
		if (n > RANK_MOST)
			return json_fail(&r->j, err, "a shape of more than 8 "
					 "dimensions");
		if (!json_number(&r->j, &d, &text, err))
			return false;
		r->said[n - 1] = d.x;
	}
	if (!n)
		json_fail(&r->j, err, "a shape without a dimension");
	r->said_rank = n;
	return !err->text[0];
}

static bool read_dtype(struct reader *r, struct error *err)
{
	const char *text;
	size_t n;

	if (!json_string(&r->j, &text, &n, err))
		return false;
	for (int d = 0; d < DTYPES; d++)
		if (strlen(dtype_words[d]) == n &&
		    memcmp(text, dtype_words[d], n) == 0) {
			r->dtype = d;
			return true;
		}
	return json_fail(&r->j, err, "no dtype is called '%.*s'",
			 n < 40 ? (int)n : 40, text);
}

/* The members of an object, of which three count; its '{' comes next. */
static bool read_object(struct reader *r, struct error *err)
{
	struct json *j = &r->j;
	char key[JSON_KEY];
	size_t n = 0;

	j->at++;
	while (json_next(j, '}', &n, err)) {
		const bool data = json_key(j, key, err) && !strcmp(key, "data");
		const bool shape = !strcmp(key, "shape");
		const bool dtype = !strcmp(key, "dtype");

		if (err->text[0])
			return false;
		if ((data && r->has_data) || (shape && r->said_rank) ||
		    (dtype && r->dtype != NOT_GIVEN))
			return json_fail(j, err, "a second \"%s\"", key);
		r->has_data |= data;
		if (!(data ? read_array(r, 0, err) :
		      shape ? read_shape(r, err) :
		      dtype ? read_dtype(r, err) : json_skip(j, err)))
			return false;
	}
	if (!r->has_data)
		fail_file(err, j->in->path, "it has no \"data\"");
	return !err->text[0];
}

static bool check_shape(const struct reader *r, struct error *err)
{
	bool same = r->said_rank == r->rank;

	for (size_t i = 0; same && i < r->rank; i++)
		same = r->said[i] >= (double)r->shape[i] &&
		       r->said[i] <= (double)r->shape[i];
	if (r->said_rank && !same)
		return fail_file(err, r->j.in->path, "its \"shape\" is not "
				 "that of its \"data\"");
	return true;
}

static bool round_all(const struct reader *r, struct table *t,
		      struct error *err)
{
	double *x = r->g.at;

	for (size_t i = 0; i < r->g.n; i++) {
		if (t->dtype == I64 && fabs(x[i]) >= 0x1p53)
			return fail_file(err, r->j.in->path, "row %zu, column "
					 "%zu is of 2^53 or more, where int64 "
					 "is not read exactly", i / t->cols,
					 i % t->cols);
		if (!dtype_holds(t->dtype, x[i]))
			return fail_file(err, r->j.in->path, "row %zu, column "
					 "%zu is %.17g, which its dtype %s "
					 "cannot hold", i / t->cols,
					 i % t->cols, x[i],
					 dtype_name(t->dtype));
		x[i] = dtype_round(t->dtype, x[i]);
	}
	table_dense(t, x);
	return true;
}

bool json_read(struct in *in, const struct asked *asked, struct table *t,
	       struct error *err)
{
	struct reader r = {
		.g = { .in = in, .t = t, .doubles = asked_doubles(asked) },
		.dtype = NOT_GIVEN,
	};

	if (!in_read(in, 3, err))
		return false;
	json_begin(&r.j, in, SIZE_MAX);
	if (!(json_peek(&r.j, err) == '{' ? read_object(&r, err)
					  : read_array(&r, 0, err)) ||
	    !json_end(&r.j, err) || !check_shape(&r, err))
		return false;
	table_fold(t, r.shape, r.rank);
	t->dtype = (enum dtype)r.dtype;
	if (r.dtype == NOT_GIVEN && !gather_dtype(&r.g, &t->dtype, err))
		return false;
	return round_all(&r, t, err);
}
