/* complete.c: completion scripts for bash, zsh and fish, from declarations. */
#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/scope.h"

/*
 * The parts of a completion script. In each
 *   %c  is a command; in the first and the last part, all
 *   %f  an option with its dashes; in the end of a command, all
 *   %n  an option without them
 *   %h  the help of the command or option, less the characters of without
 *   %w  the words that an option takes, %e the suffix of its files
 *   %t  the topics of help, %s the shells
 */
struct shell {
	const char *name, *without;
	const char *begin;
	const char *command;                 /* begins one; */
	const char *flag, *value, *words, *files, *suffix; /* its options */
	const char *end_command;
	const char *builtin;
	const char *end;
};

static const struct shell shells[] = {
	{ "bash", "",
	  "# bash completion of posenc\n_posenc_commands='%c'\n"
	  "_posenc_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$now\")); }\n"
	  "_posenc_files() {\n"
	  "\tcompopt -o filenames\n"
	  "\tmapfile -t COMPREPLY < <(compgen -f ${1:+-X \"!*.$1\"} -- "
	  "\"$now\"\n"
	  "\t\tcompgen -d -- \"$now\")\n"
	  "}\n"
	  "_posenc_option() {\n"
	  "\tif [[ $now == -* ]]; then _posenc_words \"$1\"; else "
	  "_posenc_files ''; fi\n"
	  "}\n"
	  "_posenc() {\n"
	  "\tlocal now=${COMP_WORDS[COMP_CWORD]} "
	  "before=${COMP_WORDS[COMP_CWORD-1]}\n"
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
	  "\tcase ${COMP_WORDS[1]} in\n",
	  "\t%c)\n\t\tcase $before in\n",
	  "", "\t\t%f) ;;\n", "\t\t%f) _posenc_words '%w' ;;\n",
	  "\t\t%f) _posenc_files '' ;;\n", "\t\t%f) _posenc_files '%e' ;;\n",
	  "\t\t-o) _posenc_files '' ;;\n\t\t*) _posenc_option '%f' ;;\n"
	  "\t\tesac ;;\n",
	  "",
	  "\thelp) _posenc_words \"$_posenc_commands %t --full\" ;;\n"
	  "\theader) _posenc_words \"$_posenc_commands\" ;;\n"
	  "\tcompletion) _posenc_words '%s' ;;\n"
	  "\tesac\n"
	  "}\n"
	  "complete -F _posenc posenc\n" },
	/* Loaded from $fpath, the script is the body of _posenc on its first
	   call. */
	{ "zsh", "'[]",
	  "#compdef posenc\n_posenc_commands='%c'\n"
	  "_posenc() {\n"
	  "\tif (( CURRENT == 2 )); then\n"
	  "\t\tcompadd -- ${=_posenc_commands}\n"
	  "\t\treturn\n"
	  "\tfi\n"
	  "\tlocal command=$words[2]\n"
	  "\tshift words\n"
	  "\t(( CURRENT-- ))\n"
	  "\tcase $command in\n",
	  "\t%c) _arguments",
	  " \\\n\t\t'%f[%h]'", " \\\n\t\t'%f=[%h]: :'",
	  " \\\n\t\t'%f=[%h]: :(%w)'", " \\\n\t\t'%f=[%h]: :_files'",
	  " \\\n\t\t'%f=[%h]: :_files -g \"*.%e\"'",
	  " \\\n\t\t'-o[output in the format of the suffix]: :_files' "
	  "'*: :_files' ;;\n",
	  "",
	  "\thelp) compadd -- ${=_posenc_commands} %t ;;\n"
	  "\theader) compadd -- ${=_posenc_commands} ;;\n"
	  "\tcompletion) compadd -- %s ;;\n"
	  "\tesac\n"
	  "}\n"
	  "compdef _posenc posenc\n"
	  "if [[ ${funcstack[1]} == _posenc ]]; then\n"
	  "\t_posenc\n"
	  "fi\n" },
#define FISH "complete -c posenc -n "
#define OPTION_OF FISH "'__fish_seen_subcommand_from %c' -l %n"
#define FIRST FISH "__fish_use_subcommand -f -a %c -d '%h'\n"
	{ "fish", "'\\",
	  "# fish completion of posenc\nset -g _posenc_commands '%c'\n",
	  FIRST,
	  OPTION_OF " -d '%h'\n", OPTION_OF " -x -d '%h'\n",
	  OPTION_OF " -x -a '%w' -d '%h'\n", OPTION_OF " -r -d '%h'\n",
	  OPTION_OF " -r -k -a '(__fish_complete_suffix .%e)' -d '%h'\n",
	  "", FIRST,
	  FISH "'__fish_seen_subcommand_from completion' -f -a '%s'\n"
	  FISH "'__fish_seen_subcommand_from help header' -f "
	  "-a \"$_posenc_commands\"\n"
	  FISH "'__fish_seen_subcommand_from help' -f -a '%t'\n" },
};

enum { SHELLS = sizeof shells / sizeof *shells };

/* What stands for the letters of a part. */
struct script {
	const struct shell *shell;
	struct output_file *o;
	const char *command, *help;
	const struct recipe *recipe;
	const struct item *item;
};

/* The names of all commands, or the topics, or the shells. */
static void send_names(const struct script *s, char letter)
{
	const struct recipe *r;

	for (size_t i = 0; letter == 'c' && (r = command_at(i)); i++)
		out_format(s->o, "%s ", r->name);
	for (size_t i = 0; letter == 'c' && builtins[i].name; i++)
		out_format(s->o, "%s ", builtins[i].name);
	for (size_t i = 0; letter == 't' && topics[i].name; i++)
		out_format(s->o, i ? " %s" : "%s", topics[i].name);
	for (size_t i = 0; letter == 's' && i < SHELLS; i++)
		out_format(s->o, i ? " %s" : "%s", shells[i].name);
}

/* The option's choices, each up to the value that follows it, if any. */
static void send_words(const struct script *s, const struct option *p)
{
	const char *before = "";

	if (p->kind == OPTION_PRESET)
		for (const struct preset *x = s->recipe->presets; x->name;
		     x++, before = " ")
			out_format(s->o, "%s%s", before, x->name);
	for (size_t i = 0; p->words && p->words[i]; i++, before = " ") {
		const char *w = p->words[i];
		const size_t plain = strcspn(w, "["), colon = strcspn(w, ":");

		out_format(s->o, "%s%.*s", before,
			   (int)(plain < colon ? plain
				 : colon + (w[colon] == ':')), w);
	}
}

static void send_letter(const struct script *s, char letter)
{
	const struct item *item = s->item;

	if (letter == 'c' && s->command)
		out_text(s->o, s->command);
	else if (letter == 'f' && !item)
		for (struct item i = { 0 }; scope_item(s->recipe, &i);)
			out_format(s->o, " %s", i.flag);
	else if (item && (letter == 'f' || letter == 'n'))
		out_text(s->o, item->flag + (letter == 'n' ? 2 : 0));
	else if (item && item->option && letter == 'w')
		send_words(s, item->option);
	else if (item && item->format && letter == 'e')
		out_text(s->o, item->format->name);
	else if (s->help && letter == 'h')
		for (const char *c = s->help; *c; c++)
			out_bytes(s->o, c, !strchr(s->shell->without, *c));
	else
		send_names(s, letter);
}

static void send(const struct script *s, const char *part)
{
	for (const char *c = part; *c; c++)
		if (c[0] == '%' && c[1])
			send_letter(s, *++c);
		else
			out_bytes(s->o, c, 1);
}

static void send_item(struct script s, const struct item *item)
{
	const struct shell *shell = s.shell;
	const struct option *p = item->option;

	s.item = item;
	s.help = item->help;
	send(&s, item->format ? shell->suffix :
	     p && (p->words || p->kind == OPTION_PRESET) ? shell->words :
	     p && (option_reads_tables(p) || p->kind == OPTION_CONFIG ||
		   p->role == ROLE_FILE) ? shell->files :
	     item->arg ? shell->value : shell->flag);
}

void complete_shell(const char *name, struct output_file *o)
{
	const struct shell *shell = shells;
	const struct recipe *r;
	struct script s;

	while (name && shell < shells + SHELLS &&
	       strcmp(shell->name, name) != 0)
		shell++;
	if (!name || shell == shells + SHELLS) {
		fail(&o->err, name ? "completion: expected bash, zsh or fish, "
		     "got '%.60s'" : "completion: expected bash, zsh or fish",
		     name);
		return;
	}
	s = (struct script){ .shell = shell, .o = o };
	send(&s, shell->begin);
	for (size_t i = 0; (r = command_at(i)); i++) {
		s.command = r->name;
		s.help = r->summary;
		s.recipe = r;
		send(&s, shell->command);
		for (struct item item = { 0 }; scope_item(r, &item);)
			send_item(s, &item);
		send(&s, shell->end_command);
	}
	for (const struct builtin *b = builtins; b->name; b++) {
		s.command = b->name;
		s.help = b->summary;
		send(&s, shell->builtin);
	}
	s.command = NULL;
	send(&s, shell->end);
}
