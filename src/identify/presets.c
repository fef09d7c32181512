/* presets.c: presets that make the same table as a match. */
#include <stdio.h>
#include <string.h>

#include "table/never.h"
#include "text/words.h"
#include "identify/identify.h"

/* Whether "name=value" sets a table's extent, input or arithmetic. */
static bool is_extent(const struct recipe *r, const char *word)
{
	const struct option *o = option_find(r->options, word,
					     strcspn(word, "="));

	return o->role == ROLE_EXTENT || o->role == ROLE_COLUMNS ||
	       o->role == ROLE_ARITHMETIC || option_reads_tables(o);
}

/* "preset=NAME" with the extent from options; owned by owner. */
static char *preset_options(const struct match *m, const char *preset,
			    struct table *owner, struct error *err)
{
	const char *options = m->candidate.options;
	const size_t room = strlen(preset) + strlen(options) + 16;
	char *text = table_alloc(owner, room, 1, err);
	char *copy = table_copy(owner, options, err), *word;
	size_t n;

	if (!text || !copy)
		return NULL;
	n = (size_t)snprintf(text, room, "preset=%s", preset);
	while ((word = word_next(&copy, err)))
		if (is_extent(m->recipe, word))
			n += (size_t)snprintf(text + n, room - n, " %s", word);
	return text;
}

/* Whether rows i are equal; scratch [2, cols]. */
static bool same_row(const struct table *a, const struct table *b, size_t i,
		     double *scratch)
{
	double *x = scratch, *y = scratch + a->cols;

	table_rows(a, F64, i, 1, NULL, x);
	table_rows(b, F64, i, 1, NULL, y);
	return memcmp(x, y, a->cols * sizeof *x) == 0;
}

/* Whether the tables are equal in the first rows and in some others. */
static bool same_tables(const struct table *a, const struct table *b,
			struct table *owner, struct error *err)
{
	enum { SAMPLE_ROWS = 8 };
	const size_t n = a->end;
	double *scratch = table_alloc(owner, a->cols, 2 * sizeof *scratch, err);
	/* Both have the same options for the number of rows. */
	bool same = scratch && !NEVER(n != b->end) && a->cols == b->cols;

	for (size_t k = 0; same && k < SAMPLE_ROWS; k++)
		same = (k >= n || same_row(a, b, k, scratch)) &&
		       same_row(a, b, n * k / SAMPLE_ROWS, scratch);
	return same;
}

/* Whether the preset, with the extent of the match, makes the same table. */
static bool preset_matches(const struct match *m, const char *preset,
			   struct error *err)
{
	struct table match = { 0 }, other = { 0 }, room = { 0 };
	struct error why = { 0 };
	const char *text = preset_options(m, preset, &room, &why);
	const bool good =
		text &&
		recipe_open(&match, m->recipe->name, m->candidate.options,
			    m->candidate.given, &why) &&
		recipe_open(&other, m->recipe->name, text,
			    m->candidate.given, &why) &&
		same_tables(&match, &other, &room, &why);

	table_close(&match);
	table_close(&other);
	table_close(&room);
	pass_memory(err, &why);
	return good;
}

void report_presets(const struct search *s, struct report *r,
		    struct error *err)
{
	const struct match *m = &s->matches[0];
	const struct preset *presets = m->recipe->presets;
	const char **names;
	size_t all = 0, n = 0;

	while (presets && presets[all].name)
		all++;
	names = table_alloc(r->owner, all, sizeof *names, err);
	for (size_t k = 0; names && k < all; k++)
		if (preset_matches(m, presets[k].name, err))
			names[n++] = presets[k].name;
	if (n)
		report_lines(r, "presets", names, n);
}
