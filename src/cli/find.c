/* find.c: 'posenc help WORD' finds a word in all that help explains. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/guesses.h"
#include "cli/help.h"
#include "cli/scope.h"
#include "text/words.h"

/* How an entry has the word: best first. */
enum match { MATCH_NAME, MATCH_PART, MATCH_TEXT, MATCH_NONE };

enum { WHERE = 300 };  /* all commands */

/* What help explains in a line. */
struct entry {
	char name[60];        /* as typed: "--scaling yarn:F,L" */
	char key[48];         /* what it is looked up by: "yarn" */
	const char *where;    /* commands that have it, or a topic; "" */
	const char *help;
	bool meant;           /* other programs call it by the word */
	bool borrowed;        /* its help is that of another entry */
};

struct search {
	const char *word;
	enum match match;     /* of the entries that are shown */
	size_t lines, most;
	size_t found;         /* entries that match in any way */
	struct lookup nearest;
	struct output_file *o; /* NULL: nothing is shown */
};

/* Characters of a name, a line beside it, and help in one; lines of a page. */
enum { NAME = 22, LINE = 52, HELP_LEAST = 24, PAGE = 18 };

static int fold(char c)
{
	return c == '_' ? '-' : tolower((unsigned char)c);
}

/* Whether text begins with word, upper or lower case, '-' or '_' alike. */
static bool begins(const char *text, const char *word)
{
	while (*word && fold(*text) == fold(*word)) {
		text++;
		word++;
	}
	return !*word;
}

/* Whether a word of text is that one or, if it has letters, begins with it. */
static bool says(const char *text, const char *word, size_t letters)
{
	const size_t n = strlen(word);

	for (const char *at = text; *at; at++)
		if ((at == text || !isalnum((unsigned char)at[-1])) &&
		    begins(at, word) &&
		    (n >= letters || !isalnum((unsigned char)at[n])))
			return true;
	return false;
}

static enum match match_of(const struct entry *e, const char *word)
{
	if (e->meant ||
	    (begins(e->key, word) && strlen(e->key) == strlen(word)))
		return MATCH_NAME;
	if (says(e->key, word, 2))
		return MATCH_PART;
	return !e->borrowed && says(e->help, word, 4) ? MATCH_TEXT
						      : MATCH_NONE;
}

/*
 * "rope: scale frequencies for contexts ...", without the default: a line, or
 * two after many commands and of what has the name but is in none.
 */
static void show(const struct entry *e, enum match match, struct output_file *o)
{
	const char *end = strstr(e->help, " (default");
	const size_t before = strlen(e->where);
	const bool fits = before ? before + HELP_LEAST < LINE
				 : match != MATCH_NAME;
	const size_t most = fits ? LINE : 2 * LINE - 8;
	char text[600];
	const int length = end ? (int)(end - e->help) : (int)sizeof text;

	snprintf(text, sizeof text, "%s%s%.*s", e->where, before ? ": " : "",
		 length, e->help);
	if (strlen(text) > most) {
		size_t n = most - 4;

		while (n && text[n] != ' ')
			n--;
		snprintf(text + n, sizeof text - n, " ...");
	}
	help_item(o, e->name, text);
}

/* Count an entry, and show it if it is one of those that are shown. */
static void consider(struct search *s, const struct entry *e)
{
	const enum match match = match_of(e, s->word);

	s->found += match != MATCH_NONE;
	if (!s->o)
		lookup_is(&s->nearest, e->key);
	if (!s->o || match != s->match ||
	    (match != MATCH_NAME && s->lines >= s->most))
		return;
	show(e, match, s->o);
	s->lines++;
}

static void consider_named(struct search *s, const char *begin,
			   const char *name, const char *where,
			   const char *help)
{
	struct entry e = { .where = where, .help = help };

	snprintf(e.name, sizeof e.name, "%s%s", begin, name);
	snprintf(e.key, sizeof e.key, "%.*s", (int)strcspn(name, " "), name);
	consider(s, &e);
}

/* Write "rope, grid", the commands that have o, to where; the first of them. */
static const struct recipe *owners(const struct option *o, char *where)
{
	const struct recipe *r, *first = NULL;

	for (size_t i = 0; (r = command_at(i)); i++) {
		const struct option *own = r->options;
		const size_t n = first ? strlen(where) : 0;

		while (own->name && strcmp(own->name, o->name) != 0)
			own++;
		if (!own->name || own->words != o->words ||
		    strcmp(own->help, o->help) != 0)
			continue;
		snprintf(where + n, WHERE - n, "%s%s", n ? ", " : "", r->name);
		first = first ? first : r;
	}
	return first;
}

/*
 * An option, and its values that have names: "yarn" of --scaling yarn:F,L;
 * meant: the option that other programs call by the word, or NULL.
 */
static void consider_option(struct search *s, const struct option *o,
			    const struct option *meant, const char *where)
{
	struct entry e = { .where = where, .help = o->help };
	char flag[40];
	const size_t length = strlen(option_flag(o, flag));
	const bool fits = o->arg && length + strlen(o->arg) < NAME;

	snprintf(e.key, sizeof e.key, "%s", flag + 2);
	snprintf(e.name, sizeof e.name, "%s%s%s", flag, fits ? " " : "",
		 fits ? o->arg : "");
	e.meant = o == meant &&
		  !option_has_word(o, s->word, strlen(s->word));
	consider(s, &e);
	e.meant = false;
	e.borrowed = !o->meanings;
	for (size_t i = 0; o->words && o->words[i]; i++) {
		const char *w = o->words[i];

		snprintf(e.name, sizeof e.name, "%s %.*s", flag,
			 (int)strcspn(w, "["), w);
		snprintf(e.key, sizeof e.key, "%.*s", (int)strcspn(w, ":["), w);
		e.help = o->meanings ? o->meanings[i] : o->help;
		consider(s, &e);
	}
}

/* The options that commands share under a topic. */
static void consider_topic(struct search *s, const char *topic)
{
	const struct option_group g = scope_topic(topic);
	const struct option *meant = guess_option_of(g.options, s->word);

	for (const struct option *o = scope_next(&g, g.options); o;
	     o = scope_next(&g, o + 1))
		consider_option(s, o, meant, topic);
}

/* The options of all commands, each of which is in one group once. */
static void consider_options(struct search *s)
{
	const struct recipe *r;
	const struct option *meant;
	char where[WHERE];

	for (size_t i = 0; (r = command_at(i)); i++) {
		meant = guess_option_of(r->options, s->word);
		for (const struct option *o = r->options; o->name; o++)
			if (owners(o, where) == r)
				consider_option(s, o, meant, where);
		for (const struct preset *p = r->presets; p && p->name; p++)
			consider_named(s, "--preset ", p->name, r->name,
				       p->project);
	}
	consider_topic(s, "tables");
	consider_topic(s, "outputs");
	consider_topic(s, "figures");
}

/* Formats, commands and topics. */
static void consider_names(struct search *s)
{
	char flag[40], known[SUFFIXES_TEXT];
	const struct recipe *r;
	const struct format *f;

	for (size_t i = 0; (r = command_at(i)); i++)
		consider_named(s, "posenc ", r->name, "", r->summary);
	for (const struct builtin *b = builtins; b->name; b++)
		consider_named(s, "posenc ", b->name, "", b->summary);
	for (const struct topic *t = topics; t->name; t++)
		consider_named(s, "posenc help ", t->name, "", t->summary);
	for (size_t i = 0; (f = format_at(i)); i++) {
		snprintf(flag, sizeof flag, "%s FILE", f->name);
		consider_named(s, "--", flag, "outputs", f->summary);
	}
	if (says(format_suffixes(true, known), s->word, SIZE_MAX))
		consider_named(s, ".", s->word, "tables",
			       "the suffix of a format that TABLE may have");
}

/* All entries, and what is said of words of other programs. */
static void consider_all(struct search *s)
{
	struct entry e = { .where = "", .meant = true };
	const char *said;

	consider_names(s);
	consider_options(s);
	snprintf(e.name, sizeof e.name, "%s", s->word);
	for (size_t i = 0; (said = guess_said(s->word, i)); i++) {
		e.help = said + strspn(said, "; ");
		consider(s, &e);
	}
}

static struct search search_begin(const char *word)
{
	word += strspn(word, "-");
	return (struct search){ .word = word, .nearest = lookup_begin(word) };
}

static void show_found(const char *word, size_t most, struct output_file *o)
{
	struct search s = search_begin(word);
	const struct recipe *r;
	size_t i = 0;

	s.most = most;
	s.o = o;
	for (s.match = MATCH_NAME; s.match != MATCH_NONE; s.match++) {
		s.found = 0;
		consider_all(&s);
	}
	while ((r = command_at(i)) && !says(r->example, s.word, SIZE_MAX))
		i++;
	if (r)
		out_format(o, "\nExample: %s\n", r->example);
	out_text(o, "\n");
	if (s.found > s.lines)
		out_format(o, "%zu more: posenc help %s --full\n",
			   s.found - s.lines, word);
	out_text(o, "'posenc help NAME' explains the command or topic before "
		    "a colon.\n");
}

void find_page(const char *word, struct output_file *o)
{
	show_found(word, PAGE, o);
}

void find_all(const char *word, struct output_file *o)
{
	show_found(word, SIZE_MAX, o);
}

bool find_any(const char *word, struct error *err)
{
	struct search s = search_begin(word);

	if (*s.word)
		consider_all(&s);
	return s.found || lookup_fail(&s.nearest, "help: found nothing about",
				      "; 'posenc help' lists commands and "
				      "topics", err);
}
