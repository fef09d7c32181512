/* lapack.c: the LAPACK that the system has, in a process of its own. */
#define _DEFAULT_SOURCE  /* MAP_ANONYMOUS */
#include <dlfcn.h>
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

/* A library that has no place in memory is not absent: that has failed. */
static enum lapack_result find(struct lapack *l)
{
	static const char *const names[] = {
		"liblapack.so.3", "libopenblas.so.0", "liblapack.so", NULL
	};
	void *library = NULL;

	for (size_t i = 0; !library && names[i]; i++) {
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
		if (!library && strstr(dlerror(), "memory"))
			return LAPACK_FAILED;
	}
	if (!library)
		return LAPACK_ABSENT;
	/* As POSIX has it. */
	*(void **)&l->dgesdd = dlsym(library, "dgesdd_");
	*(void **)&l->dgelsd = dlsym(library, "dgelsd_");
	/* What has the one has the other. */
	return l->dgelsd ? LAPACK_DONE : LAPACK_ABSENT;
}

/* What the libraries take, beside the work: OpenBLAS's buffer is half of it. */
#define LIBRARY_BYTES (1 << 28)

/*
 * Whether there is memory enough. Asked beforehand, as OpenBLAS asks for its
 * buffer again and again until it has one.
 */
static bool has_room(size_t bytes)
{
	void *volatile room = malloc(LIBRARY_BYTES + bytes);

	free(room);
	return room;
}

/* What both processes see. */
struct shared {
	enum lapack_result done;
	double result[];
};

static enum lapack_result find_and_run(lapack_work *work, const void *self,
				       size_t bytes, double *result)
{
	struct lapack l;
	const enum lapack_result found = has_room(bytes) ? find(&l)
							 : LAPACK_FAILED;

	if (found != LAPACK_DONE)
		return found;
	return work(&l, self, result) ? LAPACK_DONE : LAPACK_FAILED;
}

/*
 * What libraries say of their end is not for posenc's user. More threads would
 * take a buffer each, and add up in another order.
 */
static void begin_process(void)
{
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	setenv("OPENBLAS_NUM_THREADS", "1", 0);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
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
		begin_process();
		s->done = find_and_run(work, self, bytes, s->result);
		_exit(0);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	done = s->done;
	memcpy(result, s->result, n * sizeof *result);
	munmap(s, size);
	return done;
}
