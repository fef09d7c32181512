/* presets.c: whose conventions a table follows. */
#include <stdio.h>
#include <string.h>

#include "core/never.h"
#include "identify/presets.h"

enum { ROWS_TRIED = 8 };

/* Whether the option "name=value" says how much is made, not how. */
static bool is_extent(const char *word)
{
	static const char *const names[] = {
		"len=", "dim=", "start=", "step=", "positions=", "grid=",
		"cls=", "by=", "emulate=",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(word, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* "preset=NAME" and what of options is extent; owned by owner. */
static char *preset_options(const char *preset, const char *options,
			    struct table *owner, struct error *err)
{
	const size_t room = strlen(preset) + strlen(options) + 16;
	char *text = table_alloc(owner, room, 1, err), *rest = NULL;
	char *copy = table_copy(owner, options, err);
	size_t n;

	if (!text || !copy)
		return NULL;
	n = (size_t)snprintf(text, room, "preset=%s", preset);
	for (char *word = strtok_r(copy, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		if (is_extent(word))
			n += (size_t)snprintf(text + n, room - n, " %s", word);
	return text;
}

/* Whether row i of both is the same; scratch [2, cols]. */
static bool same_row(const struct table *a, const struct table *b, size_t i,
		     double *scratch)
{
	const double *x = a->row(a, i, scratch);
	const double *y = b->row(b, i, scratch + a->cols);

	return memcmp(x, y, a->cols * sizeof *x) == 0;
}

/* Whether both make the same, as the first rows and some others have it. */
static bool same_tables(const struct table *a, const struct table *b,
			struct table *owner, struct error *err)
{
	const size_t n = a->end;
	double *scratch = table_alloc(owner, a->cols, 2 * sizeof *scratch, err);
	/* Options that say how many rows there are stand in both. */
	bool same = scratch && !NEVER(n != b->end) && a->cols == b->cols;

	for (size_t k = 0; same && k < ROWS_TRIED; k++)
		same = (k >= n || same_row(a, b, k, scratch)) &&
		       same_row(a, b, n * k / ROWS_TRIED, scratch);
	return same;
}

bool preset_matches(const struct match *m, const char *preset,
		    struct error *err)
{
	struct table match = { 0 }, other = { 0 }, room = { 0 };
	struct error why = { 0 };
	const char *text = preset_options(preset, m->claim.options, &room,
					  &why);
	const bool good =
		text &&
		recipe_open(&match, m->recipe->name, m->claim.options, NULL,
			    &why) &&
		recipe_open(&other, m->recipe->name, text, NULL, &why) &&
		same_tables(&match, &other, &room, &why);

	table_close(&match);
	table_close(&other);
	table_close(&room);
	if (why.memory)
		*err = why;
	return good;
}
