/* option.c: an option, declared once: text into its field and back. */
#include <stdio.h>
#include <string.h>

#include "core/option.h"
#include "core/parse.h"
#include "core/within.h"

const char *option_flag(const struct option *o, char buffer[40])
{
	snprintf(buffer, 40, "--%s", o->name);
	for (char *c = buffer; *c; c++)
		if (*c == '_')
			*c = '-';
	return buffer;
}

/* Whether word [length], without dashes, names the option. */
static bool option_is(const struct option *o, const char *word, size_t length)
{
	char flag[40];

	option_flag(o, flag);
	return strlen(flag) == length + 2 &&
	       memcmp(flag + 2, word, length) == 0;
}

const struct option *option_find(const struct option *options,
				 const char *word, size_t length)
{
	for (; options->name; options++)
		if (option_is(options, word, length))
			return options;
	return NULL;
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
		else if (o->kind == OPTION_WHOLE)
			*(long *)field(o, f->self) = NOT_GIVEN;
		else if (o->kind == OPTION_CHOICE)
			*(int *)field(o, f->self) = NOT_GIVEN;
}

bool option_needs(const struct option *o,
		  bool (*given)(const void *self, const char *name,
				size_t length),
		  const void *self, struct error *err)
{
	char flag[40], names[120];
	size_t n = 0;

	if (!o->needs)
		return true;
	for (const char *at = o->needs; *at; at += *at == ' ') {
		const size_t length = strcspn(at, " ");

		if (given(self, at, length))
			return true;
		n += (size_t)snprintf(names + n, sizeof names - n, "%s--%.*s",
				      n ? " or " : "", (int)length, at);
		at += length;
	}
	return fail(err, "%s needs %s", option_flag(o, flag), names);
}

/* " from 1 to 8", or nothing where any number will do. */
static const char *limits(const struct option *o, char text[80])
{
	text[0] = '\0';
	if (o->min < o->max)
		snprintf(text, 80, " from %.16g to %.16g", o->min, o->max);
	return text;
}

static bool number(const struct option *o, const char *text, bool whole,
		   double *x, struct error *err)
{
	char flag[40], range[80];

	option_flag(o, flag);
	limits(o, range);
	if (!(whole ? parse_whole : parse_real)(text, x))
		return fail(err, "%s must be a %snumber%s, not '%.60s'", flag,
			    whole ? "whole " : "", range, text);
	if (o->min < o->max && !within(*x, o->min, o->max))
		return fail(err, "%s must be%s, not %.60s", flag, range, text);
	if (!whole && !strpbrk(text, ".eE") && !parse_held(text, *x))
		return fail(err, "%s: '%.60s' is a whole number that no double "
			    "holds", flag, text);
	return true;
}

/* Whether text begins with word up to its ':' or '[', and ends there too. */
static bool word_is(const char *word, const char *text)
{
	const size_t n = strcspn(word, ":["), m = strcspn(text, ":");

	return n == m && memcmp(word, text, n) == 0;
}

/* More text behind text, as far as there is room. */
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

static bool word_unknown(const struct option *o, const char *text,
			 struct error *err)
{
	const char *near = nearest_word(text, o->words);
	char flag[40], all[240];

	option_flag(o, flag);
	words_text(o, all, sizeof all);
	if (near)
		return fail(err, "%s has no '%.60s' (did you mean '%s'?); it "
			    "takes %s", flag, text, near, all);
	return fail(err, "%s must be %s, not '%.60s'", flag, all, text);
}

/* Numbers parted by commas to at; how many, or -1 where s is no such. */
static int parse_numbers(const char *s, double at[4])
{
	char word[32];

	for (int n = 0; n < 4; s++) {
		const size_t length = strcspn(s, ",");

		if (length >= sizeof word)
			return -1;
		memcpy(word, s, length);
		word[length] = '\0';
		if (!parse_real(word, &at[n++]))
			return -1;
		s += length;
		if (!*s)
			return n;
	}
	return -1;
}

/* As many numbers after the colon as the word's own "shift:S" shows. */
static bool pick_numbers(const struct option *o, const char *text,
			 struct pick *p, struct error *err)
{
	const char *shape = o->words[p->word], *colon = strchr(text, ':');
	const bool optional = strchr(shape, '[');
	char flag[40];
	int wanted = 0, n = 0;

	for (const char *c = strchr(shape, ':'); c; c = strchr(c + 1, ','))
		wanted++;
	if (colon)
		n = parse_numbers(colon + 1, p->at);
	if (colon ? wanted && n == wanted : optional || !wanted) {
		p->n = (size_t)n;
		return true;
	}
	return fail(err, "%s must be %s, not '%.60s'", option_flag(o, flag),
		    shape, text);
}

static bool set_word(const struct option *o, void *to, const char *text,
		     struct error *err)
{
	struct pick p = { 0 };

	while (o->words[p.word] && !word_is(o->words[p.word], text))
		p.word++;
	if (!o->words[p.word])
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
	char flag[40];

	if (!parse_range(text, &r->first, &r->last))
		return fail(err, "%s must be A:B in whole numbers "
			    "within 2^53, not '%.60s'",
			    option_flag(o, flag), text);
	r->given = true;
	return true;
}

static bool set_table(const struct option *o, const struct table **to,
		      struct fields *f, const char *path, struct error *err)
{
	struct table *t = table_alloc(f->owner, 1, sizeof *t, err);
	char flag[40];
	bool good;

	if (!t)
		return false;
	*to = t;
	for (const char *const *w = o->words; w && *w; w++)
		if (strcmp(*w, path) == 0) {
			t->title = *w;
			return true;
		}
	if (!f->read)
		return fail(err, "%s: tables are read by the program, not by "
			    "the library", option_flag(o, flag));
	good = f->read(path, &f->raw, t, err);
	table_adopt(f->owner, t);
	return good;
}

bool option_set(const struct option *o, struct fields *f, const char *text,
		struct error *err)
{
	void *to = field(o, f->self);
	char flag[40];
	double x = 0;

	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)to = true;
		if (text[0])
			return fail(err, "%s takes no value, not '%.60s'",
				    option_flag(o, flag), text);
		return true;
	case OPTION_COUNT:
		if (!number(o, text, true, &x, err))
			return false;
		*(size_t *)to = (size_t)x;
		return true;
	case OPTION_WHOLE:
		if (!number(o, text, true, &x, err))
			return false;
		*(long *)to = (long)x;
		return true;
	case OPTION_REAL:
		return number(o, text, false, to, err);
	case OPTION_CHOICE:
	case OPTION_PICK:
		return set_word(o, to, text, err);
	case OPTION_LIST:
		return list_read(to, text, option_flag(o, flag), f->owner,
				 err);
	case OPTION_RANGE:
		return set_range(o, to, text, err);
	case OPTION_TABLE:
		return set_table(o, to, f, text, err);
	case OPTION_TEXT:
	case OPTION_PRESET:
	case OPTION_CONFIG:
	default:
		*(const char **)to = text;
		return true;
	}
}
