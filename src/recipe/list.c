/* list.c: a list of numbers, from the command line or a file. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "table/limit.h"
#include "recipe/list.h"
#include "text/decimal.h"

enum { NUMBERS_MOST = LIMIT(100000000, 1000) };

/* Reads a list word by word; a word is the text of a number. */
struct list_reader {
	FILE *in;
	const char *path;     /* NULL: the list is an option's value */
	const char *flag;     /* the option, for messages */
	int last;             /* the last character that was read, */
	size_t line, column;  /* and its place */
	char word[400];       /* the current word */
	bool empty;           /* a number is missing before it, or at the end */
	bool zero;            /* it has a byte of 0 */
	bool open, closed;    /* '[' and ']' of a JSON array were read */
	size_t begin;         /* the column where it begins */
	size_t counted;       /* the line of the last number, */
	size_t in_line;       /* its numbers so far, */
	size_t width;         /* and those of each line before */
	bool ragged;          /* some lines differ */
};

static bool is_separator(int c)
{
	return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The next character; waits for a pipe that does not block. */
static int next_char(FILE *in)
{
	int c;

	while ((c = getc(in)) == EOF && ferror(in) && errno == EAGAIN) {
		clearerr(in);
		poll(&(struct pollfd){ fileno(in), POLLIN, 0 }, 1, -1);
	}
	return c;
}

static int next_word_char(struct list_reader *r)
{
	if (r->closed)
		return r->last = EOF;
	if (r->last == '\n') {
		r->line++;
		r->column = 0;
	}
	r->column++;
	r->last = next_char(r->in);
	r->closed = r->open && r->last == ']';
	if (r->closed)
		r->last = EOF;
	return r->last;
}

static bool is_blank(int c)
{
	return is_separator(c) && c != ',';
}

/* Skip the byte order mark that some editors write. */
static void skip_mark(FILE *in)
{
	const int c = next_char(in);

	if (c != 0xef || next_char(in) != 0xbb || next_char(in) != 0xbf)
		ungetc(c, in);
}

/* Skip the '[' of a JSON array, if the file begins with one. */
static void array_open(struct list_reader *r)
{
	skip_mark(r->in);
	while (is_blank(next_word_char(r)))
		;
	r->open = r->last == '[';
	if (!r->open && r->last != EOF) {
		ungetc(r->last, r->in);
		r->column--;
	}
	r->last = ',';
}

/* Check that the array, if any, ended with ']' and the file after it. */
static bool array_close(struct list_reader *r, struct error *err)
{
	int c = ' ';

	if (!r->open)
		return true;
	if (!r->closed)
		return fail_file(err, r->path, "expected ']' at the end of the "
				 "list, got the end of the text");
	while (is_blank(c))
		c = next_char(r->in);
	if (c != EOF && (c < ' ' || c > '~'))
		return fail_file(err, r->path, "expected the end of the text "
				 "after the list, got byte %d", c);
	if (c != EOF)
		return fail_file(err, r->path, "expected the end of the text "
				 "after the list, got '%c'", c);
	return true;
}

/* Read the next word, up to the size of r->word; false at the end. */
static bool next_word(struct list_reader *r)
{
	size_t n = 0, commas = r->last == ',';

	while (is_separator(next_word_char(r)))
		commas += r->last == ',';
	r->begin = r->column;
	for (; r->last != EOF && !is_separator(r->last) &&
	       n < sizeof r->word - 1; next_word_char(r)) {
		r->zero |= !r->last;
		r->word[n++] = (char)r->last;
	}
	/* A word that does not fit becomes one that is not a number. */
	if (n == sizeof r->word - 1)
		r->word[n - 1] = '+';
	r->word[n] = '\0';
	/* Each line of a file may end with a comma. */
	r->empty = commas > (n || (r->path && !r->open));
	return n > 0;
}

/* Fail with what was expected in place of the word, and its place. */
static bool refuse_word(const struct list_reader *r, const char *wanted,
			struct error *err)
{
	const char *word = r->empty ? "" : r->word;
	char place[300];

	if (!r->path)
		return fail(err, "%s: expected %s, got '%.60s'", r->flag,
			    wanted, word);
	snprintf(place, sizeof place, "%.240s:%zu:%zu", r->path, r->line,
		 r->begin);
	if (strncmp(word, "\x93NUMPY", 6) == 0)
		return fail_file(err, r->path, "expected numbers as text, got "
				 "an NPY file");
	if (r->zero)
		return fail_file(err, place, "expected text, got a NUL byte");
	return fail_file(err, place, "expected %s, got '%.60s'", wanted, word);
}

static bool not_a_number(const struct list_reader *r, struct error *err)
{
	return refuse_word(r, r->path ? "a number"
			   : "a number (@FILE reads a file)", err);
}

/* Read the word; integers must be exact. */
static bool read_number(const struct list_reader *r, double *x,
			struct error *err)
{
	if (r->empty || r->zero || !parse_real(r->word, x))
		return not_a_number(r, err);
	if (strpbrk(r->word, ".eE") || parse_exact(r->word, *x))
		return true;
	return refuse_word(r, "an integer that float64 can represent exactly",
			   err);
}

static void end_line(struct list_reader *r)
{
	r->ragged |= r->width && r->in_line != r->width;
	r->width = r->in_line;
	r->in_line = 0;
}

/* Count a number of the current line. */
static void count_number(struct list_reader *r)
{
	if (r->counted && r->line != r->counted)
		end_line(r);
	r->counted = r->line;
	r->in_line++;
}

/* Append the numbers to *at [*n], which owner owns and doubles as needed. */
static bool read_numbers(struct list_reader *r, struct table *owner,
			 double **at, size_t *n, struct error *err)
{
	size_t room = 0;

	if (r->path)
		array_open(r);
	while (next_word(r)) {
		if (*n == NUMBERS_MOST)
			return fail(err, "%s takes at most %d numbers",
				    r->flag, NUMBERS_MOST);
		if (*n == room) {
			room = room ? 2 * room : 64;
			*at = table_grow(owner, *at, room, sizeof **at, err);
			if (!*at)
				return false;
		}
		if (!read_number(r, &(*at)[*n], err))
			return false;
		count_number(r);
		++*n;
	}
	end_line(r);
	if (ferror(r->in))
		return fail_file(err, r->path, "%s", strerror(errno));
	if (*n && r->empty)
		return not_a_number(r, err);
	if (*n == 0)
		return r->path ? fail_file(err, r->path, "expected at least "
					   "one number, got none")
			       : fail(err, "%s: expected at least one number, "
				      "got none",
				      r->flag);
	return array_close(r, err);
}

static FILE *list_open(struct list_reader *r, const char *text, bool files,
		       struct error *err)
{
	const bool standard = strcmp(text, "-") == 0;

	if ((standard || text[0] == '@') && !files) {
		fail(err, "%s: expected numbers, got '%.60s': the library "
		     "reads files only with PE_READ_FILES", r->flag, text);
		return NULL;
	}
	if (standard) {
		r->path = "standard input";
		return stdin;
	}
	if (text[0] == '@') {
		FILE *in = fopen(text + 1, "re");

		r->path = text + 1;
		if (!in)
			fail_file(err, r->path, "%s", strerror(errno));
		return in;
	}
	if (!text[0]) {
		fail(err, "%s: expected at least one number, got "
		     "none", r->flag);
		return NULL;
	}
	return fmemopen((void *)(size_t)text, strlen(text), "r");
}

bool list_read(struct list *list, const char *text, const char *flag,
	       struct table *owner, struct error *err)
{
	struct list_reader r = { .flag = flag, .last = ',', .line = 1 };
	double *at = NULL;
	bool good;

	r.in = list_open(&r, text, owner->from.reads_files, err);
	if (!r.in)
		return fail_memory(err);
	list->n = 0;
	good = read_numbers(&r, owner, &at, &list->n, err);
	if (r.in != stdin)
		fclose(r.in);
	list->at = good ? at : NULL;
	list->width = r.path && !r.ragged ? r.width : 0;
	list->text = text;
	return good;
}

bool list_of_table(struct list *list, const struct table *t, const char *text,
		   struct error *err)
{
	const size_t n = t->planes * t->rows * t->cols;
	const double *at = t->row(t, 0, NULL);

	for (size_t i = 0; i < n; i++)
		if (!isfinite(at[i]))
			return fail_file(err, text + 1, "expected finite "
					 "numbers, got %g in row %zu, column "
					 "%zu", at[i], i / t->cols,
					 i % t->cols);
	*list = (struct list){ .at = at, .n = n, .width = t->cols,
			       .text = text };
	return true;
}
