/*
 * split.c: queries, keys and values that one model has in one tensor, and the
 * other one in three. Only orders that the code of a project has are split; of
 * others it stays unknown whether they are the same.
 */
#include <string.h>

#include "conversions/conversions.h"
#include "formats/on_demand.h"

/* How a model's own code splits its tensor; GGUF's is FUSED_PARTS. */
static const struct {
	const char *name, *type;  /* a part of its name, the model type, NULL:
				     any one */
	enum fusion fusion;
} fusions[] = {
	/* vLLM, layers/linear.py, QKVParallelLinear; transformers,
	   modeling_phi3.py */
	{ "self_attn.qkv_proj", NULL, FUSED_PARTS },
	/* transformers, modeling_mpt.py and modeling_modernbert.py */
	{ "attn.Wqkv", "mpt", FUSED_PARTS },
	{ "attn.Wqkv", "modernbert", FUSED_PARTS },
	/* baichuan-inc/Baichuan2-7B-Base, modeling_baichuan.py */
	{ "self_attn.W_pack", "baichuan", FUSED_PARTS },
	/* Qwen/Qwen-7B, modeling_qwen.py: nn.Linear */
	{ "attn.c_attn", "qwen", FUSED_PARTS },
	/* transformers, modeling_gpt2.py: Conv1D, a matrix [in, out] */
	{ "attn.c_attn", "gpt2", FUSED_COLUMNS },
	/* transformers, modeling_gpt_neox.py, modeling_falcon.py */
	{ "attention.query_key_value", "gpt_neox", FUSED_GROUPS },
	{ "self_attention.query_key_value", "falcon", FUSED_GROUPS },
	/* internlm/internlm2-7b, modeling_internlm2.py */
	{ "attention.wqkv", "internlm2", FUSED_GROUPS },
};

static enum fusion fusion_of(const struct side *s, const struct tensor *t)
{
	if (s->positions.unknown)
		return FUSED_UNKNOWN;
	if (s->positions.gguf)
		return FUSED_PARTS;
	for (size_t i = 0; i < sizeof fusions / sizeof *fusions; i++)
		if (strstr(t->name, fusions[i].name) &&
		    (!fusions[i].type ||
		     strcmp(s->positions.type, fusions[i].type) == 0))
			return fusions[i].fusion;
	return FUSED_UNKNOWN;
}

/* Elements along the output of a tensor of weights, or of a bias. */
static size_t outputs(const struct tensor *t, enum fusion fusion)
{
	if (t->rank < 1 || t->rank > 2)
		return 0;
	return fusion == FUSED_COLUMNS ? t->shape[t->rank - 1] : t->shape[0];
}

bool split_begin(const struct conversion *c, size_t side,
		 const struct tensor *fused, const struct tensor *const of[3],
		 struct split *s)
{
	size_t all = 0;

	*s = (struct split){
		.fusion = fusion_of(&c->sides[side], fused), .side = side,
	};
	for (size_t k = 0; k < 3; k++)
		all += s->sizes[k] = outputs(of[k], FUSED_PARTS);
	s->head = s->fusion == FUSED_GROUPS ? positions_head(c, s->sizes[1]).dim
					    : 1;
	return s->fusion != FUSED_UNKNOWN && s->head && s->sizes[1] &&
	       s->sizes[1] == s->sizes[2] &&
	       s->sizes[0] % s->sizes[1] == 0 &&
	       all == outputs(fused, s->fusion);
}

/* Where row i of a part is in the tensor of all three. */
static size_t split_source(const struct split *s, size_t i)
{
	const size_t d = s->head, keys = s->sizes[1], queries = s->sizes[0];
	const size_t own = queries / keys * d;  /* of a group of heads */
	const size_t each = own + 2 * d;

	if (s->fusion != FUSED_GROUPS)
		return i + (s->part > 0 ? queries : 0) +
		       (s->part > 1 ? keys : 0);
	if (s->part == 0)
		return i / own * each + i % own;
	return i / d * each + own + (s->part - 1) * d + i % d;
}

/* A part of a tensor. */
struct split_part {
	struct split split;
	struct table rows;     /* of the whole, transposed if it has columns */
};

static const double *part_row(const struct table *t, size_t i, double *scratch)
{
	const struct split_part *p = t->state;

	return p->rows.row(&p->rows, split_source(&p->split, i), scratch);
}

static void part_close(void *data)
{
	struct split_part *p = data;

	table_close(&p->rows);
}

/* Make to, which is empty, t transposed, whose rows are in memory. */
static bool transpose(struct table *to, const struct table *t,
		      struct error *err)
{
	const size_t n = t->planes * t->rows;
	double *x = table_alloc(to, n * t->cols, sizeof *x, err);

	for (size_t i = 0; x && i < n; i++) {
		const double *row = t->row(t, i, NULL);

		for (size_t j = 0; j < t->cols; j++)
			x[j * n + i] = row[j];
	}
	table_like(to, t);
	to->rows = t->cols;
	to->cols = n;
	table_dense(to, x);
	return x;
}

bool split_take(const struct split *s, struct table *t, struct error *err)
{
	struct table part = { 0 };
	struct split_part *p = table_owned(&part, sizeof *p, part_close, err);

	if (!p)
		return false;
	p->split = *s;
	p->rows = *t;
	if (s->fusion == FUSED_COLUMNS && t->cols > 1) {
		p->rows = (struct table){ 0 };
		transpose(&p->rows, t, err);
		table_close(t);
	}
	table_like(&part, &p->rows);
	part.planes = 1;
	part.rows = s->sizes[s->part];
	part.row = part_row;
	part.state = p;
	*t = part;
	return !err->text[0];
}

bool split_check(const struct table *t, struct error *err)
{
	const struct split_part *p = t->state;

	return on_demand_check(t->row == part_row ? &p->rows : t, err);
}
