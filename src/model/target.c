/* target.c: rotary positions in the words of other programs. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "exact/yarn.h"
#include "model/key.h"
#include "model/logits.h"
#include "model/rotary.h"
#include "model/target.h"
#include "recipe/divisors.h"
#include "text/decimal.h"

const char *const target_names[] = {
	"llama.cpp", "vllm", "transformers4", "transformers5", "gguf", NULL
};

const char *const target_meanings[] = {
	"flags of its programs, such as llama-server",
	"--hf-overrides and --max-model-len",
	"rope_theta and rope_scaling, to be merged into config.json",
	"rope_parameters, to be merged into config.json",
	"keys and tensors of a GGUF file",
};

enum {
	FLAGS = 1 << TARGET_LLAMA_CPP, VLLM = 1 << TARGET_VLLM,
	FOUR = 1 << TARGET_TRANSFORMERS4, FIVE = 1 << TARGET_TRANSFORMERS5,
	GGUF = 1 << TARGET_GGUF,
};

/* Numbers of a scaling that a target does not take, or not under that key. */
static const struct {
	unsigned targets;
	enum key key;
	const char *kinds;   /* of these; NULL: of all */
} left_out[] = {
	{ FLAGS | GGUF, KEY_FACTOR, "llama3 longrope ntk ntk-fixed dynamic "
				    "proportional none" },
	{ FLAGS | GGUF, KEY_ORIGINAL, "llama3 dynamic" },
	{ FLAGS, KEY_ORIGINAL, "longrope" },
	/* They take the maximum length of the model, or divide lengths */
	{ VLLM | FOUR | FIVE, KEY_ORIGINAL, "dynamic" },
	{ FOUR | FIVE, KEY_ORIGINAL, "longrope" },
	/* Its own arithmetic makes them of attention_factor */
	{ FLAGS | GGUF, KEY_MSCALE, NULL },
	{ FLAGS | GGUF, KEY_MSCALE_ALL, NULL },
};

static bool is_left_out(enum target t, enum key k, const char *kind)
{
	for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
		if ((left_out[i].targets >> t & 1) && left_out[i].key == k &&
		    (!left_out[i].kinds ||
		     text_has_word(left_out[i].kinds, kind, " ")))
			return true;
	return false;
}

static const char *kind_name(const struct port_layers *l)
{
	return l->r.scale.kind ? l->r.scale.kind : "none";
}

const struct scaling_kind *port_kind(const struct port_layers *l,
				     enum target t)
{
	const struct scaling_kind *k = scaling_kinds;
	const struct rotary_scaling *s = &l->r.scale;

	if (((FLAGS | GGUF) >> t & 1) && s->near && !s->far &&
	    strcmp(kind_name(l), "longrope") == 0)
		return k;
	while (strcmp(k->name, kind_name(l)) != 0)
		k++;
	return k;
}

bool port_is_yarn(const struct port_layers *l)
{
	const char *word = port_kind(l, TARGET_GGUF)->gguf;

	return word && strcmp(word, "yarn") == 0;
}

const char *port_digits(const struct port *p, double x, bool whole)
{
	char text[NUMBER_ROOM + 1];

	text[number_text(text, whole ? x : (double)(float)x,
			 whole ? F64 : F32, 0)] = '\0';
	return config_text(p->c, "%s", text);
}

/* What llama.cpp multiplies cosines by anyway. */
static double attention_of_gguf(const struct port *p,
				const struct port_layers *l)
{
	const bool logits = p->row && p->row->key[KEY_HEAD];

	return port_is_yarn(l) && !logits
	       ? yarn_temperature(l->r.scale.factor, 1) : 1;
}

/* The key by which llama.cpp multiplies besides that; false: by 1. */
static bool attention_number(const struct port *p,
			     const struct port_layers *l, double *x)
{
	*x = l->attention[1] / attention_of_gguf(p, l);
	return fabs(*x - 1) > 1e-7;
}

static bool scaling_number(const struct port_layers *l, enum target t,
			   enum key k, double *x)
{
	struct rotary_scaling s = l->r.scale;

	if (k == KEY_ALPHA && strcmp(kind_name(l), "ntk") == 0)
		k = KEY_FACTOR;
	else if (k == KEY_FACTOR && strcmp(kind_name(l), "ntk") == 0)
		return false;
	if (is_left_out(t, k, kind_name(l)))
		return false;
	for (size_t i = 0; i < SCALING_NUMBERS; i++)
		if (scaling_numbers[i].key == k) {
			*x = *scaling_field(&scaling_numbers[i], &s);
			if (!(*x > 0) && text_has_word(
				scaling_numbers[i].kinds, kind_name(l), " "))
				*x = scaling_numbers[i].initial;
			return *x > 0;
		}
	return false;
}

/* Functions of keys that are no numbers of a scaling; false: not there. */
typedef bool number_of(const struct port *p, const struct port_layers *l,
		       enum target t, double *x);

/* Of NTK, llama.cpp takes the base that follows. */
static bool base_of(const struct port *p, const struct port_layers *l,
		    enum target t, double *x)
{
	const double d = l->r.dims;

	(void)p;
	*x = l->r.base;
	if (((FLAGS | GGUF) >> t & 1) && strcmp(kind_name(l), "ntk") == 0)
		*x *= pow(l->r.scale.factor, d / (d - 2));
	return true;
}

static bool local_base_of(const struct port *p, const struct port_layers *l,
			  enum target t, double *x)
{
	return p->local && l == p->main && base_of(p, p->local, t, x);
}

static bool dims_of(const struct port *p, const struct port_layers *l,
		    enum target t, double *x)
{
	(void)p;
	(void)t;
	*x = l->r.dims;
	/* Converters write the whole head, and factors for those that do not
	   rotate */
	return strcmp(kind_name(l), "proportional") != 0;
}

static bool local_dims_of(const struct port *p, const struct port_layers *l,
			  enum target t, double *x)
{
	return p->local && l == p->main && dims_of(p, p->local, t, x) &&
	       config_differs(*x, l->r.dims);
}

static bool head_of(const struct port *p, const struct port_layers *l,
		    enum target t, double *x)
{
	(void)p;
	(void)t;
	*x = l->r.head;
	return true;
}

double port_covers(const struct port *p)
{
	const struct rotary_scaling *s = &p->main->r.scale;

	return port_is_yarn(p->main)
	       ? fmax(p->context, s->factor * s->original) : p->context;
}

static bool context_of(const struct port *p, const struct port_layers *l,
		       enum target t, double *x)
{
	(void)l;
	*x = !((FLAGS | VLLM) >> t & 1) ? p->context
	     : p->asked > 0 ? p->asked : port_covers(p);
	return *x > 0;
}

static bool window_of(const struct port *p, const struct port_layers *l,
		      enum target t, double *x)
{
	const cJSON *value = key_value(p->c, KEY_WINDOW);

	(void)l;
	(void)t;
	*x = value && cJSON_IsNumber(value) ? value->valuedouble : 0;
	return *x > 0;
}

static bool attention_of(const struct port *p, const struct port_layers *l,
			 enum target t, double *x)
{
	return (FLAGS | GGUF) >> t & 1
	       ? attention_number(p, l, x)
	       : scaling_number(l, t, KEY_ATTENTION, x);
}

/* DeepSeek's, which its architecture must have beside yarn. */
static bool multiplier_of(const struct port *p, const struct port_layers *l,
			  enum target t, double *x)
{
	(void)t;
	*x = 0.1 * l->r.scale.mscale_all;
	return p->row && p->row->key[KEY_HEAD] && p->row->reads &&
	       port_is_yarn(l);
}

/* Factors of queries by position, in GGUF files. */
static bool beta_of(const struct port *p, const struct port_layers *l,
		    enum target t, double *x)
{
	struct query_factors f;
	struct error ignored = { 0 };
	struct config own = *p->c;

	own.err = &ignored;
	own.layers = l->type;
	if (t != TARGET_GGUF || own.row->layers == LAYERS_CHUNKED ||
	    !query_factors_read(&own, &f))
		return false;
	*x = f.scale;
	return f.scale > 0;
}

/* What is done to logits, in GGUF files; false: 1 / sqrt(head size). */
static bool logits_of(const struct port *p, const struct port_layers *l,
		      enum target t, struct logits *of)
{
	struct error ignored = { 0 };
	struct config own = *p->c;

	own.err = &ignored;
	own.layers = l->type;
	return t == TARGET_GGUF && logits_read(&own, &l->r, of);
}

static bool softcap_of(const struct port *p, const struct port_layers *l,
		       enum target t, double *x)
{
	struct logits of;

	if (!logits_of(p, l, t, &of))
		return false;
	*x = of.cap;
	return of.cap > 0;
}

static bool logit_scale_of(const struct port *p, const struct port_layers *l,
			   enum target t, double *x)
{
	struct logits of;

	if (!logits_of(p, l, t, &of) || of.root > 0)
		return false;
	*x = of.scale;
	return of.scale > 0 && !(p->row && p->row->logit_scale > 0);
}

/* The head of which a part rotates. */
static bool whole_head_of(const struct port *p, const struct port_layers *l,
			  enum target t, double *x)
{
	struct logits of;

	if (!logits_of(p, l, t, &of) || !p->row || !p->row->key[KEY_HEAD])
		return false;
	*x = of.root;
	return of.root > l->r.head;
}

static const struct {
	enum key key;
	number_of *of;
} numbers[] = {
	{ KEY_BASE, base_of }, { KEY_LOCAL_BASE, local_base_of },
	{ KEY_DIMS, dims_of }, { KEY_LOCAL_DIMS, local_dims_of },
	{ KEY_HEAD, head_of }, { KEY_CONTEXT, context_of },
	{ KEY_WINDOW, window_of }, { KEY_ATTENTION, attention_of },
	{ KEY_LOG_MULTIPLIER, multiplier_of }, { KEY_QUERY_BETA, beta_of },
	{ KEY_SOFTCAP, softcap_of }, { KEY_LOGIT_SCALE, logit_scale_of },
	{ KEY_WHOLE_HEAD, whole_head_of },
};

bool port_number(const struct port *p, const struct port_layers *l,
		 enum target t, enum key k, double *x)
{
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (numbers[i].key == k)
			return numbers[i].of(p, l, t, x);
	return scaling_number(l, t, k, x);
}

enum target port_own(const struct port *p)
{
	return p->c->gguf ? TARGET_GGUF
	       : config_at(p->c->model, "rope_parameters")
	       ? TARGET_TRANSFORMERS5 : TARGET_TRANSFORMERS4;
}

/*
 * One list of divisors, as llama.cpp's converter writes for Llama 3, by the
 * scaling that makes it.
 */
static bool name_divisors(struct config *c, struct rotary_positions *r)
{
	struct rotary_scaling *s = &r->scale;
	struct divisors d = {
		.x = s->near, .pairs = (size_t)(r->dims / 2), .base = r->base,
		.within = 0x1p-23,
	};

	if (!c->gguf || !s->near || s->far || strcmp(s->kind, "longrope") != 0)
		return true;
	divisors_find(&d);
	if (d.kind != DIVISORS_LLAMA3)
		return true;
	*s = (struct rotary_scaling){
		.kind = "llama3", .factor = d.factor, .original = d.original,
		.low = d.low, .high = d.high, .attention = s->attention,
	};
	return scaling_write(c, r);
}

/* DeepSeek's multiplier, which scales logits, is a tenth of mscale_all_dim. */
static bool name_multiplier(struct config *c, struct rotary_positions *r)
{
	double x = 0;

	if (!c->gguf || !c->row->reads || !key_is_own(c, KEY_HEAD))
		return true;
	if (!key_number(c, KEY_LOG_MULTIPLIER, &x))
		return false;
	r->scale.mscale = r->scale.mscale_all = 10 * x;
	return true;
}

/* Read the layers that were chosen, unless they do not rotate. */
static bool add_layers(struct port *p, struct config *c)
{
	struct port_layers *l = &p->at[p->n];

	if (rotary_absent(c))
		return true;
	if (!rotary_read(c, &l->r) || !name_divisors(c, &l->r) ||
	    !name_multiplier(c, &l->r))
		return false;
	l->type = c->layers;
	l->rope = c->rope;
	p->n++;
	return true;
}

/* Read each type of layers by itself. */
static bool add_types(struct port *p, struct config *c)
{
	for (size_t i = 0; i < c->layer_type_count; i++) {
		struct config layers = *c;

		layers.layers = c->layer_types[i];
		if (!add_layers(p, &layers))
			return false;
		config_take_notes(c, &layers);
	}
	return true;
}

/* The factor of cosines in a context of that length. */
static bool read_attention(struct port *p, struct port_layers *l, int i,
			   double length)
{
	struct config *c = p->c;
	size_t n;
	const double *x = rotary_values(&l->r, length, "cos", &n, c->owner,
					c->err);

	if (x)
		l->attention[i] = *x;
	return x || (!c->err->text[0] &&
		     fail_file(c->err, c->path, "posenc rope does not make "
			       "--scaling %.60s", l->r.scaling));
}

bool port_refresh(struct port *p)
{
	p->main = p->local = NULL;
	for (size_t i = 0; i < p->n; i++) {
		struct port_layers *l = &p->at[i];
		const bool local = l->type && strcmp(l->type,
						     "sliding_attention") == 0;

		if (!read_attention(p, l, 0, 1) ||
		    !read_attention(p, l, 1,
				    fmax(2 * l->r.scale.original, 1)))
			return false;
		if (local && p->n > 1)
			p->local = l;
		else if (!p->main)
			p->main = l;
	}
	p->architecture = architecture_of(p->c);
	p->row = architecture_row(p->architecture,
				  p->main && p->main->r.sections);
	return true;
}

/* The longest of the lengths that the file states. */
static bool read_context(struct port *p)
{
	const char *names = key_names(p->c, KEY_CONTEXT);
	double x = 0;

	for (const char *at = names; at; at = strchr(at + 1, '|')) {
		const char *name = config_text(p->c, "%.*s", (int)strcspn(
						at + (*at == '|'), "|"),
					       at + (*at == '|'));

		if (!name || !config_find(p->c, name, 0, 1, &x))
			return false;
		p->context = fmax(p->context, x);
	}
	return true;
}

bool port_read(struct port *p, struct config *c)
{
	struct error why = { 0 };
	struct config all = *c;
	bool alike;

	*p = (struct port){
		.c = c, .other = c->gguf ||
				  (!c->type && params_recognized(c)),
	};
	all.err = &why;
	alike = c->layers || !c->layer_type_count ||
		(c->row->layers != LAYERS_SLIDING &&
		 c->row->layers != LAYERS_CHUNKED && add_layers(p, &all));
	pass_memory(c->err, &why);
	if (c->err->text[0])
		return false;
	if (p->n)
		config_take_notes(c, &all);
	else if (!(alike ? add_layers(p, c) : add_types(p, c)))
		return false;
	return read_context(p) && port_refresh(p);
}

/* "--rope-freq-base 1000000 ..." and each flag by itself. */
static void report_flags(const struct port *p, struct report *r)
{
	const char *line = "", *value;
	const struct port_layers *l = p->main;
	double x;

	report_group(r, "flags");
	for (enum key k = 0; k < KEYS; k++) {
		if (!keys[k].flag)
			continue;
		if (k == KEY_SCALING)
			value = port_kind(l, TARGET_LLAMA_CPP)->flag;
		else if (port_number(p, l, TARGET_LLAMA_CPP, k, &x))
			value = port_digits(p, x, keys[k].whole);
		else
			value = NULL;
		if (!value)
			continue;
		report_text(r, keys[k].flag, "%s", value);
		line = config_text(p->c, "%s%s%s %s", line, *line ? " " : "",
				   keys[k].flag, value);
		if (!line)
			return;
	}
	if (p->architecture &&
	    port_number(p, l, TARGET_LLAMA_CPP, KEY_ATTENTION, &x)) {
		value = port_digits(p, x, false);
		value = config_text(p->c, "%s.%s=float:%s", p->architecture,
				    keys[KEY_ATTENTION].gguf,
				    value ? value : "");
		report_text(r, "--override-kv", "%s", value ? value : "");
		line = config_text(p->c, "%s --override-kv %s", line,
				   value ? value : "");
	}
	report_group(r, "set");
	report_text(r, "command_line", "%s", line ? line : "");
}

static void report_vllm(const struct port *p, struct report *r)
{
	const char *json = port_json(p, TARGET_VLLM);
	char length[CONFIG_NUMBER];
	double x;
	const bool known = port_number(p, p->main, TARGET_VLLM, KEY_CONTEXT,
				       &x);

	report_group(r, "flags");
	report_value(r, "--hf-overrides", json);
	if (known)
		report_number(r, "--max-model-len", x, NULL);
	report_group(r, "set");
	report_text(r, "command_line", "--hf-overrides '%s'%s%s", json,
		    known ? " --max-model-len " : "",
		    known ? config_digits(x, length) : "");
}

void port_report(const struct port *p, enum target t, struct report *r)
{
	if (t == TARGET_LLAMA_CPP) {
		report_flags(p, r);
	} else if (t == TARGET_VLLM) {
		report_vllm(p, r);
	} else if (t == TARGET_GGUF) {
		port_gguf(p, r);
	} else {
		report_group(r, "set");
		report_value(r, "json", port_json(p, t));
	}
	port_limits(p, t, r);
}
