/*
 * preload.c: calls of the C library that fail when a test says so. Preloaded,
 * it reads
 *
 *   FAULT_CALLS   the calls that may fail: "open,write", "alloc"; "dlopen", to
 *                 which a library is then not installed; "getrlimit", whose
 *                 limit is then 0
 *   FAULT_AT      which of them do, from 1: "3", or "3,5"; 0: none
 *   FAULT_EVER    set: all after it, too
 *   FAULT_ERRNO   how; 0: write and read do half of what is asked
 *   FAULT_SWAP    "ONE TWO": instead, these files swap names before the call
 *   FAULT_TOUCH   "FILE": instead, its time becomes the first nanosecond of
 *                 1970 (with FAULT_UNBOUND)
 *   FAULT_KILL    "write": instead, such a call kills the process group
 *   FAULT_LOG     where to write, at the end, how many there were and how
 *                 much memory was not freed
 *   FAULT_TRACE   where to write their names, one a line, as they are made
 *   FAULT_RESERVED set: what disks have free is reserved for root
 *   FAULT_BREACH  set: the first read tries what a reader has no need to;
 *                 "paths": of that, what names a file
 *   FAULT_UNBOUND set: nothing is given up but processor time, so that gcov
 *                 may write its notes
 *
 * and needs glibc. FreeType's HarfBuzz, which it loads if there is one, stays
 * away: it keeps memory to the end, and ends the program where it gets none; so
 * does fontconfig, unless no call may fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload.h"

#ifndef SYS_landlock_restrict_self  /* headers before Linux 5.13 */
#define SYS_landlock_restrict_self 446
#endif

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void __libc_free(void *p);

typedef int start(int argc, char **argv, char **env);
typedef int begin(start *main, int argc, char **argv, start *init,
		  void (*fini)(void), void (*rtld)(void), void *stack);
begin __libc_start_main;

static atomic_long before, live;
static atomic_long *calls = &before;  /* of a run's other processes, too */
static pid_t main_process;
static atomic_bool over;  /* the program's part of the run */
static bool in_hdf5;      /* this process has loaded libhdf5 */
static start *tested;
static int log_to = -1, trace_to = -1;

/* Whether FAULT_AT names the call that is made now. */
static bool is_due(long now)
{
	const char *text = getenv("FAULT_AT");
	char *end;

	for (; text && *text; text = *end ? end + 1 : end) {
		const long at = strtol(text, &end, 10);

		if (at && (now == at || (now > at && getenv("FAULT_EVER"))))
			return true;
	}
	return false;
}

static void trace(const char *call)
{
	char line[30];
	const int n = snprintf(line, sizeof line, "%s\n", call);

	if (trace_to >= 0 && syscall(SYS_write, trace_to, line, n) != n)
		abort();
}

static bool may_fail(const char *call)
{
	const char *list = getenv("FAULT_CALLS");
	const char *at = list ? strstr(list, call) : NULL;
	const size_t n = strlen(call);

	return at && (at == list || at[-1] == ',') &&
	       (at[n] == '\0' || at[n] == ',');
}

/* make cover preloads it into the shells and tools of all tests, too. */
static bool is_posenc(void)
{
	return strcmp(program_invocation_short_name, "posenc") == 0;
}

static bool is_unit_test(void)
{
	return strstr(program_invocation_name, "/tests/");
}

/* Whether the call, instead of failing, comes after a swap of names. */
static bool swaps(void)
{
	const char *names = getenv("FAULT_SWAP");
	char one[200], two[200];

	if (!names || sscanf(names, "%199s %199s", one, two) != 2)
		return false;
	if (syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, two,
		    RENAME_EXCHANGE) != 0)
		abort();
	return true;
}

/* A file changes; the sandbox, which forbids that, must be off. */
static bool touches(void)
{
	const char *path = getenv("FAULT_TOUCH");
	const struct timespec times[2] = { { 0, 1 }, { 0, 1 } };

	if (!path)
		return false;
	if (syscall(SYS_utimensat, AT_FDCWD, path, times, 0) != 0)
		abort();
	return true;
}

static void kills(const char *call)
{
	const char *deadly = getenv("FAULT_KILL");

	if (deadly && strcmp(call, deadly) == 0)
		kill(0, SIGKILL);
}

bool fails(const char *call)
{
	const char *why;

	if (over || !is_posenc() || !may_fail(call))
		return false;
	trace(call);
	if (!is_due(atomic_fetch_add(calls, 1) + 1))
		return false;
	if (swaps() || touches())
		return false;
	kills(call);
	why = getenv("FAULT_ERRNO");
	errno = why ? (int)strtol(why, NULL, 10) : ENOMEM;
	return true;
}

/* The way to the kernel of all that follows, and of posenc's sandbox. */
long syscall(long number, ...)
{
	typedef long call(long, long, long, long, long, long, long);
	static call *real;
	long a[6];
	va_list args;

	if ((number == SYS_landlock_restrict_self || number == SYS_seccomp) &&
	    getenv("FAULT_UNBOUND"))
		return 0;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/*
 * Whether gcov has nothing against a limit: what computes for ever must end, and
 * unit tests that take all memory lift theirs again.
 */
static bool is_harmless(__rlimit_resource_t resource)
{
	return resource == RLIMIT_CPU || is_unit_test();
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *most)
{
	if (getenv("FAULT_UNBOUND") && !is_harmless(resource))
		return 0;
	return (int)syscall(SYS_prlimit64, 0, resource, most, NULL);
}

void *dlopen(const char *name, int flags)
{
	typedef void *call(const char *, int);
	static call *real;

	/* As if it were not installed; dlerror() says so, too */
	if (fails("dlopen") ||
	    (name && (strstr(name, "harfbuzz") || (getenv("FAULT_CALLS") &&
	     strstr(name, "fontconfig")))))
		name = "/none";
	in_hdf5 |= name && strstr(name, "libhdf5");
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	return real(name, flags);
}

static void *counted(void *p)
{
	if (p && !over)
		atomic_fetch_add(&live, 1);
	return p;
}

/*
 * Whether libhdf5 or what it loads asks for memory, thousands of times, in a
 * process that may break.
 */
static bool is_hdf5(void *caller)
{
	Dl_info from;

	return in_hdf5 && !(dladdr(caller, &from) &&
			    strstr(from.dli_fname, "posenc"));
}

/* Whether an allocation fails. */
static bool starves(void *caller)
{
	return !over && is_posenc() && may_fail("alloc") && !is_hdf5(caller) &&
	       fails("alloc");
}

void *malloc(size_t n)
{
	return starves(__builtin_return_address(0))
		? NULL : counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	return starves(__builtin_return_address(0))
		? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
	if (starves(__builtin_return_address(0)))
		return NULL;
	return p ? __libc_realloc(p, n) : counted(__libc_realloc(p, n));
}

/* That of the C library is no call of posenc's, as is_hdf5() tells them. */
char *strdup(const char *text)
{
	const size_t n = strlen(text) + 1;
	char *copy = starves(__builtin_return_address(0))
		? NULL : counted(__libc_malloc(n));

	return copy ? memcpy(copy, text, n) : NULL;
}

void free(void *p)
{
	if (p && !over)
		atomic_fetch_sub(&live, 1);
	__libc_free(p);
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t from)
{
	/* What OpenBLAS does not get it asks for again, for ever: so only the
	   main process lacks memory, unless a test names the call */
	if (fails("mmap") || (getpid() == main_process && fails("alloc")))
		return MAP_FAILED;
	return counted((void *)syscall(SYS_mmap, at, n, protection, flags, fd,
				       from));
}

int munmap(void *p, size_t n)
{
	if (!over)
		atomic_fetch_sub(&live, 1);
	return (int)syscall(SYS_munmap, p, n);
}

static void end(void)
{
	/* The words of a failure, as where FreeType asks for a function that
	   there is not, are freed when they are asked for a second time */
	dlerror();
	dlerror();
	over = true;
}

/* A file of ours where the program has none; it may not open it later. */
static int open_log(const char *path)
{
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, path,
				    O_WRONLY | O_CREAT | O_TRUNC, 0600);
	const int high = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC,
					  100);

	syscall(SYS_close, fd);
	return high;
}

static int run(int argc, char **argv, char **env)
{
	calls = (void *)syscall(SYS_mmap, NULL, sizeof *calls,
				PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*calls = before;
	main_process = getpid();
	if (getenv("FAULT_LOG"))
		log_to = open_log(getenv("FAULT_LOG"));
	if (getenv("FAULT_TRACE"))
		trace_to = open_log(getenv("FAULT_TRACE"));
	atexit(end);
	return tested(argc, argv, env);
}

/* What ends a run, gcov's notes for one, is not the program that is tested. */
int __libc_start_main(start *main, int argc, char **argv, start *init,
		      void (*fini)(void), void (*rtld)(void), void *stack)
{
	begin *real;

	*(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
	tested = main;
	return real(is_posenc() ? run : main, argc, argv, init, fini, rtld,
		    stack);
}

/* The end of a process that is no run: a guard's. Only gcov has a part in it. */
void _exit(int status)
{
	log_to = -1;
	if (is_posenc() && getenv("FAULT_UNBOUND"))
		exit(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

__attribute__((destructor)) static void tell(void)
{
	char text[60];
	const int n = snprintf(text, sizeof text, "%ld %ld\n",
			       atomic_load(calls), atomic_load(&live));

	if (log_to >= 0 && getpid() == main_process &&
	    syscall(SYS_write, log_to, text, n) != n)
		abort();
}
