/* families.h: who knows which tables; each claims what it recognizes. */
#ifndef FAMILIES_H
#define FAMILIES_H

#include "identify/hunt.h"

#define FAMILY(name) void identify_##name(struct hunt *h);
#include "identify/list.h"
#undef FAMILY

#endif
