/* listing.c: posenc list: the tensors of a model, those of positions first. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint/checkpoint.h"
#include "model/config.h"
#include "table/never.h"
#include "table/sort.h"
#include "text/words.h"

struct listing {
	const char *file;
	bool all, group;
};

static const struct option list_options[] = {
	{ OPTION(struct listing, file), .role = ROLE_FILE, .unrecorded = true,
	  .arg = "FILE|FOLDER",
	  .help = "file of tensors, index of a model in several files, or "
		  "folder that has either" },
	{ OPTION(struct listing, group),
	  .help = "one line for tensors whose names differ in numbers only, as "
		  "on a terminal; a number is '*' there" },
	{ OPTION(struct listing, all), .help = "one line per tensor, also on a "
					    "terminal" },
	{0}
};

/* Tensors of one dtype and shape whose names differ in numbers only. */
struct group {
	size_t first;          /* the index of its first tensor */
	size_t n;
};

/* The length of a number that is a part of a name by itself, or 0. */
static size_t number_length(const struct tensor *t, size_t at)
{
	size_t n = 0;

	if (at && !strchr("._/", t->name[at - 1]))
		return 0;
	while (isdigit((unsigned char)t->name[at + n]))
		n++;
	return strchr("._/", t->name[at + n]) ? n : 0;  /* NUL is found, too */
}

/* Write a name with a character for its numbers, "h.*.attn.weight", without
   NUL; its length. */
static size_t write_masked(const struct tensor *t, char number, char *to)
{
	size_t n = 0;

	for (size_t at = 0, digits; at < t->length; at += digits ? digits : 1) {
		digits = number_length(t, at);
		to[n++] = t->name[at];
		if (digits)
			to[n - 1] = number;
	}
	return n;
}

/* A tensor, its number and its name [length] with NUL for numbers. */
struct numbered {
	const struct tensor *tensor;
	const char *name;
	size_t length, at;
};

/* The order of tensors that may be alike; 0: they are. */
static int order_of(const struct numbered *a, const struct numbered *b)
{
	int order = names_order(a->name, a->length, b->name, b->length);

	if (!order)
		order = strcmp(a->tensor->dtype, b->tensor->dtype);
	if (!order)
		order = memcmp(a->tensor->shape, b->tensor->shape,
			       sizeof a->tensor->shape);
	return order ? order
		     : integers_order(a->tensor->rank, b->tensor->rank);
}

static int by_likeness(const void *left, const void *right)
{
	const struct numbered *a = left, *b = right;
	const int order = order_of(a, b);

	return order ? order : integers_order(a->at, b->at);
}

static int by_first(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	return integers_order(a->first, b->first);
}

/* What rows point to until the next one. */
struct scratch {
	char text[40], count[24];
};

/* Some of the tensors. */
struct part {
	const struct tensor **at;  /* [n] */
	size_t n;
	struct group *groups;
	char *name;            /* of a group, until the next row */
	struct report_rows rows, brief;
	struct scratch *scratch;
};

static void set_text(struct fact *f, const char *name, const char *text)
{
	*f = (struct fact){ .name = name, .kind = FACT_TEXT, .text = text };
}

/* Bytes of a tensor's values, as stored or by its shape; false: unknown. */
static bool find_bytes(const struct tensor *t, size_t *bytes)
{
	bool known = t->dtype[0] && t->element.size && t->rank <= RANK_MOST;

	if (t->end > t->begin) {
		*bytes = t->end - t->begin;
		return true;
	}
	*bytes = t->element.size;
	for (size_t i = 0; known && i < t->rank; i++)
		known = !__builtin_mul_overflow(*bytes, t->shape[i], bytes);
	return known;
}

/* Name, dtype and, if it is known, shape; meaning and source of tensors that
   concern positions. */
static void tensor_row(const void *self, size_t i, struct fact *cells)
{
	const struct part *p = self;
	const struct tensor *t = p->at[i];
	const struct positional *what = positional(t);
	char *text = p->scratch->text;
	size_t bytes;

	set_text(cells++, "name", t->name);
	set_text(cells++, "dtype", t->dtype[0] ? t->dtype : "unknown");
	snprintf(text, sizeof p->scratch->text, "%zu dimensions", t->rank);
	set_text(cells, "shape", t->dtype[0] ? text : "unknown");
	if (t->dtype[0] && t->rank <= RANK_MOST)
		*cells = (struct fact){
			.name = "shape", .kind = FACT_SHAPE,
			.sizes = t->shape, .n = t->rank,
		};
	if (what)
		set_text(++cells, "meaning", what->meaning);
	*++cells = (struct fact){
		.name = "bytes", .kind = FACT_NUMBER,
		.number = find_bytes(t, &bytes) ? (double)bytes : NAN,
	};
	if (what)
		set_text(++cells, "source", what->source);
}

/* The row of a group: of its only tensor, or of the first with a number. */
static void group_row(const void *self, size_t i, struct fact *cells)
{
	const struct part *p = self;
	const struct group *g = &p->groups[i];
	struct fact *count = &cells[p->rows.shown];

	tensor_row(self, g->first, cells);
	count->name = NULL;
	if (g->n == 1)
		return;
	snprintf(p->scratch->count, sizeof p->scratch->count, "x %zu", g->n);
	set_text(count, "count", p->scratch->count);
	p->name[write_masked(p->at[g->first], '*', p->name)] = '\0';
	cells[0].text = p->name;
}

/* Let a part have groups of its tensors as brief rows, in the order of their
   first ones. */
static bool find_groups(struct part *p, struct report *r)
{
	struct numbered *all = table_alloc(r->owner, p->n, sizeof *all, r->err);
	size_t bytes = 1, n = 0;
	char *name;

	for (size_t i = 0; i < p->n; i++)
		bytes += p->at[i]->length;
	p->groups = table_alloc(r->owner, p->n, sizeof *p->groups, r->err);
	name = table_alloc(r->owner, bytes, 1, r->err);
	p->name = table_alloc(r->owner, bytes, 1, r->err);
	if (r->err->text[0])
		return false;
	for (size_t i = 0; i < p->n; i++) {
		all[i] = (struct numbered){
			p->at[i], name, write_masked(p->at[i], '\0', name), i,
		};
		name += all[i].length;
	}
	qsort(all, p->n, sizeof *all, by_likeness);
	for (size_t i = 0; i < p->n; i++) {
		if (!i || order_of(&all[i], &all[i - 1]) != 0)
			p->groups[n++] = (struct group){ all[i].at, 0 };
		p->groups[n - 1].n++;
	}
	qsort(p->groups, n, sizeof *p->groups, by_first);
	p->brief = (struct report_rows){ n, p->rows.shown + 1, group_row, p,
					 NULL };
	p->rows.brief = &p->brief;
	return true;
}

static void setting_row(const void *self, size_t i, struct fact *cells)
{
	const struct model_setting *s = self;

	set_text(&cells[0], "key", s[i].name);
	set_text(&cells[1], "value", s[i].value);
}

/* The tensors of a model: those that concern positions, and others. */
struct parts {
	struct part positional, others;
	struct report_rows settings;
	size_t bytes;          /* of all whose size is known */
	size_t unknown;        /* tensors of unknown size, or of one that no
				  sum can hold */
	bool shapes;           /* those of all positional ones are known */
};

static void free_list(void *data)
{
	free(*(struct tensor **)data);
}

static bool split(struct parts *p, struct tensors *all, struct report *r)
{
	struct tensor **list = table_owned(r->owner, sizeof *list, free_list,
					   r->err);
	struct scratch *scratch = table_alloc(r->owner, 1, sizeof *scratch,
					      r->err);
	const size_t size = sizeof *list;

	p->shapes = true;
	p->positional.at = table_alloc(r->owner, all->n, size, r->err);
	p->others.at = table_alloc(r->owner, all->n, size, r->err);
	p->positional.scratch = p->others.scratch = scratch;
	if (!list || r->err->text[0])
		return false;
	/* The report needs it after its file is closed */
	*list = all->at;
	all->at = NULL;
	p->settings = (struct report_rows){
		.n = all->setting_count, .shown = 2, .row = setting_row,
		.self = all->settings,
	};
	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = *list + i;
		struct part *to = positional(t) ? &p->positional : &p->others;
		size_t bytes, sum;

		to->at[to->n++] = t;
		p->shapes &= to != &p->positional || t->dtype[0];
		if (!find_bytes(t, &bytes) ||
		    __builtin_add_overflow(p->bytes, bytes, &sum))
			p->unknown++;
		else
			p->bytes = sum;
	}
	return true;
}

/* Add the rows of a part, if it has any. */
static void add_part(struct report *r, const struct listing *s, struct part *p,
		     const char *group, size_t shown)
{
	const bool briefly = s->group || (!s->all && isatty(STDOUT_FILENO));

	if (!p->n)
		return;
	p->rows = (struct report_rows){ p->n, shown, tensor_row, p, NULL };
	if (!briefly || find_groups(p, r))
		report_rows(r, group, &p->rows);
}

/* What posenc config knows of a model. */
struct explanation {
	char *command;         /* that explains it, as typed, or NULL */
	bool rotary;           /* rotary positions */
	struct error why;      /* that it explains nothing */
};

/* Ask posenc config about the config.json beside a model, or keys of GGUF. */
static bool explain(struct explanation *e, const struct checkpoint *c,
		    struct report *r)
{
	const char *file = c->config ? c->config : c->file.in.path;
	const size_t n = shell_word(file, NULL) + 1;
	struct config config;

	if (!c->config && (c->all.setting_count < 2 ||
			   c->file.in.fd == STDIN_FILENO))
		return true;
	if (config_open(&config, file, r->owner, &e->why)) {
		e->command = table_alloc(r->owner, n, 1, r->err);
		if (e->command)
			shell_word(file, e->command);
		e->rotary = config.type && config.row->kind == MODEL_ROTARY;
	}
	config_close(&config);
	pass_call(r->err, &e->why);
	return !r->err->text[0];
}

/* "3 tensors of 96 bytes, 2 of them about positions, by name and shape" */
static void add_headline(struct report *r, const struct parts *p,
			 const struct explanation *e)
{
	const size_t n = p->positional.n, all = n + p->others.n;
	char few[40] = "", size[40] = "unknown size";

	if (all > 1)
		snprintf(few, sizeof few, n ? "%zu of them " : "none of them ",
			 n);
	if (p->unknown < all)
		snprintf(size, sizeof size, "%s%zu bytes",
			 p->unknown ? "at least " : "", p->bytes);
	report_headline(r, "%zu tensor%s of %s, %sabout positions%s by %s%s%s",
			all, all == 1 ? "" : "s", size,
			all < 2 && !n ? "not " : few, n ? "," : "",
			n || all == 1 ? "name" : "their names",
			n && p->shapes ? " and shape" : "",
			!n && e->rotary ? ": positions are rotary, computed"
					: "");
}

enum { REASONS_MOST = 8 };

/* Say which tensors loaders of such files ignore, by the reason: the first one,
   and how many more. */
static void add_ignored(struct report *r, const struct checkpoint *c,
			const struct part *p)
{
	const struct tensor *first[REASONS_MOST];
	const char *why[REASONS_MOST], *lines[REASONS_MOST];
	char text[REASONS_MOST][240], more[40];
	size_t n = 0, others[REASONS_MOST] = { 0 };

	if (!text_has_word("safetensors index.json pt",
			   c->file.format->name, " "))
		return;
	for (size_t i = 0, k; i < p->n; i++) {
		const char *reason = positional(p->at[i])->ignored;

		for (k = 0; reason && k < n && strcmp(why[k], reason) != 0;)
			k++;
		if (!reason || NEVER(k == REASONS_MOST))
			continue;
		if (k < n) {
			others[k]++;
			continue;
		}
		why[n] = reason;
		first[n++] = p->at[i];
	}
	for (size_t i = 0; i < n; i++) {
		snprintf(more, sizeof more, " and %zu more", others[i]);
		snprintf(text[i], sizeof text[i], "%.*s%s: %s",
			 tensor_width(first[i]), first[i]->name,
			 others[i] ? more : "", why[i]);
		lines[i] = text[i];
	}
	if (n)
		report_lines(r, "ignored", lines, n);
}

static void add_model(struct report *r, const struct checkpoint *c,
		      const struct parts *p, const struct explanation *e)
{
	report_group(r, "model");
	report_text(r, "file", "%s", c->file.in.path);
	report_text(r, "format", "%s", c->file.format->name);
	report_number(r, "tensors", (double)c->all.n, NULL);
	report_number(r, "bytes", (double)p->bytes, NULL);
	if (p->unknown)
		report_number(r, "of_unknown_size", (double)p->unknown, NULL);
	if (c->all.note)
		report_text(r, "note", "%s", c->all.note);
	add_ignored(r, c, &p->positional);
	if (c->config)
		report_text(r, "config", "%s", c->config);
	if (e->command)
		report_text(r, "explained_by", "posenc config %s", e->command);
	else if (e->why.text[0])
		report_text(r, "unexplained", "%s", e->why.text);
}

static bool list_report(void *self, const struct table *inputs,
			struct report *report, struct error *err)
{
	struct listing *s = self;
	struct parts *p = table_alloc(report->owner, 1, sizeof *p, err);
	struct explanation e = { 0 };
	struct checkpoint c;

	(void)inputs;
	if (!s->file)
		return fail(err, "a FILE or FOLDER of tensors is missing; "
			    "'posenc help' lists commands");
	if (s->all && s->group)
		return fail(err, "--all and --group exclude each other");
	if (!p || !checkpoint_open_cut(&c, s->file, report->owner, err))
		return false;
	if (split(p, &c.all, report) && explain(&e, &c, report)) {
		add_headline(report, p, &e);
		add_model(report, &c, p, &e);
		if (p->settings.n)
			report_rows(report, "settings", &p->settings);
		add_part(report, s, &p->positional, "positions", 4);
		add_part(report, s, &p->others, "others", 3);
	}
	checkpoint_close(&c);
	return !err->text[0];
}

const struct recipe list_recipe = {
	.name = "list",
	.summary = "tensors of a model, those that concern positions first",
	.about =
"Lists the tensors of a file or a folder with name, dtype and shape; values\n"
"are not read. Those that concern positions come first: their names are those\n"
"of known models, and their shapes fit. Other commands read a tensor as\n"
"FILE:NAME or FOLDER:NAME.\n",
	.details =
"A file may also be the index of a model in several files (.index.json), or\n"
"the first of several GGUF files. In a folder, it is\n"
"model.safetensors.index.json, model.safetensors, the only index or the only\n"
"file of tensors. Dtypes are as the file names them, also those that posenc\n"
"does not read. Bytes are those of the values that are stored, 'at least'\n"
"where some sizes are unknown. On a terminal, tensors of one dtype and shape\n"
"whose names differ only in numbers, as those of layers, are one line,\n"
"h.*.attn.weight; a pipe or file gets one line per tensor.\n",
	.paper = "Hugging Face safetensors; ggml, docs/gguf.md; PyTorch, "
		 "torch.save; ONNX, onnx.proto",
	.example = "posenc list model.safetensors",
	.options = list_options,
	.operand = "file",
	.size = sizeof(struct listing),
	.report = list_report,
};
