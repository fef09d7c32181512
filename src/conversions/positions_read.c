/* positions_read.c: what the configuration of a model says of its positions. */
#include <string.h>

#include "conversions/conversions.h"
#include "model/command.h"
#include "model/key.h"
#include "text/words.h"

/* What layers that do not rotate have: the commands of their tables, and the
   row of position 0 of a learned one. */
static void read_commands(struct conversion *c, const struct config *of,
			  struct layer_positions *p)
{
	const char *first = of->row->first ? of->row->first : "0";
	const char *commands[COMMANDS_MOST];
	struct error ignored = { 0 };
	struct config own = *of;
	size_t n;

	own.err = &ignored;
	n = config_commands(&own, commands);
	p->commands = "";
	for (size_t i = 0; i < n; i++)
		p->commands = text_of(c, "%s%s%s", p->commands, i ? "; " : "",
				      commands[i]);
	if (n == 0 && strcmp(p->kind, "none") != 0)
		p->text = config_printed(&own);
	if (of->row->kind == MODEL_LEARNED)
		p->first = config_fill(&own, first, strlen(first));
	pass_memory(c->err, &ignored);
}

/*
 * Keys of what layers see that do not rotate, and their defaults in classes of
 * transformers.
 */
static const struct {
	const char *types, *key, *initial;
} mask_keys[] = {
	{ "longformer led", "attention_window", "512" },
	{ "gpt_neo", "window_size", "256" },
	{ "gpt_neo", "attention_types", "[[[\"global\",\"local\"],12]]" },
	{ "longt5", "local_radius", "127" },
	{ "longt5", "encoder_attention_type", "\"local\"" },
	{ "longt5", "global_block_size", "16" },
	{ "big_bird bigbird_pegasus", "attention_type", "\"block_sparse\"" },
	{ "big_bird bigbird_pegasus", "block_size", "64" },
	{ "big_bird bigbird_pegasus", "num_random_blocks", "3" },
};

static void read_mask_keys(struct conversion *c, const struct config *of,
			   struct layer_positions *p)
{
	p->mask_keys = p->mask_words = "";
	/* There is a type: files that name none are taken to rotate */
	for (size_t i = 0; i < sizeof mask_keys / sizeof *mask_keys; i++) {
		const char *key = mask_keys[i].key;
		const struct cJSON *value = config_value(of, key);
		const char *comma = p->mask_keys[0] ? ", " : "";
		const char *text = value ? config_json(of, value)
					 : mask_keys[i].initial;

		if (!text_has_word(mask_keys[i].types, of->type, " "))
			continue;
		p->mask_keys = text_of(c, "%s%s%s %s", p->mask_keys, comma, key,
				       text);
		p->mask_words = text_of(c, "%s%s%s %s%s", p->mask_words, comma,
					key, text, value ? "" : " by default");
	}
}

/* What layers that rotate see. */
static void read_mask(struct conversion *c, struct config *of,
		      struct layer_positions *p)
{
	p->mask = mask_kind(of);
	if (p->mask)
		return;
	p->mask_unknown = text_of(c, "%s", of->err->text);
	config_find(of, key_names(of, KEY_WINDOW), 0, 0, &p->window);
	config_find(of, "max_window_layers", 0, 0, &p->windowless);
}

/* Begin another question: of the last one only that memory ran out counts. */
static void next_question(struct conversion *c, struct error *why)
{
	pass_memory(c->err, why);
	*why = (struct error){ 0 };
}

/* The positions of the layers that were chosen in of. */
static void read_layers(struct conversion *c, struct config *of,
			struct layer_positions *p)
{
	struct error why = { 0 }, *before = of->err;
	struct layer_lists lists;

	*p = (struct layer_positions){
		.type = of->layers, .kind = config_kind(of),
		.rotary = of->row->kind == MODEL_ROTARY, .layers = "",
	};
	of->err = &why;
	if (config_list_layers(of, &lists))
		p->layers = text_of(c, "%s", lists.all);
	else
		p->unknown = text_of(c, "%s", why.text);
	next_question(c, &why);
	if (p->rotary && !query_factors_read(of, &p->queries))
		p->unknown = text_of(c, "%s", why.text);
	next_question(c, &why);
	if (p->rotary && rotary_absent(of)) {
		p->no_attention = !rotary_has_attention(of);
		p->rotary = false;
		p->kind = "none";
	} else if (p->rotary) {
		read_mask(c, of, p);
		next_question(c, &why);
		p->rotary = rotary_read(of, &p->r);
		if (!p->rotary)
			p->unknown = text_of(c, "%s", why.text);
		else if (logits_read(of, &p->r, &p->logits))
			p->logits_words = text_of(c, "%s",
						  logits_words(of, &p->logits));
	} else {
		read_commands(c, of, p);
		read_mask_keys(c, of, p);
	}
	pass_memory(c->err, &why);
	of->err = before;
}

/* The default number of key heads of a file without them; 0: not known. */
static double default_keys(const struct config *of,
			   const struct model_positions *p, const char *key)
{
	/* In classes of transformers; 0: that of query heads, which is also
	   what null in a file means */
	static const struct {
		const char *types;
		double keys;
	} defaults[] = {
		{ "llama phi3", 0 }, { "mistral mixtral", 8 },
		{ "qwen2 qwen3", 32 },
	};
	const double heads = p->heads > 0 ? p->heads : of->row->heads;

	if (of->gguf)
		return p->heads;
	for (size_t i = 0; of->type &&
			   i < sizeof defaults / sizeof *defaults; i++)
		if (text_has_word(defaults[i].types, of->type, " "))
			return defaults[i].keys > 0 && !config_is_null(of, key)
			       ? defaults[i].keys : heads;
	return 0;
}

static void read_all(struct conversion *c, struct config *of,
		     struct model_positions *p)
{
	const char *key = of->gguf ? "attention.head_count_kv"
				   : "num_key_value_heads";

	p->type = text_of(c, "%s", of->type ? of->type : "no model type");
	p->gguf = of->gguf;
	config_find(of, key_names(of, KEY_CONTEXT), 0, 0, &p->context);
	config_find(of, of->gguf ? "attention.head_count"
		    : "num_attention_heads|n_head|n_heads|num_heads", 0, 0,
		    &p->heads);
	config_find(of, key, 0, 0, &p->keys);
	if (!config_value(of, key)) {
		p->keys = default_keys(of, p, key);
		p->assumed = text_of(c, ": %s%s%s is not in %s, and its "
				     "default is %.0f", of->gguf ? of->type
				     : "", of->gguf ? "." : "", key, of->path,
				     p->keys);
	}
	p->fusion = fusion_read(of, p->heads, p->keys);
	config_find(of, key_names(of, KEY_LAYERS), 0, 0, &p->layers);
	config_find(of, "image_size", 0, 0, &p->image);
	config_find(of, "patch_size", 0, 0, &p->patch);
	do {
		struct config layers = *of;

		if (of->layer_type_count)
			layers.layers = of->layer_types[p->n];
		read_layers(c, &layers, &p->at[p->n++]);
	} while (p->n < of->layer_type_count);
}

void positions_read(struct conversion *c, struct side *s)
{
	const struct opened *file = &s->model.file;
	/* A GGUF file has keys of its own */
	const char *path = s->open && strcmp(file->format->name, "gguf") == 0
			   ? file->in.path : s->model.config;
	struct error why = { 0 };
	struct config of;

	if (!path) {
		s->positions.absent = true;
		s->positions.unknown = text_of(c, "%s has no config.json "
					       "beside it", s->path);
		return;
	}
	if (config_open(&of, path, c->owner, &why) && config_check_sizes(&of))
		read_all(c, &of, &s->positions);
	else if (!of.root)
		*c->err = why;
	else
		s->positions.unknown = text_of(c, "%s", why.text);
	config_close(&of);
	pass_call(c->err, &why);
}
