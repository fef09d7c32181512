/* fields.c: text of a row with values of the file: "--heads {n_head=8}". */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/config.h"
#include "text/decimal.h"

enum { TEXT_MOST = 400, FIELD_MOST = 120 };

/* The number "key|key=initial+add" of the file as text [FIELD_MOST]. */
static bool read_field(const struct config *c, const char *field,
		       char text[FIELD_MOST])
{
	char keys[FIELD_MOST], number[CONFIG_NUMBER];
	char *equals, *plus;
	const cJSON *value;
	long add = 0;
	double x = 0;

	snprintf(keys, sizeof keys, "%s", field);
	plus = strchr(keys, '+');
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
	if (value ? !config_number(c, value, 0, &x) : !parse_real(equals, &x))
		return false;
	snprintf(text, FIELD_MOST, "%s",
		 config_digits(x + (double)add, number));
	return true;
}

char *config_fill(const struct config *c, const char *line, size_t n)
{
	char text[TEXT_MOST], field[FIELD_MOST], value[FIELD_MOST];
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t length = strcspn(line + i, "}") - 1;

		if (line[i] != '{') {
			used += (size_t)snprintf(text + used,
						 sizeof text - used, "%c",
						 line[i]);
			continue;
		}
		snprintf(field, sizeof field, "%.*s", (int)length,
			 line + i + 1);
		if (!read_field(c, field, value))
			return NULL;
		used += (size_t)snprintf(text + used, sizeof text - used, "%s",
					 value);
		i += length + 1;
	}
	return config_text(c, "%s", text);
}
