/*
 * models.c: what holds of every row of the table of model types, and what each
 * type is where a file says no more.
 */
#include "test.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/command.h"

enum { NAME = 64 };

/* Call look() with each of the names in text, which blanks separate. */
static void each_name(const char *text, const struct model *m,
		      void (*look)(const char *name, const struct model *m))
{
	char name[NAME];

	for (const char *at = text; *at; at += strspn(at, " ")) {
		const size_t n = strcspn(at, " ");

		assert_in_range(n, 1, NAME - 1);
		snprintf(name, sizeof name, "%.*s", (int)n, at);
		look(name, m);
		at += n;
	}
}

static bool has(const struct model *m, const char *name)
{
	const size_t n = strlen(name);

	for (const char *at = m->types; (at = strstr(at, name)); at += n)
		if ((at == m->types || at[-1] == ' ') &&
		    (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void is_only_row(const char *name, const struct model *m)
{
	for (const struct model *other = models; other->types; other++)
		if (other != m && has(other, name) &&
		    same(other->when, m->when))
			fail_msg("%s: two rows for the same files", name);
}

static void no_row_hides_another(void **state)
{
	(void)state;
	for (const struct model *m = models; m->types; m++)
		each_name(m->types, m, is_only_row);
}

static void has_row(const char *name, const struct model *m)
{
	for (const struct model *row = models; row->types; row++)
		if (has(row, name))
			return;
	fail_msg("%s: no row for its part %s", m->types, name);
}

static void parts_have_rows(void **state)
{
	(void)state;
	for (const struct model *m = models; m->types; m++) {
		const char *const parts[] = { m->text, m->vision, m->audio };

		for (size_t i = 0; i < 3; i++) {
			if (parts[i] && m->kind != MODEL_PARTS)
				fail_msg("%s: parts", m->types);
			if (parts[i] && *parts[i])
				has_row(parts[i], m);
		}
	}
}

static void rows_say_what_is_used(void **state)
{
	(void)state;
	for (const struct model *m = models; m->types; m++) {
		if (m->kind == MODEL_ROTARY && m->what)
			fail_msg("%s: .what of a model that rotates", m->types);
		if (m->when && !strchr(m->when, '='))
			fail_msg("%s: %s", m->types, m->when);
		if (m->refuse && !strstr(m->refuse, ": "))
			fail_msg("%s: %s", m->types, m->refuse);
	}
}

/* The content of a file, to be freed by test_free(). */
static char *content(const char *path)
{
	enum { MOST = 1 << 18 };
	char *text = test_calloc(1, MOST);
	FILE *in = fopen(path, "r");

	assert_non_null(in);
	assert_in_range(fread(text, 1, MOST - 1, in), 1, MOST - 2);
	fclose(in);
	return text;
}

/* The row of a type that rotates, whatever its files must have, or NULL. */
static const struct model *rotary_row(const char *type)
{
	for (const struct model *m = models; m->types; m++)
		if (has(m, type) && m->kind == MODEL_ROTARY)
			return m;
	return NULL;
}

/*
 * A number of a row, 0 if there is none, is that of the class, which may have
 * none. A base of two types of layers is that of LAYERS.
 */
static void check_number(const cJSON *class, const char *key,
			 const char *layers, double ours)
{
	const cJSON *x = cJSON_GetObjectItem(class, key);

	if (cJSON_IsObject(x))
		x = cJSON_GetObjectItem(x, layers);
	if (cJSON_IsNumber(x) && ours != 0 &&
	    fabs(ours - x->valuedouble) > 1e-9 * fabs(ours))
		fail_msg("%s: %s %g, transformers has %g",
			 cJSON_GetObjectItem(class, "model_type")->valuestring,
			 key, ours, x->valuedouble);
}

/* The rotary dimensions that follow from a row; 0: it does not say. */
static double rotary_dims(const struct model *m)
{
	const double wide = m->wide ? m->wide : 1;
	const double head = m->head ? m->head
			  : m->heads && m->hidden % m->heads == 0
			  ? wide * m->hidden / m->heads : 0;

	return m->key[KEY_DIMS] ? m->dim
			  : floor(head * (m->partial ? m->partial : 1));
}

/* A row beside the defaults of transformers' class. */
static void check_class(const cJSON *class)
{
	const cJSON *pairing = cJSON_GetObjectItem(class, "pairing");
	const struct model *m = rotary_row(
		cJSON_GetObjectItem(class, "model_type")->valuestring);
	if (!m || m->refuse)
		return;
	check_number(class, "rope_theta", "full_attention", m->base);
	check_number(class, "rope_theta", "sliding_attention", m->local_base);
	check_number(class, "rope_theta_transformers_4", "", m->base4);
	check_number(class, "partial_rotary_factor", "",
		     m->partial ? m->partial : 1);
	check_number(class, "head_dim", "", m->head);
	check_number(class, "hidden_size", "", m->hidden);
	check_number(class, "num_attention_heads", "", m->heads);
	check_number(class, "rotary_dim", "", rotary_dims(m));
	if (cJSON_IsString(pairing) && !m->key[KEY_PAIRS])
		assert_string_equal(pairing->valuestring,
				    m->interleaved ? "interleaved" : "half");
}

static void rows_have_the_defaults_of_classes(void **state)
{
	char *text = content("tests/golden/models/class_defaults.json");
	cJSON *root = cJSON_Parse(text);
	const cJSON *class;

	(void)state;
	cJSON_ArrayForEach(class, cJSON_GetObjectItem(root, "rotary"))
		check_class(class);
	cJSON_Delete(root);
	test_free(text);
}

#define TEMPLATE "/tmp/posenc-models-XXXXXX"

/* The file that is read, of one type after another. */
static char file[] = TEMPLATE;

static void print_commands(FILE *out, struct config *c)
{
	const char *commands[COMMANDS_MOST];
	const size_t n = config_commands(c, commands);

	for (size_t i = 0; i < n; i++)
		fprintf(out, "; %s%s%s", c->layers ? c->layers : "",
			c->layers ? ": " : "", commands[i]);
}

/* Text behind a prefix, which it may have. */
static const char *behind(const char *text, const char *prefix)
{
	const size_t n = strlen(prefix);

	return strncmp(text, prefix, n) == 0 ? text + n : text;
}

/* "hidden_size 4096": a key that the file lacks, and its default. */
static void print_note(FILE *out, const char *type, const char *note)
{
	const char *key = behind(note, type);
	const char *lacks = strstr(note, " not in the file: ");
	const char *value = strstr(note, " default ");

	if (lacks && value)
		fprintf(out, "; %.*s %s", (int)(lacks - key), key,
			value + strlen(" default "));
	else
		fprintf(out, "; %s", note);
}

/* What the file says of its type, in a line. */
static void print_file(void *self)
{
	FILE *out = self;
	struct table owner = { 0 };
	struct error err = { 0 };
	struct config c;

	if (config_open(&c, file, &owner, &err)) {
		fputs(config_what(&c), out);
		if (c.row->first)
			fprintf(out, "; from row %s", c.row->first);
		if (c.row->sections)
			fprintf(out, "; sections %s", c.row->sections);
		if (!c.layer_type_count)
			print_commands(out, &c);
		for (size_t i = 0; i < c.layer_type_count; i++) {
			c.layers = c.layer_types[i];
			print_commands(out, &c);
		}
		for (size_t i = 0; i < c.note_count; i++)
			print_note(out, c.type, c.notes[i]);
	}
	if (err.text[0])
		fprintf(out, "; %s", behind(behind(err.text, file), ": "));
	config_close(&c);
	table_close(&owner);
}

/* Some filesystems write a file to disk when another takes its place. */
static FILE *anew(void)
{
	FILE *out;

	unlink(file);
	out = fopen(file, "wx");
	assert_non_null(out);
	return out;
}

/*
 * The key and value of a condition: of "key!=value" another value. A value
 * that JSON has no sign for is a word.
 */
static const char *split(const char *when, char key[NAME])
{
	const char *equal = strchr(when, '=');
	const bool other = equal[-1] == '!';

	snprintf(key, NAME, "%.*s", (int)strcspn(when, "|!="), when);
	return !other ? equal + 1 : strcmp(equal, "=true") == 0 ? "false" : "1";
}

static void write_json(const char *type, const char *when)
{
	FILE *out = anew();
	char key[NAME], *dot;

	fprintf(out, "{\"model_type\": \"%s\"", type);
	if (when) {
		const char *value = split(when, key);
		cJSON *json = cJSON_Parse(value);
		const char *quote = json ? "" : "\"";

		dot = strchr(key, '.');
		if (dot)
			*dot = '\0';
		fprintf(out, ", \"%s\": %s%s%s%s%s%s%s", key,
			dot ? "{\"" : "", dot ? dot + 1 : "", dot ? "\": " : "",
			quote, value, quote, dot ? "}" : "");
		cJSON_Delete(json);
	}
	fputs("}\n", out);
	fclose(out);
}

/* The bytes of a number, the least first. */
static void put_number(FILE *out, size_t bytes, uint64_t x)
{
	for (; bytes; bytes--, x >>= 8)
		fputc((int)(x & 255), out);
}

static void put_text(FILE *out, const char *text)
{
	put_number(out, 8, strlen(text));
	fputs(text, out);
}

/* A key of GGUF, ARCHITECTURE.NAME: an integer or false. */
static void put_key(FILE *out, const char *type, const char *name,
		    const char *value)
{
	enum { UINT32 = 4, BOOL = 7 };
	const bool number = strcmp(value, "false") != 0;
	char key[2 * NAME];

	snprintf(key, sizeof key, "%s.%s", type, name);
	put_text(out, key);
	put_number(out, 4, number ? UINT32 : BOOL);
	put_number(out, number ? 4 : 1, strtoul(value, NULL, 10));
}

static void write_gguf(const char *type, const char *when)
{
	enum { VERSION = 3, TENSORS = 0, TEXT = 8 };
	static const char *const sizes[][2] = {
		{ "embedding_length", "512" }, { "attention.head_count", "4" },
		{ "attention.relative_buckets_count", "32" },
		{ "attention.max_alibi_bias", "8" }, { "context_length", "64" },
	};
	enum { SIZES = sizeof sizes / sizeof *sizes };
	FILE *out = anew();
	char key[NAME] = "";
	const char *value = when ? split(when, key) : NULL;

	size_t n = 1;

	for (size_t i = 0; i < SIZES; i++)
		n += strcmp(sizes[i][0], key) != 0;
	fputs("GGUF", out);
	put_number(out, 4, VERSION);
	put_number(out, 8, TENSORS);
	put_number(out, 8, n + (when != NULL));
	put_text(out, "general.architecture");
	put_number(out, 4, TEXT);
	put_text(out, type);
	if (when)
		put_key(out, type, key, value);
	for (size_t i = 0; i < SIZES; i++)
		if (strcmp(sizes[i][0], key) != 0)
			put_key(out, type, sizes[i][0], sizes[i][1]);
	fclose(out);
}

/* A type, under a line of what it says, which it may share with the last. */
static void print_type(FILE *out, const char *type, const char *when,
		       char **last)
{
	char *text;
	size_t n;
	FILE *line = open_memstream(&text, &n);

	assert_non_null(line);
	print_file(line);
	fclose(line);
	if (*last && strcmp(text, *last) == 0)
		fputs(" ", out);
	else
		fprintf(out, "%s%s\n\t", *last ? "\n" : "", text);
	fprintf(out, "%s%s%s", type, when ? ":" : "", when ? when : "");
	free(*last);
	*last = text;
}

/* Each type of each row, as the row says. */
static void print_types(FILE *out, const struct model *m,
			void (*write)(const char *type, const char *when))
{
	char name[NAME], *last = NULL;

	for (; m->types; m++)
		for (const char *at = m->types; *at; at += strspn(at, " ")) {
			const size_t n = strcspn(at, " ");

			snprintf(name, sizeof name, "%.*s", (int)n, at);
			at += n;
			write(name, m->when);
			print_type(out, name, m->when, &last);
		}
	free(last);
	fputs("\n", out);
}

/* Lines are the same; the first that is not is told. */
static void check_lines(const char *now, const char *was)
{
	size_t n = 0;

	while (now[n] && now[n] == was[n])
		n++;
	if (!now[n] && !was[n])
		return;
	while (n && now[n - 1] != '\n')
		n--;
	fail_msg("now: %.*s\nwas: %.*s", (int)strcspn(now + n, "\n"), now + n,
		 (int)strcspn(was + n, "\n"), was + n);
}

static void no_configuration_stays_in_memory(void **state)
{
	FILE *nowhere = fopen("/dev/null", "w");

	(void)state;
	assert_non_null(nowhere);
	strcpy(file, TEMPLATE);
	close(mkstemp(file));
	for (const struct model *m = models; m->types; m++) {
		char type[NAME];

		snprintf(type, sizeof type, "%.*s",
			 (int)strcspn(m->types, " "), m->types);
		write_json(type, m->when);
		leaves_nothing(print_file, nowhere, type);
	}
	write_gguf("llama", NULL);
	leaves_nothing(print_file, nowhere, "llama");
	unlink(file);
	fclose(nowhere);
}

/* BLESS=1 writes what is printed now. */
static void types_are_what_they_were(void **state)
{
	const char *path = "tests/golden/models/types.txt";
	char *now, *was;
	size_t n;
	FILE *out;

	(void)state;
	strcpy(file, TEMPLATE);
	close(mkstemp(file));
	out = open_memstream(&now, &n);
	assert_non_null(out);
	print_types(out, models, write_json);
	print_types(out, gguf_models, write_gguf);
	fclose(out);
	unlink(file);
	out = getenv("BLESS") ? fopen(path, "w") : NULL;
	if (out) {
		fputs(now, out);
		fclose(out);
	}
	was = content(path);
	check_lines(now, was);
	test_free(was);
	free(now);
}

UNIT(models,
	TEST(no_row_hides_another),
	TEST(parts_have_rows),
	TEST(rows_say_what_is_used),
	TEST(rows_have_the_defaults_of_classes),
	TEST(types_are_what_they_were),
	TEST(no_configuration_stays_in_memory)
)
