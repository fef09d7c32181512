/* describe.c: posenc config: what a configuration says about positions. */
#include <cJSON.h>
#include <stdio.h>
#include <string.h>

#include "model/command.h"
#include "model/key.h"
#include "model/logits.h"
#include "model/rotary.h"
#include "model/target.h"
#include "recipe/divisors.h"

struct describe {
	const char *file, *context;
	int target;
};

static const struct option describe_options[] = {
	{ OPTION(struct describe, file), .role = ROLE_FILE, .required = true,
	  .unrecorded = true,
	  .arg = "FILE|FOLDER",
	  .help = "config.json or GGUF file of a model, or "
				 "folder that has it; FILE:PART for a part of "
				 "it, such as FILE:vision; FILE:TYPE for "
				 "layers of a type" },
	{ .name = "for", .at = offsetof(struct describe, target),
	  .kind = OPTION_CHOICE, .words = target_names,
	  .meanings = target_meanings, .arg = "PROGRAM",
	  .help = "what says the same positions there, and what that program "
		  "cannot say" },
	{ OPTION(struct describe, context), .arg = "N",
	  .help = "what to set for a context of N positions, such as 131072 or "
		  "128k, and what that changes" },
	{0}
};

/* Which scaling the divisors of rope_freqs.weight are. */
static void add_divisors(struct report *r, const struct rotary_positions *p)
{
	struct divisors d = {
		.x = p->scale.near, .pairs = (size_t)(p->dims / 2),
		.base = p->base, .within = 0x1p-24,
	};
	char text[DIVISORS_TEXT];

	divisors_find(&d);
	if (d.kind != DIVISORS_LIST)
		report_text(r, "divisors", "those of %s",
			    divisors_text(&d, text));
	else if (d.near)
		report_text(r, "divisors", "nearest to those of llama3:%g,%g, "
			    "but for %zu of %zu pairs", d.factor, d.original,
			    divisors_differ(&d), d.pairs);
	else
		report_text(r, "divisors", "a list, of no known scaling");
}

static void add_scaling(struct report *r, const struct config *c,
			const struct rotary_positions *p)
{
	if (p->scaling)
		report_text(r, "scaling", "%s", p->scaling);
	if (c->gguf && p->scale.near && !p->scale.far)
		add_divisors(r, p);
	if (p->sections)
		report_text(r, "sections", "%s%s%s", p->sections,
			    p->mrope ? ", " : "", p->mrope ? p->mrope : "");
	if (p->reversed)
		report_flag(r, "reversed", true);
}

/* What else is done to logits, if it is more than 1 / sqrt(head size). */
static void add_logits(struct report *r, struct config *c,
		       const struct rotary_positions *p)
{
	struct logits l;

	if (!logits_read(c, p, &l)) {
		report_text(r, "logits", "unknown: %s", c->err->text);
		c->err->text[0] = '\0';
		r->no = true;
		return;
	}
	if (!(l.scale > 0) && !(l.cap > 0) && !l.sinks)
		return;
	if (p && !config_differs(l.root, p->head) && !(l.cap > 0) &&
	    !l.sinks && !config_differs(l.yarn, 1))
		return;
	report_text(r, "logits", "%s", logits_words(c, &l));
	if (l.scale > 0)
		report_number(r, "qk_scale", l.scale, NULL);
}

/* What an indexer rotates, which chooses the keys of sparse attention. */
static void add_indexer(struct report *r, struct config *c,
			const struct rotary_positions *p)
{
	struct rotary_positions own = *p;
	struct assignments a = { .n = 0 };
	const char *options;
	bool interleaved = false;

	if (!c->row->indexer || !key_value(c, KEY_INDEXER_HEAD))
		return;
	if (key_is_own(c, KEY_INDEXER_PAIRS) &&
	    !key_value(c, KEY_INDEXER_PAIRS)) {
		report_text(r, "indexer", "unknown: %s is missing",
			    key_names(c, KEY_INDEXER_PAIRS));
		return;
	}
	if (!key_number(c, KEY_INDEXER_HEAD, &own.head) ||
	    !key_flag(c, KEY_INDEXER_PAIRS, &interleaved))
		return;
	own.interleaved = interleaved;
	rotary_options(c, &own, &a);
	options = config_options(c, &a);
	if (options)
		report_text(r, "indexer", "posenc rope%s", options);
}

/* The facts of layers that rotate, or why there are none. */
static void add_rotary(struct report *r, struct config *c)
{
	struct rotary_positions p;
	struct error why = { 0 }, *err = c->err;

	c->err = &why;
	if (rotary_read(c, &p)) {
		report_number(r, "base", p.base, NULL);
		report_text(r, "pairs", "%s", p.interleaved ? "interleaved"
							    : "half");
		if (c->gguf)
			report_text(r, "weights", "rows of q and k %s",
				    c->row->permuted ? "permuted from halves "
				    "to neighbours" : "as in transformers");
		report_number(r, "head_size", p.head, NULL);
		report_number(r, "rotary_dim", p.dims, NULL);
		report_number(r, "partial_factor", p.dims / p.head, NULL);
		add_scaling(r, c, &p);
		add_logits(r, c, &p);
		add_indexer(r, c, &p);
	} else {
		report_text(r, "unknown", "%s", why.text);
		r->no = true;
	}
	c->err = err;
	pass_memory(err, &why);
}

static void add_commands(struct report *r, struct config *c)
{
	const char *commands[COMMANDS_MOST];
	struct error why = { 0 }, *err = c->err;
	size_t n;

	c->err = &why;
	n = config_commands(c, commands);
	c->err = err;
	pass_memory(err, &why);
	if (n && !why.memory)
		report_lines(r, "commands", commands, n);
	if (c->row->kind == MODEL_ROTARY || !c->row->commands || !why.text[0])
		return;
	report_text(r, "unknown", "%s", why.text);
	r->no = true;
}

/* Factors of queries that the file states wrongly. */
static void add_queries(struct report *r, struct config *c)
{
	struct query_factors f;
	struct error why = { 0 }, *err = c->err;

	c->err = &why;
	if (!query_factors_read(c, &f)) {
		report_text(r, "queries", "unknown: %s", why.text);
		r->no = true;
	}
	c->err = err;
	pass_memory(err, &why);
}

/* Numbers of the file that concern positions, as they stand there. */
static void add_numbers(struct report *r, struct config *c)
{
	static const struct {
		const char *name, *others;
		enum key key;
	} numbers[] = {
		{ "maximum_length", NULL, KEY_CONTEXT },
		{ "window", "local_attention|attention_window", KEY_WINDOW },
		{ "chunk", NULL, KEY_CHUNK },
		{ "padding_id", "pad_token_id", KEYS },
	};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const cJSON *value = NULL;

		if (numbers[i].key < KEYS)
			value = key_value(c, numbers[i].key);
		if (!value && numbers[i].others && !c->gguf)
			value = config_value(c, numbers[i].others);
		if (value && cJSON_IsNumber(value))
			report_number(r, numbers[i].name, value->valuedouble,
				      NULL);
	}
}

/* Why the mask of layers that rotate is not known, if it is not. */
static void add_unknown_mask(struct report *r, const struct config *c)
{
	struct error why = { 0 };
	struct config layers = *c;

	layers.err = &why;
	if (!mask_kind(&layers))
		report_text(r, "mask", "unknown: %s", why.text);
	pass_memory(c->err, &why);
}

/* Which layers they are, or why that is not known. */
static void add_layers(struct report *r, struct config *c)
{
	struct error why = { 0 }, *err = c->err;
	struct layer_lists lists;

	c->err = &why;
	if (!config_list_layers(c, &lists)) {
		report_text(r, "layers", "unknown: %s", why.text);
		r->no = true;
	} else if (lists.all[0]) {
		report_text(r, "layers", "%s", lists.all);
	}
	if (lists.without[0])
		report_text(r, "layers_without_positions", "%s",
			    lists.without);
	c->err = err;
	pass_memory(err, &why);
}

/* One group of facts: of the layers of a type, or of all. */
static void add_group(struct report *r, struct config *c, const char *group)
{
	const bool absent = c->row->kind == MODEL_ROTARY && rotary_absent(c);

	report_group(r, group);
	add_layers(r, c);
	report_text(r, "kind", "%s", absent ? "none" : config_kind(c));
	if (absent || c->row->kind != MODEL_ROTARY) {
		report_text(r, "description", "%s", absent ? "no positions"
							   : config_what(c));
	} else {
		add_rotary(r, c);
		add_queries(r, c);
		add_unknown_mask(r, c);
	}
	if (c->row->kind == MODEL_LEARNED && !c->gguf)
		report_text(r, "table", "a tensor of the model: 'posenc list' "
			    "finds it by its name");
	add_commands(r, c);
}

/* Parts of the file that have a configuration each. */
static void add_parts(struct report *r, const struct config *c)
{
	const char *parts[COMMANDS_MOST];
	size_t n = 0;

	for (const cJSON *o = c->root->child; o; o = o->next)
		if (cJSON_IsObject(o) && config_at(o, "model_type") &&
		    config_is_plain(o->string) && n < COMMANDS_MOST)
			parts[n++] = o->string;
	if (n)
		report_lines(r, "parts", parts, n);
}

/* Find why rotary positions of the layers that were chosen are unknown. */
static void find_why(const struct config *c, struct error *why)
{
	struct config layers = *c;
	struct rotary_positions p;

	layers.err = why;
	if (!rotary_absent(c))
		rotary_read(&layers, &p);
}

/* Find why rotary positions are unknown, of all layers or of some. */
static void find_unknown(const struct config *c, struct error *why)
{
	struct config layers = *c;

	if (c->row->kind != MODEL_ROTARY)
		return;
	if (c->layers || !c->layer_type_count)
		find_why(c, why);
	for (size_t i = 0; !c->layers && i < c->layer_type_count &&
			   !why->text[0]; i++) {
		layers.layers = c->layer_types[i];
		find_why(&layers, why);
		layers.layers = NULL;
	}
}

static void add_notes(struct report *r, const struct config *c)
{
	if (!c->note_count)
		return;
	report_group(r, "assumptions");
	report_lines(r, "notes", c->notes, c->note_count);
}

static void describe(struct report *r, struct config *c)
{
	struct error why = { 0 };

	find_unknown(c, &why);
	pass_memory(c->err, &why);
	report_headline(r, "%s%s%s: %s%s%s", c->type ? c->type :
			c->row->types ? c->row->types : "no model type",
			c->part ? " in " : "", c->part ? c->part : "",
			c->row == &unnamed_model && why.text[0]
			? "positions" : config_what(c),
			why.text[0] ? ", not known: " : "", why.text);
	report_group(r, "model");
	report_text(r, "file", "%s", c->path);
	report_text(r, c->gguf ? "architecture" : "model_type", "%s",
		    c->type ? c->type : "not given");
	if (c->part)
		report_text(r, "part", "%s", c->part);
	add_parts(r, c);
	if (c->layer_type_count)
		report_lines(r, "layer_types", c->layer_types,
			     c->layer_type_count);
	add_numbers(r, c);
	if (c->layers || !c->layer_type_count)
		add_group(r, c, c->layers ? c->layers : "positions");
	for (size_t i = 0; !c->layers && i < c->layer_type_count; i++) {
		struct config layers = *c;

		layers.layers = c->layer_types[i];
		add_group(r, &layers, layers.layers);
		config_take_notes(c, &layers);
	}
	add_notes(r, c);
}

/* Models that do not rotate have nothing to set. */
static void describe_unset(struct report *r, const struct config *c)
{
	report_headline(r, "%s%s%s: %s: there is nothing to set",
			c->type ? c->type : "no model type",
			c->part ? " in " : "", c->part ? c->part : "",
			c->row->kind == MODEL_ROTARY ? "no positions"
						     : config_what(c));
	r->no = true;
}

/* The answer, which is known when all else is. */
static void headline_of(struct report *r, const struct config *c,
			const char *target, const char *length, bool covered)
{
	report_headline(r, "%s%s%s%s%s%s%s%s%s",
			c->type ? c->type : "no model type",
			c->part ? " in " : "", c->part ? c->part : "",
			length ? ": a context of " : "",
			length ? length : "",
			!length ? "" : covered ? ", which the file covers"
					       : ", which needs a change",
			target ? length ? ", in the words of " :
				 ": rotary positions in the words of " : "",
			target ? target : "",
			target && r->no ? ", which cannot say all of them"
					: "");
}

/* The positions in other words, or for another length. */
static void describe_port(struct report *r, struct config *c,
			  const struct describe *s)
{
	const bool given = s->target != NO_CHOICE;
	struct port p;
	double length;
	bool covered = false;

	if (s->context && !context_length(s->context, &length, c->err))
		return;
	if (c->row->kind == MODEL_PARTS) {
		config_command(c, "rope", &(struct assignments){ .n = 0 });
		return;
	}
	if (c->row->kind != MODEL_ROTARY || rotary_absent(c)) {
		describe_unset(r, c);
		return;
	}
	if (!port_read(&p, c))
		return;
	if (!p.n) {
		describe_unset(r, c);
		return;
	}
	if (s->context && !context_extend(&p, length, &covered, r))
		return;
	if (given || !covered)
		port_report(&p, given ? (enum target)s->target : port_own(&p),
			    r);
	headline_of(r, c, given ? target_names[s->target] : NULL, s->context,
		    covered);
	add_notes(r, c);
}

static bool describe_report(void *self, const struct table *inputs,
			    struct report *report, struct error *err)
{
	const struct describe *s = self;
	struct config c;

	(void)inputs;
	if (config_open(&c, s->file, report->owner, err) &&
	    config_check_sizes(&c) && config_check_chosen(&c)) {
		if (s->context || s->target != NO_CHOICE)
			describe_port(report, &c, s);
		else
			describe(report, &c);
	}
	config_close(&c);
	return !err->text[0];
}

const struct recipe config_recipe = {
	.name = "config",
	.summary = "what a model's config.json or GGUF file says about "
		   "positions",
	.about =
"Reports how a model encodes positions, from its config.json or GGUF file:\n"
"the kind, the base, the pairs, the head size, the scaling, the types of\n"
"layers and the commands that make its tables. Learned tables are tensors,\n"
"which 'posenc list' finds. What the file leaves out is the default of its\n"
"class in transformers, or of llama.cpp, and the report says so. --for says\n"
"the same in the words of another program, --context what a longer context\n"
"needs.\n",
	.details =
"Model types and keys that posenc does not know are refused, and so are files\n"
"that versions of transformers read differently. Positions are rotary (in one\n"
"dimension or two), learned, sinusoidal, relative, ALiBi, T5's, convolutional\n"
"or none. In a GGUF file, the keys and the tensors rope_freqs.weight,\n"
"rope_factors_long.weight and rope_factors_short.weight are read.\n"
"\n"
"--for and --context are about rotary positions. What the program cannot say\n"
"is listed, with status 1; so is what it reads in another way. Where the file\n"
"does not cover N positions, --context multiplies the factor of its scaling\n"
"by N over the length that it covers; where it has none, it takes yarn from\n"
"its maximum length. It reports the shortest wavelength that changes and from\n"
"which positions on cosines differ from those of the file.\n",
	.paper = "Hugging Face transformers 5.3, modeling_rope_utils.py; "
		 "llama.cpp, llama-model.cpp",
	.example = "posenc config config.json",
	.options = describe_options,
	.operand = "file",
	.size = sizeof(struct describe),
	.report = describe_report,
};
