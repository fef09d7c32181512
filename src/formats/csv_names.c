/* csv_names.c: which fields of CSV are names, and so which lines headers. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/utf8.h"
#include "formats/csv_fields.h"

/* Whether text is "-nan(ind)" or another as C may write them. */
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
	return is_nan(text) || csv_error(text);
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

/* Whether [s, end) is a number, be it past the range of a double's. */
static bool is_number(const char *s, const char *end)
{
	return csv_number(s).end == end || decimal_read(s).end == end;
}

/* What a line's fields are so far. */
struct fields {
	size_t n, names;      /* a field that is empty is a name */
	bool named, empty;    /* the first one is */
	bool rising;          /* its numbers are whole, each above the last */
	double last;
};

/* Note a field of a header, [s, end); false: no header has such. */
static bool note_field(struct fields *f, const char *s, const char *end)
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
	struct fields f = { .n = 0 };

	return note_field(&f, s, csv_trimmed(c, s)) && f.named && !f.empty;
}

enum csv_kind csv_first(const struct csv_text *c, bool *labelled,
			size_t *fields)
{
	struct fields f = { .rising = true, .last = -HUGE_VAL };
	bool more = true;

	for (const char *s = c->at; more;) {
		const char *field = csv_blanks(c, s);

		if (!note_field(&f, field, csv_trimmed(c, field)))
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
