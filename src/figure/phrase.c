/* phrase.c: the options of a table in words, for the subtitle of its figure. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "figure/phrase.h"
#include "text/utf8.h"
#include "text/words.h"

#define MINUS "\xe2\x88\x92"
#define TIMES " \xc3\x97 "

/* Whether the command that makes t has the option. */
static bool is_typed(const struct table *t, const char *flag)
{
	const size_t n = strlen(flag);
	const char *at = t->from.command;

	while ((at = strstr(at + 1, flag)) && at[n] != ' ' && at[n])
		;
	return at;
}

/* Whether an option was given that o says nothing beside. */
static bool is_replaced(const struct table *t, const struct option *o)
{
	char flag[40];

	for (const struct option *x = t->from.recipe->options; x->name; x++)
		if (text_has_word(o->stated, option_flag(x, flag) + 2, " ") &&
		    option_changed(x, t->from.options))
			return true;
	return false;
}

/* Lists and files say little to who sees what was made of them. */
bool phrase_stated(const struct table *t, const struct option *o)
{
	char flag[40];

	if (o->kind == OPTION_LIST || option_reads_tables(o) ||
	    (o->phrase && !o->phrase[0]))
		return false;
	if (is_typed(t, option_flag(o, flag)))
		return true;
	return o->stated && !is_replaced(t, o);
}

/* Add n bytes of text, as far as there is room. */
static void add(char phrase[LINE_TEXT], const char *text, size_t n)
{
	const size_t used = strlen(phrase);

	if (used + n < LINE_TEXT) {
		memcpy(phrase + used, text, n);
		phrase[used + n] = '\0';
	}
}

static void add_text(char phrase[LINE_TEXT], const char *text)
{
	add(phrase, text, strlen(text));
}

static bool is_digit(char c)
{
	return isdigit((unsigned char)c);
}

/*
 * Character i of a value, one of a number of items: how it is read where it is
 * not as it was typed. Items begin with a number or with a word.
 */
static const char *spoken(enum language l, const char *text, size_t i,
			  bool number)
{
	const char *const from = i ? text + i - 1 : ",";
	const char before = *from, after = text[i + 1];
	const bool power = before == 'e' && i > 1 && is_digit(text[i - 2]);

	switch (text[i]) {
	case '-':
		return (strchr(",:=", before) || power) &&
		       (is_digit(after) || after == '.') ? MINUS : NULL;
	case 'x':
		return is_digit(before) && is_digit(after) ? TIMES : NULL;
	case ':':
		return language_text(l, number ? " to " : " of ");
	case ',':
		return ", ";
	case '=':
	case '_':
		return " ";
	default:
		return NULL;
	}
}

/* Add a value of n bytes as it is read: "4x4" is "4 × 4". */
static void add_value(enum language l, char phrase[LINE_TEXT],
		      const char *value, size_t n)
{
	bool number = true, begins = true;

	for (size_t i = 0; i < n; i++) {
		const char *words = spoken(l, value, i, number);

		if (begins)
			number = !isalpha((unsigned char)value[i]);
		begins = value[i] == ',';
		add(phrase, words ? words : value + i,
		    words ? strlen(words) : 1);
	}
}

/* Add a pattern with a value in place of each '%', and what is behind it. */
static void add_pattern(enum language l, char phrase[LINE_TEXT],
			const char *pattern, const char *value, size_t n)
{
	for (; *pattern; pattern++)
		if (*pattern == '%')
			add_value(l, phrase, value, n);
		else
			add(phrase, pattern, 1);
}

/* The item after this one, of n bytes, that names no file; or the end. */
static const char *item_next(const char *item, size_t *n)
{
	do {
		item += *n;
		item += *item == ',';
		*n = strcspn(item, ",");
	} while (*n && memchr(item, '@', *n));
	return item;
}

/*
 * Add the phrase of a word, with the items of a value in place of its '%', and
 * the rest of them. What is in brackets is left out where they are.
 */
static void add_word(enum language l, char phrase[LINE_TEXT],
		     const char *pattern, const char *items)
{
	size_t n = 0;
	const char *item = item_next(items, &n);

	for (; *pattern; pattern++) {
		if (*pattern == '[' && !n)
			pattern += strcspn(pattern, "]");
		if (*pattern == '%') {
			add_value(l, phrase, item, n);
			item = item_next(item, &n);
		} else if (!strchr("[]", *pattern)) {
			add(phrase, pattern, 1);
		}
	}
	for (; n; item = item_next(item, &n)) {
		add_text(phrase, ", ");
		add_value(l, phrase, item, n);
	}
}

/* "head 2", "heads 0 to 3"; the end of a range is not in it. */
static void add_range(enum language l, char phrase[LINE_TEXT],
		      const struct option *o, const char *value)
{
	long first = 0, last = 0;
	char text[RANGE_TEXT];

	sscanf(value, "%ld:%ld", &first, &last);
	if (last == first + 1)
		snprintf(text, sizeof text, "%ld", first);
	else
		snprintf(text, sizeof text, "%ld:%ld", first, last - 1);
	add_text(phrase, language_text(l, last == first + 1 ? o->one
							   : o->many));
	add_text(phrase, " ");
	add_value(l, phrase, text, strlen(text));
}

/* What a phrase looks like that its row does not say: "base %". */
static const char *usual_pattern(enum language l, const struct option *o,
				 const char *value, char pattern[LINE_TEXT])
{
	const bool word = o->kind == OPTION_CHOICE || o->kind == OPTION_PICK;
	const bool before = word || (o->kind == OPTION_EXTENTS &&
				     strchr(value, 'x'));
	char name[40];
	const char *shown;

	if (o->role == ROLE_ARITHMETIC)
		return language_text(l, "% arithmetic");
	option_flag(o, name);
	for (char *c = name; (c = strchr(c, '-'));)
		*c = ' ';
	shown = language_text(l, name + 2);
	snprintf(pattern, LINE_TEXT, "%s%s%s", before ? "% " : "", shown,
		 before || o->kind == OPTION_FLAG ? "" : " %");
	return pattern;
}

/* The phrase of a word, if its row has one, or NULL. */
static const char *word_phrase(const struct option *o, const char *word)
{
	const int i = o->phrases ? option_word_index(o, word, strlen(word))
				 : NO_CHOICE;

	return i != NO_CHOICE ? o->phrases[i] : NULL;
}

/* Add a value, or a word of it and the items behind its colon, or NULL. */
static void add_usual(enum language l, char phrase[LINE_TEXT],
		      const struct option *o, const char *value,
		      const char *items)
{
	const char *shown = language_text(l, value);
	char pattern[LINE_TEXT];

	add_pattern(l, phrase, o->phrase ? language_text(l, o->phrase)
					 : usual_pattern(l, o, value, pattern),
		    shown, strlen(shown));
	if (!items)
		return;
	add_text(phrase, language_text(l, " of "));
	add_value(l, phrase, items, strlen(items));
}

void phrase_of(enum language l, const struct option *o, const void *self,
	       char phrase[LINE_TEXT])
{
	char text[OPTION_ROOM], value[LINE_TEXT];
	char *items = NULL;
	const char *pattern;

	phrase[0] = '\0';
	utf8_show_joined(option_text(o, self, text), SIZE_MAX, value,
			 sizeof value);
	if ((o->kind == OPTION_PICK || o->phrases) &&
	    (items = strchr(value, ':')))
		*items++ = '\0';
	pattern = word_phrase(o, value);
	if (pattern)
		add_word(l, phrase, language_text(l, pattern),
			 items ? items : "");
	else if (o->many && o->kind == OPTION_RANGE)
		add_range(l, phrase, o, value);
	else if (o->many)
		language_count(l, value, o->one, o->many, phrase, LINE_TEXT);
	else
		add_usual(l, phrase, o, value, items);
}
