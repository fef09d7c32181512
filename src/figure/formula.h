/*
 * formula.h: formulas in the texts of figures, between dollar signs as in TeX:
 * "$\cos m\theta_i$". Known are sub- and superscripts, {groups}, \sqrt{...},
 * Greek letters and some signs. Dollar signs are those of a formula if the
 * first has no blank after it, and the second neither one before it nor a digit
 * after it; "\$" is one of text.
 */
#ifndef FORMULA_H
#define FORMULA_H

#include "figure/figure.h"

/* The length of the formula at text with its dollar signs; 0: there is none. */
size_t formula_length(const char *text);

/* Whether all names in the formulas of text are known; text may be NULL. */
bool formula_check(const char *flag, const char *text, struct error *err);

/*
 * As utf8_show_joined(), with formulas as letters and marks between them, which
 * figure_width() measures and formula_expand() draws. Line feeds stay.
 */
size_t formula_show(const char *text, size_t most, char *to, size_t room);

/* Write base with a subscript, both as formula_show() makes them. */
void formula_script(const char *base, const char *script, char *to,
		    size_t room);

/* The width of a text of formula_show() in a font size in pixels. */
double formula_width(const struct figure *f, int size, const char *text);

/* Make each text that has marks several, one for each size and height. */
void formula_expand(struct figure *f);

#endif
