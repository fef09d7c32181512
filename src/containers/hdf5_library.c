/* hdf5_library.c: loading libhdf5, and confining it to one file. */
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "containers/hdf5.h"
#include "containers/hdf5_library.h"
#include "table/library.h"
#include "table/process.h"

enum { DOWNWARD = 1 };  /* the order of errors: the first cause comes last */

/* Debian's names of versions 1.10 to 1.14, others', and those for compilers. */
static const char *const names[] = {
	"libhdf5_serial.so.103", "libhdf5_serial.so.200",
	"libhdf5_serial.so.310", "libhdf5_serial.so.320",
	"libhdf5.so.103", "libhdf5.so.200", "libhdf5.so.310",
	"libhdf5.so.320", "libhdf5_serial.so", "libhdf5.so", NULL
};

/* A function that a version changed is there as H5NAME1, too: H5Lvisit1. */
static const struct library_function functions[] = {
#define F(result, name, arguments)                                            \
	{ "H5" #name, offsetof(struct hdf5, name), "H5" #name "1" },
	FUNCTIONS
#undef F
	{ NULL, 0, NULL },
};

static const struct library library = { "hdf5-tools", names, functions };

/* Before 1.10, hid was an int. */
static bool check_version(struct hdf5 *h, struct error *err)
{
	unsigned *v = h->version;

	if (h->get_libversion(&v[0], &v[1], &v[2]) < 0)
		return fail(err, "does not tell its version");
	return v[0] > 1 || v[1] >= 10 ||
	       fail(err, "version %u.%u.%u is too old", v[0], v[1], v[2]);
}

/* What a user's variables would have libhdf5 load or print. */
static bool clear_environment(void)
{
	/* These names are valid, so that it can't fail */
	unsetenv("HDF5_VOL_CONNECTOR");
	unsetenv("HDF5_DRIVER");
	return setenv("HDF5_PLUGIN_PRELOAD", "::", 1) == 0 &&
	       setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1) == 0;
}

bool hdf5_load(struct hdf5 *h, struct error *err)
{
	return (clear_environment() || fail_memory(err)) &&
	       library_load(&library, h, err) && check_version(h, err);
}

/*
 * Limit a resource, unless it is limited more already. More than last can't be
 * asked for again.
 */
static void limit(int resource, size_t most, size_t last)
{
	const struct rlimit r = { most, last };

	setrlimit(resource, &r);
}

/* Let libhdf5 open one file, and take what no honest file needs more of. */
static void confine(size_t bytes)
{
	enum { SPACE = 1 << 29, SECONDS = 10, PER_SECOND = 1 << 22 };
	const size_t seconds = SECONDS + bytes / PER_SECOND;
	const size_t space = process_space();
	const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const size_t files = (size_t)next + 1;

	close(next);
	signal(SIGXCPU, SIG_DFL);
	limit(RLIMIT_NOFILE, files, files);
	/* At its last second a process is killed, not told why */
	limit(RLIMIT_CPU, seconds, seconds + 1);
	if (space)
		limit(RLIMIT_AS, space + SPACE + 8 * bytes,
		      space + SPACE + 8 * bytes);
}

hid hdf5_open(const struct hdf5 *h, int descriptor, size_t bytes)
{
	char path[40];

	confine(bytes);
	snprintf(path, sizeof path, "/dev/fd/%d", descriptor);
	h->Eset_auto2(0, NULL, NULL);
	h->PLset_loading_state(0);
	h->Lunregister(EXTERNAL);
	return h->Fopen(path, 0, 0);
}

/* The first cause of the last failure. */
struct first_cause {
	const char *text;
	int number;            /* the errno in it, or 0 */
};

static int note_cause(unsigned n, const struct cause *cause, void *self)
{
	static const char key[] = ", errno = ";
	struct first_cause *first = self;
	const char *at = cause->text ? strstr(cause->text, key) : NULL;

	(void)n;
	if (cause->text)
		first->text = cause->text;
	if (at)
		first->number = atoi(at + sizeof key - 1);
	return 0;
}

static struct first_cause first_cause(const struct hdf5 *h)
{
	struct first_cause first = { "no reason given", 0 };

	h->Ewalk2(0, DOWNWARD, note_cause, &first);
	return first;
}

const char *hdf5_cause(const struct hdf5 *h)
{
	const struct first_cause first = first_cause(h);

	/* Around the errno, the text has the time and addresses */
	return first.number ? strerror(first.number) : first.text;
}

bool hdf5_call_failed(const struct hdf5 *h)
{
	return first_cause(h).number != 0;
}
