/* logits.h: what a model does to logits besides adding positions. */
#ifndef LOGITS_H
#define LOGITS_H

#include "model/rotary.h"

struct logits {
	double scale;    /* of q . k, all in all */
	double root;     /* scale is 1 / sqrt(root) x yarn; 0: it is a number of
			    the file or of the class */
	double yarn;     /* (0.1 m ln F + 1)^2, m = mscale_all_dim; 1: none */
	double cap;      /* C tanh(x / C); 0: none */
	bool sinks;      /* the softmax has a learned logit per head, too */
};

/*
 * Those of the layers that were chosen, with their rotary positions, or NULL
 * and the size of a head, 0 if it is not known. False with an error where a
 * size that they depend on is missing.
 */
bool logits_read(struct config *c, const struct rotary_positions *r,
		 struct logits *l);

/* "q . k / sqrt(192), times 1.5896 (mscale_all_dim)"; NULL with an error. */
const char *logits_words(const struct config *c, const struct logits *l);

/* As options of attend, qk-scale and softcap, for heads of so many columns;
   false with an error where it has none for them. */
bool logits_options(const struct config *c, const struct logits *l,
		    double head, struct assignments *a);

#endif
