/* shapes.h: the same numbers looked at in other shapes. */
#ifndef SHAPES_H
#define SHAPES_H

#include "core/table.h"

/* Each plane of t as a row; false where t has no planes, or is one anyway. */
bool shape_flat(struct table *to, const struct table *t);

/* Columns of t as rows, of one plane; owned by owner. */
bool shape_turned(struct table *to, const struct table *t,
		  struct table *owner, struct error *err);

#endif
