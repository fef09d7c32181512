/* man.h: what the manual says of commands and options, from declarations. */
#ifndef MAN_H
#define MAN_H

#include "formats/out.h"

/*
 * In mdoc: the formula and options of a command; of "posenc", all commands
 * and the options that they share.
 */
void man_made(const char *name, struct out *o);

#endif
