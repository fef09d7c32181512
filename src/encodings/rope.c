/* rope.c: rotary positional encoding (RoPE), Su et al. 2021. */
#include <math.h>

#include "exact/floating.h"
#include "exact/within.h"
#include "recipe/recipe.h"
#include "encodings/rope.h"

static const char *const pairings[] = { "half", "interleaved", "mixed", NULL };
static const char *const pairing_meanings[] = {
	"k and k + R/2", "2k and 2k + 1",
	"2k and 2k + 1, by angles of halves of an axis (V-JEPA 2)",
};
static const char *const pairing_needs[] = { NULL, NULL, "grid" };
static const char *const outs[] = {
	"freqs", "angles", "cos", "sin", "cos-full", "sin-full", "cossin",
	"cis", "decay", "bound", NULL
};
static const char *const out_meanings[] = {
	"frequencies, one row", "angles, one per pair of dimensions",
	"cosines, one per pair", "sines, one per pair",
	"cosines, one per dimension, in the order of --pairs",
	"sines, likewise", "all cosines, then all sines",
	"cosine and sine of each pair in turn",
	"by distance, the product of a query and an equal key",
	"by distance, RoFormer's upper bound of products (long-term decay)",
};
static const char *const scaling_meanings[] = {
	"frequencies of --base and --spacing",
	"all divided by F (position interpolation)",
	"base B F^(R/(R - 2)) in place of --base B (NTK-aware)",
	"frequency k of n divided by F^((k + 1)/n) (Su; rope_type ntk of "
	"GTE); option mixed_b=B: by F^(((k + 1)/n)^B)",
	"ntk by F E/L - (F - 1) for a length E beyond L",
	"those of few turns within L divided by F; options, as in "
	"yarn:4,4096,fast=16: fast=32, slow=1, mscale=M, mscale_all_dim=M, "
	"truncate=false, divisors=@FILE",
	"yarn; cosines and sines times (0.1 mscale ln F + 1)/(0.1 "
	"mscale_all_dim ln F + 1), of 1 and 0 if not given (DeepSeek)",
	"yarn; cosines and sines times 0.07 ln F + 1 (TeleChat3)",
	"wavelengths beyond L/low times F, those below L/high as they are; "
	"options low=1, high=4 (Llama 3.1)",
	"each divided by its number of a file, or by one of two up to and "
	"beyond L: longrope:F,L,short=@FILE,long=@FILE",
	"all divided by F (default: 1), those beyond --rotary-dim are 0 "
	"(Gemma 4)",
};
static const char *const scaling_phrases[] = {
	"no scaling", "positions divided by %", "NTK \xc3\x97 %",
	"fixed NTK \xc3\x97 %", "dynamic NTK \xc3\x97 % from %",
	"YaRN \xc3\x97 % from %", "DeepSeek's YaRN \xc3\x97 % from %",
	"TeleChat3's YaRN \xc3\x97 % from %",
	"Llama 3 scaling \xc3\x97 % from %",
	"LongRoPE[ \xc3\x97 % from %]",
	"proportional frequencies[ divided by %]",
};
static const char *const spacing_phrases[] = {
	"geometric spacing", "spacing by half \xe2\x88\x92 1",
	"alternating spacing", "linear spacing up to %",
};
static const char *const spacing_meanings[] = {
	"base^(-2k/d)", "base^(-k/(d/2 - 1))",
	"base^(-2(nk + a)/R) for axis a of n",
	"even steps from pi to pi MAX/2 (for pixels)",
};
static const char *const coords[] = {
	"index", "centered", "scaled", "floored", "fitted", "separate", "min",
	"max", NULL
};
static const char *const coord_meanings[] = {
	"y, or --start + --step y", "y - ceil(H/2)", "y S/H, S of --base-size",
	"floor(y S/H)",
	"the grid fitted into --base-size",
	"2(y + 1/2)/H - 1 in full turns",
	"the same, H and W both the lesser of them",
	"the same, H and W both the greater of them",
};
static const char *const text_meanings[] = {
	"0", "i on the first axis, 0 on the others",
	"i + 1 on the first axis, 0 on the others; n is one more, too",
	"i on the last axis, 0 on the others",
	"max(floor(H/2), floor(W/2)) + i on all axes",
};
static const char *const text_phrases[] = {
	"text at 0", "text along the first axis",
	"text along the first axis from 1", "text along the last axis",
	"text along all axes",
};
const char *const rope_mropes[] = {
	"chunked", "interleaved", "alternate", "rarest", "heads", NULL
};
static const char *const mrope_meanings[] = {
	"one after another",
	"time, row and column in turn, the rest time (Qwen3-VL)",
	"row and column in turn, then time (ERNIE-4.5-VL, Ming, VideoRoPE); as "
	"H,W,T, too",
	"that of which the least share was used, the last time "
	"(openPangu-VL)",
	"numbers of heads, not of pairs: all pairs of a head have one "
	"(MHRoPE)",
};
static const char *const mrope_needs[] = {
	NULL, NULL, NULL, NULL, "out!=angles|decay|bound",
};
static const char *const bys[] = { "token", "axis", NULL };
static const char *const by_meanings[] = {
	"time, row and column of each token, [n, 3]",
	"all times, all rows, all columns, [3, n], as posenc positions makes "
	"them",
};
static const char *const centers[] = { "floor", "ceil", "none", NULL };
static const char *const center_meanings[] = {
	"half the length, rounded down", "half the length, rounded up",
	"position 0",
};
static const char *const center_phrases[] = {
	"centre at half", "centre at half, rounded up", "centre at position 0",
};
static const char *const alongs[] = { "rows", "planes", NULL };

static const struct option rope_options[] = {
	POSITIONS_OPTIONS(0, false),
	{ OPTION(struct rope, dim), .role = ROLE_COLUMNS,
	  .min = 2, .max = 1048576,
	  .one = "dimension", .many = "dimensions",
	  .arg = "D", .help = "number of dimensions of a head (default: the "
			      "columns of --apply, whose columns may also be "
			      "several heads of D side by side)" },
	PRESET_OPTION,
	CONFIG_OPTION,
	{ OPTION(struct rope, rotary_dim), .min = 2, .max = 1048576,
	  .one = "rotary dimension", .many = "rotary dimensions",
	  .arg = "R", .help = "rotate only the first R dimensions (default: "
			      "all)" },
	{ OPTION(struct rope, base), .initial = "10000",
	  .stated = "spacing periods",
	  .min = 1e-300, .max = 1e300,
	  .arg = "B", .help = "base (theta) of the geometric series of "
			      "frequencies" },
	{ OPTION(struct rope, pairs), .initial = "half", .words = pairings,
	  .meanings = pairing_meanings, .word_needs = pairing_needs,
	  .arg = "NAME",
	  .help = "dimensions that rotate together" },
	{ OPTION(struct rope, out), .phrase = "",
	  .role = ROLE_COLUMNS, .words = outs,
	  .meanings = out_meanings, .arg = "WHAT",
	  .help = "values to make; A,B: each, in one NPZ or safetensors file "
		  "(default: cossin)" },
	{ OPTION(struct rope, coefficients),
	  .excludes = "grid sections xpos shift inverse reversed emulate "
		      "out=freqs|angles|decay|bound", .arg = "COS,SIN",
	  .help = "FoPE: files [heads, F, F] or [F, F] of learned "
		  "coefficients C; cos(p w[j]) of pair j < F becomes sum_k "
		  "cos(p w[k]) C[k, j], of others 1; sines alike" },
	{ OPTION(struct rope, scaling), .words = rope_scalings,
	  .meanings = scaling_meanings, .phrases = scaling_phrases,
	  .arg = "KIND:...",
	  .help = "scale frequencies for contexts F times the original "
		  "context L, such as yarn:4,4096; attention_factor=A behind "
		  "it multiplies cosines and sines by A (default: none)" },
	{ OPTION(struct rope, spacing), .initial = "geometric",
	  .words = rope_spacings, .meanings = spacing_meanings,
	  .phrases = spacing_phrases, .arg = "NAME",
	  .help = "frequencies of an axis of d dimensions" },
	{ OPTION(struct rope, periods), .excludes = "spacing",
	  .arg = "MIN:MAX",
	  .help = "frequencies 1/(MIN (MAX/MIN)^(k/(d/2 - 1))), in place of "
		  "--base" },
	{ OPTION(struct rope, resonance), .excludes = "grid",
	  .help = "round the wavelengths to whole positions, after --scaling: "
		  "2 pi/round(2 pi/w) in place of a frequency w (Resonance "
		  "RoPE)" },
	{ OPTION(struct rope, grid), .role = ROLE_EXTENT,
	  .needs = "out!=decay|bound", .excludes = "len positions",
	  .arg = "HxW[xT]",
	  .help = "positions are the cells of an image or a video: rows, "
		  "columns and frames, row by row, frame by frame" },
	{ OPTION(struct rope, order), .phrase = "axes in order %",
	  .arg = "AXES",
	  .help = "what each share of the dimensions rotates by, \"t,y,x\": "
		  "row y, column x, frame t, nothing (0) or the number of text "
		  "tokens n (default: x,y; with frames t,y,x)" },
	{ OPTION(struct rope, axes), .phrase = "axis shares %",
	  .needs = "grid order", .arg = "SHARES",
	  .help = "number of dimensions of each axis, \"16,56,56\"; or equal; "
		  "floor: n axes have 2 floor(D/2n) each; first: the first "
		  "axis also has the rest; quarter: D/4, 3D/8, 3D/8 (default: "
		  "equal)" },
	{ OPTION(struct rope, coords), .initial = "index", .words = coords,
	  .phrase = "% coordinates",
	  .meanings = coord_meanings, .needs = "grid order",
	  .excludes = "start step", .arg = "NAME",
	  .help = "coordinate of row y of H; columns are alike" },
	{ OPTION(struct rope, base_size),
	  .needs = "grid, coords=scaled|floored|fitted", .arg = "N|HxW",
	  .help = "size for --coords scaled and floored (default: 16), and "
		  "fitted (default: 30x45)" },
	{ OPTION(struct rope, ntk), .needs = "grid order", .arg = "LIST",
	  .help = "factors r, one for each axis: its base becomes "
		  "base r^(d/(d - 2))" },
	{ OPTION(struct rope, fps), .needs = "grid", .initial = "24",
	  .phrase = "% frames per second",
	  .min = 1e-3, .max = 1e6, .arg = "F",
	  .help = "frames per second: t counts 24/F for each frame" },
	{ OPTION(struct rope, merge), .needs = "grid order",
	  .phrase = "blocks of % \xc3\x97 %",
	  .min = 1, .max = 1048576, .arg = "M",
	  .help = "cells go by blocks of MxM, row by row; frames repeat if "
		  "no axis is t" },
	{ OPTION(struct rope, text), .role = ROLE_EXTENT, .needs = "grid",
	  .one = "text token", .many = "text tokens",
	  .initial = "0", .max = POSITION_MOST, .arg = "N",
	  .help = "number of text tokens, rows before the cells" },
	{ OPTION(struct rope, text_ids), .words = rope_texts,
	  .meanings = text_meanings, .phrases = text_phrases,
	  .needs = "grid order", .arg = "NAME",
	  .help = "coordinates of text token i" },
	{ OPTION(struct rope, cls), .needs = "grid order", .initial = "0",
	  .one = "class token", .many = "class tokens",
	  .max = POSITION_MOST, .arg = "N",
	  .help = "number of rows of angle 0 behind the cells (class "
		  "tokens)" },
	{ OPTION(struct rope, positions_by), .role = ROLE_EXTENT, .phrase = "",
	  .words = bys, .meanings = by_meanings, .needs = "sections",
	  .arg = "NAME", .help = "order of --positions (default: axis for a "
				 "file of a line for each section, else "
				 "token)" },
	{ OPTION(struct rope, sections),
	  .needs = "out!=decay|bound, pairs!=mixed",
	  .excludes = "fps ntk order axes", .arg = "T,H,W",
	  .help = "number of pairs that rotate by time, row and column "
		  "(M-RoPE); --positions then has these three values for each "
		  "row of the table; two are row and column, four position, "
		  "width, height and time (XD-RoPE of Hunyuan-VL)" },
	{ OPTION(struct rope, mrope), .initial = "chunked",
	  .phrase = "% sections",
	  .words = rope_mropes,
	  .meanings = mrope_meanings, .word_needs = mrope_needs,
	  .needs = "sections", .arg = "NAME",
	  .help = "order of the sections" },
	{ OPTION(struct rope, xpos), .initial = "0", .min = 0, .max = 1e300,
	  .phrase = "xPos %",
	  .needs = "out!=freqs|angles|decay|bound",
	  .excludes = "grid sections emulate", .arg = "B",
	  .help = "scale base of the xPos decay, often 512; 0: no decay" },
	{ OPTION(struct rope, center), .initial = "floor", .words = centers,
	  .meanings = center_meanings, .phrases = center_phrases,
	  .needs = "xpos", .arg = "NAME",
	  .help = "position at which the xPos decay is 1" },
	{ OPTION(struct rope, downscale), .needs = "xpos",
	  .phrase = "inverse decay",
	  .help = "use the inverse xPos decay, as for keys" },
	{ OPTION(struct rope, apply), .excludes = "out", .arg = "TABLE",
	  .help = "file [n, dim] or [heads, n, dim] whose rows to rotate" },
	{ OPTION(struct rope, reversed),
	  .help = "with --apply, rotate in the opposite direction, by minus "
		  "the angle (nanochat)" },
	{ OPTION(struct rope, shift), .role = ROLE_EXTENT, .needs = "apply",
	  .phrase = "shifted by %",
	  .excludes = "len start step positions grid inverse xpos emulate",
	  .min = -POSITION_MOST, .max = POSITION_MOST, .arg = "D",
	  .help = "move rows that are rotated already, such as the keys of a "
		  "cache, by D positions: rotate all by D, without the factor "
		  "of --scaling, which they have" },
	{ OPTION(struct rope, along), .initial = "rows", .words = alongs,
	  .phrase = "positions along %",
	  .needs = "apply", .arg = "NAME",
	  .help = "axis of --apply that positions run along; planes: --apply "
		  "is [n, heads, dim]" },
	{ OPTION(struct rope, rotary_offset), .initial = "0",
	  .min = 0, .max = 1048576, .needs = "apply", .arg = "N",
	  .help = "first of the --rotary-dim dimensions of a head that "
		  "rotate (DeepSeek: behind those that do not)" },
	{ OPTION(struct rope, inverse),
	  .help = "make the inverse rotation, which also undoes its scaling" },
	{ OPTION(struct rope, emulate), .role = ROLE_ARITHMETIC,
	  .needs = "out!=decay|bound",
	  .initial = "exact", .words = low_precision_names, .arg = "NAME",
	  .help = "reproduce an error of precision: round frequencies, "
		  "positions, angles, or these and the cosines and sines "
		  "(all) to bfloat16 or float16" },
	{0}
};

static const struct option_heading rope_headings[] = {
	{ "Positions", "len start step positions" },
	{ "Rotation", NULL },
	{ "Scaling to longer contexts", "scaling resonance" },
	{ "Images and videos", "grid order axes coords base-size ntk fps merge "
			       "text text-ids cls" },
	{ "Several positions per token (M-RoPE)",
	  "sections mrope positions-by" },
	{ "Decay with distance (xPos)", "xpos center downscale" },
	{ "Rotating a table", "apply shift reversed along rotary-offset" },
	{ "Values", "out inverse emulate" },
	{0}
};

#define TRANSFORMERS "huggingface/transformers"
#define MODELS "src/transformers/models/"
#define TRANSFORMERS_VERSION "commit 130f164 (5.3.0.dev0)"
#define DIFFUSERS "huggingface/diffusers"
#define DIFFUSION "src/diffusers/models/transformers/transformer_"
#define DIFFUSERS_VERSION "commit 58eb52c"
#define QWEN_VISION "--order y,x --merge 2"

static const struct preset rope_presets[] = {
	{ "dinov3", "--order y,x --coords separate --base 100",
	  TRANSFORMERS "; facebookresearch/dinov3; class and register tokens "
	  "are not in the table",
	  MODELS "dinov3_vit/modeling_dinov3_vit.py, "
	  "DINOv3ViTRopePositionEmbedding", TRANSFORMERS_VERSION, NULL },
	{ "pixtral", "--order y,x --spacing alternating",
	  TRANSFORMERS "; mistral-inference has --pairs interleaved",
	  MODELS "pixtral/modeling_pixtral.py, PixtralRotaryEmbedding",
	  TRANSFORMERS_VERSION, NULL },
	{ "qwen2-vl-vision", QWEN_VISION, TRANSFORMERS,
	  MODELS "qwen2_vl/modeling_qwen2_vl.py, rot_pos_emb",
	  TRANSFORMERS_VERSION, NULL },
	{ "qwen2.5-vl-vision", QWEN_VISION,
	  TRANSFORMERS "; its tower then permutes tokens by windows",
	  MODELS "qwen2_5_vl/modeling_qwen2_5_vl.py, rot_pos_emb",
	  TRANSFORMERS_VERSION, NULL },
	{ "qwen3-vl-vision", QWEN_VISION, TRANSFORMERS,
	  MODELS "qwen3_vl/modeling_qwen3_vl.py, rot_pos_emb",
	  TRANSFORMERS_VERSION, NULL },
	{ "eva02", "--order y,x --coords scaled --pairs interleaved",
	  "baaivision/EVA; square grids; timm's are any",
	  "EVA-02/asuka/rope.py, VisionRotaryEmbeddingFast; timm "
	  "layers/pos_embed_sincos.py", "commit 5623d08", NULL },
	{ "vjepa2", "--order t,y,x --axes floor --pairs mixed",
	  "facebookresearch/vjepa2; no rotation: the two dimensions of a pair "
	  "turn by different angles",
	  "src/models/utils/modules.py, rotate_queries_or_keys; "
	  "transformers' vjepa2", "commit c2963a4; transformers 130f164",
	  NULL },
	{ "flux", "--order 0,y,x --axes 16,56,56 --text-ids zero "
		  "--pairs interleaved",
	  "black-forest-labs/flux",
	  "src/flux/math.py, rope; modules/layers.py, EmbedND; sampling.py",
	  "commit 802fb47", NULL },
	{ "flux2", "--order 0,y,x,0 --axes 32,32,32,32 --text-ids last "
		   "--base 2000 --pairs interleaved", DIFFUSERS,
	  DIFFUSION "flux2.py, Flux2PosEmbed; pipeline_flux2.py",
	  DIFFUSERS_VERSION, NULL },
	{ "wan", "--order t,y,x --axes first --pairs interleaved",
	  "Wan-Video/Wan2.1", "wan/modules/model.py, rope_apply",
	  "commit 9737cba", NULL },
	{ "hunyuan-video", "--order t,y,x --axes 16,56,56 --base 256 "
			   "--pairs interleaved",
	  "Tencent/HunyuanVideo; text tokens are not in the table",
	  "hyvideo/modules/posemb_layers.py, get_nd_rotary_pos_embed",
	  "commit fa14b00", NULL },
	{ "cosmos", "--order t,y,x --axes first --ntk 2,1,1",
	  DIFFUSERS "; nvidia-cosmos/cosmos-predict1",
	  DIFFUSION "cosmos.py, CosmosRotaryPosEmbed", DIFFUSERS_VERSION,
	  NULL },
	{ "cogvideox", "--order t,y,x --axes quarter --coords fitted "
		       "--pairs interleaved",
	  DIFFUSERS "; text tokens are not in the table",
	  "src/diffusers/models/embeddings.py, get_3d_rotary_pos_embed; "
	  "pipeline_cogvideox.py, get_resize_crop_region_for_grid",
	  DIFFUSERS_VERSION, NULL },
	{ "cogvideox1.5", "--order t,y,x --axes quarter --pairs interleaved",
	  DIFFUSERS "; text tokens are not in the table",
	  "src/diffusers/models/embeddings.py, get_3d_rotary_pos_embed with "
	  "grid_type slice", DIFFUSERS_VERSION, NULL },
	{ "llama4-vision", "--order x,y --start 1 --cls 1 "
			   "--pairs interleaved", TRANSFORMERS,
	  MODELS "llama4/modeling_llama4.py, Llama4VisionRotaryEmbedding",
	  TRANSFORMERS_VERSION, NULL },
	{ "rope-vit", "--order x,y --base 100 --pairs interleaved",
	  "naver-ai/rope-vit, axial; the class token is not in the table",
	  "deit/models_v2_rope.py, compute_axial_cis", "commit ce85c2e", NULL },
	{ "sam2", "--order x,y --pairs interleaved", TRANSFORMERS,
	  MODELS "sam2_video/modeling_sam2_video.py, "
	  "Sam2VideoVisionRotaryEmbedding", TRANSFORMERS_VERSION, NULL },
	{ "qwen-image", "--order t,y,x --axes 16,56,56 --coords centered "
			"--text-ids all --pairs interleaved", DIFFUSERS,
	  DIFFUSION "qwenimage.py, QwenEmbedRope with scale_rope",
	  DIFFUSERS_VERSION, NULL },
	{ "lumina2", "--order n,y,x --axes 32,32,32 --text-ids first "
		     "--pairs interleaved", DIFFUSERS,
	  DIFFUSION "lumina2.py, Lumina2RotaryPosEmbed", DIFFUSERS_VERSION,
	  NULL },
	{ "hidream", "--order 0,y,x --axes 64,32,32 --pairs interleaved",
	  DIFFUSERS "; --cls N adds text tokens, which have angle 0 and are "
	  "behind the cells",
	  DIFFUSION "hidream_image.py, HiDreamImageEmbedND",
	  DIFFUSERS_VERSION, NULL },
	{ "z-image", "--order n,y,x --axes 32,48,48 --base 256 "
		     "--text-ids from-1 --pairs interleaved",
	  DIFFUSERS "; its text tokens, a multiple of 32, are behind the cells",
	  DIFFUSION "z_image.py, RopeEmbedder; patchify_and_embed",
	  DIFFUSERS_VERSION, NULL },
	{ "cogview4", "--order y,x --coords floored --base-size 256",
	  DIFFUSERS "; text tokens are not in the table",
	  DIFFUSION "cogview4.py, CogView4RotaryPosEmbed", DIFFUSERS_VERSION,
	  NULL },
	{ "sana-video", "--order t,y,x --axes first --pairs interleaved",
	  DIFFUSERS "; as wan", DIFFUSION "sana_video.py, WanRotaryPosEmbed",
	  DIFFUSERS_VERSION, NULL },
	{ "hunyuan-image", "--order y,x --axes 64,64 --base 256 "
			   "--pairs interleaved",
	  DIFFUSERS "; text tokens are not in the table",
	  DIFFUSION "hunyuanimage.py, HunyuanImageRotaryPosEmbed",
	  DIFFUSERS_VERSION, NULL },
	{ "retnet", "--spacing half-1 --pairs interleaved",
	  "microsoft/torchscale; one dimension: --len, not --grid",
	  "torchscale/architecture/retnet.py, RetNetRelPos", "commit 4d1e0e8",
	  NULL },
	{0}
};

static const struct refused_preset rope_refused[] = {
	{ "ltx", "LTX-Video turns pairs of the model's whole width by t, y and "
		 "x in turn, by pi/2 (2c - 1) 10000^(k/(n - 1)), where c is "
		 "seconds/20 or pixels/2048" },
	{ "mochi", "Mochi learns its frequencies, for each head and pair a "
		   "mixture of t, y and x: the tensor pos_frequencies of its "
		   "checkpoint" },
	{0}
};

/* Set the number of dimensions, and of those that rotate. */
static bool set_dims(struct rope *s, struct error *err)
{
	if (s->apply && !s->dim)
		s->dim = s->apply->cols;
	if (!s->dim)
		return fail(err, "--dim D is missing (or --apply TABLE, or "
			    "--config FILE)");
	if (s->apply && s->apply->cols % s->dim)
		return fail(err, "--dim must divide the %zu columns of "
			    "--apply, got %zu (--rotary-dim R rotates only R "
			    "of a head)", s->apply->cols, s->dim);
	if (!s->rotary_dim && s->dim % 2)
		return fail(err, "--dim must be even, got %zu (--rotary-dim R "
			    "rotates only the first R)", s->dim);
	if (!s->rotary_dim)
		s->rotary_dim = s->dim;
	if (s->rotary_dim > s->dim || s->rotary_dim % 2)
		return fail(err, "--rotary-dim must be even and at most --dim "
			    "%zu, got %zu", s->dim, s->rotary_dim);
	if (s->rotary_offset > s->dim - s->rotary_dim)
		return fail(err, "--rotary-offset must be at most %zu, --dim "
			    "less --rotary-dim, got %zu",
			    s->dim - s->rotary_dim, s->rotary_offset);
	return true;
}

/* Mixed pairs are no rotations. */
static bool check_pairs(const struct rope *s, struct error *err)
{
	return s->pairs != PAIRS_MIXED || (!s->inverse && !s->reversed) ||
	       fail(err, "--%s does not apply to --pairs mixed (V-JEPA 2): the "
		    "two dimensions of a pair turn by different angles, which "
		    "is no rotation", s->inverse ? "inverse" : "reversed");
}

/* Fill in defaults that depend on other options; check that options agree. */
static bool set_defaults(struct rope *s, struct error *err)
{
	s->axes_n = s->heads = 1;
	for (size_t a = 0; a < ROPE_AXES; a++)
		s->axis[a].over = 1;
	if (!set_dims(s, err) || !check_pairs(s, err) ||
	    !rope_sections(s, err))
		return false;
	if (s->shift.given) {
		s->at.start = (double)s->shift.value;
		s->at.step = 0;
	}
	if (s->order && !s->grid.n)
		return fail(err, "--grid HxW[xT] is missing: --order %s (or "
			    "--preset) gives each row a cell of an image or "
			    "video", s->order);
	if (s->apply && !s->at.len && !s->at.positions.at && !s->grid.n)
		s->at.len = s->along == ALONG_PLANES ? s->apply->planes
						     : s->apply->rows;
	if (s->out == NO_CHOICE && !s->apply)
		s->out = ROPE_COSSIN;
	return true;
}

/* Set the columns of cosines and sines, by --out and --pairs. */
static void lay_out(struct rope *s)
{
	struct wave *w = &s->wave;
	const size_t pairs = w->turns.n;
	const bool alternate = s->out == ROPE_CIS ||
			      (s->pairs == PAIRS_INTERLEAVED &&
			       s->out != ROPE_COSSIN);

	w->cols = 2 * pairs;
	w->stride = alternate ? 2 : 1;
	w->apart = alternate ? 1 : pairs;
	w->cosine_first = s->out != ROPE_SIN && s->out != ROPE_SIN_FULL;
	w->same_function = s->out == ROPE_COS_FULL || s->out == ROPE_SIN_FULL;
	if (s->out == ROPE_COS || s->out == ROPE_SIN) {
		w->cols = w->apart = pairs;
		w->stride = 1;
	}
}

/* Whether --apply has a row, or a plane of rows, for each position. */
static bool check_apply(const struct rope *s, struct error *err)
{
	const bool planes = s->along == ALONG_PLANES;
	const size_t n = planes ? s->apply->planes : s->apply->rows;

	if (planes ? n % s->rows != 0 : n != s->rows)
		return fail(err, "--apply: expected %zu %s, one per position, "
			    "got %zu", s->rows, planes ? "planes" : "rows", n);
	return true;
}

/* Whether the heads of --apply share those of the cosines evenly. */
static bool check_heads(const struct rope *s, struct error *err)
{
	const struct table *x = s->apply;
	const size_t n = x->cols / s->dim *
			 (s->along == ALONG_PLANES ? x->rows : x->planes);
	const char *whose = s->coefficients.n ? "coefficients" : "sections";

	if (s->heads > 1 && x->outer_rank > 1)
		return fail(err, "--%s of %zu heads needs --apply of at most "
			    "three dimensions, got %zu", whose, s->heads,
			    x->outer_rank + 2);
	return n % s->heads == 0 ||
	       fail(err, "--%s: the number of heads must divide that of "
		    "--apply, %zu, got %zu", whose, n, s->heads);
}

/* Rows that move by negative or equal positions may be rotated already. */
static bool note_factor(const struct rope *s, struct table *t,
			struct error *err)
{
	const double factor = s->wave.amplitude;

	return factor == 1 ||
	       (s->least >= 0 && (s->rows < 2 || s->span > 1)) ||
	       table_note(t, err, "--apply multiplies by %.7g, for the factor "
			  "of --scaling; rows that it has rotated before have "
			  "the factor: --shift D moves them by D positions "
			  "without it", factor);
}

/* Pairs that cosines and sines are the rotation of: (1, 0). */
static const double *unit_row(const struct table *t, size_t i, double *scratch)
{
	const size_t apart = t->col_axis.apart;

	(void)i;
	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = apart == 1 ? j % 2 == 0 : j < apart;
	return scratch;
}

/* Note what is rotated where columns are pairs. */
static bool note_turned(const struct rope *s, struct table *t,
			struct error *err)
{
	struct table *unit;

	t->turned = s->apply;
	if (!t->col_axis.apart || s->apply)
		return true;
	t->turned = unit = table_alloc(t, 1, sizeof *unit, err);
	if (unit)
		*unit = (struct table){
			.planes = 1, .rows = t->rows, .cols = t->cols,
			.dtype = F64, .col_axis = t->col_axis, .row = unit_row,
		};
	return unit;
}

static bool make_applied(struct rope *s, struct table *t, struct error *err)
{
	const struct table *x = s->apply;

	if (!check_apply(s, err) || !check_heads(s, err) ||
	    !note_factor(s, t, err))
		return false;
	t->planes = x->planes;
	t->rows = x->rows;
	t->cols = x->cols;
	if (s->along == ALONG_PLANES) {
		t->plane_axis = t->row_axis;
		t->row_axis = axis_of(AXIS_HEAD);
	} else if (x->plane_axis.name) {
		t->plane_axis = axis_of(AXIS_HEAD);
	}
	t->col_axis = x->cols == s->dim && !s->rotary_offset
			      ? wave_axis(&s->wave) : axis_of(AXIS_COLUMN);
	t->row = rope_row;
	return rope_prepare(s, t, err);
}

static bool make_angles(struct rope *s, struct table *t)
{
	t->rows = s->out == ROPE_FREQS ? 1 : s->rows;
	t->cols = s->wave.turns.n;
	t->value = s->out == ROPE_FREQS ? "frequency" : "angle";
	if (s->out == ROPE_FREQS)
		t->row_axis = axis_of(AXIS_FREQUENCY);
	t->col_axis = axis_of(AXIS_PAIR);
	t->row = rope_angles_row;
	return true;
}

static bool make_waves(struct rope *s, struct table *t, struct error *err)
{
	const struct wave *w = &s->wave;

	t->rows = s->rows;
	t->cols = w->cols;
	t->row = rope_row;
	t->planes = s->heads;
	if (s->heads > 1)
		t->plane_axis = axis_of(AXIS_HEAD);
	t->col_axis = w->cols == w->turns.n ? axis_of(AXIS_PAIR)
		      : rope_blocks(s) || s->coefficients.n
			? axis_of(AXIS_DIMENSION)
		      : s->xpos > 0 ? wave_axis(w) : wave_columns(w);
	if (s->xpos > 0 || s->coefficients.n)
		return true;
	t->bounds = BOUNDS_TIGHT;
	t->lo = -w->amplitude;
	t->hi = w->amplitude;
	return s->heads > 1 || rope_prepare(s, t, err);
}

static double scaled_frequency(const void *self, size_t k)
{
	const struct rope *s = self;

	return rope_frequency(s, k);
}

/* base^(-k / pairs), before --scaling. */
static double usual_frequency(const void *self, size_t k)
{
	enum { LIMBS = 3 };
	const struct rope *s = self;
	const struct floating f = floating_power(s->base, -(double)k /
						 (double)s->wave.turns.n,
						 LIMBS);

	return floating_double(&f, LIMBS);
}

static struct frequencies frequencies(const struct rope *s)
{
	return (struct frequencies){
		.n = s->wave.turns.n, .at = scaled_frequency,
		.unscaled = s->scaled ? usual_frequency : NULL, .self = s,
		.length = s->fractional ? 0 : s->span,
		.original = s->original,
	};
}

/* By enum rope_out; those by distance have one of their own. */
static const char *const titles[ROPE_BOUND + 1] = {
	"Rotary frequencies", "Rotary angles",
	"Cosines of rotary positions", "Sines of rotary positions",
	"Cosines of rotary positions", "Sines of rotary positions",
	"Rotary positions", "Rotary positions",
};

static bool rope_make(void *self, const struct table *inputs, struct table *t,
		      struct error *err)
{
	struct rope *s = self;
	const struct positions *at = &s->at;
	const bool placed = at->len || at->positions.at || s->grid.n;

	(void)inputs;
	t->dtype = F32;
	t->state = s;
	if (!set_defaults(s, err) ||
	    ((s->out != ROPE_FREQS || placed) && !rope_positions(s, t, err)) ||
	    !rope_frequencies(s, t, err))
		return false;
	t->title = s->apply ? "Rotary positions" : titles[s->out];
	lay_out(s);
	if (s->coefficients.n && !rope_fourier(s, err))
		return false;
	if (!s->coefficients.n)
		t->frequencies = frequencies(s);
	if (s->out == ROPE_DECAY || s->out == ROPE_BOUND) {
		rope_decay(s, t);
		return true;
	}
	if (s->apply ? !make_applied(s, t, err)
	    : s->out == ROPE_FREQS || s->out == ROPE_ANGLES
	    ? !make_angles(s, t) : !make_waves(s, t, err))
		return false;
	if (s->along == ALONG_PLANES || s->out == ROPE_FREQS)
		t->grid = (struct lattice){ 0 };
	t->along = s->heads > 1 ? NULL : rope_along;
	return note_turned(s, t, err);
}

const struct recipe rope_recipe = {
	.name = "rope",
	.summary = "RoPE: rotary frequencies, cosines, sines, rotated tables",
	.about =
"Makes the frequencies, angles, or cosines and sines of rotary positional\n"
"encoding, which rotates pairs of dimensions of queries and keys by angles\n"
"proportional to the position. --apply rotates the rows of a table. Dot\n"
"products of rotated queries and keys depend only on their distance.\n",
	.details =
"  w[k]  = base^(-2k/R)                        k < R/2, R the rotary dim\n"
"  x'[a] = x[a] cos(p w[k]) - x[b] sin(p w[k])\n"
"  x'[b] = x[a] sin(p w[k]) + x[b] cos(p w[k])\n"
"\n"
"Dimensions a and b rotate together: k and k + R/2 (--pairs half: GPT-NeoX,\n"
"Llama in transformers), or 2k and 2k + 1 (--pairs interleaved: GPT-J,\n"
"Meta's Llama, RoFormer). Some kinds of --scaling also multiply cosines and\n"
"sines by an attention factor.\n"
"\n"
"With --grid the axes of --order share the dimensions. An axis of d of them\n"
"has w[k] = base^(-2k/d), k < d/2, or as --spacing and --periods say, and\n"
"rotates by the coordinate of --coords, for row y of H:\n"
"\n"
"  index       y, or --start + --step y\n"
"  centered    y - ceil(H/2)\n"
"  scaled      y S/H, S of --base-size\n"
"  floored     floor(y S/H)\n"
"  fitted      top + y ((top + h)(H - 1)/H - top)/(H - 1), where h rows by w\n"
"              columns are the grid fitted into --base-size BHxBW: if H/W >\n"
"              BH/BW, h = BH and w = round(BH W/H), else w = BW and h =\n"
"              round(BW H/W); top = round((BH - h)/2); columns alike\n"
"  separate    2 pi (2 (y + 1/2)/H - 1); min, max: H and W both the lesser or\n"
"              the greater of them; --out freqs of all three is 2 pi w[k]\n"
"\n"
"Columns are alike, and t counts frames. Rows are the --text tokens, the\n"
"cells row by row and frame by frame (or by --merge), then the class tokens.\n"
"Each --preset is a set of these options; 'posenc presets NAME' shows one and\n"
"its source. --pairs mixed is V-JEPA 2's: in an axis of d dimensions, 2j and\n"
"2j + 1 go together, but dimension c has the angle of pair c mod d/2:\n"
"\n"
"  x'[2j]     = x[2j] cos a[2j] - x[2j + 1] sin a[2j]\n"
"  x'[2j + 1] = x[2j + 1] cos a[2j + 1] + x[2j] sin a[2j + 1]\n"
"\n"
"--out decay and bound have a row for each distance m of a query and a key:\n"
"\n"
"  decay[m] = 2/R sum_k cos(m w[k]): the product of a query and an equal key\n"
"             whose pairs all have the same norm, as a share of that at m = 0\n"
"  bound[m] = 2/R sum_j |S_j|, S_j = sum_{k<j} exp(i m w[k]), j = 1 to R/2:\n"
"             the relative upper bound of section 3.4.3\n"
"\n"
"  --dim 4 --start 1 --len 1:  0.5403023 0.99995 0.84147096 0.009999833\n",
	.paper = "Su et al. 2021, arXiv:2104.09864, section 3.4.2",
	.example = "posenc rope --len 8 --dim 8 --out cos",
	.options = rope_options,
	.starts = (const struct start[]){
		{ "len", "128", "positions apply grid" },
		{ "dim", "128", "config apply" }, {0}
	},
	.headings = rope_headings,
	.presets = rope_presets,
	.refused = rope_refused,
	.size = sizeof(struct rope),
	.make = rope_make,
};
