/*
 * pickle.h: reads the pickles of Python (pickletools.py), protocols 2 to 5, and
 * executes nothing. The machine builds a tree of what a pickle says, in which a
 * call stays a call: a name and its arguments. A call of a name that the reader
 * does not expect ends it.
 *
 * Memory and time are bounded by what the pickle has, and by limits of the
 * machine: what it claims is checked first.
 */
#ifndef PICKLE_H
#define PICKLE_H

#include <stdint.h>

#include "files/input.h"

enum object_kind {
	OBJECT_OTHER,       /* None, floats, bytes, long text: read past */
	OBJECT_BOOL,
	OBJECT_INTEGER,
	OBJECT_LONG,        /* an integer that int64 does not hold */
	OBJECT_TEXT,
	OBJECT_NAME,        /* of a class or function: "module name" */
	OBJECT_TUPLE,
	OBJECT_LIST,        /* also a set */
	OBJECT_DICT,
	OBJECT_CALL,        /* of a name; it may also have items */
	OBJECT_INSTANCE,    /* of a class, which has its own ideas of items */
	OBJECT_PERSISTENT,  /* what another part of the file has */
};

/* What a tuple, list or call has; of a dict, keys and values alternate. */
struct item {
	const struct object *object;
	struct item *next;
};

struct object {
	enum object_kind kind;
	bool pairs;            /* the items are keys and values */
	bool built;            /* it was given a state, which is not kept */
	union {
		int64_t integer;   /* BOOL, INTEGER */
		struct {
			const char *text;  /* [length], a NUL; TEXT, NAME; of
					      LONG the bytes, least first */
			size_t length;
		};
		struct {
			const struct object *callee;  /* CALL, INSTANCE */
			const struct object *args;    /* and PERSISTENT */
		};
	};
	struct item *first, *last;
	size_t n;              /* items */
};

struct pickle_block;

struct pickle {
	struct input_file *in; /* of which a pickle comes next */
	struct error *err;
	const char *const *calls;  /* names that may be called, then NULL */

	const struct object *instance;  /* the first INSTANCE, or NULL */
	struct object persistent;       /* its items are all PERSISTENT */

	/* Of the machine, zero at first */
	size_t at;             /* in the window */
	size_t read, made;     /* opcodes, and bytes of objects */
	struct object **stack; /* [depth]; NULL: a mark */
	size_t depth, room;
	struct object **memo;  /* [memo_room]; NULL: not put */
	size_t memos, memo_room;   /* that are put, and capacity */
	struct pickle_block *blocks;
};

/*
 * The object of the next pickle, owned by p; in is then behind its end. NULL:
 * an error. pickle_end() must follow.
 */
const struct object *pickle_read(struct pickle *p);
void pickle_end(struct pickle *p);

/* Whether o is a text or name of these letters. */
bool object_is(const struct object *o, enum object_kind kind, const char *text);

/* Whether o is a call of this name. */
bool object_calls(const struct object *o, const char *name);

enum { OBJECT_NAME_TEXT = 100 };

/* "module.name" of a NAME, or its beginning. */
const char *object_name(const struct object *o, char text[OBJECT_NAME_TEXT]);

/* Item i, or NULL: there are fewer. */
const struct object *object_item(const struct object *o, size_t i);

#endif
