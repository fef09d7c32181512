/*
 * pickle.c: the machine that reads pickles: its stack and memory, and what each
 * opcode does. false and NULL are errors.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "table/limit.h"
#include "containers/pickle.h"

enum {
	BLOCK = 1 << 16,
	OBJECTS_MOST = LIMIT(1 << 28, 1 << 18),  /* bytes of objects */
	ARRAY_MOST = LIMIT(1 << 22, 1 << 10),    /* objects on the stack, or
						    in the memo */
	PROTOCOL_MOST = 5,
	OPCODES_MOST = LIMIT(1 << 24, 1 << 11),  /* of all pickles of a file */
	TEXT_MOST = BLOCK,       /* longer ones are read past */
	NAME_MOST = 1000,        /* of a module, and of a class */
	NAMES_MOST = 2 * NAME_MOST,
};

static const char within[] = "a pickle";  /* where a file ends */

struct pickle_block {
	struct pickle_block *next;
	size_t used;
	max_align_t bytes[BLOCK / sizeof(max_align_t)];
};

/* Fail where the machine is. Returns false. */
static bool pickle_fail(const struct pickle *p, const char *why)
{
	return fail_file(p->err, p->in->path, "byte %zu: %s", p->in->at + p->at,
			 why);
}

/* Zeroed memory of size bytes, at most BLOCK, that p owns. */
static void *pickle_make(struct pickle *p, size_t size)
{
	struct pickle_block *b = p->blocks;
	const size_t align = sizeof *b->bytes;
	const size_t n = (size + align - 1) / align * align;

	if (!b || n > sizeof b->bytes - b->used) {
		if (p->made >= OBJECTS_MOST) {
			pickle_fail(p, "more than 256 MB of objects");
			return NULL;
		}
		b = calloc(1, sizeof *b);
		if (!b) {
			fail_memory(p->err);
			return NULL;
		}
		b->next = p->blocks;
		p->blocks = b;
		p->made += sizeof *b;
	}
	b->used += n;
	return (unsigned char *)b->bytes + b->used - n;
}

/* The next n bytes, valid until the next call. */
static const unsigned char *pickle_take(struct pickle *p, size_t n)
{
	return in_take(p->in, &p->at, n, within, p->err);
}

/* Skip n bytes, which the file must have. */
static bool pickle_skip(struct pickle *p, uint64_t n)
{
	return in_pass(p->in, &p->at, (size_t)n, within, p->err);
}

/* Make room for more elements of the stack or the memo. */
static struct object **pickle_grow(struct pickle *p, struct object **array,
			    size_t *room)
{
	const size_t more = *room ? 2 * *room : 256;
	struct object **larger;

	if (more > ARRAY_MOST) {
		pickle_fail(p, "more than 4194304 objects at once");
		return NULL;
	}
	larger = realloc(array, more * sizeof *larger);
	if (!larger) {
		fail_memory(p->err);
		return NULL;
	}
	*room = more;
	return larger;
}

/* Push an object, or a mark, NULL. */
static bool pickle_push(struct pickle *p, struct object *o)
{
	if (p->depth == p->room) {
		struct object **more = pickle_grow(p, p->stack, &p->room);

		if (!more)
			return false;
		p->stack = more;
	}
	p->stack[p->depth++] = o;
	return true;
}

/* Push a new object. */
static struct object *pickle_new(struct pickle *p, enum object_kind kind)
{
	struct object *o = pickle_make(p, sizeof *o);

	if (!o || !pickle_push(p, o))
		return NULL;
	o->kind = kind;
	return o;
}

/* The object on top of the stack, and the same taken from it. */
static struct object *pickle_top(const struct pickle *p)
{
	struct object *o = p->depth ? p->stack[p->depth - 1] : NULL;

	if (!o)
		pickle_fail(p, "takes an object from an empty stack");
	return o;
}

static struct object *pickle_pop(struct pickle *p)
{
	struct object *o = pickle_top(p);

	if (o)
		p->depth--;
	return o;
}

/* Whether n objects are on top of the stack, above all marks. */
static bool pickle_has(const struct pickle *p, size_t n)
{
	size_t i = 0;

	while (i < n && i < p->depth && p->stack[p->depth - 1 - i])
		i++;
	if (i == n)
		return true;
	return pickle_fail(p, "takes an object from an empty stack");
}

/* Whether the stack has a mark; *mark becomes the index of the last one. */
static bool pickle_mark(const struct pickle *p, size_t *mark)
{
	size_t i = p->depth;

	while (i > 0 && p->stack[i - 1])
		i--;
	if (!i)
		return pickle_fail(p, "no mark on the stack");
	*mark = i - 1;
	return true;
}

/* Append an item to o. */
static bool pickle_add(struct pickle *p, struct object *o,
		       const struct object *value)
{
	struct item *item = pickle_make(p, sizeof *item);

	if (!item)
		return false;
	item->object = value;
	if (o->last)
		o->last->next = item;
	else
		o->first = item;
	o->last = item;
	o->n++;
	return true;
}

/* Move the objects of the stack from an index on to the items of o. */
static bool pickle_move(struct pickle *p, struct object *o, size_t from)
{
	bool good = true;

	for (size_t i = from; good && i < p->depth; i++)
		good = pickle_add(p, o, p->stack[i]);
	p->depth = from;
	return good;
}

/*
 * What opcodes do. Each is called with the number that follows it, or with that
 * of its row in the table.
 */

static bool op_protocol(struct pickle *p, uint64_t n)
{
	if (n > PROTOCOL_MOST)
		return pickle_fail(p, "a protocol above 5");
	return true;
}

static bool op_frame(struct pickle *p, uint64_t n)
{
	if (n > in_left(p->in) - p->at)
		return pickle_fail(p, "a frame ends beyond the file");
	return true;
}

/* A new object without a value, or a container without items. */
static bool op_new(struct pickle *p, uint64_t kind)
{
	struct object *o = pickle_new(p, (enum object_kind)kind);

	if (o)
		o->pairs = kind == OBJECT_DICT;
	return o;
}

static bool op_bool(struct pickle *p, uint64_t n)
{
	struct object *o = pickle_new(p, OBJECT_BOOL);

	if (o)
		o->integer = n != 0;
	return o;
}

static bool op_integer(struct pickle *p, uint64_t n)
{
	struct object *o = pickle_new(p, OBJECT_INTEGER);

	if (o)
		o->integer = (int64_t)n;
	return o;
}

static bool op_signed(struct pickle *p, uint64_t n)
{
	return op_integer(p, (uint64_t)(int32_t)(uint32_t)n);
}

static bool op_bytes(struct pickle *p, uint64_t n)
{
	return pickle_skip(p, n) && pickle_new(p, OBJECT_OTHER);
}

/* Push a text of n bytes; a long one is read past. */
static bool push_text(struct pickle *p, enum object_kind kind, uint64_t n)
{
	const unsigned char *bytes;
	struct object *o;
	char *copy;

	if (n >= TEXT_MOST)
		return op_bytes(p, n);
	copy = pickle_make(p, (size_t)n + 1);
	bytes = copy ? pickle_take(p, (size_t)n) : NULL;
	o = bytes ? pickle_new(p, kind) : NULL;
	if (!o)
		return false;
	memcpy(copy, bytes, (size_t)n);
	o->text = copy;
	o->length = (size_t)n;
	return true;
}

static bool op_text(struct pickle *p, uint64_t n)
{
	return push_text(p, OBJECT_TEXT, n);
}

static bool op_float(struct pickle *p, uint64_t n)
{
	(void)n;
	return pickle_new(p, OBJECT_OTHER);
}

/* An integer of n bytes, least first, in two's complement. */
static bool op_long(struct pickle *p, uint64_t n)
{
	const unsigned char *bytes;
	uint64_t x = 0;

	if (n > sizeof x)
		return push_text(p, OBJECT_LONG, n);
	bytes = pickle_take(p, (size_t)n);
	if (!bytes)
		return false;
	x = little_endian(bytes, (size_t)n);
	if (n && n < sizeof x && bytes[n - 1] >> 7)
		x |= UINT64_MAX << 8 * n;
	return op_integer(p, x);
}

static bool op_mark(struct pickle *p, uint64_t n)
{
	(void)n;
	return pickle_push(p, NULL);
}

static bool op_pop(struct pickle *p, uint64_t n)
{
	(void)n;
	if (!p->depth)
		return pickle_top(p);
	p->depth--;
	return true;
}

static bool op_pop_mark(struct pickle *p, uint64_t n)
{
	(void)n;
	return pickle_mark(p, &p->depth);
}

static bool op_again(struct pickle *p, uint64_t n)
{
	struct object *o = pickle_top(p);

	(void)n;
	return o && pickle_push(p, o);
}

/* Replace the n objects on top by a tuple of them. */
static bool op_tuple(struct pickle *p, uint64_t n)
{
	struct object *o = pickle_has(p, n) ? pickle_make(p, sizeof *o) : NULL;

	if (!o || !pickle_move(p, o, p->depth - (size_t)n))
		return false;
	o->kind = OBJECT_TUPLE;
	return pickle_push(p, o);
}

/* Replace the objects from the mark on by a tuple or a set of them. */
static bool op_gather(struct pickle *p, uint64_t kind)
{
	struct object *o;
	size_t mark = 0;

	o = pickle_mark(p, &mark) ? pickle_make(p, sizeof *o) : NULL;
	if (!o || !pickle_move(p, o, mark + 1))
		return false;
	o->kind = (enum object_kind)kind;
	p->stack[mark] = o;
	return true;
}

/*
 * Add the objects of the stack from an index on to o; NULL: there is none. A
 * call that gets no items keeps those of its arguments.
 */
static bool add_items(struct pickle *p, struct object *o, size_t from,
		      bool pairs)
{
	const size_t n = p->depth - from;
	const bool made = o && (o->kind == OBJECT_CALL ||
				o->kind == OBJECT_INSTANCE);

	if (made && !n)
		return true;
	if (made && !o->n)
		o->pairs = pairs;
	if (!o || !(made || o->kind == (pairs ? OBJECT_DICT : OBJECT_LIST)) ||
	    o->pairs != pairs)
		return pickle_fail(p, pairs
				   ? "sets an item of an object that is not a "
				     "dict"
				   : "adds an item to an object that is not a "
				     "list");
	if (pairs && n % 2)
		return pickle_fail(p, "a key without a value");
	return pickle_move(p, o, from);
}

static bool op_item(struct pickle *p, uint64_t n)
{
	const size_t from = p->depth - (size_t)n;

	return pickle_has(p, n + 1) &&
	       add_items(p, p->stack[from - 1], from, n == 2);
}

static bool op_items(struct pickle *p, uint64_t pairs)
{
	size_t mark = 0;

	if (!pickle_mark(p, &mark) ||
	    !add_items(p, mark ? p->stack[mark - 1] : NULL, mark + 1, pairs))
		return false;
	p->depth = mark;
	return true;
}

/* Note the object on top as number n of the memo: numbers begin at 0. */
static bool op_put(struct pickle *p, uint64_t n)
{
	struct object *o = pickle_top(p);

	if (!o)
		return false;
	if (n > p->read)
		return pickle_fail(p, "a memo number above that of opcodes");
	while (n >= p->memo_room) {
		const size_t room = p->memo_room;
		struct object **more = pickle_grow(p, p->memo, &p->memo_room);

		if (!more)
			return false;
		p->memo = more;
		memset(more + room, 0, (p->memo_room - room) * sizeof(void *));
	}
	p->memos += !p->memo[n];
	p->memo[n] = o;
	return true;
}

static bool op_memoize(struct pickle *p, uint64_t n)
{
	(void)n;
	return op_put(p, p->memos);
}

static bool op_get(struct pickle *p, uint64_t n)
{
	if (n >= p->memo_room || !p->memo[n])
		return pickle_fail(p, "gets a memo entry that does not exist");
	return pickle_push(p, p->memo[n]);
}

/* Push the name of module [m] and class or function [n]. */
static bool push_name(struct pickle *p, const char *module, size_t m,
		      const char *name, size_t n)
{
	struct object *o;
	char *text;

	if (m > NAME_MOST || n > NAME_MOST)
		return pickle_fail(p, "a name of more than 1000 bytes");
	text = pickle_make(p, m + n + 2);
	o = text ? pickle_new(p, OBJECT_NAME) : NULL;
	if (!o)
		return false;
	memcpy(text, module, m);
	text[m] = ' ';
	memcpy(text + m + 1, name, n);
	o->text = text;
	o->length = m + 1 + n;
	return true;
}

/* The newline that ends a line, at most NAME_MOST bytes on; NULL: none. */
static const char *line_end(const char *line, const char *stop)
{
	const size_t n = (size_t)(stop - line);

	return memchr(line, '\n', n < NAME_MOST ? n : NAME_MOST);
}

/* GLOBAL: two lines, the module and the name. */
static bool op_name(struct pickle *p, uint64_t unused)
{
	struct input_file *in = p->in;
	const char *module, *name, *stop, *end;

	(void)unused;
	if (!in_reach(in, &p->at, NAMES_MOST, p->err))
		return false;
	module = (const char *)in->bytes + p->at;
	stop = (const char *)in->bytes + in->n;
	name = line_end(module, stop);
	end = name ? line_end(name + 1, stop) : NULL;
	if (!end)
		return pickle_fail(p, "a name does not end");
	if (!push_name(p, module, (size_t)(name - module), name + 1,
		       (size_t)(end - name - 1)))
		return false;
	p->at += (size_t)(end + 1 - module);
	return true;
}

static bool op_stack_name(struct pickle *p, uint64_t unused)
{
	const struct object *module, *name;

	(void)unused;
	name = pickle_pop(p);
	module = name ? pickle_pop(p) : NULL;
	if (!module)
		return false;
	if (module->kind != OBJECT_TEXT || name->kind != OBJECT_TEXT)
		return pickle_fail(p, "a name that is not a string");
	return push_name(p, module->text, module->length, name->text,
			 name->length);
}

/* Whether a call of a name is expected. */
static bool may_call(const struct pickle *p, const struct object *name)
{
	char text[OBJECT_NAME_TEXT];

	for (const char *const *call = p->calls; *call; call++)
		if (object_is(name, OBJECT_NAME, *call))
			return true;
	return fail_file(p->err, p->in->path, "byte %zu: a call of %s, which "
			 "could run anything and is not made; save the tensors "
			 "alone: torch.save(model.state_dict(), FILE)",
			 p->in->at + p->at, object_name(name, text));
}

/* Push a call of a name, or an instance of a class. */
static bool push_call(struct pickle *p, enum object_kind kind,
		      const struct object *callee, const struct object *args)
{
	struct object *o;

	if (callee->kind != OBJECT_NAME)
		return pickle_fail(p, "a call of an object that is not a name");
	if (args->kind != OBJECT_TUPLE)
		return pickle_fail(p, "a call whose arguments are not a tuple");
	if (kind == OBJECT_CALL && !may_call(p, callee))
		return false;
	o = pickle_new(p, kind);
	if (!o)
		return false;
	o->callee = callee;
	o->args = args;
	if (kind == OBJECT_INSTANCE && !p->instance)
		p->instance = o;
	return true;
}

/* REDUCE and NEWOBJ */
static bool op_call(struct pickle *p, uint64_t kind)
{
	const struct object *args = pickle_pop(p);
	const struct object *callee = args ? pickle_pop(p) : NULL;

	return callee && push_call(p, (enum object_kind)kind, callee, args);
}

/* NEWOBJ_EX: also arguments with names, which are not kept. */
static bool op_instance(struct pickle *p, uint64_t unused)
{
	(void)unused;
	return pickle_pop(p) && op_call(p, OBJECT_INSTANCE);
}

/* BUILD: a state, which is not kept. */
static bool op_build(struct pickle *p, uint64_t unused)
{
	struct object *o = pickle_pop(p) ? pickle_top(p) : NULL;

	(void)unused;
	if (!o)
		return false;
	o->built = o->kind == OBJECT_CALL || o->kind == OBJECT_INSTANCE;
	if (!o->built)
		return pickle_fail(p, "sets the state of an object that has "
				      "none");
	return true;
}

static bool op_persistent(struct pickle *p, uint64_t unused)
{
	const struct object *id = pickle_pop(p);
	struct object *o = id ? pickle_new(p, OBJECT_PERSISTENT) : NULL;

	(void)unused;
	if (!o)
		return false;
	o->args = id;
	return pickle_add(p, &p->persistent, o);
}

/* Opcodes; run NULL: not read by posenc, or none. */
static const struct opcode {
	bool (*run)(struct pickle *p, uint64_t n);
	size_t size;           /* bytes of the number that follows, or 0: */
	uint64_t n;            /* the number */
} opcodes[256] = {
	['('] = { op_mark, 0, 0 }, ['0'] = { op_pop, 0, 0 },
	['1'] = { op_pop_mark, 0, 0 }, ['2'] = { op_again, 0, 0 },
	['B'] = { op_bytes, 4, 0 }, ['C'] = { op_bytes, 1, 0 },
	['G'] = { op_float, 8, 0 }, ['J'] = { op_signed, 4, 0 },
	['K'] = { op_integer, 1, 0 }, ['M'] = { op_integer, 2, 0 },
	['N'] = { op_new, 0, OBJECT_OTHER },
	['Q'] = { op_persistent, 0, 0 }, ['R'] = { op_call, 0, OBJECT_CALL },
	['T'] = { op_text, 4, 0 }, ['U'] = { op_text, 1, 0 },
	['X'] = { op_text, 4, 0 }, [']'] = { op_new, 0, OBJECT_LIST },
	['a'] = { op_item, 0, 1 }, ['b'] = { op_build, 0, 0 },
	['c'] = { op_name, 0, 0 }, ['e'] = { op_items, 0, false },
	['h'] = { op_get, 1, 0 }, ['j'] = { op_get, 4, 0 },
	['q'] = { op_put, 1, 0 }, ['r'] = { op_put, 4, 0 },
	['s'] = { op_item, 0, 2 }, ['t'] = { op_gather, 0, OBJECT_TUPLE },
	['u'] = { op_items, 0, true }, [')'] = { op_new, 0, OBJECT_TUPLE },
	['}'] = { op_new, 0, OBJECT_DICT },
	[0x80] = { op_protocol, 1, 0 },
	[0x81] = { op_call, 0, OBJECT_INSTANCE },
	[0x85] = { op_tuple, 0, 1 }, [0x86] = { op_tuple, 0, 2 },
	[0x87] = { op_tuple, 0, 3 }, [0x88] = { op_bool, 0, true },
	[0x89] = { op_bool, 0, false }, [0x8a] = { op_long, 1, 0 },
	[0x8b] = { op_long, 4, 0 }, [0x8c] = { op_text, 1, 0 },
	[0x8d] = { op_text, 8, 0 }, [0x8e] = { op_bytes, 8, 0 },
	[0x8f] = { op_new, 0, OBJECT_LIST }, [0x90] = { op_items, 0, false },
	[0x91] = { op_gather, 0, OBJECT_LIST },
	[0x92] = { op_instance, 0, 0 }, [0x93] = { op_stack_name, 0, 0 },
	[0x94] = { op_memoize, 0, 0 }, [0x95] = { op_frame, 8, 0 },
	[0x96] = { op_bytes, 8, 0 },
};

enum { STOP = '.' };

/* Read the next opcode and do what it says; *code becomes it. */
static bool step(struct pickle *p, unsigned char *code)
{
	const unsigned char *bytes = pickle_take(p, 1);
	const struct opcode *op;
	uint64_t n;

	if (!bytes)
		return false;
	*code = *bytes;
	op = &opcodes[*code];
	if (*code == STOP)
		return true;
	if (!op->run)
		return fail_file(p->err, p->in->path, "byte %zu: posenc "
				 "does not read opcode 0x%02x of a pickle",
				 p->in->at + p->at - 1, *code);
	if (p->read++ == OPCODES_MOST)
		return pickle_fail(p, "more than 16777216 opcodes");
	bytes = pickle_take(p, op->size);
	if (!bytes)
		return false;
	n = op->size ? little_endian(bytes, op->size) : op->n;
	return op->run(p, n);
}

const struct object *pickle_read(struct pickle *p)
{
	const struct object *o;
	unsigned char code = 0;

	p->depth = p->memos = 0;
	if (p->memo)
		memset(p->memo, 0, p->memo_room * sizeof(void *));
	while (code != STOP)
		if (!step(p, &code))
			return NULL;
	o = pickle_pop(p);
	in_drop(p->in, p->at);
	p->at = 0;
	return o;
}

void pickle_end(struct pickle *p)
{
	while (p->blocks) {
		struct pickle_block *next = p->blocks->next;

		free(p->blocks);
		p->blocks = next;
	}
	free(p->stack);
	free(p->memo);
}

bool object_is(const struct object *o, enum object_kind kind, const char *text)
{
	return o->kind == kind && strlen(text) == o->length &&
	       memcmp(o->text, text, o->length) == 0;
}

bool object_calls(const struct object *o, const char *name)
{
	return o->kind == OBJECT_CALL &&
	       object_is(o->callee, OBJECT_NAME, name);
}

const struct object *object_item(const struct object *o, size_t i)
{
	const struct item *item = o->first;

	while (item && i-- > 0)
		item = item->next;
	return item ? item->object : NULL;
}

const char *object_name(const struct object *o, char text[OBJECT_NAME_TEXT])
{
	snprintf(text, OBJECT_NAME_TEXT, "%s", o->text);
	for (char *c = text; *c; c++)
		if (*c == ' ')
			*c = '.';
	return text;
}
