/*
 * eva_onnx.c: lists the tensors of an ONNX model of any fields, and reads one
 * (TOKEN is 0), or values of varints (1), for the same proof as eva_npy.c. The
 * fields themselves are read in eva_protobuf.c.
 */
#include "eva.h"
#include "eva_take.h"
#include "containers/onnx.c"

enum { ROOM = 16 };

size_t field_position(const struct field_reader *r)
{
	(void)r;
	return any_size();
}

bool field_fail(const struct field_reader *r, const char *why)
{
	(void)r;
	(void)why;
	return false;
}

bool field_seek(struct field_reader *r, size_t to)
{
	(void)to;
	move(r->in, &r->at);
	return maybe(r->err);
}

bool field_varint(struct field_reader *r, size_t end, uint64_t *x)
{
	*x = any_size();
	return field_seek(r, end);
}

/* Any field, or the end of the message. */
bool field_next(struct field_reader *r, struct field *f, size_t end)
{
	f->number = any_size();
	f->value = any_size();
	f->begin = any_size();
	f->end = any_size();
	f->wire = Frama_C_interval(0, 7);
	return field_seek(r, end) && Frama_C_interval(0, 1);
}

bool field_is(const struct field *f, uint64_t number)
{
	return f->number == number && f->wire == BYTES;
}

struct field field_inside(const struct field *f)
{
	return (struct field){ .end = f->begin };
}

const char *field_text(struct field_reader *r, const struct field *f,
		       size_t *n)
{
	const size_t length = Frama_C_size_t_interval(0, 65535);
	const char *text;

	(void)f;
	move(r->in, &r->at);
	text = (const char *)any_bytes(length, maybe(r->err));
	*n = length;
	return text;
}

bool field_text_is(struct field_reader *r, const struct field *f,
		   const char *word)
{
	(void)f;
	(void)word;
	move(r->in, &r->at);
	return maybe(r->err) && Frama_C_interval(0, 1);
}

bool in_random(struct input_file *in, struct error *err)
{
	in->size = any_size();
	return maybe(err);
}

const char *path_beside(const struct input_file *in, const char *name, size_t n,
			struct table *owner, struct error *err)
{
	(void)in;
	(void)owner;
	read_all(name, n);
	return maybe(err) ? "x" : NULL;
}

bool path_is_open(const char *path, int fd)
{
	(void)fd;
	read_all(path, strlen(path));
	return Frama_C_interval(0, 1);
}

void in_source(struct input_file *in, const char *path, struct source *s)
{
	*in = (struct input_file){ .path = path, .source = s };
}

/* Values come from the file, or, for TOKEN 1, from a source, whole ones. */
bool tensor_read(struct input_file *in, const struct tensor *one,
		 struct table *t, struct error *err)
{
	unsigned char bytes[ROOM];
	size_t n;

	(void)one;
	(void)t;
	while (TOKEN && maybe(err)) {
		n = 8 * Frama_C_size_t_interval(0, ROOM / 8);
		/*@ split n; */
		in->source->read(in->source, bytes + ROOM - n, n, err);
	}
	return maybe(err);
}

/* A tensor of any type that posenc reads: others have no place. */
static void read_any(struct input_file *in, struct table *t, struct error *err)
{
	struct tensor one = { .begin = any_size(), .end = any_size() };
	size_t type = Frama_C_size_t_interval(0, TYPES - 1);

	Frama_C_make_unknown((char *)one.shape, sizeof one.shape);
	one.rank = any_size();
	/*@ split type; */
	one.element = types[type].element;
	if (one.element.kind)
		read_varints(in, &one, t, err);
}

static void recognize(void)
{
	unsigned char first[FIRST_BYTES];
	size_t n = Frama_C_size_t_interval(0, 12);

	Frama_C_make_unknown((char *)first, sizeof first);
	/*@ split n; */
	onnx_format.recognizes(first + FIRST_BYTES - n, n);
}

int main(void)
{
	struct error err = { 0 };
	struct input_file in = { .path = "x.onnx", .size = any_size() };
	struct read_options options = { .container = &onnx };
	struct table t = { 0 };
	unsigned char none[1];
	size_t at;

	nothing = none;
	move(&in, &at);
	if (TOKEN) {
		read_any(&in, &t, &err);
		recognize();
	} else {
		onnx_format.read(&in, &options, &t, &err);
	}
	return 0;
}
