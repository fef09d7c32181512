/* man.h: the parts of the manual pages that declarations know. */
#ifndef MAN_H
#define MAN_H

#include "files/output.h"

/*
 * Write in mdoc the formulas and options of a command; of "posenc", all
 * commands and the options that they share.
 */
void man_made(const char *name, struct output_file *o);

#endif
