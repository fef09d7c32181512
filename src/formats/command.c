/* command.c: the command that makes an output again. */
#include <stdlib.h>
#include <string.h>

#include "formats/command.h"

char *command_line(const struct table *t, const struct style *style)
{
	const size_t n = strlen(t->command);
	char *line = malloc(n + options_line(style_options, style, NULL) + 48);

	if (line) {
		memcpy(line, t->command, n);
		options_line(style_options, style, line + n);
	}
	return line;
}
