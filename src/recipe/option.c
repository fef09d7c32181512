/* option.c: the values of options, from text into fields and back. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/within.h"
#include "recipe/option.h"
#include "text/decimal.h"
#include "text/words.h"

const char *option_flag(const struct option *o, char buffer[40])
{
	snprintf(buffer, 40, "--%s", o->name);
	for (char *c = buffer; *c; c++)
		if (*c == '_')
			*c = '-';
	return buffer;
}

const struct option *option_find(const struct option *options,
				 const char *word, size_t length)
{
	char flag[40];

	for (; options->name; options++) {
		option_flag(options, flag);
		if (strlen(flag) == length + 2 &&
		    memcmp(flag + 2, word, length) == 0)
			return options;
	}
	return NULL;
}

const struct option *option_of_role(const struct option *options,
				    enum option_role role)
{
	while (options->name && options->role != role)
		options++;
	return options->name ? options : NULL;
}

static void *field(const struct option *o, void *self)
{
	return (char *)self + o->at;
}

void option_defaults(const struct option *options, struct fields *f,
		     struct error *err)
{
	for (const struct option *o = options; o->name; o++)
		if (o->initial)
			option_set(o, f, o->initial, err);
		else if (o->kind == OPTION_CHOICE)
			*(int *)field(o, f->self) = NO_CHOICE;
		else if (o->kind == OPTION_REAL)
			*(double *)field(o, f->self) = (double)NAN;
}

double option_limit(const struct option *o, double limit)
{
	return o->kind == OPTION_COUNT || o->kind == OPTION_INTEGER
	       ? fmax(-INTEGER_MOST, fmin(limit, INTEGER_MOST)) : limit;
}

/* " between 1 and 8", or nothing if there are no limits. */
static const char *limits(const struct option *o, char text[80])
{
	text[0] = '\0';
	if (o->min < o->max)
		snprintf(text, 80, " between %.16g and %.16g",
			 option_limit(o, o->min), option_limit(o, o->max));
	return text;
}

static bool number(const struct option *o, const char *text, bool whole,
		   double *x, struct error *err)
{
	char name[40], limit[80];
	const char *flag = option_flag(o, name), *range = limits(o, limit);

	if (!(whole ? parse_integer : parse_real)(text, x))
		return fail(err, "%s must be %s%s, got '%.60s'%s", flag,
			    whole ? "an integer" : "a number", range, text,
			    !whole && parse_integer(text, x)
			    ? "; k, M and G, powers of 1024, follow integers "
			      "only (10000 is 1e4)" : "");
	if (o->min < o->max &&
	    !within(*x, option_limit(o, o->min), option_limit(o, o->max)))
		return fail(err, "%s must be%s, got %.60s", flag, range, text);
	if (!whole && !strpbrk(text, ".eE") && !parse_exact(text, *x))
		return fail(err, "%s: expected an integer that float64 can "
			    "represent exactly, got '%.60s'", flag, text);
	return true;
}

/* Up to 2^53 as other integers, 4k; beyond, digits alone. */
static bool set_seed(const struct option *o, struct seed *to, const char *text,
		     struct error *err)
{
	const bool digits = !text[strspn(text, "0123456789")];
	char flag[40];
	double x;

	to->given = true;
	if (parse_integer(text, &x) && within(x, 0, 0x1p53)) {
		to->value = (uint64_t)x;
		return true;
	}
	errno = 0;
	to->value = digits && text[0] ? strtoull(text, NULL, 10) : 0;
	return (to->value && !errno) ||
	       fail(err, "%s must be an integer between 0 and %llu, got "
		    "'%.60s'", option_flag(o, flag),
		    (unsigned long long)UINT64_MAX, text);
}

int option_word_index(const struct option *o, const char *name, size_t length)
{
	for (int i = 0; o->words && o->words[i]; i++)
		if (strcspn(o->words[i], ":[") == length &&
		    memcmp(o->words[i], name, length) == 0)
			return i;
	return NO_CHOICE;
}

/* Append more to text, as far as there is room. */
static void append(char *text, size_t size, const char *more)
{
	strncat(text, more, size - strlen(text) - 1);
}

/* All words, as "interleaved, split or none". */
static void words_text(const struct option *o, char *text, size_t size)
{
	text[0] = '\0';
	for (const char *const *w = o->words; *w; w++) {
		append(text, size, w == o->words ? "" : w[1] ? ", " : " or ");
		append(text, size, *w);
	}
}

/* Read the numbers after the colon: as many as the word, "shift:S", has. */
static bool pick_numbers(const struct option *o, const char *text,
			 struct pick *p, struct error *err)
{
	const char *shape = o->words[p->word], *colon = strchr(text, ':');
	const bool optional = strchr(shape, '[');
	char flag[40];
	size_t wanted = 0, n = 0;

	for (const char *c = strchr(shape, ':'); c; c = strchr(c + 1, ','))
		wanted++;
	if (colon)
		n = parse_reals(colon + 1, ',', p->at, 4);
	if (colon ? wanted && n == wanted : optional || !wanted) {
		p->n = n;
		return true;
	}
	return fail(err, wanted ? "%s must be %s, got '%.60s'"
		    : "%s %s takes no value, got '%.60s'",
		    option_flag(o, flag), shape, text);
}

static bool word_unknown(const struct option *o, const char *text,
			 struct error *err)
{
	struct lookup l = lookup_begin(text);
	char flag[40], all[240];

	for (const char *const *w = o->words; *w; w++)
		lookup_is(&l, *w);
	words_text(o, all, sizeof all);
	return lookup_fail_value(&l, option_flag(o, flag), all, err);
}

static bool set_word(const struct option *o, void *to, const char *text,
		     struct error *err)
{
	struct pick p = {
		.word = option_word_index(o, text, strcspn(text, ":"))
	};

	if (p.word == NO_CHOICE)
		return word_unknown(o, text, err);
	if (!pick_numbers(o, text, &p, err))
		return false;
	if (o->kind == OPTION_PICK)
		*(struct pick *)to = p;
	else
		*(int *)to = p.word;
	return true;
}

bool range_fill(struct range *r, size_t n)
{
	if (!r->given || r->first == LONG_MIN)
		r->first = 0;
	if (!r->given || r->last == LONG_MAX)
		r->last = (long)n;
	return r->first >= 0 && r->first < r->last && (size_t)r->last <= n;
}

static bool set_range(const struct option *o, struct range *r,
		      const char *text, struct error *err)
{
	const char *end = parse_range(text, &r->first, &r->last);
	char flag[40];

	if (!end || *end)
		return fail(err, "%s must be A:B in integers up to 2^%d, got "
			    "'%.60s'",
			    option_flag(o, flag), INTEGER_BITS, text);
	r->given = true;
	return true;
}

/* Whether arg, "HxW[xT]", allows n extents. */
static bool allows(const char *arg, size_t n)
{
	const bool any = strstr(arg, ".."), optional = strchr(arg, '[');
	size_t least = 1;

	for (; *arg && *arg != '['; arg++) {
		if (*arg == '|' && least == n)
			return true;
		least = *arg == '|' ? 1 : least + (*arg == 'x');
	}
	return n == least || (n > least && any) || (n == least + 1 && optional);
}

static bool set_extents(const struct option *o, struct extents *to,
			const char *text, struct error *err)
{
	enum { MOST = sizeof to->at / sizeof *to->at };
	const double most = o->min < o->max ? o->max : INTEGER_MOST;
	double at[MOST], all = 1;
	char flag[40], limit[80] = "of at least 1";

	*to = (struct extents){ .text = text };
	to->n = parse_integers(text, 'x', at, MOST);
	for (size_t i = 0; i < to->n; i++) {
		all *= at[i];
		if (within(at[i], 1, most))
			to->at[i] = (size_t)at[i];
		else
			to->n = 0;
	}
	option_flag(o, flag);
	if (o->min < o->max)
		snprintf(limit, sizeof limit, "from 1 to %.0f", most);
	if (!to->n || !allows(o->arg, to->n))
		return fail(err, "%s must be %s in integers %s, got '%.60s'",
			    flag, o->arg, limit, text);
	return all <= INTEGER_MOST ||
	       fail(err, "%s %.60s has more than 2^%d cells", flag, text,
		    INTEGER_BITS);
}

/* Read the table of a file, *to; its owner also owns its values. */
static bool read_table(const struct table **to, struct fields *f,
		       const char *path, struct error *err)
{
	struct table *t = table_alloc(f->owner, 1, sizeof *t, err);
	bool good;

	if (!t)
		return false;
	*to = t;
	if (f->given) {
		*t = *f->given;
		if (path[0])
			t->title = path;
		t->blocks = NULL;  /* its owner keeps it */
		return true;
	}
	good = f->read(path, &f->raw, t, err);
	table_adopt(f->owner, t);
	return good;
}

/* Read the table, or take one that the option's word stands for: its title. */
static bool set_table(const struct option *o, const struct table **to,
		      struct fields *f, const char *path, struct error *err)
{
	const int word = option_word_index(o, path, strlen(path));
	struct table *t;
	char flag[40];

	if (word != NO_CHOICE) {
		*to = t = table_alloc(f->owner, 1, sizeof *t, err);
		if (t)
			t->title = o->words[word];
		return t;
	}
	if (!f->read && !f->given)
		return fail(err, "%s: only the program reads tables, not the "
			    "library", option_flag(o, flag));
	return read_table(to, f, path, err);
}

static bool set_tables(const struct option *o, struct tables *to,
		       struct fields *f, const char *text, struct error *err)
{
	char *name = table_copy(f->owner, text, err);
	const struct table **at = table_alloc(f->owner, strlen(text) + 1,
					      sizeof *at, err);

	*to = (struct tables){ .at = at, .text = text };
	while (name && at) {
		char *end = strchr(name, ',');

		if (end)
			*end++ = '\0';
		if (!set_table(o, &at[to->n++], f, name, err))
			return false;
		if (!end)
			return true;
		name = end;
	}
	return false;
}

/* Whether a list is in an NPY file that may be read. */
static bool is_table(const struct fields *f, const char *text)
{
	const size_t n = strlen(text);

	return f->read && text[0] == '@' && n > 5 &&
	       strcmp(text + n - 4, ".npy") == 0;
}

static bool set_list(const struct option *o, struct list *to,
		     struct fields *f, const char *text, struct error *err)
{
	const struct table *t = NULL;
	char flag[40];

	if (!is_table(f, text))
		return list_read(to, text, option_flag(o, flag), f->owner,
				 err);
	return read_table(&t, f, text + 1, err) &&
	       list_of_table(to, t, text, err);
}

bool option_reads_tables(const struct option *o)
{
	return o->kind == OPTION_TABLE || o->kind == OPTION_TABLES;
}

static bool set_flag(const struct option *o, bool *to, const char *text,
		     struct error *err)
{
	char flag[40];

	*to = true;
	return !text[0] || fail(err, "%s takes no value, got '%.60s'",
				option_flag(o, flag), text);
}

bool option_set(const struct option *o, struct fields *f, const char *text,
		struct error *err)
{
	void *to = field(o, f->self);
	double x = 0;

	switch (o->kind) {
	case OPTION_FLAG:
		return set_flag(o, to, text, err);
	case OPTION_COUNT:
		if (!number(o, text, true, &x, err))
			return false;
		*(size_t *)to = (size_t)x;
		return true;
	case OPTION_INTEGER:
		if (!number(o, text, true, &x, err))
			return false;
		*(struct integer *)to = (struct integer){ true, (long)x };
		return true;
	case OPTION_SEED:
		return set_seed(o, to, text, err);
	case OPTION_REAL:
		return number(o, text, false, to, err);
	case OPTION_CHOICE:
	case OPTION_PICK:
		return set_word(o, to, text, err);
	case OPTION_LIST:
		return set_list(o, to, f, text, err);
	case OPTION_RANGE:
		return set_range(o, to, text, err);
	case OPTION_EXTENTS:
		return set_extents(o, to, text, err);
	case OPTION_TABLE:
		return set_table(o, to, f, text, err);
	case OPTION_TABLES:
		return set_tables(o, to, f, text, err);
	case OPTION_TEXT:
	case OPTION_PRESET:
	case OPTION_CONFIG:
	default:
		*(const char **)to = text;
		return true;
	}
}

/* Whole numbers in full, others to the fewest digits that read back as x. */
static void real_text(double x, char *text, size_t size)
{
	if (x == rint(x) && fabs(x) < 1e16)
		snprintf(text, size, "%.0f", x);
	else
		snprintf(text, size, "%.*g", decimal_digits(x), x);
}

static void pick_text(const struct option *o, const struct pick *p,
		      char *text, size_t size)
{
	const char *word = o->words[p->word];
	char number[32] = ":";

	snprintf(text, size, "%.*s", (int)strcspn(word, ":["), word);
	for (size_t i = 0; i < p->n; i++) {
		number[0] = i ? ',' : ':';
		real_text(p->at[i], number + 1, sizeof number - 1);
		strncat(text, number, size - strlen(text) - 1);
	}
}

const char *range_text(const struct range *r, char text[RANGE_TEXT])
{
	char first[24] = "", last[24] = "";

	if (r->first != LONG_MIN)
		snprintf(first, sizeof first, "%ld", r->first);
	if (r->last != LONG_MAX)
		snprintf(last, sizeof last, "%ld", r->last);
	snprintf(text, RANGE_TEXT, "%s:%s", first, last);
	return text;
}

/* The value of a list, text or table as it was typed, or NULL. */
static const char *typed(const struct option *o, const void *self)
{
	const void *at = (const char *)self + o->at;
	const struct table *t;

	if (o->kind == OPTION_LIST)
		return ((const struct list *)at)->text;
	if (o->kind == OPTION_TABLES)
		return ((const struct tables *)at)->text;
	if (o->kind == OPTION_EXTENTS)
		return ((const struct extents *)at)->text;
	if (o->kind == OPTION_TEXT)
		return *(const char *const *)at;
	t = *(const struct table *const *)at;
	return t ? t->title : NULL;
}

bool option_given(const struct option *o, const void *self)
{
	const void *at = (const char *)self + o->at;

	switch (o->kind) {
	case OPTION_FLAG:
		return *(const bool *)at;
	case OPTION_COUNT:
		return *(const size_t *)at || o->initial;
	case OPTION_INTEGER:
		return ((const struct integer *)at)->given;
	case OPTION_SEED:
		return ((const struct seed *)at)->given;
	case OPTION_CHOICE:
		return *(const int *)at != NO_CHOICE;
	case OPTION_RANGE:
		return ((const struct range *)at)->given;
	case OPTION_REAL:
		return !isnan(*(const double *)at);
	case OPTION_PICK:
		return o->initial;
	case OPTION_LIST:
	case OPTION_EXTENTS:
	case OPTION_TABLE:
	case OPTION_TABLES:
	case OPTION_TEXT:
		return typed(o, self);
	case OPTION_PRESET:
	case OPTION_CONFIG:
	default:
		return false;
	}
}

const char *option_word(const struct option *o, const void *self)
{
	const void *at = (const char *)self + o->at;

	return o->kind == OPTION_CHOICE ? o->words[*(const int *)at]
	       : o->kind == OPTION_PICK
	       ? o->words[((const struct pick *)at)->word] : "";
}

const char *option_text(const struct option *o, const void *self,
			char text[OPTION_ROOM])
{
	const void *at = (const char *)self + o->at;

	if (!option_given(o, self))
		return "";
	switch (o->kind) {
	case OPTION_FLAG:
		return "true";
	case OPTION_COUNT:
		snprintf(text, OPTION_ROOM, "%zu", *(const size_t *)at);
		return text;
	case OPTION_INTEGER:
		snprintf(text, OPTION_ROOM, "%ld",
			 ((const struct integer *)at)->value);
		return text;
	case OPTION_SEED:
		snprintf(text, OPTION_ROOM, "%llu", (unsigned long long)
			 ((const struct seed *)at)->value);
		return text;
	case OPTION_REAL:
		real_text(*(const double *)at, text, OPTION_ROOM);
		return text;
	case OPTION_CHOICE:
		return o->words[*(const int *)at];
	case OPTION_PICK:
		pick_text(o, at, text, OPTION_ROOM);
		return text;
	case OPTION_RANGE:
		return range_text(at, text);
	case OPTION_PRESET:
	case OPTION_CONFIG:
	case OPTION_LIST:
	case OPTION_EXTENTS:
	case OPTION_TABLE:
	case OPTION_TABLES:
	case OPTION_TEXT:
	default:
		return typed(o, self);
	}
}

bool option_changed(const struct option *o, const void *self)
{
	char text[OPTION_ROOM];

	/* An empty text is not the same as none. */
	return o->initial ? strcmp(option_text(o, self, text), o->initial) != 0
			  : option_given(o, self);
}
