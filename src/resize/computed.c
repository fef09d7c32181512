/*
 * computed.c: tables of sines and cosines, which are computed rather than
 * resized. Where this is not found out, a note is missing.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/identify.h"
#include "resize/resize.h"

static double square_of(const struct table *x, size_t i, double *scratch)
{
	const double *row = x->row(x, i, scratch);
	double sum = 0;

	for (size_t j = 0; j < x->cols; j++)
		sum += row[j] * row[j];
	return sum;
}

/*
 * Whether two rows are of the same length, as sines and cosines of the same
 * frequencies are, or the first has one value, as cosines of position 0 have.
 * Others need no search, which takes its time.
 */
static bool may_be_computed(const struct table *x, size_t prefix,
			    double *scratch)
{
	const double *row;
	double first, second, sum = 0;

	if (x->planes > 1 || prefix + 2 > x->rows)
		return false;
	row = x->row(x, prefix, scratch);
	for (size_t j = 0; j < x->cols; j++)
		sum += row[j];
	first = square_of(x, prefix, scratch);
	second = square_of(x, prefix + 1, scratch);
	return fabs(first - second) <= first * 1e-3 ||
	       first * (double)x->cols <= sum * sum;
}

/* The options with the size before replaced by --to, or NULL. */
static char *other_size(const struct resize *s, const char *options,
			struct table *owner, struct error *why)
{
	const char *key = s->sequence ? "len=" : "grid=";
	const char *at = strstr(options, key);
	const size_t room = strlen(options) + strlen(s->to.text) + 1;
	char *text = at ? table_alloc(owner, room, 1, why) : NULL;

	if (!text)
		return NULL;
	at += strlen(key);
	snprintf(text, room, "%.*s%s%s", (int)(at - options), options,
		 s->to.text,
		 at + strcspn(at, " "));
	return text;
}

/* Name the command of a match of sines or cosines, and that for --to. */
static bool note_match(const struct resize *s, const struct match *m,
		       struct table *t, struct error *err)
{
	struct table made = { 0 };
	struct error why = { 0 };
	const char *options = other_size(s, m->candidate.options, &made, &why);
	bool good = true;

	if (options &&
	    recipe_open(&made, m->recipe->name, options, NULL, &why) &&
	    (made.frequencies.n || made.col_axis.pairs != PAIRS_NONE))
		good = table_note(t, err, "TABLE is exactly that of '%s'; '%s' "
				  "computes what resizing only approximates",
				  m->command, made.from.command);
	table_close(&made);
	return good;
}

bool resize_note_computed(const struct resize *s, struct table *t,
			  struct error *err)
{
	struct table owner = { 0 }, dense;
	struct error why = { 0 };
	struct search search = { .owner = &owner, .err = &why, .strict = true };
	struct profile profile;
	double *row = table_alloc(&owner, s->table->cols, sizeof *row, &why);
	bool good = true;

	if (row && may_be_computed(s->table, s->prefix, row) &&
	    table_in_memory(&dense, s->table, &owner, &why)) {
		search_begin(&search, SEARCH_SECONDS);
		if (run_families(&search, &profile, &dense))
			good = note_match(s, &search.matches[0], t, err);
	}
	table_close(&owner);
	return good;
}
