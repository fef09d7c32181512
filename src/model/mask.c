/* mask.c: what the layers of a model that rotates see. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "model/key.h"
#include "model/rotary.h"

/* The mask of a key of the file: "window:4096". */
static char *mask_of(const struct config *c, const char *kind,
		     const cJSON *value, const char *key)
{
	double x;

	if (!value)
		config_missing(c, key);
	return value && config_whole(c, value, 1, 0x1p53, &x)
		       ? config_text(c, "%s:%.0f", kind, x) : NULL;
}

/* The window that a class assumes; 0: none, or the file says that. */
static int assumed_window(const struct config *c)
{
	return config_is_null(c, key_names(c, KEY_WINDOW)) ? 0 : c->row->window;
}

/* The mask of the window of a file, or else of its class. */
static char *mask_of_window(struct config *c, const cJSON *window)
{
	const char *key = key_names(c, KEY_WINDOW);
	const int assumed = assumed_window(c);

	if (window || !assumed)
		return mask_of(c, "window", window, key);
	return rotary_assume(c, key, assumed)
		       ? config_text(c, "window:%d", assumed) : NULL;
}

/* Whether the layers see later positions, too. */
static bool is_encoder(const struct config *c)
{
	return c->row->encoder ||
	       (c->row->roles && (config_layers_are(c, "encoder") ||
				  (c->part &&
				   strcmp(c->part, "encoder") == 0)));
}

/* The mask of an encoder with a window on both sides. */
static char *mask_of_both_sides(struct config *c)
{
	double window;

	if (c->gguf && !key_value(c, KEY_BOTH_SIDES)) {
		key_missing(c, KEY_BOTH_SIDES);
		return NULL;
	}
	if (!key_assume(c, KEY_BOTH_SIDES, c->row->window, &window))
		return NULL;
	switch (c->row->sides) {
	case SIDES_WHOLE:
		return config_text(c, "symmetric:%.0f", window);
	case SIDES_LATER:
		return config_text(c, "band:%.0f,%.0f",
				   ceil(window / 2) - 1, floor(window / 2));
	case SIDES_DIFFER:
		fail_file(c->err, c->path, "the sliding_attention layers of "
			  "%s see %.0f positions to each side in transformers "
			  "4, %.0f in transformers 5", c->type, window - 1,
			  window);
		return NULL;
	case SIDES_HALF:
	default:
		return config_text(c, "symmetric:%.0f",
				   floor(window / 2));
	}
}

/* What llama.cpp's layers see: windows only where it has code for them. */
static char *mask_of_gguf(struct config *c)
{
	const cJSON *window = key_value(c, KEY_WINDOW);

	/* The chunks of llama4 are in its code */
	if (config_layers_are(c, "chunked_attention"))
		return config_text(c, "chunk:8192");
	if (window && !c->layers &&
	    !config_note(c, "%s has no effect: llama.cpp does not read it for "
			 "%.60s", window->string, c->type))
		return NULL;
	return config_text(c, "causal");
}

/* A key of GGUF and its value */
static const char not_causal[] = "attention.causal=false";

/* Fail if a file lets layers see later positions that are causal otherwise. */
static bool check_causal(struct config *c)
{
	const cJSON *value = config_value(c, "use_bidirectional_attention");

	if (config_is(c, "is_causal=false"))
		return config_fail(c, config_value(c, "is_causal"),
				   "transformers 5 lets layers see later "
				   "positions then, transformers 4 does not");
	if (config_is(c, not_causal))
		return fail_file(c->err, c->path, "%.60s.attention.causal is "
				 "false: which later positions layers see is "
				 "not known", c->type);
	if (!value || cJSON_IsFalse(value))
		return true;
	if (config_equals(value, "vision"))
		return config_note(c, "tokens of an image also see each other "
				   "(%s)", value->string);
	return config_fail(c, value, "which later positions layers see is not "
			   "known");
}

/*
 * The mask of a model of which some layers have a window. Classes with
 * max_window_layers have windows only with use_sliding_window; whether layers
 * before or from that number on have them, versions of transformers 4 differ.
 */
static char *mask_of_some_layers(struct config *c, const cJSON *window)
{
	const cJSON *value = config_at(c->model, "max_window_layers");
	double first = 0;

	if (!window)
		fail_file(c->err, c->path, "the file does not say which layers "
			  "have the window of %d that %s assumes",
			  assumed_window(c), rotary_name(c));
	else if (!value)
		config_fail(c, window, "the file does not say which layers "
			    "have the window");
	else if (!config_at(c->model, "use_sliding_window"))
		return config_note(c, "use_sliding_window not in the file: "
				   "transformers' %s default false",
				   rotary_name(c))
			       ? config_text(c, "causal") : NULL;
	else if (config_whole(c, value, 0, 0x1p53, &first))
		config_fail(c, window, "versions of transformers differ in "
			    "which layers have the window: those before layer "
			    "%.0f (max_window_layers), or those from it on; "
			    "layer_types would say it", first);
	return NULL;
}

/*
 * Choose the layers' type if all are of one; fail if types differ and none is
 * chosen, or the chosen one has no mask.
 */
static bool choose_layers(struct config *c)
{
	if (!c->layers && c->layer_type_count == 1)
		c->layers = c->layer_types[0];
	if (!c->layers && c->layer_type_count > 1)
		return fail_file(c->err, c->path, "types of layers differ: "
				 "choose one, as '%.150s:%.60s'", c->path,
				 c->layer_types[0]);
	if (c->layers && !rotary_exists(c))
		return false;
	return rotary_has_attention(c) ||
	       fail_file(c->err, c->path, "the %.60s layers of %s have no "
			 "attention matrix, hence no mask", c->layers,
			 rotary_name(c));
}

/* The mask of layers that see later positions, too. */
static char *mask_of_encoder(struct config *c, bool sliding)
{
	if (!sliding)
		return config_text(c, "full");
	if (key_is_own(c, KEY_BOTH_SIDES))
		return mask_of_both_sides(c);
	fail_file(c->err, c->path, "the sliding_attention layers of %s see "
		  "later positions, too: there is no such mask", c->type);
	return NULL;
}

char *mask_kind(struct config *c)
{
	const cJSON *window = key_value(c, KEY_WINDOW);
	bool sliding;

	if (!choose_layers(c))
		return NULL;
	sliding = config_layers_are(c, "sliding_attention");
	if (c->row->unmasked && !(sliding &&
				  c->row->layers == LAYERS_COMPRESSED)) {
		fail_file(c->err, c->path, "%s: there is no such mask",
			  c->row->unmasked);
		return NULL;
	}
	if (is_encoder(c))
		return mask_of_encoder(c, sliding || c->row->windowed);
	if (!c->layers && config_is(c, not_causal))
		return config_text(c, "full");
	if (!check_causal(c))
		return NULL;
	if (sliding)
		return mask_of_window(c, window);
	if (c->gguf)
		return mask_of_gguf(c);
	if (config_layers_are(c, "chunked_attention"))
		return mask_of(c, "chunk",
			       config_at(c->model, "attention_chunk_size"),
			       "attention_chunk_size");
	if ((!window && !assumed_window(c)) || c->layers ||
	    config_is(c, "use_sliding_window=false"))
		return config_text(c, "causal");
	if (c->row->windowed)
		return mask_of_window(c, window);
	return mask_of_some_layers(c, window);
}
