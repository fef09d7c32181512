/* pager.c: a page of the manual, where it is installed. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/pager.h"

bool pager_show(const char *command)
{
	const char *dash = command ? "-" : "", *name = command ? command : "";
	char line[160];

	/* "man -w" in silence says whether there is a page. */
	snprintf(line, sizeof line, "man -w posenc%s%.40s >/dev/null 2>&1 && "
		 "man posenc%s%.40s", dash, name, dash, name);
	return system(line) == 0;
}
