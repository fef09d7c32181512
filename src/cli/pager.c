/* pager.c: a page of the manual, where it is installed. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/pager.h"

/* "man -w" in silence says whether there is a page. */
static void look(const char *page)
{
	const int nowhere = open("/dev/null", O_RDWR);

	dup2(nowhere, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	execlp("man", "man", "-w", page, (char *)NULL);
	_exit(1);
}

void pager_open(const char *command)
{
	char page[60];
	int status = 1;
	pid_t child;

	snprintf(page, sizeof page, "posenc%s%.40s", command ? "-" : "",
		 command ? command : "");
	child = fork();
	if (child == 0)
		look(page);
	if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
		execlp("man", "man", page, (char *)NULL);
}
