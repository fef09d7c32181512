/*
 * fake.c: in place of libhdf5, one that does what a broken file may make the
 * real one do, as FAKE says: where it is opened, and whatever is called then.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What posenc loads. */
#define FUNCTIONS                                                             \
F(Eset_auto2) F(PLset_loading_state) F(Lunregister) F(Idec_ref) F(Dget_type)  \
F(Dget_space) F(Dget_create_plist) F(Dget_storage_size) F(Dread)              \
F(Sget_simple_extent_ndims) F(Sselect_hyperslab) F(Screate_simple)            \
F(Tget_norm) F(Tget_ebias) F(Tget_fields) F(Tget_nmembers)                    \
F(Tget_member_index) F(Tget_member_value) F(Pget_chunk) F(Pget_filter2)

/* A dataset of one uint8, as it is listed. */
#define DATASET                                                               \
F(Tget_class, is("class") ? 11 : 0) F(Tget_size, 1) F(Tget_precision, 8) F(Tget_order, 0)        \
F(Tget_sign, 0) F(Pget_nfilters, 0) F(Pget_external_count, 0)                 \
F(Iget_type, listing || !is("group") ? 5 : 2) F(Oopen, listing || !(is("gone") || is("shrinks")) ? 1 : -1)  \
F(Pget_layout, is("chunk") ? 2 : listing || !is("virtual") ? 1 : 3)

static int listing;
static int is(const char *what);

#define F(name) int64_t H5##name(void); int64_t H5##name(void) { return -1; }
FUNCTIONS
#undef F
#define F(name, value)                                                        \
int64_t H5##name(void); int64_t H5##name(void) { return value; }
DATASET
#undef F

int H5Sget_simple_extent_dims(int64_t, uint64_t *, uint64_t *);
int H5get_libversion(unsigned *, unsigned *, unsigned *);
int H5Ewalk2(int64_t, int, int (*)(unsigned, const void *, void *), void *);
int64_t H5Fopen(const char *, unsigned, int64_t);
int H5Lvisit1(int64_t, int, int, int (*)(int64_t, const char *, const int *,
					 void *), void *);

static char said[400];

static int is(const char *what)
{
	return strcmp(getenv("FAKE"), what) == 0;
}

int H5get_libversion(unsigned *major, unsigned *minor, unsigned *release)
{
	*major = is("new") ? 2 : 1;
	*minor = is("new") ? 0 : is("old") ? 8 : 10;
	*release = 0;
	return is("none") ? -1 : 0;
}

/* What the last call had to say. */
int H5Ewalk2(int64_t stack, int direction,
	     int (*explain)(unsigned, const void *, void *), void *self)
{
	struct {
		int64_t ids[3];
		unsigned line;
		const char *function, *file, *text;
	} cause = { .text = said[0] ? said : NULL };

	(void)stack;
	(void)direction;
	return explain(0, &cause, self);
}

int H5Sget_simple_extent_dims(int64_t space, uint64_t *dims, uint64_t *most)
{
	(void)space;
	(void)most;
	dims[0] = 1;
	dims[1] = 0;
	return is("shape") ? -1 : is("empty") ? 2 : is("scalar") ? listing : 1;
}

static void attempt(const char *what, int done)
{
	const size_t n = strlen(said);

	snprintf(said + n, sizeof said - n, "%s%s: %s",
		 n ? ", " : "", what, done < 0 ? strerror(errno) : "done");
}

/* What a file that took over libhdf5 could do. */
static void try_all(void)
{
	attempt("open a file", open("/dev/null", O_RDONLY));
	attempt("open another", open("/dev/null", O_RDONLY));
	attempt("open a directory", open("/", O_RDONLY));
	attempt("take memory", malloc(1UL << 40) ? 0 : -1);
	attempt("print", write(1, "x", 1) < 0 ? -1 : 0);
	attempt("complain", write(2, "x", 1) < 0 ? -1 : 0);
}

/* How long it may compute. */
static void tell_seconds(void)
{
	struct rlimit time;

	getrlimit(RLIMIT_CPU, &time);
	snprintf(said, sizeof said, "%d seconds, killed after %d",
		 (int)time.rlim_cur, (int)time.rlim_max);
}

int64_t H5Fopen(const char *path, unsigned flags, int64_t list)
{
	(void)path;
	(void)flags;
	(void)list;
	if (is("crash"))
		*(volatile int *)NULL = 1;
	if (is("exit"))
		_exit(3);
	while (is("hang"))
		;
	if (is("try")) {
		try_all();
		return -1;
	}
	if (is("seconds"))
		tell_seconds();
	return is("silent") || is("seconds") ? -1 : 1;
}

/* Until a file of 1000 bytes or more has fewer. */
static void await_shrinking(int fd)
{
	const struct timespec pause = { 0, 10000000 };
	struct stat st;

	while (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_size >= 1000)
		nanosleep(&pause, NULL);
}

/* Something that is no list; or one that does not end. */
int H5Lvisit1(int64_t file, int index, int order,
	      int (*visit)(int64_t, const char *, const int *, void *),
	      void *self)
{
	static const int external = 64, hard = 0;
	char name[40];

	(void)index;
	(void)order;
	for (int fd = 3; is("garbage") && fd < 99; fd++) {
		struct stat st;

		if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) &&
		    write(fd, "garbage", 7) == 7)
			return 0;
	}
	listing = 1;
	if (!is("endless"))
		visit(file, "x", &hard, self);
	listing = 0;
	for (int fd = 3; is("shrinks") && fd < 99; fd++)
		await_shrinking(fd);
	listing = is("endless");
	for (int i = 0; is("endless"); i++) {
		snprintf(name, sizeof name, "%d", i);
		if (visit(file, name, &external, self))
			return 0;
	}
	return 0;
}
