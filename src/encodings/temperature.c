/* temperature.c: factors of queries that grow with the position. */
#include <math.h>

#include "exact/logarithm.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"

struct temperature {
	struct positions positions;
	double attn_scale, floor_scale, shift;
	int growth;
};

enum { GROWTH_STEPS, GROWTH_SMOOTH };

static const char *const growths[] = { "steps", "smooth", NULL };
static const char *const growth_meanings[] = {
	"with floor((p + S)/F)", "with (p + S)/F, once that exceeds 1",
};

static const struct option temperature_options[] = {
	PRESET_OPTION,
	CONFIG_OPTION,
	POSITIONS_OPTIONS(0, true),
	{ OPTION(struct temperature, attn_scale), .initial = "0.1", .min = 0,
	  .phrase = "attention scale %", .max = 1e6, .arg = "A",
	  .help = "factor of the logarithm" },
	{ OPTION(struct temperature, floor_scale), .initial = "8192", .min = 1,
	  .max = POSITION_MOST, .arg = "F",
	  .help = "number of positions with the same factor" },
	{ OPTION(struct temperature, shift), .initial = "1", .min = 0,
	  .phrase = "positions plus %",
	  .max = POSITION_MOST, .arg = "S",
	  .help = "value added to positions before they are divided" },
	{ OPTION(struct temperature, growth), .initial = "steps",
	  .words = growths, .meanings = growth_meanings, .arg = "NAME",
	  .help = "how the factor of position p grows" },
	{0}
};

static const struct preset temperature_presets[] = {
	{ "llama4", "--attn-scale 0.1 --floor-scale 8192 --shift 1",
	  "huggingface/transformers; in layers without rotary positions",
	  "src/transformers/models/llama4/modeling_llama4.py, "
	  "Llama4TextAttention", "commit 63210d0", NULL },
	{ "ministral3", "--attn-scale 0.1 --floor-scale 16384 --shift 0",
	  "huggingface/transformers; the file's llama_4_scaling_beta and "
	  "original_max_position_embeddings are --attn-scale and --floor-scale",
	  "src/transformers/models/ministral3/modeling_ministral3.py, "
	  "get_llama_4_attn_scale", "commit 430bd51", NULL },
	{ "inkling", "--attn-scale 0.1 --floor-scale 128000 --shift 1 "
		     "--growth smooth",
	  "huggingface/transformers; in layers without a window, also of the "
	  "relative bias; the file's log_scaling_alpha and log_scaling_n_floor "
	  "are --attn-scale and --floor-scale",
	  "src/transformers/models/inkling/modular_inkling.py, "
	  "InklingAttention", "commit 7365d41", NULL },
	{0}
};

static const double *temperature_row(const struct table *t, size_t i,
				     double *scratch)
{
	const struct temperature *s = t->state;
	const double p = position_at(&s->positions, i) + s->shift;
	const double f = s->floor_scale;
	const double log = s->growth == GROWTH_SMOOTH
		? log_ratio(fmax(p, f), f) : log_ratio(1 + floor(p / f), 1);

	scratch[0] = fma(s->attn_scale, log, 1);
	return scratch;
}

/* Fail if a position is negative. The ends of an even series suffice. */
static bool check_positions(const struct positions *p, struct error *err)
{
	const size_t n = p->positions.at ? p->positions.n : 2;
	double least = p->start;

	for (size_t i = 0; i < n; i++)
		least = fmin(least, position_at(p, p->positions.at || !i
						   ? i : p->len - 1));
	return least >= 0 || fail(err, "positions must be at least 0, got "
				  "%.17g", least);
}

static bool temperature_make(void *self, const struct table *inputs,
			     struct table *t, struct error *err)
{
	struct temperature *s = self;

	(void)inputs;
	if (!positions_shape(&s->positions, t, err) ||
	    !check_positions(&s->positions, err))
		return false;
	t->title = "Temperature of queries";
	t->value = "factor";
	t->cols = 1;
	t->dtype = F32;
	t->col_axis = axis_of(AXIS_COLUMN);
	t->row = temperature_row;
	t->state = s;
	return true;
}

const struct recipe temperature_recipe = {
	.name = "temperature",
	.summary = "factors of queries that grow with the position: Llama 4",
	.about =
"Makes the table [positions, 1] of factors by which a model multiplies its\n"
"queries, so that attention stays as sharp over long contexts. attend takes\n"
"it as --temperature.\n",
	.details =
"  steps:   factor[p] = 1 + A ln(1 + floor((p + S) / F))\n"
"  smooth:  factor[p] = 1 + A ln(max((p + S) / F, 1))\n"
"\n"
"It is 1 for the first F - S positions. Position 8191 of Llama 4 is the first\n"
"with another factor, 1.0693147; position 128000 of Inkling, 1.0000008.\n",
	.paper = "Nakanishi 2025, arXiv:2501.19399; Llama 4 (2025)",
	.example = "posenc temperature --len 3 --start 8190",
	.options = temperature_options,
	.presets = temperature_presets,
	.size = sizeof(struct temperature),
	.make = temperature_make,
};
