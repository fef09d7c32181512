/* rotary.h: the rotary positions of a model, from its configuration. */
#ifndef ROTARY_H
#define ROTARY_H

#include "model/config.h"

struct rotary_positions {
	double base;
	double head;          /* dimensions of a head */
	double dims;          /* those of them that rotate, the first ones */
	bool interleaved;     /* 2k and 2k + 1 rotate together, not halves */
	bool reversed;        /* by minus the angle */
	const char *scaling;  /* value of --scaling; NULL: none */
	const char *sections; /* pairs by time, row, column; NULL: one axis */
	bool alternate;       /* the sections alternate */
};

/*
 * Read the rotary positions of c's layers. Fails where they are unknown or
 * differ between layers or versions of transformers. Adds notes on defaults.
 */
bool rotary_read(struct config *c, struct rotary_positions *r);

/* They as options of rope: "--dim 128 --base 10000 ..."; NULL with an error. */
char *rotary_options(const struct config *c, const struct rotary_positions *r);

/* scaling.c: the scaling that rope, an object or NULL, says; dims are known. */
bool rotary_scaling(struct config *c, const struct cJSON *rope,
		    struct rotary_positions *r);

#endif
