/* rotated.c: the rotary embedding that turns A into B, or that each has. */
#include <stdio.h>
#include <string.h>

#include "compare/identified.h"
#include "identify/before.h"
#include "identify/budget.h"

/* The fact of that name. */
static const char *fact_of(const struct report *r, const char *name)
{
	const struct fact *f = r->facts;

	while (strcmp(f->name, name) != 0)
		f++;
	return f->text;
}

/* Find the rotation of x that makes y; NULL, or its command. */
static const char *find_rotation(const struct table *x, const struct table *y,
				 struct report *rotation)
{
	return before_measurable(x) && before_measurable(y) &&
	       before_report(x, y, SEARCH_SECONDS, rotation, rotation->err) &&
	       !rotation->no ? fact_of(rotation, "command") : NULL;
}

/* What a rotation by the command says about a port; NULL: nothing simple. */
static const char *mistake(const char *command)
{
	static const char back[] = " --reversed";
	const char *apply = strstr(command, " --apply ");
	const size_t n = strlen(command), m = strlen(back);
	const bool reversed = n > m && strcmp(command + n - m, back) == 0;
	char options[SENTENCE];

	snprintf(options, sizeof options, "%.*s ", (int)(apply - command),
		 command);
	if (strstr(options, " --step 0 "))
		return "B is A rotated further, by the same angles in each "
		       "row, as if positions began elsewhere";
	if (strstr(options, " --scaling ") && strstr(options, " --step "))
		return NULL;
	if (strstr(options, " --step 2 ") && !reversed)
		return "B is A rotated by twice the angles, as if one of them "
		       "were rotated in the opposite direction";
	return reversed ? "B is A rotated back, as if B were not rotated"
			: "B is A rotated";
}

/* Rotations of A that are tried: */
static const char *const bases[] = {
	"10000", "500000", "1000000", "100000", "150000", "5000000", "100",
};
static const char *const pairs[] = { "half", "interleaved" };
static const int parts[] = { 1, 2, 4 };  /* of the columns rotate */

/* x rotated back to made, in memory. */
static bool undo(const struct table *x, const char *options,
		 struct table *made, struct report *r)
{
	struct table t = { 0 };
	struct error err = { 0 };
	char text[200];
	bool good;

	snprintf(text, sizeof text, "apply=- reversed %s", options);
	good = recipe_open(&t, "rope", text, x, &err) &&
	       table_in_memory(made, &t, r->owner, r->err);
	made->dtype = x->dtype;
	table_close(&t);
	return good;
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
		if (xx > 0 || yy > 0) {
			low = fmin(low, yy / xx);
			high = fmax(high, yy / xx);
		}
	}
	return high - low <= 0.02 * high;
}

/* Two tables, of which the first is rotated back by options. */
struct undoing {
	const struct table *x, *y;
	const char *names[2];
	char options[120];     /* of a command */
	char command[SENTENCE];
};

/* Whether x, rotated back, is rotated to y; what says so to text. */
static bool try_undoing(struct undoing *u, const char *values,
			struct report *r, char text[SENTENCE])
{
	struct report rotation = { .owner = r->owner, .err = r->err };
	struct table made;
	const char *command = NULL, *to;

	if (undo(u->x, values, &made, r))
		command = find_rotation(&made, u->y, &rotation);
	to = command ? strstr(command, " --apply ") : NULL;
	if (!to || !mistake(command) || strstr(to, " --reversed"))
		return false;
	command += strlen("posenc ");
	snprintf(text, SENTENCE, "A and B are one table rotated in two ways: "
		 "by rope%s in %s, by %.*s in %s", u->options, u->names[0],
		 (int)(to - command), command, u->names[1]);
	snprintf(u->command, SENTENCE, "posenc rope%s --apply %s --reversed "
		 "--npy - | posenc %.*s --apply -", u->options,
		 u->x->from.command, (int)(to - command), command);
	return true;
}

/* Usual rotations of the first rotary of dim columns. */
static bool try_rotary(struct undoing *u, size_t dim, size_t rotary,
		       struct search *budget, struct report *r,
		       char text[SENTENCE])
{
	char values[120];

	for (size_t k = 0; k < 2 * COUNT(bases) && !search_over(budget); k++) {
		const char *base = bases[k / 2], *order = pairs[k % 2];
		size_t n = 0;

		snprintf(values, sizeof values, "dim=%zu rotary-dim=%zu "
			 "base=%s pairs=%s", dim, rotary, base, order);
		u->options[0] = '\0';
		if (dim < u->x->cols)
			n = (size_t)snprintf(u->options, 40, " --dim %zu", dim);
		if (rotary < dim)
			n += (size_t)snprintf(u->options + n, 40,
					      " --rotary-dim %zu", rotary);
		snprintf(u->options + n, 40, "%s%s%s%s", k / 2 ? " --base " : "",
			 k / 2 ? base : "", k % 2 ? " --pairs " : "",
			 k % 2 ? order : "");
		if (try_undoing(u, values, r, text))
			return true;
	}
	return false;
}

/* Both are one table, rotated in two ways, of which one is usual. */
static bool explain_two(const struct comparison *c, struct report *r,
			char text[SENTENCE])
{
	const size_t dims[] = { c->heads ? c->a->cols / c->heads : c->a->cols,
				128, 64 };
	struct search budget = { .n = 0 };

	search_begin(&budget, SEARCH_SECONDS);
	for (size_t k = 0; k < 2 * COUNT(dims) * COUNT(parts); k++) {
		const size_t dim = dims[k / 2 / COUNT(parts)];
		const size_t part = (size_t)parts[k / 2 % COUNT(parts)];
		struct undoing u = { c->a, c->b, { "A", "B" }, "", "" };

		if (k % 2)
			u = (struct undoing){ c->b, c->a, { "B", "A" },
					      "", "" };
		if (c->a->cols % dim || dim % (2 * part) ||
		    (dim == c->a->cols && k / 2 >= COUNT(parts)) ||
		    !try_rotary(&u, dim, dim / part, &budget, r, text))
			continue;
		report_group(r, "commands");
		report_text(r, k % 2 ? "A_of_B" : "B_of_A", "%s", u.command);
		return true;
	}
	return false;
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
