/* calls.c: the calls of files and processes that preload.c makes fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/random.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "preload.h"

int __open_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __fxstatat(int version, int folder, const char *path, struct stat *st,
	       int flags);
int __xstat(int version, const char *path, struct stat *st);
int __fxstat(int version, int fd, struct stat *st);
ssize_t __read_chk(int fd, void *to, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t n, off_t at, size_t room);

static int open_it(int folder, const char *path, int flags, int mode)
{
	if (fails("open") || ((flags & O_TMPFILE) == O_TMPFILE &&
			      fails("tmpfile")))
		return -1;
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return open_it(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return open_it(folder, path, flags, mode);
}

int __open_2(const char *path, int flags)
{
	return open_it(AT_FDCWD, path, flags, 0);
}

int __openat_2(int folder, const char *path, int flags)
{
	return open_it(folder, path, flags, 0);
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

off_t lseek(int fd, off_t at, int from)
{
	return fails("lseek") ? -1 : syscall(SYS_lseek, fd, at, from);
}

static void attempt(const char *what, bool done)
{
	dprintf(2, "%s: %s\n", what, done ? "done" : strerror(errno));
}

/* Attempts on files outside the folders of outputs. */
static void breach_files(void)
{
	struct timespec now[2] = { { 0 } };

	attempt("write", open_it(AT_FDCWD, "../breach", O_WRONLY | O_CREAT, 0600) >= 0);
	attempt("truncate", syscall(SYS_truncate, "../victim", 0) == 0);
	attempt("unlink", syscall(SYS_unlinkat, AT_FDCWD, "../victim", 0) == 0);
	attempt("rename", syscall(SYS_renameat, AT_FDCWD, "../victim", AT_FDCWD,
				  "../moved") == 0);
	attempt("link", syscall(SYS_linkat, AT_FDCWD, "../victim", AT_FDCWD,
				"../second", 0) == 0);
	attempt("mkdir", syscall(SYS_mkdirat, AT_FDCWD, "../made", 0700) == 0);
	attempt("chmod", syscall(SYS_fchmodat, AT_FDCWD, "../victim", 0777, 0) == 0);
	attempt("chown", syscall(SYS_fchownat, AT_FDCWD, "../victim", getuid(),
				 getgid(), 0) == 0);
	attempt("setxattr", syscall(SYS_setxattr, "../victim", "user.breach", "1",
				    1, 0) == 0);
	attempt("utime", syscall(SYS_utimensat, AT_FDCWD, "../victim", now, 0) == 0);
}

/* A device that may be read. */
static void breach_device(void)
{
	const int fd = open_it(AT_FDCWD, "/dev/null", O_RDONLY, 0);

	attempt("device", ioctl(fd, RNDGETENTCNT, &(int){ 0 }) == 0);
}

/* A file that may be read. */
static void breach_open_file(void)
{
	const int fd = open_it(AT_FDCWD, "../victim", O_RDONLY, 0);

	attempt("setflags", ioctl(fd, FS_IOC_SETFLAGS, &(int){ 0 }) == 0);
	attempt("lease", fcntl(fd, F_SETLEASE, F_RDLCK) == 0);
	attempt("flock", syscall(SYS_flock, fd, LOCK_EX) == 0);
	attempt("lock", fcntl(fd, F_SETLK, &(struct flock){
		.l_type = F_RDLCK, .l_whence = SEEK_SET }) == 0);
	attempt("fchmod", syscall(SYS_fchmod, fd, 0777) == 0);
	attempt("fsetxattr", syscall(SYS_fsetxattr, fd, "user.breach", "1", 1,
				     0) == 0);
}

static void breach_network(void)
{
	static const struct {
		const char *name;
		int family, kind;
	} kinds[] = {
		{ "tcp", AF_INET, SOCK_STREAM }, { "udp", AF_INET, SOCK_DGRAM },
		{ "unix", AF_UNIX, SOCK_STREAM }, { "netlink", AF_NETLINK, SOCK_RAW },
	};
	uint64_t words[15] = { 0 };
	int pair[2];

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		attempt(kinds[i].name, socket(kinds[i].family, kinds[i].kind,
					      0) >= 0);
	attempt("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	attempt("connect", connect(0, &(struct sockaddr){ .sa_family = AF_INET },
				   sizeof(struct sockaddr)) == 0);
	attempt("io_uring", syscall(SYS_io_uring_setup, 1, words) >= 0);
}

/* A new process that is started all the same ends at once. */
static bool forks(long call, long a, long b)
{
	const long pid = syscall(call, a, b, 0, 0, 0);

	if (pid == 0)
		syscall(SYS_exit_group, 0);
	return pid > 0;
}

static void breach_programs(void)
{
	char *const program[] = { (char []){ "/bin/true" }, NULL };

	attempt("exec", execv(program[0], program) == 0);
	attempt("execveat", syscall(SYS_execveat, AT_FDCWD, program[0], program,
				    program + 1, 0) == 0);
}

static void breach_processes(void)
{
	struct rlimit most = { RLIM_INFINITY, RLIM_INFINITY };
	uint64_t words[11] = { 0, 0, 0, 0, SIGCHLD };

	attempt("fork", forks(SYS_clone, SIGCHLD, 0));
	attempt("clone3", forks(SYS_clone3, (long)words, sizeof words));
	attempt("kill", kill(getppid(), 0) == 0);
	attempt("tgkill", syscall(SYS_tgkill, getppid(), getppid(), 0) == 0);
	attempt("ptrace", syscall(SYS_ptrace, PTRACE_SEIZE, getppid(), 0, 0) == 0);
	attempt("pidfd", syscall(SYS_pidfd_open, getppid(), 0) >= 0);
	attempt("prlimit", syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, &most,
				   NULL) == 0);
	attempt("setpriority", setpriority(PRIO_PROCESS, (id_t)getppid(), 19) == 0);
	attempt("type", ioctl(0, TIOCSTI, "x") == 0);
	attempt("paste", ioctl(0, TIOCLINUX, "x") == 0);
	attempt("adjtime", adjtimex(&(struct timex){ 0 }) >= 0);
	attempt("unshare", syscall(SYS_unshare, CLONE_NEWUSER) == 0);
}

/* What whoever had taken over a reader of files would do next. */
static void breach(bool paths_only)
{
	breach_files();
	breach_programs();
	breach_device();
	if (paths_only)
		return;
	breach_open_file();
	breach_network();
	breach_processes();
}

/* The first read is the one that is taken over. */
static void begin_read(void)
{
	const char *what = getenv("FAULT_BREACH");
	const bool paths_only = what && strcmp(what, "paths") == 0;

	if (!what)
		return;
	unsetenv("FAULT_BREACH");
	breach(paths_only);
}

ssize_t read(int fd, void *to, size_t n)
{
	begin_read();
	if (fails("read")) {
		if (errno)
			return -1;
		n = (n + 1) / 2;
	}
	return syscall(SYS_read, fd, to, n);
}

ssize_t pread(int fd, void *to, size_t n, off_t at)
{
	if (fails("pread")) {
		if (errno)
			return -1;
		n = (n + 1) / 2;
	}
	return syscall(SYS_pread64, fd, to, n, at);
}

/* What libraries call that are built for large files, such as libhdf5 2. */
ssize_t pread64(int fd, void *to, size_t n, off64_t at)
{
	return pread(fd, to, n, at);
}

ssize_t __pread_chk(int fd, void *to, size_t n, off_t at, size_t room)
{
	return n > room ? -1 : pread(fd, to, n, at);
}

int getc(FILE *in)
{
	begin_read();
	return fgetc(in);
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

int renameat(int a, const char *from, int b, const char *to)
{
	return fails("rename") ? -1
		: (int)syscall(SYS_renameat, a, from, b, to);
}

int linkat(int a, const char *from, int b, const char *to, int flags)
{
	return fails("link") ? -1
		: (int)syscall(SYS_linkat, a, from, b, to, flags);
}

int fchmod(int fd, mode_t mode)
{
	return fails("fchmod") ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int dup(int fd)
{
	return fails("dup") ? -1 : (int)syscall(SYS_dup, fd);
}

int fcntl(int fd, int command, ...)
{
	va_list args;
	long more;

	if (command == F_DUPFD_CLOEXEC && fails("dup"))
		return -1;
	va_start(args, command);
	more = va_arg(args, long);
	va_end(args);
	return (int)syscall(SYS_fcntl, fd, command, more);
}

int fchown(int fd, uid_t owner, gid_t group)
{
	return fails("fchown") ? -1
		: (int)syscall(SYS_fchown, fd, owner, group);
}

ssize_t getxattr(const char *path, const char *name, void *to, size_t n)
{
	return fails("getxattr") ? -1
		: syscall(SYS_getxattr, path, name, to, n);
}

ssize_t listxattr(const char *path, char *to, size_t n)
{
	return fails("listxattr") ? -1
		: syscall(SYS_listxattr, path, to, n);
}

int fremovexattr(int fd, const char *name)
{
	return fails("fremovexattr") ? -1
		: (int)syscall(SYS_fremovexattr, fd, name);
}

int fsetxattr(int fd, const char *name, const void *from, size_t n, int how)
{
	return fails("fsetxattr") ? -1
		: (int)syscall(SYS_fsetxattr, fd, name, from, n, how);
}

int faccessat(int folder, const char *path, int how, int flags)
{
	(void)flags;
	return fails("access") ? -1
		: (int)syscall(SYS_faccessat, folder, path, how);
}

int access(const char *path, int how)
{
	return faccessat(AT_FDCWD, path, how, 0);
}

ssize_t readlinkat(int folder, const char *path, char *to, size_t n)
{
	return fails("readlink") ? -1
		: syscall(SYS_readlinkat, folder, path, to, n);
}

static int stat_it(int folder, const char *path, struct stat *st, int flags)
{
	return (int)syscall(SYS_newfstatat, folder, path, st, flags);
}

int stat(const char *path, struct stat *st)
{
	return fails("stat") ? -1 : stat_it(AT_FDCWD, path, st, 0);
}

int fstatat(int folder, const char *path, struct stat *st, int flags)
{
	/* Without an error, as if another file had taken the name. */
	if (fails("lstat")) {
		if (errno)
			return -1;
		path = "/";
	}
	return stat_it(folder, path, st, flags);
}

int unlinkat(int folder, const char *path, int flags)
{
	return fails("unlink") ? -1
		: (int)syscall(SYS_unlinkat, folder, path, flags);
}

int fstat(int fd, struct stat *st)
{
	return fails("fstat") ? -1 : stat_it(fd, "", st, AT_EMPTY_PATH);
}

/* The same, as programs call them that were built for glibc before 2.33. */
int __xstat(int version, const char *path, struct stat *st)
{
	(void)version;
	return stat(path, st);
}

int __fxstatat(int version, int folder, const char *path, struct stat *st,
	       int flags)
{
	(void)version;
	return fstatat(folder, path, st, flags);
}

int __fxstat(int version, int fd, struct stat *st)
{
	(void)version;
	return fstat(fd, st);
}

int fstatvfs(int fd, struct statvfs *fs)
{
	char self[40];

	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	if (fails("fstatvfs") || statvfs(self, fs) != 0)
		return -1;
	if (getenv("FAULT_RESERVED"))
		fs->f_bavail = 0;
	return 0;
}

/* Root where it is not, and nobody where it is. */
uid_t geteuid(void)
{
	const uid_t us = (uid_t)syscall(SYS_geteuid);

	return fails("geteuid") ? !us : us;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how,
		   void *(*run)(void *), void *arg)
{
	typedef int call(pthread_t *, const pthread_attr_t *,
			 void *(*)(void *), void *);
	static call *real;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return fails("pthread_create") ? errno : real(thread, how, run, arg);
}

pid_t fork(void)
{
	typedef pid_t call(void);
	static call *real;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "fork");
	return fails("fork") ? -1 : real();
}

long sysconf(int name)
{
	typedef long call(int);
	static call *real;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "sysconf");
	return fails("sysconf") ? -1 : real(name);
}

pid_t waitpid(pid_t pid, int *status, int flags)
{
	return fails("waitpid") ? -1
		: (pid_t)syscall(SYS_wait4, pid, status, flags, NULL);
}

int pipe(int ends[2])
{
	return fails("pipe") ? -1 : (int)syscall(SYS_pipe2, ends, 0);
}

/* A limit of nothing. */
int getrlimit(__rlimit_resource_t resource, struct rlimit *most)
{
	const int done = (int)syscall(SYS_prlimit64, 0, resource, NULL, most);

	if (fails("getrlimit"))
		most->rlim_cur = 0;
	return done;
}
