/* target_limits.c: what other programs cannot say, or read in another way. */
#include <math.h>
#include <string.h>

#include "model/key.h"
#include "model/target.h"
#include "text/words.h"

enum {
	FLAGS = 1 << TARGET_LLAMA_CPP, VLLM = 1 << TARGET_VLLM,
	FOUR = 1 << TARGET_TRANSFORMERS4, FIVE = 1 << TARGET_TRANSFORMERS5,
	GGUF = 1 << TARGET_GGUF,
	CPP = FLAGS | GGUF, JSON = VLLM | FOUR | FIVE,
};

/* What rotary positions may have that not every program can say. */
enum trait {
	PART = 1,         /* not all of the head rotates */
	SECTIONS = 2,     /* times, rows and columns */
	SHARP = 4,        /* yarn's ramp is not widened */
	ATTENTION = 8,    /* a factor of cosines that is not the scaling's */
	BY_LENGTH = 16,   /* the factor depends on the length */
	TYPES = 32,       /* types of layers differ */
	DIVISORS = 64,    /* of one list, for all lengths */
	UNKNOWN = 128,    /* to GGUF */
	PAIRS = 256,      /* the architecture has others */
	WHOLE = 512,      /* the architecture rotates all of the head */
	AXES = 1024,      /* the architecture has other sections */
	PERMUTED = 2048,  /* converters change the order of rows */
	MSCALE = 4096,    /* yarn's factor of cosines is a ratio */
	OTHER = 8192,     /* the file is no config.json of a known class */
	WINDOW = 16384,   /* of all layers, which the architecture has not */
	UNSURE = 32768,   /* which layers are scaled */
	FACTORS = 131072, /* tensors, which the architecture may not read */
	FIXED = 65536,    /* the class of transformers has its base in code */
	NEWER = 262144,   /* it is not in transformers 4 */
	COMPRESSED = 524288,  /* layers differ as in DeepSeek V4 */
};

/*
 * A sentence about these targets, kinds (NULL: any) and traits (all of them).
 * Read in December 2025: llama.cpp's common/arg.cpp, src/llama-context.cpp and
 * convert_hf_to_gguf.py; vLLM's config/model.py and layers/rotary_embedding;
 * transformers 4.57 and 5.3, modeling_rope_utils.py.
 */
static const struct limit {
	unsigned targets;
	const char *kinds;
	unsigned traits;
	bool differs;        /* it is said, but read in another way */
	const char *text;
} limits[] = {
	{ CPP, "dynamic", 0, false,
	  "dynamic scaling: llama.cpp has no frequencies that change with the "
	  "length" },
	{ FLAGS, "llama3", 0, false,
	  "llama3's smoothing: no flag says it; it is the tensor "
	  "rope_freqs.weight of the GGUF file ('posenc config --for gguf')" },
	{ FLAGS, "ntk-fixed", 0, false,
	  "divisors of ntk: no flag says them; they are the tensor "
	  "rope_freqs.weight of the GGUF file ('posenc config --for gguf')" },
	{ FOUR | FIVE, "deepseek_yarn telechat3-yarn", 0, false,
	  "the scaling: its rope_type is vLLM's, and transformers does not "
	  "know it" },
	{ VLLM, "linear dynamic yarn llama3 longrope", FIXED, false,
	  "the scaling: the class of transformers reads none, and posenc does "
	  "not know whether that of vLLM does" },
	{ VLLM, "ntk-fixed", 0, false,
	  "ntk of GTE's own code: posenc does not know whether vLLM divides "
	  "as that does" },
	{ FLAGS, "longrope", 0, false,
	  "longrope's factors: no flag says them; they are the tensors "
	  "rope_factors_long.weight and rope_factors_short.weight of the GGUF "
	  "file ('posenc config --for gguf')" },
	{ CPP, "proportional", 0, false,
	  "proportional frequencies: GGUF files have them in a tensor whose "
	  "values posenc does not write" },
	{ FLAGS, NULL, DIVISORS, false,
	  "divisors of frequencies: they are the tensor rope_freqs.weight of "
	  "the GGUF file" },
	{ CPP, NULL, SHARP, false,
	  "truncate false: llama.cpp widens YaRN's ramp to whole pairs" },
	{ CPP, NULL, BY_LENGTH, false,
	  "a factor of cosines that depends on the length: llama.cpp has one "
	  "for all lengths" },
	{ FLAGS, NULL, PART, false,
	  "that part of the head rotates: no flag says it; it is "
	  "rope.dimension_count of the GGUF file" },
	{ FLAGS, NULL, SECTIONS, false,
	  "sections of M-RoPE: no flag says them; they are "
	  "rope.dimension_sections of the GGUF file" },
	{ FOUR, NULL, NEWER, false,
	  "the model: transformers 4 has no class for its type" },
	{ FLAGS, NULL, COMPRESSED, false,
	  "two bases: no flag says that of compressed layers" },
	{ VLLM, NULL, COMPRESSED, true,
	  "main and compress are of newer versions: older ones read "
	  "rope_theta, compress_rope_theta and the scaling beside each other" },
	{ FLAGS, NULL, TYPES, false,
	  "two bases: --rope-freq-base is of full_attention alone; that of "
	  "sliding_attention is rope.freq_base_swa of the GGUF file, or stands "
	  "in llama.cpp's code" },
	{ CPP, NULL, UNKNOWN, false,
	  "the model: posenc knows no architecture of GGUF files for its "
	  "type" },
	{ CPP, NULL, PAIRS, false,
	  "the pairs of dimensions: the architecture has others" },
	{ GGUF, NULL, FACTORS, false,
	  "rotary factors: this is none of the architectures of which posenc "
	  "knows that llama.cpp reads those tensors" },
	{ GGUF, NULL, WHOLE, false,
	  "that part of the head rotates: llama.cpp rotates all of it in this "
	  "architecture" },
	{ GGUF, NULL, AXES, false,
	  "sections of M-RoPE: the architecture has none, or others" },
	{ VLLM, "dynamic", 0, false,
	  "dynamic scaling: vLLM makes one table of cosines for all lengths" },
	{ VLLM, "proportional", 0, false,
	  "proportional frequencies: posenc does not know whether vLLM reads "
	  "them" },
	{ FOUR, "proportional", 0, false,
	  "proportional frequencies: they are of transformers 5" },
	{ FOUR, NULL, TYPES, false,
	  "positions by type of layers: rope_theta and rope_scaling are of "
	  "one kind, and rope_parameters by type of transformers 5" },
	{ FOUR, NULL, UNSURE, false,
	  "that sliding_attention layers are not scaled: versions of "
	  "transformers and kernels differ in that" },
	{ JSON, "linear none", ATTENTION, false,
	  "a factor of cosines: no key of this scaling says it" },
	{ JSON, "yarn", DIVISORS, false,
	  "divisors of frequencies beside YaRN" },
	{ CPP, NULL, PERMUTED, true,
	  "pairs are fixed by the architecture: converters permute rows of q "
	  "and k from halves to neighbours" },
	{ CPP, NULL, WINDOW, true,
	  "the window of attention: llama.cpp has none in this architecture" },
	{ FLAGS, "yarn", ATTENTION, true,
	  "--yarn-attn-factor: since December 2025 it has no effect beside "
	  "YaRN, and before it multiplied 0.1 ln(factor) + 1; "
	  "rope.scaling.attn_factor multiplies that in both" },
	{ FLAGS, "longrope", 0, true,
	  "the long factors hold for all positions where --ctx-size is above "
	  "the original length" },
	{ VLLM, "longrope", 0, true,
	  "the long factors hold for all positions where --max-model-len is "
	  "above the original length; transformers takes the short ones while "
	  "a sequence is shorter" },
	{ VLLM, "yarn", MSCALE, true,
	  "mscale and mscale_all_dim: of vLLM's classes, not all read them" },
	{ JSON, NULL, OTHER, true,
	  "names of keys are the usual ones: those of the model's class may "
	  "differ, and so may its pairs" },
};

enum { LIMITS = sizeof limits / sizeof *limits };

/* The factor of cosines that the kind itself makes. */
static bool has_attention(const struct port *p, const struct port_layers *l)
{
	double x;

	return p->c->gguf || port_is_yarn(l)
	       ? port_number(p, l, TARGET_GGUF, KEY_ATTENTION, &x) : false;
}

/* Whether all layers have a window. */
static bool is_windowed(const struct port *p)
{
	struct error ignored = { 0 };
	struct config all = *p->c;
	const char *kind;

	all.err = &ignored;
	kind = mask_kind(&all);
	pass_memory(p->c->err, &ignored);
	return kind && strstr(kind, "window");
}

/* Whether it is not the same everywhere which types of layers are scaled. */
static bool is_unsure(const struct port *p)
{
	const enum model_layers layers = p->c->row->layers;

	return (layers == LAYERS_OLMO3 || layers == LAYERS_OWN_BASE_BOTH) &&
	       strcmp(port_kind(p->main, TARGET_VLLM)->name, "none") != 0;
}

/* Whether sections stand in one order, NULL: one after another. */
static bool is_same_order(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static size_t commas(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == ',';
	return n;
}

/* Whether a GGUF file needs tensors of rotary factors. */
static bool needs_factors(const struct port_layers *l)
{
	return l->r.scale.near ||
	       text_has_word("llama3 ntk-fixed",
			     port_kind(l, TARGET_GGUF)->name, " ");
}

static unsigned traits_of_row(const struct port *p,
			      const struct port_layers *l)
{
	const struct model *m = p->row;
	unsigned traits = 0;

	if (!m)
		return UNKNOWN;
	if (needs_factors(l) && !p->c->gguf &&
	    !architecture_reads(p->architecture, l->r.scale.far))
		traits |= FACTORS;
	if (m->permuted && !p->c->gguf)
		traits |= PERMUTED;
	if (m->interleaved != l->r.interleaved && !m->permuted)
		traits |= PAIRS;
	if (m->partial > 0 && l->r.dims < l->r.head)
		traits |= WHOLE;
	if (!m->sections != !l->r.sections ||
	    (m->sections && !is_same_order(m->mrope, l->r.mrope)) ||
	    (l->r.sections && commas(l->r.sections) > 2))
		traits |= AXES;
	if (m->layers == LAYERS_ALIKE && !m->windowed && is_windowed(p))
		traits |= WINDOW;
	return traits;
}

static unsigned traits_of(const struct port *p)
{
	const struct port_layers *l = p->main;
	const struct rotary_scaling *s = &l->r.scale;

	return traits_of_row(p, l) |
	       (l->r.dims < l->r.head ? PART : 0) |
	       (l->r.sections ? SECTIONS : 0) | (s->sharp ? SHARP : 0) |
	       (has_attention(p, l) ? ATTENTION : 0) |
	       (fabs(l->attention[0] - l->attention[1]) > 1e-7 ? BY_LENGTH
							       : 0) |
	       (s->near && !s->far ? DIVISORS : 0) |
	       (s->mscale > 0 ? MSCALE : 0) |
	       (p->other || !p->c->type ? OTHER : 0) |
	       (is_unsure(p) ? UNSURE : 0) |
	       (p->c->row->fixed ? FIXED : 0) | (p->c->newer ? NEWER : 0) |
	       (p->c->row->layers == LAYERS_COMPRESSED ? COMPRESSED :
		p->n > 1 ? TYPES : 0);
}

/* Add the sentences of one sort that hold. */
static size_t report_sort(const struct port *p, enum target t, bool differs,
			  struct report *r)
{
	const unsigned traits = traits_of(p);
	const char *kind = port_kind(p->main, t)->name;
	const char *lines[LIMITS + 1];
	/* Those of version 4 whose class has a key for it */
	const bool own = t == TARGET_TRANSFORMERS4 && p->local &&
			 p->n == 2 && key_is_own(p->c, KEY_LOCAL_BASE);
	size_t n = 0;

	for (const struct limit *l = limits; l < limits + LIMITS; l++)
		if ((l->targets >> t & 1) && l->differs == differs &&
		    (!l->kinds || text_has_word(l->kinds, kind, " ")) &&
		    (l->traits & traits) == l->traits &&
		    !(own && l->traits == TYPES))
			lines[n++] = l->text;
	if (!n && !differs && p->row && (CPP >> t & 1)) {
		lines[0] = port_gguf_refused(p);
		n += lines[0] != NULL;
	}
	if (!n && !differs && !p->other && ((FOUR | FIVE) >> t & 1)) {
		lines[0] = port_refused(p, port_json(p, t));
		n += lines[0] != NULL;
	}
	if (n) {
		report_group(r, "limits");
		report_lines(r, differs ? "differs" : "cannot_say", lines, n);
	}
	return n;
}

void port_limits(const struct port *p, enum target t, struct report *r)
{
	r->no |= report_sort(p, t, false, r) > 0;
	report_sort(p, t, true, r);
}
