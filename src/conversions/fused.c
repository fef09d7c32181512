/* fused.c: queries, keys and values in one tensor, as each model has them. */
#include <string.h>

#include "conversions/conversions.h"
#include "text/words.h"

/*
 * The code of a class, by its model type and what its file says; the first row
 * that fits holds. In GGUF all have one group: llama.cpp's converters (0024aa7)
 * regroup rows (GPTNeoX, Bloom, Falcon), or classes have them so.
 */
static const struct {
	const char *types;     /* NULL: any */
	const char *when;      /* "key=value"; NULL: always */
	const char *name;      /* a part of the tensor's name */
	const char *groups;    /* a key, or a number; NULL: as many as heads */
	const char *keys;      /* the same of heads of keys */
	enum part_order parts;
} rows[] = {
	/* transformers: modeling_gpt_neox.py, modeling_gpt_neox_japanese.py,
	   modeling_bloom.py, modeling_persimmon.py */
	{ "gpt_neox gpt_neox_japanese bloom persimmon fuyu", NULL,
	  "query_key_value", NULL, NULL, PARTS_QKV },
	/* transformers, modeling_falcon.py, _split_heads(); tiiuae/falcon-40b
	   and falcon-7b of 2023, modelling_RW.py */
	{ "falcon", "new_decoder_architecture=true", "query_key_value",
	  "num_kv_heads|n_head_kv", "num_kv_heads|n_head_kv", PARTS_QKV },
	{ "RefinedWeb", NULL, "query_key_value", "n_head_kv", "n_head_kv",
	  PARTS_QKV },
	{ "falcon RefinedWebModel", "multi_query=false", "query_key_value",
	  NULL, NULL, PARTS_QKV },
	{ "falcon RefinedWebModel", NULL, "query_key_value", "1", "1",
	  PARTS_QKV },
	/* internlm/internlm2-7b, modeling_internlm2.py */
	{ "internlm2", NULL, "wqkv", "num_key_value_heads",
	  "num_key_value_heads", PARTS_QKV },
	/* microsoft/Phi-3-small-8k-instruct, modeling_phi3_small.py */
	{ "phi3small", NULL, "query_key_value", "num_key_value_heads",
	  "num_key_value_heads", PARTS_QKV },
	/* transformers, modeling_codegen.py: shards of a TPU, mp_num */
	{ "codegen", NULL, "qkv_proj", "4", NULL, PARTS_QVK },
	/* transformers, modeling_gpt_bigcode.py */
	{ "gpt_bigcode", "multi_query=false", "c_attn", NULL, NULL, PARTS_QKV },
	{ "gpt_bigcode", NULL, "c_attn", "1", "1", PARTS_QKV },
	/* THUDM/chatglm2-6b, modeling_chatglm.py */
	{ "chatglm", "multi_query_attention=true", "query_key_value", "1",
	  "multi_query_group_num", PARTS_QKV },
	{ "chatglm", NULL, "query_key_value", NULL, NULL, PARTS_QKV },
	/* inclusionAI/Ling-lite, modeling_bailing_moe.py */
	{ "bailing_moe", NULL, "query_key_value", "1", "num_key_value_heads",
	  PARTS_QKV },
	/* transformers, modeling_mpt.py, modeling_modernbert.py,
	   modeling_dbrx.py; nomic-ai/nomic-bert-2048 */
	{ "mpt modernbert nomic_bert dbrx", NULL, "Wqkv", "1",
	  "attn_config.kv_n_heads|num_key_value_heads", PARTS_QKV },
	/* transformers, modeling_gpt2.py; core42/jais-13b; Qwen/Qwen-7B */
	{ "gpt2 openai-gpt imagegpt jais qwen", NULL, "c_attn", "1", NULL,
	  PARTS_QKV },
	/* WisdomShell/CodeShell-7B, modeling_codeshell.py */
	{ "codeshell", NULL, "c_attn", "1", "num_query_groups", PARTS_QKV },
	/* baichuan-inc/Baichuan2-7B-Base, modeling_baichuan.py */
	{ "baichuan", NULL, "W_pack", "1", NULL, PARTS_QKV },
	/* apple/OpenELM, modeling_openelm.py: heads differ between layers */
	{ "openelm", NULL, "qkv_proj", "1", NULL, PARTS_QKV },
	/* microsoft/phi-1_5 of 2023, modeling_mixformer_sequential.py */
	{ NULL, NULL, "mixer.Wqkv", "1", NULL, PARTS_QKV },
	/* transformers, modeling_phi3.py; vLLM, QKVParallelLinear */
	{ NULL, NULL, "self_attn.qkv_proj", "1", "num_key_value_heads",
	  PARTS_QKV },
};

enum { ROWS = sizeof rows / sizeof *rows };

/* A number as a row says it; that of heads where nothing does. */
static size_t number(const struct config *of, const char *keys, double heads)
{
	double x;

	if (keys && strspn(keys, "0123456789"))
		return (size_t)(keys[0] - '0');
	if (!keys || !config_value(of, keys) ||
	    !config_find(of, keys, 0, 1, &x))
		x = heads;
	return (size_t)x;
}

struct fusion fusion_read(const struct config *of, double heads, double keys)
{
	const double all = heads > 0 ? heads : of->row->heads;
	struct fusion f = { .heads = (size_t)all, .keys = (size_t)keys };
	struct error ignored = { 0 };
	struct config own = *of;
	size_t i = 0;

	own.err = &ignored;
	if (of->gguf) {
		f.groups = 1;
		f.keys = keys > 0 ? f.keys : f.heads;
		return f;
	}
	while (i < ROWS && !(rows[i].types && of->type &&
			     text_has_word(rows[i].types, of->type, " ") &&
			     (!rows[i].when || config_is(of, rows[i].when))))
		i++;
	if (i < ROWS) {
		f.groups = number(&own, rows[i].groups, all);
		f.parts = rows[i].parts;
		f.keys = number(&own, rows[i].keys, all);
		f.name = rows[i].name;
	}
	return f;
}

struct fusion fusion_of(const struct side *s, const struct tensor *t)
{
	struct fusion f = s->positions.fusion;

	if (f.groups && (!f.name || strstr(t->name, f.name)))
		return f;
	f.groups = 0;
	for (size_t i = 0; i < ROWS; i++)
		if (!s->positions.unknown && !rows[i].types &&
		    strstr(t->name, rows[i].name))
			f.groups = 1;
	return f;
}

/* transformers, Conv1D; jais has its copy. */
bool fusion_columns(const struct side *s, const struct tensor *t)
{
	const struct model_positions *p = &s->positions;

	return t->rank == 2 && !p->unknown && !p->gguf &&
	       text_has_word("gpt2 openai-gpt imagegpt jais", p->type, " ") &&
	       (strstr(t->name, "attn.c_attn.") ||
		strstr(t->name, "attn.c_proj.") ||
		strstr(t->name, "mlp.c_proj.") || strstr(t->name, "mlp.c_fc"));
}

/* "2 queries", "a query" */
static const char *count_words(struct conversion *c, size_t n, const char *one,
			       const char *many)
{
	return n == 1 ? one : text_of(c, "%zu %s", n, many);
}

const char *fusion_words(struct conversion *c, const struct fusion *f)
{
	static const char *const all[] = { "queries", "keys", "values" };
	static const char *const one[] = { "query", "key", "value" };
	static const char *const single[] = { "a query", "a key", "a value" };
	const size_t n = f->groups ? f->groups : 1;
	const char *words[3];
	size_t is[3];

	for (size_t i = 0; i < 3; i++) {
		is[i] = strcspn("qkv", (char[]){ part_orders[f->parts][i], 0 });
		words[i] = count_words(c, (is[i] ? f->keys : f->heads) / n,
				       single[is[i]], all[is[i]]);
	}
	if (n == 1)
		return text_of(c, "all %s, then all %s, then all %s",
			       all[is[0]], all[is[1]], all[is[2]]);
	if (n == f->heads)
		return text_of(c, "the %s, %s and %s of each of %zu heads",
			       one[is[0]], one[is[1]], one[is[2]], n);
	return text_of(c, "%s, %s and %s of each of %zu groups", words[0],
		       words[1], words[2], n);
}

/* Elements along the output of a tensor of weights, or of a bias. */
static size_t outputs(const struct side *s, const struct tensor *t)
{
	return t->rank == 1 || t->rank == 2 ? t->shape[fusion_columns(s, t)]
					    : 0;
}

bool split_begin(const struct conversion *c, size_t side,
		 const struct tensor *fused, const struct tensor *const of[3],
		 struct split *s)
{
	const struct side *whole = &c->sides[side];
	const struct fusion f = fusion_of(whole, fused);
	size_t all = 0, head;

	*s = (struct split){ .used = true, .side = side };
	for (size_t k = 0; k < 3; k++)
		all += s->rows[k] = outputs(&c->sides[!side], of[k]);
	head = f.groups > 1 ? positions_head(c, s->rows[1]).dim : 1;
	return f.groups && s->rows[1] && s->rows[1] == s->rows[2] &&
	       s->rows[0] % s->rows[1] == 0 && s->rows[1] % f.groups == 0 &&
	       all == outputs(whole, fused) &&
	       (head || !whole->rotates);
}
