/* csv_parts.c: lines of a large file, read by threads. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "table/blocks.h"
#include "table/limit.h"
#include "formats/csv.h"

/* Bytes of lines that a thread reads at once. */
enum { PART = LIMIT(1 << 18, 1 << 4) };

/*
 * Parts of a file that threads read: lines that are all rows, so that those
 * before a part tell where its values belong. From the first part that has
 * other lines on, the caller reads alone.
 */
struct parts {
	struct csv *c;         /* its values have room for those of all parts */
	pthread_mutex_t lock;  /* of what follows, and of c and its file */
	size_t rows;           /* of all parts that were taken */
	bool ended;            /* none is left */
	struct error err;      /* of reading the file */
	size_t bad, bad_rows;  /* the offset of the first part that has other
				  lines, and rows before it */
};

struct part {
	struct csv c;
	struct input_file in;  /* its lines alone */
	size_t at, rows;       /* its offset in the file, and rows before it */
	size_t lines;
};

/*
 * Take the next part, in text [PART + 1]. None is taken that may reach the end
 * of the file, or for whose values there may be no room.
 */
static bool take_part(struct parts *p, struct part *x, unsigned char *text)
{
	struct input_file *in = p->c->in;
	const char *s = (char *)text;
	size_t got, n;

	if (p->ended || in->n > PART || !in_move(in, text, PART, &got, &p->err))
		return false;
	*x = (struct part){ .c = *p->c, .at = in->at - got, .rows = p->rows,
			    .in = { .path = in->path, .bytes = text } };
	for (n = got; n > 0 && text[n - 1] != '\n'; n--)
		;
	for (; s < (char *)text + n; s++, x->lines++)
		s = memchr(s, '\n', n);
	p->rows += x->lines;
	if (got < PART || !n ||
	    p->c->g.n + p->rows * p->c->cols > p->c->g.room) {
		p->rows = x->rows;
		in_put_back(in, text, got);
		return false;
	}
	in_put_back(in, text + n, got - n);
	text[n] = '\0';
	x->c.x.at = x->c.begin = (char *)text;
	x->c.x.stop = (char *)text + n;
	return true;
}

/* Read a part; whether all of its lines are rows. */
static bool read_part(struct part *x)
{
	struct csv *c = &x->c;
	const size_t line = c->line;
	struct error err = { 0 };

	c->in = &x->in;
	c->g.in = &x->in;
	c->g.at += c->g.n + x->rows * c->cols;
	c->g.room = x->lines * c->cols;
	c->g.n = c->rows = 0;
	while (c->x.at < c->x.stop && c->rows < x->lines)
		if (!csv_read_line(c, &err))
			return false;
	/* A carriage return alone ends a line, too */
	return c->x.at == c->x.stop && c->rows == x->lines &&
	       c->line - line == x->lines && !c->g.inexact;
}

/* The make() of struct blocks, for the next part, whichever it is. */
static size_t make_part(const void *self, size_t first, size_t n,
			void *scratch, unsigned char *to)
{
	struct parts *const *shared = self;
	struct parts *p = *shared;
	struct part x;
	bool taken, good, earlier;

	(void)first, (void)n, (void)to;
	pthread_mutex_lock(&p->lock);
	taken = take_part(p, &x, scratch);
	p->ended |= !taken;
	pthread_mutex_unlock(&p->lock);
	if (!taken)
		return 0;
	good = read_part(&x);
	pthread_mutex_lock(&p->lock);
	p->c->g.fractions |= x.c.g.fractions;
	p->c->g.more_digits |= x.c.g.more_digits;
	p->ended |= !good;
	earlier = x.at < p->bad;
	if (earlier & !good) {
		p->bad = x.at;
		p->bad_rows = x.rows;
	}
	pthread_mutex_unlock(&p->lock);
	return 0;
}

/* Go on after the parts that were read. */
static bool end_parts(const struct parts *p, struct error *err)
{
	struct csv *c = p->c;
	const bool bad = p->bad < SIZE_MAX;
	const size_t rows = bad ? p->bad_rows : p->rows;

	c->rows += rows;
	c->block += rows;
	c->line += rows;
	c->g.n += rows * c->cols;
	if (bad && !in_skip(c->in, p->bad, err))
		return false;
	c->x.at = (char *)c->in->bytes;
	if (bad || !rows) {
		c->wait = 2 * c->wait + 1;
		c->waited = 0;
	}
	if (!bad && p->err.text[0])
		*err = p->err;
	return !err->text[0];
}

bool csv_read_parts(struct csv *c, struct error *err)
{
	struct parts p = { .c = c, .bad = SIZE_MAX,
			   .lock = PTHREAD_MUTEX_INITIALIZER };
	struct parts *const shared = &p;
	/* To read text takes several times as long as to copy it */
	struct blocks b = {
		.rows = 1, .bytes = 1, .scratch = PART + 1,
		.work = (size_t)8 * PART,
		.make = make_part, .self = &shared,
	};
	struct error no_memory = { 0 };
	const size_t most = c->g.t->most / sizeof *c->g.at;

	in_drop(c->in, (size_t)(c->x.at - (char *)c->in->bytes));
	c->x.at = (char *)c->in->bytes;
	/* Each part has half of PART or more */
	b.end = in_left(c->in) / (PART / 2);
	if (!c->in->seeks || c->in->room + c->in->before < PART ||
	    c->threads == 1 || !c->cols || c->first != CSV_ROW ||
	    c->waited++ < c->wait || !b.end || (most && c->g.n + PART > most))
		return true;
	if (!values_reserve(&c->g, PART, err))
		return false;
	/* Where memory is short for a part, the caller reads on */
	(void)blocks_run(&b, c->threads, &no_memory);
	return end_parts(&p, err);
}

static size_t round_some(const void *self, size_t first, size_t n,
			 void *scratch, unsigned char *to)
{
	struct values some = *(const struct values *)self;

	(void)scratch, (void)to;
	some.at += first;
	some.n = n;
	values_round(&some, F32);
	return 0;
}

bool csv_round(const struct csv *c, enum dtype d, struct error *err)
{
	enum { SOME = 1 << 16 };
	const struct blocks b = {
		.end = c->g.n, .rows = SOME, .bytes = 1,
		.work = SOME * sizeof(double),
		.make = round_some, .self = &c->g,
	};

	return d != F32 || blocks_run(&b, c->threads, err);
}
