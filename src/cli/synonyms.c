/* synonyms.c: values of options under the names of other programs. */
#include <string.h>

#include "cli/synonyms.h"
#include "text/words.h"

static const struct synonym {
	const char *option;   /* its name */
	const char *words;    /* values of other programs, in lower case */
	const char *value;    /* is meant; or */
	const char *answer;   /* what is said after the word */
} synonyms[] = {
	{ "metric", "euclidean euclid", "l2", NULL },
	{ "metric", "cos cosine-similarity", "cosine", NULL },
	{ "metric", "dot-product inner inner-product", "dot", NULL },
	{ "scheme", "rotary", "rope", NULL },
	{ "scheme", "sinusoidal", "sinusoid", NULL },
	{ "scheme", "shaw", "relative", NULL },
	{ "scheme", "t5-bucket", "t5", NULL },
	{ "scheme", "xl", "transformer-xl", NULL },
	{ "pairs", "neox gpt-neox rotate-half split", "half", NULL },
	{ "pairs", "gptj gpt-j adjacent", "interleaved", NULL },
	{ "layout", "concat concatenated half", "split", NULL },
	{ "dtype", "float single", "float32", NULL },
	{ "dtype", "double", "float64", NULL },
	{ "dtype", "half", "float16", NULL },
	{ "cmap", "grey greys grays", "gray", NULL },
	{ "cmap", "plasma inferno hot", NULL, "; magma is the nearest one" },
	{ "cmap", "seismic bwr rdylbu", NULL,
	  "; vik, coolwarm and rdbu are for values of both signs" },
};

enum { SYNONYMS = sizeof synonyms / sizeof *synonyms };

/* Whether text is another name for a value of o. */
static bool means(const struct synonym *s, const struct option *o,
		  const char *text)
{
	return strcmp(s->option, o->name) == 0 &&
	       text_has_word(s->words, text, " ") &&
	       (!s->value || !o->words ||
		option_has_word(o, s->value, strlen(s->value)));
}

const char *synonym_of(const struct option *o, const char *text,
		       struct error *err)
{
	const struct synonym *s = synonyms;
	char flag[40];

	while (s < synonyms + SYNONYMS && !means(s, o, text))
		s++;
	if (s == synonyms + SYNONYMS)
		return text;
	if (!s->value)
		fail(err, "%s: unknown value '%.60s'%s", option_flag(o, flag),
		     text, s->answer);
	return s->value;
}
