/* sentences.h: what was found, as sentences. */
#ifndef SENTENCES_H
#define SENTENCES_H

#include <stddef.h>

struct conversion;

/* A sentence; of a tensor, with the number of others that it is true of. */
struct sentence {
	const char *tensor;    /* NULL: of none */
	const char *text;
	size_t more;
};

enum { SENTENCES_MOST = 64 };

struct sentences {
	struct sentence at[SENTENCES_MOST];
	size_t n;
};

/* Text in memory of the owner; "" if that runs out. */
const char *text_of(struct conversion *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Add a sentence; of those beyond SENTENCES_MOST, the last one is kept. */
void say(struct conversion *c, struct sentences *to, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Add a sentence of a tensor; one that is there already counts one more. */
void say_of(struct sentences *to, const char *tensor, const char *text);

/* "blk.0.attn_q.weight and 31 more: its rows are ..." */
const char *sentence_text(struct conversion *c, const struct sentence *s);

#endif
