/* complete.h: completions of the command line, from declarations. */
#ifndef COMPLETE_H
#define COMPLETE_H

#include "formats/out.h"

/* Whether there is a script for that shell: bash, zsh or fish. */
bool complete_knows(const char *shell, struct error *err);

/*
 * The script that makes the shell complete commands, options, their values
 * and files by suffix.
 */
void complete_shell(const char *shell, struct out *o);

#endif
