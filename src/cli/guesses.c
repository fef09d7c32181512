/* guesses.c: words of other programs and papers, and their names here. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/guesses.h"
#include "cli/scope.h"
#include "text/words.h"

/* Words, in lower case with '-' for '_' and ' ', and what is meant by them. */
struct guess {
	const char *words;    /* separated by blanks */
	const char *options;  /* the first of these that the command has,
				 "mask kind=causal": --kind if it takes that
				 value; or */
	const char *answer;   /* what is said after the word; of a command
				 that has one of options, if there are any */
	bool suffix;          /* -o FILE.WORD gets the same answer */
};

#define SAY(words, answer) { words, NULL, "; " answer, false }
#define IS(words, options) { words, options, NULL, false }
#define EITHER(words, options, answer) { words, options, "; " answer, false }
#define WRITES(words, answer) { words, NULL, "; " answer, true }

static const struct guess commands[] = {
	SAY("plot draw view display print cat convert export open load read "
	    "visualize visualise heatmap figure image picture save",
	    "'posenc show FILE' shows, draws or converts a table"),
	SAY("info stats statistics describe check analyze analyse summary "
	    "report head shape", "'posenc inspect FILE' reports on a table"),
	SAY("diff cmp equal allclose verify test",
	    "'posenc compare FILE FILE' says how tables differ"),
	SAY("limits limit memory ram",
	    "LIMITS in the manual, 'man posenc', says how large tables may be"),
	SAY("savefig imshow plt matplotlib pcolormesh heat-map",
	    "-o FILE.png draws a heat map, 'posenc help figures' has its "
	    "options"),
	SAY("stack side-by-side sidebyside beside subplots subplot subfigures "
	    "subfigure panels",
	    "'posenc figure' draws several figures in one, 'posenc show A B "
	    "--plot panels' tables and their sum, --plot lines one over the "
	    "other"),
	SAY("overlay curves two-curves two-lines two-bases same-axes "
	    "one-figure log-scale log-axis logarithmic",
	    "'posenc show A B --plot lines --log x' draws tables over one "
	    "another"),
	SAY("slide slides powerpoint keynote",
	    "--aspect 16:9 --theme dark draws a slide, 'posenc help animate' "
	    "makes films of figures"),
	SAY("grayscale greyscale gray-scale black-and-white monochrome "
	    "colorblind colourblind 흑백",
	    "--theme print is for prints without colours, --cmap cividis for "
	    "all eyes"),
	SAY("korean hangul 한글 한국어",
	    "--lang ko writes titles and names of axes in Korean"),
	SAY("sentence", "--words labels positions by the words of a sentence"),
	SAY("axis-name axis-names", "--xlabel and --ylabel name axes"),
	SAY("column-width two-column paper-figure",
	    "--width 8.4cm fits the column of a paper"),
	SAY("roformer long-term-decay",
	    "'posenc rope --out bound' makes the long-term decay of "
	    "RoFormer's figure"),
	SAY("detect guess recognize recognise what which find search",
	    "'posenc identify FILE' finds the command that made a table"),
	SAY("cosine cosines",
	    "'posenc sinusoid' makes sines and cosines, 'posenc similarity' "
	    "compares rows"),
	SAY("sin cos sine sines sincos absolute pe positional position "
	    "positions encode encoding generate create make new transformer "
	    "vaswani attention-is-all-you-need",
	    "'posenc sinusoid' makes the table of the Transformer, 'posenc "
	    "help' lists others"),
	SAY("learned learnt embedding embeddings lookup random normal "
	    "nn.embedding table",
	    "'posenc embed' takes rows of a learned or random table"),
	SAY("rope rotary rotate rotation yarn ntk longrope",
	    "'posenc rope' makes rotary embeddings"),
	SAY("t5 bucket buckets bias biases relative-bias "
	    "relative-attention-bias",
	    "'posenc t5-bucket' makes T5's buckets and biases"),
	SAY("shaw deberta swin transformer-xl xl distance distances "
	    "relative-position relative-positions",
	    "'posenc relative' makes relative positions"),
	SAY("alibi slopes slope", "'posenc alibi' makes slopes and biases"),
	SAY("2d 3d vit mae detr timm patch patches axial",
	    "'posenc grid' makes 2-D and 3-D tables, 'posenc similarity "
	    "--plot tiles' compares cells"),
	SAY("binary gray one-hot onehot integer index normalized",
	    "'posenc naive --kind KIND' makes such positions"),
	SAY("causal window sliding-window attention-mask masks",
	    "'posenc mask --kind KIND' makes attention masks"),
	SAY("attention softmax scores weights logits",
	    "'posenc attend' computes attention"),
	SAY("dot dot-product gram cosine-similarity correlation l2",
	    "'posenc similarity FILE' compares rows with rows"),
	SAY("gguf reorder unpermute",
	    "'posenc permute' reorders rotary weights"),
	SAY("model hf huggingface transformers config.json llama llama2 "
	    "llama3 gpt2 gpt-2 gpt mistral qwen gemma",
	    "'posenc config config.json' names the commands of a model"),
	SAY("bert segment-embeddings",
	    "'posenc config FILE' names a model's commands, 'posenc embed "
	    "--segments' adds segments"),
	SAY("npy csv json png gif svg pdf raw safetensors format formats "
	    "output outputs dtype dtypes",
	    "outputs are options of a command, listed by 'posenc help "
	    "outputs'"),
	SAY("figures colors colours colormap colormaps cmap cmaps clocks "
	    "waves wavelengths vectors lines steps bars cells tiles maps pca "
	    "panels blocks animation animate theme",
	    "options of figures are listed by 'posenc help figures'"),
	SAY("preset conventions convention projects",
	    "'posenc presets' lists presets"),
	SAY("ls dir tensors names weights checkpoint state-dict keys tree",
	    "'posenc list FILE' lists the tensors of a model"),
	SAY("list commands usage man manual ?",
	    "'posenc help' lists commands, 'posenc presets' lists presets"),
	SAY("version", "'posenc --version' prints the version"),
	SAY("complete autocomplete bash zsh fish",
	    "'posenc completion SHELL' prints a completion script"),
	{ .words = NULL }
};

static const struct guess options[] = {
	IS("length n l t seq-len seqlen seq-length sequence-length max-len "
	   "max-length max-seq-len max-sequence-length max-position "
	   "max-positions max-position-embeddings n-positions num-positions "
	   "n-ctx ctx context context-length block-size tokens num-tokens size",
	   "len max-position grid"),
	EITHER("cols columns", "select",
	       "--select ROWS,COLS takes a part of a TABLE, its first column "
	       "with --select :,0:1"),
	IS("d-model dmodel d model-dim hidden hidden-size hidden-dim "
	   "embed-dim embedding-dim emb-dim n-embd head-dim d-head features "
	   "num-features channels cols columns dimension dimensions", "dim"),
	IS("theta rope-theta base-freq freq-base rope-freq-base max-period "
	   "max-timescale temperature b", "base temperature"),
	IS("n-heads n-head nheads nhead num-heads num-attention-heads "
	   "attention-heads h heads", "heads weights head"),
	IS("q-len query-length n-queries", "query-len"),
	IS("k-len key-length kv-len n-keys", "key-len"),
	IS("offset begin from first-position initial", "start past by"),
	IS("pos position position-ids indices index", "positions ids"),
	IS("vocab-size num-embeddings n-vocab vocabulary", "vocab"),
	IS("random-seed random-state manual-seed", "seed"),
	IS("rotary-ndims rotary-percent rotary-pct partial-rotary-factor "
	   "rot-dim", "rotary-dim"),
	EITHER("factor scaling-factor rope-factor", "scaling",
	       "the factor stands in --scaling, as in --scaling yarn:4,4096"),
	IS("rope-scaling rope-type yarn ntk", "scaling"),
	IS("interleaved interleave neox is-neox-style rotate-half concat split",
	   "pairs layout"),
	IS("buckets n-buckets relative-attention-num-buckets", "num-buckets"),
	IS("relative-attention-max-distance max-dist", "max-distance"),
	IS("max-relative-position max-relative-positions", "clip"),
	IS("causal is-causal window window-size sliding-window",
	   "mask kind=causal"),
	IS("delta k", "shift by"),
	IS("type", "kind dtype"),
	IS("data-type float16 fp16 half bfloat16 bf16 float64 double f32 f64 "
	   "int8 int32 int64", "dtype"),
	IS("model model-config hf convention style project", "config preset"),
	IS("preset", "config"),
	IS("input in i weights weight checkpoint file f embeddings",
	   "table apply"),
	IS("tolerance tol abs-tol eps", "atol"),
	IS("rel-tol", "rtol"),
	IS("j jobs cores workers num-threads n-jobs parallel", "threads"),
	IS("colormap color-map colour-map color colors colour colours palette "
	   "c", "cmap"),
	IS("vmin vmax clim vrange limits", "range"),
	IS("name caption", "title"),
	SAY("names", "'posenc figure' has --names, of the figures in it"),
	IS("chart figure fig heatmap lines graph", "plot"),
	IS("dark dark-mode light background", "theme"),
	IS("mark marks emphasize outline", "highlight"),
	IS("annotation annotations callout arrow", "annotate"),
	SAY("formula formulas math equation greek",
	    "titles, names and words may have formulas, '$\\theta_i$': "
	    "'posenc help figures' tells which"),
	IS("dpi zoom resolution", "scale"),
	IS("digits decimals places", "precision"),
	IS("show display print terminal ascii", "preview"),
	IS("silent q no-progress", "quiet"),
	IS("headers labels with-header", "header"),
	IS("slice part", "select rows"),
	SAY("output out outfile out-file file save save-to export to dest "
	    "path filename", "-o FILE writes FILE in the format of its suffix"),
	SAY("format fmt ext",
	    "each format is an option, such as --csv FILE or --npy FILE"),
	WRITES("eps ps jpg jpeg bmp tif tiff",
	       "figures are written as .png, .svg and .pdf"),
	WRITES("pt pth bin ckpt h5 hdf5 onnx gguf pkl pickle",
	       "NumPy and PyTorch read what is written as .npy and "
	       ".safetensors"),
	IS("numpy np", "npy"),
	IS("binary bytes", "raw"),
	WRITES("text txt dat", "--csv FILE writes text"),
	IS("tab tabs", "tsv"),
	IS("markdown", "md"),
	IS("image picture", "png"),
	WRITES("apng webp mp4 webm movie video",
	       "an animated PNG (APNG) plays in browsers: --animate NAME=A:B "
	       "--png FILE; --gif is GIF; 'posenc help animate' makes MP4"),
	WRITES("latex pgf tikz",
	       "LaTeX takes a figure as PDF, --width 8cm --pdf FILE, and a "
	       "small table from --tex FILE"),
	SAY("figsize fig-size w",
	    "--width LENGTH, such as 8cm, sets the width of the figure, from "
	    "which its height follows unless --height or --aspect sets it; "
	    "--cell N sets the pixels of a cell"),
	IS("aspect-ratio ratio", "aspect"),
	IS("fontsize text-size", "font-size"),
	IS("notitle", "no-title"),
	IS("no-cbar colorbar cbar", "no-colorbar"),
	SAY("no-axes no-axis axis-off no-ticks no-labels",
	    "--plain --png FILE draws the values alone, without axes, ticks "
	    "and colour bar"),
	SAY("ticks xticks yticks tick-labels",
	    "ticks are chosen to fit, and --words 'A B C' labels positions"),
	IS("alpha no-background", "transparent"),
	IS("grayscale greyscale grey monochrome bw", "theme"),
	SAY("scheme encoding",
	    "each scheme is a command, such as 'posenc rope', and 'posenc "
	    "attend' has --scheme"),
	SAY("metric", "'posenc similarity TABLE' has --metric"),
	SAY("force overwrite y yes",
	    "existing files are replaced without asking"),
	SAY("v version", "'posenc --version' prints the version"),
	{ .words = NULL }
};

enum { WORD_MOST = 40 };

/* Write the word without its dashes, as the tables have it, to plain. */
static void plain_word(const char *word, char plain[WORD_MOST])
{
	snprintf(plain, WORD_MOST, "%s", word + strspn(word, "-"));
	for (char *c = plain; *c; c++)
		*c = (char)(*c == '_' || *c == ' '
			    ? '-' : tolower((unsigned char)*c));
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

/* Make the first of names that r has the nearest of l. */
static bool suggest(const struct recipe *r, const char *names,
		    struct lookup *l)
{
	for (const char *at = names; *at; at += *at == ' ') {
		const size_t n = strcspn(at, " ");

		for (struct item i = { 0 }; scope_item(r, &i);) {
			if (i.option ? !is_named(i.option, at, n)
				     : !text_is(at, n, i.flag + 2))
				continue;
			snprintf(l->nearest, sizeof l->nearest, "--%.*s",
				 (int)strcspn(at, " ="), at);
			return true;
		}
		at += n;
	}
	return false;
}

/* Make "--kind causal" the nearest of l if an option of r takes that word. */
static bool suggest_value(const struct recipe *r, struct lookup *l)
{
	char plain[WORD_MOST];

	plain_word(l->name, plain);
	for (struct item i = { 0 }; scope_item(r, &i);) {
		const char *const *w = i.option ? i.option->words : NULL;

		for (; w && *w; w++) {
			const size_t n = strcspn(*w, ":[");

			if (n < 2 || !text_is(*w, n, plain))
				continue;
			snprintf(l->nearest, sizeof l->nearest, "%s %.*s",
				 i.flag, (int)strcspn(*w, "["), *w);
			return true;
		}
	}
	return false;
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

bool guess_option(const struct recipe *r, const char *flag, size_t length,
		  struct error *err)
{
	char name[60], help[60];
	const char *advice = help;
	struct lookup l;

	snprintf(name, sizeof name, "%.*s", (int)length, flag);
	/* Options of a figure's commands stand beside them */
	if (r->operand && strcmp(r->operand, "figures") == 0)
		advice = "; commands stand in quotes";
	snprintf(help, sizeof help, "; 'posenc %s --help' lists them", r->name);
	l = lookup_begin(name);
	if (!guess(r, &l, &advice))
		for (struct item i = { 0 }; scope_item(r, &i);)
			lookup_is(&l, i.flag);
	return lookup_fail(&l, "unknown option", advice, err);
}

bool guess_suffix(const char *path, struct error *err)
{
	const char *dot = strrchr(path, '.');
	const struct guess *g = guess_of(options, dot ? dot + 1 : "");

	return !g->suffix ||
	       fail_file(err, path, "unknown suffix%s", g->answer);
}

bool guess_argument(const struct recipe *r, const char *word,
		    struct error *err)
{
	const struct option *table = r->options;
	const struct preset *p = r->presets;
	struct lookup l = lookup_begin(word);
	char flag[40];

	while (table->name && table->kind != OPTION_TABLE)
		table++;
	while (p && p->name && strcmp(p->name, word) != 0)
		p++;
	if (p && p->name)
		return fail(err, "unexpected argument '%.60s'; --preset %s "
			    "takes that preset", word, word);
	if (is_number(word))
		return fail(err, "unexpected argument '%.60s'; a value follows "
			    "its option, as in %s", word, r->example);
	if (suggest_value(r, &l) || !is_path(word))
		return lookup_fail(&l, "unexpected argument",
				   "; options begin with --", err);
	if (table->name)
		return fail(err, "unexpected argument '%.60s'; %s FILE reads a "
			    "table, -o FILE writes one", word,
			    option_flag(table, flag));
	return fail(err, "unexpected argument '%.60s'; -o FILE writes the "
		    "table, 'posenc show FILE' reads one", word);
}

/* Values of options under the names of other programs. */
static const struct synonym {
	const char *option;   /* its name */
	const char *words;    /* values of other programs, in lower case */
	const char *value;    /* is meant; or */
	const char *answer;   /* what is said after the word */
} synonyms[] = {
	{ "metric", "euclidean euclid", "l2", NULL },
	{ "metric", "cos cosine-similarity", "cosine", NULL },
	{ "metric", "dot-product inner inner-product", "dot", NULL },
	{ "scheme", "rotary", "rope", NULL },
	{ "scheme", "sinusoidal", "sinusoid", NULL },
	{ "scheme", "shaw", "relative", NULL },
	{ "scheme", "t5-bucket", "t5", NULL },
	{ "scheme", "xl", "transformer-xl", NULL },
	{ "pairs", "neox gpt-neox rotate-half split", "half", NULL },
	{ "pairs", "gptj gpt-j adjacent", "interleaved", NULL },
	{ "layout", "concat concatenated half", "split", NULL },
	{ "dtype", "float single", "float32", NULL },
	{ "dtype", "double", "float64", NULL },
	{ "dtype", "half", "float16", NULL },
	{ "cmap", "grey greys grays", "gray", NULL },
	{ "cmap", "grey_r greys_r grays_r", "gray_r", NULL },
	{ "cmap", "hot", NULL, "; inferno is the nearest one" },
	{ "lang", "kr kor korean", "ko", NULL },
	{ "theme", "grayscale greyscale gray grey bw", "print", NULL },
	{ "cmap", "seismic bwr rdylbu", NULL,
	  "; vik, coolwarm and rdbu are for values of both signs" },
};

enum { SYNONYMS = sizeof synonyms / sizeof *synonyms };

const char *synonym_of(const struct option *o, const char *text,
		       struct error *err)
{
	const struct synonym *s = synonyms;
	char flag[40];

	while (s < synonyms + SYNONYMS &&
	       !(strcmp(s->option, o->name) == 0 &&
		 text_has_word(s->words, text, " ") &&
		 (!s->value || !o->words ||
		  option_has_word(o, s->value, strlen(s->value)))))
		s++;
	if (s == synonyms + SYNONYMS)
		return text;
	if (!s->value)
		fail(err, "%s: unknown value '%.60s'%s", option_flag(o, flag),
		     text, s->answer);
	return s->value;
}
