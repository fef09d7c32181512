/* json_report.c: reports as text of JSON, by cJSON. */
#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json_tree.h"
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

/* What is whole; else nothing, for want of memory. */
static cJSON *whole(cJSON *all, bool good)
{
	if (good)
		return all;
	cJSON_Delete(all);
	return NULL;
}

static cJSON *numbers_value(const struct fact *f)
{
	cJSON *all = cJSON_CreateArray();
	bool good = all;

	for (size_t i = 0; good && i < f->n; i++)
		good = cJSON_AddItemToArray(all, number_value(f->numbers[i]));
	return whole(all, good);
}

static cJSON *verdict_value(const struct fact *f)
{
	cJSON *all = cJSON_CreateObject();

	return whole(all, json_add(all, "pass", cJSON_CreateBool(f->flag)) &&
			  json_add(all, "measure", number_value(f->number)) &&
			  json_add(all, "of", cJSON_CreateString(f->text)));
}

static cJSON *place_value(const struct fact *f)
{
	cJSON *all = cJSON_CreateObject();

	return whole(all, json_add(all, "value", number_value(f->number)) &&
			  json_add(all, "row", number_value(f->numbers[0])) &&
			  json_add(all, "column", number_value(f->numbers[1])));
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
	case FACT_TEXT:
	default:
		return cJSON_CreateString(f->text);
	}
}

/* The group that the fact belongs to, begun if it is the first there. */
static cJSON *group_of(cJSON *all, const struct fact *f)
{
	cJSON *group = cJSON_GetObjectItemCaseSensitive(all, f->group);

	return group ? group : cJSON_AddObjectToObject(all, f->group);
}

/* As text to be freed; NULL for want of memory. */
static char *all_text(const struct table *t, const struct report *r)
{
	cJSON *all = cJSON_CreateObject();
	char *text = NULL;
	bool good =
		json_add(all, "posenc", cJSON_CreateString(POSENC_VERSION)) &&
		json_add(all, "command", cJSON_CreateString(t->command)) &&
		json_add(all, "answer", cJSON_CreateString(r->headline));

	for (size_t i = 0; good && i < r->n; i++)
		good = json_add(group_of(all, &r->facts[i]), r->facts[i].name,
				fact_value(&r->facts[i]));
	if (good)
		text = cJSON_Print(all);
	cJSON_Delete(all);
	return text;
}

void report_json(const struct table *t, const struct report *r, struct out *o)
{
	char *text = all_text(t, r);

	if (text) {
		out_text(o, text);
		out_text(o, "\n");
	} else {
		out_fail(o, "out of memory");
	}
	cJSON_free(text);
}
