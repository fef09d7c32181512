/* target_check.c: whether a config.json with other keys has these positions. */
#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json_tree.h"
#include "model/key.h"
#include "model/logits.h"
#include "model/target.h"

/* Replace values of into by those of from; objects are merged. */
static bool merge(cJSON *into, const cJSON *from)
{
	bool good = true;

	for (const cJSON *o = from->child; good && o; o = o->next) {
		cJSON *old = cJSON_GetObjectItemCaseSensitive(into, o->string);

		if (cJSON_IsObject(old) && cJSON_IsObject(o)) {
			good = merge(old, o);
			continue;
		}
		cJSON_DeleteItemFromObjectCaseSensitive(into, o->string);
		good = json_add(into, o->string, cJSON_Duplicate(o, true));
	}
	return good;
}

/* Values without a line and column of a file: json_place(). */
static void forget_places(cJSON *value)
{
	value->valueint = 0;
	for (cJSON *o = value->child; o; o = o->next)
		forget_places(o);
}

static bool is_same_series(const struct config *c,
			   const struct rotary_positions *a,
			   const struct rotary_positions *b, double length,
			   const char *out)
{
	size_t n, m, k = 0;
	const double *x = rotary_values(a, length, out, &n, c->owner, c->err);
	const double *y = rotary_values(b, length, out, &m, c->owner, c->err);

	while (x && y && n == m && k < n && fabs(x[k] - y[k]) <=
	       1e-9 * fabs(x[k]))
		k++;
	return x && y && n == m && k == n;
}

/* Whether they are the same in short contexts and in long ones. */
static bool is_same(const struct config *c, const struct rotary_positions *a,
		    const struct rotary_positions *b)
{
	const double lengths[] = { 1, fmax(2 * a->scale.original, 1) };
	bool same = !config_differs(a->dims, b->dims) &&
		    !config_differs(a->head, b->head) &&
		    !a->mrope == !b->mrope &&
		    (!a->mrope || strcmp(a->mrope, b->mrope) == 0) &&
		    !a->sections == !b->sections &&
		    (!a->sections || strcmp(a->sections, b->sections) == 0);

	for (size_t i = 0; same && i < sizeof lengths / sizeof *lengths; i++)
		same = is_same_series(c, a, b, lengths[i], "freqs") &&
		       is_same_series(c, a, b, lengths[i], "cos");
	return same;
}

/* Whether layers of all types have the positions of p. */
static bool compare(const struct port *p, const struct port *q)
{
	for (size_t i = 0; i < p->n && i < q->n; i++)
		if (!is_same(q->c, &p->at[i].r, &q->at[i].r))
			return fail(q->c->err, "they are read as other "
				    "positions");
	return p->n == q->n || fail(q->c->err, "types of layers are read "
				    "differently");
}

/* Read the merged file as if it were one. */
static bool read_again(const struct port *p, struct config *again)
{
	char *words[2] = { p->c->part ? table_copy(p->c->owner, p->c->part,
						   p->c->err) : NULL, NULL };
	struct port q;

	again->path = "the file with these keys";
	if (!config_find_part(again, words) || !config_find_layers(again) ||
	    !config_check_keys(again))
		return false;
	again->layers = p->c->layers;
	return port_read(&q, again) && compare(p, &q);
}

const char *port_refused(const struct port *p, const char *json)
{
	struct error why = { 0 };
	struct config again = { .owner = p->c->owner, .err = &why };
	cJSON *more = cJSON_Parse(json);

	again.root = cJSON_Duplicate(p->c->root, true);
	if (!more || !again.root || !merge(again.root, more)) {
		fail_memory(p->c->err);
	} else {
		forget_places(again.root);
		read_again(p, &again);
	}
	cJSON_Delete(more);
	cJSON_Delete(again.root);
	pass_memory(p->c->err, &why);
	return why.text[0] ? config_text(p->c, "%s", why.text) : NULL;
}

/* Add a number under a key of the architecture, if it has it. */
static bool add_number(cJSON *root, const char *name, double x)
{
	cJSON *item = name ? cJSON_CreateNumber(x) : NULL;

	if (item)
		item->valueint = 0;
	return !name || (item && json_add(root, name, item));
}

/* The keys of p in a GGUF file, and sizes of its model. */
static bool add_keys(const struct port *p, cJSON *root)
{
	static const enum key sizes[] = { KEY_LAYERS, KEY_HIDDEN, KEY_HEADS };
	struct config own = *p->c;
	struct error ignored = { 0 };
	double x;

	own.err = &ignored;
	for (enum key k = 0; k < KEYS; k++)
		if (port_number(p, p->main, TARGET_GGUF, k, &x) &&
		    !add_number(root, port_gguf_name(p, k), x))
			return false;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		x = 0;
		if (key_number(&own, sizes[i], &x) && x > 0 &&
		    !add_number(root, port_gguf_name(p, sizes[i]), x))
			return false;
	}
	return true;
}

/* Whether a window is longer than the context, so that it hides nothing. */
static const char *seen(const struct port *p, const char *mask)
{
	static const char window[] = "window:";
	const bool all = mask && p->context > 0 &&
			 strncmp(mask, window, strlen(window)) == 0 &&
			 strtod(mask + strlen(window), NULL) >= p->context;

	return all ? "causal" : mask;
}

/* What layers of a type see, in the file and as b says; NULL: the same. */
static const char *other_mask(const struct port *p, struct config *a,
			      struct config *b)
{
	const char *x = seen(p, mask_kind(a)), *y = seen(p, mask_kind(b));

	return x && y && strcmp(x, y) != 0
	       ? config_text(p->c, "what layers see: %s, and %s in a GGUF file "
			     "of %s", x, y, p->architecture)
	       : NULL;
}

static const char *other_layers(const struct port *p, struct config *a,
				struct config *b)
{
	struct layer_lists x, y;

	if (!config_list_layers(a, &x) || !config_list_layers(b, &y) ||
	    !x.all[0] || !y.all[0] || strcmp(x.all, y.all) == 0)
		return NULL;
	return config_text(p->c, "which layers they are: %s layers %.200s, and "
			   "%.200s in a GGUF file of %s",
			   a->layers ? a->layers : "rotating", x.all, y.all,
			   p->architecture);
}

static const char *other_logits(const struct port *p,
				const struct port_layers *l, struct config *a,
				struct config *b)
{
	struct logits x, y;

	if (!logits_read(a, &l->r, &x) || !logits_read(b, &l->r, &y) ||
	    (fabs(x.scale - y.scale) <= 1e-6 * x.scale &&
	     fabs(x.cap - y.cap) <= 1e-6 * x.cap))
		return NULL;
	return config_text(p->c, "logits: %s, and %s in a GGUF file of %s",
			   logits_words(a, &x), logits_words(b, &y),
			   p->architecture);
}

const char *port_gguf_refused(const struct port *p)
{
	struct error why = { 0 };
	struct config b = {
		.path = "it", .owner = p->c->owner, .err = &why, .gguf = true,
		.type = p->architecture,
		.root = cJSON_CreateObject(),
	};
	const char *words = NULL;

	b.model = b.root;
	if (b.root && add_keys(p, b.root))
		b.row = config_row(&b, b.type);
	if (b.row && b.row->kind == MODEL_ROTARY && gguf_find_layers(&b))
		for (size_t i = 0; i < p->n && !words; i++) {
			const struct port_layers *l = &p->at[i];
			struct config a = *p->c, own = b;

			a.err = own.err = &why;
			a.layers = l->type;
			own.layers = b.layer_type_count ? l->type : NULL;
			words = other_layers(p, &a, &own);
			words = words ? words : other_mask(p, &a, &own);
			words = words ? words : other_logits(p, l, &a, &own);
			why = (struct error){ 0 };
		}
	cJSON_Delete(b.root);
	return words;
}
