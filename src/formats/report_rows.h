/* report_rows.h: lists in reports: rows of cells in aligned columns. */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "recipe/report.h"
#include "files/output.h"

/* A line per row, of the brief form if there is one. */
void report_show_rows(const struct report_rows *r, struct output_file *o);

/* Text that may have names of files and of what is in them. */
void report_show_text(const char *text, struct output_file *o);

#endif
