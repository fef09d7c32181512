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

/*
 * The filled line of the row for a command: of the role that was chosen, the
 * first where none was, with a note on the next. NULL: there is none, or an
 * error.
 */
static char *listed(struct config *c, const char *name)
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
	return found ? config_fill(c, found, length) : NULL;
}

/* "attend" with rotary positions. */
static char *attend_rotary(struct config *c)
{
	struct rotary_positions r;
	struct query_factors f;
	struct logits l;
	char base[CONFIG_NUMBER];
	const char *mask, *logits;

	if (!rotary_read(c, &r))
		return NULL;
	if (r.sections) {
		fail_file(c->err, c->path, "attend has no positions by time, "
			  "row and column");
		return NULL;
	}
	if (!query_factors_read(c, &f))
		return NULL;
	if (f.scale > 0) {
		fail_file(c->err, c->path, "queries of %s are multiplied by "
			  "factors of their positions, the table of 'posenc "
			  "temperature': give attend the options that config "
			  "prints, and --temperature", rotary_name(c));
		return NULL;
	}
	mask = mask_options(c);
	logits = mask && logits_read(c, &r, &l) ? logits_options(c, &l, r.head)
						: NULL;
	if (logits && l.root > r.head &&
	    text_has_word(key_names(c, KEY_HEAD), "qk_rope_head_dim", "|") &&
	    !config_note(c, "logits of the %.0f dimensions that rotate alone, "
			 "of %.0f of each head", r.head, l.root))
		return NULL;
	return logits ? config_text(c, "--head-dim %.0f --scheme rope --mask "
				    "%s --base %s --rotary-dim %.0f%s%s%s%s%s",
				    r.head, mask + strlen("--kind "),
				    config_digits(r.base, base), r.dims,
				    r.interleaved ? " --pairs interleaved" : "",
				    r.scaling ? " --scaling " : "",
				    r.scaling ? r.scaling : "",
				    r.reversed ? " --reversed" : "", logits)
		      : NULL;
}

/* "attend" with biases, which are added as they are. */
static char *attend_biases(struct config *c)
{
	const bool t5 = c->row->kind == MODEL_T5;
	const char *options = listed(c, t5 ? "t5-bucket" : "alibi");
	const char *logits;
	struct logits l;
	bool causal;

	logits = options && logits_read(c, NULL, &l)
			 ? logits_options(c, &l, 0) : NULL;
	if (!logits)
		return NULL;
	if (strstr(options, " --emulate ")) {
		fail_file(c->err, c->path, "%s rounds its biases, attend does "
			  "not: 'posenc alibi%s' makes them", c->type, options);
		return NULL;
	}
	causal = t5 ? strstr(options, "--causal") != NULL : !c->row->encoder;
	return config_text(c, "--scheme %s%s%s%s",
			   t5 ? "t5 --unscaled" : "alibi",
			   causal ? " --mask causal" : "", options, logits);
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

char *config_command(struct config *c, const char *name)
{
	struct rotary_positions r;
	char *options = NULL;

	if (strcmp(name, "attend") == 0)
		options = c->row->kind == MODEL_ROTARY ? attend_rotary(c) :
			  c->row->kind == MODEL_T5 ||
			  c->row->kind == MODEL_ALIBI ? attend_biases(c) : NULL;
	else if (c->row->kind != MODEL_ROTARY)
		options = listed(c, name);
	else if (strcmp(name, "rope") == 0)
		options = rotary_read(c, &r) ? rotary_options(c, &r) : NULL;
	else if (strcmp(name, "mask") == 0)
		options = mask_options(c);
	else if (strcmp(name, "temperature") == 0)
		options = query_factors_options(c);
	else if (strcmp(name, "permute") == 0 && rotary_read(c, &r))
		/* to the order of pairs that the model does not have */
		options = config_text(c, "--head-dim %.0f --rotary-dim %.0f "
				      "--to %s", r.head, r.dims,
				      r.interleaved ? "half" : "interleaved");
	if (!options && !c->err->text[0] && c->row->kind == MODEL_ROTARY &&
	    strcmp(name, "temperature") == 0)
		fail_file(c->err, c->path, "queries of %s are not multiplied "
			  "by a factor of their positions", rotary_name(c));
	if (!options && !c->err->text[0] && c->row->kind == MODEL_PARTS)
		ask_part(c);
	if (!options && !c->err->text[0])
		refuse(c, name);
	return options;
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
		const char *options;

		again.err = &ignored;
		options = config_command(&again, rotary[i]);
		if (options)
			commands[n++] = config_text(c, "posenc %s %s",
						    rotary[i], options);
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
		 char **options, struct error *err)
{
	struct config c;

	*options = config_open(&c, path, owner, err) && config_check_sizes(&c)
			   ? config_command(&c, recipe) : NULL;
	for (size_t i = 0; *options && i < c.note_count; i++)
		if (!table_note(owner, err, "%s", c.notes[i]))
			*options = NULL;
	config_close(&c);
	return *options;
}
