/* rope_scaling_text.c: what --scaling says. */
#include <stdio.h>
#include <string.h>

#include "core/parse.h"
#include "encodings/rope_scaling.h"

/* The kinds in the order of their enum; the items that stand without a name. */
static const struct kind {
	const char *name, *shape;
	int needed, most;      /* of F and L */
} kinds[] = {
	{ "none", "none", 0, 0 },
	{ "linear", "linear:F", 1, 1 },
	{ "ntk", "ntk:F", 1, 1 },
	{ "dynamic", "dynamic:F,L", 2, 2 },
	{ "yarn", "yarn:F,L", 2, 2 },
	{ "llama3", "llama3:F,L", 2, 2 },
	{ "longrope", "longrope:[F,L,]@FILE", 0, 2 },
	{ "proportional", "proportional[:F]", 0, 1 },
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* The numbers that may be named, and the kinds that heed them. */
static const struct item {
	const char *name;
	size_t at;
	unsigned kinds;
	double least, most, initial;
} items[] = {
#define ITEM(field) #field, offsetof(struct scaling, field)
	{ ITEM(factor), ~1u, 1e-3, 1e9, 0 },
	{ ITEM(original), ~1u, 1, 0x1p53, 0 },
	{ ITEM(fast), 1u << SCALING_YARN, 1e-6, 1e9, 32 },
	{ ITEM(slow), 1u << SCALING_YARN, 1e-6, 1e9, 1 },
	{ ITEM(truncate), 1u << SCALING_YARN, 0, 1, 1 },
	{ ITEM(mscale), 1u << SCALING_YARN, 0, 1e6, 0 },
	{ ITEM(mscale_all_dim), 1u << SCALING_YARN, 0, 1e6, 0 },
	{ ITEM(low), 1u << SCALING_LLAMA3, 1e-6, 1e9, 1 },
	{ ITEM(high), 1u << SCALING_LLAMA3, 1e-6, 1e9, 4 },
	{ ITEM(attention_factor), 1u << SCALING_YARN | 1u << SCALING_LONGROPE,
	  1e-6, 1e6, 0 },
#undef ITEM
};

enum { ITEMS = sizeof items / sizeof *items };

static double *field(const struct item *item, struct scaling *s)
{
	return (double *)(void *)((char *)s + item->at);
}

static bool set_kind(struct scaling *s, const char *name, struct error *err)
{
	const char *names[KINDS + 1] = { NULL };
	const char *near;

	for (s->kind = 0; s->kind < KINDS; s->kind++) {
		s->name = names[s->kind] = kinds[s->kind].name;
		if (strcmp(name, s->name) == 0)
			return true;
	}
	near = nearest_word(name, names);
	if (near)
		return fail(err, "--scaling has no '%.60s' (did you mean "
			    "'%s'?)", name, near);
	return fail(err, "--scaling must be none, linear, ntk, dynamic, yarn, "
		    "llama3, longrope or proportional, not '%.60s'", name);
}

static bool set_truncate(struct scaling *s, const char *text,
			 struct error *err)
{
	const bool is = strcmp(text, "true") == 0;

	if (!is && strcmp(text, "false") != 0)
		return fail(err, "--scaling %s: truncate must be true or "
			    "false, not '%.60s'", s->name, text);
	s->truncate = is;
	return true;
}

static bool set_number(struct scaling *s, const struct item *item,
		       const char *text, struct error *err)
{
	double x = 0;

	if (item->at == offsetof(struct scaling, truncate))
		return set_truncate(s, text, err);
	if (!parse_real(text, &x) || x < item->least || x > item->most)
		return fail(err, "--scaling %s: %s must be a number from %.16g "
			    "to %.16g, not '%.60s'", s->name, item->name,
			    item->least, item->most, text);
	*field(item, s) = x;
	return true;
}

/* "@FILE", or numbers parted by colons or blanks. */
static bool set_list(struct list *list, char *value, struct table *owner,
		     struct error *err)
{
	for (char *c = value; value[0] != '@' && *c; c++)
		if (*c == ':')
			*c = ' ';
	return list_read(list, value, "--scaling longrope", owner, err);
}

/* "fast=32"; or the lists "short=" and "long=". */
static bool set_named(struct scaling *s, const char *name, char *value,
		      struct table *owner, struct error *err)
{
	const bool lists = s->kind == SCALING_LONGROPE;
	const char *names[ITEMS + 3] = { "short", "long" };
	const char *near;
	size_t n = 2;

	if (lists && strcmp(name, "short") == 0)
		return set_list(&s->near, value, owner, err);
	if (lists && strcmp(name, "long") == 0)
		return set_list(&s->far, value, owner, err);
	for (const struct item *i = items; i < items + ITEMS; i++) {
		if (!(i->kinds >> s->kind & 1))
			continue;
		if (strcmp(i->name, name) == 0)
			return set_number(s, i, value, err);
		names[n++] = i->name;
	}
	near = nearest_word(name, lists ? names : names + 2);
	if (near)
		return fail(err, "--scaling %s has no '%.60s' (did you mean "
			    "'%s'?)", s->name, name, near);
	return fail(err, "--scaling %s has no '%.60s'", s->name, name);
}

static bool set_item(struct scaling *s, char *text, int *unnamed,
		     struct table *owner, struct error *err)
{
	char *equals = strchr(text, '=');

	if (s->kind == SCALING_LONGROPE && text[0] == '@')
		return set_list(&s->near, text, owner, err);
	if (equals) {
		*equals = '\0';
		return set_named(s, text, equals + 1, owner, err);
	}
	if (*unnamed == kinds[s->kind].most)
		return fail(err, "--scaling must be %s, which has no room for "
			    "'%.60s'", kinds[s->kind].shape, text);
	return set_number(s, &items[(*unnamed)++], text, err);
}

static bool check(struct scaling *s, struct error *err)
{
	const struct kind *kind = &kinds[s->kind];

	if (kind->needed && !(s->factor > 0))
		return fail(err, "--scaling must be %s; F, the factor, is "
			    "missing", kind->shape);
	if (!(s->factor > 0))
		s->factor = 1;
	if (kind->needed == 2 && !(s->original > 0))
		return fail(err, "--scaling must be %s; L, the original "
			    "context, is missing", kind->shape);
	if (s->kind == SCALING_LONGROPE && !s->near.at)
		return fail(err, "--scaling longrope needs @FILE, the factor "
			    "of each pair");
	if (s->far.at && !(s->original > 0))
		return fail(err, "--scaling longrope with short and long "
			    "factors needs F,L: the long ones begin at L");
	if (s->kind == SCALING_YARN && !(s->fast > s->slow))
		return fail(err, "--scaling yarn: fast must be above slow, "
			    "not %.17g and %.17g", s->fast, s->slow);
	if (s->kind == SCALING_LLAMA3 && !(s->high > s->low))
		return fail(err, "--scaling llama3: high must be above low, "
			    "not %.17g and %.17g", s->high, s->low);
	return true;
}

/* The item that *rest begins with, which then moves on; NULL after the last. */
static char *next_item(char **rest)
{
	char *item = *rest, *comma = item ? strchr(item, ',') : NULL;

	if (comma)
		*comma++ = '\0';
	*rest = comma;
	return item;
}

bool scaling_read(struct scaling *s, const char *text, struct table *owner,
		  struct error *err)
{
	char *words, *list, *item;
	int unnamed = 0;

	*s = (struct scaling){ 0 };
	for (size_t i = 0; i < ITEMS; i++)
		*field(&items[i], s) = items[i].initial;
	if (!text)
		return true;
	words = table_copy(owner, text, err);
	if (!words)
		return false;
	list = strchr(words, ':');
	if (list)
		*list++ = '\0';
	if (!set_kind(s, words, err))
		return false;
	if (list && !*list)
		list = NULL;
	while ((item = next_item(&list)))
		if (!set_item(s, item, &unnamed, owner, err))
			return false;
	return check(s, err);
}
