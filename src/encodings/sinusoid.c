/* sinusoid.c: sines and cosines of positions, Vaswani et al. 2017. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "waves/convention.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"

struct sinusoid {
	struct positions positions;
	struct convention convention;
	double amp, amp_sqrt;
	struct integer zero_row;
	int emulate;

	struct wave wave;  /* computed from the options */
};

static const struct option sinusoid_options[] = {
	PRESET_OPTION,
	CONFIG_OPTION,
	POSITIONS_OPTIONS(offsetof(struct sinusoid, positions), true),
	CONVENTION_OPTIONS(offsetof(struct sinusoid, convention)),
	{ OPTION(struct sinusoid, amp), .initial = "1",
	  .phrase = "amplitude %",
	  .min = -1e300, .max = 1e300,
	  .arg = "A", .help = "factor of all values" },
	{ OPTION(struct sinusoid, amp_sqrt), .initial = "0",
	  .phrase = "times sqrt(%/dim)",
	  .min = 0, .max = 1e300,
	  .arg = "X", .help = "also multiply all values by sqrt(X / dim); 0: "
			      "no such factor" },
	{ OPTION(struct sinusoid, zero_row), .phrase = "zeros at position %",
	  .min = -POSITION_MOST, .max = POSITION_MOST,
	  .arg = "P", .help = "position of padding: its row is all zeros "
			      "(default: none)" },
	{ OPTION(struct sinusoid, emulate), .role = ROLE_ARITHMETIC,
	  .initial = "exact",
	  .words = emulation_names, .arg = "NAME",
	  .help = "reproduce the rounding of another program, in float32 "
		  "(numpy64: in float64), with correctly rounded "
		  "elementary functions; bf16- and fp16-: round frequencies, "
		  "positions, angles, or these and the values (all) to "
		  "bfloat16 or float16" },
	{0}
};

/* An odd dim is an error in a preset if it is one in the project. */
static const struct preset sinusoid_presets[] = {
	{ "paper",
	  "--base 10000 --layout interleaved --denom dim --first sin "
	  "--odd sine",
	  "Attention Is All You Need, Vaswani et al. 2017",
	  "arXiv:1706.03762, section 3.5",
	  "as quoted in harvardnlp/annotated-transformer, commit debc9fd",
	  NULL },
	{ "annotated",
	  "--base 10000 --layout interleaved --denom dim --first sin "
	  "--odd error",
	  "harvardnlp/annotated-transformer (and codertimo/BERT-pytorch, "
	  "OpenNMT-py's SinusoidalInterleaved)",
	  "the_annotated_transformer.py, PositionalEncoding",
	  "commit debc9fd; BERT-pytorch d10dc4f; OpenNMT-py v3.5.1",
	  "--emulate torch-exp" },
	{ "d2l",
	  "--base 10000 --layout interleaved --denom dim --first sin "
	  "--odd error",
	  "d2l-ai/d2l-en, Dive into Deep Learning",
	  "d2l/torch.py, PositionalEncoding",
	  "v1.0.3",
	  "--emulate torch-div" },
	{ "keras",
	  "--base 10000 --layout interleaved --denom dim --first sin "
	  "--odd sine",
	  "keras-team/keras-hub",
	  "keras_hub/src/layers/modeling/sine_position_encoding.py, "
	  "SinePositionEncoding",
	  "v0.31.1",
	  "--emulate keras" },
	{ "distilbert",
	  "--base 10000 --layout interleaved --denom dim --first sin "
	  "--odd sine",
	  "huggingface/transformers, DistilBERT with sinusoidal_pos_embds "
	  "(and XLM with sinusoidal_embeddings); otherwise their tables are "
	  "learned",
	  "models/distilbert/modeling_distilbert.py, "
	  "_create_sinusoidal_embeddings",
	  "commit 89c0c2e (5.10.0.dev0)",
	  "--emulate numpy64" },
	{ "marian",
	  "--base 10000 --layout split --denom dim --first sin --odd sine",
	  "huggingface/transformers, Marian (and Pegasus)",
	  "models/marian/modeling_marian.py, "
	  "MarianSinusoidalPositionalEmbedding",
	  "commit 89c0c2e (5.10.0.dev0)",
	  "--emulate numpy64" },
	{ "transformer-xl",
	  "--base 10000 --layout split --denom dim --first sin --odd error",
	  "kimiyoung/transformer-xl (and XLNet)",
	  "pytorch/mem_transformer.py, PositionalEmbedding",
	  "commit 44781ed; XLNet bbaa3a6",
	  "--emulate torch-pow" },
	{ "t2t",
	  "--base 10000 --layout split --denom t2t --first sin --odd zero",
	  "tensorflow/tensor2tensor (and flaxformer, in float64, for --dim 4 "
	  "and more)",
	  "tensor2tensor/layers/common_attention.py, get_timing_signal_1d",
	  "v1.15.7; flaxformer 399ea3a",
	  "--emulate t2t" },
	{ "fairseq",
	  "--base 10000 --layout split --denom half-1 --first sin --odd zero "
	  "--zero-row 1",
	  "facebookresearch/fairseq (and M2M100, Speech2Text of "
	  "huggingface/transformers); the first token has position 2",
	  "fairseq/modules/sinusoidal_positional_embedding.py, get_embedding",
	  "v0.12.3; transformers 89c0c2e (5.10.0.dev0)",
	  "--emulate fairseq" },
	{ "opennmt-concat",
	  "--base 10000 --layout split --denom half-1 --first sin --odd error",
	  "OpenNMT/OpenNMT-py, SinusoidalConcat",
	  "onmt/modules/embeddings.py, PositionalEncoding",
	  "v3.5.1",
	  "--emulate fairseq" },
	{ "whisper",
	  "--base 10000 --layout split --denom half-1 --first sin --odd error",
	  "openai/whisper",
	  "whisper/model.py, sinusoids",
	  "v20250625",
	  "--emulate fairseq" },
	{ "ddpm",
	  "--base 10000 --layout split --denom half-1 --first sin --odd zero",
	  "hojonathanho/diffusion",
	  "diffusion_tf/nn.py, get_timestep_embedding",
	  "commit 1e0dceb",
	  "--emulate fairseq" },
	{ "diffusers",
	  "--base 10000 --layout split --denom shift:1 --first sin --odd zero",
	  "huggingface/diffusers; --denom shift:0 --first cos in Stable "
	  "Diffusion",
	  "src/diffusers/models/embeddings.py, get_timestep_embedding",
	  "v0.40.0",
	  "--emulate diffusers" },
	{ "dit",
	  "--base 10000 --layout split --denom half --first cos --odd zero",
	  "facebookresearch/DiT (and GLIDE, ggml)",
	  "models.py, TimestepEmbedder.timestep_embedding",
	  "commit ed81ce2; GLIDE 69b5307; ggml v0.21.0",
	  "--emulate diffusers" },
	{ "seed1",
	  "--base 1000 --layout split --denom half-1 --first sin --odd fewer",
	  "tutorials on diffusion models, such as "
	  "sjchoi86/yet-another-diffusion-models",
	  "code/model.py, SinPositionEmbeddingsClass(dim, T=1000): as ddpm, "
	  "with base 1000",
	  "commit 534145d",
	  "--emulate fairseq" },
	{ "multidim",
	  "--base 10000 --layout interleaved --denom dim --first sin "
	  "--odd round-up",
	  "tatp22/multidim-positional-encoding",
	  "positional_encodings/torch_encodings.py, PositionalEncoding1D",
	  "commit efeb8d9 (6.0.4)",
	  "--emulate torch-pow" },
	{ "x-transformers",
	  "--base 10000 --layout split --denom half --first sin --odd error "
	  "--amp 1 --amp-sqrt 1",
	  "lucidrains/x-transformers; the learned amplitude starts here",
	  "x_transformers/x_transformers.py, ScaledSinusoidalEmbedding",
	  "commit 9252ed7 (2.26.4)",
	  "--emulate xt" },
	{ "mlx",
	  "--base 10000 --layout split --denom t2t --first sin --odd error "
	  "--amp 1 --amp-sqrt 2",
	  "ml-explore/mlx; --base is max_freq / min_freq, --angle-scale is "
	  "max_freq",
	  "python/mlx/nn/layers/positional_encoding.py, "
	  "SinusoidalPositionalEncoding",
	  "v0.32.1", NULL },
	{0}
};

static bool is_zero(const struct sinusoid *s, double position)
{
	const double zero = (double)s->zero_row.value;

	return s->zero_row.given && !(position < zero) &&
	       !(position > zero);
}

static const double *sinusoid_row(const struct table *t, size_t i,
				  double *scratch)
{
	const struct sinusoid *s = t->state;
	const double position = position_at(&s->positions, i);

	if (is_zero(s, position))
		memset(scratch, 0, t->cols * sizeof *scratch);
	else
		wave_row(&s->wave, t->dtype, position, scratch);
	return scratch;
}

static const double *sinusoid_between(const struct table *t, double i,
				      double *scratch)
{
	const struct sinusoid *s = t->state;

	wave_row(&s->wave, t->dtype,
		 fma(i, s->positions.step, s->positions.start), scratch);
	return scratch;
}

static void sinusoid_floats(const struct table *t, size_t first, size_t n,
			    float *out)
{
	const struct sinusoid *s = t->state;

	wave_floats(&s->wave, first, n, out);
	for (size_t i = 0; s->zero_row.given && i < n; i++)
		if (is_zero(s, position_at(&s->positions, first + i)))
			memset(out + i * t->cols, 0, t->cols * sizeof *out);
}

/* The largest magnitude of a position. */
static double farthest(const struct positions *p, size_t rows)
{
	double most = fmax(fabs(position_at(p, 0)),
			   fabs(position_at(p, rows - 1)));

	for (size_t i = 0; p->positions.at && i < rows; i++)
		most = fmax(most, fabs(p->positions.at[i]));
	return most;
}

static bool emulate(struct sinusoid *s, struct table *t, struct error *err)
{
	const struct convention *c = &s->convention;
	const char *word = emulation_names[s->emulate];
	struct emulation *e = &s->wave.emulation;
	double largest;

	if (s->emulate == EXACT || !s->wave.turns.n)
		return true;
	if (s->emulate >= LOW_PRECISION)
		return wave_lower_precision(&s->wave,
					    s->emulate - LOW_PRECISION + 1,
					    farthest(&s->positions, t->rows),
					    t, err);
	if (c->full_turns)
		return fail(err, "--emulate %s cannot be combined with "
			    "--full-turns", word);
	if (!emulation_begin(e, s->emulate, s->wave.turns.n, c->base,
			     convention_denominator(c), c->angle_scale, t, err))
		return false;
	largest = e->angle_max * farthest(&s->positions, t->rows);
	if (!(largest <= POSITION_MOST))
		return fail(err, "--emulate %s: expected angles of at most "
			    "2^53, got %g", word, largest);
	if (s->emulate != NUMPY64 && fabs(s->wave.amplitude) <= FLT_MAX)
		s->wave.amplitude = (double)(float)s->wave.amplitude;
	return true;
}

/* The greatest minus the least position of rows, plus 1. */
static double span(const struct positions *p, size_t rows)
{
	const double first = position_at(p, 0), last = position_at(p, rows - 1);
	double least = fmin(first, last), most = fmax(first, last);

	for (size_t i = 0; p->positions.at && i < rows; i++) {
		least = fmin(least, p->positions.at[i]);
		most = fmax(most, p->positions.at[i]);
	}
	return most - least + 1;
}

static bool sinusoid_make(void *self, const struct table *inputs,
			  struct table *t, struct error *err)
{
	struct sinusoid *s = self;
	const struct positions *p = &s->positions;

	(void)inputs;
	if (!positions_shape(p, t, err) ||
	    !convention_wave(&s->convention, &s->wave, t, err))
		return false;
	s->wave.amplitude = s->amp;
	if (s->amp_sqrt > 0)
		s->wave.amplitude *= sqrt(s->amp_sqrt /
					  (double)s->convention.dim);
	if (!emulate(s, t, err))
		return false;
	t->title = "Sinusoidal positional encoding";
	t->cols = s->wave.cols;
	t->dtype = F32;
	t->bounds = BOUNDS_TIGHT;
	t->hi = fabs(s->wave.amplitude);
	t->lo = -t->hi;
	t->col_axis = wave_columns(&s->wave);
	t->frequencies = wave_frequencies(&s->wave, span(p, t->rows));
	t->row = sinusoid_row;
	t->state = s;
	if (p->positions.at)
		return true;
	if (!wave_prepare(&s->wave, p->start, p->step, p->len, t, err))
		return false;
	t->floats = s->wave.block ? sinusoid_floats : NULL;
	t->block_rows = s->wave.block;
	if (wave_smooth(&s->wave) && !s->zero_row.given)
		t->between = sinusoid_between;
	return true;
}

const struct recipe sinusoid_recipe = {
	.name = "sinusoid",
	.summary = "sines and cosines of positions",
	.about =
"Makes the table [positions, dim] of the original Transformer. Each pair of\n"
"columns has the sine and cosine of the position at its own frequency.\n"
"Models add the table to their token embeddings. Presets give the variants\n"
"of other projects.\n",
	.details =
"  P[p, 2k]   = sin(p w_k)    w_k = base^(-2k/dim)\n"
"  P[p, 2k+1] = cos(p w_k)    p = start, start + step, ...\n"
"\n"
"Position 1 of dim 4: 0.84147096, 0.5403023, 0.009999833, 0.99995.\n"
"\n"
"Float32 values are correctly rounded at every position up to 2^53. Other\n"
"projects order the columns as [sin ... | cos ...] (--layout split), divide\n"
"by dim/2 - 1 (--denom half-1) or start at another position (--start).\n",
	.paper = "Vaswani et al. 2017, arXiv:1706.03762, section 3.5",
	.example = "posenc sinusoid --len 4 --dim 4",
	.options = sinusoid_options,
	.starts = (const struct start[]){
		{ "len", "128", "positions config" },
		{ "dim", "128", "config" }, {0}
	},
	.presets = sinusoid_presets,
	.size = sizeof(struct sinusoid),
	.make = sinusoid_make,
};
