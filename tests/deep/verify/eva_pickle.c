/*
 * eva_pickle.c: for the same proof as eva_npy.c, does what an opcode of a
 * pickle says (TOKEN is 0; FIRST to LAST - 1) in a state of the machine, and
 * shows that such a state follows, so that no number of opcodes does harm; or
 * (1) gives memory, frees it and asks what objects are.
 *
 * In a state are up to PLACES objects above the last mark or the bottom of a
 * stack that is empty, begun or full, each of any kind. Every place has an
 * object of its own. Texts have one of a few lengths.
 */
#include "eva.h"

/* As gcc has it; Frama-C has none. */
typedef struct {
	long long a;
	long double b;
} max_align_t;

#define memchr find_byte
#define snprintf print_text
#define realloc more_room
#define calloc new_block
#define free no_longer

static void *more_room(void *old, size_t n);
static void *new_block(size_t n, size_t size);
static void no_longer(void *memory);

/*
 * What opcodes call is pickle_place(), which gives memory of exactly the size
 * that is asked for. The real function is tried in main() of TOKEN 2.
 */
struct pickle;
static void *pickle_place(struct pickle *p, size_t size);

#define pickle_make(p, size) OF_##p, size)
#define OF_p pickle_place(p
#define OF_struct pickle_make(struct

#include "containers/pickle.c"

#undef pickle_make

enum {
	ROOM = 256,            /* the first capacity of the stack and memo */
	PLACES = 4,            /* of the stack that are looked at */
	LINES = 7,             /* most bytes of a module and a name */
};

/* What an object has: a text [length], or items, of which kind says more. */
enum { PAIRS = -4, DICT, SINGLES, NONE };

static const long lengths[] = { SINGLES, 10, 65534 };

enum { LENGTHS = sizeof lengths / sizeof *lengths };

static struct object *stack[2 * ROOM], *memo[2 * ROOM];
static struct object old[PLACES];     /* on the stack or in the memo */
static struct object made[1];         /* by this opcode */
static struct item items[PLACES + 1], before[PLACES];
static size_t made_objects, made_items;
static bool puts_object;              /* in the memo */
static char letters[PLACES][BLOCK], copy[BLOCK];

/* What the file has: the opcode, the number that follows, and any bytes. */
static unsigned char opcode, number[8], bytes[BLOCK];
static size_t taken;

bool fail_memory(struct error *err)
{
	return fail(err, "");
}

/* Twice the room, or the first, with what was there; or none. */
static void *more_room(void *last, size_t n)
{
	if (n > sizeof stack || Frama_C_interval(0, 1))
		return NULL;
	if (last == stack || (!last && !puts_object))
		return stack;
	if (n > sizeof memo / 2)
		Frama_C_make_unknown((char *)&memo[ROOM], sizeof memo / 2);
	else
		Frama_C_make_unknown((char *)memo, sizeof memo / 2);
	return memo;
}

/* New memory, all zero, which is as long as it is asked for; or none. */
static void *pickle_place(struct pickle *p, size_t size)
{
	(void)p;
	/*@ assert size <= BLOCK; */
	if (Frama_C_interval(0, 1))
		return NULL;
	if (size == sizeof(struct object) && !made_objects)
		return &made[made_objects++];
	if (size == sizeof(struct item))
		return &items[made_items++];
	return copy + sizeof copy - size;
}

/* The next n bytes and none behind them, or an error. */
const unsigned char *in_take(struct input_file *in, size_t *at, size_t n,
			     const char *within, struct error *err)
{
	(void)in;
	(void)within;
	if (Frama_C_interval(0, 1)) {
		fail(err, "");
		return NULL;
	}
	*at += n;
	switch (taken++) {
	case 0:
		return &opcode;
	case 1:
		return number + sizeof number - (n ? n : 1);
	default:
		return bytes + sizeof bytes - (n ? n : 1);
	}
}

bool in_pass(struct input_file *in, size_t *at, size_t n, const char *within,
	     struct error *err)
{
	(void)in;
	(void)within;
	*at += n;
	return Frama_C_interval(0, 1) || fail(err, "");
}

/* The window has LINES bytes or fewer from *at on, and none behind them. */
bool in_reach(struct input_file *in, size_t *at, size_t n, struct error *err)
{
	(void)n;
	*at = 0;
	in->bytes = bytes + sizeof bytes - in->n;
	return Frama_C_interval(0, 1) || fail(err, "");
}

size_t in_left(const struct input_file *in)
{
	(void)in;
	return Frama_C_size_t_interval(0, SIZE_MAX);
}

void in_drop(struct input_file *in, size_t n)
{
	in->at += n;
}

/* Object i of any kind that has such a text, or such items. */
static void make_object(size_t i, long length)
{
	static const enum object_kind texts[] = {
		OBJECT_LONG, OBJECT_TEXT, OBJECT_NAME,
	}, with_pairs[] = {
		OBJECT_CALL, OBJECT_INSTANCE, OBJECT_DICT,
	}, others[] = {
		OBJECT_OTHER, OBJECT_BOOL, OBJECT_INTEGER, OBJECT_TUPLE,
		OBJECT_LIST, OBJECT_CALL, OBJECT_INSTANCE, OBJECT_PERSISTENT,
	};
	struct object *o = &old[i];
	char *text;

	*o = (struct object){ .pairs = length <= DICT };
	o->built = Frama_C_interval(0, 1);
	if (length >= 0) {
		o->kind = texts[Frama_C_interval(0, 2)];
		text = letters[i] + sizeof letters[i] - 1 - length;
		Frama_C_make_unknown(text, (size_t)length);
		text[length] = '\0';
		o->text = text;
		o->length = (size_t)length;
	} else if (length == DICT) {
		o->kind = OBJECT_DICT;
	} else if (length == PAIRS) {
		o->kind = with_pairs[Frama_C_interval(0, 2)];
	} else {
		o->kind = others[Frama_C_interval(0, 7)];
	}
	if (length == PAIRS || length == SINGLES) {
		o->n = 2 * Frama_C_size_t_interval(1, SIZE_MAX / 8);
		o->first = o->last = &before[i];
	}
}

/* What the rest of an object says holds. */
static void check_object(const struct object *o)
{
	/*@ assert OBJECT_OTHER <= o->kind <= OBJECT_PERSISTENT; */
	if (o->n) {
		/*@ assert \valid_read(o->first) && \valid_read(o->last); */
		/*@ assert o->last->next == \null; */
	}
	if (o->pairs) {
		/*@ assert o->n % 2 == 0; */
		/*@ assert OBJECT_DICT <= o->kind <= OBJECT_INSTANCE; */
		/*@ assert o->n || o->kind == OBJECT_DICT; */
	}
}

/* The same of one that was made. */
static void check_made(const struct object *o)
{
	check_object(o);
	switch (o->kind) {
	case OBJECT_LONG: case OBJECT_TEXT: case OBJECT_NAME:
		/*@ assert \valid_read(o->text + (0 .. o->length)); */
		/*@ assert o->text[o->length] == 0; */
		break;
	case OBJECT_CALL: case OBJECT_INSTANCE:
		/*@ assert o->callee->kind == OBJECT_NAME; */
		/*@ assert o->args->kind == OBJECT_TUPLE; */
		break;
	case OBJECT_PERSISTENT:
		/*@ assert \valid_read(o->args); */
		break;
	case OBJECT_TUPLE: case OBJECT_LIST:
		/*@ assert !o->pairs; */
		break;
	case OBJECT_DICT:
		/*@ assert o->pairs; */
		break;
	default:
		break;
	}
}

/* The state that an opcode leaves. */
static void check(const struct pickle *p)
{
	const size_t any = Frama_C_size_t_interval(0, 2 * ROOM - 1);
	const struct object *o;

	/*@ assert p->depth <= p->room && p->room <= 2 * ROOM; */
	/*@ assert p->memo_room <= 2 * ROOM; */
	for (size_t i = 0; i < PLACES && i < p->depth; i++)
		if (p->stack[p->depth - 1 - i])
			check_object(p->stack[p->depth - 1 - i]);
	o = any < p->memo_room ? p->memo[any] : NULL;
	/*@ assert !o || \valid_read(o); */
	for (size_t i = 0; i < made_items; i++)
		/*@ assert \valid_read(items[i].object); */;
	if (made_objects && made->kind)
		check_made(made);
	/*@ assert !p->instance || p->instance->kind == OBJECT_INSTANCE; */
}

/*
 * One opcode, where the stack has n places above one that is a mark or its
 * begin; another mark is at one of them, or at none. Their objects are like x
 * and y in turn.
 */
static void run(unsigned char code, size_t from, size_t n, size_t mark,
		long x, long y)
{
	static const char *const calls[] = {
		"a b", "torch Size", NULL };
	struct error err = { 0 };
	struct input_file in = {
		.path = "x", .at = Frama_C_size_t_interval(0, SIZE_MAX / 2),
		.n = Frama_C_interval(0, 1) ? LINES : 2,
	};
	struct pickle p = {
		.in = &in, .err = &err, .calls = calls, .depth = from + n,
		.read = Frama_C_size_t_interval(0, SIZE_MAX / 2),
		.memos = Frama_C_size_t_interval(0, ROOM),
		.stack = from + n || Frama_C_interval(0, 1) ? stack : NULL,
		.memo = Frama_C_interval(0, 1) ? memo : NULL,
	};

	p.room = p.stack ? ROOM : 0;
	p.memo_room = p.memo ? ROOM : 0;
	for (size_t i = 0; i < PLACES; i++)
		make_object(i, i % 2 ? x : y);
	Frama_C_make_unknown((char *)stack, sizeof stack);
	memset(stack, 0, from * sizeof *stack);
	for (size_t i = 0; i < n; i++)
		stack[from + i] = i == mark ? NULL : &old[i];
	memset(memo, 0, sizeof memo / 2);
	memo[Frama_C_interval(0, ROOM - 1)] = &old[0];
	memset(made, 0, sizeof made);
	memset(items, 0, sizeof items);
	memset(before, 0, sizeof before);
	copy[sizeof copy - 1] = '\0';
	made_objects = made_items = taken = 0;
	puts_object = code == 'q' || code == 'r' || code == 0x94;
	opcode = code;
	if (step(&p, &code))
		check(&p);
	/*@ slevel merge; */
	taken = 0;
}

/* Every number of its size, or one number. */
static void set_number(size_t size, uint64_t n)
{
	Frama_C_make_unknown((char *)number, sizeof number);
	for (size_t i = 0; n != UINT64_MAX && i < size; i++)
		number[sizeof number - size + i] = (unsigned char)(n >> 8 * i);
}

/* On a stack of up to most objects, and on one that is full. */
static void run_opcode(unsigned char code, size_t most, long x, long y)
{
	for (size_t n = 0; n <= most; n++)
		for (size_t mark = 0; mark <= n; mark++) {
			run(code, 0, n, mark, x, y);
			if (n == most)
				run(code, ROOM - n, n, mark, x, y);
		}
}

/* What an opcode does depends on items or on texts that are on the stack. */
static void run_all(unsigned char code)
{
	const bool calls = code == 'R' || code == 0x81 || code == 0x92 ||
			   code == 0x93;
	const bool marks = opcodes[code].run == op_items;
	const bool moves = opcodes[code].run == op_tuple ||
			   opcodes[code].run == op_gather;

	if (!opcodes[code].run)
		run(code, 0, 1, 1, NONE, NONE);
	else if (opcodes[code].run == op_item || opcodes[code].run == op_items)
		for (long x = PAIRS; x <= NONE; x++)
			run_opcode(code, marks ? PLACES : 3, x, x);
	else if (!calls)
		run_opcode(code, moves ? 3 : 1, SINGLES, SINGLES);
	for (size_t i = 0; calls && i < LENGTHS; i++)
		for (size_t k = 0; k < LENGTHS; k++)
			run_opcode(code, 2, lengths[i], lengths[k]);
}

/* Whether an opcode is followed by a text. */
static bool has_text(unsigned char code)
{
	return opcodes[code].run == op_text || opcodes[code].run == op_long;
}

static void run_opcodes(void)
{
	static const uint64_t sizes[] = {
		0, 7, 8, 9, 65535, 65536, UINT64_MAX - 1
	};
	const size_t several = sizeof sizes / sizeof *sizes;

	Frama_C_make_unknown((char *)bytes, sizeof bytes);
	for (unsigned code = FIRST; code < LAST; code++) {
		const unsigned char c = (unsigned char)code;

		for (size_t i = 0; has_text(c) && i < several; i++) {
			set_number(opcodes[code].size, sizes[i]);
			run(c, 0, 0, 0, NONE, NONE);
			run(c, ROOM - PLACES, PLACES, 0, NONE, NONE);
		}
		if (has_text(c))
			continue;
		set_number(0, UINT64_MAX);
		run_all(c);
	}
}

static struct pickle_block block[2];

static void *new_block(size_t n, size_t size)
{
	/*@ assert n * size == sizeof(struct pickle_block); */
	memset(&block[1], 0, sizeof *block);
	return Frama_C_interval(0, 1) ? &block[1] : NULL;
}

/* What it had is not read any more. */
static void no_longer(void *memory)
{
	if (memory == &block[0] || memory == &block[1])
		Frama_C_make_unknown(memory, sizeof *block);
}

/* Memory where so much of a block is used, or of no block. */
static void give(size_t used, size_t size)
{
	struct error err = { 0 };
	struct input_file in = { .path = "x" };
	struct pickle p = {
		.in = &in, .err = &err,
		.made = Frama_C_size_t_interval(0, SIZE_MAX / 2),
		.blocks = used ? &block[0] : NULL,
	};
	void *memory;
	size_t begin;

	block[0].next = NULL;
	block[0].used = used;
	memory = pickle_make(&p, size);
	if (memory) {
		begin = (size_t)((char *)memory - (char *)p.blocks->bytes);
		memset(memory, 1, size);
		/*@ assert begin % sizeof(max_align_t) == 0; */
		/*@ assert p.blocks->used <= BLOCK; */
	}
	pickle_end(&p);
	/*@ slevel merge; */
	taken = 0;
}

/* What readers ask of an object that has text or items. */
static void ask(long length)
{
	const struct object *o = &old[0];
	char name[OBJECT_NAME_TEXT];

	make_object(0, length);
	make_object(1, 10);
	make_object(2, NONE);
	old[2].callee = &old[1];
	old[2].args = &old[0];
	before[0] = (struct item){ o, Frama_C_interval(0, 1) ? &before[1]
							      : NULL };
	before[1] = (struct item){ &old[1], NULL };
	object_item(o, Frama_C_size_t_interval(0, SIZE_MAX));
	object_is(o, OBJECT_TEXT, "torch Size");
	object_calls(&old[2], "torch Size");
	if (length >= 0)
		object_name(o, name);
	/*@ slevel merge; */
	taken = 0;
}

/* A pickle of one opcode and the end. */
static void read_all(unsigned char code)
{
	struct error err = { 0 };
	struct input_file in = { .path = "x" };
	struct pickle p = {
		.in = &in, .err = &err, .stack = stack, .room = ROOM,
		.memo = Frama_C_interval(0, 1) ? memo : NULL,
	};

	p.memo_room = p.memo ? ROOM : 0;
	opcode = code;
	memset(bytes, STOP, sizeof bytes);
	pickle_read(&p);
	taken = made_objects = 0;
}

int main(void)
{
	static const size_t sizes[] = {
		1, 16, 31, 32, sizeof(struct object), 2002, 2048, BLOCK
	};

	if (TOKEN == 0) {
		run_opcodes();
		return 0;
	}
	for (size_t used = 0; used <= 2048; used = used ? 32 * used : 32)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			give(used, sizes[i]);
			give(BLOCK - used, sizes[i]);
		}
	for (size_t i = 0; i < LENGTHS; i++)
		ask(lengths[i]);
	read_all('.');
	read_all('N');
	return 0;
}
