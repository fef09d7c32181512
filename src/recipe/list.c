/* list.c: numbers in a row, typed or from a file. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "recipe/list.h"
#include "text/decimal.h"

enum { NUMBERS_MOST = 100000000 };

/* A stream of words and where it stands. */
struct words {
	FILE *in;
	const char *path;     /* NULL where the list was typed */
	const char *flag;
	int last;             /* the character read last, */
	size_t line, column;  /* and where it stood */
	char word[400];
	bool empty;           /* between two commas, or at an end */
	bool zero;            /* a byte of 0 is in it */
	bool open, closed;    /* of a JSON array in a file: '[' and ']' came */
	size_t begin;         /* the column where the word begins */
};

static bool is_separator(int c)
{
	return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A pipe that has nothing yet may say so in place of waiting. */
static int next_char(FILE *in)
{
	int c;

	while ((c = getc(in)) == EOF && ferror(in) && errno == EAGAIN) {
		clearerr(in);
		poll(&(struct pollfd){ fileno(in), POLLIN, 0 }, 1, -1);
	}
	return c;
}

static int word_char(struct words *w)
{
	if (w->closed)
		return w->last = EOF;
	if (w->last == '\n') {
		w->line++;
		w->column = 0;
	}
	w->column++;
	w->last = next_char(w->in);
	w->closed = w->open && w->last == ']';
	if (w->closed)
		w->last = EOF;
	return w->last;
}

static bool is_blank(int c)
{
	return is_separator(c) && c != ',';
}

/* What some editors put before a text in UTF-8 is none of it. */
static void skip_mark(FILE *in)
{
	const int c = next_char(in);

	if (c != 0xef || next_char(in) != 0xbb || next_char(in) != 0xbf)
		ungetc(c, in);
}

/* Files may hold a JSON array: move past its '[', where that comes first. */
static void array_open(struct words *w)
{
	skip_mark(w->in);
	while (is_blank(word_char(w)))
		;
	w->open = w->last == '[';
	if (!w->open && w->last != EOF) {
		ungetc(w->last, w->in);
		w->column--;
	}
	w->last = ',';
}

/* Whether its ']' came, and nothing after it. */
static bool array_close(struct words *w, struct error *err)
{
	int c = ' ';

	if (!w->open)
		return true;
	if (!w->closed)
		return fail_file(err, w->path, "expected ']' at the end of the "
				 "list, got the end of the text");
	while (is_blank(c))
		c = next_char(w->in);
	if (c != EOF && (c < ' ' || c > '~'))
		return fail_file(err, w->path, "expected the end of the text "
				 "after the list, got byte %d", c);
	if (c != EOF)
		return fail_file(err, w->path, "expected the end of the text "
				 "after the list, got '%c'", c);
	return true;
}

/* The next word into w->word; no more of it than any number has. */
static bool word_next(struct words *w)
{
	size_t n = 0, commas = w->last == ',';

	while (is_separator(word_char(w)))
		commas += w->last == ',';
	w->begin = w->column;
	for (; w->last != EOF && !is_separator(w->last) &&
	       n < sizeof w->word - 1; word_char(w)) {
		w->zero |= !w->last;
		w->word[n++] = (char)w->last;
	}
	/* What is too long for a word is no number either. */
	if (n == sizeof w->word - 1)
		w->word[n - 1] = '+';
	w->word[n] = '\0';
	/* Lines of a file may each end with a comma, the last one, too. */
	w->empty = commas > (n || (w->path && !w->open));
	return n > 0;
}

/* Say what was expected in place of the word, and where in a file that is. */
static bool refuse_word(const struct words *w, const char *wanted,
			struct error *err)
{
	const char *word = w->empty ? "" : w->word;
	char place[300];

	if (!w->path)
		return fail(err, "%s: expected %s, got '%.60s'", w->flag,
			    wanted, word);
	snprintf(place, sizeof place, "%.240s:%zu:%zu", w->path, w->line,
		 w->begin);
	if (w->zero)
		return fail_file(err, place, "expected text, got a NUL byte");
	return fail_file(err, place, "expected %s, got '%.60s'", wanted, word);
}

static bool not_a_number(const struct words *w, struct error *err)
{
	return refuse_word(w, w->path ? "a number"
			   : "a number (@FILE reads a file)", err);
}

/* What is whole must be so to the last digit. */
static bool read_number(const struct words *w, double *x, struct error *err)
{
	if (w->empty || w->zero || !parse_real(w->word, x))
		return not_a_number(w, err);
	if (strpbrk(w->word, ".eE") || parse_exact(w->word, *x))
		return true;
	return refuse_word(w, "an integer that float64 can represent exactly",
			   err);
}

/* Append the numbers of w to *at [*n] of owner's, which grows by doubling. */
static bool read_numbers(struct words *w, struct table *owner, double **at,
			 size_t *n, struct error *err)
{
	size_t room = 0;

	if (w->path)
		array_open(w);
	while (word_next(w)) {
		if (*n == NUMBERS_MOST)
			return fail(err, "%s takes at most %d numbers",
				    w->flag, NUMBERS_MOST);
		if (*n == room) {
			room = room ? 2 * room : 64;
			*at = table_grow(owner, *at, room, sizeof **at, err);
			if (!*at)
				return false;
		}
		if (!read_number(w, &(*at)[*n], err))
			return false;
		++*n;
	}
	if (ferror(w->in))
		return fail_file(err, w->path, "%s", strerror(errno));
	if (*n && w->empty)
		return not_a_number(w, err);
	if (*n == 0)
		return w->path ? fail_file(err, w->path, "expected at least "
					   "one number, got none")
			       : fail(err, "%s: expected at least one number, "
				      "got none",
				      w->flag);
	return array_close(w, err);
}

static FILE *words_open(struct words *w, const char *text, struct error *err)
{
	if (strcmp(text, "-") == 0) {
		w->path = "standard input";
		return stdin;
	}
	if (text[0] == '@') {
		FILE *in = fopen(text + 1, "r");

		w->path = text + 1;
		if (!in)
			fail_file(err, w->path, "%s", strerror(errno));
		return in;
	}
	if (!text[0]) {
		fail(err, "%s: expected at least one number, got "
		     "none", w->flag);
		return NULL;
	}
	return fmemopen((void *)(size_t)text, strlen(text), "r");
}

bool list_read(struct list *list, const char *text, const char *flag,
	       struct table *owner, struct error *err)
{
	struct words w = { .flag = flag, .last = ',', .line = 1 };
	double *at = NULL;
	bool good;

	w.in = words_open(&w, text, err);
	if (!w.in)
		return fail_memory(err);
	list->n = 0;
	good = read_numbers(&w, owner, &at, &list->n, err);
	if (w.in != stdin)
		fclose(w.in);
	list->at = good ? at : NULL;
	list->text = text;
	return good;
}
