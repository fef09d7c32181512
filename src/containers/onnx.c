/*
 * onnx.c: models of ONNX (onnx.proto), which are messages of Protocol Buffers:
 * initializers, constants, and values in files beside the model. What is large
 * is passed over; messages nest four deep, whatever the file says.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files/path.h"
#include "containers/protobuf.h"
#include "containers/tensors.h"

/* Numbers of fields, by message. */
enum {
	MODEL_GRAPH = 7,
	GRAPH_NODE = 1, GRAPH_INITIALIZER = 5, GRAPH_SPARSE = 15,
	NODE_OUTPUT = 2, NODE_OPERATOR = 4, NODE_ATTRIBUTE = 5,
	ATTRIBUTE_TENSOR = 5, SPARSE_VALUES = 1,
	TENSOR_DIMS = 1, TENSOR_TYPE = 2, FLOATS = 4, INT32S = 5, INT64S = 7,
	TENSOR_NAME = 8, RAW = 9, DOUBLES = 10, UINT64S = 11,
	TENSOR_EXTERNAL = 13, TENSOR_PLACE = 14,
	ENTRY_KEY = 1, ENTRY_VALUE = 2,
};

/* Types of tensors, and the field of their values that are not raw. */
static const struct {
	const char *name;
	struct element element;  /* kind 0: not read by posenc */
	uint64_t field;
} types[] = {
	{ .name = "undefined" }, { "float", { 'f', 4, false }, FLOATS },
	{ "uint8", { 'u', 1, false }, INT32S },
	{ "int8", { 'i', 1, false }, INT32S },
	{ "uint16", { 'u', 2, false }, INT32S },
	{ "int16", { 'i', 2, false }, INT32S },
	{ "int32", { 'i', 4, false }, INT32S },
	{ "int64", { 'i', 8, false }, INT64S }, { .name = "string" },
	{ "bool", { 'b', 1, false }, INT32S },
	{ "float16", { 'f', 2, false }, INT32S },
	{ "double", { 'f', 8, false }, DOUBLES },
	{ "uint32", { 'u', 4, false }, UINT64S },
	{ "uint64", { 'u', 8, false }, UINT64S },
	{ .name = "complex64" }, { .name = "complex128" },
	{ "bfloat16", { 'B', 2, false }, INT32S },
	{ "float8e4m3fn", { '3', 1, false }, INT32S },
	{ .name = "float8e4m3fnuz" },
	{ "float8e5m2", { '2', 1, false }, INT32S },
	{ .name = "float8e5m2fnuz" },
	{ .name = "uint4" }, { .name = "int4" }, { .name = "float4e2m1" },
	{ "float8e8m0", { '0', 1, false }, INT32S },
};

enum { TYPES = sizeof types / sizeof *types };

/* What the fields of a tensor say; unchecked until find_values(). */
struct tensor_fields {
	struct tensor tensor;
	struct field name, data;
	struct field location, offset, length;   /* of external data */
	uint64_t type;
	bool external;
	size_t count;          /* of values */
};

static bool add_dimension(const struct field_reader *r, struct tensor_fields *c,
			  uint64_t n)
{
	struct tensor *t = &c->tensor;

	if (n > INT64_MAX || __builtin_mul_overflow(c->count, n, &c->count))
		return field_fail(r, n > INT64_MAX
				     ? "a negative dimension"
				     : "a shape larger than any file");
	if (t->rank < RANK_MOST)
		t->shape[t->rank] = (size_t)n;
	t->rank++;
	return true;
}

/* Dimensions, each a field by itself or packed. */
static bool read_dimensions(struct field_reader *r, struct tensor_fields *c,
			    const struct field *f)
{
	uint64_t n;

	if (f->wire == VARINT)
		return add_dimension(r, c, f->value);
	while (field_position(r) < f->end)
		if (!field_varint(r, f->end, &n) || !add_dimension(r, c, n))
			return false;
	return true;
}

/* An entry of external_data, a pair of texts. Unknown keys are passed over. */
static void read_entry(struct field_reader *r, struct tensor_fields *c,
		       const struct field *entry)
{
	struct field f = field_inside(entry), value = { 0 }, *which = NULL;

	while (field_next(r, &f, entry->end))
		if (field_is(&f, ENTRY_VALUE))
			value = f;
		else if (field_is(&f, ENTRY_KEY))
			which = field_text_is(r, &f, "location")
					? &c->location
				: field_text_is(r, &f, "offset") ? &c->offset
				: field_text_is(r, &f, "length") ? &c->length
				: NULL;
	if (which)
		*which = value;
}

static bool is_data(const struct field *f)
{
	return f->number == FLOATS || f->number == INT32S ||
	       f->number == INT64S || f->number == RAW ||
	       f->number == DOUBLES || f->number == UINT64S;
}

static bool read_field(struct field_reader *r, struct tensor_fields *c,
		       const struct field *f)
{
	if (f->number == TENSOR_DIMS)
		return read_dimensions(r, c, f);
	if (f->number == TENSOR_TYPE)
		c->type = f->value;
	else if (f->number == TENSOR_PLACE)
		c->external = f->value;
	else if (field_is(f, TENSOR_NAME))
		c->name = *f;
	else if (field_is(f, TENSOR_EXTERNAL))
		read_entry(r, c, f);
	else if (is_data(f) && c->data.number)
		return field_fail(r, "values of a tensor in several fields");
	else if (is_data(f))
		c->data = *f;
	return !r->err->text[0];
}

/* An integer in decimal digits; without its field, x remains. */
static bool decimal(struct field_reader *r, const struct field *f, size_t *x)
{
	const char *s;
	size_t n;

	if (!f->number)
		return true;
	s = field_text(r, f, &n);
	*x = 0;
	for (size_t i = 0; s && i < n; i++) {
		*x = *x * 10 + (size_t)(s[i] - '0');
		if (s[i] < '0' || s[i] > '9' || *x >> 53)
			return field_fail(r, "offset and length of external "
					     "data must be integers from 0 to "
					     "2^53 - 1");
	}
	return s;
}

/* The place of values in another file, of which bytes are used. */
static bool find_external(struct field_reader *r, struct tensor_fields *c,
			  size_t bytes, struct table *owner)
{
	struct tensor *t = &c->tensor;
	size_t n, length = bytes;
	const char *name;

	if (!decimal(r, &c->offset, &t->begin) ||
	    !decimal(r, &c->length, &length))
		return false;
	name = field_text(r, &c->location, &n);
	if (name && (!n || name[0] == '.' || memchr(name, '/', n) ||
		     memchr(name, '\0', n)))
		return fail_file(r->err, r->in->path, "external data must be "
				 "in a file beside the model, got '%.*s'",
				 name_width(n), name);
	t->file = name ? path_beside(r->in, name, n, owner, r->err) : NULL;
	t->end = t->begin + length;
	if (t->file && path_is_open(t->file, r->in->fd))
		return fail_file(r->err, r->in->path, "external data must be "
				 "in another file than the model, got '%.*s'",
				 name_width(n), name);
	return t->file;
}

/* Find the values of a tensor, and check that they are as many as its shape. */
static bool find_values(struct field_reader *r, struct tensor_fields *c,
			struct table *owner)
{
	struct tensor *t = &c->tensor;
	const uint64_t field = c->data.number;
	size_t bytes, found;

	if (__builtin_mul_overflow(c->count, t->element.size, &bytes))
		return field_fail(r, "a shape larger than any file");
	if (c->external) {
		if (!find_external(r, c, bytes, owner))
			return false;
	} else if (field == RAW || field == types[c->type].field) {
		t->begin = c->data.begin;
		t->end = c->data.end;
		t->varints = field != RAW && field != FLOATS &&
			     field != DOUBLES;
	}
	found = t->end - t->begin;
	if (t->varints ? found >= c->count : found == bytes)
		return true;
	if (t->file && access(t->file, F_OK) != 0)
		return fail_file(r->err, r->in->path, "tensor '%.*s': its "
				 "external data, %.200s: %s", tensor_width(t),
				 t->name, t->file, strerror(errno));
	return fail_file(r->err, r->in->path, "tensor '%.*s': its shape takes "
			 "%zu bytes, its values have %zu",
			 tensor_width(t), t->name,
			 t->varints ? c->count : bytes, found);
}

static void set_type(struct tensor_fields *c)
{
	struct tensor *t = &c->tensor;

	if (c->type < TYPES) {
		snprintf(t->dtype, sizeof t->dtype, "%s", types[c->type].name);
		t->element = types[c->type].element;
	} else {
		snprintf(t->dtype, sizeof t->dtype, "type %u",
			 (unsigned)c->type);
	}
}

/* Read a tensor and list it, under the name of output if that is given. */
static bool read_tensor(struct field_reader *r, struct tensors *all,
			const struct field *message,
			const struct field *output)
{
	struct field f = field_inside(message);
	struct tensor_fields c = { .count = 1 };
	struct tensor *t;
	const char *name;
	size_t n;
	bool good;

	while (field_next(r, &f, message->end))
		if (!read_field(r, &c, &f))
			return false;
	name = r->err->text[0] ? NULL
	       : field_text(r, output ? output : &c.name, &n);
	t = name ? tensors_add(all, name, n, r->err) : NULL;
	if (!t)
		return false;
	c.tensor.name = t->name;
	c.tensor.length = t->length;
	set_type(&c);
	good = !c.tensor.element.kind || find_values(r, &c, all->owner);
	*t = c.tensor;
	return good;
}

/* A sparse tensor is listed by the name of its values, and not read. */
static bool read_sparse(struct field_reader *r, struct tensors *all,
			const struct field *message)
{
	struct field f = field_inside(message);

	while (field_next(r, &f, message->end))
		if (field_is(&f, SPARSE_VALUES)) {
			struct tensor *t;

			if (!read_tensor(r, all, &f, NULL))
				return false;
			t = &all->at[all->n - 1];
			snprintf(t->dtype, sizeof t->dtype, "sparse");
			t->element.kind = 0;
		}
	return !r->err->text[0];
}

/* A node "Constant" has a tensor, named as its output. */
static bool read_node(struct field_reader *r, struct tensors *all,
		      const struct field *message)
{
	struct field f = field_inside(message);
	struct field output = { 0 }, attribute = { 0 };
	bool constant = false;

	while (field_next(r, &f, message->end))
		if (field_is(&f, NODE_OUTPUT))
			output = f;
		else if (field_is(&f, NODE_OPERATOR))
			constant = field_text_is(r, &f, "Constant");
		else if (field_is(&f, NODE_ATTRIBUTE))
			attribute = f;
	f = field_inside(&attribute);
	while (constant && field_next(r, &f, attribute.end))
		if (field_is(&f, ATTRIBUTE_TENSOR) &&
		    !read_tensor(r, all, &f, &output))
			return false;
	return !r->err->text[0];
}

static bool read_graph(struct field_reader *r, struct tensors *all,
		       const struct field *message)
{
	struct field f = field_inside(message);
	bool good = true;

	while (good && field_next(r, &f, message->end))
		if (field_is(&f, GRAPH_INITIALIZER))
			good = read_tensor(r, all, &f, NULL);
		else if (field_is(&f, GRAPH_SPARSE))
			good = read_sparse(r, all, &f);
		else if (field_is(&f, GRAPH_NODE))
			good = read_node(r, all, &f);
	return !r->err->text[0];
}

static bool onnx_list(struct tensors *all, struct input_file *in,
		      struct error *err)
{
	struct field_reader r = { .in = in, .err = err };
	struct field f = { .end = in->at };

	if (!in_random(in, err))
		return false;
	while (field_next(&r, &f, in->size))
		if (field_is(&f, MODEL_GRAPH) && !read_graph(&r, all, &f))
			return false;
	return !err->text[0] && tensors_check_names(all, in, err);
}

/* Values that varints give, as bytes of their element. */
struct stream {
	struct source source;
	struct field_reader r;
	const struct tensor *t;
	size_t left;           /* values of its shape that are still to come */
};

/* Whether x is a value, or the bits of one, of element e. */
static bool fits(struct element e, int64_t x)
{
	const unsigned bits = 8 * (unsigned)e.size - (e.kind == 'i');
	const int64_t high = e.size == 8 ? 0 : x >> bits;

	return high == 0 || (high == -1 && e.kind == 'i');
}

/* Append the bytes of a value. */
static bool add_value(struct stream *s, unsigned char *to)
{
	const struct element e = s->t->element;
	uint64_t x;

	if (!field_varint(&s->r, s->t->end, &x))
		return false;
	if (!fits(e, (int64_t)x))
		return fail_file(s->r.err, s->r.in->path, "byte %zu: %lld is "
				 "out of range for %s", field_position(&s->r),
				 (long long)x, s->t->dtype);
	for (size_t i = 0; i < e.size; i++)
		to[i] = (unsigned char)(x >> 8 * i);
	return true;
}

/* Give bytes of values, until there are as many as the shape has. */
static ssize_t read_values(struct source *source, unsigned char *to, size_t n,
			   struct error *err)
{
	struct stream *s = (struct stream *)source;
	const size_t end = s->t->end;
	size_t used = 0;

	for (; used < n && s->left && field_position(&s->r) < end; s->left--) {
		if (!add_value(s, to + used))
			return -1;
		used += s->t->element.size;
	}
	if (s->left ? used == n : field_position(&s->r) == end)
		return (ssize_t)used;
	fail_file(err, s->r.in->path, "tensor '%.*s': %s values than its shape "
		  "has", tensor_width(s->t), s->t->name,
		  s->left ? "fewer" : "more");
	return -1;
}

static bool read_varints(struct input_file *in, const struct tensor *one,
			 struct table *t, struct error *err)
{
	struct stream s = {
		.source.read = read_values, .r = { in, 0, err }, .t = one,
		.left = 1,
	};
	struct tensor from_start = *one;
	struct input_file values;
	bool good;

	for (size_t i = 0; i < one->rank && i < RANK_MOST; i++)
		s.left *= one->shape[i];
	from_start.begin = 0;
	in_source(&values, in->path, &s.source);
	good = field_seek(&s.r, one->begin) &&
	       tensor_read(&values, &from_start, t, err);
	in_close(&values);
	return good;
}

static bool read_one(struct input_file *in, const struct tensors *all,
		     const struct tensor *one, struct table *t,
		     struct error *err)
{
	(void)all;
	return one->varints ? read_varints(in, one, t, err)
			    : tensor_read(in, one, t, err);
}

static const struct container onnx = {
	.list = onnx_list,
	.read = read_one,
};

/*
 * The first fields, as all exporters write them: ir_version, a small number,
 * and the producer's name.
 */
static bool onnx_recognizes(const unsigned char *b, size_t n)
{
	enum { SEEN = 10 };
	bool name = n >= SEEN && b[0] == 8 && b[1] && b[1] < 32 &&
		    b[2] == 0x12 && b[3];

	for (size_t i = 4; name && i < SEEN && i < 4u + b[3]; i++)
		name = b[i] >= ' ' && b[i] < 0x7f;
	return name;
}

const struct format onnx_format = {
	.name = "onnx",
	.binary = true,
	.container = &onnx,
	.recognizes = onnx_recognizes,
	.read = container_read,
};
