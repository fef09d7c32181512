/* lapack.c: the system's LAPACK, loaded at run time in a child process. */
#define _DEFAULT_SOURCE  /* MAP_ANONYMOUS */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "table/library.h"
#include "table/process.h"
#include "views/lapack.h"

static bool load(struct lapack *l, struct error *err)
{
	static const char *const names[] = {
		"liblapack.so.3", "libflexiblas.so.3", "libopenblas.so.0",
		"libopenblas.so.3", "liblapack.so", NULL
	};
	/* All have been in LAPACK since version 3.0. */
	static const struct library_function functions[] = {
#define F(name) { #name "_", offsetof(struct lapack, name), NULL }
		F(dgesdd), F(dsyev), F(dposv), F(dpocon), F(dgelsd),
#undef F
		{ NULL, 0, NULL },
	};
	static const struct library library = {
		"liblapack3", names, functions
	};

	return library_load(&library, l, err);
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

/* What both processes share. */
struct shared {
	enum lapack_result done;
	struct error why;
	double result[];
};

/* What the child does. */
struct job {
	lapack_work *work;
	const void *self;
	size_t bytes;
	struct shared *shared;
};

static enum lapack_result load_and_run(const struct job *job)
{
	struct error *why = &job->shared->why;
	struct lapack l;

	if (!has_memory(job->bytes)) {
		fail_memory(why);
		return LAPACK_SKIPPED;
	}
	if (!load(&l, why))
		return why->memory ? LAPACK_FAILED : LAPACK_SKIPPED;
	return !job->work || job->work(&l, job->self, job->shared->result)
		       ? LAPACK_DONE : LAPACK_FAILED;
}

/* One thread only: more would need a buffer each, and add in another order. */
static void run_job(void *self)
{
	const struct job *job = self;

	if (setenv("OPENBLAS_NUM_THREADS", "1", 1) == 0 &&
	    setenv("OMP_NUM_THREADS", "1", 1) == 0)
		job->shared->done = load_and_run(job);
}

enum lapack_result lapack_run(lapack_work *work, const void *self,
			      size_t bytes, double *result, size_t n,
			      struct error *why)
{
	const size_t size = sizeof(struct shared) + n * sizeof *result;
	struct job job = { work, self, bytes, process_share(size) };
	enum lapack_result done;

	if (!job.shared)
		return LAPACK_FAILED;
	job.shared->done = LAPACK_FAILED;
	process_wait(process_start(run_job, &job));
	done = job.shared->done;
	*why = job.shared->why;
	if (n)
		memcpy(result, job.shared->result, n * sizeof *result);
	munmap(job.shared, size);
	return done;
}
