/* terminal.h: size and colours of the terminal at standard output. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "cli/preview.h"

/*
 * The size is 80 x 24 if it is unknown. There are no colours if standard output
 * is no terminal, TERM has none, or NO_COLOR is set (no-color.org).
 */
struct terminal terminal_query(void);

#endif
