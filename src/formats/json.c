/* json.c: metadata and values; one table row per line. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/decimal.h"
#include "formats/format.h"
#include "formats/json_scan.h"
#include "formats/json_tree.h"
#include "formats/report.h"
#include "formats/rows.h"
#include "formats/values.h"

static void write_head(struct output_file *o, const struct table *t)
{
	char *text = json_header(t);

	if (text)
		json_send(o, text, strlen(text) - 1);
	else
		out_fail(o, "out of memory");
	free(text);
}

/* The separator before row i; each row begins a line. */
static size_t row_before(const struct row_writer *r, size_t i, char *to)
{
	const struct table *t = r->t;
	const bool planes = table_shape(t, NULL) == 3;
	const char *text = i == t->begin ? "[" :
			   planes && i % t->rows == 0 ? "\n],[\n[" : ",\n[";

	return (size_t)(stpcpy(to, text) - to);
}

/* A row of numbers, a separator between them. */
static size_t row_numbers(const struct row_writer *r, struct numbers x,
			  size_t n, char *to)
{
	const enum dtype d = r->t->dtype;
	const size_t precision = r->style->precision;
	size_t finite = 0;
	char *at = to;

	while (finite < n && isfinite(x.f ? (double)x.f[finite] : x.d[finite]))
		finite++;
	if (finite == n)
		return numbers_text(to, x, n, d, precision);
	for (size_t j = 0; j < n; j++) {
		if (j)
			*at++ = ',';
		at += json_number_text(at, x.f ? (double)x.f[j] : x.d[j], d,
				       precision);
	}
	return (size_t)(at - to);
}

static void json_write(const struct style *style, const struct table *t,
		       struct output_file *o)
{
	const bool planes = table_shape(t, NULL) == 3;
	const struct row_writer r = {
		.t = t, .style = style, .after = "]", .separator = ',',
		.before = row_before, .before_room = 8,
		.numbers = row_numbers, .number_room = NUMBER_ROOM,
	};

	write_head(o, t);
	out_text(o, planes ? ",\"data\":[[\n" : ",\"data\":[\n");
	rows_send(&r, o);
	out_text(o, planes ? "\n]]}\n" : "\n]}\n");
}

/* The state of the reader and what is known of the table. */
struct reader {
	struct json j;
	struct values g;
	size_t rank;              /* 0 until the first value */
	size_t shape[RANK_MOST];  /* of "data"; 0 until an array ends */
	bool has_data;
	size_t stated_rank;         /* of member "shape"; 0: none */
	double stated_shape[RANK_MOST];
	int dtype;                /* of member "dtype", or NO_CHOICE */
	size_t between;           /* a value before it, plus 1, that float32
				     would round twice; 0: none */
};

/*
 * Read a spelling of a value that is not finite, if one comes next, to d.
 * Python's json.dump() writes those without quotes.
 */
static bool read_word(struct json *j, struct decimal *d, struct error *err)
{
	static const struct {
		const char *text;
		double x;
	} words[] = {
		{ "null", (double)NAN }, { "\"NaN\"", (double)NAN },
		{ "\"Infinity\"", HUGE_VAL }, { "\"-Infinity\"", -HUGE_VAL },
		{ "NaN", (double)NAN }, { "Infinity", HUGE_VAL },
		{ "-Infinity", -HUGE_VAL },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].text[0] == *j->at &&
		    json_word(j, words[i].text, err)) {
			*d = (struct decimal){ .x = words[i].x,
					       .single = true };
			return true;
		}
	return false;
}

static bool read_number(struct reader *r, struct error *err)
{
	struct decimal d = { 0 };
	const char *text = "";

	if (!read_word(&r->j, &d, err) && !json_number(&r->j, &d, &text, err))
		return false;
	if (r->dtype == F32 && isfinite(d.x)) {
		d.x = decimal_single(text, d.x);
		if (isinf(d.x)) {
			r->j.at -= d.end - text;
			return json_fail(&r->j, err, "number out of range for "
					 "float32");
		}
	}
	if (r->dtype == NO_CHOICE && isfinite(d.x) &&
	    fabs(decimal_single(text, d.x) - (double)(float)d.x) > 0)
		r->between = r->g.n + 1;
	return values_add(&r->g, &d, text, err);
}

/* Read the next plain numbers of an array. Returns how many they were. */
static size_t read_plain(struct reader *r)
{
	struct values *g = &r->g;
	const size_t before = g->n;
	struct json *j = &r->j;

	j->at += values_add_plain(g, j->at, j->stop, ',', ']', SIZE_MAX) -
		 j->at;
	return g->n - before;
}

/* End an array of n elements, as many as the others of its depth have. */
static bool end_array(struct reader *r, size_t depth, size_t n,
		      struct error *err)
{
	size_t *wanted = &r->shape[depth];

	if (!n)
		return json_fail(&r->j, err, "expected values, got an empty "
				 "array");
	if (!*wanted)
		*wanted = n;
	if (n != *wanted)
		return json_fail(&r->j, err, "expected an array of %zu "
				 "elements, as before, got %zu", *wanted, n);
	return true;
}

/* Read an array at depth (0: the outermost); its '[' comes next. */
static bool read_array(struct reader *r, size_t depth, struct error *err)
{
	struct json *j = &r->j;
	size_t n = 0, plain;

	if (depth == RANK_MOST || (r->rank && depth == r->rank))
		return json_fail(j, err, depth == RANK_MOST
				 ? "expected at most 8 dimensions, got more"
				 : "expected a number, got an array");
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
		plain = read_plain(r);
		if (plain)
			n += plain - 1;
		else if (!read_number(r, err))
			return false;
	}
	return !err->text[0] && end_array(r, depth, n, err);
}

/* Read "shape": up to RANK_MOST integers. */
static bool read_shape(struct reader *r, struct error *err)
{
	struct decimal d;
	const char *text;
	size_t n = 0;

	if (!json_take(&r->j, '[', err))
		return false;
	while (json_next(&r->j, ']', &n, err)) {
		if (n > RANK_MOST)
			return json_fail(&r->j, err, "expected at most 8 "
					 "dimensions in \"shape\", got more");
		if (!json_number(&r->j, &d, &text, err))
			return false;
		r->stated_shape[n - 1] = d.x;
	}
	if (!n)
		json_fail(&r->j, err, "expected 1 to 8 dimensions in "
			  "\"shape\", got none");
	r->stated_rank = n;
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
	return json_fail(&r->j, err, "unknown dtype '%.*s'",
			 n < 40 ? (int)n : 40, text);
}

/* Read an object, of which three members count; its '{' comes next. */
static bool read_object(struct reader *r, struct error *err)
{
	struct json *j = &r->j;
	char key[JSON_KEY];
	size_t n = 0;

	j->at++;
	while (json_next(j, '}', &n, err)) {
		bool data, shape, dtype;

		if (!json_key(j, key, err))
			return false;
		data = strcmp(key, "data") == 0;
		shape = strcmp(key, "shape") == 0;
		dtype = strcmp(key, "dtype") == 0;
		if ((data && r->has_data) || (shape && r->stated_rank) ||
		    (dtype && r->dtype != NO_CHOICE))
			return json_fail(j, err, "duplicate key \"%s\"", key);
		r->has_data |= data;
		if (!(data ? read_array(r, 0, err) :
		      shape ? read_shape(r, err) :
		      dtype ? read_dtype(r, err) : json_skip(j, err)))
			return false;
	}
	if (!r->has_data)
		fail_file(err, j->in->path, "missing key \"data\"");
	return !err->text[0];
}

static bool check_shape(const struct reader *r, struct error *err)
{
	bool same = r->stated_rank == r->rank;

	for (size_t i = 0; same && i < r->rank; i++)
		same = r->stated_shape[i] >= (double)r->shape[i] &&
		       r->stated_shape[i] <= (double)r->shape[i];
	if (r->stated_rank && !same)
		return fail_file(err, r->j.in->path, "\"shape\" does not match "
				 "the shape of \"data\"");
	return true;
}

static bool round_values(const struct reader *r, struct table *t,
			 struct error *err)
{
	double *x = r->g.at;

	if (r->between && t->dtype == F32)
		return fail_file(err, r->j.in->path, "row %zu, column %zu: "
				 "expected \"dtype\" before \"data\" to round "
				 "these digits to float32", (r->between - 1) /
				 t->cols, (r->between - 1) % t->cols);
	for (size_t i = values_round(&r->g, t->dtype); i < r->g.n; i++) {
		if (t->dtype == I64 && fabs(x[i]) >= 0x1p53)
			return fail_file(err, r->j.in->path, "row %zu, column "
					 "%zu: expected an integer below 2^53 "
					 "in magnitude, got a larger one",
					 i / t->cols, i % t->cols);
		if (!dtype_holds(t->dtype, x[i]))
			return fail_file(err, r->j.in->path, "row %zu, column "
					 "%zu: %.17g is not a value of dtype "
					 "%s", i / t->cols, i % t->cols, x[i],
					 dtype_name(t->dtype));
		x[i] = dtype_round(t->dtype, x[i]);
	}
	table_dense(t, x);
	return true;
}

static bool json_read(struct input_file *in, const struct read_options *options,
		      struct table *t, struct error *err)
{
	struct reader r = {
		.g = { .in = in, .t = t, .doubles = reads_float64(options) },
		.dtype = NO_CHOICE,
	};

	json_begin(&r.j, in, SIZE_MAX);
	if (!(json_peek(&r.j, err) == '{' ? read_object(&r, err)
					  : read_array(&r, 0, err)) ||
	    !json_end(&r.j, err) || !check_shape(&r, err))
		return false;
	table_fold(t, r.shape, r.rank);
	t->dtype = (enum dtype)r.dtype;
	if (r.dtype == NO_CHOICE && !values_dtype(&r.g, &t->dtype, err))
		return false;
	return round_values(&r, t, err);
}

/* An object or array, after a byte order mark and blanks. */
static bool json_recognizes(const unsigned char *b, size_t n)
{
	size_t i = n >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (i < n && strchr(" \t\r\n", b[i]) && b[i])
		i++;
	return i < n && (b[i] == '{' || b[i] == '[');
}

const struct format json_format = {
	.name = "json",
	.summary = "metadata and values, one table row per line",
	.recognizes = json_recognizes,
	.size = rows_text_size,
	.write = json_write,
	.read = json_read,
	.report = report_json,
};
