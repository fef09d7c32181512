/* report.c: what a view found out. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/report.h"

void report_group(struct report *r, const char *group)
{
	r->group = group;
}

/* The next fact, to be filled; where there is no room for it, none's. */
static struct fact *add(struct report *r, enum fact_kind kind,
			const char *name, struct error *err)
{
	struct fact *facts;

	if (r->n == r->room) {
		facts = table_alloc(r->owner, r->room + 32, sizeof *facts,
				    err);
		if (!facts)
			return &r->none;
		if (r->n)
			memcpy(facts, r->facts, r->n * sizeof *facts);
		r->facts = facts;
		r->room += 32;
	}
	r->facts[r->n] = (struct fact){
		.group = r->group, .name = name, .kind = kind,
	};
	return &r->facts[r->n++];
}

static const char *formatted(struct report *r, const char *format,
			     va_list list, struct error *err)
	__attribute__((format(printf, 2, 0)));

static const char *formatted(struct report *r, const char *format,
			     va_list list, struct error *err)
{
	va_list again;
	char *text;
	size_t room;

	va_copy(again, list);
	room = (size_t)vsnprintf(NULL, 0, format, again) + 1;
	va_end(again);
	text = table_alloc(r->owner, room, 1, err);
	if (text)
		vsnprintf(text, room, format, list);
	return text;
}

bool report_text(struct report *r, struct error *err, const char *name,
		 const char *format, ...)
{
	struct fact *f = add(r, FACT_TEXT, name, err);
	va_list list;

	va_start(list, format);
	f->text = formatted(r, format, list, err);
	va_end(list);
	return !err->text[0];
}

bool report_headline(struct report *r, struct error *err,
		     const char *format, ...)
{
	va_list list;

	va_start(list, format);
	r->headline = formatted(r, format, list, err);
	va_end(list);
	return !err->text[0];
}

bool report_number(struct report *r, struct error *err, const char *name,
		   double number, const char *unit)
{
	struct fact *f = add(r, FACT_NUMBER, name, err);

	f->number = number;
	f->text = unit;
	return !err->text[0];
}

bool report_flag(struct report *r, struct error *err, const char *name,
		 bool flag)
{
	add(r, FACT_FLAG, name, err)->flag = flag;
	return !err->text[0];
}

bool report_verdict(struct report *r, struct error *err, const char *name,
		    bool pass, double number, const char *what)
{
	struct fact *f = add(r, FACT_VERDICT, name, err);

	f->flag = pass;
	f->number = number;
	f->text = table_copy(r->owner, what, err);
	return !err->text[0];
}

static void set_numbers(struct report *r, struct fact *f,
			const double *numbers, size_t n, struct error *err)
{
	double *copy = table_alloc(r->owner, n, sizeof *copy, err);

	if (copy)
		memcpy(copy, numbers, n * sizeof *copy);
	f->numbers = copy;
	f->n = n;
}

bool report_numbers(struct report *r, struct error *err, const char *name,
		    const double *numbers, size_t n)
{
	set_numbers(r, add(r, FACT_NUMBERS, name, err), numbers, n, err);
	return !err->text[0];
}

bool report_place(struct report *r, struct error *err, const char *name,
		  double number, size_t row, size_t column)
{
	const double place[] = { (double)row, (double)column };
	struct fact *f = add(r, FACT_PLACE, name, err);

	f->number = number;
	set_numbers(r, f, place, 2, err);
	return !err->text[0];
}

bool report_lines(struct report *r, struct error *err, const char *name,
		  const char *const *lines, size_t n)
{
	struct fact *f = add(r, FACT_LINES, name, err);
	const char **copy = table_alloc(r->owner, n, sizeof *copy, err);

	for (size_t i = 0; copy && i < n; i++)
		copy[i] = table_copy(r->owner, lines[i], err);
	f->lines = copy;
	f->n = n;
	return !err->text[0];
}
