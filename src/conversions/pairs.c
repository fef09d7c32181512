/* pairs.c: the tensors of two models that are the same one. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conversions/conversions.h"
#include "table/never.h"
#include "table/sort.h"

/*
 * The ways to find one tensor's name in another model, best first. As keys of
 * names in GGUF are the names themselves, they are compared with GGUF's, too.
 */
enum way {
	WAY_SAME, WAY_UNWRAPPED,
	WAY_GGUF, WAY_GGUF_OTHER,     /* with "encoder" and "decoder", */
	WAY_WHOLE, WAY_WHOLE_OTHER,   /* or without */
	WAYS
};

/* A tensor that has no pair yet. */
struct named {
	const struct tensor *tensor;
	size_t side;           /* the model that has it */
	uint64_t hash;         /* of its key */
	bool own;              /* its key in GGUF is its own name */
};

/* Those of both models. */
struct names {
	struct named *at;      /* [n] */
	size_t n;
};

/* The name [*n] by which a tensor is found in that way. */
static const char *key_of(const struct named *x, enum way way, size_t *n,
			  char room[NAME_ROOM])
{
	const struct tensor *t = x->tensor;
	const size_t skip = way == WAY_UNWRAPPED
			    ? name_wrapped(t->name, t->length) : 0;

	*n = 0;
	if (way >= WAY_GGUF && !x->own)
		*n = name_key(t->name, t->length, (way - WAY_GGUF) % 2,
			      way < WAY_WHOLE, room);
	if (*n)
		return room;
	*n = t->length - skip;
	return t->name + skip;
}

/* Whether two tensors are the same one by their keys, not by hashes alone. */
static bool same_key(const struct named *a, const struct named *b,
		     enum way way)
{
	char room[2][NAME_ROOM];
	size_t n, m;
	const char *x = key_of(a, way, &n, room[0]);
	const char *y = key_of(b, way, &m, room[1]);

	return !NEVER(n != m || memcmp(x, y, n) != 0) &&
	       !(way >= WAY_WHOLE &&
		 names_of_two_halves(a->tensor->name, b->tensor->name));
}

static int by_hash(const void *left, const void *right)
{
	const struct named *a = left, *b = right;

	return a->hash != b->hash ? integers_order(a->hash, b->hash)
				  : integers_order(a->side, b->side);
}

static void sort(struct names *l, enum way way)
{
	for (struct named *x = l->at; x < l->at + l->n; x++) {
		char room[NAME_ROOM];
		size_t n;
		const char *key = key_of(x, way, &n, room);

		x->own |= way == WAY_GGUF && key != room;
		x->hash = name_hash(key, n);
	}
	qsort(l->at, l->n, sizeof *l->at, by_hash);
}

static void add_pair(struct conversion *c, const struct tensor *a,
		     const struct tensor *b)
{
	enum content content = CONTENT_OTHER;

	if (a)
		content = name_content(a->name, a->length);
	if (b && content == CONTENT_OTHER &&
	    !(a && strcmp(a->name, b->name) == 0))
		content = name_content(b->name, b->length);
	c->pairs[c->n++] = (struct pair){ { a, b }, content, { 0 } };
}

/*
 * Make pairs of names that are the same in some way; others stay. So do
 * several of one model that have the same key, as those of two towers: which
 * one is which would be a guess.
 */
static void match(struct conversion *c, struct names *l, enum way way)
{
	size_t n, kept = 0;

	sort(l, way);
	for (size_t i = 0; i < l->n; i += n) {
		const struct named *x = &l->at[i];

		for (n = 1; i + n < l->n && x[n].hash == x->hash;)
			n++;
		if (n == 2 && x[0].side < x[1].side &&
		    same_key(&x[0], &x[1], way)) {
			add_pair(c, x[0].tensor, x[1].tensor);
			continue;
		}
		memmove(l->at + kept, x, n * sizeof *x);
		kept += n;
	}
	l->n = kept;
}

/* Whether another tensor of its model has the same key. */
static bool is_one_of_several(const struct names *l, const struct named *x)
{
	return (x > l->at && by_hash(x - 1, x) == 0) ||
	       (x + 1 < l->at + l->n && by_hash(x, x + 1) == 0);
}

/* The only tensor of a model that has the key [n], or NULL. */
static struct named *find_key(const struct names *l, size_t side,
			      const char *key, size_t n)
{
	const struct named wanted = { .hash = name_hash(key, n), .side = side };
	struct named *x = bsearch(&wanted, l->at, l->n, sizeof *x, by_hash);
	char room[NAME_ROOM];
	const char *own;
	size_t m;

	if (!x || !x->tensor || is_one_of_several(l, x))
		return NULL;
	own = key_of(x, WAY_WHOLE, &m, room);
	return NEVER(n != m || memcmp(own, key, n) != 0) ? NULL : x;
}

/* Whether a tensor has queries, keys and values that are three of the other
   model. */
static bool find_parts(const struct names *l, const struct named *fused,
		       struct named *parts[3])
{
	static const char word[] = "attn_qkv.";
	char room[NAME_ROOM], key[NAME_ROOM];
	size_t n;
	const char *name = key_of(fused, WAY_WHOLE, &n, room);
	const char *at = strstr(name, word);

	for (size_t k = 0; at && k < 3 && n < NAME_ROOM; k++) {
		n = (size_t)snprintf(key, sizeof key, "%.*sattn_%c.%s",
				     (int)(at - name), name, "qkv"[k],
				     at + sizeof word - 1);
		parts[k] = find_key(l, !fused->side, key, n);
		if (!parts[k] || names_of_two_halves(fused->tensor->name,
						     parts[k]->tensor->name))
			return false;
	}
	return at && n < NAME_ROOM;
}

/* Make pairs of a tensor and its parts, if it is known how it is split. */
static void add_parts(struct conversion *c, struct named *fused,
		      struct named *parts[3])
{
	const struct tensor *const of[] = {
		parts[0]->tensor, parts[1]->tensor, parts[2]->tensor,
	};
	struct split s;

	if (!split_begin(c, fused->side, fused->tensor, of, &s))
		return;
	for (; s.part < 3; s.part++) {
		struct pair *p = &c->pairs[c->n++];

		*p = (struct pair){ .content = CONTENT_HEADS, .split = s };
		p->of[s.side] = fused->tensor;
		p->of[!s.side] = of[s.part];
		parts[s.part]->tensor = NULL;
	}
	fused->tensor = NULL;
}

/* Where digits begin in both, the order of their numbers. */
static int by_number(const char **a, const char **b)
{
	const size_t n = strspn(*a, "0123456789");
	const size_t m = strspn(*b, "0123456789");
	const int order = n != m ? integers_order(n, m) : memcmp(*a, *b, n);

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
		if (isdigit((unsigned char)*a) &&
		    isdigit((unsigned char)*b))
			order = by_number(&a, &b);
		else
			order = *a++ - *b++;
	return order ? order : (*a > *b) - (*a < *b);
}

bool pairs_find(struct conversion *c)
{
	const size_t n = c->sides[0].model.all.n + c->sides[1].model.all.n;
	struct names l = { .at = table_alloc(c->owner, n, sizeof *l.at,
					     c->err) };
	struct named *parts[3];

	c->pairs = table_alloc(c->owner, n, sizeof *c->pairs, c->err);
	if (!l.at || !c->pairs)
		return false;
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < c->sides[side].model.all.n; i++)
			l.at[l.n++] = (struct named){
				.tensor = &c->sides[side].model.all.at[i],
				.side = side,
			};
	for (enum way way = WAY_SAME; way < WAYS; way++)
		match(c, &l, way);
	sort(&l, WAY_WHOLE);
	for (struct named *x = l.at; x < l.at + l.n; x++)
		if (x->tensor && !is_one_of_several(&l, x) &&
		    find_parts(&l, x, parts))
			add_parts(c, x, parts);
	for (struct named *x = l.at; x < l.at + l.n; x++)
		if (x->tensor) {
			add_pair(c, x->side ? NULL : x->tensor,
				 x->side ? x->tensor : NULL);
			c->only[x->side]++;
		}
	qsort(c->pairs, c->n, sizeof *c->pairs, by_name);
	return true;
}

const char *pair_name(const struct pair *p)
{
	if (p->split.used)
		return p->of[!p->split.side]->name;
	return p->of[0] ? p->of[0]->name : p->of[1]->name;
}
