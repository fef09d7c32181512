/*
 * src/web/: the library as a page in a browser calls it, compiled to
 * WebAssembly by scripts/web: texts and numbers in memory in place of structs
 * and files. It includes the folders of encodings and those below, and colours
 * and words of figures.
 *
 * A page writes a command to memory of malloc(), opens it, reads rows and
 * closes it. All addresses and sizes are 32-bit integers below 2^31. Rows are
 * counted through the planes: plane * rows + row.
 */
#ifndef WEB_H
#define WEB_H

#include <stddef.h>

/* The table of a command, or the reason why there is none. */
struct web;

/*
 * Open the table of a command, "rope --dim 64 --len 128": the name of an
 * encoding and its options, as pe_open() takes them; or of a view of such a
 * table, "embed --vocab 4 --dim 8 | attend --heads 2". The caller closes it
 * with web_close(), also if there is no table. NULL: out of memory.
 */
struct web *web_open(const char *command);

/* One sentence: why the command has no table. NULL: it has. */
const char *web_error(const struct web *w);

/*
 * The table as JSON, valid until the next call for w; NULL: there is none, or
 * out of memory.
 *
 *   command        "rope --dim 64": with the options that are no defaults
 *   title          "rotary embedding ..."
 *   planes rows cols dtype
 *   plane_axis     null, or as the two below
 *   row_axis       {"name": "position", "first": 0, "step": 1}; "labels": [...]
 *                  in place of first and step where they follow no rule
 *   col_axis       the same, with "pairs": "none", "adjacent" or "split", where
 *                  the two columns of a frequency are, and "apart": how many
 *                  columns from one to the other, or 0
 *   value          what a value is, "bucket", or null
 *   halves         how integers are coloured: "alike", "mirrored", "repeated"
 *   shares         whether rows are parts of 1, as weights of attention
 *   bounds         [least, greatest] that figures span, or null
 *   wavelengths    null, or of each frequency the positions of a full turn
 *   note           lines about the command, or null
 *
 * Numbers are finite; null stands for others.
 */
const char *web_describe(struct web *w);

/*
 * Rows first to first + n - 1 to out [n, cols]: as doubles, as with --dtype
 * float64, or as little-endian values of the table's dtype, as in --raw.
 * Returns 0, or -1 if there are no such rows or no memory.
 */
int web_rows(const struct web *w, size_t first, size_t n, double *out);
int web_bytes(const struct web *w, size_t first, size_t n, void *out);

/*
 * A value as posenc --csv writes it, valid until the next call for w; NULL:
 * there is none, or out of memory.
 */
const char *web_text(struct web *w, size_t row, size_t col);

/* w may be NULL. */
void web_close(struct web *w);

/*
 * All encodings, and the views that pages have, as JSON, for controls; the
 * caller frees it. NULL: out of memory.
 *
 *   [{"name", "summary", "options": [{"name": "max-distance", "type", "arg",
 *     "help", "default", "required", "choices", "min", "max"}],
 *     "presets": [{"name", "options", "project", "source"}],
 *     "guests": {"alibi": [options]}, "start": {"len": "128"}}]
 *
 * type is flag, integer, real, choice, pick (a choice with numbers after it,
 * "shift:0.5"), list, range, text or preset; those that only files give are
 * left out. guests: by choices of a view, the options of others that it then
 * takes. default, choices, min and max are there if they apply, start,
 * options to begin with, if a page shows the encoding.
 */
char *web_recipes(void);

/*
 * The words of figures in a language, "ko", as JSON: {"position": "..."}; none
 * of English or of an unknown one. The caller frees them. NULL: out of memory.
 */
char *web_words(const char *language);

/*
 * The 256 colours of a map of figures, "viridis", as "rrggbbrrggbb..."; the
 * caller frees them. NULL: there is no such map, or out of memory.
 */
char *web_map(const char *name);

#endif
