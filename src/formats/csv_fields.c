/* csv_fields.c: a line of CSV, field by field: numbers, names, headers. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "text/utf8.h"
#include "formats/csv.h"

/* Whether s begins with an error value of a spreadsheet, such as #REF!. */
static bool is_error(const char *s)
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

/* A '#' in the middle of a field begins no comment, as in MSVC's 1.#INF. */
static bool comments(const struct csv_text *c, const char *s)
{
	return *s == '#' && s != c->label && !is_error(s) &&
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

/* Read "nan", "inf" or "infinity" in any case, with or without sign. */
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

/* The end of the field at s without trailing blanks. */
static const char *trimmed_end(const struct csv_text *c, const char *s)
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
	       csv_number(field).end == trimmed_end(c, field);
}

struct csv_name csv_name(struct csv_text *c, bool *more)
{
	const char *s = csv_blanks(c, c->at), *end = trimmed_end(c, s);
	const size_t quote = *s == '"';

	c->at = csv_next(c, csv_field_end(c, s), more);
	return (struct csv_name){ s + quote, (size_t)(end - s) - 2 * quote,
				  csv_number(s).end == end };
}

/* Make two quotes in a field one, as in quotes they stand for it. */
static void unquote(char *s)
{
	char *to = s;

	for (; *s; s++) {
		*to++ = *s;
		if (*s == '"' && s[1] == '"')
			s++;
	}
	*to = '\0';
}

bool csv_name_columns(char *line, char separator, size_t fields,
		      struct table *t, struct error *err)
{
	struct csv_text x = { line, line + strlen(line), separator, NULL };
	const char **names = table_alloc(t, t->cols, sizeof *names, err);
	const size_t skip = fields - t->cols;  /* the name of the labels */
	bool named = false, fits = true, more = true;

	if (!names)
		return false;
	for (size_t j = 0; more; j++) {
		const struct csv_name name = csv_name(&x, &more);
		char *text = line + (name.text - line);

		text[name.n] = '\0';
		unquote(text);
		if (j < skip)
			continue;
		named |= !name.number;
		fits &= name.n <= CSV_NAME_MOST;
		names[j - skip] = text;
	}
	if (named && fits)
		t->col_axis.names = names;
	return true;
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

/* Whether text is a NaN with payload, such as "-nan(ind)". */
static bool is_nan(const char *text)
{
	return strncasecmp(text + (*text == '-' || *text == '+'), "nan(", 4)
		== 0;
}

bool csv_missing(const char *text, size_t n)
{
	static const char *const words[] = {
		"na", "n/a", "n.a.", "<na>", "null", "none", "missing", "-",
		"--", "?", ".", "nil", "nat", "undefined",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && !strncasecmp(text, words[i], n))
			return true;
	return is_nan(text) || is_error(text);
}

/* Whether text [n] begins with a typographic minus or a currency sign. */
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

/* Whether text [n] has digits and no letters, such as "$1" or "1,000". */
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

/* Whether text [n] is UTF-8 without control characters, with closed quotes. */
static bool is_text(const char *text, size_t n)
{
	for (size_t i = 0, k; i < n; i += k) {
		k = utf8_length(text + i);
		if (!k || ((unsigned char)text[i] < ' ' && text[i] != '\t'))
			return false;
	}
	return text[0] != '"' || (n > 1 && text[n - 1] == '"');
}

/* Whether text [n] can be a name and not a mistyped number. */
static bool is_name(const char *text, size_t n)
{
	const size_t i = text[0] == '+' || text[0] == '-' || text[0] == '.';

	return !(n > i && text[i] >= '0' && text[i] <= '9') &&
	       !is_amount(text, n);
}

/* Whether [s, end) is a number, in or out of the range of float64. */
static bool is_number(const char *s, const char *end)
{
	return csv_number(s).end == end || decimal_read(s).end == end;
}

/* What the fields of a line are so far. */
struct field_counts {
	size_t n, names;      /* empty fields count as names */
	bool named, empty;    /* the first one is */
	bool rising;          /* its numbers are increasing integers */
	double last;
};

/* Add the field [s, end). false: the line is no header. */
static bool note_field(struct field_counts *f, const char *s, const char *end)
{
	const size_t n = (size_t)(end - s);

	if (n && is_number(s, end)) {
		const struct decimal d = csv_number(s);

		f->rising &= d.whole && d.x > f->last;
		f->last = d.x;
	} else {
		if (n ? !is_text(s, n) || csv_missing(s, n) ||
			(!f->empty && !is_name(s, n)) : f->n)
			return false;
		f->named |= !f->n;
		f->empty |= !n;
		f->names++;
	}
	f->n++;
	return true;
}

bool csv_named(const struct csv_text *c)
{
	const char *s = csv_blanks(c, c->at);
	struct field_counts f = { .n = 0 };

	return note_field(&f, s, trimmed_end(c, s)) && f.named && !f.empty;
}

enum csv_kind csv_first(const struct csv_text *c, bool *labelled,
			size_t *fields)
{
	struct field_counts f = { .rising = true, .last = -HUGE_VAL };
	bool more = true;

	for (const char *s = c->at; more;) {
		const char *field = csv_blanks(c, s);

		if (!note_field(&f, field, trimmed_end(c, field)))
			return CSV_ROW;
		s = csv_next(c, csv_field_end(c, field), &more);
	}
	*fields = f.n;
	if (!f.named || (f.empty && f.names == 1 && !f.rising))
		return CSV_ROW;
	*labelled = f.n > 1 && (f.empty || f.names == 1);
	if (!*labelled || f.empty)
		return CSV_HEADER;
	return f.rising ? CSV_EITHER : CSV_LABELLED;
}
