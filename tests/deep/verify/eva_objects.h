/* eva_objects.h: objects of a pickle, whose texts and names may be any. */
#ifndef EVA_OBJECTS_H
#define EVA_OBJECTS_H

#include "containers/pickle.h"

bool object_is(const struct object *o, enum object_kind kind, const char *s)
{
	(void)s;
	return o->kind == kind && Frama_C_interval(0, 1);
}

bool object_calls(const struct object *o, const char *name)
{
	(void)name;
	return o->kind == OBJECT_CALL && Frama_C_interval(0, 1);
}

#endif
