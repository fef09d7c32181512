/* low_precision_effect.c: from which position on low precision matters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/low_precision.h"
#include "text/words.h"

/* A row is off if a cosine or sine is, by these shares of the amplitude. */
#define VISIBLE 0.001
#define HARMFUL 0.1

/* Positions, and values of all of them, that are compared at most. */
enum { MOST_POSITIONS = 65000, MOST_VALUES = 1 << 24 };

bool is_low_precision(const char *emulation)
{
	return strncmp(emulation, "bf16-", 5) == 0 ||
	       strncmp(emulation, "fp16-", 5) == 0;
}

/* Whether the option "name=value" remains for another number of positions. */
static bool remains(const struct recipe *recipe, const char *word)
{
	const struct option *o = option_find(recipe->options, word,
					     strcspn(word, "="));

	return o->role != ROLE_EXTENT && o->role != ROLE_ARITHMETIC &&
	       strcmp(o->name, "out") != 0;
}

/* Write to text the options of the cosines and sines of n positions. */
static void write_options(char *text, size_t room, const struct recipe *recipe,
			  char *options, size_t n, struct error *err)
{
	size_t length = (size_t)snprintf(text, room, "len=%zu", n);
	char *word;

	while ((word = word_next(&options, err)))
		if (remains(recipe, word))
			length += (size_t)snprintf(text + length, room - length,
						   " %s", word);
}

/* The largest difference of two rows. */
static double difference(const struct table *a, const struct table *b, size_t i,
			 double *scratch)
{
	double *x = scratch, *y = scratch + a->cols, most = 0;

	table_rows(a, F64, i, 1, NULL, x);
	table_rows(b, F64, i, 1, NULL, y);
	for (size_t j = 0; j < a->cols; j++)
		most = fmax(most, fabs(x[j] - y[j]));
	return most;
}

/* Compare the rows of the exact table and the rounded one. */
static bool compare_rows(struct low_precision *l, const struct table *exact,
			 const struct table *rounded, struct table *owner,
			 struct error *err)
{
	double *x = table_alloc(owner, exact->cols, 2 * sizeof *x, err);

	l->visible = l->positions;
	for (size_t i = 0; x && i < l->positions; i++) {
		const double off = difference(exact, rounded, i, x) / exact->hi;

		if (off > VISIBLE && l->visible == l->positions)
			l->visible = i;
		if (off > HARMFUL) {
			l->harmful = i;
			return true;
		}
	}
	l->harmful = l->positions;
	return x;
}

/* "bf16-freqs" as words; false for another value of --emulate. */
static bool write_words(char words[64], const char *emulation)
{
	static const char *const whats[][2] = {
		{ "freqs", "frequencies" }, { "positions", "positions" },
		{ "angles", "angles" },
		{ "all", "frequencies, positions, angles and values" },
	};

	for (size_t k = 0; is_low_precision(emulation) &&
			   k < sizeof whats / sizeof *whats; k++)
		if (strcmp(emulation + 5, whats[k][0]) == 0)
			snprintf(words, 64, "%s rounded to %s", whats[k][1],
				 emulation[0] == 'b' ? "bfloat16" : "float16");
	return words[0];
}

/* Make both tables, of as many positions as can be compared quickly. */
static bool compare_tables(struct low_precision *l, const struct table *made,
			   const char *options, const char *emulation,
			   struct error *err)
{
	struct table owner = { 0 }, exact = { 0 }, rounded = { 0 };
	const struct recipe *recipe = made->from.recipe;
	const size_t room = strlen(options) + 64;
	const size_t most = MOST_VALUES / (2 * made->cols);
	char *copy = table_copy(&owner, options, err);
	char *text = table_alloc(&owner, 1, room, err);
	char *other = table_alloc(&owner, 1, room, err);
	bool good = copy && text && other;

	l->positions = most < MOST_POSITIONS ? most : MOST_POSITIONS;
	if (good) {
		write_options(text, room, recipe, copy, l->positions, err);
		snprintf(other, room, "%s emulate=%s", text, emulation);
	}
	good = good && recipe_open(&exact, recipe->name, text, NULL, err) &&
	       recipe_open(&rounded, recipe->name, other, NULL, err) &&
	       compare_rows(l, &exact, &rounded, &owner, err);
	table_close(&exact);
	table_close(&rounded);
	table_close(&owner);
	return good;
}

bool low_precision_of(struct low_precision *l, const char *recipe,
		      const char *options, struct error *err)
{
	struct table made = { 0 };
	struct error why = { 0 };
	char room[OPTION_ROOM];
	const char *emulation = "";
	const struct option *o = NULL;
	bool good = recipe_open(&made, recipe, options, NULL, &why);

	*l = (struct low_precision){ .positions = 0 };
	if (good)
		o = option_of_role(made.from.recipe->options, ROLE_ARITHMETIC);
	if (o)
		emulation = option_text(o, made.from.options, room);
	good = write_words(l->words, emulation) &&
	       compare_tables(l, &made, options, emulation, &why);
	table_close(&made);
	pass_memory(err, &why);
	return good;
}

void report_low_precision(const struct match *m, struct report *r)
{
	struct low_precision l;

	if (m->candidate.note)
		report_headline(r, "%s; %s", r->headline, m->candidate.note);
	if (!low_precision_of(&l, m->recipe->name, m->candidate.options,
			      r->err))
		return;
	if (m->jumps)
		report_headline(r, "%s: '%s' fits with a root-mean-square "
				"residual of %.2g: up to %.2g in %zu of all "
				"values, as where other arithmetic rounds an "
				"angle the other way", m->recipe->name,
				m->command, m->rms, m->residual, m->jumps);
	report_group(r, "low_precision");
	report_text(r, "rounded", "%s", l.words);
	if (l.harmful < l.positions) {
		report_number(r, "first_position_off", (double)l.harmful,
			      "by more than 0.1");
		report_headline(r, "%s; %s, first off by more than 0.1 at "
				"position %zu", r->headline, l.words,
				l.harmful);
		return;
	}
	report_text(r, "first_position_off", "none of the first %zu, by more "
		    "than 0.1", l.positions);
	report_headline(r, "%s; %s, off by at most 0.1 at the first %zu "
			"positions", r->headline, l.words, l.positions);
}
