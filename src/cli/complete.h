/* complete.h: completions of the command line, from declarations. */
#ifndef COMPLETE_H
#define COMPLETE_H

#include "files/output.h"

/*
 * The script that makes the shell, bash, zsh or fish, complete commands,
 * options, their values and files by suffix.
 */
void complete_shell(const char *shell, struct output_file *o);

#endif
