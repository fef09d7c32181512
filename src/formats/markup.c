/*
 * markup.c: small tables for lectures and papers, labels on both sides: in
 * Markdown, and in LaTeX with booktabs.
 */
#include <stdlib.h>
#include <string.h>

#include "text/decimal.h"
#include "formats/format.h"

enum { VALUES_MOST = 1000 };

struct markup {
	const char *begin, *next, *end;  /* of a line of cells */
	const char *special;             /* what needs a backslash in words */
	bool tex;
};

static const struct markup markdown = { "| ", " | ", " |\n", "\\|*_`<#[]",
					false };
static const struct markup latex = { "", " & ", " \\\\\n", "&%$#_{}",
				     true };

/* A word; what a backslash does not protect in TeX is a command. */
static void put_word(struct output_file *o, const struct markup *m,
		     struct word w)
{
	for (const char *c = w.text; c < w.text + w.n; c++) {
		const char *command = !m->tex ? NULL :
			*c == '\\' ? "\\textbackslash{}" :
			*c == '~' ? "\\textasciitilde{}" :
			*c == '^' ? "\\textasciicircum{}" : NULL;

		if (command)
			out_text(o, command);
		else if (strchr(m->special, *c))
			out_format(o, "\\%c", *c);
		else
			out_bytes(o, c, 1);
	}
}

static void put_text(struct output_file *o, const struct markup *m,
		     const char *text)
{
	put_word(o, m, (struct word){ text, strlen(text) });
}

/* A number; in TeX a minus sign and a power of ten need its mathematics. */
static void put_number(struct output_file *o, const struct markup *m, double x,
		       enum dtype d, size_t precision)
{
	char text[NUMBER_ROOM + 1];
	char *e;

	text[number_text(text, x, d, precision)] = '\0';
	e = strchr(text, 'e');
	if (!m->tex || (*text != '-' && !e && *text != 'i')) {
		out_text(o, text);
	} else if (e) {
		*e = '\0';
		out_format(o, "$%s \\cdot 10^{%ld}$", text,
			   strtol(e + 1, NULL, 10));
	} else {
		out_format(o, "$%s$", strcmp(text, "inf") == 0 ? "\\infty" :
			   strcmp(text, "-inf") == 0 ? "-\\infty" : text);
	}
}

/* The label of index i of an axis: the next of words, a name or a number. */
static void put_label(struct output_file *o, const struct markup *m,
		      const struct axis *a, size_t i, const char **words)
{
	char token[TOKEN_TEXT];
	struct word w;

	if (*words) {
		*words = look_next(&w, *words);
		put_word(o, m, w);
	} else if (a->names) {
		put_text(o, m, a->names[i]);
	} else if (axis_token(a, i, token)) {
		put_text(o, m, token);
	} else {
		put_number(o, m, axis_label(a, i), F64, 0);
	}
}

static void put_head(struct output_file *o, const struct markup *m,
		     const struct table *t, const struct look *look)
{
	const char *words = look_words_across(look, t);

	if (m->tex) {
		out_text(o, "\\begin{tabular}{r");
		for (size_t j = 0; j < t->cols; j++)
			out_text(o, "r");
		out_text(o, "}\n\\toprule\n");
	}
	out_text(o, m->begin);
	if (!look->words)
		put_text(o, m, t->row_axis.name);
	for (size_t j = 0; j < t->cols; j++) {
		out_text(o, m->next);
		put_label(o, m, &t->col_axis, j, &words);
	}
	out_text(o, m->end);
	if (m->tex) {
		out_text(o, "\\midrule\n");
		return;
	}
	for (size_t j = 0; j <= t->cols; j++)
		out_text(o, "|---:");
	out_text(o, "|\n");
}

/* Rows of a plane between begin and end of t. */
static void put_plane(struct output_file *o, const struct markup *m,
		      const struct style *style, const struct table *t,
		      size_t plane, double *scratch)
{
	const size_t first = plane * t->rows, last = first + t->rows;
	const size_t end = t->end < last ? t->end : last;
	const bool planes = table_shape(t, NULL) == 3;
	const char *words = style->look.words;
	size_t i = t->begin > first ? t->begin : first;
	struct word skipped;

	for (size_t k = first; planes && words && k < i; k++)
		words = look_next(&skipped, words);
	for (; i < end; i++) {
		const double *x = t->row(t, i, scratch);

		out_text(o, m->begin);
		put_label(o, m, &t->row_axis, i - first, &words);
		for (size_t j = 0; j < t->cols; j++) {
			out_text(o, m->next);
			put_number(o, m, dtype_round(t->dtype, x[j]), t->dtype,
				   style->precision);
		}
		out_text(o, m->end);
	}
}

static void markup_write(const struct style *style, const struct table *t,
			 struct output_file *o, const struct markup *m)
{
	double *scratch = malloc(t->cols * sizeof *scratch);
	const size_t first = t->begin / t->rows;
	const char *none = NULL;

	if (!scratch)
		out_fail(o, "out of memory");
	for (size_t p = first; scratch && p * t->rows < t->end; p++) {
		if (table_shape(t, NULL) == 3) {
			out_text(o, p > first ? "\n" : "");
			out_text(o, m->tex ? "% " : "**");
			put_text(o, m, t->plane_axis.name);
			out_text(o, " ");
			put_label(o, m, &t->plane_axis, p, &none);
			out_text(o, m->tex ? "\n" : "**\n\n");
		}
		put_head(o, m, t, &style->look);
		put_plane(o, m, style, t, p, scratch);
		if (m->tex)
			out_text(o, "\\bottomrule\n\\end{tabular}\n");
	}
	free(scratch);
}

/* A page holds a few hundred cells; a larger table is data. */
static bool markup_check(const struct style *style, const struct table *t,
			 const char *flag, struct error *err)
{
	const size_t rows = t->end - t->begin;

	if (rows <= VALUES_MOST / t->cols)
		return look_check_words(&style->look, t, err);
	return fail(err, "%s is for tables of at most %d values, got %zu x "
		    "%zu; --rows chooses some, --csv writes all", flag,
		    VALUES_MOST, rows, t->cols);
}

static bool md_check(const struct style *style, const struct table *t,
		     struct error *err)
{
	return markup_check(style, t, "--md", err);
}

static bool tex_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	return markup_check(style, t, "--tex", err);
}

static void md_write(const struct style *style, const struct table *t,
		     struct output_file *o)
{
	markup_write(style, t, o, &markdown);
}

static void tex_write(const struct style *style, const struct table *t,
		      struct output_file *o)
{
	markup_write(style, t, o, &latex);
}

const struct format md_format = {
	.name = "md",
	.summary = "small table in Markdown, with labels",
	.check = md_check,
	.write = md_write,
};

const struct format tex_format = {
	.name = "tex",
	.summary = "small table in LaTeX (booktabs), with labels",
	.check = tex_check,
	.write = tex_write,
};
