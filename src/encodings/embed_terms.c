/* embed_terms.c: the terms of a sum, as tables for figures. */
#include <string.h>

#include "encodings/embed.h"

/* What the rows of a term are made of. */
struct term_source {
	const struct embed *s;
	enum term term;
};

static const double *term_row(const struct table *t, size_t i, double *scratch)
{
	const struct term_source *p = t->state;

	memset(scratch, 0, t->cols * sizeof *scratch);
	sum_add(p->s, p->term, i, embed_id(p->s, i), scratch);
	return scratch;
}

bool terms_make(const struct embed *s, struct table *t, struct error *err)
{
	/* Tokens first, as in BERT's figure */
	static const enum term order[] = {
		TERM_POSITION, TERM_ADDED, TERM_SINUSOID, TERM_SEGMENT,
		TERM_TOKEN,
	};
	static const char *const names[] = {
		[TERM_SINUSOID] = "sinusoid", [TERM_TOKEN] = "token",
		[TERM_SEGMENT] = "segment", [TERM_POSITION] = "position",
		[TERM_ADDED] = "added",
	};

	_Static_assert((int)TERMS <= BESIDE_MOST, "all are beside one another");
	for (size_t k = 0; k < TERMS && !s->plain && !s->layernorm; k++) {
		struct table *x;
		struct term_source *p;

		if (!sum_has(s, order[k]))
			continue;
		x = table_alloc(t, 1, sizeof *x, err);
		p = table_alloc(t, 1, sizeof *p, err);
		if (!x || !p)
			return false;
		*p = (struct term_source){ s, order[k] };
		*x = (struct table){
			.planes = t->planes, .rows = t->rows, .cols = t->cols,
			.dtype = F32, .title = names[order[k]], .state = p,
			.row = term_row, .beside = t->terms,
		};
		t->terms = x;
	}
	return true;
}
