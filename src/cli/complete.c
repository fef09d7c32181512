/* complete.c: completion scripts for bash, zsh and fish, from declarations. */
#include <string.h>

#include "cli/complete.h"
#include "cli/help.h"
#include "cli/scope.h"
#include "cli/commands.h"

/* The parts of a completion script. */
struct shell {
	const char *name;
	const char *first;   /* line */
	const char *set;     /* before the list of all commands */
	const char *begin;   /* after that list */
	void (*command)(const struct recipe *r, struct output_file *o);
	void (*builtin)(const struct builtin *b, struct output_file *o);
	const char *end;
};

/* What an option's value is completed to. */
enum values { VALUES_NONE, VALUES_WORDS, VALUES_FILES };

static enum values values_of(const struct item *item)
{
	const struct option *p = item->option;

	if (item->format)
		return VALUES_FILES;
	if (p && (p->words || p->kind == OPTION_PRESET))
		return VALUES_WORDS;
	return p && (option_reads_tables(p) || p->kind == OPTION_CONFIG ||
		     p->role == ROLE_FILE) ? VALUES_FILES : VALUES_NONE;
}

static void send_presets(const struct recipe *r, struct output_file *o)
{
	for (const struct preset *p = r->presets; p->name; p++)
		out_format(o, "%s%s", p == r->presets ? "" : " ", p->name);
}

/* The option's choices, each up to the value that follows it, if any. */
static void send_words(const struct item *item, struct output_file *o)
{
	if (item->option->kind == OPTION_PRESET) {
		send_presets(item->recipe, o);
		return;
	}
	for (const char *const *w = item->option->words; *w; w++) {
		const size_t n = strcspn(*w, "[") < strcspn(*w, ":") + 1
				 ? strcspn(*w, "[") : strcspn(*w, ":") + 1;

		out_text(o, w == item->option->words ? "" : " ");
		out_bytes(o, *w, n < strlen(*w) ? n : strlen(*w));
	}
}

/* Text between single quotes, less the characters of without. */
static void send_plain(const char *text, const char *without,
		       struct output_file *o)
{
	for (const char *c = text; *c; c++)
		if (!strchr(without, *c))
			out_bytes(o, c, 1);
}

/* bash: for each command a case of its options and one of their values. */
static void bash_flag(const struct item *item, void *o)
{
	out_format(o, " %s", item->flag);
}

static void bash_value(const struct item *item, void *o)
{
	switch (values_of(item)) {
	case VALUES_WORDS:
		out_format(o, "\t\t%s) _posenc_words '", item->flag);
		send_words(item, o);
		out_text(o, "' ;;\n");
		break;
	case VALUES_FILES:
		out_format(o, "\t\t%s) _posenc_files '%s' ;;\n", item->flag,
			   item->format ? item->format->name : "");
		break;
	case VALUES_NONE:
	default:
		if (item->arg)
			out_format(o, "\t\t%s) ;;\n", item->flag);
	}
}

static void bash_command(const struct recipe *r, struct output_file *o)
{
	out_format(o, "\t%s)\n\t\tcase $before in\n", r->name);
	scope_visit(r, bash_value, o);
	out_text(o, "\t\t-o) _posenc_files '' ;;\n\t\t*) _posenc_option '");
	scope_visit(r, bash_flag, o);
	out_text(o, "' ;;\n\t\tesac ;;\n");
}

static const char bash_begin[] =
"_posenc_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$now\")); }\n"
"_posenc_files() {\n"
"\tcompopt -o filenames\n"
"\tmapfile -t COMPREPLY < <(compgen -f ${1:+-X \"!*.$1\"} -- \"$now\"\n"
"\t\tcompgen -d -- \"$now\")\n"
"}\n"
"_posenc_option() {\n"
"\tif [[ $now == -* ]]; then _posenc_words \"$1\"; else _posenc_files ''; fi\n"
"}\n"
"_posenc() {\n"
"\tlocal now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
"\tCOMPREPLY=()\n"
"\tif [[ $before == = && COMP_CWORD -gt 2 ]]; then\n"
"\t\tbefore=${COMP_WORDS[COMP_CWORD-2]}\n"
"\telif [[ $now == = ]]; then\n"
"\t\tnow=''\n"
"\tfi\n"
"\tif [[ COMP_CWORD -eq 1 ]]; then\n"
"\t\t_posenc_words \"$_posenc_commands\"\n"
"\t\treturn\n"
"\tfi\n"
"\tcase ${COMP_WORDS[1]} in\n";

static const char bash_end[] =
"\thelp) _posenc_words \"$_posenc_commands outputs figures tables --full\" ;;\n"
"\theader) _posenc_words \"$_posenc_commands\" ;;\n"
"\tcompletion) _posenc_words 'bash zsh fish' ;;\n"
"\tesac\n"
"}\n"
"complete -F _posenc posenc\n";

/* zsh: the specifications of _arguments. */
static void zsh_item(const struct item *item, void *o)
{
	out_format(o, " \\\n\t\t'%s%s[", item->flag, item->arg ? "=" : "");
	send_plain(item->help, "'[]", o);
	out_text(o, "]");
	if (item->arg)
		out_text(o, ": :");
	switch (values_of(item)) {
	case VALUES_WORDS:
		out_text(o, "(");
		send_words(item, o);
		out_text(o, ")");
		break;
	case VALUES_FILES:
		out_text(o, "_files");
		if (item->format)
			out_format(o, " -g \"*.%s\"", item->format->name);
		break;
	case VALUES_NONE:
	default:
		break;
	}
	out_text(o, "'");
}

static void zsh_command(const struct recipe *r, struct output_file *o)
{
	out_format(o, "\t%s) _arguments", r->name);
	scope_visit(r, zsh_item, o);
	out_text(o, " \\\n\t\t'-o[output in the format of the suffix]: "
		    ":_files' '*: :_files' ;;\n");
}

static const char zsh_begin[] =
"_posenc() {\n"
"\tif (( CURRENT == 2 )); then\n"
"\t\tcompadd -- ${=_posenc_commands}\n"
"\t\treturn\n"
"\tfi\n"
"\tlocal command=$words[2]\n"
"\tshift words\n"
"\t(( CURRENT-- ))\n"
"\tcase $command in\n";

static const char zsh_end[] =
"\thelp) compadd -- ${=_posenc_commands} outputs figures tables ;;\n"
"\theader) compadd -- ${=_posenc_commands} ;;\n"
"\tcompletion) compadd -- bash zsh fish ;;\n"
"\tesac\n"
"}\n"
"compdef _posenc posenc\n"
/* Loaded from $fpath, this file is the body of _posenc on its first call. */
"if [[ ${funcstack[1]} == _posenc ]]; then\n"
"\t_posenc\n"
"fi\n";

/* fish: one line per option. */
struct fish {
	const struct recipe *r;
	struct output_file *o;
};

static void fish_item(const struct item *item, void *with)
{
	const struct fish *f = with;

	out_format(f->o, "complete -c posenc -n "
		   "'__fish_seen_subcommand_from %s' -l %s", f->r->name,
		   item->flag + 2);
	switch (values_of(item)) {
	case VALUES_WORDS:
		out_text(f->o, " -x -a '");
		send_words(item, f->o);
		out_text(f->o, "'");
		break;
	case VALUES_FILES:
		out_format(f->o, item->format ? " -r -k -a "
			   "'(__fish_complete_suffix .%s)'" : " -r",
			   item->format ? item->format->name : "");
		break;
	case VALUES_NONE:
	default:
		out_text(f->o, item->arg ? " -x" : "");
	}
	out_text(f->o, " -d '");
	send_plain(item->help, "'\\", f->o);
	out_text(f->o, "'\n");
}

static void fish_command(const struct recipe *r, struct output_file *o)
{
	out_format(o, "complete -c posenc -n __fish_use_subcommand -f -a %s "
		   "-d '", r->name);
	send_plain(r->summary, "'\\", o);
	out_text(o, "'\n");
	scope_visit(r, fish_item, &(struct fish){ r, o });
}

static void fish_builtin(const struct builtin *b, struct output_file *o)
{
	out_format(o, "complete -c posenc -n __fish_use_subcommand -f -a %s "
		   "-d '%s'\n", b->name, b->summary);
}

static const char fish_end[] =
"complete -c posenc -n '__fish_seen_subcommand_from completion' -f "
"-a 'bash zsh fish'\n"
"complete -c posenc -n '__fish_seen_subcommand_from help header' -f "
"-a \"$_posenc_commands\"\n"
"complete -c posenc -n '__fish_seen_subcommand_from help' -f "
"-a 'outputs figures tables'\n";

/* The list of all commands has the builtins already. */
static void no_builtin(const struct builtin *b, struct output_file *o)
{
	(void)b;
	(void)o;
}

static const struct shell shells[] = {
	{ "bash", "# bash completion of posenc\n", "_posenc_commands=",
	  bash_begin, bash_command, no_builtin, bash_end },
	{ "zsh", "#compdef posenc\n", "_posenc_commands=",
	  zsh_begin, zsh_command, no_builtin, zsh_end },
	{ "fish", "# fish completion of posenc\n", "set -g _posenc_commands ",
	  "", fish_command, fish_builtin, fish_end },
};

enum { SHELLS = sizeof shells / sizeof *shells };

static const struct shell *find(const char *name, struct error *err)
{
	for (size_t i = 0; i < SHELLS; i++)
		if (strcmp(shells[i].name, name) == 0)
			return &shells[i];
	fail(err, "completion: expected bash, zsh or fish, got '%.60s'", name);
	return NULL;
}

void complete_shell(const char *shell, struct output_file *o)
{
	const struct shell *s = find(shell, &o->err);
	const struct recipe *r;

	if (!s)
		return;
	out_text(o, s->first);
	out_text(o, s->set);
	out_text(o, "'");
	for (size_t i = 0; (r = command_at(i)); i++)
		out_format(o, "%s ", r->name);
	for (const struct builtin *b = builtins; b->name; b++)
		out_format(o, "%s ", b->name);
	out_text(o, "'\n");
	out_text(o, s->begin);
	for (size_t i = 0; (r = command_at(i)); i++)
		s->command(r, o);
	for (const struct builtin *b = builtins; b->name; b++)
		s->builtin(b, o);
	out_text(o, s->end);
}
