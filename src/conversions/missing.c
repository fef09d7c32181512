/* missing.c: tensors that are in one model alone. */
#include <string.h>

#include "conversions/conversions.h"
#include "conversions/tables.h"
#include "conversions/values.h"
#include "text/words.h"

/* Whether layers of a model have positions of one of these kinds. */
static bool has_kind(const struct side *s, const char *kinds)
{
	for (size_t i = 0; i < s->positions.n; i++)
		if (text_has_word(kinds, s->positions.at[i].kind, " "))
			return true;
	return false;
}

/* Whether a tensor has this name in GGUF; in name. */
static bool name_is(const struct tensor *t, const char *wanted,
		    char name[NAME_ROOM])
{
	return strcmp(t->name, wanted) == 0 ||
	       (name_in_gguf(t->name, t->length, name) &&
		strcmp(name, wanted) == 0);
}

/* Whether it is the table of tokens once more, as where both are tied. */
static bool is_tied(struct conversion *c, struct side *s,
		    const struct tensor *t)
{
	char name[NAME_ROOM];
	struct error ignored = { 0 };
	const struct tensor *tokens = NULL;
	bool tied;

	if (!name_is(t, "output.weight", name))
		return false;
	for (size_t i = 0; i < s->model.all.n && !tokens; i++)
		if (name_is(&s->model.all.at[i], "token_embd.weight", name))
			tokens = &s->model.all.at[i];
	tied = tokens && tensors_equal(s, t, tokens, &ignored);
	pass_call(c->err, &ignored);
	return tied;
}

void note_missing(struct conversion *c, const struct pair *p)
{
	const size_t in = p->of[0] ? 0 : 1;
	const char *has = in ? "only B has it" : "only A has it";
	struct side *s = &c->sides[in];
	struct sentences *to = NULL;
	struct error unread = { 0 };

	if (p->content == CONTENT_HEADS || p->content == CONTENT_FUSED ||
	    p->content == CONTENT_LATENT ||
	    (p->content == CONTENT_POSITIONS && s->positions.unknown))
		to = &c->unknown;
	else if (p->content == CONTENT_POSITIONS &&
		 has_kind(s, "learned t5 relative"))
		to = &c->different;
	else if (p->content != CONTENT_OTHER)
		to = &c->also;
	else if (!name_derived(p->of[in]->name, p->of[in]->length) &&
		 !is_tied(c, s, p->of[in]))
		c->missing[in]++;
	if (p->content == CONTENT_FREQUENCIES &&
	    !name_of_part(p->of[in]->name, p->of[in]->length))
		frequencies_check(c, s, p, &unread);
	pass_call(c->err, &unread);
	if (to)
		say_of(to, pair_name(p), has);
}
