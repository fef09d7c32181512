/*
 * eva_torch_walk.c: takes one step through the objects of a pickle, for the same
 * proof as eva_npy.c, and shows that another can follow. The objects are any
 * that eva_pickle.c shows to follow. TOKEN: 0 goes to the next item, 1 visits an
 * object. What a tensor says is in eva_torch_tree.c.
 */
#include "eva.h"

#define memcpy copy
#define snprintf print_text

static void *copy(void *to, const void *from, size_t n);

/* Functions that are tried by themselves give any result to those above. */
#define add_tensor(w, maker, args) TENSOR_##w, maker, args)
#define TENSOR_w any_tensor(w
#define TENSOR_struct add_tensor(struct
#define visit(w, o) VISIT_##o, w)
#define VISIT_o any_visit(o
#define VISIT_root any_visit(root
#define VISIT_const visit(const

struct tree;
struct object;
static bool any_tensor(struct tree *w, size_t maker, const struct object *args);
static bool any_visit(const struct object *o, struct tree *w);

#include "containers/torch_tree.c"
#include "eva_objects.h"

#undef add_tensor
#undef visit

/* Behind the kinds are a dict as a call makes it, and the arguments of calls. */
enum { MADE_DICT = OBJECT_PERSISTENT + 1, ARGUMENTS, OBJECTS, TEXT = 65535 };

static struct object objects[OBJECTS];
static struct item items_of[2];
static char letters[TEXT + 1];
static const struct object *third;    /* of the arguments of a call */

static void *copy(void *to, const void *from, size_t n)
{
	if (n) {
		/*@ assert \valid_read((char *)from + (0 .. n - 1)); */
		/*@ assert \valid((char *)to + (0 .. n - 1)); */
		Frama_C_make_unknown(to, n);
	}
	return to;
}

static bool any_tensor(struct tree *w, size_t maker, const struct object *args)
{
	/*@ assert maker < MAKERS && args->kind == OBJECT_TUPLE; */
	return Frama_C_interval(0, 1) || fail(w->err, "");
}

static bool any_visit(const struct object *o, struct tree *w)
{
	/*@ assert \valid_read(o); */
	return Frama_C_interval(0, 1) || fail(w->err, "");
}

/* Any object; item 2 is only asked for of one, and stays the same. */
const struct object *object_item(const struct object *o, size_t i)
{
	const struct object *one;

	one = i < o->n ? &objects[Frama_C_interval_split(0, OBJECTS - 1)] : NULL;
	if (i == 2 && third)
		return third;
	if (i == 2)
		third = one;
	return one;
}

static void make_objects(size_t length)
{
	struct object *const call = &objects[OBJECT_CALL];

	for (size_t i = 0; i < OBJECTS; i++) {
		objects[i] = (struct object){ 0 };
		objects[i].kind = i < MADE_DICT ? i : OBJECT_CALL;
		objects[i].built = Frama_C_interval(0, 1);
		objects[i].n = Frama_C_size_t_interval(0, SIZE_MAX);
		objects[i].first = Frama_C_interval(0, 1) ? items_of : NULL;
	}
	objects[ARGUMENTS].kind = OBJECT_TUPLE;
	objects[OBJECT_INTEGER].integer = Frama_C_long_long_interval(
		INT64_MIN, INT64_MAX);
	objects[OBJECT_TEXT].text = letters + TEXT - length;
	objects[OBJECT_TEXT].length = length;
	objects[OBJECT_DICT].pairs = objects[MADE_DICT].pairs = true;
	call->callee = objects[MADE_DICT].callee = &objects[OBJECT_NAME];
	call->args = objects[MADE_DICT].args = &objects[ARGUMENTS];
}

/* What every step leaves. */
static void check(const struct tree *w)
{
	const struct level *l = &w->levels[w->depth - 1];

	/*@ assert w->depth <= DEPTH_MOST && w->length <= PATH_MOST; */
	if (w->depth) {
		/*@ assert l->length <= PATH_MOST; */
		/*@ assert l->next == \null || \valid_read(l->next); */
		/*@ assert \valid_read(l->object); */
	}
}

/* A walk at this depth, with any names and any number of steps. */
static void begin(struct tree *w, size_t depth)
{
	const size_t length = Frama_C_size_t_interval(0, PATH_MOST);
	const struct level level = {
		.object = &objects[OBJECT_LIST], .length = length,
		.i = Frama_C_size_t_interval(0, SIZE_MAX / 2),
	};

	for (size_t i = 0; i < depth; i++)
		w->levels[i] = level;
	third = NULL;
	w->depth = depth;
	w->length = length;
	w->steps = Frama_C_size_t_interval(0, SIZE_MAX);
}

/* Items of o, of which the first is alone, or the key of any value. */
static void step(struct tree *w, size_t depth, const struct object *o,
		 const struct object *first)
{
	const bool last = !o->pairs && Frama_C_interval(0, 1);

	items_of[0] = (struct item){ first, last ? NULL : &items_of[1] };
	items_of[1] = (struct item){ &objects[OBJECT_OTHER], NULL };
	begin(w, depth);
	w->levels[depth - 1].object = o;
	w->levels[depth - 1].next = items_of;
	visit_next(w);
	/*@ slevel merge; */
	check(w);
}

static void steps(struct tree *w)
{
	static const size_t lengths[] = { 0, 1000, PATH_MOST - 1, TEXT };
	static const size_t depths[] = { 1, 2, DEPTH_MOST };
	static const size_t entered[] = {
		OBJECT_TUPLE, OBJECT_LIST, OBJECT_DICT, OBJECT_CALL, MADE_DICT,
	};

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		make_objects(lengths[i]);
		for (size_t k = 0; k < sizeof depths / sizeof *depths; k++)
			for (size_t o = 0; o < 5; o++)
				for (size_t x = 0; x < OBJECTS; x++)
					if (!i || x == OBJECT_TEXT)
						step(w, depths[k],
						     &objects[entered[o]],
						     &objects[x]);
	}
}

static void visits(struct tree *w)
{
	static const size_t depths[] = { 0, 1, 2, DEPTH_MOST - 1, DEPTH_MOST };

	make_objects(0);
	for (size_t k = 0; k < sizeof depths / sizeof *depths; k++)
		for (size_t i = 0; i < OBJECTS; i++) {
			begin(w, depths[k]);
			visit(&objects[i], w);
			check(w);
			/*@ slevel merge; */
			w->depth = 0;
		}
}

int main(void)
{
	static struct tree w;
	const struct input_file in = { .path = "x" };
	struct error err = { 0 };

	w.in = &in;
	w.err = &err;
	Frama_C_make_unknown(letters, TEXT);
	if (TOKEN == 0)
		steps(&w);
	else
		visits(&w);
	return 0;
}
