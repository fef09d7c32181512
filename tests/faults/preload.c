/*
 * preload.c: calls of the C library that fail when a test says so. Preloaded,
 * it reads
 *
 *   FAULT_CALLS   the calls that may fail: "open,write", or "alloc"
 *   FAULT_AT      which of them does, from 1; 0: none
 *   FAULT_EVER    set: all after it, too
 *   FAULT_ERRNO   how; 0: write and read do half of what is asked
 *   FAULT_LOG     where to write, at the end, how many there were and how
 *                 much memory was not freed
 *   FAULT_BREACH  set: the first read tries what a reader has no need to
 *   FAULT_UNBOUND set: nothing is given up, so that gcov may write its notes
 *
 * and needs glibc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void __libc_free(void *p);
int __open_2(const char *path, int flags);
ssize_t __read_chk(int fd, void *to, size_t n, size_t room);

typedef int start(int argc, char **argv, char **env);
typedef int begin(start *main, int argc, char **argv, start *init,
		  void (*fini)(void), void (*rtld)(void), void *stack);
begin __libc_start_main;

static atomic_long calls, live;
static atomic_bool over;  /* the program's part of the run */
static start *tested;
static int log_to = -1;

static long number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : 0;
}

static bool may_fail(const char *call)
{
	const char *list = getenv("FAULT_CALLS");
	const char *at = list ? strstr(list, call) : NULL;
	const size_t n = strlen(call);

	return at && (at == list || at[-1] == ',') &&
	       (at[n] == '\0' || at[n] == ',');
}

/* Whether this call is the one, or one after it. */
static bool fails(const char *call)
{
	long at, now;

	if (over || !may_fail(call))
		return false;
	at = number("FAULT_AT");
	now = atomic_fetch_add(&calls, 1) + 1;
	if (!at || now < at || (now > at && !getenv("FAULT_EVER")))
		return false;
	errno = (int)number("FAULT_ERRNO");
	return true;
}

/* The way to the kernel of all that follows, and of posenc to Landlock. */
long syscall(long number, ...)
{
	typedef long call(long, long, long, long, long, long, long);
	static call *real;
	long a[6];
	va_list args;

	if (number == SYS_landlock_restrict_self && getenv("FAULT_UNBOUND"))
		return 0;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void *counted(void *p)
{
	if (p && !over)
		atomic_fetch_add(&live, 1);
	return p;
}

void *malloc(size_t n)
{
	return fails("alloc") ? NULL : counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	return fails("alloc") ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
	if (fails("alloc"))
		return NULL;
	return p ? __libc_realloc(p, n) : counted(__libc_realloc(p, n));
}

void free(void *p)
{
	if (p && !over)
		atomic_fetch_sub(&live, 1);
	__libc_free(p);
}

static int open_it(const char *path, int flags, int mode)
{
	if (fails("open") || ((flags & O_TMPFILE) == O_TMPFILE &&
			      fails("tmpfile")))
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return open_it(path, flags, mode);
}

int __open_2(const char *path, int flags)
{
	return open_it(path, flags, 0);
}

int close(int fd)
{
	if (fails("close")) {
		const int why = errno;

		syscall(SYS_close, fd);
		errno = why;
		return -1;
	}
	return (int)syscall(SYS_close, fd);
}

static void attempt(const char *what, bool done)
{
	dprintf(2, "%s: %s\n", what, done ? "done" : strerror(errno));
}

/* What whoever had taken over a reader of files would do next. */
static void breach(void)
{
	char *const program[] = { (char []){ "/bin/true" }, NULL };
	const int tcp = socket(AF_INET, SOCK_STREAM, 0);
	const struct sockaddr to = { .sa_family = AF_INET };
	const int fd = open_it("../breach", O_WRONLY | O_CREAT, 0600);

	attempt("write", fd >= 0);
	attempt("truncate", syscall(SYS_truncate, "../victim", 0) == 0);
	attempt("unlink", syscall(SYS_unlink, "../victim") == 0);
	attempt("connect", connect(tcp, &to, sizeof to) == 0 ||
			   errno != EACCES);
	attempt("exec", execv(program[0], program) == 0);
}

ssize_t read(int fd, void *to, size_t n)
{
	if (getenv("FAULT_BREACH")) {
		unsetenv("FAULT_BREACH");
		breach();
	}
	if (fails("read")) {
		if (errno)
			return -1;
		n = (n + 1) / 2;
	}
	return syscall(SYS_read, fd, to, n);
}

ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
	return n > room ? -1 : read(fd, to, n);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	/* Not the sentence about it. */
	if (fd != 2 && fails("write")) {
		if (errno)
			return -1;
		n = (n + 1) / 2;
	}
	return syscall(SYS_write, fd, bytes, n);
}

int fsync(int fd)
{
	return fails("fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	return fails("rename") ? -1
		: (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int linkat(int a, const char *from, int b, const char *to, int flags)
{
	return fails("link") ? -1
		: (int)syscall(SYS_linkat, a, from, b, to, flags);
}

int link(const char *from, const char *to)
{
	return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int fchmod(int fd, mode_t mode)
{
	return fails("fchmod") ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int dup(int fd)
{
	return fails("dup") ? -1 : (int)syscall(SYS_dup, fd);
}

/* Ends of pipes and processes: a guard's. */
int pipe(int ends[2])
{
	return fails("pipe") ? -1 : (int)syscall(SYS_pipe2, ends, 0);
}

static void end(void)
{
	over = true;
}

/* A file of ours where the program has none; it may not open it later. */
static int open_log(const char *path)
{
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, path,
				    O_WRONLY | O_CREAT | O_TRUNC, 0600);
	const int high = fcntl(fd, F_DUPFD_CLOEXEC, 100);

	syscall(SYS_close, fd);
	return high;
}

static int run(int argc, char **argv, char **env)
{
	if (getenv("FAULT_LOG"))
		log_to = open_log(getenv("FAULT_LOG"));
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
	return real(run, argc, argv, init, fini, rtld, stack);
}

__attribute__((destructor)) static void tell(void)
{
	char text[60];
	const int n = snprintf(text, sizeof text, "%ld %ld\n",
			       atomic_load(&calls), atomic_load(&live));

	if (log_to >= 0 && syscall(SYS_write, log_to, text, n) != n)
		abort();
}
