/* report.c: reports for people. */
#include <math.h>
#include <string.h>

#include "formats/number.h"
#include "formats/report.h"

enum {
	DIGITS = 6,        /* of a number; JSON has all */
	MEASURE = 12,      /* the width of a verdict's number */
	NUMBERS_MOST = 8,  /* of a list; the first and last of more are shown */
};

/* The width of the longest name. */
static size_t name_column(const struct report *r)
{
	size_t most = 0;

	for (size_t i = 0; i < r->n; i++) {
		const size_t n = strlen(r->facts[i].name);

		most = n > most ? n : most;
	}
	return most;
}

static void show_name(const char *name, size_t width, struct out *o)
{
	out_text(o, "  ");
	for (const char *c = name; *c; c++)
		out_bytes(o, *c == '_' ? " " : c, 1);
	out_format(o, "%*s  ", (int)(width - strlen(name)), "");
}

/* Counts are whole numbers, and shown in full. */
static size_t amount_text(char text[NUMBER_ROOM], double x)
{
	const bool whole = fabs(x) < 0x1p53 && floor(x) == x;

	return number_text(text, x, F64, whole ? 0 : DIGITS);
}

static void show_number(double x, struct out *o)
{
	char text[NUMBER_ROOM];

	out_bytes(o, text, amount_text(text, x));
}

/* PASS or FAIL, what was measured, and what that is. */
static void show_verdict(const struct fact *f, struct out *o)
{
	char text[NUMBER_ROOM] = "unknown";
	size_t n = strlen(text);

	if (!isnan(f->number))
		n = amount_text(text, f->number);
	out_format(o, "%s  %-*.*s  %s", f->flag ? "PASS" : "FAIL", MEASURE,
		   (int)n, text, f->text);
}

static void show_numbers(const struct fact *f, struct out *o)
{
	const size_t ends = f->n > NUMBERS_MOST ? 3 : f->n;

	for (size_t i = 0; i < f->n; i++) {
		if (i == ends) {
			out_text(o, " ...");
			i = f->n - 3;
		}
		out_text(o, i ? " " : "");
		show_number(f->numbers[i], o);
	}
}

static void show_lines(const struct fact *f, size_t width, struct out *o)
{
	for (size_t i = 0; i < f->n; i++) {
		if (i)
			out_format(o, "\n%*s", (int)width + 4, "");
		out_text(o, f->lines[i]);
	}
}

static void show_value(const struct fact *f, size_t width, struct out *o)
{
	switch (f->kind) {
	case FACT_NUMBER:
		show_number(f->number, o);
		if (f->text)
			out_format(o, " %s", f->text);
		break;
	case FACT_PLACE:
		show_number(f->number, o);
		out_format(o, " at row %.0f, column %.0f", f->numbers[0],
			   f->numbers[1]);
		break;
	case FACT_FLAG:
		out_text(o, f->flag ? "yes" : "no");
		break;
	case FACT_VERDICT:
		show_verdict(f, o);
		break;
	case FACT_NUMBERS:
		show_numbers(f, o);
		break;
	case FACT_LINES:
		show_lines(f, width, o);
		break;
	case FACT_TEXT:
	default:
		out_text(o, f->text);
	}
	out_text(o, "\n");
}

void report_show(const struct report *r, struct out *o)
{
	const size_t width = name_column(r);
	const char *group = "";

	out_text(o, r->headline);
	out_text(o, "\n");
	for (size_t i = 0; i < r->n; i++) {
		const struct fact *f = &r->facts[i];

		if (strcmp(group, f->group) != 0)
			out_format(o, "\n%s\n", f->group);
		group = f->group;
		show_name(f->name, width, o);
		show_value(f, width, o);
	}
}
