/* lapack.c: the LAPACK that the system has, in a process of its own. */
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

/* A library that has no place in memory is not absent: that has failed. */
static enum lapack_result find(struct lapack *l)
{
	static const char *const names[] = {
		"liblapack.so.3", "libopenblas.so.0", "liblapack.so", NULL
	};
	void *library = NULL;

	for (size_t i = 0; !library && names[i]; i++) {
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
		if (!library && strstr(dlerror(), "Cannot allocate memory"))
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
 * buffer again and again until it has one. This alone is a question: what then
 * is not to be had all the same is a failure.
 */
static bool has_room(size_t bytes)
{
	const size_t n = LIBRARY_BYTES + bytes;
	void *room = mmap(NULL, n, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED)
		return false;
	munmap(room, n);
	return true;
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
							 : LAPACK_NO_ROOM;

	if (found != LAPACK_DONE)
		return found;
	return work(&l, self, result) ? LAPACK_DONE : LAPACK_FAILED;
}

/*
 * What libraries say of their end is not for posenc's user: what takes nothing
 * stands where they write, and where no other file may then be opened. More
 * threads would take a buffer each, and add up in another order.
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
			s->done = find_and_run(work, self, bytes, s->result);
		_exit(0);
	}
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	done = s->done;
	memcpy(result, s->result, n * sizeof *result);
	munmap(s, size);
	return done;
}
