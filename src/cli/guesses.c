/* guesses.c: words of other programs and papers, and their names here. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/guesses.h"
#include "cli/scope.h"
#include "text/words.h"

/* Words, in lower case with '-' for '_', and what is meant by them. */
struct guess {
	const char *words;    /* separated by blanks */
	const char *options;  /* the first of these that the command has,
				 "mask kind=causal": --kind if it takes that
				 value; or */
	const char *answer;   /* what is said after the word; of a command
				 that has one of options, if there are any */
	bool suffix;          /* -o FILE.WORD gets the same answer */
};

static const struct guess commands[] = {
	{ .words = "plot draw view display print cat convert export open load "
		   "read visualize visualise heatmap figure image picture save",
	  .answer = "; 'posenc show FILE' shows, draws or converts a table" },
	{ .words = "info stats statistics describe check analyze analyse "
		   "summary report head shape",
	  .answer = "; 'posenc inspect FILE' reports on a table" },
	{ .words = "diff cmp equal allclose verify test",
	  .answer = "; 'posenc compare FILE FILE' says how tables differ" },
	{ .words = "limits limit memory ram",
	  .answer = "; LIMITS in the manual, 'man posenc', says how large "
		    "tables may be" },
	{ .words = "savefig imshow plt matplotlib pcolormesh heat-map",
	  .answer = "; -o FILE.png draws a heat map, 'posenc help figures' "
		    "has its options" },
	{ .words = "stack side-by-side beside subplots subplot panels",
	  .answer = "; 'posenc show A B --plot panels' draws tables and "
		    "their sum, --plot lines one over the other" },
	{ .words = "roformer long-term-decay",
	  .answer = "; 'posenc rope --out bound' makes the long-term decay "
		    "of RoFormer's figure" },
	{ .words = "detect guess recognize recognise what which find search",
	  .answer = "; 'posenc identify FILE' finds the command that made a "
		    "table" },
	{ .words = "cosine cosines",
	  .answer = "; 'posenc sinusoid' makes sines and cosines, 'posenc "
		    "similarity' compares rows" },
	{ .words = "sin cos sine sines sincos absolute pe positional position "
		   "positions encode encoding generate create make new "
		   "transformer vaswani attention-is-all-you-need",
	  .answer = "; 'posenc sinusoid' makes the table of the Transformer, "
		    "'posenc help' lists others" },
	{ .words = "learned learnt embedding embeddings lookup random normal "
		   "nn.embedding table",
	  .answer = "; 'posenc embed' takes rows of a learned or random "
		    "table" },
	{ .words = "rope rotary rotate rotation yarn ntk longrope",
	  .answer = "; 'posenc rope' makes rotary embeddings" },
	{ .words = "t5 bucket buckets bias biases relative-bias "
		   "relative-attention-bias",
	  .answer = "; 'posenc t5-bucket' makes T5's buckets and biases" },
	{ .words = "shaw deberta swin transformer-xl xl distance distances "
		   "relative-position relative-positions",
	  .answer = "; 'posenc relative' makes relative positions" },
	{ .words = "alibi slopes slope",
	  .answer = "; 'posenc alibi' makes slopes and biases" },
	{ .words = "2d 3d vit mae detr timm patch patches axial",
	  .answer = "; 'posenc grid' makes 2-D and 3-D tables" },
	{ .words = "binary gray one-hot onehot integer index normalized",
	  .answer = "; 'posenc naive --kind KIND' makes such positions" },
	{ .words = "causal window sliding-window attention-mask masks",
	  .answer = "; 'posenc mask --kind KIND' makes attention masks" },
	{ .words = "attention softmax scores weights logits",
	  .answer = "; 'posenc attend' computes attention" },
	{ .words = "dot dot-product gram cosine-similarity correlation l2",
	  .answer = "; 'posenc similarity FILE' compares rows with rows" },
	{ .words = "gguf reorder unpermute",
	  .answer = "; 'posenc permute' reorders rotary weights" },
	{ .words = "model hf huggingface transformers config.json llama llama2 "
		   "llama3 bert gpt2 gpt-2 gpt mistral qwen gemma",
	  .answer = "; 'posenc config config.json' names the commands of a "
		    "model" },
	{ .words = "npy csv json png svg pdf raw safetensors format formats "
		   "output outputs dtype dtypes",
	  .answer = "; outputs are options of a command, listed by 'posenc "
		    "help outputs'" },
	{ .words = "figures colors colours colormap colormaps cmap cmaps "
		   "clocks waves wavelengths lines steps cells tiles maps pca "
		   "panels animation animate theme",
	  .answer = "; options of figures are listed by 'posenc help "
		    "figures'" },
	{ .words = "preset conventions convention projects",
	  .answer = "; 'posenc presets' lists presets" },
	{ .words = "ls dir tensors names weights checkpoint state-dict keys "
		   "tree",
	  .answer = "; 'posenc list FILE' lists the tensors of a model" },
	{ .words = "list commands usage man manual ?",
	  .answer = "; 'posenc help' lists commands, 'posenc presets' lists "
		    "presets" },
	{ .words = "version",
	  .answer = "; 'posenc --version' prints the version" },
	{ .words = "complete autocomplete bash zsh fish",
	  .answer = "; 'posenc completion SHELL' prints a completion script" },
	{ .words = NULL }
};

static const char output_answer[] =
	"; -o FILE writes FILE in the format of its suffix";
static const char format_answer[] =
	"; each format is an option, such as --csv FILE or --npy FILE";
static const char size_answer[] =
	"; --width LENGTH, such as 8cm, sets the width of the figure, from "
	"which its height follows; --cell N sets the pixels of a cell";
static const char plain_answer[] =
	"; --plain --png FILE draws the values alone, without axes, ticks and "
	"colour bar";

static const struct guess options[] = {
	{ .words = "length n l t seq-len seqlen seq-length sequence-length "
		   "max-len max-length max-seq-len max-sequence-length "
		   "max-position max-positions max-position-embeddings "
		   "n-positions num-positions n-ctx ctx context context-length "
		   "block-size tokens num-tokens size",
	  .options = "len max-position grid" },
	{ .words = "cols columns", .options = "select",
	  .answer = "; --select ROWS,COLS takes a part of a TABLE, its first "
		    "column with --select :,0:1" },
	{ .words = "d-model dmodel d model-dim hidden hidden-size hidden-dim "
		   "embed-dim embedding-dim emb-dim n-embd head-dim d-head "
		   "features num-features channels cols columns dimension "
		   "dimensions",
	  .options = "dim" },
	{ .words = "theta rope-theta base-freq freq-base rope-freq-base "
		   "max-period max-timescale temperature b",
	  .options = "base temperature" },
	{ .words = "n-heads n-head nheads nhead num-heads num-attention-heads "
		   "attention-heads h heads",
	  .options = "heads weights head" },
	{ .words = "q-len query-length n-queries", .options = "query-len" },
	{ .words = "k-len key-length kv-len n-keys", .options = "key-len" },
	{ .words = "offset begin from first-position initial",
	  .options = "start past by" },
	{ .words = "pos position position-ids indices index",
	  .options = "positions ids" },
	{ .words = "vocab-size num-embeddings n-vocab vocabulary",
	  .options = "vocab" },
	{ .words = "random-seed random-state manual-seed", .options = "seed" },
	{ .words = "rotary-ndims rotary-percent rotary-pct "
		   "partial-rotary-factor rot-dim",
	  .options = "rotary-dim" },
	{ .words = "factor scaling-factor rope-factor", .options = "scaling",
	  .answer = "; the factor stands in --scaling, as in --scaling "
		    "yarn:4,4096" },
	{ .words = "rope-scaling rope-type yarn ntk", .options = "scaling" },
	{ .words = "interleaved interleave neox is-neox-style rotate-half "
		   "concat split",
	  .options = "pairs layout" },
	{ .words = "buckets n-buckets relative-attention-num-buckets",
	  .options = "num-buckets" },
	{ .words = "relative-attention-max-distance max-dist",
	  .options = "max-distance" },
	{ .words = "max-relative-position max-relative-positions",
	  .options = "clip" },
	{ .words = "causal is-causal window window-size sliding-window",
	  .options = "mask kind=causal" },
	{ .words = "delta k", .options = "shift by" },
	{ .words = "type", .options = "kind dtype" },
	{ .words = "data-type float16 fp16 half bfloat16 bf16 float64 "
		   "double f32 f64 int8 int32 int64",
	  .options = "dtype" },
	{ .words = "model model-config hf convention style project",
	  .options = "config preset" },
	{ .words = "preset", .options = "config" },
	{ .words = "input in i weights weight checkpoint file f embeddings",
	  .options = "table apply" },
	{ .words = "tolerance tol abs-tol eps", .options = "atol" },
	{ .words = "rel-tol", .options = "rtol" },
	{ .words = "j jobs cores workers num-threads n-jobs parallel",
	  .options = "threads" },
	{ .words = "colormap color-map colour-map color colors colour "
		   "colours palette c",
	  .options = "cmap" },
	{ .words = "vmin vmax clim vrange limits", .options = "range" },
	{ .words = "name caption", .options = "title" },
	{ .words = "chart figure fig heatmap lines graph", .options = "plot" },
	{ .words = "dark dark-mode light background", .options = "theme" },
	{ .words = "dpi zoom resolution", .options = "scale" },
	{ .words = "digits decimals places", .options = "precision" },
	{ .words = "show display print terminal ascii",
	  .options = "preview" },
	{ .words = "silent q no-progress", .options = "quiet" },
	{ .words = "headers labels with-header", .options = "header" },
	{ .words = "slice part", .options = "select rows" },
	{ .words = "output out outfile out-file file save save-to export to "
		   "dest path filename",
	  .answer = output_answer },
	{ .words = "format fmt ext", .answer = format_answer },
	{ .words = "eps ps jpg jpeg bmp tif tiff", .suffix = true,
	  .answer = "; figures are written as .png, .svg and .pdf" },
	{ .words = "npz pt pth bin ckpt h5 hdf5 onnx gguf pkl pickle",
	  .suffix = true,
	  .answer = "; NumPy and PyTorch read what is written as .npy and "
		    ".safetensors" },
	{ .words = "numpy np", .options = "npy" },
	{ .words = "binary bytes", .options = "raw" },
	{ .words = "text txt dat", .suffix = true,
	  .answer = "; --csv FILE writes text" },
	{ .words = "tsv tab tabs", .suffix = true,
	  .answer = "; for tabs in place of commas: --csv - | tr , '\\t' "
		    ">FILE.tsv" },
	{ .words = "md markdown", .suffix = true,
	  .answer = "; Markdown shows a figure, -o FILE.svg, and --csv FILE "
		    "writes the values" },
	{ .words = "image picture", .options = "png" },
	{ .words = "gif apng webp mp4 webm movie video", .suffix = true,
	  .answer = "; an animated PNG (APNG) plays in browsers: --animate "
		    "NAME=A:B --png FILE" },
	{ .words = "latex tex pgf tikz", .suffix = true,
	  .answer = "; LaTeX takes a figure as PDF: --width 8cm --pdf FILE" },
	{ .words = "width height figsize fig-size w",
	  .answer = size_answer },
	{ .words = "font-size fontsize text-size",
	  .answer = "; text is 8 to 9 pt in a figure of the width in print, "
		    "--width LENGTH" },
	{ .words = "no-title notitle",
	  .answer = "; --title '' leaves the title out" },
	{ .words = "no-colorbar no-cbar colorbar cbar no-axes no-axis "
		   "axis-off no-ticks no-labels",
	  .answer = plain_answer },
	{ .words = "ticks xticks yticks tick-labels",
	  .answer = "; ticks are chosen to fit, and --words 'A B C' labels "
		    "positions" },
	{ .words = "transparent alpha no-background",
	  .answer = "; a figure has an opaque page, whose colour --theme "
		    "sets" },
	{ .words = "scheme encoding",
	  .answer = "; each scheme is a command, such as 'posenc rope', and "
		    "'posenc attend' has --scheme" },
	{ .words = "metric",
	  .answer = "; 'posenc similarity TABLE' has --metric" },
	{ .words = "force overwrite y yes",
	  .answer = "; existing files are replaced without asking" },
	{ .words = "v version",
	  .answer = "; 'posenc --version' prints the version" },
	{ .words = NULL }
};

enum { WORD_MOST = 40 };

/* Write the word without its dashes, as the tables have it, to plain. */
static void plain_word(const char *word, char plain[WORD_MOST])
{
	snprintf(plain, WORD_MOST, "%s", word + strspn(word, "-"));
	for (char *c = plain; *c; c++)
		*c = (char)(*c == '_' ? '-' : tolower((unsigned char)*c));
}

/* Whether word is a number, a list, a range or a size: "2x3". */
static bool is_number(const char *word)
{
	return isdigit((unsigned char)*word) &&
	       !word[strspn(word, "0123456789.eE,:x")];
}

/* Whether word may name a file: it has a suffix or a folder. */
static bool is_path(const char *word)
{
	return strpbrk(word, "./");
}

/* The first of guesses that has the word, or the one after the last. */
static const struct guess *guess_of(const struct guess *guesses,
				    const char *word)
{
	char plain[WORD_MOST];

	plain_word(word, plain);
	while (guesses->words && !text_has_word(guesses->words, plain, " "))
		guesses++;
	return guesses;
}

const char *guess_said(const char *word, size_t i)
{
	const char *of_command = guess_of(commands, word)->answer;
	const char *of_option = guess_of(options, word)->answer;

	if (of_command && of_option && strcmp(of_command, of_option) == 0)
		of_option = NULL;
	if (i == 0 && of_command)
		return of_command;
	return i == (of_command != NULL) ? of_option : NULL;
}

const char *guess_command(const char *word)
{
	const char *answer = guess_of(commands, word)->answer;

	if (answer)
		return answer;
	if (*word == '-' || is_number(word))
		return "; a command comes first, as in posenc sinusoid --len 4 "
		       "--dim 4";
	return is_path(word)
	       ? "; 'posenc show FILE' shows a table, 'posenc inspect FILE' "
		 "reports on it"
	       : NULL;
}

/*
 * Whether o is what a guess names, "kind", and has the value that may follow,
 * "kind=causal".
 */
static bool is_named(const struct option *o, const char *name, size_t length)
{
	const size_t n = strcspn(name, " =");
	char flag[40];

	return text_is(name, n, option_flag(o, flag) + 2) &&
	       (n == length ||
		option_has_word(o, name + n + 1, length - n - 1));
}

const struct option *guess_option_of(const struct option *among,
				     const char *word)
{
	const char *at = guess_of(options, word)->options;

	for (; at && *at; at += *at == ' ') {
		const size_t length = strcspn(at, " ");

		for (const struct option *o = among; o->name; o++)
			if (is_named(o, at, length))
				return o;
		at += length;
	}
	return NULL;
}

/* An option that a command may have. */
struct sought {
	const char *name;  /* [length] */
	size_t length;
	bool found;
};

static void seek(const struct item *item, void *with)
{
	struct sought *s = with;

	s->found |= item->option
		    ? is_named(item->option, s->name, s->length)
		    : text_is(s->name, s->length, item->flag + 2);
}

/* Make the first of names that r has the nearest of l. */
static bool suggest(const struct recipe *r, const char *names,
		    struct lookup *l)
{
	for (const char *at = names; *at; at += *at == ' ') {
		struct sought s = { at, strcspn(at, " "), false };

		scope_visit(r, seek, &s);
		if (s.found) {
			snprintf(l->nearest, sizeof l->nearest, "--%.*s",
				 (int)strcspn(at, " ="), at);
			return true;
		}
		at += s.length;
	}
	return false;
}

/* The value that an option may have, and the lookup that wants it. */
struct value {
	char word[WORD_MOST];
	struct lookup *l;
};

/* Make "--kind causal" the nearest if the option takes that word. */
static void seek_value(const struct item *item, void *with)
{
	struct value *v = with;
	const char *const *w = item->option ? item->option->words : NULL;

	for (; w && *w && !v->l->nearest[0]; w++) {
		const size_t n = strcspn(*w, ":[");

		if (n > 1 && text_is(*w, n, v->word))
			snprintf(v->l->nearest, sizeof v->l->nearest, "%s %.*s",
				 item->flag, (int)strcspn(*w, "["), *w);
	}
}

/* Whether what l looks up is a value of an option of r, its nearest then. */
static bool suggest_value(const struct recipe *r, struct lookup *l)
{
	struct value v = { .l = l };

	plain_word(l->name, v.word);
	scope_visit(r, seek_value, &v);
	return l->nearest[0];
}

/*
 * Whether the option that l looks up is one of r in other letters, or a value
 * of one, or has another name there, which becomes the nearest of l, or *advice
 * says what does it.
 */
static bool guess(const struct recipe *r, struct lookup *l,
		  const char **advice)
{
	char plain[WORD_MOST];

	plain_word(l->name, plain);
	if (suggest(r, plain, l) || suggest_value(r, l))
		return true;
	for (const struct guess *g = options; g->words; g++) {
		if (!text_has_word(g->words, plain, " "))
			continue;
		if (g->options && !suggest(r, g->options, l))
			continue;
		if (g->answer) {
			*advice = g->answer;
			l->nearest[0] = '\0';
		}
		return true;
	}
	return false;
}

static void look(const struct item *item, void *with)
{
	lookup_is(with, item->flag);
}

bool guess_option(const struct recipe *r, const char *flag, size_t length,
		  struct error *err)
{
	char name[60], help[60];
	const char *advice = help;
	struct lookup l;

	snprintf(name, sizeof name, "%.*s", (int)length, flag);
	snprintf(help, sizeof help, "; 'posenc %s --help' lists them", r->name);
	l = lookup_begin(name);
	if (!guess(r, &l, &advice))
		scope_visit(r, look, &l);
	return lookup_fail(&l, "unknown option", advice, err);
}

bool guess_suffix(const char *path, struct error *err)
{
	const char *dot = strrchr(path, '.');
	const struct guess *g = guess_of(options, dot ? dot + 1 : "");

	return !g->suffix ||
	       fail_file(err, path, "unknown suffix%s", g->answer);
}

/* The option of r that reads a table, or NULL. */
static const struct option *table_option(const struct recipe *r)
{
	for (const struct option *o = r->options; o->name; o++)
		if (o->kind == OPTION_TABLE)
			return o;
	return NULL;
}

static bool is_preset(const struct recipe *r, const char *word)
{
	const struct preset *p = r->presets;

	while (p && p->name && strcmp(p->name, word) != 0)
		p++;
	return p && p->name;
}

bool guess_argument(const struct recipe *r, const char *word,
		    struct error *err)
{
	const struct option *table = table_option(r);
	struct lookup l = lookup_begin(word);
	char flag[40];

	if (is_preset(r, word))
		return fail(err, "unexpected argument '%.60s'; --preset %s "
			    "takes that preset", word, word);
	if (is_number(word))
		return fail(err, "unexpected argument '%.60s'; a value follows "
			    "its option, as in %s", word, r->example);
	if (suggest_value(r, &l) || !is_path(word))
		return lookup_fail(&l, "unexpected argument",
				   "; options begin with --", err);
	if (table)
		return fail(err, "unexpected argument '%.60s'; %s FILE reads a "
			    "table, -o FILE writes one", word,
			    option_flag(table, flag));
	return fail(err, "unexpected argument '%.60s'; -o FILE writes the "
		    "table, 'posenc show FILE' reads one", word);
}
