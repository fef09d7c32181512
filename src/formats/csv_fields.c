/* csv_fields.c: a line of CSV, field by field. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/utf8.h"
#include "formats/csv_fields.h"

/* MSVC's 1.#INF is no 1 with a comment. */
static bool comments(const struct csv_text *c, const char *s)
{
	return *s == '#' && (s == c->at || s[-1] == ' ' || s[-1] == '\t');
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

bool csv_missing(const char *text, size_t n)
{
	static const char *const words[] = {
		"na", "n/a", "n.a.", "<na>", "null", "none", "missing", "-",
		"--", "?", ".",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && !strncasecmp(text, words[i], n))
			return true;
	return false;
}

/* Whether text [n] begins as money does, or as a number of a typesetter's. */
static bool has_sign(const char *text, size_t n)
{
	static const char *const signs[] = {
		"\xe2\x88\x92", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5",
	};

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strlen(signs[i]) < n &&
		    !memcmp(text, signs[i], strlen(signs[i])))
			return true;
	return false;
}

/* Whether text [n] has digits and no letter, as "$1" or "1,000". */
static bool is_amount(const char *text, size_t n)
{
	const bool sign = has_sign(text, n);
	bool digits = false;

	for (size_t i = 0; i < n; i++) {
		const unsigned char c = (unsigned char)text[i];

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= 0x80 && !sign))
			return false;
		digits |= c >= '0' && c <= '9';
	}
	return digits;
}

/* Whether text [n] is UTF-8 without control characters, and its quotes end. */
static bool is_text(const char *text, size_t n)
{
	for (size_t i = 0, k; i < n; i += k) {
		k = utf8_length(text + i);
		if (!k || ((unsigned char)text[i] < ' ' && text[i] != '\t'))
			return false;
	}
	return text[0] != '"' || (n > 1 && text[n - 1] == '"');
}

/* Whether text [n] can be a name: no number mistyped, nor one missing. */
static bool is_name(const char *text, size_t n)
{
	const size_t i = text[0] == '+' || text[0] == '-' || text[0] == '.';

	return !(n > i && text[i] >= '0' && text[i] <= '9') &&
	       !is_amount(text, n);
}

/* The end of the field at s without the blanks before it. */
static const char *trimmed(const struct csv_text *c, const char *s)
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
	       csv_number(field).end == trimmed(c, field);
}

/* Whether [s, end) is a number, be it past the range of a double's. */
static bool is_number(const char *s, const char *end)
{
	return csv_number(s).end == end || decimal_read(s).end == end;
}

enum csv_kind csv_first(const struct csv_text *c, bool *labelled)
{
	size_t fields = 0, names = 0;
	bool more = true, named = false, empty = false;

	for (const char *s = c->at; more; fields++) {
		const char *field = csv_blanks(c, s);
		const char *end = trimmed(c, field);
		const size_t n = (size_t)(end - field);

		if (!fields)
			empty = !n;
		if (!n || !is_number(field, end)) {
			if (n ? !is_text(field, n) || csv_missing(field, n) ||
				(!empty && !is_name(field, n)) : fields)
				return CSV_ROW;
			names++;
			named |= !fields;
		}
		s = csv_next(c, csv_field_end(c, field), &more);
	}
	if (!named)
		return CSV_ROW;
	*labelled = fields > 1 && (empty || names == 1);
	return *labelled && !empty ? CSV_EITHER : CSV_HEADER;
}
