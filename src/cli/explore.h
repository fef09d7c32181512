/* explore.h: posenc explore: a page that shows encodings and tables. */
#ifndef EXPLORE_H
#define EXPLORE_H

#include "cli/args.h"

extern const struct recipe explore_recipe;

/*
 * Read the words after "explore": TABLEs, or the name of an encoding and its
 * options, of which those that a table needs have values here. a is that of the
 * encoding, and has the page among its outputs.
 */
bool explore_read(struct args *a, int argc, char **argv, struct error *err);

#endif
