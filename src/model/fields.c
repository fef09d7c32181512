/* fields.c: text of a row with values of the file: "--heads {n_head=8}". */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/config.h"
#include "text/decimal.h"

enum { FIELD_MOST = 120 };

/* The number "key|key=initial+add" of the file; false: an error. */
static bool read_number(const struct config *c, char *keys, double *x)
{
	char *plus = strchr(keys, '+'), *equals;
	const cJSON *value;
	long add = 0;

	if (plus) {
		add = strtol(plus + 1, NULL, 10);
		*plus = '\0';
	}
	equals = strchr(keys, '=');
	if (equals)
		*equals++ = '\0';
	value = config_value(c, keys);
	if (!value && !equals)
		return config_missing(c, keys);
	if (value ? !config_number(c, value, 0, x) : !parse_real(equals, x))
		return false;
	*x += (double)add;
	return true;
}

/* A field, "a}" or a quotient "a/b}", as text; NULL: an error. */
static const char *read_field(const struct config *c, const char *field,
			      char text[CONFIG_NUMBER])
{
	char keys[FIELD_MOST], *by;
	double x = 0, y = 1;

	snprintf(keys, sizeof keys, "%.*s", (int)strcspn(field, "}"), field);
	by = strchr(keys, '/');
	if (by)
		*by++ = '\0';
	if (!read_number(c, keys, &x) || (by && !read_number(c, by, &y)))
		return NULL;
	if (by && (!(y > 0) || fmod(x, y) > 0)) {
		fail_file(c->err, c->path, "expected %s to be a multiple of "
			  "%s, got %g and %g", keys, by, x, y);
		return NULL;
	}
	return config_digits(x / y, text);
}

char *config_fill(const struct config *c, const char *text, size_t n)
{
	char *filled = config_text(c, "%s", ""), number[CONFIG_NUMBER];

	while (filled && n) {
		const size_t brace = strcspn(text, "{");
		const size_t plain = brace < n ? brace : n;
		const size_t field = brace < n ? strcspn(text + brace, "}") + 1
					       : 0;
		const char *value = field ? read_field(c, text + brace + 1,
						       number) : "";

		if (!value)
			return NULL;
		filled = config_text(c, "%s%.*s%s", filled, (int)plain, text,
				     value);
		text += plain + field;
		n -= plain + field;
	}
	return filled;
}
