/*
 * eva_json.c: scans a JSON token at the start of any BYTES bytes, for the same
 * proof as eva_npy.c. TOKEN: 0 a string, 1 a number, 2 an escape in a string,
 * 3 the separator between members.
 */
#include "eva.h"

#define vsnprintf(to, n, fmt, args) ((void)(fmt), *(to) = '\0')

#include "text/utf8.c"
#include "text/decimal.c"
#include "formats/json_scan.c"

bool tens_scale(uint64_t x, int64_t e, double *to)
{
	/*@ assert 0 < x; */
	(void)x;
	(void)e;
	*to = Frama_C_double_interval(0x1p-960, 0x1.fffffffffffffp1023);
	return Frama_C_nondet(0, 1);
}

/* The whole file is in the window. */
bool in_read(struct input_file *in, size_t n, struct error *err)
{
	(void)in;
	(void)n;
	(void)err;
	return true;
}

void in_drop(struct input_file *in, size_t n)
{
	in->bytes += n;
	in->n -= n;
	in->at += n;
}

int main(void)
{
	unsigned char bytes[BYTES + 1];
	struct input_file in = { .path = "x", .bytes = bytes, .n = BYTES,
			 .size = BYTES, .ended = true };
	struct error err = { 0 };
	struct decimal d;
	struct json j;
	const char *text;
	char room[4], *to = room;
	size_t n = 0;

	Frama_C_make_unknown((char *)bytes, BYTES);
	bytes[BYTES] = 0;
	json_begin(&j, &in, BYTES);
	(void)text, (void)d, (void)to, (void)n;
#if TOKEN == 0
	json_string(&j, &text, &n, &err);
#elif TOKEN == 1
	json_number(&j, &d, &text, &err);
#elif TOKEN == 2
	read_escape((char *)bytes, &to);
#else
	json_next(&j, ']', &n, &err);
#endif
	return 0;
}
