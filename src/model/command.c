/* command.c: the commands that make the tables of a model, for --config. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/command.h"
#include "model/key.h"
#include "model/logits.h"
#include "table/never.h"
#include "text/words.h"

static const char *const whats[] = {
	[MODEL_ROTARY] = "rotary positions",
	[MODEL_ROTARY_2D] = "rotary positions in rows and columns",
	[MODEL_LEARNED] = "learned positions",
	[MODEL_SINUSOID] = "fixed sines and cosines",
	[MODEL_ALIBI] = "ALiBi",
	[MODEL_T5] = "biases of T5's buckets",
	[MODEL_RELATIVE] = "learned relative positions",
	[MODEL_CONVOLUTION] = "positions from a convolution",
	[MODEL_NONE] = "no positions",
	[MODEL_PARTS] = "parts with positions of their own",
};

static const char *const kinds[] = {
	[MODEL_ROTARY] = "rotary",
	[MODEL_ROTARY_2D] = "rotary-2d",
	[MODEL_LEARNED] = "learned",
	[MODEL_SINUSOID] = "sinusoidal",
	[MODEL_ALIBI] = "alibi",
	[MODEL_T5] = "t5",
	[MODEL_RELATIVE] = "relative",
	[MODEL_CONVOLUTION] = "convolutional",
	[MODEL_NONE] = "none",
	[MODEL_PARTS] = "parts",
};

const char *config_kind(const struct config *c)
{
	return kinds[c->row->kind];
}

const char *config_what(const struct config *c)
{
	return c->row->what ? c->row->what : whats[c->row->kind];
}

/* The next line at *text, of *n bytes; NULL past the last. */
static const char *next_line(const char **text, size_t *n)
{
	const char *line = *text;

	if (!line || !*line)
		return NULL;
	*n = strcspn(line, "\n");
	*text = line + *n + (line[*n] == '\n');
	return line;
}

/* What stands before ": " in a line, "encoder"; its length, or 0. */
static size_t role_of(const char *line)
{
	const size_t n = strcspn(line, ":\n");

	return line[n] == ':' ? n : 0;
}

/* Where the command of a line begins, behind a role. */
static size_t command_start(const char *line)
{
	const size_t role = role_of(line);

	return role ? role + strlen(": ") : 0;
}

/* Whether a line has the role that was chosen. */
static bool is_chosen(const struct config *c, const char *line)
{
	const size_t role = role_of(line);

	return strlen(c->layers) == role &&
	       strncmp(c->layers, line, role) == 0;
}

bool config_check_chosen(const struct config *c)
{
	const char *text = c->row->commands, *line;
	size_t n;

	while (c->layers && (line = next_line(&text, &n)))
		if (is_chosen(c, line))
			return true;
	return !c->layers || rotary_exists(c);
}

/* Cut the role off a line, and the name of a command; false: another one. */
static bool is_command(const char **line, size_t *n, const char *name)
{
	const size_t skip = command_start(*line), length = strlen(name);

	if (strcspn(*line + skip, " ") != length ||
	    memcmp(*line + skip, name, length) != 0)
		return false;
	*line += skip + length;
	*n -= skip + length;
	return true;
}

/* The options of a line [n] of a row, " --heads {n_head=8}", filled. */
static bool assign_line(const struct config *c, const char *line, size_t n,
			struct assignments *a)
{
	const char *const end = line + n;
	const char *option = NULL, *value = "";

	for (line += strspn(line, " "); line < end; line += strspn(line, " ")) {
		size_t word = strcspn(line, " \n");

		if (line + word > end)
			word = (size_t)(end - line);
		if (strncmp(line, "--", 2) == 0) {
			config_assign(a, option, option ? value : NULL);
			option = config_text(c, "%.*s", (int)word - 2,
					     line + 2);
			value = "";
		} else {
			value = config_fill(c, line, word);
		}
		if (!option || !value)
			return false;
		line += word;
	}
	config_assign(a, option, option ? value : NULL);
	return true;
}

/*
 * The options of a command in a line of the row: of the role that was chosen,
 * the first where none was, with a note on the next. False: there is none, or
 * an error.
 */
static bool listed(struct config *c, const char *name, struct assignments *a)
{
	const char *text = c->row->commands, *line, *found = NULL;
	size_t n, length = 0;

	while ((line = next_line(&text, &n))) {
		const char *whole = line;
		const size_t role = role_of(line);

		if (!is_command(&line, &n, name) ||
		    (c->layers && !is_chosen(c, whole)))
			continue;
		if (found) {
			config_note(c, "options of the first of several "
				    "tables; '%s:%.*s' has others", c->path,
				    (int)role, whole);
			break;
		}
		found = line;
		length = n;
	}
	return found && assign_line(c, found, length, a);
}

/* "attend" with rotary positions. */
static bool attend_rotary(struct config *c, struct assignments *a)
{
	struct rotary_positions r;
	struct query_factors f;
	struct logits l;
	const char *mask;

	if (!rotary_read(c, &r))
		return false;
	if (r.sections)
		return fail_file(c->err, c->path, "attend has no positions by "
				 "time, row and column");
	if (!query_factors_read(c, &f))
		return false;
	if (f.scale > 0)
		return fail_file(c->err, c->path, "queries of %s are "
				 "multiplied by factors of their positions, "
				 "the table of 'posenc temperature': give "
				 "attend the options that config prints, and "
				 "--temperature", rotary_name(c));
	mask = mask_kind(c);
	if (!mask || !logits_read(c, &r, &l))
		return false;
	config_assign_number(c, a, "head-dim", r.head);
	config_assign(a, "scheme", "rope");
	config_assign(a, "mask", mask);
	config_assign_number(c, a, "base", r.base);
	config_assign_number(c, a, "rotary-dim", r.dims);
	config_assign(a, "pairs", r.interleaved ? "interleaved" : NULL);
	config_assign(a, "scaling", r.scaling);
	config_assign(a, "reversed", r.reversed ? "" : NULL);
	if (!logits_options(c, &l, r.head, a))
		return false;
	return !(l.root > r.head) ||
	       !text_has_word(key_names(c, KEY_HEAD), "qk_rope_head_dim",
			      "|") ||
	       config_note(c, "logits of the %.0f dimensions that rotate "
			   "alone, of %.0f of each head", r.head, l.root);
}

/* "attend" with biases, which are added as they are. */
static bool attend_biases(struct config *c, struct assignments *a)
{
	const bool t5 = c->row->kind == MODEL_T5;
	struct logits l;

	config_assign(a, "scheme", t5 ? "t5" : "alibi");
	config_assign(a, "unscaled", t5 ? "" : NULL);
	if (!listed(c, t5 ? "t5-bucket" : "alibi", a) ||
	    !logits_read(c, NULL, &l) || !logits_options(c, &l, 0, a))
		return false;
	if (config_assigned(a, "emulate")) {
		struct assignments own = { .n = 0 };

		if (listed(c, "alibi", &own))
			fail_file(c->err, c->path, "%s rounds its biases, "
				  "attend does not: 'posenc alibi%s' makes "
				  "them", c->type, config_options(c, &own));
		return false;
	}
	config_assign(a, "mask", (t5 ? config_assigned(a, "causal") != NULL
				     : !c->row->encoder) ? "causal" : NULL);
	return true;
}

/* The first command of the row, filled; NULL: none, or keys are missing. */
static char *first_command(const struct config *c)
{
	const char *text = c->row->commands, *line;
	struct error ignored = { 0 };
	struct config again = *c;
	size_t n, skip;

	again.err = &ignored;
	line = next_line(&text, &n);
	if (!line)
		return NULL;
	skip = command_start(line);
	return config_fill(&again, line + skip, n - skip);
}

/* Fail with a part to choose. */
static void ask_part(const struct config *c)
{
	const cJSON *part = c->model->child;

	while (part && !(cJSON_IsObject(part) && config_at(part, "model_type")))
		part = part->next;
	if (part)
		fail_file(c->err, c->path, "%s has parts with positions of "
			  "their own: choose one, as '%.200s:%.60s'", c->type,
			  c->path, part->string);
	else
		fail_file(c->err, c->path, "%s has parts with positions of "
			  "their own, and none is in the file", c->type);
}

/* Fail with what the model uses instead, and the command for that. */
static void refuse(struct config *c, const char *name)
{
	const char *command = first_command(c);
	const char *instead = strcmp(name, "rope") != 0 ||
			      c->row->kind == MODEL_NONE ? "" :
			      c->row->kind == MODEL_ROTARY_2D
			      ? ", not in one dimension"
			      : ", not rotary positions";
	const char *table = c->row->kind == MODEL_LEARNED
			    ? "; 'posenc list' finds their tensor" :
			    c->row->kind == MODEL_NONE &&
			    strcmp(name, "mask") == 0
			    ? ", and its mask is not known" : "";

	fail_file(c->err, c->path, "%s has %s%s%s%s%s",
		  c->type ? c->type : "the model", config_what(c), instead,
		  command ? ": 'posenc " : table, command ? command : "",
		  command ? "'" : "");
}

/* The same where the model is one that rotates. */
static bool rotary_command(struct config *c, const char *name,
			   struct assignments *a)
{
	struct rotary_positions r;

	if (strcmp(name, "mask") == 0)
		config_assign(a, "kind", mask_kind(c));
	else if (strcmp(name, "temperature") == 0 &&
		 !query_factors_options(c, a) && !c->err->text[0])
		fail_file(c->err, c->path, "queries of %s are not multiplied "
			  "by a factor of their positions", rotary_name(c));
	else if (strcmp(name, "rope") == 0 && rotary_read(c, &r))
		rotary_options(c, &r, a);
	else if (strcmp(name, "permute") == 0 && rotary_read(c, &r)) {
		config_assign_number(c, a, "head-dim", r.head);
		config_assign_number(c, a, "rotary-dim", r.dims);
		/* The order of pairs that the model does not have */
		config_assign(a, "to", r.interleaved ? "half" : "interleaved");
	}
	return a->n;
}

bool config_command(struct config *c, const char *name, struct assignments *a)
{
	const enum model_kind kind = c->row->kind;
	const bool attend = strcmp(name, "attend") == 0;

	a->n = 0;
	if (attend && kind == MODEL_ROTARY ? attend_rotary(c, a) :
	    attend ? (kind == MODEL_T5 || kind == MODEL_ALIBI) &&
		     attend_biases(c, a) :
	    kind == MODEL_ROTARY ? rotary_command(c, name, a)
				 : listed(c, name, a))
		return !c->err->text[0];
	if (!c->err->text[0] && kind == MODEL_PARTS)
		ask_part(c);
	if (!c->err->text[0])
		refuse(c, name);
	return false;
}

/* The command that shows the table of a GGUF file. */
static const char *table_command(const struct config *c)
{
	const char *name = config_text(c, "%s:position_embd.weight", c->path);
	char *word = name ? table_alloc(c->owner, shell_word(name, NULL) + 1,
					1, c->err) : NULL;

	if (!word)
		return NULL;
	shell_word(name, word);
	return config_text(c, "posenc embed --table %s", word);
}

size_t config_commands(struct config *c, const char *commands[COMMANDS_MOST])
{
	static const char *const rotary[] = { "rope", "mask", "temperature" };
	const char *text = c->row->commands, *line;
	struct error ignored = { 0 };
	size_t n = 0, length;

	for (size_t i = 0; i < 3 && c->row->kind == MODEL_ROTARY; i++) {
		struct config again = *c;
		struct assignments a;

		again.err = &ignored;
		if (config_command(&again, rotary[i], &a))
			commands[n++] = config_text(c, "posenc %s%s", rotary[i],
						    config_options(&again, &a));
		config_take_notes(c, &again);
		if (ignored.memory)
			fail_memory(c->err);
		ignored.text[0] = '\0';
	}
	if (c->row->kind == MODEL_LEARNED && c->table)
		commands[n++] = table_command(c);
	/* A row has two commands at most */
	while (!NEVER(n == COMMANDS_MOST) &&
	       (line = next_line(&text, &length))) {
		const size_t skip = command_start(line);
		const char *command = config_fill(c, line + skip,
						  length - skip);

		if (!command)
			return n;
		commands[n++] = config_text(c, "%.*sposenc %s", (int)skip, line,
					    command);
	}
	return n;
}

bool config_read(const char *path, const char *recipe, struct table *owner,
		 struct assignments *to, struct error *err)
{
	struct config c;
	bool good = config_open(&c, path, owner, err) &&
		    config_check_sizes(&c) && config_command(&c, recipe, to);

	for (size_t i = 0; good && i < c.note_count; i++)
		good = table_note(owner, err, "%s", c.notes[i]);
	config_close(&c);
	return good;
}
