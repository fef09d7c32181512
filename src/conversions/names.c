/*
 * names.c: the names of one tensor in different projects. Those of GGUF
 * represent all: gguf-py/gguf/tensor_mapping.py of llama.cpp (0024aa7) lists
 * the others.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "conversions/conversions.h"
#include "text/words.h"

/*
 * A name in GGUF, and the ends of names elsewhere, where '#' is the number of a
 * layer; they end in ".weight" or ".bias" besides.
 */
static const struct naming {
	const char *name, *others;
} namings[] = {
	{ "blk.#.attn_q",
	  "layers.#.self_attn.q_proj layers.#.attention.wq "
	  "layer.#.attention.self.query layer.#.attention.q_lin "
	  "h.#.attn.q_proj h.#.attn.attention.q_proj blocks.#.q_proj" },
	{ "blk.#.attn_k",
	  "layers.#.self_attn.k_proj layers.#.attention.wk "
	  "layer.#.attention.self.key layer.#.attention.k_lin "
	  "h.#.attn.k_proj h.#.attn.attention.k_proj blocks.#.k_proj" },
	{ "blk.#.attn_v",
	  "layers.#.self_attn.v_proj layers.#.attention.wv "
	  "layer.#.attention.self.value layer.#.attention.v_lin "
	  "h.#.attn.v_proj h.#.attn.attention.v_proj blocks.#.v_proj" },
	{ "blk.#.attn_output",
	  "layers.#.self_attn.o_proj layers.#.attention.wo "
	  "layers.#.self_attn.out_proj layers.#.self_attn.dense "
	  "layers.#.attention.dense layer.#.attention.output.dense "
	  "layer.#.attention.out_lin h.#.attn.out_proj h.#.attn.c_proj "
	  "h.#.self_attention.dense h.#.attn.attention.out_proj "
	  "layers.#.attn.Wo layers.#.attn.out_proj "
	  "layers.#.self_attention.dense blocks.#.attn.out_proj "
	  "blocks.#.attn_out" },
	{ "blk.#.attn_qkv",
	  "layers.#.attention.query_key_value layers.#.attn.Wqkv "
	  "layers.#.self_attn.query_key_value "
	  "layers.#.self_attn.qkv_proj "
	  "layers.#.self_attention.query_key_value "
	  "layers.#.attn.qkv_proj h.#.attn.c_attn h.#.attn.qkv_proj "
	  "h.#.self_attention.query_key_value h.#.mixer.Wqkv "
	  "blocks.#.attn.Wqkv blocks.#.norm_attn_norm.attn.Wqkv "
	  "layers.#.self_attn.W_pack layers.#.attention.wqkv" },
	{ "blk.#.attn_q_norm",
	  "layers.#.self_attn.q_norm layers.#.self_attn.q_layernorm "
	  "layers.#.self_attn.query_layernorm layers.#.attn.q_norm "
	  "layers.#.attention.query_layernorm" },
	{ "blk.#.attn_k_norm",
	  "layers.#.self_attn.k_norm layers.#.self_attn.k_layernorm "
	  "layers.#.self_attn.key_layernorm layers.#.attn.k_norm "
	  "layers.#.attention.key_layernorm" },
	{ "blk.#.attn_norm",
	  "layers.#.input_layernorm layers.#.attention_norm "
	  "layers.#.attn_norm layers.#.ln1 h.#.ln_1 h.#.input_layernorm "
	  "h.#.ln_mlp h.#.ln blocks.#.norm_1 blocks.#.attn_norm "
	  "blocks.#.norm_attn_norm.norm_1" },
	{ "blk.#.attn_norm_2", "h.#.ln_attn" },
	{ "blk.#.post_attention_norm",
	  "layers.#.post_attention_layernorm "
	  "layers.#.post_self_attn_layernorm" },
	{ "blk.#.ffn_norm",
	  "layers.#.post_attention_layernorm "
	  "layers.#.pre_feedforward_layernorm layers.#.ffn_norm "
	  "layers.#.ln2 layers.#.mlp_norm h.#.ln_2 "
	  "h.#.post_attention_layernorm blocks.#.norm_2 blocks.#.ff_norm" },
	{ "blk.#.post_ffw_norm",
	  "layers.#.post_feedforward_layernorm "
	  "layers.#.post_mlp_layernorm" },
	{ "blk.#.attn_output_norm",
	  "layer.#.attention.output.LayerNorm layer.#.sa_layer_norm "
	  "layers.#.norm1 blocks.#.norm_attn_norm.norm_2" },
	{ "blk.#.layer_output_norm",
	  "layer.#.output.LayerNorm layer.#.output_layer_norm "
	  "layers.#.norm2" },
	{ "blk.#.ffn_gate",
	  "layers.#.mlp.gate_proj layers.#.feed_forward.w1 "
	  "layers.#.feed_forward.gate_proj layers.#.mlp.fc12 h.#.mlp.w2 "
	  "h.#.mlp.c_fc_0 blocks.#.ff_proj" },
	{ "blk.#.ffn_up",
	  "layers.#.mlp.up_proj layers.#.feed_forward.w3 "
	  "layers.#.feed_forward.up_proj layers.#.mlp.gate_up_proj "
	  "layers.#.mlp.dense_h_to_4h layers.#.mlp.fc1 layers.#.mlp.c_fc "
	  "layers.#.mlp.fc11 layers.#.mlp.Wi layer.#.intermediate.dense "
	  "layer.#.ffn.lin1 h.#.mlp.c_fc h.#.mlp.dense_h_to_4h "
	  "h.#.mlp.fc1 h.#.mlp.fc_in h.#.mlp.w1 h.#.mlp.c_fc_1 "
	  "blocks.#.ffn.up_proj blocks.#.up_proj" },
	{ "blk.#.ffn_down",
	  "layers.#.mlp.down_proj layers.#.feed_forward.w2 "
	  "layers.#.feed_forward.down_proj layers.#.mlp.dense_4h_to_h "
	  "layers.#.mlp.fc2 layers.#.mlp.c_proj layers.#.mlp.Wo "
	  "layer.#.output.dense layer.#.ffn.lin2 h.#.mlp.c_proj "
	  "h.#.mlp.dense_4h_to_h h.#.mlp.fc2 h.#.mlp.fc_out "
	  "blocks.#.ffn.down_proj blocks.#.ff_out" },
	{ "enc.blk.#.attn_rel_b",
	  "encoder.block.#.layer.0.SelfAttention.relative_attention_bias" },
	{ "dec.blk.#.attn_rel_b",
	  "decoder.block.#.layer.0.SelfAttention.relative_attention_bias" },
	{ "token_embd",
	  "embed_tokens embeddings.tok_embeddings tok_embeddings wte "
	  "embed_in embeddings.word_embeddings embedding.word_embeddings "
	  "word_embeddings shared token_embeddings" },
	{ "position_embd",
	  "wpe embeddings.position_embeddings position_embeddings "
	  "embed_positions pos_embed posembed_input.pos_embedding "
	  "pos_embedding positional_embedding" },
	{ "token_types",
	  "embeddings.token_type_embeddings token_type_embeddings" },
	{ "token_embd_norm",
	  "embeddings.LayerNorm word_embeddings_layernorm "
	  "embeddings.norm emb_ln" },
	{ "output_norm",
	  "ln_f final_layer_norm norm norm_f final_layernorm final_norm" },
	{ "output",
	  "lm_head embed_out output_layer lm_head.linear head.decoder" },
};

enum { NAMINGS = sizeof namings / sizeof *namings };

bool name_of_part(const char *word, size_t n)
{
	static const char *const parts[] = { "vision", "visual", "audio" };

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *at = strstr(word, parts[i]);

		if (at && at + strlen(parts[i]) <= word + n)
			return true;
	}
	return false;
}

/* Where a pattern begins in a name, and its number, if it has any. */
struct fit {
	size_t begin;
	const char *layer;
};

/*
 * Whether a name [n] ends in a pattern [m], as whole words; what stands before
 * has no number, and is no part.
 */
static bool has_end(const char *name, size_t n, const char *pattern, size_t m,
		    struct fit *f)
{
	f->layer = NULL;
	while (m--) {
		if (pattern[m] != '#') {
			if (!n || name[--n] != pattern[m])
				return false;
			continue;
		}
		if (!n || !isdigit((unsigned char)name[n - 1]))
			return false;
		while (n && isdigit((unsigned char)name[n - 1]))
			n--;
		f->layer = name + n;
	}
	f->begin = n;
	for (size_t i = 0, word; i < n; i += word + 1) {
		word = strcspn(name + i, ".");
		if (i + word >= n || isdigit((unsigned char)name[i]) ||
		    name_of_part(name + i, word))
			return false;
	}
	return true;
}

/* Whether it ends in one of several patterns. */
static bool any_has_end(const char *name, size_t n, const char *patterns,
			struct fit *f)
{
	for (size_t m; *patterns; patterns += m + (patterns[m] == ' ')) {
		m = strcspn(patterns, " ");
		if (has_end(name, n, patterns, m, f))
			return true;
	}
	return false;
}

/* Names of modules that projects put around a model. */
static bool is_wrapper(const char *word, size_t n)
{
	static const char *const wrappers[] = {
		"model", "transformer", "module", "base_model", "_orig_mod",
		"language_model", "text_model", "Transformer", "bert",
		"roberta", "distilbert", "vit", "deit", "gpt_neox",
		"gpt_neox_japanese",
	};

	for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
		if (text_is(word, n, wrappers[i]))
			return true;
	return false;
}

/*
 * Copy the modules around a pattern, name [n], each with its dot, without those
 * around a whole model and, unless they are meant, halves. Their length.
 */
static size_t copy_around(const char *name, size_t n, bool halves, char *to)
{
	size_t used = 0, m;

	for (size_t i = 0; i < n; i += m + 1) {
		const char *word = name + i;

		m = strcspn(word, ".");
		if (is_wrapper(word, m) ||
		    (!halves && (text_is(word, m, "encoder") ||
				 text_is(word, m, "decoder"))))
			continue;
		memcpy(to + used, word, m + 1);
		used += m + 1;
	}
	return used;
}

size_t name_key(const char *from, size_t n, size_t which, bool halves,
		char to[NAME_ROOM])
{
	const struct naming *m = namings;
	char name[NAME_ROOM];
	struct fit f;
	int before, digits = 0;
	size_t stem, length;

	if (n >= sizeof name)
		return 0;
	/* HDF5 and Flax have slashes where others have dots */
	for (size_t i = 0; i <= n; i++)
		name[i] = (char)(from[i] == '/' ? '.' : from[i]);
	stem = text_ends_in(name, n, ".weight") ? n - strlen(".weight")
	       : text_ends_in(name, n, ".bias") ? n - strlen(".bias") : n;
	while (m < namings + NAMINGS &&
	       !(any_has_end(name, stem, m->others, &f) && !which--))
		m++;
	if (m == namings + NAMINGS)
		return 0;
	while (f.layer && isdigit((unsigned char)f.layer[digits]))
		digits++;
	before = (int)strcspn(m->name, "#");
	length = copy_around(name, f.begin, halves, to);
	length += (size_t)snprintf(to + length, NAME_ROOM - length,
				   "%.*s%.*s%s%s", before, m->name, digits,
				   f.layer ? f.layer : "",
				   m->name + before + (m->name[before] == '#'),
				   stem < n ? name + stem : ".weight");
	return length < NAME_ROOM ? length : 0;
}

size_t name_in_gguf(const char *name, size_t n, char to[NAME_ROOM])
{
	return name_key(name, n, 0, false, to);
}

bool names_of_two_halves(const char *a, const char *b)
{
	return (strstr(a, "encoder") && strstr(b, "decoder")) ||
	       (strstr(a, "decoder") && strstr(b, "encoder"));
}

size_t name_wrapped(const char *name, size_t n)
{
	const char *at = name, *dot = memchr(name, '.', n);

	while (dot && is_wrapper(at, (size_t)(dot - at))) {
		at = dot + 1;
		dot = memchr(at, '.', n - (size_t)(at - name));
	}
	return (size_t)(at - name);
}

enum content name_content(const char *name, size_t n)
{
	/* Parts of names of weights, most of them in GGUF */
	static const struct {
		const char *word;
		enum content content;
	} words[] = {
		{ ".attn_q.", CONTENT_HEADS },
		{ ".attn_k.", CONTENT_HEADS },
		{ ".attn_v.", CONTENT_VALUES },
		{ ".attn_qkv.", CONTENT_FUSED },
		{ ".attn_q_norm.", CONTENT_NORMS },
		{ ".attn_k_norm.", CONTENT_NORMS },
		{ "q_b_proj", CONTENT_LATENT },
		{ "attn_q_b", CONTENT_LATENT },
		{ "kv_a_proj_with_mqa", CONTENT_LATENT },
		{ "attn_kv_a_mqa", CONTENT_LATENT },
	};
	const struct positional *p = positional_named(name, n);
	char gguf[NAME_ROOM];
	const char *of = name_in_gguf(name, n, gguf) ? gguf : name;

	for (size_t i = 0; !p && i < sizeof words / sizeof *words; i++)
		if (strstr(of, words[i].word))
			return words[i].content;
	return p ? p->content : CONTENT_OTHER;
}
