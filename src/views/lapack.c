/* lapack.c: the system's LAPACK, loaded at run time in a child process. */
#define _DEFAULT_SOURCE  /* MAP_ANONYMOUS */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "views/lapack.h"

#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

/* A library that does not fit into memory has failed; it is not absent. */
static enum lapack_result load(struct lapack *l)
{
	static const char *const names[] = {
		"liblapack.so.3", "libflexiblas.so.3", "libopenblas.so.0",
		"libopenblas.so.3", "liblapack.so", NULL
	};
	void *library = NULL;

	for (size_t i = 0; !library && names[i]; i++) {
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
		if (!library && strstr(dlerror(), "Cannot allocate memory"))
			return LAPACK_FAILED;
	}
	if (!library)
		return LAPACK_ABSENT;
	/* POSIX defines this conversion of dlsym() */
	*(void **)&l->dgesdd = dlsym(library, "dgesdd_");
	*(void **)&l->dsyev = dlsym(library, "dsyev_");
	*(void **)&l->dposv = dlsym(library, "dposv_");
	*(void **)&l->dpocon = dlsym(library, "dpocon_");
	*(void **)&l->dgelsd = dlsym(library, "dgelsd_");
	/* All have been in LAPACK since version 3.0. */
	return l->dgelsd ? LAPACK_DONE : LAPACK_ABSENT;
}

/* Memory of the libraries themselves; half of it is OpenBLAS's buffer. */
#define LIBRARY_BYTES (1 << 28)

/*
 * Whether there is enough memory. Tested first, because OpenBLAS retries for
 * ever to allocate its buffer. Memory that runs out later is a failure.
 */
static bool has_memory(size_t bytes)
{
	const size_t n = LIBRARY_BYTES + bytes;
	void *memory = mmap(NULL, n, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	munmap(memory, n);
	return true;
}

/* Memory that both processes share. */
struct shared {
	enum lapack_result done;
	double result[];
};

static enum lapack_result load_and_run(lapack_work *work, const void *self,
				       size_t bytes, double *result)
{
	struct lapack l;
	const enum lapack_result loaded =
		has_memory(bytes) ? load(&l) : LAPACK_NO_MEMORY;

	if (loaded != LAPACK_DONE || !work)
		return loaded;
	return work(&l, self, result) ? LAPACK_DONE : LAPACK_FAILED;
}

/*
 * Discard what the libraries print when they fail: both descriptors refuse
 * writes, and stay taken so that no other file gets them. One thread only:
 * more would need a buffer each, and add in another order.
 */
static bool begin_process(void)
{
	int null;

	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	null = open("/dev/null", O_RDONLY);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	return setenv("OPENBLAS_NUM_THREADS", "1", 1) == 0 &&
	       setenv("OMP_NUM_THREADS", "1", 1) == 0;
}

enum lapack_result lapack_run(lapack_work *work, const void *self,
			      size_t bytes, double *result, size_t n)
{
	const size_t size = sizeof(struct shared) + n * sizeof *result;
	struct shared *s = mmap(NULL, size, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	enum lapack_result done;
	pid_t child;

	if (s == MAP_FAILED)
		return LAPACK_FAILED;
	s->done = LAPACK_FAILED;
	child = fork();
	if (child == 0) {
		if (begin_process())
			s->done = load_and_run(work, self, bytes, s->result);
		_exit(0);
	}
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	done = s->done;
	if (n)
		memcpy(result, s->result, n * sizeof *result);
	munmap(s, size);
	return done;
}
