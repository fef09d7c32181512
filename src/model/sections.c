/* sections.c: pairs that rotate by time, row and column (M-RoPE). */
#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "model/rotary.h"

/* The class's sections, where the file has none. */
static bool assume_sections(struct config *c, struct rotary_positions *r)
{
	double sum = 0;

	r->sections = c->row->sections;
	r->alternate &= r->sections != NULL;
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
	double x[3] = { 0 };
	int n = 0;

	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != 3)
		return config_fail(c, list, "expected an array of 3 numbers");
	for (const cJSON *o = list->child; o; o = o->next)
		if (!config_whole(c, o, 0, 0x1p53, &x[n++]))
			return false;
	if (config_differs(x[0] + x[1] + x[2], r->dims / 2))
		return config_fail(c, list, "expected a sum of %.0f pairs, got "
				   "%.0f", r->dims / 2, x[0] + x[1] + x[2]);
	r->sections = config_text(c, "%.0f,%.0f,%.0f", x[0], x[1], x[2]);
	return r->sections;
}

bool rotary_sections(struct config *c, struct rotary_positions *r)
{
	const cJSON *rope = c->rope;
	const cJSON *list = rope ? config_at(rope, "mrope_section") : NULL;
	const cJSON *alternate = rope ? config_at(rope, "mrope_interleaved")
				      : NULL;
	const cJSON *again = rope ? config_at(rope, "interleaved") : NULL;

	if (alternate && !cJSON_IsBool(alternate))
		return config_fail(c, alternate, "expected true or false");
	/* Qwen3-Omni says it twice */
	if (again && !cJSON_Compare(again, alternate, true))
		return config_fail(c, again, "expected mrope_interleaved of "
				   "the same value beside it");
	r->alternate = c->row->alternate ||
		       (alternate && cJSON_IsTrue(alternate));
	if (r->alternate && !c->row->alternate && c->row->types)
		return config_fail(c, alternate, "%s does not read it, and "
				   "has one section after another", c->type);
	if (list)
		return read_list(c, list, r);
	if (rope && (config_equals(config_at(rope, "type"), "mrope") ||
		     config_equals(config_at(rope, "rope_type"), "mrope")))
		return config_fail(c, rope, "expected mrope_section, which is "
				   "missing");
	return assume_sections(c, r);
}
