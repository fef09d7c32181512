/* pager.c: a page of the manual, where it is installed. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/pager.h"

bool pager_show(const char *command)
{
	const char *dash = command ? "-" : "", *name = command ? command : "";
	char line[100];
	int status;

	/* In silence, whether there is a page. */
	snprintf(line, sizeof line, "man -w posenc%s%.40s >/dev/null 2>&1",
		 dash, name);
	if (system(line) != 0)
		return false;
	snprintf(line, sizeof line, "man posenc%s%.40s", dash, name);
	status = system(line);
	(void)status;  /* man and its pager may end as they like */
	return true;
}
