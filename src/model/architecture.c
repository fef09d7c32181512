/* architecture.c: what converters call a model type in GGUF files. */
#include <string.h>

#include "model/config.h"
#include "model/target.h"
#include "text/words.h"

/*
 * Names that are not those of the model type without _ and -. llama.cpp,
 * convert_hf_to_gguf.py and gguf-py/gguf/constants.py (December 2025).
 */
static const struct {
	const char *name, *types;
} others[] = {
	{ "llama", "mistral mixtral internlm3 Yi" },
	{ "mistral3", "ministral3" },
	{ "phi2", "phi" },
	{ "command-r", "cohere" },
	{ "chatglm", "glm" },
	{ "olmo2", "olmo3" },
	{ "deepseek2", "deepseek_v2 deepseek_v3 kimi_k2 glm4_moe_lite" },
	{ "qwen2vl", "qwen2_5_vl_text" },
	{ "granitemoe", "granitemoeshared" },
	{ "granitehybrid", "granitemoehybrid" },
	{ "hunyuan-dense", "hunyuan_v1_dense" },
	{ "hunyuan-moe", "hunyuan_v1_moe" },
	{ "falcon", "RefinedWeb RefinedWebModel" },
	{ "stablelm", "stablelm_epoch" },
	{ "jina-bert-v3", "jina_embeddings_v3" },
};

/* The next letter or digit, in lower case; '\0' at the end. */
static char next_letter(const char **at)
{
	static const char upper[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char lower[] = "abcdefghijklmnopqrstuvwxyz";
	const char *found, *letter;

	*at += strspn(*at, "_-");
	if (!**at || strcmp(*at, "text") == 0)
		return '\0';
	found = strchr(upper, **at);
	letter = found ? &lower[found - upper] : *at;
	(*at)++;
	return *letter;
}

/* Whether two names are one but for _ and -, capitals and _text. */
static bool is_same(const char *a, const char *b)
{
	char x, y;

	do {
		x = next_letter(&a);
		y = next_letter(&b);
	} while (x && x == y);
	return x == y;
}

/* The word of a list that is the same name; NULL: none. */
static const char *same_word(const struct config *c, const char *words)
{
	while (words && *words) {
		const size_t n = strcspn(words, " ");
		const char *word = config_text(c, "%.*s", (int)n, words);

		if (!word || is_same(word, c->type))
			return word;
		words += n + strspn(words + n, " ");
	}
	return NULL;
}

const char *architecture_of(const struct config *c)
{
	const char *name = NULL;

	if (c->gguf || !c->type)
		return c->type;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (text_has_word(others[i].types, c->type, " "))
			return others[i].name;
	for (const struct model *m = gguf_models; m->types && !name; m++)
		name = same_word(c, m->types);
	return name;
}

const struct model *architecture_row(const char *name, bool sections)
{
	const struct model *found = NULL;

	for (const struct model *m = gguf_models; name && m->types; m++)
		if (m->kind == MODEL_ROTARY && !m->refuse &&
		    text_has_word(m->types, name, " ") &&
		    (!found || !found->sections == sections))
			found = m;
	return found;
}

bool architecture_reads(const char *name, bool lists)
{
	/* Those that create the tensors: llama.cpp, src/models */
	static const char both[] = "llama llama-embed deci minicpm granite "
				   "granitemoe mistral3 apertus";

	return text_has_word(both, name, " ") ||
	       text_has_word(lists ? "phi3 phimoe minicpm3"
				   : "llama4 exaone exaone4 arcee", name, " ");
}
