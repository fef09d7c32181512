/* report.c: what a view found out. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/report.h"

void report_group(struct report *r, const char *group)
{
	r->group = group;
}

static struct fact *add(struct report *r, enum fact_kind kind,
			const char *name, struct error *err)
{
	struct fact *facts;

	if (r->n == r->room) {
		r->room = r->room ? 2 * r->room : 32;
		facts = table_alloc(r->owner, r->room, sizeof *facts, err);
		if (!facts)
			return NULL;
		if (r->n)
			memcpy(facts, r->facts, r->n * sizeof *facts);
		r->facts = facts;
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
	int n;

	va_copy(again, list);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = n < 0 ? NULL : table_alloc(r->owner, (size_t)n + 1, 1, err);
	if (text)
		vsnprintf(text, (size_t)n + 1, format, list);
	return text;
}

bool report_text(struct report *r, struct error *err, const char *name,
		 const char *format, ...)
{
	struct fact *f = add(r, FACT_TEXT, name, err);
	va_list list;

	if (!f)
		return false;
	va_start(list, format);
	f->text = formatted(r, format, list, err);
	va_end(list);
	return f->text != NULL;
}

bool report_headline(struct report *r, struct error *err,
		     const char *format, ...)
{
	va_list list;

	va_start(list, format);
	r->headline = formatted(r, format, list, err);
	va_end(list);
	return r->headline != NULL;
}

bool report_number(struct report *r, struct error *err, const char *name,
		   double number, const char *unit)
{
	struct fact *f = add(r, FACT_NUMBER, name, err);

	if (!f)
		return false;
	f->number = number;
	f->text = unit;
	return true;
}

bool report_place(struct report *r, struct error *err, const char *name,
		  double number, size_t row, size_t column)
{
	const double place[] = { (double)row, (double)column };
	struct fact *f;

	if (!report_numbers(r, err, name, place, 2))
		return false;
	f = &r->facts[r->n - 1];
	f->kind = FACT_PLACE;
	f->number = number;
	return true;
}

bool report_flag(struct report *r, struct error *err, const char *name,
		 bool flag)
{
	struct fact *f = add(r, FACT_FLAG, name, err);

	if (!f)
		return false;
	f->flag = flag;
	return true;
}

bool report_verdict(struct report *r, struct error *err, const char *name,
		    bool pass, double number, const char *what)
{
	struct fact *f = add(r, FACT_VERDICT, name, err);

	if (!f)
		return false;
	f->flag = pass;
	f->number = number;
	f->text = table_copy(r->owner, what, err);
	return f->text != NULL;
}

bool report_numbers(struct report *r, struct error *err, const char *name,
		    const double *numbers, size_t n)
{
	struct fact *f = add(r, FACT_NUMBERS, name, err);
	double *copy = f ? table_alloc(r->owner, n, sizeof *copy, err) : NULL;

	if (!copy)
		return false;
	if (n)
		memcpy(copy, numbers, n * sizeof *copy);
	f->numbers = copy;
	f->n = n;
	return true;
}

bool report_lines(struct report *r, struct error *err, const char *name,
		  const char *const *lines, size_t n)
{
	struct fact *f = add(r, FACT_LINES, name, err);
	const char **copy = f ? table_alloc(r->owner, n, sizeof *copy, err)
			      : NULL;

	if (!copy)
		return false;
	f->lines = copy;
	f->n = n;
	for (size_t i = 0; i < n; i++)
		if (!(copy[i] = table_copy(r->owner, lines[i], err)))
			return false;
	return true;
}
