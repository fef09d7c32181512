/* target_json.c: rotary positions as keys of a config.json. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "exact/yarn.h"
#include "formats/json_tree.h"
#include "model/key.h"
#include "model/target.h"

/* An object that is made. */
struct making {
	const struct port *p;
	enum target t;
	bool good;
};

/* Set a key of an object to a value in JSON, NULL: to none. */
static void set(struct making *m, cJSON *to, const char *name,
		const char *json)
{
	cJSON_DeleteItemFromObjectCaseSensitive(to, name);
	m->good = m->good && json && json_add(to, name,
					      cJSON_CreateRaw(json));
}

static void set_text(struct making *m, cJSON *to, const char *name,
		     const char *text)
{
	set(m, to, name, config_text(m->p->c, "\"%s\"", text));
}

static void set_number(struct making *m, cJSON *to, const char *name, double x)
{
	char text[CONFIG_NUMBER];

	set(m, to, name, config_digits(x, text));
}

/* The object in all, which is made where it is missing. */
static cJSON *object_in(struct making *m, cJSON *all, const char *name)
{
	cJSON *found = cJSON_GetObjectItemCaseSensitive(all, name);

	if (!found) {
		found = cJSON_CreateObject();
		m->good = json_add(all, name, found) && m->good;
		found = m->good ? found : NULL;
	}
	return found;
}

/* The name among alternatives that a config.json has, or the first. */
static const char *name_in_file(const struct port *p, const char *names)
{
	const struct config *c = p->c;
	const char *at = p->other ? NULL : names;

	while (at) {
		const char *name = config_text(c, "%.*s",
					       (int)strcspn(at, "|"), at);

		if (!name || config_value(c, name))
			return name;
		at = strchr(at, '|');
		at += at != NULL;
	}
	return names ? config_text(c, "%.*s", (int)strcspn(names, "|"), names)
		     : NULL;
}

/* Set a number at the top of the model; a dot goes deeper. */
static void set_above(struct making *m, cJSON *model, enum key k, double x)
{
	const struct config *c = m->p->c;
	const char *names = key_is_own(c, k) && !m->p->other
			    ? c->row->key[k] : keys[k].json;
	const char *name = name_in_file(m->p, names), *dot;

	while (m->good && name && (dot = strchr(name, '.'))) {
		const char *outer = config_text(c, "%.*s",
						(int)(dot - name), name);

		model = outer ? object_in(m, model, outer) : NULL;
		name = dot + 1;
	}
	m->good = m->good && model && name;
	if (m->good)
		set_number(m, model, name, x);
}

/* A list of a divisor for each pair. */
static void set_list(struct making *m, cJSON *to, enum key k,
		     const double *list, double pairs)
{
	const char *text = "";
	char digits[CONFIG_NUMBER];

	for (size_t i = 0; text && (double)i < pairs; i++)
		text = config_text(m->p->c, "%s%s%s", text, i ? ", " : "",
				   config_digits(list[i], digits));
	set(m, to, keys[k].json, text ? config_text(m->p->c, "[%s]", text)
				      : NULL);
}

/*
 * Whether to say which part of the head rotates: not all, or the class would
 * assume less, or the file says it.
 */
static bool is_part(const struct port *p, const struct port_layers *l)
{
	const struct model *m = p->c->row;
	const bool local = l == p->local && m->local_base > 0;

	if (!p->other && !(m->partial > 0))
		return false;
	if (p->other || l->r.dims < l->r.head)
		return l->r.dims < l->r.head;
	return !local && (m->partial < 1 || key_value(p->c, KEY_PARTIAL) ||
			  (l->rope && config_at(l->rope,
						keys[KEY_PARTIAL].json)));
}

/* The share of the head: the file's, or one whose product is the dimensions. */
static double part_of(const struct port *p, const struct port_layers *l)
{
	const cJSON *inside = l->rope ? config_at(l->rope,
						  "partial_rotary_factor")
				      : NULL;
	const cJSON *value = inside || p->other
			     ? inside : key_value(p->c, KEY_PARTIAL);
	double part = l->r.dims / l->r.head;

	if (value && cJSON_IsNumber(value))
		return value->valuedouble;
	while (floor(l->r.head * part) < l->r.dims)
		part = nextafter(part, 2);
	return part;
}

/* The numbers of a scaling. */
static void set_scaling(struct making *m, cJSON *to,
			const struct port_layers *l)
{
	const struct rotary_scaling *s = &l->r.scale;
	const double pairs = l->r.dims / 2;
	double x;

	for (enum key k = 0; k < KEYS; k++)
		if (keys[k].scaling && keys[k].json &&
		    port_number(m->p, l, m->t, k, &x))
			set_number(m, to, keys[k].json, x);
	if (s->sharp)
		set(m, to, keys[KEY_TRUNCATE].json, "false");
	if (strcmp(port_kind(l, m->t)->name, "longrope") != 0)
		return;
	set_list(m, to, KEY_SHORT, s->near, pairs);
	set_list(m, to, KEY_LONG, s->far ? s->far : s->near, pairs);
}

/*
 * vLLM reads the factor of cosines under other keys: of yarn, attn_factor
 * multiplies 0.1 ln F + 1 in older versions, attention_factor stands for it in
 * newer ones (yarn_scaling_rope.py).
 */
static void set_vllm_attention(struct making *m, cJSON *to,
			       const struct port_layers *l)
{
	const struct rotary_scaling *s = &l->r.scale;
	const char *kind = port_kind(l, m->t)->name;

	if (m->t != TARGET_VLLM || !(s->attention > 0 || m->p->other))
		return;
	if (strcmp(kind, "yarn") == 0)
		set_number(m, to, "attn_factor", l->attention[1] /
			   yarn_temperature(s->factor, 1));
	if (strcmp(kind, "longrope") == 0)
		for (enum key k = KEY_SHORT_MSCALE; k <= KEY_LONG_MSCALE; k++)
			set_number(m, to, keys[k].json, l->attention[1]);
}

/*
 * The lengths of longrope, which transformers reads outside of it, and divides
 * for the factor of cosines.
 */
static void set_lengths(struct making *m, cJSON *model, cJSON *to,
			const struct port_layers *l)
{
	const struct rotary_scaling *s = &l->r.scale;
	const struct port *p = m->p;
	const char *name = keys[KEY_ORIGINAL].json;
	const double original = s->original > 0 ? s->original : p->context;
	const bool inside = m->t == TARGET_VLLM ||
			    (l->rope && config_at(l->rope, name) &&
			     !config_at(p->c->model, name));
	const bool divided = p->context > 0 &&
			     !(fabs(p->context / original - s->factor) >
			       1e-9 * s->factor);

	if (strcmp(port_kind(l, m->t)->name, "longrope") != 0)
		return;
	if (original > 0)
		set_number(m, inside ? to : model, name, original);
	if (p->other)
		set_number(m, to, keys[KEY_ATTENTION].json, l->attention[1]);
	if (p->other || (divided && !inside))
		cJSON_DeleteItemFromObjectCaseSensitive(to, "factor");
}

/* What a class has of rotary positions besides scaling. */
static void set_rotation(struct making *m, cJSON *to,
			 const struct port_layers *l)
{
	if (!m->p->c->row->fixed || m->p->other)
		set_number(m, to, keys[KEY_BASE].json, l->r.base);
	if (is_part(m->p, l))
		set_number(m, to, keys[KEY_PARTIAL].json, part_of(m->p, l));
}

/* The word for a kind: that of the file, where only its class has it. */
static const char *type_word(const struct making *m, const cJSON *to,
			     const struct port_layers *l)
{
	const cJSON *old = config_at(to, "rope_type|type");

	for (size_t i = 0; i < SCALING_KINDS; i++)
		if (scaling_kinds[i].own &&
		    config_equals(old, scaling_kinds[i].type))
			return scaling_kinds[i].type;
	return port_kind(l, m->t)->type;
}

/* The object of the scaling, and of version 5 all else. */
static void set_object(struct making *m, cJSON *model, cJSON *to,
		       const struct port_layers *l)
{
	const cJSON *old = cJSON_GetObjectItemCaseSensitive(to, "type");
	const char *type = type_word(m, to, l);

	if (old && !config_equals(old, "mrope"))
		set_text(m, to, "type", type);
	set_text(m, to, "rope_type", type);
	if (m->t != TARGET_TRANSFORMERS4)
		set_rotation(m, to, l);
	if (l->r.sections)
		set(m, to, config_at(to, "xdrope_section")
		    ? "xdrope_section" : "mrope_section",
		    config_text(m->p->c, "[%s]", l->r.sections));
	if (l->r.mrope && strcmp(l->r.mrope, "interleaved") == 0)
		set(m, to, keys[KEY_ALTERNATE].json, "true");
	set_scaling(m, to, l);
	set_vllm_attention(m, to, l);
	set_lengths(m, model, to, l);
}

/* Add the object of layers, which begins as what the file has of them. */
static void add_object(struct making *m, cJSON *model, cJSON *all,
		       const char *name, const struct port_layers *l)
{
	cJSON *to = l->rope ? cJSON_Duplicate(l->rope, true)
			    : cJSON_CreateObject();

	m->good = json_add(all, name, to) && m->good;
	if (m->good)
		set_object(m, model, to, l);
}

/* Whether there is anything to say in an object of the scaling. */
static bool needs_object(const struct making *m, const struct port_layers *l)
{
	const bool none = strcmp(port_kind(l, m->t)->name, "none") == 0;

	if (key_is_own(m->p->c, KEY_FACTOR) && !m->p->other)
		return false;
	return !none || l->r.sections || l->rope ||
	       (m->t != TARGET_TRANSFORMERS4 &&
		(!m->p->c->row->fixed || is_part(m->p, l)));
}

/* Numbers at the top: of version 4 all, else those of names of their own. */
static void set_top(struct making *m, cJSON *model)
{
	const struct port *p = m->p;
	const struct config *c = p->c;
	const bool four = m->t == TARGET_TRANSFORMERS4, json = !p->other;
	const struct port_layers *l = p->main;

	if (json && c->row->fixed && key_is_own(c, KEY_RATIO))
		set_above(m, model, KEY_RATIO, l->r.base / c->row->base);
	else if (json && four && key_is_own(c, KEY_LOCAL_BASE) && l->type &&
		 strcmp(l->type, "sliding_attention") == 0)
		set_above(m, model, KEY_LOCAL_BASE, l->r.base);
	else if (!(json && c->row->fixed) &&
		 (four || (json && key_is_own(c, KEY_BASE) && p->n == 1)))
		set_above(m, model, KEY_BASE, l->r.base);
	if (four && p->local && json && key_is_own(c, KEY_LOCAL_BASE))
		set_above(m, model, KEY_LOCAL_BASE, p->local->r.base);
	if (json && key_is_own(c, KEY_DIMS) &&
	    (key_value(c, KEY_DIMS) || l->r.dims < l->r.head))
		set_above(m, model, KEY_DIMS, l->r.dims);
	else if (is_part(p, l) &&
		 (four || (json && key_is_own(c, KEY_PARTIAL))))
		set_above(m, model, KEY_PARTIAL, part_of(p, l));
	if (json && key_is_own(c, KEY_FACTOR) && l->r.scale.factor > 0)
		set_above(m, model, KEY_FACTOR, l->r.scale.factor);
}

/* The maximum length, where it is another one. */
static void set_context(struct making *m, cJSON *model)
{
	const char *kind = port_kind(m->p->main, m->t)->name;

	if (m->p->longer && strcmp(kind, "dynamic") != 0 &&
	    (m->t != TARGET_VLLM ||
	     text_has_word("none llama3 longrope", kind, " ")))
		set_above(m, model, KEY_CONTEXT, m->p->context);
}

/* Whether layers of a type were chosen of those that have keys by type. */
static bool is_one_of_several(const struct port *p)
{
	const struct model *m = p->c->row;

	return p->c->layers && !p->other &&
	       (m->local_base > 0 || m->layers == LAYERS_BY_TYPE);
}

/* What the class calls the layers of a type. */
static const char *object_name(const struct port *p,
			       const struct port_layers *l)
{
	if (p->c->row->layers != LAYERS_COMPRESSED)
		return l->type;
	return strcmp(l->type, "sliding_attention") == 0 ? "main" : "compress";
}

static void set_model(struct making *m, cJSON *model)
{
	const struct port *p = m->p;
	const bool four = m->t == TARGET_TRANSFORMERS4;
	const char *name = four ? "rope_scaling" : "rope_parameters";
	const char *other = four ? "rope_parameters" : "rope_scaling";
	const bool nested = !four && (p->n > 1 || is_one_of_several(p));

	if (m->t != TARGET_VLLM)
		set_top(m, model);
	set_context(m, model);
	if (m->t != TARGET_VLLM && config_at(p->c->model, other))
		set(m, model, other, "null");
	for (size_t i = 0; i < p->n && m->good; i++) {
		const struct port_layers *l = &p->at[i];
		cJSON *all = nested ? object_in(m, model, name) : model;

		if ((four && l != p->main) || !all ||
		    (!nested && !needs_object(m, l)))
			continue;
		add_object(m, model, all, nested ? object_name(p, l) : name, l);
	}
}

const char *port_json(const struct port *p, enum target t)
{
	struct making m = { p, t, true };
	cJSON *root = cJSON_CreateObject();
	cJSON *model = root && p->c->part ? object_in(&m, root, p->c->part)
					  : root;
	const char *text = "";

	m.good = m.good && model;
	if (m.good)
		set_model(&m, model);
	if (m.good)
		text = config_json(p->c, root);
	else
		fail_memory(p->c->err);
	cJSON_Delete(root);
	return text;
}
