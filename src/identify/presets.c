/* presets.c: whose conventions a table follows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* "preset=NAME" and what of options is extent; to be freed. */
static char *preset_options(const char *preset, const char *options)
{
	const size_t room = strlen(preset) + strlen(options) + 16;
	char *text = malloc(room), *copy = strdup(options), *rest = NULL;
	size_t n;

	if (text && copy) {
		n = (size_t)snprintf(text, room, "preset=%s", preset);
		for (char *word = strtok_r(copy, " ", &rest); word;
		     word = strtok_r(NULL, " ", &rest))
			if (is_extent(word))
				n += (size_t)snprintf(text + n, room - n,
						      " %s", word);
	}
	free(copy);
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
static bool same_tables(const struct table *a, const struct table *b)
{
	const size_t n = a->end;
	double *scratch;
	bool same = n == b->end && a->cols == b->cols;

	scratch = same ? malloc(2 * a->cols * sizeof *scratch) : NULL;
	for (size_t k = 0; scratch && same && k < ROWS_TRIED; k++)
		same = (k >= n || same_row(a, b, k, scratch)) &&
		       same_row(a, b, n * k / ROWS_TRIED, scratch);
	free(scratch);
	return same && scratch;
}

bool preset_matches(const struct match *m, const char *preset)
{
	struct table match = { 0 }, other = { 0 };
	struct error err = { 0 };
	char *text = preset_options(preset, m->claim.options);
	const bool good =
		text &&
		recipe_open(&match, m->recipe->name, m->claim.options, NULL,
			    &err) &&
		recipe_open(&other, m->recipe->name, text, NULL, &err) &&
		same_tables(&match, &other);

	table_close(&match);
	table_close(&other);
	free(text);
	return good;
}
