/*
 * eva_take.h: what parsers of bytes call, for eva_gguf.c and eva_onnx.c: files
 * that may hold anything anywhere, formatted text, and rows of values.
 */
#ifndef EVA_TAKE_H
#define EVA_TAKE_H

static int print(char *to, size_t room, const char *fmt, ...);

#define snprintf print
#define memchr find_byte

#include "containers/tensors.h"

/* The most bytes that are taken at once for which EVA sees where they end. */
#ifndef TAKEN
#define TAKEN 300
#endif

static bool maybe(struct error *err)
{
	err->text[0] = (char)Frama_C_interval(0, 1);
	return !err->text[0];
}

#include "eva_names.h"

static size_t any_size(void)
{
	return Frama_C_size_t_interval(0, SIZE_MAX);
}

/* The window is anywhere in the file. */
static void move(struct input_file *in, size_t *at)
{
	in->at = any_size();
	in->n = any_size();
	*at = any_size();
}

/* What n bytes are: none at all, none, few, many. EVA tells them apart. */
enum taken { FAILED, EMPTY, FEW, MANY };

static const unsigned char *nothing;  /* one byte, uninitialised */

/* Any n bytes, behind which nothing can be read, unless they are many. */
static const unsigned char *any_bytes(size_t n, bool good)
{
	static unsigned char few[TAKEN], many[65535];
	enum taken taken = n > TAKEN ? MANY : n ? FEW : EMPTY;

	if (n > sizeof many || !good)
		taken = FAILED;
	/*@ split taken; */
	if (taken == FEW) {
		Frama_C_make_unknown((char *)few, sizeof few);
		/*@ split n; */
		return few + TAKEN - n;
	}
	if (taken == MANY)
		Frama_C_make_unknown((char *)many, sizeof many);
	return taken == MANY ? many : taken == EMPTY ? nothing : NULL;
}

const unsigned char *in_take(struct input_file *in, size_t *at, size_t n,
			     const char *within, struct error *err)
{
	(void)within;
	move(in, at);
	return any_bytes(n, maybe(err));
}

bool in_skip(struct input_file *in, size_t to, struct error *err)
{
	size_t at;

	(void)to;
	move(in, &at);
	return maybe(err);
}

bool in_pass(struct input_file *in, size_t *at, size_t n, const char *within,
	     struct error *err)
{
	bool good = maybe(err);

	(void)n;
	(void)within;
	move(in, at);
	/*@ split good; */
	return good;
}

/* Append a text, or any number of digits, as far as there is room. */
static size_t put(char *to, size_t room, size_t n, const char *text)
{
	for (; *text; text++, n++)
		if (n + 1 < room)
			to[n] = *text;
	return n;
}

static size_t put_digits(char *to, size_t room, size_t n, size_t digits)
{
	for (; digits; digits--, n++)
		if (n + 1 < room)
			to[n] = (char)Frama_C_interval('0', '9');
	return n;
}

/* snprintf() of texts (%s), and up to two numbers (%u, %05u, %zu). */
static int print(char *to, size_t room, const char *fmt, ...)
{
	size_t n = 0, digits = 0, more = 0;
	va_list list;

	/*@ merge digits; */
	/*@ merge more; */
	va_start(list, fmt);
	for (; *fmt; fmt++) {
		const int least = fmt[1] == '0' ? 5 : 1;
		const int most = fmt[1] == 'z' ? 20 : 10;

		if (*fmt != '%') {
			n = put(to, room, n, (char []){ *fmt, '\0' });
			continue;
		}
		fmt += *++fmt == '0' ? 2 : *fmt == 'z';
		if (*fmt == 's') {
			n = put(to, room, n, va_arg(list, const char *));
		} else if (!digits) {
			digits = Frama_C_size_t_interval(least, most);
			/*@ split digits; */
			n = put_digits(to, room, n, digits);
		} else {
			more = Frama_C_size_t_interval(least, most);
			/*@ split more; */
			n = put_digits(to, room, n, more);
		}
	}
	va_end(list);
	to[n < room ? n : room - 1] = '\0';
	return (int)n;
}

/* The list has room for one tensor, and none for more. */
enum { TENSORS = 1 };

static void read_all(const char *text, size_t n)
{
	volatile char c;

	for (size_t i = 0; i < n; i++)
		c = text[i];
}

struct tensor *tensors_add(struct tensors *all, const char *name, size_t n,
			   struct error *err)
{
	static char copy[65535 + 1];
	const size_t sum = all->n + (all->n < TENSORS && maybe(err));

	read_all(name, n);
	/*@ split sum; */
	if (sum == all->n)
		return NULL;
	all->n = sum;
	all->at[sum - 1] = (struct tensor){ .name = copy, .length = n };
	return &all->at[sum - 1];
}

bool open_beside(struct input_file *in, const char *path, const char *from,
		 struct error *err)
{
	(void)from;
	*in = (struct input_file){ .path = path, .size = any_size() };
	return maybe(err);
}

void in_close(struct input_file *in)
{
	(void)in;
}

/* List the tensors, and read one of them. */
bool container_read(struct input_file *in, const struct read_options *options,
		    struct table *t, struct error *err)
{
	const struct container *c = options->container;
	static struct tensor room[TENSORS];
	struct tensors all = { .owner = t, .at = room };
	size_t i;

	if (!c->list(&all, in, err) || !all.n)
		return false;
	i = Frama_C_size_t_interval(0, all.n - 1);
	/*@ split i; */
	return c->read(in, &all, &room[i], t, err);
}

#endif
