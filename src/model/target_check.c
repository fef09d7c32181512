/* target_check.c: whether a config.json with other keys has these positions. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "formats/json_tree.h"
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
	cJSON *keys = cJSON_Parse(json);

	again.root = cJSON_Duplicate(p->c->root, true);
	if (!keys || !again.root || !merge(again.root, keys)) {
		fail_memory(p->c->err);
	} else {
		forget_places(again.root);
		read_again(p, &again);
	}
	cJSON_Delete(keys);
	cJSON_Delete(again.root);
	pass_memory(p->c->err, &why);
	return why.text[0] ? config_text(p->c, "%s", why.text) : NULL;
}
