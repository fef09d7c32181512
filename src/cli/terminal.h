/* terminal.h: what the terminal at standard output can show. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "formats/preview.h"

/*
 * Its size, 80 x 24 where none is known. Colours only where it is a terminal
 * that has them and NO_COLOR is not set (see no-color.org).
 */
struct terminal terminal_look(void);

#endif
