/* terminal.c: size and colours of the terminal at standard output. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/terminal.h"

static const char *from_environment(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

static enum colours colours(void)
{
	const char *kind = from_environment("COLORTERM");
	const char *term = from_environment("TERM");

	if (!isatty(STDOUT_FILENO) || from_environment("NO_COLOR")[0] ||
	    !term[0] || strcmp(term, "dumb") == 0)
		return COLOURS_NONE;
	return strcmp(kind, "truecolor") == 0 || strcmp(kind, "24bit") == 0
		? COLOURS_ALL : COLOURS_256;
}

struct terminal terminal_query(void)
{
	struct winsize size = { .ws_col = 0 };
	struct terminal on = { .wide = 80, .high = 24, .colours = colours() };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
		if (size.ws_col)
			on.wide = size.ws_col;
		if (size.ws_row)
			on.high = size.ws_row;
	}
	return on;
}
