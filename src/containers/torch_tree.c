/* torch_tree.c: the tensors in the objects of a pickle, and their names. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "table/limit.h"
#include "containers/torch.h"

enum {
	DEPTH_MOST = 100,      /* of dicts in dicts */
	PATH_MOST = 1024,      /* bytes of a name */
	STEPS_MOST = LIMIT(1 << 22, 1 << 12),  /* through items, which objects
						  may share */
	STEPS_TENSOR = 16,     /* that a tensor counts for */
};

/* Classes of storages; those without a class have a dtype of their own. */
static const struct {
	const char *storage, *dtype;
	struct element element;  /* kind 0: not read by posenc */
} dtypes[] = {
	{ "torch FloatStorage", "float32", { 'f', 4, false } },
	{ "torch DoubleStorage", "float64", { 'f', 8, false } },
	{ "torch HalfStorage", "float16", { 'f', 2, false } },
	{ "torch BFloat16Storage", "bfloat16", { 'B', 2, false } },
	{ "torch LongStorage", "int64", { 'i', 8, false } },
	{ "torch IntStorage", "int32", { 'i', 4, false } },
	{ "torch ShortStorage", "int16", { 'i', 2, false } },
	{ "torch CharStorage", "int8", { 'i', 1, false } },
	{ "torch ByteStorage", "uint8", { 'u', 1, false } },
	{ "torch.storage UntypedStorage", "uint8", { 'u', 1, false } },
	{ "torch BoolStorage", "bool", { 'b', 1, false } },
	{ "torch ComplexFloatStorage", "complex64", { 0, 8, false } },
	{ "torch ComplexDoubleStorage", "complex128", { 0, 16, false } },
	{ "torch QInt8Storage", "qint8", { 0, 1, false } },
	{ "torch QUInt8Storage", "quint8", { 0, 1, false } },
	{ "torch QInt32Storage", "qint32", { 0, 4, false } },
	{ "torch QUInt4x2Storage", "quint4x2", { 0, 1, false } },
	{ "torch QUInt2x4Storage", "quint2x4", { 0, 1, false } },
	{ NULL, "uint16", { 'u', 2, false } },
	{ NULL, "uint32", { 'u', 4, false } },
	{ NULL, "uint64", { 'u', 8, false } },
	{ NULL, "float8_e4m3fn", { '3', 1, false } },
	{ NULL, "float8_e5m2", { '2', 1, false } },
	{ NULL, "float8_e8m0fnu", { '0', 1, false } },
};

enum { DTYPES_TORCH = sizeof dtypes / sizeof *dtypes };

static const char ordered_dict[] = "collections OrderedDict";
static const char from_type[] = "torch._tensor _rebuild_from_type_v2";
static const char version_3[] = "torch._utils _rebuild_tensor_v3";

/* Calls whose first argument is the tensor that they stand for. */
static const char *const wrappers[] = {
	"torch._utils _rebuild_parameter",
	"torch._utils _rebuild_parameter_with_state",
};

enum { WRAPPERS = sizeof wrappers / sizeof *wrappers };

/* Calls that make tensors; those with a dtype are of none that is read. */
static const struct {
	const char *name, *dtype;
} makers[] = {
	{ "torch._utils _rebuild_tensor_v2", NULL },
	{ "torch._utils _rebuild_tensor", NULL },
	{ version_3, NULL },
	{ "torch._utils _rebuild_qtensor", "quantized" },
	{ "torch._utils _rebuild_sparse_tensor", "sparse" },
	{ "torch._utils _rebuild_sparse_csr_tensor", "sparse" },
	{ "torch._utils _rebuild_nested_tensor", "nested" },
	{ "torch._utils _rebuild_meta_tensor_no_storage", "meta" },
};

enum { MAKERS = sizeof makers / sizeof *makers };

const char *const torch_calls[] = {
	/* What is read here, the most frequent first */
	ordered_dict, "torch._utils _rebuild_tensor_v2",
	"torch._utils _rebuild_parameter",
	"torch._utils _rebuild_parameter_with_state",
	"torch._utils _rebuild_tensor", version_3, from_type,
	"torch._utils _rebuild_qtensor", "torch._utils _rebuild_sparse_tensor",
	"torch._utils _rebuild_sparse_csr_tensor",
	"torch._utils _rebuild_nested_tensor",
	"torch._utils _rebuild_meta_tensor_no_storage",
	"collections defaultdict",
	/* Values that training leaves beside the tensors: read past */
	"torch Size", "torch device", "torch.serialization _get_layout",
	"_codecs encode", "copy_reg _reconstructor", "copyreg _reconstructor",
	"numpy dtype", "numpy.core.multiarray scalar",
	"numpy.core.multiarray _reconstruct", "numpy.core.numeric _frombuffer",
	"numpy._core.multiarray scalar", "numpy._core.multiarray _reconstruct",
	"numpy._core.numeric _frombuffer",
	"numpy.random._pickle __randomstate_ctor",
	"numpy.random._pickle __generator_ctor",
	"numpy.random._pickle __bit_generator_ctor",
	"__builtin__ set", "__builtin__ frozenset", "__builtin__ slice",
	"__builtin__ xrange", "__builtin__ complex", "__builtin__ bytearray",
	"builtins set", "builtins frozenset", "builtins slice",
	"builtins range", "builtins complex", "builtins bytearray",
	"collections Counter", "collections deque", "argparse Namespace",
	"types SimpleNamespace", "datetime datetime", "datetime date",
	"datetime time", "datetime timedelta", "datetime timezone",
	"pathlib PosixPath", "pathlib WindowsPath", "pathlib PurePosixPath",
	"pathlib PureWindowsPath", "pathlib._local PosixPath",
	"pathlib._local WindowsPath", "decimal Decimal", "uuid UUID",
	"functools partial", "re _compile", NULL
};

/* The objects between the root and the one that is visited. */
struct level {
	const struct object *object;
	const struct item *next;  /* the item that comes next */
	size_t i;              /* its number */
	size_t length;         /* of the object's name */
};

struct tree {
	struct tensors *all;
	const struct torch_file *file;
	const struct input_file *in;
	struct error *err;
	struct level levels[DEPTH_MOST];
	size_t depth, steps;
	char path[PATH_MOST];  /* [length], the name of the visited object */
	size_t length;
};

/* Fail about the visited tensor. Returns false. */
static bool bad_tensor(const struct tree *w, const char *what)
{
	return fail_file(w->err, w->in->path, "tensor '%.*s': %s",
			 name_width(w->length), w->path, what);
}

static bool take_steps(struct tree *w, size_t n)
{
	w->steps += n;
	if (w->steps <= STEPS_MOST)
		return true;
	return fail_file(w->err, w->in->path, "more tensors and items than "
			 "posenc lists: 4194304, where those of shared "
			 "objects count each time");
}

/* An integer of at least 0. */
static bool is_size(const struct object *o, size_t *n)
{
	if (o->kind != OBJECT_INTEGER || o->integer < 0)
		return false;
	*n = (size_t)o->integer;
	return true;
}

/* The values before a storage that is part of another one, or 0. */
static bool part_offset(const struct object *part, size_t *offset)
{
	*offset = 0;
	return !part || part->kind == OBJECT_OTHER ||
	       (part->kind == OBJECT_TUPLE && part->n == 3 &&
		is_size(object_item(part, 1), offset));
}

bool torch_storage(const struct object *o, struct torch_storage *s,
		   const struct input_file *in, struct error *err)
{
	const struct object *id = o->args, *class, *key;
	char text[OBJECT_NAME_TEXT];

	class = id->kind == OBJECT_TUPLE ? object_item(id, 1) : NULL;
	key = class ? object_item(id, 2) : NULL;
	if (!key || key->kind != OBJECT_TEXT || class->kind != OBJECT_NAME ||
	    !object_is(object_item(id, 0), OBJECT_TEXT, "storage") ||
	    !part_offset(object_item(id, 5), &s->offset))
		return fail_file(err, in->path, "expected the persistent id "
				 "of a storage, got another one");
	s->key = key->text;
	s->length = key->length;
	for (size_t i = 0; i < DTYPES_TORCH; i++)
		if (dtypes[i].storage &&
		    object_is(class, OBJECT_NAME, dtypes[i].storage)) {
			s->dtype = dtypes[i].dtype;
			s->element = dtypes[i].element;
			return true;
		}
	return fail_file(err, in->path, "a storage of class %s, which posenc "
			 "does not know", object_name(class, text));
}

/* The dtype that a call names beside a storage without one: "torch uint16". */
static bool set_dtype(struct tree *w, const struct object *o,
		      struct torch_storage *s)
{
	static const char module[] = "torch ";
	const size_t n = sizeof module - 1;

	if (!o || o->kind != OBJECT_NAME || o->length <= n ||
	    memcmp(o->text, module, n) != 0)
		return bad_tensor(w, "expected a dtype of torch");
	s->dtype = o->text + n;
	s->element = (struct element){ 0 };
	for (size_t i = 0; i < DTYPES_TORCH; i++)
		if (strcmp(dtypes[i].dtype, s->dtype) == 0)
			s->element = dtypes[i].element;
	return true;
}

/* What sizes and strides say: how values lie in a storage. */
struct view {
	size_t offset;         /* of the first value, in values */
	size_t strides[RANK_MOST];
	size_t span;           /* values from the first to the last one */
	size_t count;          /* of its values, at most span */
};

/* Read sizes and strides. */
static bool set_shape(struct tree *w, struct tensor *t, struct view *v,
		      const struct object *sizes, const struct object *strides)
{
	const struct item *size = sizes->first, *stride = strides->first;
	size_t last = v->offset;
	bool empty = false;

	v->count = 1;
	for (; size && stride; size = size->next, stride = stride->next) {
		size_t n, step, far;

		if (!is_size(size->object, &n) ||
		    !is_size(stride->object, &step))
			return bad_tensor(w, "expected sizes and strides from "
					     "0 on");
		empty |= n == 0;
		if (n && (__builtin_mul_overflow(n - 1, step, &far) ||
			  __builtin_add_overflow(last, far, &last) ||
			  last > SIZE_MAX / 32))
			return bad_tensor(w, "it is larger than any file");
		if (__builtin_mul_overflow(v->count, n, &v->count))
			v->count = SIZE_MAX;
		if (t->rank < RANK_MOST) {
			t->shape[t->rank] = n;
			v->strides[t->rank] = step;
		}
		t->rank++;
	}
	if (size || stride)
		return bad_tensor(w, "expected as many strides as sizes");
	v->span = empty ? 0 : last + 1 - v->offset;
	/* Strides of 0 repeat values */
	v->count = v->count < v->span ? v->count : v->span;
	return true;
}

/* Whether values follow each other as they are. */
static bool is_dense(const struct tensor *t, const struct view *v)
{
	size_t step = 1;

	for (size_t i = t->rank; i > 0; step *= t->shape[--i])
		if (t->shape[i - 1] != 1 && v->strides[i - 1] != step)
			return false;
	return true;
}

/* Keep why the values of a tensor can't be read. */
static bool set_unread(struct tree *w, struct tensor *t, const char *format,
		       ...) __attribute__((format(printf, 3, 4)));

static bool set_unread(struct tree *w, struct tensor *t, const char *format,
		       ...)
{
	va_list list;

	va_start(list, format);
	t->unread = table_format(w->all->owner, w->err, format, list);
	va_end(list);
	return t->unread;
}

/* Find the values of a tensor in its storage. */
static bool find_values(struct tree *w, struct tensor *t, const struct view *v,
			const struct torch_storage *s)
{
	const struct torch_record *r = torch_find(w->file, s->key, s->length);
	const size_t size = t->element.size, values = v->offset + v->span;
	size_t *strides;

	if (!r)
		return set_unread(w, t, "its storage '%.*s' is missing",
				  name_width(s->length), s->key);
	if (v->span && r->bytes / size < values)
		return set_unread(w, t, "its values end at byte %zu of a "
				  "storage of %llu bytes", values * size,
				  (unsigned long long)r->bytes);
	if (w->file->archive)
		t->member = &r->member;
	t->begin = r->begin + (v->span ? v->offset * size : 0);
	t->end = t->begin + v->count * size;
	if (is_dense(t, v))
		return true;
	strides = table_alloc(w->all->owner, t->rank, sizeof *strides, w->err);
	if (!strides)
		return false;
	memcpy(strides, v->strides, t->rank * sizeof *strides);
	t->strides = strides;
	return true;
}

/* Whether metadata say that values count as negated or conjugated. */
static bool has_bits(const struct object *metadata)
{
	const struct item *i = metadata && metadata->kind == OBJECT_DICT
			       ? metadata->first : NULL;

	for (; i; i = i->next->next) {
		const struct object *value = i->next->object;

		if ((object_is(i->object, OBJECT_TEXT, "neg") ||
		     object_is(i->object, OBJECT_TEXT, "conj")) &&
		    !(value->kind == OBJECT_BOOL && !value->integer))
			return true;
	}
	return false;
}

/* Read the arguments of a call that makes a tensor. */
static bool set_view(struct tree *w, struct tensor *t,
		     const struct object *args, bool has_dtype)
{
	const struct object *storage = object_item(args, 0);
	const struct object *sizes = object_item(args, 2);
	const struct object *strides = object_item(args, 3);
	struct torch_storage s;
	struct view v = { 0 };

	if (!strides || storage->kind != OBJECT_PERSISTENT ||
	    sizes->kind != OBJECT_TUPLE || strides->kind != OBJECT_TUPLE ||
	    !is_size(object_item(args, 1), &v.offset))
		return bad_tensor(w, "expected a storage, an offset, sizes and "
				     "strides");
	if (!torch_storage(storage, &s, w->in, w->err) ||
	    (has_dtype && !set_dtype(w, object_item(args, 6), &s)))
		return false;
	/* Another dtype does not count in the values of a part */
	if (has_dtype && s.offset)
		return bad_tensor(w, "expected a whole storage beside a dtype");
	v.offset += s.offset;
	if (has_bits(object_item(args, has_dtype ? 7 : 6))) {
		s.dtype = "negated";
		s.element.kind = 0;
	}
	snprintf(t->dtype, sizeof t->dtype, "%s", s.dtype);
	if (!set_shape(w, t, &v, sizes, strides))
		return false;
	if (!s.element.kind)
		return true;
	t->element = s.element;
	t->element.big = w->file->big;
	return !t->rank || t->rank > RANK_MOST || find_values(w, t, &v, &s);
}

/* List a tensor that a call of maker makes. */
static bool add_tensor(struct tree *w, size_t maker, const struct object *args)
{
	struct tensor *t;

	if (!take_steps(w, STEPS_TENSOR))
		return false;
	t = tensors_add(w->all, w->path, w->length, w->err);
	if (!t)
		return false;
	if (!makers[maker].dtype)
		return set_view(w, t, args, makers[maker].name == version_3);
	snprintf(t->dtype, sizeof t->dtype, "%s", makers[maker].dtype);
	return true;
}

/* Whether arguments of from_type make a tensor or a parameter of torch. */
static bool is_from_type(const struct object *args)
{
	const struct object *class = object_item(args, 1);
	const struct object *more = object_item(args, 2);

	return more && more->kind == OBJECT_TUPLE &&
	       (object_is(class, OBJECT_NAME, "torch Tensor") ||
		object_is(class, OBJECT_NAME, "torch.nn.parameter Parameter"));
}

/* Whether an object has named items, and is none of those above it. */
static bool has_items(const struct tree *w, const struct object *o)
{
	for (size_t i = 0; i < w->depth; i++)
		if (w->levels[i].object == o)
			return false;
	return o->kind == OBJECT_DICT || o->kind == OBJECT_LIST ||
	       o->kind == OBJECT_TUPLE ||
	       ((o->pairs || !o->n) &&
		(object_calls(o, ordered_dict) ||
		 object_calls(o, "collections defaultdict")));
}

/*
 * The items of an object. Python 2 gives those of an ordered dict as its
 * argument, a list of pairs.
 */
static const struct item *items(const struct object *o)
{
	const struct object *list = o->kind == OBJECT_CALL && !o->n
				    ? object_item(o->args, 0) : NULL;

	return list && list->kind == OBJECT_LIST ? list->first : o->first;
}

/* Go on with the items of an object. */
static bool enter(struct tree *w, const struct object *o)
{
	if (w->depth == DEPTH_MOST)
		return fail_file(w->err, w->in->path, "lists and dicts nest "
				 "more than %d deep", DEPTH_MOST);
	w->levels[w->depth++] = (struct level){
		.object = o, .next = items(o), .length = w->length,
	};
	return true;
}

/* Visit an object: list a tensor, or go on with items. */
static bool visit(struct tree *w, const struct object *o)
{
	const struct object *maker, *args;

	for (size_t i = 0; i < WRAPPERS; i++)
		while (object_calls(o, wrappers[i]) && o->args->n) {
			o = object_item(o->args, 0);
			w->steps++;
		}
	if (has_items(w, o))
		return enter(w, o);
	if (o->kind != OBJECT_CALL || o->n || o->built)
		return true;
	maker = o->callee;
	args = o->args;
	if (object_is(maker, OBJECT_NAME, from_type) && is_from_type(args)) {
		maker = object_item(args, 0);
		args = object_item(args, 2);
	}
	for (size_t i = 0; i < MAKERS; i++)
		if (object_is(maker, OBJECT_NAME, makers[i].name))
			return add_tensor(w, i, args);
	return true;
}

enum { NUMBER = 24 };  /* bytes of an integer as text */

/* An integer as text [*n], at the end of a buffer. */
static const char *integer_text(int64_t x, char text[NUMBER], size_t *n)
{
	uint64_t left = x < 0 ? -(uint64_t)x : (uint64_t)x;
	char *at = text + NUMBER;

	do {
		*--at = (char)('0' + left % 10);
		left /= 10;
	} while (left);
	if (x < 0)
		*--at = '-';
	*n = (size_t)(text + NUMBER - at);
	return at;
}

/*
 * Append the name of an item to that of its object: a text, an integer or, if
 * key is NULL, the item's number. false: it has none.
 */
static bool set_path(struct tree *w, const struct level *level,
		     const struct object *key)
{
	char number[NUMBER];
	const char *text;
	size_t n;

	if (!key) {
		text = integer_text((int64_t)level->i, number, &n);
	} else if (key->kind == OBJECT_INTEGER) {
		text = integer_text(key->integer, number, &n);
	} else if (key->kind == OBJECT_TEXT) {
		text = key->text;
		n = key->length;
	} else {
		return false;
	}
	w->length = level->length;
	if (n + 1 > PATH_MOST - w->length)
		return false;
	if (w->depth > 1)
		w->path[w->length++] = '.';
	memcpy(w->path + w->length, text, n);
	w->length += n;
	return true;
}

/* Visit the next item of the object that was entered last. */
static bool visit_next(struct tree *w)
{
	struct level *level = &w->levels[w->depth - 1];
	const struct object *o = level->next->object, *key = NULL;

	level->next = level->next->next;
	if (level->object->pairs) {
		key = o;
		o = level->next->object;
		level->next = level->next->next;
	} else if (level->object->kind == OBJECT_CALL) {
		key = object_item(o, 0);
		o = object_item(o, 1);
	}
	if (!take_steps(w, 1))
		return false;
	return !o || !set_path(w, level, key) || visit(w, o);
}

bool torch_tree(struct tensors *all, const struct torch_file *file,
		const struct object *root, const struct input_file *in,
		struct error *err)
{
	struct tree w = { .all = all, .file = file, .in = in, .err = err };
	bool good = visit(&w, root);

	while (good && w.depth) {
		struct level *level = &w.levels[w.depth - 1];

		if (level->next) {
			good = visit_next(&w);
			level->i++;
		} else {
			w.depth--;
		}
	}
	return good;
}

bool torch_note(struct tensors *all, const struct pickle *p, struct error *err)
{
	char name[OBJECT_NAME_TEXT];

	return !p->instance ||
	       tensors_note(all, err, "it has an object of %s, which posenc "
			    "does not look into: save its state_dict()",
			    object_name(p->instance->callee, name));
}
