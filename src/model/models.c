/* models.c: the rows of all model types. */
#include <stddef.h>

#include "model/models.h"
#include "model/rotary.h"

/* The scaling of a class. */
#define SCALING(...) &(const struct rotary_scaling){ __VA_ARGS__ }

const struct model models[] = {
#include "model/rows_rotary.inc"
#include "model/rows_absolute.inc"
#include "model/rows_relative.inc"
#include "model/rows_parts.inc"
	{ .types = NULL },
};

const struct model gguf_models[] = {
#include "model/rows_gguf.inc"
	{ .types = NULL },
};
