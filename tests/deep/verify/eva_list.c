/*
 * eva_list.c: reads a list of numbers from a file or option of any BYTES bytes,
 * for the same proof as eva_npy.c. Numbers are read in eva_text.c.
 */
#include "eva.h"

#define getc next_byte
#define ungetc give_back

#define strpbrk any_part

static int next_byte(FILE *in);
static int give_back(int c, FILE *in);

static char *any_part(const char *text, const char *letters)
{
	(void)letters;
	return Frama_C_interval(0, 1) ? (char *)text : NULL;
}

#include "recipe/list.c"

enum { ROOM = 128 };

static size_t left = BYTES;

static int next_byte(FILE *in)
{
	(void)in;
	if (!left)
		return EOF;
	left--;
	return Frama_C_interval(0, 255);
}

static int give_back(int c, FILE *in)
{
	(void)in;
	left += c != EOF && left < BYTES;
	return c;
}

bool parse_real(const char *text, double *x)
{
	*x = Frama_C_double_interval(-1e308, 1e308);
	return text[strlen(text)] == '\0' && Frama_C_interval(0, 1);
}

bool parse_exact(const char *text, double x)
{
	(void)text;
	(void)x;
	return Frama_C_interval(0, 1);
}

bool fail_memory(struct error *err)
{
	(void)err;
	return false;
}

/* The first two capacities; then memory runs out. */
void *table_grow(struct table *t, void *old, size_t n, size_t size,
		 struct error *err)
{
	static double room[ROOM];

	(void)t;
	(void)old;
	(void)err;
	return n * size <= sizeof room ? room : NULL;
}

int main(void)
{
	struct list_reader r = { .flag = "--list", .last = ',', .line = 1 };
	struct table owner = { 0 };
	struct error err = { 0 };
	double *at = NULL;
	size_t n = 0;
	FILE file;

	r.in = &file;
	if (Frama_C_interval(0, 1))
		r.path = "x";
	if (read_numbers(&r, &owner, &at, &n, &err) && n && r.path)
		array_close(&r, &err);
	return 0;
}
