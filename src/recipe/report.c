/* report.c: the results of a command that reports: facts in groups. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "recipe/report.h"

void report_group(struct report *r, const char *group)
{
	r->group = group;
	r->item = 0;
}

void report_item(struct report *r)
{
	r->item++;
}

static struct fact *add(struct report *r, enum fact_kind kind,
			const char *name)
{
	const size_t capacity = 2 * r->capacity + 32;
	struct fact *f = &r->dropped;

	if (r->n == r->capacity) {
		struct fact *facts = table_alloc(r->owner, capacity,
						 sizeof *facts, r->err);

		if (!facts)
			return f;
		for (size_t i = 0; i < r->n; i++)
			facts[i] = r->facts[i];
		r->facts = facts;
		r->capacity = capacity;
	}
	f = &r->facts[r->n++];
	*f = (struct fact){
		.group = r->group, .name = name, .kind = kind, .item = r->item,
	};
	return f;
}

void report_text(struct report *r, const char *name, const char *format, ...)
{
	struct fact *f = add(r, FACT_TEXT, name);
	va_list list;

	va_start(list, format);
	f->text = table_format(r->owner, r->err, format, list);
	va_end(list);
}

void report_value(struct report *r, const char *name, const char *json)
{
	add(r, FACT_JSON, name)->text = table_copy(r->owner, json, r->err);
}

void report_headline(struct report *r, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	r->headline = table_format(r->owner, r->err, format, list);
	va_end(list);
}

void report_number(struct report *r, const char *name, double number,
		   const char *unit)
{
	struct fact *f = add(r, FACT_NUMBER, name);

	f->number = number;
	f->text = unit;
}

/* A copy of numbers [n], or NULL. */
static const double *copied(struct report *r, const double *numbers, size_t n)
{
	double *copy = table_alloc(r->owner, n, sizeof *copy, r->err);

	if (copy)
		memcpy(copy, numbers, n * sizeof *copy);
	return copy;
}

void report_place(struct report *r, const char *name, double number,
		  size_t row, size_t column)
{
	const double place[] = { (double)row, (double)column };
	struct fact *f = add(r, FACT_PLACE, name);

	f->number = number;
	f->numbers = copied(r, place, 2);
}

void report_flag(struct report *r, const char *name, bool flag)
{
	add(r, FACT_FLAG, name)->flag = flag;
}

void report_verdict(struct report *r, const char *name, bool pass,
		    double number, const char *what)
{
	struct fact *f = add(r, FACT_VERDICT, name);

	f->flag = pass;
	f->number = number;
	f->text = what;
}

void report_numbers(struct report *r, const char *name, const double *numbers,
		    size_t n)
{
	struct fact *f = add(r, FACT_NUMBERS, name);

	f->numbers = copied(r, numbers, n);
	f->n = n;
}

void report_lines(struct report *r, const char *name,
		  const char *const *lines, size_t n)
{
	struct fact *f = add(r, FACT_LINES, name);
	const char **copy = table_alloc(r->owner, n, sizeof *copy, r->err);

	for (size_t i = 0; copy && i < n; i++)
		copy[i] = table_copy(r->owner, lines[i], r->err);
	f->lines = copy;
	f->n = n;
}

void report_rows(struct report *r, const char *group,
		 const struct report_rows *rows)
{
	report_group(r, group);
	add(r, FACT_ROWS, "")->rows = rows;
}
