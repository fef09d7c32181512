/* rotated.c: the rotary embedding that turns A into B, or that each has. */
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "identify/before.h"
#include "identify/budget.h"

/* What of y's standard deviation a rotation may leave, root mean square. */
#define RESIDUAL_MOST 0.02

/* Report the rotation of x that makes y; its command, or NULL. */
static const char *find_rotation(const struct table *x, const struct table *y,
				 struct report *rotation)
{
	const double most = RESIDUAL_MOST * finite_values(y).deviation;
	const char *command = NULL;

	if (!before_measurable(x) || !before_measurable(y) ||
	    !before_report(x, y, SEARCH_SECONDS, rotation, rotation->err) ||
	    rotation->no)
		return NULL;
	for (size_t k = 0; k < rotation->n; k++) {
		const struct fact *f = &rotation->facts[k];

		if (strcmp(f->name, "command") == 0)
			command = f->text;
		if (strcmp(f->name, "rms_residual") == 0 && f->number > most)
			return NULL;
	}
	return command;
}

/* What a rotation by the command says about a port; NULL: nothing simple. */
static const char *mistake(const char *command)
{
	static const char back[] = " --reversed";
	const int n = (int)(strstr(command, " --apply ") - command);
	const char *end = command + strlen(command) - strlen(back);
	char options[SENTENCE];

	snprintf(options, sizeof options, "%.*s ", n, command);
	if (strstr(options, " --step 0 "))
		return "B is A rotated further, by the same angles in each "
		       "row, as if positions began elsewhere";
	if (strstr(options, " --step ") && strstr(options, " --scaling "))
		return NULL;
	if (strstr(options, " --step 2 "))
		return "B is A rotated by twice the angles, as if one of them "
		       "were rotated in the opposite direction";
	return strcmp(end, back) != 0 || strstr(options, " --step ")
	       ? "B is A rotated"
	       : "B is A rotated back, as if B were not rotated";
}

/* Whether a rotation of rows makes those of B: their lengths have one ratio. */
static bool same_lengths(const struct table *a, const struct table *b)
{
	double low = (double)INFINITY, high = 0;

	for (size_t i = 0; i < a->planes * a->rows; i++) {
		const double *x = row_of(a, i), *y = row_of(b, i);
		double xx = 0, yy = 0;

		for (size_t j = 0; j < a->cols; j++) {
			xx += x[j] * x[j];
			yy += y[j] * y[j];
		}
		low = xx > 0 || yy > 0 ? fmin(low, yy / xx) : low;
		high = xx > 0 || yy > 0 ? fmax(high, yy / xx) : high;
	}
	return high - low <= 0.02 * high;
}

/* A usual rotation. */
struct usual {
	size_t dim, rotary;
	const char *base, *pairs;
};

/*
 * Whether from (of that name), rotated back as usual, is rotated to to; then
 * text and the facts say so.
 */
static bool try_usual(const struct table *from, const struct table *to,
		      const char *name, const struct usual *u,
		      struct report *r, char text[SENTENCE])
{
	struct report rotation = { .owner = r->owner, .err = r->err };
	struct error err = { 0 };
	struct table t = { 0 }, plain;
	const char *command = NULL, *other = *name == 'A' ? "B" : "A";
	char options[200], dims[80] = "";
	int n;

	snprintf(options, sizeof options, "apply=- reversed dim=%zu "
		 "rotary-dim=%zu base=%s pairs=%s", u->dim, u->rotary, u->base,
		 u->pairs);
	if (recipe_open(&t, "rope", options, from, &err) &&
	    table_in_memory(&plain, &t, &t, r->err)) {
		plain.dtype = from->dtype;
		command = find_rotation(&plain, to, &rotation);
	}
	table_close(&t);
	if (!command || !mistake(command) || strstr(command, " --reversed"))
		return false;
	n = (int)(strstr(command, " --apply ") - command);
	if (u->dim < from->cols)
		snprintf(dims, sizeof dims, " --dim %zu", u->dim);
	if (u->rotary < u->dim)
		snprintf(dims + strlen(dims), 40, " --rotary-dim %zu",
			 u->rotary);
	snprintf(options, sizeof options, "posenc rope%s%s%s%s%s", dims,
		 strcmp(u->base, "10000") == 0 ? "" : " --base ",
		 strcmp(u->base, "10000") == 0 ? "" : u->base,
		 strcmp(u->pairs, "half") == 0 ? "" : " --pairs ",
		 strcmp(u->pairs, "half") == 0 ? "" : u->pairs);
	if (strlen(options) == (size_t)n && memcmp(options, command,
						   (size_t)n) == 0)
		return false;
	snprintf(text, SENTENCE, "A and B are one table rotated in two ways: "
		 "%s by %s, %s by %.*s", name, options + strlen("posenc "),
		 other, n - (int)strlen("posenc "),
		 command + strlen("posenc "));
	report_group(r, "commands");
	report_text(r, *name == 'A' ? "B_of_A" : "A_of_B", "%s "
		    "--apply %s --reversed --npy - | %.*s --apply -", options,
		    from->from.command, n, command);
	return true;
}

/* Both are one table, rotated in two ways, of which one is usual. */
static bool explain_two(const struct comparison *c, struct report *r,
			char text[SENTENCE])
{
	static const char *const bases[] = {
		"10000", "500000", "1000000", "100000", "150000", "5000000",
	};
	static const char *const pairs[] = { "half", "interleaved" };
	static const size_t parts[] = { 1, 2, 4 };
	const size_t dims[] = { c->a->cols / (c->heads ? c->heads : 1),
				128, 64 };
	struct search budget = { .n = 0 };
	/* A rotation moves values as far as they are large */
	bool found = c->absolute.value < 0.1 * finite_values(c->b).deviation;

	if (found)
		return false;
	search_begin(&budget, SEARCH_SECONDS);
	for (size_t k = 0; k < 4 * COUNT(bases) * COUNT(dims) *
			       COUNT(parts) && !found; k++) {
		const size_t way = k / 4 / COUNT(bases);
		const size_t dim = dims[way / COUNT(parts)];
		const size_t part = parts[way % COUNT(parts)];
		const struct usual u = { dim, dim / part,
					 bases[k / 4 % COUNT(bases)],
					 pairs[k / 2 % 2] };

		if (c->a->cols % dim || dim % (2 * part) ||
		    (dim == c->a->cols && way >= COUNT(parts)) ||
		    search_over(&budget))
			continue;
		found = try_usual(k % 2 ? c->b : c->a, k % 2 ? c->a : c->b,
				  k % 2 ? "B" : "A", &u, r, text);
	}
	return found;
}

bool explain_rotated(const struct comparison *c, struct report *r,
		     char text[SENTENCE])
{
	struct report rotation = { .owner = r->owner, .err = r->err };
	const char *command;

	if (!c->shaped || !small_tables(c) || !before_measurable(c->a) ||
	    !before_measurable(c->b) || !same_lengths(c->a, c->b))
		return false;
	command = find_rotation(c->a, c->b, &rotation);
	if ((!command || !mistake(command)) && explain_two(c, r, text))
		return true;
	if (!command)
		return false;
	snprintf(text, SENTENCE, "%s: %s", mistake(command) ?
		 mistake(command) : "B is A rotated",
		 strchr(rotation.headline, '\''));
	report_group(r, "commands");
	report_text(r, "B_of_A", "%s", command);
	return true;
}
