/* args.c: runs any lines as the arguments of a command line. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "recipes.h"

enum { WORDS_MOST = 64 };

int fuzz_args(const uint8_t *data, size_t n);

/* Arguments that name files near the fuzzer would make it read itself. */
static bool names_file(const char *word)
{
	return strchr(word, '@') || strchr(word, '/') || strchr(word, '.');
}

static void read_words(int argc, char **argv)
{
	struct error err = { 0 };
	const struct recipe *r = recipe_find(argv[0], &err);
	struct args a;
	bool good;

	if (!r)
		return;
	good = args_read(&a, r, argc - 1, argv + 1, &err);
	if (good != !err.text[0] || (a.help && !good))
		abort();
	for (const struct option *o = r->options; good && o->name; o++) {
		char text[OPTION_ROOM];

		option_text(o, a.fields.self, text);
	}
	args_close(&a);
}

int fuzz_args(const uint8_t *data, size_t n)
{
	char *text = malloc(n + 1), *rest = NULL, *words[WORDS_MOST];
	int argc = 0;

	if (!text)
		abort();
	memcpy(text, data, n);
	text[n] = '\0';
	for (char *word = strtok_r(text, "\n", &rest);
	     word && argc < WORDS_MOST; word = strtok_r(NULL, "\n", &rest))
		if (!names_file(word) || strtod(word, NULL) != 0)
			words[argc++] = word;
	if (argc)
		read_words(argc, words);
	free(text);
	return 0;
}
