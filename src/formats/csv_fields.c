/* csv_fields.c: a line of CSV, field by field. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "formats/csv_fields.h"

bool csv_error(const char *s)
{
	static const char *const words[] = {
		"#N/A", "#DIV/0!", "#REF!", "#NUM!", "#VALUE!", "#NAME?",
		"#NULL!",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(s, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

/* MSVC's 1.#INF is no 1 with a comment. */
static bool comments(const struct csv_text *c, const char *s)
{
	return *s == '#' && s != c->label && !csv_error(s) &&
	       (s == c->at || s[-1] == ' ' || s[-1] == '\t');
}

static bool line_ends(const struct csv_text *c, const char *s)
{
	return s == c->stop || *s == '\n' || *s == '\r';
}

bool csv_at_end(const struct csv_text *c, const char *s)
{
	return line_ends(c, s) || comments(c, s);
}

const char *csv_blanks(const struct csv_text *c, const char *s)
{
	while (*s == ' ' || (*s == '\t' && c->separator != '\t'))
		s++;
	return s;
}

const char *csv_field_end(const struct csv_text *c, const char *s)
{
	bool quoted = false;

	for (; !line_ends(c, s); s++) {
		quoted ^= *s == '"';
		if (!quoted && (*s == c->separator || comments(c, s) ||
				(c->separator == ' ' && *s == '\t')))
			break;
	}
	return s;
}

/* "nan", "-inf" and the like at s, in any case. */
static struct decimal read_word(const char *s)
{
	static const struct {
		const char *word;
		double x;
	} words[] = {
		{ "nan", (double)NAN }, { "infinity", HUGE_VAL },
		{ "inf", HUGE_VAL },
	};
	const char *word = s + (*s == '-' || *s == '+');

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t n = strlen(words[i].word);

		if (strncasecmp(word, words[i].word, n) == 0)
			return (struct decimal){
				.x = *s == '-' ? -words[i].x : words[i].x,
				.end = word + n, .single = true,
			};
	}
	return (struct decimal){ .end = s };
}

struct decimal csv_number(const char *s)
{
	const bool quoted = *s == '"';
	struct decimal d = decimal_read(s + quoted);

	if (d.end == s + quoted)
		d = read_word(s + quoted);
	else if (isinf(d.x))
		d.end = s;
	if (quoted)
		d.end = *d.end == '"' && d.end > s + 1 ? d.end + 1 : s;
	return d;
}

char csv_separator(const struct csv_text *c)
{
	bool quoted = false, blank = false;

	for (const char *s = csv_blanks(c, c->at);
	     !(quoted ? line_ends(c, s) : csv_at_end(c, s)); s++) {
		quoted ^= *s == '"';
		if (!quoted && strchr(",;\t", *s) && *s)
			return *s;
		blank |= !quoted && *s == ' ';
	}
	return blank ? ' ' : ',';
}

const char *csv_next(const struct csv_text *c, const char *s, bool *more)
{
	const char *after = csv_blanks(c, s);

	if (c->separator == ' ') {
		*more = !csv_at_end(c, after) && after > s;
		return after;
	}
	*more = after < c->stop && *after == c->separator;
	return *more ? after + 1 : after;
}

const char *csv_trimmed(const struct csv_text *c, const char *s)
{
	const char *end = csv_field_end(c, s);

	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return end;
}

bool csv_decimal(const struct csv_text *c, const char *s)
{
	const char *field = csv_blanks(c, s);
	const char *digits = field + (*field == '"');

	return decimal_read(digits).end > digits &&
	       csv_number(field).end == csv_trimmed(c, field);
}

bool csv_labels(struct csv_text *c, const char *s, size_t numbers)
{
	bool more = true;
	size_t n = 0;

	c->label = s;
	for (s = csv_next(c, csv_field_end(c, s), &more); more; n++) {
		const char *number = csv_blanks(c, s);
		const char *end = csv_number(number).end;

		if (end == number)
			break;
		s = csv_next(c, end, &more);
	}
	if (more || n != numbers || !csv_at_end(c, s))
		c->label = NULL;
	return c->label;
}

size_t csv_count(const struct csv_text *c)
{
	const char *s = c->at;
	bool more = true;
	size_t n = 0;

	for (; more; n++)
		s = csv_next(c, csv_field_end(c, csv_blanks(c, s)), &more);
	return n;
}
