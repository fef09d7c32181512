/* patterns.c: which layers of a model are of a type. */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/key.h"
#include "model/rotary.h"
#include "text/words.h"

enum { LAYERS_MOST = 1000 };

/* Every n-th layer has full attention, from the first or from the n-th. */
struct pattern {
	const char *types, *key;  /* NULL: there is no such key */
	double every;          /* where the key is missing */
	bool first;
};

static const struct pattern patterns[] = {
	{ "gemma3_text", "sliding_window_pattern", 6, false },
	{ "cohere2", "sliding_window_pattern", 4, false },
	{ "llama4_text smollm3", "no_rope_layer_interval", 4, false },
	{ "gemma2 vaultgemma gpt_oss", NULL, 2, false },
	{ "cwm granite_swa granitemoe_swa", NULL, 4, true },
	{ "gemma4_unified_text diffusion_gemma_text", NULL, 6, false },
	{ "modernbert modernbert-decoder", "global_attn_every_n_layers", 3,
	  true },
	{ "qwen3_next qwen3_5_text qwen3_5_moe_text",
	  "full_attention_interval", 4, false },
	{ 0 },
};

/* Of GGUF: the period, or whether each layer has a window. */
static const char gguf_windows[] = "attention.sliding_window_pattern";

static const struct pattern gguf_patterns[] = {
	{ "gemma3 gemma-embedding", gguf_windows, 6, false },
	{ "gemma3n", gguf_windows, 5, false },
	{ "cohere2 olmo2 exaone4", gguf_windows, 4, false },
	{ "smallthinker", gguf_windows, 4, true },
	{ "llama4 smollm3 afmoe", NULL, 4, false },
	{ "mellum", gguf_windows, 4, false },
	{ "laguna", gguf_windows, 4, true },
	{ "gemma2 gpt-oss", NULL, 2, false },
	{ "qwen3next qwen35 qwen35moe", "full_attention_interval", 4, false },
	{ 0 },
};

/* A value for each layer. */
struct marks {
	size_t n;              /* number of layers; 0: not known */
	bool at[LAYERS_MOST];
};

/* no_rope_layers, unless it is empty: then the pattern holds. */
static const cJSON *listed(const struct config *c)
{
	const cJSON *list = config_value(c, "no_rope_layers");

	return cJSON_IsArray(list) && list->child ? list : NULL;
}

/* Mark the values of an array that equal a text. */
static void mark_equal(const cJSON *array, const char *text, struct marks *m)
{
	for (const cJSON *o = array->child; o; o = o->next) {
		if (m->n == LAYERS_MOST) {
			m->n = 0;
			return;
		}
		m->at[m->n++] = config_equals(o, text);
	}
}

/* Mark the layers that differ by the class's pattern; false: an error. */
static bool mark_pattern(struct config *c, struct marks *m)
{
	const cJSON *count = config_value(c, c->gguf ? "block_count"
						     : "num_hidden_layers");
	const struct pattern *p = c->gguf ? gguf_patterns : patterns;
	const cJSON *value;
	double every, n;

	while (p->types && !text_has_word(p->types, rotary_name(c), " "))
		p++;
	if (!p->types || !count)
		return true;
	value = p->key ? config_value(c, p->key) : NULL;
	every = p->every;
	if (!config_whole(c, count, 1, LAYERS_MOST, &n) ||
	    (value ? !config_whole(c, value, 1, 1e6, &every)
		   : p->key && !rotary_assume(c, p->key, every)))
		return false;
	m->n = (size_t)n;
	for (size_t i = 0; i < m->n; i++)
		m->at[i] = (i + !p->first) % (size_t)every == 0;
	return true;
}

/* Mark the layers of the indices in full_attn_idxs, or all; false: an error. */
static bool mark_indices(struct config *c, struct marks *m)
{
	const cJSON *list = config_value(c, "full_attn_idxs");
	const cJSON *count = config_value(c, "num_hidden_layers");
	double n, i;

	if (list && !cJSON_IsArray(list))
		return config_fail(c, list, "expected an array, got %s",
				   config_kind_of(list));
	if (!count)
		return true;
	if (!config_whole(c, count, 1, LAYERS_MOST, &n))
		return false;
	m->n = (size_t)n;
	for (size_t k = 0; k < m->n; k++)
		m->at[k] = !list;
	for (const cJSON *o = list ? list->child : NULL; o; o = o->next) {
		if (!config_whole(c, o, 0, n - 1, &i))
			return false;
		m->at[(size_t)i] = true;
	}
	return true;
}

static void invert(struct marks *m)
{
	for (size_t i = 0; i < m->n; i++)
		m->at[i] = !m->at[i];
}

/* Lists may have more values than there are layers, for those of MTP. */
static void cut_marks(const struct config *c, struct marks *m)
{
	struct error ignored = { 0 };
	struct config own = *c;
	double n = 0;

	own.err = &ignored;
	if (key_number(&own, KEY_LAYERS, &n) && n > 0 && (double)m->n > n)
		m->n = (size_t)n;
}

/* Mark the layers of the chosen type, or all of them. */
static bool mark_type(struct config *c, struct marks *m)
{
	const cJSON *types = config_value(c, "layer_types");
	const cJSON *windows = c->gguf ? config_value(c, gguf_windows) : NULL;
	const cJSON *list = listed(c);

	if (types) {
		mark_equal(types, c->layers, m);
		cut_marks(c, m);
		return true;
	}
	if (windows && cJSON_IsArray(windows))
		mark_equal(windows, cJSON_IsBool(windows->child) ? "false"
								 : "0", m);
	else if (c->row->layers == LAYERS_CHUNKED && list)
		mark_equal(list, "0", m);
	else if (key_value(c, KEY_PATTERN))
		mark_equal(key_value(c, KEY_PATTERN), "0", m);
	else if (key_value(c, KEY_RATIOS))
		mark_equal(key_value(c, KEY_RATIOS), "0", m);
	else if (c->row->layers == LAYERS_CONV ? !mark_indices(c, m)
					       : !mark_pattern(c, m))
		return false;
	if (!config_layers_are(c, c->row->layers == LAYERS_COMPRESSED
			       ? "sliding_attention" : "full_attention"))
		invert(m);
	cut_marks(c, m);
	return true;
}

/* The layers that are marked, "0-4, 6, 8-10". */
static void write_marked(const struct marks *m, char text[LAYER_LIST])
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0, end; i < m->n; i = end) {
		for (end = i + 1; end < m->n && m->at[end] == m->at[i];)
			end++;
		if (!m->at[i])
			continue;
		n += (size_t)snprintf(text + n, LAYER_LIST - n, "%s%zu",
				      n ? ", " : "", i);
		if (end > i + 1)
			n += (size_t)snprintf(text + n, LAYER_LIST - n,
					      "-%zu", end - 1);
	}
}

/* Of a model whose layers all rotate but for those of no_rope_layers. */
static bool list_rotating(struct config *c, struct layer_lists *lists)
{
	const cJSON *list = listed(c);
	struct marks m = { 0 };

	if (list)
		mark_equal(list, "0", &m);
	else if (!mark_pattern(c, &m))
		return false;
	write_marked(&m, lists->without);
	invert(&m);
	write_marked(&m, lists->all);
	return true;
}

bool config_list_layers(struct config *c, struct layer_lists *lists)
{
	struct marks m = { 0 };

	*lists = (struct layer_lists){ 0 };
	if (c->row->layers == LAYERS_LISTED)
		return c->layer_type_count > 1 || list_rotating(c, lists);
	if (!c->layers)
		return true;
	if (!mark_type(c, &m))
		return false;
	write_marked(&m, lists->all);
	if (m.n && !lists->all[0])
		snprintf(lists->all, LAYER_LIST, "none");
	return true;
}

/* Whether the layers of one type have the one of this number; none, where the
   file does not tell: *known stays. */
static bool has_number(const struct config *c, const char *type, size_t number,
		       bool *known)
{
	struct error ignored = { 0 };
	struct config own = *c;
	struct marks m = { 0 };

	own.err = &ignored;
	own.layers = type;
	if (!mark_type(&own, &m) || !m.n)
		return false;
	*known = true;
	return number < m.n && m.at[number];
}

bool config_choose_number(struct config *c)
{
	const char *word = c->layers;
	bool known = false;
	double count = 0;
	size_t number;

	if (!word || !*word || word[strspn(word, "0123456789")] ||
	    strlen(word) > 4)
		return true;
	number = (size_t)strtoul(word, NULL, 10);
	if (!key_number(c, KEY_LAYERS, &count))
		return false;
	if (count > 0 && !((double)number < count))
		return fail_file(c->err, c->path, "no layer %s: there are "
				 "layers 0 to %.0f", word, count - 1);
	c->number = word;
	c->layers = NULL;
	for (size_t i = 0; i < c->layer_type_count && !c->layers; i++)
		if (has_number(c, c->layer_types[i], number, &known))
			c->layers = c->layer_types[i];
	/* A list of bases needs no type */
	if (c->layers || !c->layer_type_count ||
	    (!known && key_value(c, KEY_BASES)))
		return true;
	return fail_file(c->err, c->path, known ? "no layer %s" : "the file "
			 "does not tell of which type layer %s is", word);
}
