/* sections.c: pairs that rotate by time, row and column (M-RoPE). */
#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "model/key.h"
#include "model/rotary.h"

/* The class's sections, where the file has none. */
static bool assume_sections(struct config *c, struct rotary_positions *r)
{
	double sum = 0;

	r->sections = c->row->sections;
	if (!r->sections)
		r->mrope = NULL;
	for (const char *at = r->sections; at && *at; at += *at == ',') {
		sum += (double)strtol(at, NULL, 10);
		at += strcspn(at, ",");
	}
	if (r->sections && config_differs(sum, r->dims / 2))
		return fail_file(c->err, c->path, "mrope_section is missing, "
				 "and the default of %s, %s, is of %.0f pairs, "
				 "not of %.0f", c->type, r->sections, sum,
				 r->dims / 2);
	if (!r->sections)
		return true;
	return config_note(c, "mrope_section not in the file: transformers' %s "
			   "default %s", c->type, r->sections);
}

/* The pairs of each axis in a list of the file. */
static bool read_list(struct config *c, const cJSON *list,
		      struct rotary_positions *r)
{
	const int n = cJSON_GetArraySize(list);
	double x[4] = { 0 };
	int k = 0;

	if (!cJSON_IsArray(list) || !(n == 3 || (n == 4 && c->row->four)))
		return config_fail(c, list, "expected an array of 3 %snumbers",
				   c->row->four ? "or 4 " : "");
	for (const cJSON *o = list->child; o; o = o->next)
		if (!config_whole(c, o, 0, 0x1p53, &x[k++]))
			return false;
	if (config_differs(x[0] + x[1] + x[2] + x[3], r->dims / 2))
		return config_fail(c, list, "expected a sum of %.0f pairs, got "
				   "%.0f", r->dims / 2,
				   x[0] + x[1] + x[2] + x[3]);
	r->sections = n == 4 ? config_text(c, "%.0f,%.0f,%.0f,%.0f", x[0],
					   x[1], x[2], x[3])
			     : config_text(c, "%.0f,%.0f,%.0f", x[0], x[1],
					   x[2]);
	return r->sections &&
	       (n < 4 || config_note(c, "four sections as Tencent's code and "
				     "vLLM have them: position, column, row, "
				     "image; a class of transformers divides "
				     "the head in other ways"));
}

/* Whether sections alternate, as the class has it or the file says. */
static bool read_order(struct config *c, struct rotary_positions *r)
{
	const cJSON *value = key_value(c, KEY_ALTERNATE);
	const cJSON *again = c->rope ? config_at(c->rope, "interleaved") : NULL;
	bool alternate = false;

	r->mrope = c->row->mrope;
	if (!key_flag(c, KEY_ALTERNATE, &alternate))
		return false;
	/* Qwen3-Omni says it twice */
	if (again && !cJSON_Compare(again, value, true))
		return config_fail(c, again, "expected mrope_interleaved of "
				   "the same value beside it");
	if (!alternate || r->mrope)
		return true;
	if (c->row->types)
		return config_fail(c, value, "%s does not read it, and has one "
				   "section after another", c->type);
	r->mrope = "interleaved";
	return true;
}

bool rotary_sections(struct config *c, struct rotary_positions *r)
{
	const cJSON *list = key_value(c, KEY_SECTIONS);

	if (!read_order(c, r))
		return false;
	if (list)
		return read_list(c, list, r);
	if (c->rope && (config_equals(config_at(c->rope, "type"), "mrope") ||
			config_equals(config_at(c->rope, "rope_type"),
				      "mrope")))
		return config_fail(c, c->rope, "expected mrope_section, which "
				   "is missing");
	return assume_sections(c, r);
}
