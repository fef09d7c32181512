/* gguf_notes.c: keys of a GGUF file that concern its positions. */
#include <stdio.h>
#include <string.h>

#include "containers/gguf.h"
#include "text/decimal.h"

/* Parts of names (gguf-py, constants.py): of rotary positions, lengths. */
static const char *const parts[] = {
	".rope.", ".context_length", ".attention.sliding_window",
	".attention.relative_buckets_count", ".attention.max_alibi_bias",
	".attention.causal", ".position_embedding", "general.architecture",
};

enum { PARTS = sizeof parts / sizeof *parts, SHOWN = 8 };

static bool is_positional(const char *name)
{
	for (size_t i = 0; i < PARTS; i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

/* Values as text; of a long array the first ones. */
static void write_value(const struct gguf_value *v, char *text, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n && i < SHOWN; i++) {
		char number[NUMBER_ROOM + 1];

		number[number_text(number, v->x[i], F64, 0)] = '\0';
		n += (size_t)snprintf(text + n, room - n, "%s%s", i ? "," : "",
				      v->kind != GGUF_BOOL ? number :
				      v->x[i] > 0 ? "true" : "false");
	}
	if (v->n > SHOWN)
		snprintf(text + n, room - n, ",... (%zu values)", v->n);
}

bool gguf_note_key(void *self, const char *name,
		   const struct gguf_value *value, struct error *err)
{
	struct gguf_notes *notes = self;
	char text[SHOWN * (NUMBER_ROOM + 1) + 40] = "";
	const char *behind = strchr(name, '.');
	const bool one = value->n == 1 && value->x[0] >= 0 &&
			 value->x[0] <= 99999;

	if (one && strcmp(name, "split.no") == 0)
		notes->split.no = (unsigned)value->x[0];
	if (value->n == 1 && !value->array && behind &&
	    strcmp(behind, ".rope.freq_base") == 0)
		notes->all->rotary_base = value->x[0];
	if (one && strcmp(name, "split.count") == 0)
		notes->split.count = (unsigned)value->x[0];
	if (!is_positional(name))
		return true;
	write_value(value, text, sizeof text);
	return tensors_setting(notes->all, name, value->text ? value->text
			       : text, err);
}
