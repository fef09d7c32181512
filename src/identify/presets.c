/* presets.c: whose conventions a table follows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/presets.h"

/* Whether the option "name=value" says how much is made, not how. */
static bool is_extent(const char *word)
{
	static const char *const names[] = {
		"len=", "dim=", "start=", "step=", "positions=", "grid=",
		"cls=", "by=",
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

bool preset_matches(const struct hunt *h, const struct match *m,
		    const char *preset)
{
	struct hunt one = { .sight = h->sight, .owner = h->owner };
	struct claim c = m->claim;
	char *text = preset_options(preset, c.options);
	bool good;

	c.options = text;
	good = text && hunt_claim(&one, &c) &&
	       (one.matches[0].exact ||
		(!m->exact && one.matches[0].error <= 2 * m->error));
	free(text);
	return good;
}
