/* pairs.c: the tensors of two models that are the same one. */
#include <stdlib.h>
#include <string.h>

#include "conversions/conversions.h"

/* The ways to find one tensor's name in another model, best first. */
enum way { WAY_SAME, WAY_GGUF, WAY_GGUF_OTHER, WAY_UNWRAPPED, WAYS };

/* A tensor that has no pair yet, and its name in some way. */
struct named {
	const struct tensor *tensor;
	size_t skip;           /* bytes of its own name before the one meant */
	char gguf[NAME_ROOM];  /* [n] */
	size_t n;              /* 0: the own name is meant */
};

struct names {
	struct named *at;      /* [n] */
	size_t n;
};

static void set_name(struct named *x, enum way way)
{
	const struct tensor *t = x->tensor;

	x->n = x->skip = 0;
	if (way == WAY_UNWRAPPED)
		x->skip = name_wrapped(t->name, t->length);
	else if (way != WAY_SAME)
		x->n = name_in_gguf(t->name, t->length, way - WAY_GGUF,
				    x->gguf);
}

static const char *name_of(const struct named *x)
{
	return x->n ? x->gguf : x->tensor->name + x->skip;
}

static int by_key(const void *left, const void *right)
{
	return strcmp(name_of(left), name_of(right));
}

static void sort(struct names *l, enum way way)
{
	for (size_t i = 0; i < l->n; i++)
		set_name(&l->at[i], way);
	qsort(l->at, l->n, sizeof *l->at, by_key);
}

static void add_pair(struct conversion *c, const struct tensor *a,
		     const struct tensor *b)
{
	enum content content = CONTENT_OTHER;

	if (a)
		content = name_content(a->name, a->length);
	if (b && content == CONTENT_OTHER)
		content = name_content(b->name, b->length);
	c->pairs[c->n++] = (struct pair){ { a, b }, content };
}

/* Make pairs of names that are the same in some way; others stay. */
static void match(struct conversion *c, struct names *a, struct names *b,
		  enum way way)
{
	size_t i = 0, j = 0, n = 0, m = 0;

	sort(a, way);
	sort(b, way);
	while (i < a->n || j < b->n) {
		const int order = i == a->n ? 1 : j == b->n ? -1 :
				  by_key(&a->at[i], &b->at[j]);

		if (order < 0)
			a->at[n++] = a->at[i++];
		else if (order > 0)
			b->at[m++] = b->at[j++];
		else
			add_pair(c, a->at[i++].tensor, b->at[j++].tensor);
	}
	a->n = n;
	b->n = m;
}

static bool begin(struct conversion *c, size_t side, struct names *l)
{
	const struct tensors *all = &c->sides[side].model.all;

	l->at = table_alloc(c->owner, all->n, sizeof *l->at, c->err);
	for (l->n = 0; l->at && l->n < all->n; l->n++)
		l->at[l->n].tensor = &all->at[l->n];
	return l->at;
}

/* Where digits begin in both, the order of their numbers. */
static int by_number(const char **a, const char **b)
{
	const size_t n = strspn(*a, "0123456789");
	const size_t m = strspn(*b, "0123456789");
	const int order = n != m ? (n > m) - (n < m) : memcmp(*a, *b, n);

	*a += n;
	*b += m;
	return order;
}

/* Names in the order of their layers: 2 before 10. */
static int by_name(const void *left, const void *right)
{
	const char *a = pair_name(left), *b = pair_name(right);
	int order = 0;

	while (!order && *a && *b)
		if (strspn(a, "0123456789") && strspn(b, "0123456789"))
			order = by_number(&a, &b);
		else
			order = *a++ - *b++;
	return order ? order : (*a > *b) - (*a < *b);
}

bool pairs_find(struct conversion *c)
{
	struct names a, b;

	if (!begin(c, 0, &a) || !begin(c, 1, &b))
		return false;
	c->pairs = table_alloc(c->owner, a.n + b.n, sizeof *c->pairs, c->err);
	if (!c->pairs)
		return false;
	for (enum way way = WAY_SAME; way < WAYS; way++)
		match(c, &a, &b, way);
	for (size_t i = 0; i < a.n; i++)
		add_pair(c, a.at[i].tensor, NULL);
	for (size_t i = 0; i < b.n; i++)
		add_pair(c, NULL, b.at[i].tensor);
	c->only[0] = a.n;
	c->only[1] = b.n;
	qsort(c->pairs, c->n, sizeof *c->pairs, by_name);
	return true;
}

const char *pair_name(const struct pair *p)
{
	return p->of[0] ? p->of[0]->name : p->of[1]->name;
}
