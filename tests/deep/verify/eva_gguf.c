/*
 * eva_gguf.c: reads the keys of a GGUF file of any bytes (TOKEN is 0), notes
 * any key (1), lists the tensors of a model and reads one (2),
 * or reads blocks of each type (3), for the same proof as eva_npy.c.
 */
#include "eva.h"
#include "eva_take.h"
#include "containers/gguf.h"

#include <float.h>

/* What follows the header's first fields says anything: any_keys(). */
struct reader;
static bool any_keys(struct reader *r, uint64_t n);

#define read_keys(r, n) OF_##r, n)
#define OF_r any_keys(r
#define OF_struct read_keys(struct
#include "containers/gguf.c"
#undef read_keys
#include "containers/quantized.c"

enum { SEEN = 8 };  /* values of an array that are read: gguf.c */

static void any_doubles(double *x, size_t n)
{
	double any;

	Frama_C_make_unknown((char *)&any, sizeof any);
	for (size_t i = 0; i < n; i++)
		x[i] = any;
}

void dtype_load(enum dtype d, const void *in, size_t n, double *x)
{
	static const size_t sizes_of[] = { [F32] = 4, [F16] = 2, [I8] = 1 };
	const size_t size = d == F64 ? 8 : sizes_of[d];

	read_all(in, n * size);
	any_doubles(x, n);
}

size_t number_text(char *text, double x, enum dtype d, size_t precision)
{
	size_t n = Frama_C_size_t_interval(1, NUMBER_ROOM);

	(void)x;
	(void)d;
	(void)precision;
	Frama_C_make_unknown(text, NUMBER_ROOM);
	/*@ split n; */
	return n;
}

bool parse_real(const char *text, double *x)
{
	read_all(text, strlen(text));
	*x = Frama_C_double_interval(-1e308, 1e308);
	return Frama_C_interval(0, 1);
}

bool tensors_setting(struct tensors *all, const char *name, const char *value,
		     struct error *err)
{
	(void)all;
	return strlen(name) + strlen(value) && maybe(err);
}

/* Receives a key, and looks at all that it may. */
static bool each_any(void *self, const char *name,
		     const struct gguf_value *value, struct error *err)
{
	size_t sum = strlen(name);

	(void)self;
	for (size_t i = 0; i < value->n && i < SEEN; i++)
		sum += value->x[i] > 0;
	if (value->text)
		sum += strlen(value->text);
	return sum && maybe(err);
}

static void read_any_keys(struct reader *r)
{
	if (Frama_C_interval(0, 1))
		r->each = each_any;
	read_keys(r, any_size());
}

static void note(struct error *err)
{
	char name[GGUF_TEXT], text[GGUF_TEXT];
	double x[GGUF_VALUES];
	struct tensors all = { 0 };
	struct notes notes = { .all = &all };
	struct gguf_value v = {
		.kind = Frama_C_interval(GGUF_NUMBER, GGUF_STRING), .x = x,
		.array = Frama_C_interval(0, 1),
		.n = Frama_C_size_t_interval(0, GGUF_VALUES),
	};

	Frama_C_make_unknown(name, sizeof name);
	Frama_C_make_unknown(text, sizeof text);
	any_doubles(x, GGUF_VALUES);
	/* No NaN: EVA does not know that it is in no range */
	x[0] = Frama_C_interval(0, 1)
		       ? Frama_C_double_interval(-DBL_MAX, DBL_MAX)
	       : Frama_C_interval(0, 1) ? INFINITY : -INFINITY;
	name[GGUF_TEXT - 1] = text[GGUF_TEXT - 1] = '\0';
	if (Frama_C_interval(0, 1))
		v.text = text;
	note_key(&notes, name, &v, err);
}

static bool any_keys(struct reader *r, uint64_t n)
{
	struct notes *notes = r->self;

	(void)n;
	move(r->in, &r->at);
	r->alignment = 8 * Frama_C_size_t_interval(0, UINT32_MAX / 8);
	if (r->each == note_key) {
		notes->no = Frama_C_unsigned_int_interval(0, 99999);
		notes->count = Frama_C_unsigned_int_interval(0, 99999);
	}
	return maybe(r->err);
}

bool tensors_note(struct tensors *all, struct error *err, const char *format,
		  ...)
{
	(void)all;
	(void)format;
	return maybe(err);
}

bool tensors_note_missing(struct tensors *all, const char *path,
			  struct error *err)
{
	(void)all;
	return strlen(path) && maybe(err);
}

char *table_copy(struct table *t, const char *text, struct error *err)
{
	static char copy[64];

	(void)t;
	memcpy(copy, text, strlen(text) + 1);
	return maybe(err) ? copy : NULL;
}

bool tensors_note_cut(struct tensors *all, const struct input_file *in,
		      size_t end, struct error *err)
{
	(void)all;
	(void)in;
	(void)end;
	return maybe(err);
}

bool tensor_read(struct input_file *in, const struct tensor *one,
		 struct table *t, struct error *err)
{
	(void)in;
	(void)one;
	(void)t;
	return maybe(err);
}

/* The only file of a model, or the first of several. */
static void list_model(struct input_file *in, struct error *err)
{
	static struct tensor room[TENSORS];
	struct tensors all = {
		.at = room, .cut = Frama_C_interval(0, 1),
	};
	const struct read_options options = {
		.container = &gguf_container,
	};
	struct table t = { 0 };
	unsigned char magic[4];

	if (Frama_C_interval(0, 1))
		in->path = "x-00001-of-00003.gguf";
	in->size = any_size();
	if (Frama_C_interval(0, 1))
		gguf_keys(in, &all, NULL, NULL, err);
	else
		gguf_format.read(in, &options, &t, err);
	Frama_C_make_unknown((char *)magic, sizeof magic);
	gguf_recognizes(magic, sizeof magic);
}

int element_mantissa(struct element e)
{
	(void)e;
	return Frama_C_interval(-1, 3);
}

void dtype_store(enum dtype d, const double *x, size_t n, void *out)
{
	(void)d;
	(void)x;
	Frama_C_make_unknown(out, n * sizeof(float));
}

/* A shape of at most so many blocks of a type. */
enum { BLOCKS = 3, BYTES_MOST = 292 };

static const struct quantization *type_read;

bool binary_shape(const struct input_file *in, struct element e,
		  const size_t *shape, size_t rank, struct table *t,
		  struct error *err)
{
	size_t rows = Frama_C_size_t_interval(1, BLOCKS);

	(void)in;
	(void)e;
	read_all((const char *)shape, rank * sizeof *shape);
	/*@ split rows; */
	t->planes = 1;
	t->rows = rows;
	t->cols = type_read->values;
	return maybe(err);
}

/* The window has exactly the bytes that are asked for, or fewer. */
bool in_read(struct input_file *in, size_t n, struct error *err)
{
	static unsigned char bytes[BLOCKS * BYTES_MOST];
	int all = Frama_C_interval(0, 1);

	Frama_C_make_unknown((char *)bytes, sizeof bytes);
	/*@ split all; */
	in->n = all ? n : Frama_C_size_t_interval(0, n - 1);
	in->bytes = bytes + sizeof bytes - in->n;
	in->at = any_size();
	return maybe(err);
}

void in_drop(struct input_file *in, size_t n)
{
	in->n -= n;
	in->at = any_size();
}

/* Room for all values, behind which there is none, or for the next ones. */
bool values_reserve(struct values *g, size_t n, struct error *err)
{
	static double room[BLOCKS * BLOCK_VALUES];
	static float floats[BLOCKS * BLOCK_VALUES];
	const size_t at = sizeof room / sizeof *room - n - g->n;

	if (g->compact)
		g->floats = floats + at;
	else
		g->at = room + at;
	return maybe(err);
}

void table_dense(struct table *t, const double *x)
{
	(void)t;
	(void)x;
}

void table_dense_floats(struct table *t, const float *x)
{
	(void)t;
	(void)x;
}

static void read_any(struct input_file *in, struct error *err)
{
	struct tensor one = { .name = "", .quantization = type_read };
	int compact = Frama_C_interval(0, 1);
	struct table t = { 0 };

	/*@ split compact; */
	t.compact = compact;

	one.rank = Frama_C_size_t_interval(1, RANK_MOST);
	Frama_C_make_unknown((char *)one.shape, sizeof one.shape);
	in->size = Frama_C_interval(0, 1) ? SIZE_MAX : any_size();
	quantized_read(in, &one, &t, err);
}

static void read_each(struct input_file *in, struct error *err)
{
	for (size_t i = 0; i < QUANTIZATIONS; i++) {
		type_read = quantization_of(i);
		if (type_read && quantization_known(type_read))
			read_any(in, err);
	}
}

int main(void)
{
	struct error err = { 0 };
	struct input_file in = { .path = "x.gguf" };
	struct reader r = { .in = &in, .err = &err };
	unsigned char none[1];

	nothing = none;
	move(&in, &r.at);
#if TOKEN == 0
	read_any_keys(&r);
#elif TOKEN == 1
	note(&err);
#elif TOKEN == 2
	list_model(&in, &err);
#else
	read_each(&in, &err);
#endif
	return 0;
}
