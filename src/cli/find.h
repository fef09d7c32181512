/* find.h: what 'posenc help WORD' finds where WORD is no command or topic. */
#ifndef FIND_H
#define FIND_H

#include "table/error.h"
#include "files/output.h"

/*
 * Whether something that help explains has that name, or says the word: an
 * option, a value, a preset, a format, a command or a topic. If not, fails with
 * the nearest name.
 */
bool find_any(const char *word, struct error *err);

/*
 * A line for each: those of that name, or that other programs call so, those
 * whose name has the word in it, and those whose help says it. The latter two
 * are cut to a page; not by find_all().
 */
void find_page(const char *word, struct output_file *o);
void find_all(const char *word, struct output_file *o);

#endif
