/*
 * identified.c: differences that no simple change explains: the commands of
 * both tables, and what the parameters mean that differ; or what was added, or
 * how one was rotated.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "identify/before.h"
#include "identify/low_precision.h"
#include "table/never.h"
#include "text/decimal.h"

enum {
	LISTED = 6,            /* parameters in the headline */
	LONGEST_WORD = 40,     /* of a command or a value there */
	SOME_OPTIONS = 1 << 10, /* more than a recipe has */
	SOME_BYTES = 1 << 24,  /* more than two commands have */
};

/* One of the two tables. */
struct side {
	const char *name;      /* "A" */
	struct finding found;
	struct table made[MAX_MATCHES]; /* by its matches; rows are not read */
	size_t opened;         /* of these */
	size_t chosen;         /* index of a match */
};

static const struct match *chosen(const struct side *s)
{
	return &s->found.search.matches[s->chosen];
}

/*
 * Try the commands of the other table with sections one after another, which a
 * table alone does not always tell.
 */
static void try_chunked(struct side *s, const struct side *other)
{
	const struct search *known = &other->found.search;
	struct search *search = &s->found.search;

	search_begin(search, SEARCH_SECONDS);
	for (size_t k = 0; k < known->n && !search->n; k++) {
		const struct candidate *c = &known->matches[k].candidate;

		if (strstr(c->options, " mrope=interleaved"))
			try_candidate(search, c, "%s mrope=chunked",
				      c->options);
	}
}

/* Open the tables of all matches, for their options. */
static bool side_open(struct side *s, struct error *err)
{
	const struct match *m = s->found.search.matches;
	bool good = !err->text[0];

	for (; good && s->opened < s->found.search.n; s->opened++)
		good = recipe_open(&s->made[s->opened],
				   m[s->opened].recipe->name,
				   m[s->opened].candidate.options,
				   m[s->opened].candidate.given, err);
	return good;
}

/* Whether the option has other values in two tables of one recipe. */
static bool option_differs(const struct option *o, const struct table *a,
			   const struct table *b)
{
	char x[OPTION_ROOM], y[OPTION_ROOM];

	return !o->unrecorded && strcmp(option_text(o, a->from.options, x),
					option_text(o, b->from.options, y)) !=
					0;
}

/*
 * How far two commands differ: in the recipe, or in so many parameters, of
 * which fewer set positions, a convention more; the shorter ones are nearer.
 */
static size_t distance_of(const struct table *a, const struct table *b)
{
	const struct option *o = a->from.recipe->options;
	size_t parameters = 0, extents = 0;

	for (; a->from.recipe == b->from.recipe && o->name; o++)
		if (option_differs(o, a, b)) {
			parameters++;
			extents += o->role == ROLE_EXTENT;
		}
	parameters += a->from.recipe == b->from.recipe ? 0 : SOME_OPTIONS;
	return (parameters * SOME_OPTIONS + extents) * SOME_BYTES +
	       strlen(a->from.command) + strlen(b->from.command);
}

/* Choose the matches of A and B that differ least. */
static void choose(struct side s[2])
{
	size_t least = SIZE_MAX;

	for (size_t k = 0; k < s[0].found.search.n; k++)
		for (size_t l = 0; l < s[1].found.search.n; l++) {
			const size_t d = distance_of(&s[0].made[k],
						     &s[1].made[l]);

			if (d < least) {
				least = d;
				s[0].chosen = k;
				s[1].chosen = l;
			}
		}
}

const char *cut_words(const char *from, char to[SENTENCE])
{
	size_t n = 0, word = 0;

	for (; *from && !NEVER(n >= SENTENCE - 4); from++) {
		word = *from == ' ' ? 0 : word + 1;
		if (word <= LONGEST_WORD)
			to[n++] = *from;
		else if (word == LONGEST_WORD + 1)
			n += (size_t)snprintf(to + n, 4, "...");
	}
	to[n] = '\0';
	return to;
}

void add(char text[SENTENCE], const char *format, ...)
{
	const size_t n = strlen(text);
	va_list list;

	va_start(list, format);
	vsnprintf(text + n, SENTENCE - n, format, list);
	va_end(list);
}

/* " but for 2 values", of those that the command does not make. */
static void add_wrongs(const struct match *m, char text[SENTENCE])
{
	if (m->wrongs)
		add(text, " but for %zu value%s", m->wrongs,
		    m->wrongs > 1 ? "s" : "");
}

/* "A is 'posenc ...'", or what else it is; false and no text: not known. */
static bool add_match(const struct side *s, char text[SENTENCE])
{
	const struct search *search = &s->found.search;
	const struct profile *p = &s->found.profile;
	const struct match *m = chosen(s);
	const char *reading = s->found.reading.text;
	const bool named = search->verdict &&
			   strncmp(search->verdict, "no ", 3) != 0;
	char command[SENTENCE], value[64];

	if (!search->n && p->max <= p->min)
		add(text, "all values of %s are %s", s->name,
		    profile_constant(p, value));
	else if (!search->n && named)
		add(text, "%s is %s", s->name, search->verdict);
	if (!search->n)
		return p->max <= p->min || named;
	cut_words(m->command, command);
	add(text, "%s%s%s%s", s->name, reading ? " (" : "",
	    reading ? reading : "", reading ? ")" : "");
	if (m->grade == GRADE_CLOSE)
		add(text, " fits '%s' with a root-mean-square residual of "
			  "%.2g", command, m->rms);
	else
		add(text, " is '%s'%s", command,
		    m->grade == GRADE_EXACT ? "" : " up to rounding");
	if (m->rounded)
		add(text, " rounded to %d decimals",
		    search->profile->decimals);
	add_wrongs(m, text);
	if (m->candidate.note)
		add(text, " (%s)", m->candidate.note);
	return true;
}

/* An option whose values for A and B differ; "none": it has no value. */
struct parameter {
	const struct option *option;
	const char *a, *b;
};

/* Factors that ports forget, or have once too often. */
static const struct {
	double value;
	const char *text;
} factors[] = {
	{ 3.14159265358979323846, "pi" },
	{ 6.28318530717958647693, "2 pi" },
	{ 1.57079632679489661923, "pi / 2" },
	{ 0.31830988618379067154, "1 / pi" },
	{ 0.15915494309189533577, "1 / (2 pi)" },
};

/* What two numbers mean: "; 100 is 10000 to the power of 0.5: ..." */
static void add_meaning(const struct parameter *p, char text[SENTENCE])
{
	/* Ports lose or repeat the factor 2 of the exponent -2k/d. */
	static const double powers[] = { 0.25, 0.5, 2, 4 };
	const bool base = strcmp(p->option->name, "base") == 0;
	char flag[40];
	double a, b;
	bool numbers = p->option->kind == OPTION_REAL;

	numbers = numbers && parse_real(p->a, &a) && parse_real(p->b, &b);
	for (size_t k = 0; numbers && base && k < COUNT(powers); k++)
		if (fabs(log(b) / log(a) - powers[k]) < 1e-9)
			add(text, "; %s is %s to the power of %g: the "
				  "exponents of B's frequencies are those of "
				  "A's times %g", p->b, p->a, powers[k],
			    powers[k]);
	for (size_t k = 0; numbers && !base && k < COUNT(factors); k++)
		if (fabs(b - factors[k].value * a) <= 1e-6 * fabs(b))
			add(text, "; the %s of B is that of A times %s",
			    option_flag(p->option, flag) + 2, factors[k].text);
	if (numbers && strcmp(p->option->name, "step") == 0 &&
	    fabs(a + b) <= 0)
		add(text, "; the positions of B run in the opposite direction");
}

/* "; they differ in base (500000 and 10000) and scaling (...)" */
static void add_parameters(const struct parameter *list, size_t n,
			   char text[SENTENCE])
{
	char flag[40], a[SENTENCE], b[SENTENCE];

	for (size_t k = 0; k < n && k < LISTED; k++)
		add(text, "%s%s (%s and %s)",
		    !k ? "; they differ in " : k + 1 == n ? " and " : ", ",
		    option_flag(list[k].option, flag) + 2,
		    cut_words(list[k].a, a), cut_words(list[k].b, b));
	if (n > LISTED)
		add(text, " and %zu more", n - LISTED);
	for (size_t k = 0; k < n && k < LISTED; k++)
		add_meaning(&list[k], text);
}

/* The value of an option as a user would type it, or what stands for none. */
static const char *value_text(const struct option *o, const struct table *t,
			      struct table *owner, struct error *err)
{
	char room[OPTION_ROOM];
	const char *text = option_text(o, t->from.options, room);

	if (o->kind == OPTION_FLAG)
		return text[0] ? "on" : "off";
	return text[0] ? table_copy(owner, text, err) : "none";
}

/* Whether one recipe makes both tables, with other options. */
static bool same_recipe(const struct side s[2])
{
	return s[0].found.search.n && s[1].found.search.n &&
	       chosen(&s[0])->recipe == chosen(&s[1])->recipe;
}

/*
 * Whether the table of a side is made with an option of the other's command,
 * too: they don't differ in it.
 */
static void try_options(struct side *s, const struct side *other,
			struct error *err)
{
	const struct candidate c = chosen(s)->candidate;
	const struct table *x = &s->made[s->chosen];
	const struct table *y = &other->made[other->chosen];
	struct search *search = &s->found.search;
	char room[OPTION_ROOM];

	search_begin(search, SEARCH_SECONDS);
	for (const struct option *o = x->from.recipe->options; o->name; o++) {
		const char *value = option_text(o, y->from.options, room);

		if (option_differs(o, x, y) && o->role == ROLE_CONVENTION &&
		    o->kind != OPTION_FLAG && search->n < MAX_MATCHES &&
		    value[0])
			try_candidate(search, &c, "%s %s=%s", c.options,
				      o->name, value);
	}
	side_open(s, err);
}

/* List the parameters that differ, of one recipe. */
static size_t list_parameters(const struct side s[2], struct report *r,
			      struct parameter **list)
{
	const struct table *x = &s[0].made[s[0].chosen];
	const struct table *y = &s[1].made[s[1].chosen];
	size_t n = 0;

	*list = table_alloc(r->owner, SOME_OPTIONS, sizeof **list, r->err);
	for (const struct option *o = x->from.recipe->options; *list && o->name;
	     o++)
		if (option_differs(o, x, y))
			(*list)[n++] = (struct parameter){
				o, value_text(o, x, r->owner, r->err),
				value_text(o, y, r->owner, r->err) };
	return n;
}

/*
 * What a table of low precision is to the other one, if they differ in it: "; B
 * is A with its positions rounded to bfloat16: equal within 0.001 up to
 * position 9, first off by more than 0.1 at position 566"; or, if that is not
 * all, "; B has its positions ..."
 */
static void add_precision(const struct side sides[2], int k,
			  const struct parameter *list, size_t n,
			  struct report *r, char text[SENTENCE])
{
	const struct side *s = &sides[k], *other = &sides[!k];
	bool differs = !same_recipe(sides), exact = false;
	struct low_precision l;

	for (size_t i = 0; i < n; i++)
		if (list[i].option->role == ROLE_ARITHMETIC) {
			differs = true;
			exact = !is_low_precision(list[i].a) ||
				!is_low_precision(list[i].b);
		}
	if (!s->found.search.n || !differs ||
	    !low_precision_of(&l, chosen(s)->recipe->name,
			      chosen(s)->candidate.options, r->err))
		return;
	if (exact && n == 1)
		add(text, "; %s is %s with its %s: ", s->name, other->name,
		    l.words);
	else
		add(text, "; %s has its %s: ", s->name, l.words);
	if (l.visible)
		add(text, "equal within 0.001 up to position %zu",
		    l.visible - 1);
	else
		add(text, "off by more than 0.001 from position 0 on");
	if (l.harmful < l.positions)
		add(text, ", first off by more than 0.1 at position %zu",
		    l.harmful);
	else
		add(text, ", within 0.1 up to position %zu", l.positions - 1);
}

/* What to say of matches with the same options of one recipe. */
static void add_same(const struct comparison *c, const struct side s[2],
		     char text[SENTENCE])
{
	char measured[SENTENCE] = "";
	const struct match *a = chosen(&s[0]), *b = chosen(&s[1]);
	const char *x = s[0].found.reading.text, *y = s[1].found.reading.text;

	if (x != y && (!x || !y || strcmp(x, y) != 0))
		add(text, "; they differ in their arrangement");
	else if (a->dtype != b->dtype)
		add(text, "; they differ in dtype (%s and %s)",
		    dtype_name(a->dtype), dtype_name(b->dtype));
	else if (a->printed != b->printed || a->rounded != b->rounded)
		add(text, "; they differ in rounding");
	else {
		add_measured(c, measured);
		add(text, "; the parameters are the same, %s", measured[0] ?
		    measured : "the values are not");
	}
}

/*
 * Write the clause about both tables to text, and report the commands. True if
 * both are known.
 */
static bool report_sides(const struct comparison *c, struct side s[2],
			 struct report *r, char text[SENTENCE])
{
	struct parameter *list = NULL;
	char second[SENTENCE] = "";
	size_t n = 0;
	bool known;

	if (!s[0].found.search.n && !s[1].found.search.n)
		return false;
	choose(s);
	if (same_recipe(s)) {
		try_options(&s[0], &s[1], r->err);
		try_options(&s[1], &s[0], r->err);
		choose(s);
		n = list_parameters(s, r, &list);
	}
	known = add_match(&s[0], text);
	known &= add_match(&s[1], second);
	add(text, "%s%s", text[0] && second[0] ? "; " : "", second);
	if (r->err->text[0])
		return false;
	add_parameters(list, n, text);
	add_precision(s, 0, list, n, r, text);
	add_precision(s, 1, list, n, r, text);
	if (same_recipe(s) && !n)
		add_same(c, s, text);
	report_group(r, "commands");
	for (int k = 0; k < 2; k++)
		if (s[k].found.search.n)
			report_text(r, s[k].name, "%s", chosen(&s[k])->command);
	for (size_t k = 0; k < 2 * n; k++) {
		const struct parameter *p = &list[k % n];

		report_group(r, k < n ? "parameters_of_A" : "parameters_of_B");
		report_text(r, p->option->name, "%s", k < n ? p->a : p->b);
	}
	return known;
}

bool explain_identified(const struct comparison *c, struct report *r,
			char text[SENTENCE])
{
	struct side *s = table_alloc(r->owner, 2, sizeof *s, r->err);
	bool known;

	text[0] = '\0';
	if (!s)
		return false;
	s[0].name = "A";
	s[1].name = "B";
	known = find_command(&s[0].found, c->a, r->owner, r->err) &&
		find_command(&s[1].found, c->b, r->owner, r->err);
	if (known) {
		try_chunked(&s[0], &s[1]);
		try_chunked(&s[1], &s[0]);
	}
	known = known && side_open(&s[0], r->err) &&
		side_open(&s[1], r->err) && report_sides(c, s, r, text);
	for (size_t k = 0; k < MAX_MATCHES; k++) {
		table_close(&s[0].made[k]);
		table_close(&s[1].made[k]);
	}
	return known;
}

/* Fewer values that differ, or a smaller share of all, prove nothing. */
enum { LEAST_DIFFERING = 64, LEAST_SHARE = 2 };

/* How many units in the last place two sums are off, and their difference. */
#define ROUNDINGS 4

/*
 * Identify sign * (B - A) + more, whose columns are waves if there is more,
 * rounded as both; a shorter command than *m, to within what the rounding of
 * both leaves, replaces it.
 */
static bool try_sum(const struct comparison *c, int sign,
		    const struct table *more, bool split, struct match *m,
		    struct report *r)
{
	const size_t n = table_size(c->a);
	const double *a = row_of(c->a, 0), *b = row_of(c->b, 0);
	const double *p = more ? row_of(more, 0) : NULL;
	double *x = table_alloc(r->owner, n, sizeof *x, r->err), largest = 0;
	struct finding *found = table_alloc(r->owner, 1, sizeof *found, r->err);
	const struct match *best;
	struct table d = *c->a;
	size_t differing = 0;

	if (!x || !found)
		return false;
	best = &found->search.matches[0];
	d.dtype = c->dtype;
	for (size_t k = 0; k < n; k++) {
		x[k] = dtype_round(c->dtype, sign * (b[k] - a[k]) +
						     (p ? p[k] : 0));
		if (!isfinite(x[k]))
			return false;
		differing += fabs(x[k]) > 0;
		largest = fmax(largest, fmax(fabs(a[k]), fabs(b[k])));
	}
	/* Sums of integers are exact */
	largest *= dtype_integer(c->dtype) ? 0
		   : ROUNDINGS / dtype_ulps(c->dtype, 1, 2);
	table_dense(&d, x);
	if (differing < LEAST_DIFFERING || LEAST_SHARE * differing < n ||
	    (more && !has_waves(&d, split)) ||
	    !find_command(found, &d, r->owner, r->err) || !found->search.n ||
	    found->reading.text || !(best->residual <= largest) ||
	    (m->command && strlen(m->command) <= strlen(best->command)))
		return false;
	*m = *best;
	return true;
}

/* Positions that were added to A, as usual, and others to B. */
static bool explain_replaced(const struct comparison *c, struct report *r,
			     char text[SENTENCE])
{
	struct match m = { .command = NULL };
	char options[80], command[SENTENCE];

	for (int k = 0; k < 2 && c->a->planes == 1; k++) {
		struct table t = { 0 }, usual;
		struct error err = { 0 };
		const char *layout = k ? " layout=split" : "";

		snprintf(options, sizeof options, "len=%zu dim=%zu%s",
			 c->a->rows, c->a->cols, layout);
		text[0] = '\0';
		if (recipe_open(&t, "sinusoid", options, NULL, &err) &&
		    table_in_memory(&usual, &t, &t, r->err) &&
		    try_sum(c, 1, &usual, k, &m, r)) {
			add(text, "B is A with the table of '%s' added in "
				  "place of that of '%s'",
			    cut_words(m.command, command), t.from.command);
			report_group(r, "commands");
			report_text(r, "added_in_A", "%s",
				    t.from.command);
			report_text(r, "added_in_B", "%s", m.command);
		}
		pass_memory(r->err, &err);
		table_close(&t);
		if (m.command)
			return true;
	}
	return false;
}

bool explain_added(const struct comparison *c, struct report *r,
		   char text[SENTENCE])
{
	struct match m = { .command = NULL };
	char command[SENTENCE];
	bool minus;

	if (!c->shaped)
		return false;
	try_sum(c, 1, NULL, false, &m, r);
	minus = try_sum(c, -1, NULL, false, &m, r);
	if (!m.command)
		return explain_replaced(c, r, text);
	text[0] = '\0';
	add(text, "B is A %s the table of '%s'", minus ? "minus" : "plus",
	    cut_words(m.command, command));
	add_wrongs(&m, text);
	if (m.residual > 0)
		add(text, ", to within %.2g", m.residual);
	report_group(r, "commands");
	report_text(r, minus ? "A_minus_B" : "B_minus_A", "%s", m.command);
	return true;
}

/* ---- the rotary embedding that turns A into B, or that each has */

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
	struct search *budget;  /* not on the stack, which may be small */
	const char *command;

	if (!c->shaped || !before_measurable(c->a) ||
	    !before_measurable(c->b) || !same_lengths(c->a, c->b) ||
	    same_magnitudes(c) || (is_constant(c->a) && is_constant(c->b)))
		return false;
	budget = table_alloc(r->owner, 1, sizeof *budget, r->err);
	if (!budget)
		return false;
	search_begin(budget, 2 * seconds_for(c->a));
	command = find_rotation(c->a, c->b, &rotation);
	if ((!command || !mistake(command)) &&
	    explain_two(c, budget, r, text))
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
