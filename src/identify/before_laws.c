/* before_laws.c: bases and scalings that have the measured frequencies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/before.h"
#include "identify/budget.h"
#include "identify/rotary.h"

/* Arithmetic in bfloat16 moves an angle by less than this part of it. */
#define LOW_PRECISION 0x1p-8

/* Set the frequencies of a law; false if rope refuses it. */
static bool law_open(struct before *b, struct law *law)
{
	struct error err = {0};
	struct table t = {0};
	char text[300];
	bool good;

	snprintf(text, sizeof text, "dim=%zu out=freqs %s", law->rotary,
		 law->text);
	good = recipe_open(&t, "rope", text, NULL, &err);
	law->w = good ? table_alloc(b->owner, t.cols, sizeof *law->w, b->err)
		      : NULL;
	if (law->w)
		table_rows(&t, F64, 0, 1, NULL, law->w);
	table_close(&t);
	pass_memory(b->err, &err);
	return law->w;
}

/* Whether there is room for another law of that text, which rope takes. */
static bool law_begin(struct before *b, struct law *law, const char *text)
{
	law->text = table_copy(b->owner, text, b->err);
	return law->text && b->law_count < MAX_LAWS && law_open(b, law);
}

/*
 * Whether each of the pairs tells something of its own: not so if all have one
 * frequency, or if there is but one, with a factor that anything fits.
 */
static bool law_tells(const struct before *b, const struct law *law)
{
	return b->pairs > 1 ? law->w[b->pairs - 1] < 0.9 * law->w[0]
			    : !strstr(law->text, "scaling");
}

/* Whether the law has the frequencies that were measured. */
static bool law_fits(const struct before *b, const struct law *law)
{
	for (size_t k = 0; k < b->pairs; k++)
		if (fabs(law->w[k] - b->w[k]) >
		    b->error[k] + LAW_ERROR * law->w[k])
			return false;
	return true;
}

static bool law_add(struct before *b, const char *text, size_t rotary,
		    bool measured)
{
	struct law law = {.rotary = rotary, .slack = LAW_ERROR};

	for (size_t k = 0; k < b->law_count; k++)
		if (b->laws[k].rotary == rotary &&
		    strcmp(b->laws[k].text, text) == 0)
			return true;
	if (!law_begin(b, &law, text) || !law_tells(b, &law) ||
	    (measured && !law_fits(b, &law)))
		return false;
	b->laws[b->law_count++] = law;
	return true;
}

enum { SCALED_BASES = 3 }; /* the first of these */

static const char *const usual[] = {
	"base=10000", "base=500000", "base=1000000", "base=10000000",
	"base=1000",  "base=100",    "base=150000",
};

bool law_is_usual(const char *text)
{
	for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
		if (strcmp(text, usual[k]) == 0)
			return true;
	return false;
}

/* Judge "dim=64 out=freqs base=10000 ... ": the law is base and scaling. */
static bool judge(void *self, const char *options)
{
	struct before *b = self;
	char *text;

	if (search_over(&b->budget))
		return false;
	text = table_copy(b->owner, strstr(options, "base="), b->err);
	if (!text)
		return false;
	for (size_t n = strlen(text); text[n - 1] == ' '; n--)
		text[n - 1] = '\0';
	/* Pairs that are not seen to turn may not explain an odd base. */
	return (!b->only_usual || law_is_usual(text)) &&
	       (b->trying == b->rotary || strtod(text + 5, NULL) <= 1e9) &&
	       law_add(b, text, b->trying, true);
}

/* List laws of so many rotary dimensions that have the measured frequencies. */
static bool try_measured(struct before *b, size_t rotary)
{
	const struct profile p = {
		.n = 1,
		.cols = rotary / 2,
		.epsilon = 0x1p-24,
	};
	struct search s = {
		.profile = &p,
		.owner = b->owner,
		.err = b->err,
		.judge = judge,
		.judging = b,
	};
	struct rotary r = {
		.profile = &p,
		.out = "freqs",
		.form = FORM_ANGLES,
		.pairs = rotary / 2,
		.amp = 1,
	};

	b->trying = rotary;
	r.w = table_alloc(b->owner, r.pairs, sizeof *r.w, b->err);
	r.error = table_alloc(b->owner, r.pairs, sizeof *r.error, b->err);
	if (!r.w || !r.error)
		return false;
	for (size_t k = 0; k < r.pairs; k++) {
		r.w[k] = k < b->pairs ? b->w[k] : 0;
		r.error[k] = k < b->pairs ? b->error[k] : 1;
	}
	rotary_try_frequencies(&s, &r);
	return b->law_count;
}

/* List laws of usual bases and scalings, if measured those that fit. */
static void try_usual(struct before *b, bool measured)
{
	static const char *const scalings[] = {
		"linear:2",	 "linear:4",	   "linear:8",
		"llama3:8,8192", "llama3:32,8192", "yarn:4,4096",
		"yarn:4,32768",	 "yarn:8,4096",	   "yarn:16,4096",
	};
	char text[100];

	for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
		law_add(b, usual[k], b->rotary, measured);
	for (size_t k = 0; k < SCALED_BASES; k++)
		for (size_t i = 0; i < sizeof scalings / sizeof *scalings;
		     i++) {
			snprintf(text, sizeof text, "%s scaling=%s", usual[k],
				 scalings[i]);
			law_add(b, text, b->rotary, measured);
		}
}

/*
 * Try numbers of rotary dimensions. Where pairs interleave, slow ones may be
 * lost in rounding: then more rotate than can be seen.
 */
static void try_dimensions(struct before *b, bool any)
{
	const size_t most =
		b->pairing == PAIRING_INTERLEAVED ? b->dim : b->rotary;
	const size_t likely[] = {b->noise < 1e-6 ? b->rotary : most, most,
				 most / 2, most / 4};

	b->only_usual = !any;
	/* Before odd bases that are as near. */
	if (any)
		try_usual(b, true);
	for (size_t k = 0; k < 4; k++)
		if (likely[k] >= b->rotary && likely[k] % 2 == 0)
			try_measured(b, likely[k]);
	for (size_t rotary = b->rotary; rotary <= most && !b->law_count;
	     rotary += 2)
		try_measured(b, rotary);
}

/* Add a law whose arithmetic was of low precision, if it is nearly so. */
static void add_low_precision(struct before *b, const char *base,
			      const char *word)
{
	struct law law = {.rotary = b->rotary, .slack = LAW_ERROR};
	char text[100];

	snprintf(text, sizeof text, "%s emulate=%s", base, word);
	law.rounds = strstr(word, "-positions") || strstr(word, "-all");
	if (strstr(word, "-angles") || strstr(word, "-all"))
		law.slack = LOW_PRECISION;
	if (!law_begin(b, &law, text))
		return;
	for (size_t k = 0; k < b->pairs; k++)
		if (fabs(law.w[k] - b->w[k]) >
		    b->error[k] + 2 * LOW_PRECISION * law.w[k])
			return;
	b->laws[b->law_count++] = law;
}

bool before_usual(struct before *b)
{
	b->law_count = 0;
	b->step = 1;
	try_usual(b, false);
	return b->law_count;
}

bool before_low_precision(struct before *b)
{
	const struct recipe *rope = recipe_find("rope", b->err);
	const struct option *o = option_of_role(rope->options, ROLE_ARITHMETIC);

	b->law_count = 0;
	for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
		for (size_t e = 1; b->first < b->last && o->words[e]; e++)
			add_low_precision(b, usual[k], o->words[e]);
	return b->law_count;
}

bool before_laws(struct before *b)
{
	if (!before_measure(b))
		return false;
	try_dimensions(b, false);
	return b->law_count;
}

bool before_any_laws(struct before *b)
{
	if (b->first < b->last)
		try_dimensions(b, true);
	return b->law_count;
}
