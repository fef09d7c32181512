/* pager.h: pages of the installed manual. */
#ifndef PAGER_H
#define PAGER_H

#include <stdbool.h>

/*
 * Show the manual page of a command of recipes.c, or of posenc for NULL, with
 * man(1). False if the page is not installed.
 */
bool pager_show(const char *command);

#endif
