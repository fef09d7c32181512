/*
 * needs.c: when an option applies: the conditions that rows of options state,
 * and what is said where they do not hold.
 *
 *   len               the option is given
 *   kind=shaw|xl      it has one of these values, given or by default
 *   kind!=shaw|xl     it has none of these
 *   len query-len     one of these holds
 *   kind=xl, out=cos  all of these hold
 */
#include <stdio.h>
#include <string.h>

#include "recipe/option.h"

/* The options that conditions are about. */
struct subject {
	value_of_option *value;
	const void *self;
};

#define NAME_ENDS "=! ,:;"
#define WORD_ENDS "| ,:;"
#define CONDITION_ENDS " ,:;"

/* Whether value, such as "seconds:2", is among words, "index|seconds". */
static bool is_among(const char *value, const char *words)
{
	const size_t n = strcspn(value, ":[");

	for (;; words++) {
		const size_t m = strcspn(words, WORD_ENDS);

		if (m == n && memcmp(words, value, n) == 0)
			return true;
		words += m;
		if (*words != '|')
			return false;
	}
}

/* Whether the one condition at at holds: "len", "kind=shaw|xl". */
static bool holds(const struct subject *x, const char *at)
{
	const size_t n = strcspn(at, NAME_ENDS);
	const bool negated = at[n] == '!';
	const char *value;

	if (at[n] != '=' && !negated)
		return x->value(x->self, at, n, true);
	value = x->value(x->self, at, n, false);
	return negated != (value && is_among(value, at + n + 1 + negated));
}

/* The first that holds of the conditions that blanks separate, or NULL. */
static const char *holding(const struct subject *x, const char *at)
{
	for (;; at++) {
		if (holds(x, at))
			return at;
		at += strcspn(at, CONDITION_ENDS);
		if (*at != ' ')
			return NULL;
	}
}

/* The first that does not hold of the conditions that commas separate. */
static const char *failing(const struct subject *x, const char *at)
{
	for (;; at += 2) {
		if (!holding(x, at))
			return at;
		at += strcspn(at, ",:;");
		if (*at != ',')
			return NULL;
	}
}

/* "kind=shaw|xl" as "--kind shaw or xl", to to; its length. */
static size_t say(const char *at, char *to, size_t size)
{
	const size_t name = strcspn(at, NAME_ENDS);
	size_t n = (size_t)snprintf(to, size, "--%.*s", (int)name, at);
	const char *word = at + name + strspn(at + name, "!=");

	for (at = word; *at && !strchr(CONDITION_ENDS, *at);) {
		const size_t m = strcspn(at, WORD_ENDS);
		const bool more = at[m] == '|';

		n += (size_t)snprintf(to + n, size - n, "%s%.*s",
				      at == word ? " " : more ? ", " : " or ",
				      (int)m, at);
		at += m + more;
	}
	return n;
}

/* Conditions separated by blanks as "--csv, --json or --plot cells". */
static void say_all(const char *at, char *to, size_t size)
{
	for (size_t n = 0;; at++) {
		const size_t all = strcspn(at, CONDITION_ENDS);

		n += say(at, to + n, size - n);
		at += all;
		if (*at != ' ')
			return;
		n += (size_t)snprintf(to + n, size - n, "%s",
				      at[1 + strcspn(at + 1, CONDITION_ENDS)] ==
				      ' ' ? ", " : " or ");
	}
}

/* The option named at at with its word, "--rng torch", to to. */
static void say_given(const struct subject *x, const char *at, char *to,
		      size_t size)
{
	const size_t name = strcspn(at, NAME_ENDS);
	const char *word = x->value(x->self, at, name, false);
	const size_t n = word ? strcspn(word, ":[") : 0;

	snprintf(to, size, "--%.*s%s%.*s", (int)name, at, n ? " " : "", (int)n,
		 word);
}

/* Fail, as what ("--bits", "--out rows") needs what at says, and x has not. */
static bool refuse(const struct subject *x, const char *what, const char *at,
		   struct error *err)
{
	const size_t name = strcspn(at, NAME_ENDS);
	const bool alone = at[strcspn(at, CONDITION_ENDS)] != ' ';
	const char *value = alone && at[name] == '='
			    ? x->value(x->self, at, name, false) : NULL;
	char others[200];

	say_all(at, others, sizeof others);
	return fail(err, "%s %s %s%s%s", what, at[name] == '!'
		    ? "does not apply to" : "needs", others,
		    value ? ", got " : "", value ? value : "");
}

bool option_applies(const struct option *o, value_of_option *value,
		    const void *self)
{
	return !o->needs ||
	       !failing(&(struct subject){ value, self }, o->needs);
}

bool option_needs(const struct option *o, value_of_option *value,
		  const void *self, struct error *err)
{
	const struct subject x = { value, self };
	const char *at = o->needs ? failing(&x, o->needs) : NULL;
	char flag[40], what[100], other[100];

	option_flag(o, flag);
	if (at)
		return refuse(&x, flag, at, err);
	say_given(&x, flag + 2, what, sizeof what);
	at = o->excludes ? holding(&x, o->excludes) : NULL;
	if (at) {
		say_given(&x, at, other, sizeof other);
		return fail(err, "%s cannot be combined with %s", what, other);
	}
	if (!o->word_needs)
		return true;
	at = strchr(what, ' ') + 1;
	at = o->word_needs[option_word_index(o, at, strlen(at))];
	return !at || !(at = failing(&x, at)) || refuse(&x, what, at, err);
}

int option_implied(const struct option *o, value_of_option *value,
		   const void *self)
{
	const struct subject x = { value, self };
	const char *at = o->implied;

	while (at[strcspn(at, ":;")] == ':' && failing(&x, at))
		at += strcspn(at, ";") + 2;
	if (at[strcspn(at, ":;")] == ':')
		at += strcspn(at, ":") + 2;
	return option_word_index(o, at, strcspn(at, WORD_ENDS));
}
