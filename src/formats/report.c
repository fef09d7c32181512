/* report.c: reports for people. */
#include <string.h>

#include "formats/number.h"
#include "formats/report.h"

enum { NAMES = 30, DIGITS = 6 };

static void show_name(const char *name, struct out *o)
{
	out_text(o, "  ");
	for (const char *c = name; *c; c++)
		out_bytes(o, *c == '_' ? " " : c, 1);
	out_format(o, "%*s ", NAMES - (int)strlen(name) < 0
		   ? 0 : NAMES - (int)strlen(name), "");
}

static void show_number(double x, struct out *o)
{
	char text[NUMBER_ROOM];

	out_bytes(o, text, number_text(text, x, F64, DIGITS));
}

static void show_value(const struct fact *f, struct out *o)
{
	switch (f->kind) {
	case FACT_TEXT:
		out_text(o, f->text);
		break;
	case FACT_NUMBER:
		show_number(f->number, o);
		if (f->text)
			out_format(o, " %s", f->text);
		break;
	case FACT_FLAG:
		out_text(o, f->flag ? "yes" : "no");
		break;
	case FACT_VERDICT:
		out_text(o, f->flag ? "PASS  " : "FAIL  ");
		show_number(f->number, o);
		out_format(o, " %s", f->text);
		break;
	case FACT_NUMBERS:
		for (size_t i = 0; i < f->n; i++) {
			out_text(o, i ? " " : "");
			show_number(f->numbers[i], o);
		}
		break;
	case FACT_LINES:
		for (size_t i = 0; i < f->n; i++) {
			if (i)
				out_format(o, "\n%*s", NAMES + 3, "");
			out_text(o, f->lines[i]);
		}
		break;
	}
	out_text(o, "\n");
}

void report_show(const struct report *r, struct out *o)
{
	const char *group = NULL;

	if (r->headline) {
		out_text(o, r->headline);
		out_text(o, "\n");
	}
	for (size_t i = 0; i < r->n; i++) {
		const struct fact *f = &r->facts[i];

		if (f->group && (!group || strcmp(group, f->group) != 0))
			out_format(o, "%s%s\n", i || r->headline ? "\n" : "",
				   f->group);
		group = f->group;
		show_name(f->name, o);
		show_value(f, o);
	}
}
