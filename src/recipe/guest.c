/*
 * guest.c: options that a recipe takes of others, its guests. A view that makes
 * the table of an encoding knows none of that encoding's options: they are kept
 * until its own have said which encoding it is, and then set as they are there.
 */
#include <stdio.h>
#include <string.h>

#include "recipe/recipe.h"
#include "text/words.h"

/* An option of a guest that was set, in order. */
struct later {
	const struct option *option;
	const char *text;
	struct later *next;
};

const struct recipe *guest_recipe(const struct recipe *host,
				  const struct guest *g)
{
	return host->find(g->name, &(struct error){ 0 });
}

bool guest_lends(const struct recipe *host, const struct guest *g,
		 const struct option *o)
{
	char flag[40];
	const char *name = option_flag(o, flag) + 2;

	return o->kind != OPTION_PRESET && o->kind != OPTION_CONFIG &&
	       !text_has_word(g->withheld, name, " ") &&
	       !option_find(host->options, name, strlen(name));
}

const struct option *guest_option(const struct recipe *host,
				  const struct guest *g, const char *name,
				  size_t length)
{
	const struct option *o = option_find(guest_recipe(host, g)->options,
					     name, length);

	return o && guest_lends(host, g, o) ? o : NULL;
}

const struct option *recipe_option(const struct recipe *r, const char *name,
				   size_t length)
{
	const struct option *o = option_find(r->options, name, length);

	for (const struct guest *g = r->guests; !o && g && g->word; g++)
		o = guest_option(r, g, name, length);
	return o;
}

bool recipe_set_later(struct fields *f, const struct option *o,
		      const char *text, struct error *err)
{
	struct later *added = table_alloc(f->owner, 1, sizeof *added, err);
	struct later **end = &f->later;

	if (!added)
		return false;
	*added = (struct later){ o, text, NULL };
	while (*end)
		end = &(*end)->next;
	*end = added;
	return true;
}

/* Where a guest's struct lies behind its host's, aligned as malloc() does. */
static size_t behind(const struct recipe *host)
{
	return (host->size + 15) / 16 * 16;
}

const void *guest_self(const struct recipe *host, const void *self)
{
	return (const char *)self + behind(host);
}

size_t recipe_room(const struct recipe *r)
{
	size_t most = 0;

	for (const struct guest *g = r->guests; g && g->word; g++) {
		const size_t size = guest_recipe(r, g)->size;

		most = size > most ? size : most;
	}
	return most ? behind(r) + most : r->size;
}

/*
 * Fail: guests lend the option flag, but not the one of that word; it may also
 * be a value of the host's: --mask causal.
 */
static bool refuse(const struct recipe *host, const char *flag,
		   const char *word, struct error *err)
{
	const char *last = NULL;
	char words[200] = "", meant[100] = "", other[40];
	size_t n = 0;

	for (const struct option *o = host->options; o->name; o++)
		if (option_has_word(o, flag + 2, strlen(flag) - 2))
			snprintf(meant, sizeof meant,
				 " (did you mean '%s %s'?)",
				 option_flag(o, other), flag + 2);

	for (const struct guest *g = host->guests; g->word; g++) {
		if (!guest_option(host, g, flag + 2, strlen(flag) - 2))
			continue;
		if (last)
			n += (size_t)snprintf(words + n, sizeof words - n,
					      "%s%s", n ? ", " : "", last);
		last = g->word;
	}
	return fail(err, "%s needs --%s %s%s%s, got %s%s", flag, host->host,
		    words, n ? " or " : "", last, word, meant);
}

/* The options of the host, then those that the guest lends, to rows. */
static void merge(const struct recipe *host, const struct guest *g,
		  struct option *rows)
{
	const struct option *o;

	for (o = host->options; o->name; o++)
		*rows++ = *o;
	for (o = g->word ? guest_recipe(host, g)->options : o; o->name; o++) {
		if (!guest_lends(host, g, o))
			continue;
		*rows = *o;
		rows->at += behind(host);
		/* What it needs is checked when its own table is made */
		rows->needs = rows->excludes = rows->implied = NULL;
		rows->word_needs = NULL;
		rows->stated = NULL;
		rows++->required = false;
	}
}

/* Set what was set of the guest's options, in order. */
static bool set_later(const struct recipe *host, const struct option *rows,
		      struct fields *f, const char *word, struct error *err)
{
	for (const struct later *l = f->later; l; l = l->next) {
		char flag[40];
		const struct option *o;

		option_flag(l->option, flag);
		o = option_find(rows, flag + 2, strlen(flag) - 2);
		if (!o)
			return refuse(host, flag, word, err);
		if (!option_set(o, f, l->text, err))
			return false;
	}
	return true;
}

static size_t count_options(const struct recipe *r)
{
	size_t n = 0;

	while (r->options[n].name)
		n++;
	return n;
}

/* The host with its own options and those of the guest g, if it is one. */
static struct recipe *joined(const struct recipe *host, const struct guest *g,
			     struct fields *f, struct error *err)
{
	const struct recipe *of = g->word ? guest_recipe(host, g) : NULL;
	const size_t n = count_options(host) + (of ? count_options(of) : 0);
	struct option *rows = table_alloc(f->owner, n + 1, sizeof *rows, err);
	struct recipe *r = table_alloc(f->owner, 1, sizeof *r, err);
	struct fields own = *f;

	if (!rows || !r)
		return NULL;
	merge(host, g, rows);
	*r = *host;
	r->options = rows;
	r->size = behind(host) + (of ? of->size : 0);
	r->guests = NULL;
	own.self = (char *)f->self + behind(host);
	if (of)
		option_defaults(of->options, &own, err);
	return r;
}

const struct recipe *recipe_settle(const struct recipe *r, struct fields *f,
				   struct error *err)
{
	const struct guest *g = r->guests;
	const struct recipe *all;
	const char *word;

	if (!g)
		return r;
	word = option_word(option_find(r->options, r->host, strlen(r->host)),
			   f->self);
	while (g->word && strcmp(g->word, word) != 0)
		g++;
	all = joined(r, g, f, err);
	if (!all || !set_later(r, all->options, f, word, err))
		return NULL;
	f->owner->from.recipe = all;
	return all;
}
