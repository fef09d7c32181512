/* hdf5_process.c: datasets of a file and their values, by libhdf5. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "containers/hdf5.h"
#include "containers/hdf5_library.h"
#include "containers/hdf5_process.h"
#include "files/output.h"

/* Constants of HDF5's headers that no version changed. */
enum {
	INTEGER = 0, FLOAT = 1, ENUM = 8,  /* classes */
	LITTLE = 0, BIG = 1,   /* orders of bytes */
	UNSIGNED = 0,          /* signs */
	IMPLIED = 0,           /* the first bit of a mantissa */
	VIRTUAL = 3, CHUNKED = 2,  /* layouts */
	DEFLATE = 1, SHUFFLE = 2, FLETCHER32 = 3,  /* filters */
	SOFT = 1,              /* a link; hard links and others are opened */
	DATASET = 5,           /* an object's type */
	BY_NAME = 0, ANY_ORDER = 2,
};

static size_t product(size_t a, size_t b)
{
	size_t x;

	return __builtin_mul_overflow(a, b, &x) ? SIZE_MAX : x;
}

/* Of a dataset: its object and what describes it; and how its values lie. */
struct object {
	hid id, type, space, list;
	int rank;
	hsize dims[RANK_OF_HDF5];
	size_t size;           /* of a value in bytes */
	size_t bytes;          /* of all values; SIZE_MAX: of too many */
	size_t block;          /* rows that are read at once */
};

static void release(const struct hdf5 *h, const struct object *o)
{
	h->Idec_ref(o->list);
	h->Idec_ref(o->space);
	h->Idec_ref(o->type);
	h->Idec_ref(o->id);
}

/* How IEEE 754, and bfloat16, divide the bits of a value. */
static const struct layout {
	char kind;
	unsigned char size;
	size_t sign, exponent, exponent_size, mantissa, mantissa_size, bias;
} layouts[] = {
	{ 'f', 2, 15, 10, 5, 0, 10, 15 },
	{ 'B', 2, 15, 7, 8, 0, 7, 127 },
	{ 'f', 4, 31, 23, 8, 0, 23, 127 },
	{ 'f', 8, 63, 52, 11, 0, 52, 1023 },
};

static char float_kind(const struct hdf5 *h, const struct object *o)
{
	struct layout l = { 0 };
	const size_t bias = h->Tget_ebias(o->type);

	if (h->Tget_norm(o->type) != IMPLIED)
		return 0;
	/* Where that fails, all are 0, as in no layout */
	h->Tget_fields(o->type, &l.sign, &l.exponent, &l.exponent_size,
		       &l.mantissa, &l.mantissa_size);
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		const struct layout *k = &layouts[i];

		if (k->size == o->size && k->sign == l.sign &&
		    k->exponent == l.exponent &&
		    k->exponent_size == l.exponent_size &&
		    k->mantissa == l.mantissa &&
		    k->mantissa_size == l.mantissa_size && k->bias == bias)
			return k->kind;
	}
	return 0;
}

static char integer_kind(const struct hdf5 *h, const struct object *o)
{
	if (o->size != 1 && o->size != 2 && o->size != 4 && o->size != 8)
		return 0;
	return h->Tget_sign(o->type) == UNSIGNED ? 'u' : 'i';
}

/* h5py's bool: an enumeration of FALSE and TRUE in a byte. */
static char enum_kind(const struct hdf5 *h, const struct object *o)
{
	static const char *const names[] = { "FALSE", "TRUE" };

	if (o->size != 1 || h->Tget_nmembers(o->type) != 2)
		return 0;
	for (int i = 0; i < 2; i++) {
		const int at = h->Tget_member_index(o->type, names[i]);
		signed char value = -1;

		if (at >= 0)
			h->Tget_member_value(o->type, (unsigned)at, &value);
		if (value != i)
			return 0;
	}
	return 'b';
}

/* Describe the type of values; kind stays 0 if posenc does not read it. */
static void describe_type(const struct hdf5 *h, const struct object *o,
			  struct dataset *d)
{
	static const char *const classes[] = {
		"integer", "float", "time", "string", "bitfield", "opaque",
		"compound", "reference", "enum", "vlen", "array",
	};
	const int class = h->Tget_class(o->type);
	const int order = h->Tget_order(o->type);
	const bool known = (size_t)class < sizeof classes / sizeof *classes;
	const bool number = class == INTEGER || class == FLOAT;

	if (number)
		snprintf(d->dtype, sizeof d->dtype, "custom %s%zu",
			 class == FLOAT ? "float" : "int", 8 * o->size);
	else
		snprintf(d->dtype, sizeof d->dtype, "%s",
			 known ? classes[class] : "unknown");
	if (number && h->Tget_precision(o->type) != 8 * o->size)
		return;
	if (o->size > 1 && order != LITTLE && order != BIG)
		return;
	d->size = (unsigned char)o->size;
	d->big = o->size > 1 && order == BIG;
	if (class == INTEGER)
		d->kind = integer_kind(h, o);
	else if (class == FLOAT)
		d->kind = float_kind(h, o);
	else if (class == ENUM)
		d->kind = enum_kind(h, o);
}

/* Describe the shape, and find how many rows to read at once: whole chunks. */
static bool describe_shape(const struct hdf5 *h, struct object *o,
			   size_t *chunk_bytes, struct dataset *d)
{
	enum { BLOCK = 1 << 20 };  /* bytes */
	hsize chunk[RANK_OF_HDF5] = { 1 };
	const bool chunked = h->Pget_layout(o->list) == CHUNKED;
	size_t row;

	o->rank = h->Sget_simple_extent_dims(o->space, o->dims, NULL);
	if (o->rank < 0 ||
	    (chunked && h->Pget_chunk(o->list, RANK_OF_HDF5, chunk) < 0))
		return false;
	d->rank = (unsigned)o->rank;
	row = o->size;
	*chunk_bytes = o->size;
	for (int i = 0; i < o->rank; i++) {
		if (i < RANK_MOST)
			d->shape[i] = o->dims[i];
		if (i > 0)
			row = product(row, o->dims[i]);
		if (chunked)
			*chunk_bytes = product(*chunk_bytes, chunk[i]);
	}
	o->bytes = o->rank ? product(row, o->dims[0]) : row;
	row = product(row, chunk[0]);
	o->block = chunk[0] * (row && row < BLOCK ? BLOCK / row : 1);
	return true;
}

/* Whether a filter is one that libhdf5 itself has and that keeps all bits. */
static bool check_filters(const struct hdf5 *h, const struct object *o,
			  struct dataset *d)
{
	const int n = h->Pget_nfilters(o->list);

	for (int i = 0; i < n; i++) {
		char name[40] = "";
		unsigned flags, config;
		size_t values = 0;
		const int id = h->Pget_filter2(o->list, (unsigned)i, &flags,
					       &values, NULL, sizeof name,
					       name, &config);

		if (id == DEFLATE || id == SHUFFLE || id == FLETCHER32)
			continue;
		name[sizeof name - 1] = '\0';
		snprintf(d->reason, sizeof d->reason, "stored through the "
			 "filter '%s' (%d), which posenc does not read", name,
			 id);
		return false;
	}
	return true;
}

/*
 * Fail if far more memory would be needed than the file can fill: deflate, the
 * only filter that makes values smaller, does so by 1032 at most.
 */
static bool check_sizes(const struct hdf5 *h, const struct object *o,
			size_t chunk_bytes, struct dataset *d)
{
	const hsize stored = h->Dget_storage_size(o->id);
	const size_t found = stored < h->r->bytes ? (size_t)stored
						  : h->r->bytes;
	const size_t needed = o->bytes > chunk_bytes ? o->bytes : chunk_bytes;
	enum { DEFLATE_MOST = 1032, ALWAYS = 1 << 24 };

	if (needed <= ALWAYS || needed / DEFLATE_MOST <= found)
		return true;
	snprintf(d->reason, sizeof d->reason, "its values take %zu bytes, of "
		 "which the file has %zu", needed, found);
	return false;
}

/* Describe an open dataset, with a reason if its values are not to be read. */
static void describe(const struct hdf5 *h, struct object *o, struct dataset *d)
{
	size_t chunk_bytes = 0;

	o->type = h->Dget_type(o->id);
	o->list = h->Dget_create_plist(o->id);
	o->size = h->Tget_size(o->type);
	o->space = -1;
	/* To tell the shape, libhdf5 may open the others */
	if (h->Pget_layout(o->list) == VIRTUAL) {
		snprintf(d->reason, sizeof d->reason, "a virtual dataset, "
			 "whose values are in others; posenc does not read it");
		return;
	}
	describe_type(h, o, d);
	o->space = h->Dget_space(o->id);
	if (!describe_shape(h, o, &chunk_bytes, d))
		snprintf(d->reason, sizeof d->reason, "libhdf5: %s",
			 hdf5_cause(h));
	else if (h->Pget_external_count(o->list) > 0)
		snprintf(d->reason, sizeof d->reason, "its values are in "
			 "another file, which posenc does not open");
	else if (check_filters(h, o, d))
		check_sizes(h, o, chunk_bytes, d);
}

/* Write all bytes [n] to the pipe; false: nobody reads them, or it failed. */
static bool send_bytes(const struct hdf5 *h, const void *bytes, size_t n)
{
	return out_write_all(h->r->to, bytes, n) ||
	       (errno != EPIPE && fail(h->err, "%s", strerror(errno)));
}

static bool send_dataset(const struct hdf5 *h, const char *name,
			 struct dataset *d)
{
	d->length = (uint32_t)strlen(name);
	return send_bytes(h, d, sizeof *d) && send_bytes(h, name, d->length);
}

/* A list that is sent, and the dataset of which values are wanted. */
struct listing {
	const struct hdf5 *h;
	size_t n;
	char *wanted;          /* its name, or NULL */
};

/* Note the name of a dataset whose values are wanted and can be read. */
static bool note_wanted(struct listing *l, const char *name,
			const struct dataset *d)
{
	const char *wanted = l->h->r->name;

	if (l->h->r->task != HDF5_LIST_AND_VALUES || !d->kind ||
	    d->reason[0] || !d->rank || d->rank > RANK_MOST ||
	    (wanted ? strcmp(name, wanted) != 0 : l->n > 1))
		return true;
	free(l->wanted);
	l->wanted = strdup(name);
	return l->wanted || fail_memory(l->h->err);
}

static bool hdf5_fail(const struct hdf5 *h, const char *what, struct error *err)
{
	return fail(err, "libhdf5 cannot %s: %s", what, hdf5_cause(h));
}

/* Send what is behind a link: a dataset, or why there is none. 1: stop. */
static int visit_link(hid group, const char *name, const struct link *link,
		      void *self)
{
	struct listing *l = self;
	const struct hdf5 *h = l->h;
	struct object o = { .id = -1 };
	struct dataset d = { .reason = "" };
	bool good = true;

	if (link->type == EXTERNAL) {
		snprintf(d.reason, sizeof d.reason, "a link to another file, "
			 "which posenc does not open");
		l->n++;
		return !send_dataset(h, name, &d);
	}
	o.id = h->Oopen(group, name, 0);
	if (o.id < 0 && hdf5_call_failed(h))
		return !hdf5_fail(h, "read this file", h->err);
	if (o.id < 0) {
		snprintf(d.reason, sizeof d.reason, "%s%s",
			 link->type == SOFT
				 ? "a link to nothing in this file"
				 : "libhdf5: ",
			 link->type == SOFT ? "" : hdf5_cause(h));
		l->n++;
		return !send_dataset(h, name, &d);
	}
	if (h->Iget_type(o.id) == DATASET) {
		l->n++;
		describe(h, &o, &d);
		good = note_wanted(l, name, &d) && send_dataset(h, name, &d);
		release(h, &o);
	} else {
		h->Idec_ref(o.id);
	}
	return !good;
}

/* Read rows from first on into bytes. */
static bool read_rows(const struct hdf5 *h, const struct object *o,
		      size_t first, size_t rows, void *bytes)
{
	hsize start[RANK_OF_HDF5] = { first }, count[RANK_OF_HDF5];
	hid memory;
	bool good;

	memcpy(count, o->dims, sizeof count);
	count[0] = rows;
	memory = h->Screate_simple(o->rank, count, NULL);
	good = h->Sselect_hyperslab(o->space, 0, start, NULL, count,
				    NULL) >= 0 &&
	       h->Dread(o->id, o->type, memory, o->space, 0, bytes) >= 0;
	/* A call that succeeds forgets why the one before it failed */
	if (good)
		h->Idec_ref(memory);
	return good;
}

/* Send all values, in blocks of rows. */
static bool send_rows(const struct hdf5 *h, const struct object *o,
		      struct error *err)
{
	const size_t rows = o->dims[0];
	const size_t block = o->block < rows ? o->block : rows;
	const size_t row = o->bytes / rows;
	void *bytes = malloc(row * block);
	bool good = bytes || fail_memory(err), read = true;

	for (size_t first = 0; good && first < rows; first += block) {
		const size_t n = rows - first < block ? rows - first : block;

		read = read_rows(h, o, first, n, bytes);
		good = read && send_bytes(h, bytes, row * n);
	}
	free(bytes);
	if (!read)
		hdf5_fail(h, "read these values", err);
	return read;
}

static bool send_values(const struct hdf5 *h, const char *name,
			struct error *err)
{
	struct object o = { .id = h->Oopen(h->file, name, 0) };
	struct dataset d = { .reason = "" };
	bool good = true;

	if (o.id < 0 || h->Iget_type(o.id) != DATASET)
		return hdf5_fail(h, "open this dataset", err);
	describe(h, &o, &d);
	if (d.reason[0])
		good = fail(err, "tensor '%.100s': %s", name, d.reason);
	else if (o.rank > 0 && o.bytes > 0)
		good = send_rows(h, &o, err);
	release(h, &o);
	return good;
}

/* Send the list, then the values that are wanted. */
static bool send_list(const struct hdf5 *h, struct error *err)
{
	const struct dataset end = { .length = DATASETS_END };
	struct listing l = { .h = h };
	bool good = h->Lvisit(h->file, BY_NAME, ANY_ORDER, visit_link,
			      &l) >= 0;

	if (!good)
		hdf5_fail(h, "list this file", err);
	else if (l.wanted && (h->r->name || l.n == 1) &&
	    send_bytes(h, &end, sizeof end))
		good = send_values(h, l.wanted, err);
	free(l.wanted);
	return good;
}

void hdf5_load_version(char text[HDF5_VERSION])
{
	struct hdf5 h = { .r = NULL };
	struct error err = { 0 };

	if (hdf5_load(&h, &err))
		snprintf(text, HDF5_VERSION, "%u.%u.%u", h.version[0],
			 h.version[1], h.version[2]);
	else
		snprintf(text, HDF5_VERSION, "%s", err.text);
}

static bool load(struct hdf5 *h, struct error *err)
{
	struct error why = { 0 };

	if (hdf5_load(h, &why))
		return true;
	return why.memory ? fail_memory(err)
			  : fail(err, "HDF5 files need the library libhdf5, "
				 "version 1.10 or newer: %s", why.text);
}

bool hdf5_run(const struct hdf5_request *r, struct error *err)
{
	struct hdf5 h = { .r = r, .err = err };

	/* The end of its reader is an error of write() */
	signal(SIGPIPE, SIG_IGN);
	if (!load(&h, err))
		return false;
	h.file = hdf5_open(&h, r->file, r->bytes);
	if (h.file < 0)
		return hdf5_fail(&h, "open this file", err);
	return r->task == HDF5_VALUES ? send_values(&h, r->name, err)
				      : send_list(&h, err);
}
