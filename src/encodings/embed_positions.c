/*
 * embed_positions.c: positions that step over padding, as fairseq's
 * make_positions() and RoBERTa's embeddings count them.
 */
#include <math.h>

#include "encodings/embed.h"

/* Positions of the n ids of a sequence, to x [n]. */
static void count(const struct embed *s, const double *id, double *x)
{
	const double padding = (double)s->padding_idx;
	double next = padding + 1 + (double)s->past;

	for (size_t j = 0; j < s->sequence; j++) {
		const bool is_padding = !(id[j] < padding) &&
					!(id[j] > padding);

		x[j] = is_padding ? padding : next++;
	}
}

static bool check(const struct embed *s, struct error *err)
{
	const struct {
		bool given;
		const char *flag;
	} others[] = {
		{ s->vocab, "--vocab" }, { s->dim, "--dim" },
		{ s->table, "--table" }, { s->len, "--len" },
		{ s->max_norm > 0, "--max-norm" },
		{ s->multiplier, "--multiplier" }, { s->add, "--add" },
		{ s->positions.at, "--positions" },
		{ s->segments.at, "--segments" },
		{ s->segment_table, "--segment-table" },
		{ s->position_table, "--position-table" },
		{ s->layernorm, "--layernorm" },
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].given)
			return fail(err, "%s is not for --out positions",
				    others[i].flag);
	if (!s->ids.at)
		return fail(err, "--ids LIST is missing for --out positions");
	if (s->padding_idx == NOT_GIVEN || s->padding_idx < 0)
		return fail(err, "--out positions needs --padding-idx I, from "
			    "0 on");
	return true;
}

bool position_ids_make(const struct embed *s, struct table *t,
		       struct error *err)
{
	double *x;

	if (!check(s, err))
		return false;
	x = table_alloc(t, s->ids.n, sizeof *x, err);
	if (!x)
		return false;
	t->title = "Position ids";
	t->value = "position";
	t->rows = s->batch;
	t->cols = s->sequence;
	t->dtype = I32;
	t->down = (struct axis){ .name = "sequence", .step = 1 };
	t->across = (struct axis){ .name = "token", .step = 1 };
	t->lo = (double)s->padding_idx;
	t->hi = t->lo + (double)s->past + (double)s->sequence;
	t->bounds = BOUNDS_LOOSE;
	for (size_t i = 0; i < s->batch; i++)
		count(s, s->ids.at + i * s->sequence, x + i * s->sequence);
	table_dense(t, x);
	return true;
}
