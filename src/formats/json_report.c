/* json_report.c: reports as text of JSON, by cJSON. */
#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/number.h"
#include "formats/report.h"
#include "version.h"

/* As posenc writes numbers; what is not finite is null. */
static cJSON *number_value(double x)
{
	char text[NUMBER_ROOM + 1];

	if (!isfinite(x))
		return cJSON_CreateNull();
	text[number_text(text, x, F64, 0)] = '\0';
	return cJSON_CreateRaw(text);
}

static cJSON *numbers_value(const struct fact *f)
{
	cJSON *all = cJSON_CreateArray();

	for (size_t i = 0; i < f->n; i++)
		cJSON_AddItemToArray(all, number_value(f->numbers[i]));
	return all;
}

static cJSON *verdict_value(const struct fact *f)
{
	cJSON *all = cJSON_CreateObject();

	cJSON_AddItemToObject(all, "pass", cJSON_CreateBool(f->flag));
	cJSON_AddItemToObject(all, "measure", number_value(f->number));
	cJSON_AddItemToObject(all, "of", cJSON_CreateString(f->text));
	return all;
}

static cJSON *place_value(const struct fact *f)
{
	cJSON *all = cJSON_CreateObject();

	cJSON_AddItemToObject(all, "value", number_value(f->number));
	cJSON_AddItemToObject(all, "row", number_value(f->numbers[0]));
	cJSON_AddItemToObject(all, "column", number_value(f->numbers[1]));
	return all;
}

static cJSON *fact_value(const struct fact *f)
{
	switch (f->kind) {
	case FACT_NUMBER:
		return number_value(f->number);
	case FACT_PLACE:
		return place_value(f);
	case FACT_FLAG:
		return cJSON_CreateBool(f->flag);
	case FACT_VERDICT:
		return verdict_value(f);
	case FACT_NUMBERS:
		return numbers_value(f);
	case FACT_LINES:
		return cJSON_CreateStringArray(f->lines, (int)f->n);
	default:
		return cJSON_CreateString(f->text);
	}
}

void report_json(const struct table *t, const struct report *r, struct out *o)
{
	cJSON *all = cJSON_CreateObject();
	char *text;

	cJSON_AddStringToObject(all, "posenc", POSENC_VERSION);
	cJSON_AddStringToObject(all, "command", t->command);
	cJSON_AddStringToObject(all, "answer", r->headline);
	for (size_t i = 0; i < r->n; i++) {
		const struct fact *f = &r->facts[i];
		cJSON *group = cJSON_GetObjectItemCaseSensitive(all, f->group);

		if (!group)
			group = cJSON_AddObjectToObject(all, f->group);
		cJSON_AddItemToObject(group, f->name, fact_value(f));
	}
	text = cJSON_Print(all);
	if (text) {
		out_text(o, text);
		out_text(o, "\n");
	} else {
		out_fail(o, "out of memory");
	}
	cJSON_free(text);
	cJSON_Delete(all);
}
