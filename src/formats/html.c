/*
 * html.c: a page that shows a table and lets readers change it. The page is a
 * file beside the program, made by scripts/web, with the library in it; what is
 * written here is the command that it starts from, or the values of tables that
 * it cannot compute.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure/language.h"
#include "formats/base64.h"
#include "formats/format.h"
#include "formats/rows.h"
#include "text/utf8.h"
#include "text/words.h"
#include "version.h"

#define MARK "<!-- posenc-data -->"  /* the place of the data in the page */

enum {
	VALUES_MOST = 1 << 24,  /* bytes of values in a page */
	PAGE_MOST = 1 << 23,    /* bytes of the page */
};

/* Where the page may be, from the folder of the program. */
static const char *const places[] = {
	"web/explore.html",                /* in the build folder */
	"../share/posenc/explore.html",    /* installed */
};

enum { PLACES = sizeof places / sizeof *places };

/* The folder of the program, with its slash; /usr/bin/ where it is unknown. */
static void program_folder(char folder[PATH_MAX])
{
	const ssize_t n = readlinkat(AT_FDCWD, "/proc/self/exe", folder,
				     PATH_MAX - 1);

	folder[n > 0 ? n : 0] = '\0';
	if (n > 0)
		strrchr(folder, '/')[1] = '\0';
	else
		snprintf(folder, PATH_MAX, "/usr/bin/");
}

/* The page that is installed. */
struct page {
	struct input_file in;
	const char *mark;          /* where the data goes */
	char path[PATH_MAX + 32];
};

static bool open_page(struct page *p, struct error *err)
{
	char folder[PATH_MAX];

	program_folder(folder);
	for (size_t i = 0; i < PLACES; i++) {
		snprintf(p->path, sizeof p->path, "%s%s", folder, places[i]);
		if (access(p->path, F_OK) == 0)
			return in_open(&p->in, p->path, err);
	}
	return fail(err, "--html: the page is not installed: 'make web' builds "
		    "it, with clang, and 'make install' installs it "
		    "(expected %.250s)", p->path);
}

/* Read the whole page. in_close(&p->in) must follow. */
static bool read_page(struct page *p, struct error *err)
{
	if (!open_page(p, err))
		return false;
	if (in_read(&p->in, PAGE_MOST, err)) {
		p->mark = strstr((const char *)p->in.bytes, MARK);
		if (p->mark)
			return true;
		fail_file(err, p->path, "expected a page with %s", MARK);
	}
	in_close(&p->in);
	return false;
}

/* Whether the value of an option is in a file. */
static bool in_file(const struct option *o, const void *self)
{
	char text[OPTION_ROOM];
	const char *value;

	if (!option_given(o, self))
		return false;
	value = option_text(o, self, text);
	return option_reads_tables(o) || strchr(value, '@') ||
	       strcmp(value, "-") == 0 || strstr(value, "=-");
}

/* Whether the page makes t, all of it, from its command. */
static bool page_makes(const struct style *style, const struct table *t)
{
	const struct recipe *r = t->from.recipe;

	if (!r->starts || t->from.name || style->dtype != NO_CHOICE ||
	    style->rows.given || style->head.given)
		return false;
	for (const struct option *o = r->options; o->name; o++)
		if (in_file(o, t->from.options))
			return false;
	return true;
}

/* The bytes of t and of the tables beside it. */
static size_t values_size(const struct table *t)
{
	size_t bytes = 0;

	for (; t; t = t->beside)
		bytes += rows_binary_size(t);
	return bytes;
}

/* Fail with the size of the only table, or of the largest of several. */
static bool fail_size(const struct table *t, struct error *err)
{
	const struct table *largest = t;
	char shape[SHAPE_TEXT];
	size_t n = 1;

	for (const struct table *x = t->beside; x; x = x->beside, n++)
		if (rows_binary_size(x) > rows_binary_size(largest))
			largest = x;
	shape_of(largest, shape);
	if (n == 1)
		return fail(err, "--html: expected at most %d bytes of values, "
			    "got %zu, %s %s; --rows A:B takes a part",
			    VALUES_MOST, values_size(t), shape,
			    dtype_name(t->dtype));
	return fail(err, "--html: expected at most %d bytes of values, got %zu "
		    "in %zu tables, the largest %s %s; --select A:B takes a "
		    "part of each TABLE", VALUES_MOST, values_size(t), n,
		    shape, dtype_name(largest->dtype));
}

static bool html_check(const struct style *style, const struct table *t,
		       struct error *err)
{
	struct page page;

	/* Values that the page makes itself are not in it. */
	if (t->beside && page_makes(style, t) &&
	    rows_binary_size(t) <= VALUES_MOST)
		t = t->beside;
	if (values_size(t) > VALUES_MOST)
		return fail_size(t, err);
	if (!read_page(&page, err))
		return false;
	in_close(&page.in);
	return true;
}

/* Text as a string of JSON that ends no element of HTML and no statement. */
static void send_string(struct output_file *o, const char *text)
{
	out_text(o, "\"");
	while (*text) {
		const char *before = text;
		const unsigned long c = utf8_next(&text);
		char escape[UTF16_TEXT];

		if (c > '~' || c < ' ' || strchr("\"\\<>&", (int)c))
			out_bytes(o, escape, utf16_text(c, "\\u", escape));
		else
			out_bytes(o, before, 1);
	}
	out_text(o, "\"");
}

/* A command without "posenc", as an array of its words. */
static void send_words(struct output_file *o, const char *command)
{
	char *copy = strdup(command), *at = copy;
	const char *before = "";

	if (!copy)
		out_fail(o, "out of memory");
	else
		word_next(&at, &o->err);
	for (char *word; copy && (word = word_next(&at, &o->err));) {
		out_text(o, before);
		send_string(o, word);
		before = ",";
	}
	free(copy);
}

static bool take_base64(void *taker, const unsigned char *bytes, size_t n)
{
	struct base64 *b = taker;

	base64_bytes(b, bytes, n);
	return !b->o->err.text[0];
}

static void send_values(struct output_file *o, const struct style *style,
			const struct table *t)
{
	const struct row_writer r = {
		.t = t, .style = style, .after = "",
		.number_room = dtype_size(t->dtype),
	};
	struct base64 b = { .o = o };
	struct error err = { 0 };

	if (!rows_give(&r, take_base64, &b, &err))
		out_fail(o, err.text);
	base64_finish(&b);
}

/* A table with its values; command makes it, or NULL if memory ran out. */
static void send_table(struct output_file *o, const struct style *style,
		       const struct table *t, const char *command)
{
	size_t shape[3];
	const size_t rank = table_shape(t, shape);

	out_text(o, "{\"name\":");
	send_string(o, t->title);
	out_text(o, ",\"command\":");
	if (command)
		send_string(o, command);
	else
		out_fail(o, "out of memory");
	out_format(o, ",\"planes\":%zu,\"rows\":%zu,\"cols\":%zu,"
		   "\"dtype\":\"%s\",\"values\":\"",
		   rank == 3 ? shape[0] : 1, shape[rank - 2], shape[rank - 1],
		   dtype_name(t->dtype));
	send_values(o, style, t);
	out_text(o, "\"}");
}

/* A table of a file, and those beside it. */
static void send_beside(struct output_file *o, const struct style *style,
			const struct table *t)
{
	for (const char *before = ""; t; t = t->beside, before = ",\n") {
		const size_t room = strlen(t->from.command) + 16;
		char *command = malloc(room);

		if (command)
			snprintf(command, room, "%s%s", t->from.recipe ? ""
				 : "posenc show ", t->from.command);
		out_text(o, before);
		send_table(o, style, t, command);
		free(command);
	}
}

static void send_tables(struct output_file *o, const struct style *style,
			const struct table *t)
{
	char *command = command_line(t, style, "html");

	send_table(o, style, t, command);
	free(command);
	if (t->beside)
		out_text(o, ",\n");
	send_beside(o, style, t->beside);
}

static void send_data(struct output_file *o, const struct style *style,
		      const struct table *t)
{
	const bool makes = page_makes(style, t);

	out_format(o, "<script type=\"application/json\" id=\"posenc-data\">\n"
		   "{\"version\":\"" POSENC_VERSION "\",\"bare\":%s,"
		   "\"lang\":\"%s\",\"command\":[", style->bare ? "true"
		   : "false", language_words[style->look.lang]);
	if (makes)
		send_words(o, t->from.command);
	out_text(o, "],\"tables\":[");
	if (makes)
		send_beside(o, style, t->beside);
	else
		send_tables(o, style, t);
	out_text(o, "]}\n</script>");
}

static void html_write(const struct style *style, const struct table *t,
		       struct output_file *o)
{
	struct page page;
	struct error err = { 0 };

	if (!read_page(&page, &err)) {
		out_fail(o, err.text);
		return;
	}
	snprintf(o->extent, sizeof o->extent, "open it in a browser");
	out_bytes(o, page.in.bytes,
		  (size_t)(page.mark - (const char *)page.in.bytes));
	send_data(o, style, t);
	out_text(o, page.mark + strlen(MARK));
	in_close(&page.in);
}

const struct format html_format = {
	.name = "html",
	.summary = "a page to explore the encoding or table in a browser",
	.binary = true,
	.several = true,
	.check = html_check,
	.write = html_write,
};
