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
	uint64_t hash;         /* of its key */
	bool own;              /* its key in GGUF is its own name */
};

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

static void set_hash(struct named *x, enum way way)
{
	char room[NAME_ROOM];
	size_t n;
	const char *key = key_of(x, way, &n, room);

	x->own |= way == WAY_GGUF && key != room;
	x->hash = name_hash(key, n);
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

	return integers_order(a->hash, b->hash);
}

static void sort(struct names *l, enum way way)
{
	for (size_t i = 0; i < l->n; i++)
		set_hash(&l->at[i], way);
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

/* The tensors from at on with that hash. */
static size_t run(const struct names *l, size_t at, uint64_t key)
{
	size_t n = 0;

	while (at + n < l->n && l->at[at + n].hash == key)
		n++;
	return n;
}

/* Keep tensors for the ways that follow. */
static void keep(struct names *l, size_t *kept, size_t from, size_t n)
{
	memmove(l->at + *kept, l->at + from, n * sizeof *l->at);
	*kept += n;
}

/*
 * Make pairs of names that are the same in some way; others stay. So do
 * several of one model that have the same key, as those of two towers: which
 * one is which would be a guess.
 */
static void match(struct conversion *c, struct names *a, struct names *b,
		  enum way way)
{
	size_t i = 0, j = 0, n = 0, m = 0;

	sort(a, way);
	sort(b, way);
	while (i < a->n || j < b->n) {
		const bool first = j == b->n || (i < a->n && a->at[i].hash <
						 b->at[j].hash);
		const uint64_t key = (first ? &a->at[i] : &b->at[j])->hash;
		const size_t of_a = run(a, i, key), of_b = run(b, j, key);

		if (of_a == 1 && of_b == 1 &&
		    same_key(&a->at[i], &b->at[j], way)) {
			add_pair(c, a->at[i].tensor, b->at[j].tensor);
		} else {
			keep(a, &n, i, of_a);
			keep(b, &m, j, of_b);
		}
		i += of_a;
		j += of_b;
	}
	a->n = n;
	b->n = m;
}

/* The only tensor that has the key [n] in the last way, or NULL. */
static struct named *find_key(const struct names *l, const char *key, size_t n)
{
	const struct named wanted = { .hash = name_hash(key, n) };
	struct named *x = bsearch(&wanted, l->at, l->n, sizeof *x, by_hash);
	char room[NAME_ROOM];
	const char *own;
	size_t m;

	if (!x || (x > l->at && x[-1].hash == x->hash) ||
	    run(l, (size_t)(x - l->at), x->hash) > 1)
		return NULL;
	own = key_of(x, WAY_WHOLE, &m, room);
	return NEVER(n != m || memcmp(own, key, n) != 0) ? NULL : x;
}

static const char fused_name[] = "attn_qkv.";

/* Whether a model has tensors of queries, keys and values that have no pair. */
static bool any_fused(const struct names *l)
{
	char room[NAME_ROOM];
	size_t i = 0, n;

	while (i < l->n && !strstr(key_of(&l->at[i], WAY_WHOLE, &n, room),
				   fused_name))
		i++;
	return i < l->n;
}

/* Whether there are queries, keys and values that belong to such a tensor. */
static bool find_parts(const struct names *l, const struct named *fused,
		       struct named *parts[3])
{
	char room[NAME_ROOM], key[NAME_ROOM];
	size_t n;
	const char *name = key_of(fused, WAY_WHOLE, &n, room);
	const char *at = strstr(name, fused_name);

	for (size_t k = 0; at && k < 3 && n < NAME_ROOM; k++) {
		n = (size_t)snprintf(key, sizeof key, "%.*sattn_%c.%s",
				     (int)(at - name), name, "qkv"[k],
				     at + sizeof fused_name - 1);
		parts[k] = find_key(l, key, n);
		if (!parts[k] || names_of_two_halves(fused->tensor->name,
						     parts[k]->tensor->name))
			return false;
	}
	return at && n < NAME_ROOM;
}

/* Make pairs of a tensor and its parts, if it is known how it is split. */
static void add_parts(struct conversion *c, size_t side, struct named *fused,
		      struct named *parts[3])
{
	const struct tensor *const of[] = {
		parts[0]->tensor, parts[1]->tensor, parts[2]->tensor,
	};
	struct split s;

	if (!split_begin(c, side, fused->tensor, of, &s))
		return;
	for (; s.part < 3; s.part++) {
		struct pair *p = &c->pairs[c->n++];

		*p = (struct pair){ .content = CONTENT_HEADS, .split = s };
		p->of[side] = fused->tensor;
		p->of[!side] = of[s.part];
		parts[s.part]->tensor = NULL;
	}
	fused->tensor = NULL;
}

/* Drop those that have a pair now. */
static void compact(struct names *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].tensor)
			l->at[n++] = l->at[i];
	l->n = n;
}

/* The same for all such tensors of a model. */
static void match_parts(struct conversion *c, size_t side, struct names *l,
			struct names *other)
{
	struct named *parts[3];

	if (!any_fused(l))
		return;
	sort(l, WAY_WHOLE);
	sort(other, WAY_WHOLE);
	for (size_t i = 0, n; i < l->n; i += n) {
		n = run(l, i, l->at[i].hash);
		if (n == 1 && find_parts(other, &l->at[i], parts))
			add_parts(c, side, &l->at[i], parts);
	}
	compact(l);
	compact(other);
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
	struct names a, b;

	if (!begin(c, 0, &a) || !begin(c, 1, &b))
		return false;
	c->pairs = table_alloc(c->owner, a.n + b.n, sizeof *c->pairs, c->err);
	if (!c->pairs)
		return false;
	for (enum way way = WAY_SAME; way < WAYS; way++)
		match(c, &a, &b, way);
	match_parts(c, 0, &a, &b);
	match_parts(c, 1, &b, &a);
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
	if (p->split.used)
		return p->of[!p->split.side]->name;
	return p->of[0] ? p->of[0]->name : p->of[1]->name;
}
