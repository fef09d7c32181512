/* defaults.c: keys that a file lacks: what its class takes, or a refusal. */
#include <string.h>

#include "model/rotary.h"

bool rotary_assume(struct config *c, const char *key, double value)
{
	const int n = (int)strcspn(key, "|");
	char text[CONFIG_NUMBER];

	if (c->gguf)
		return config_note(c, "%.60s.%.*s not in the file: llama.cpp's "
				   "default %s", c->type, n, key,
				   config_digits(value, text));
	if (c->row->project)
		return config_note(c, "%.*s not in the file: default %s of %s",
				   n, key, config_digits(value, text),
				   c->row->project);
	return config_note(c, "%.*s not in the file: transformers' %s default "
			   "%s", n, key, rotary_name(c),
			   config_digits(value, text));
}

bool rotary_missing(const struct config *c, const char *key)
{
	const int n = (int)strcspn(key, "|");

	if (c->gguf)
		return config_missing(c, key);
	if (!c->type)
		return fail_file(c->err, c->path, "model_type and %.*s%s%s are "
				 "missing: without a model type, %.*s has no "
				 "default", n, key, c->part ? " of " : "",
				 c->part ? c->part : "", n, key);
	return fail_file(c->err, c->path, "%.*s is missing, and no default of "
			 "%s is known", n, key, rotary_name(c));
}
