/*
 * eva_protobuf.c: reads the fields of a message of any bytes, and of one in it,
 * for the same proof as eva_npy.c.
 */
#include "eva.h"
#include "eva_take.h"
#include "text/words.c"
#include "containers/protobuf.c"

int main(void)
{
	struct error err = { 0 };
	struct input_file in = { .path = "x.onnx", .size = any_size() };
	struct field_reader r = { .in = &in, .err = &err };
	struct field f = { .end = any_size() }, inside;
	size_t end = any_size(), n;
	unsigned char none[1];
	const char *text;

	nothing = none;
	move(&in, &r.at);
	if (!field_next(&r, &f, end))
		return 0;
	text = field_text(&r, &f, &n);
	if (text)
		read_all(text, n);
	field_text_is(&r, &f, "location");
	inside = field_inside(&f);
	while (field_next(&r, &inside, f.end))
		field_is(&inside, 1);
	return 0;
}
