/* pager.h: a page of the manual, where it is installed. */
#ifndef PAGER_H
#define PAGER_H

#include <stdbool.h>

/*
 * Let man(1) show the page of a command, whose name is one of ours, or that of
 * posenc for NULL. False where there is no such page.
 */
bool pager_show(const char *command);

#endif
