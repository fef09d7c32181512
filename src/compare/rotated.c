/* rotated.c: the rotary embedding that turns A into B, or that each has. */
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "identify/before.h"

/* What of y's standard deviation a rotation may leave, root mean square. */
#define RESIDUAL_MOST 0.02

/*
 * Seconds for rotations between tables: most of those that rotate are found in
 * far less, and tables may look as if they were rotated.
 */
static double seconds_for(const struct table *t)
{
	return fmin(SEARCH_SECONDS, LIMIT(0.6, 0.001) *
				    (1 + (double)table_size(t) * 0x1p-18));
}

/* Report the rotation of x that makes y; its command, or NULL. */
static const char *find_rotation(const struct table *x, const struct table *y,
				 struct report *rotation)
{
	const double most = RESIDUAL_MOST * finite_values(y).deviation;
	const char *command = NULL;

	if (!before_measurable(x) || !before_measurable(y) ||
	    !before_report(x, y, seconds_for(x), rotation, rotation->err) ||
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

/* The length of a command without the options from --apply on. */
static int plain_length(const char *command)
{
	return (int)(strstr(command, " --apply ") - command);
}

/* What a rotation by the command says about a port; NULL: nothing simple. */
static const char *mistake(const char *command)
{
	static const char back[] = " --reversed";
	const char *end = command + strlen(command) - strlen(back);
	char options[SENTENCE];

	snprintf(options, sizeof options, "%.*s ", plain_length(command),
		 command);
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

/* Whether all values of t are one. */
static bool is_constant(const struct table *t)
{
	const struct finite f = finite_values(t);

	return !(f.high > f.low);
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

/*
 * Whether A (or B, if back), rotated back by usual options, is rotated to the
 * other one; then text and the facts say so.
 */
static bool try_usual(const struct comparison *c, bool back,
		      const char *options, struct report *r,
		      char text[SENTENCE])
{
	const struct table *from = back ? c->b : c->a;
	struct report rotation = { .owner = r->owner, .err = r->err };
	struct error err = { 0 };
	struct table t = { 0 }, plain;
	const char *command = NULL;
	char usual[200] = "";
	const int skipped = (int)strlen("posenc ");
	int n;

	if (recipe_open(&t, "rope", options, from, &err) &&
	    table_in_memory(&plain, &t, &t, r->err)) {
		plain.dtype = from->dtype;
		command = find_rotation(&plain, back ? c->a : c->b, &rotation);
		snprintf(usual, sizeof usual, "%.*s",
			 plain_length(t.from.command), t.from.command);
	}
	pass_memory(r->err, &err);
	table_close(&t);
	if (!command || !mistake(command) || strstr(command, " --reversed"))
		return false;
	n = plain_length(command);
	if (strlen(usual) == (size_t)n && memcmp(usual, command,
						 (size_t)n) == 0)
		return false;
	snprintf(text, SENTENCE, "A and B are one table rotated in two ways: "
		 "%s by %s, %s by %.*s", back ? "B" : "A", usual + skipped,
		 back ? "A" : "B", n - skipped, command + skipped);
	report_group(r, "commands");
	report_text(r, back ? "A_of_B" : "B_of_A", "%s "
		    "--apply %s --reversed --npy - | %.*s --apply -", usual,
		    from->from.command, n, command);
	return true;
}

/* Both are one table, rotated in two ways, of which one is usual. */
static bool explain_two(const struct comparison *c, struct search *budget,
			struct report *r, char text[SENTENCE])
{
	static const char *const bases[] = {
		"10000", "500000", "1000000", "100000", "150000", "5000000",
	};
	static const size_t parts[] = { 1, 2, 4 };
	const size_t dims[] = { c->a->cols / (c->heads ? c->heads : 1),
				128, 64 };
	char options[200];
	int n;
	/* A rotation moves values as far as they are large */
	bool found = c->absolute.value < 0.1 * finite_values(c->b).deviation;

	if (found)
		return false;
	for (size_t k = 0; k < 4 * COUNT(bases) * COUNT(dims) *
			       COUNT(parts) && !found; k++) {
		const size_t way = k / 4 / COUNT(bases);
		const size_t dim = dims[way / COUNT(parts)];
		const size_t part = parts[way % COUNT(parts)];

		if (c->a->cols % dim || dim % (2 * part) ||
		    (dim == c->a->cols && way >= COUNT(parts)) ||
		    search_over(budget))
			continue;
		n = snprintf(options, sizeof options, "apply=- reversed "
			     "base=%s pairs=%s", bases[k / 4 % COUNT(bases)],
			     k / 2 % 2 ? "interleaved" : "half");
		if (dim < c->a->cols)
			n += snprintf(options + n, 60, " dim=%zu", dim);
		if (part > 1)
			snprintf(options + n, 60, " rotary-dim=%zu",
				 dim / part);
		found = try_usual(c, k % 2, options, r, text);
	}
	return found;
}

bool explain_rotated(const struct comparison *c, struct report *r,
		     char text[SENTENCE])
{
	struct report rotation = { .owner = r->owner, .err = r->err };
	struct search budget = { .n = 0 };
	const char *command;

	if (!c->shaped || !before_measurable(c->a) ||
	    !before_measurable(c->b) || !same_lengths(c->a, c->b) ||
	    same_magnitudes(c) || (is_constant(c->a) && is_constant(c->b)))
		return false;
	search_begin(&budget, 2 * seconds_for(c->a));
	command = find_rotation(c->a, c->b, &rotation);
	if ((!command || !mistake(command)) &&
	    explain_two(c, &budget, r, text))
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
