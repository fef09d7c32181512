/* pager.c: pages of the installed manual. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/pager.h"

bool pager_show(const char *command)
{
	const char *dash = command ? "-" : "", *name = command ? command : "";
	char line[100];
	int status;

	/* Is there a page? Prints nothing. */
	snprintf(line, sizeof line, "man -w posenc%s%.40s >/dev/null 2>&1",
		 dash, name);
	if (system(line) != 0)
		return false;
	snprintf(line, sizeof line, "man posenc%s%.40s", dash, name);
	status = system(line);
	(void)status;  /* the page was shown, whatever man returns */
	return true;
}
