/* command.h: the command that makes an output again. */
#ifndef COMMAND_H
#define COMMAND_H

#include "core/recipe.h"
#include "formats/style.h"

/* All of it but where it goes, to be freed; NULL for want of memory. */
char *command_line(const struct table *t, const struct style *style);

#endif
