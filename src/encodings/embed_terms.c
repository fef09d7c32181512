/* embed_terms.c: what an embedding is the sum of, as tables for figures. */
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
	embed_add_term(p->s, p->term, i, embed_id(p->s, i), scratch);
	return scratch;
}

/* The number that row i of a term has: an id, a segment or a position. */
static double place_of(const struct term_source *p, size_t i)
{
	if (p->term == TERM_TOKEN)
		return p->s->ids.at ? p->s->ids.at[i] : (double)i;
	return p->term == TERM_SEGMENT ? embed_segment(p->s, i)
				       : embed_position(p->s, i);
}

/* The axis of the rows of a term [n], with these numbers if they are few. */
static struct axis place_rows(const struct term_source *p, const char *name,
			      size_t n, struct table *owner, struct error *err)
{
	struct axis axis = { .name = name, .step = 1 };
	double *at = n <= PLACES_MOST ? table_alloc(owner, n, sizeof *at, err)
				      : NULL;

	for (size_t i = 0; at && i < n; i++)
		at[i] = place_of(p, i);
	axis.at = at;
	return axis;
}

bool embed_terms(const struct embed *s, struct table *t, struct error *err)
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

		if (!embed_has_term(s, order[k]))
			continue;
		x = table_alloc(t, 1, sizeof *x, err);
		p = table_alloc(t, 1, sizeof *p, err);
		if (!x || !p)
			return false;
		*p = (struct term_source){ s, order[k] };
		*x = (struct table){
			.planes = t->planes, .rows = t->rows, .cols = t->cols,
			.dtype = F32, .title = names[order[k]], .state = p,
			.row_axis = place_rows(p, names[order[k]],
					       t->planes * t->rows, t, err),
			.row = term_row, .beside = t->terms,
		};
		t->terms = x;
	}
	return !err->text[0];
}
