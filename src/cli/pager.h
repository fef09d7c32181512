/* pager.h: a page of the manual, where it is installed. */
#ifndef PAGER_H
#define PAGER_H

/*
 * Become man(1), showing the page of a command, or posenc's own for NULL.
 * Returns where there is no such page.
 */
void pager_open(const char *command);

#endif
