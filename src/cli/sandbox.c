/* sandbox.c: giving up privileges before files are read, by Landlock, and by a
   program of seccomp(2). */
#define _GNU_SOURCE  /* O_PATH, syscall() */
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/sandbox.h"

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
/* Headers may be older than the kernel; only Alpha has other numbers */
#if !defined SYS_landlock_create_ruleset && !defined __alpha__
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
#endif

#if defined SYS_landlock_create_ruleset && defined PR_SET_NO_NEW_PRIVS
#include "files/path.h"
#include "files/place.h"

/*
 * The kernel's interface (Documentation/userspace-api/landlock.rst), of which
 * a system's headers may know less than its kernel.
 */
enum {
	EXECUTE = 1 << 0, WRITE_FILE = 1 << 1, REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5, MAKE_CHAR = 1 << 6, MAKE_DIR = 1 << 7,
	MAKE_REG = 1 << 8, MAKE_SOCK = 1 << 9, MAKE_FIFO = 1 << 10,
	MAKE_BLOCK = 1 << 11, MAKE_SYM = 1 << 12,
	TRUNCATE = 1 << 14, IOCTL_DEV = 1 << 15,
	FILES = EXECUTE | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_CHAR |
		MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO | MAKE_BLOCK |
		MAKE_SYM | TRUNCATE | IOCTL_DEV,
	BIND_TCP = 1 << 0, CONNECT_TCP = 1 << 1,
	ABSTRACT_SOCKETS = 1 << 0, SIGNALS = 1 << 1,

	BENEATH_PATH = 1,
};

struct ruleset {
	uint64_t files, net, scopes;  /* denied, except by rules */
};

struct rule {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

/* A ruleset that denies all that this kernel can deny; -1: no Landlock. Those
   of files are in *files. */
static int create_ruleset(uint64_t *files)
{
	/* Versions 6, 5, 4, 3 and 1: bytes of a ruleset, rights not known. */
	static const struct {
		size_t size;
		uint64_t unknown;
	} versions[] = {
		{ 24, 0 }, { 16, 0 }, { 16, IOCTL_DEV }, { 8, IOCTL_DEV },
		{ 8, IOCTL_DEV | TRUNCATE },
	};
	enum { VERSIONS = sizeof versions / sizeof *versions };
	struct ruleset r = {
		.net = BIND_TCP | CONNECT_TCP,
		.scopes = ABSTRACT_SOCKETS | SIGNALS,
	};
	int fd = -1;

	for (size_t i = 0; fd < 0 && i < VERSIONS; i++) {
		r.files = FILES & ~versions[i].unknown;
		fd = (int)syscall(SYS_landlock_create_ruleset, &r,
				  versions[i].size, 0);
	}
	*files = r.files;
	return fd;
}

/* Open the folder that those of all frames are in, of "run%d/a.png". */
static int open_common(const char *path)
{
	size_t n = strcspn(path, "%");
	char common[PATH_MAX + 1];

	while (n && path[n - 1] != '/')
		n--;
	snprintf(common, sizeof common, "%.*s.", (int)n, path);
	return open(common, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Open the folder of a file that is written. */
static int open_folder(const char *path)
{
	struct place place;
	struct stat st;

	if (!place_open(&place, path, &st))
		place_close(&place);
	return place.folder < 0 && strchr(path, '%') ? open_common(path)
						     : place.folder;
}

/* Allow to write an output: a device or pipe itself, a file in its folder. */
static void allow(int ruleset, uint64_t files, const char *path,
		  unsigned *needs)
{
	struct rule rule = { .allowed = WRITE_FILE };
	struct stat st;

	if (path_descriptor(path) >= 0)
		return;  /* open already */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		rule.fd = open(path, O_PATH | O_CLOEXEC);
		rule.allowed |= files & IOCTL_DEV;  /* for isatty() */
	} else {
		rule.fd = open_folder(path);
		*needs |= NEEDS_FILES;
		rule.allowed |= MAKE_REG | REMOVE_FILE;
	}
	syscall(SYS_landlock_add_rule, ruleset, BENEATH_PATH, &rule, 0);
	if (rule.fd >= 0)
		close(rule.fd);
}

void sandbox_enter(const struct output *outputs, size_t n, bool processes)
{
	unsigned needs = processes ? NEEDS_PROCESSES : 0;
	uint64_t files;
	const int ruleset = create_ruleset(&files);

	for (size_t i = 0; i < n; i++)
		allow(ruleset, files, outputs[i].path, &needs);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_landlock_restrict_self, ruleset, 0);
	if (ruleset >= 0)
		close(ruleset);
	seccomp_enter(needs);
}
#else
void sandbox_enter(const struct output *outputs, size_t n, bool processes)
{
	(void)outputs;
	(void)n;
	(void)processes;
}
#endif

/* Sanitizers start a process that looks at this one when it ends. */
#if defined __linux__ && !defined SANITIZED && \
	(defined __x86_64__ || defined __aarch64__)

/*
 * The kernel's interface (Documentation/userspace-api/seccomp_filter.rst and
 * linux/bpf_common.h), whose headers not every system has.
 */
enum {
	LOAD = 0x20, EQUAL = 0x15, AT_LEAST = 0x35, ANY_BIT = 0x45,
	RETURN = 0x06,

	NUMBER = 0, MACHINE = 4, ARGUMENTS = 16,  /* offsets to load from */

	SET_FILTER = 1, KEEP_SPECULATION = 1 << 2,
};

enum {
	ALLOW = 0x7fff0000,
	REFUSE = 0x00050000 | 1,    /* EPERM */
	UNKNOWN = 0x00050000 | 38,  /* ENOSYS: libraries then call older ones */
};

#ifdef __x86_64__
#define THIS_MACHINE 0xc000003eu
#else
#define THIS_MACHINE 0xc00000b7u
#endif

/*
 * Calls since Linux 5.1, which have these numbers on every machine, io_uring,
 * clone3 and fchmodat2 among them. No library relies on them. Those of x32, a
 * second numbering on x86-64, begin at 2^30.
 */
enum { FIRST_NEW = 424, THREAD = 0x10000 };

/* Calls that are never allowed, unless the run needs them. */
struct call {
	unsigned number;
	unsigned needs;
};

#define NO(name) { SYS_##name, 0 }

static const struct call calls[] = {
	/* Sockets, also those that were open before */
	NO(socket), NO(socketpair), NO(connect), NO(bind), NO(listen),
	NO(accept), NO(accept4), NO(sendto), NO(sendmsg), NO(sendmmsg),

	/* Queues of messages, semaphores, memory that processes share */
	NO(msgget), NO(msgsnd), NO(msgrcv), NO(msgctl), NO(semget), NO(semop),
	NO(semtimedop), NO(semctl), NO(shmget), NO(shmat), NO(shmctl),
	NO(mq_open), NO(mq_unlink),

	/* New processes, and power over others */
	NO(execve), NO(execveat), NO(unshare), NO(setns), NO(ptrace),
	{ SYS_kill, NEEDS_PROCESSES }, NO(tkill), NO(rt_sigqueueinfo),
	NO(rt_tgsigqueueinfo), NO(process_vm_readv), NO(process_vm_writev),
	NO(setpriority), NO(sched_setscheduler), NO(sched_setparam),
	NO(sched_setattr), NO(sched_setaffinity), NO(ioprio_set),
	NO(migrate_pages), NO(move_pages), NO(userfaultfd),

	/* Locks, sizes, permissions, owners, attributes and times of files */
	NO(flock), NO(truncate), NO(open_by_handle_at), NO(fanotify_init),
	NO(fchmodat), NO(fchownat), NO(setxattr), NO(lsetxattr),
	NO(removexattr), NO(lremovexattr), NO(utimensat), NO(mknodat),
	{ SYS_fchmod, NEEDS_FILES }, { SYS_fchown, NEEDS_FILES },
	{ SYS_fsetxattr, NEEDS_FILES }, { SYS_fremovexattr, NEEDS_FILES },

	/* The system, if root runs the program */
	NO(mount), NO(umount2), NO(chroot), NO(swapon), NO(swapoff),
	NO(pivot_root), NO(quotactl), NO(acct), NO(syslog), NO(vhangup),
	NO(reboot), NO(init_module), NO(finit_module), NO(delete_module),
	NO(kexec_load), NO(kexec_file_load), NO(bpf), NO(perf_event_open),
	NO(keyctl), NO(add_key), NO(request_key), NO(clock_settime),
	NO(settimeofday), NO(clock_adjtime), NO(adjtimex), NO(sethostname),
	NO(setdomainname),
#ifdef __x86_64__
	{ SYS_fork, NEEDS_PROCESSES }, NO(vfork), NO(chmod), NO(chown),
	NO(lchown), NO(utime), NO(utimes), NO(futimesat), NO(mknod), NO(iopl),
	NO(ioperm),
#endif
};

enum { CALLS = sizeof calls / sizeof *calls };

_Static_assert(CALLS < UINT8_MAX, "a jump passes at most 255 steps");

/* Calls that are allowed where an argument has one of these values, or bits. */
struct exception {
	unsigned number, needs;  /* as those of a call */
	uint8_t argument;
	uint16_t test;
	uint8_t n;
	uint32_t values[7];
};

enum { EXCEPTION_STEPS = 4 + 7 };

/* An instruction; a comparison skips yes or no of those that follow. */
struct step {
	uint16_t code;
	uint8_t yes, no;
	uint32_t value;
};

#define STEP(code, value) { code, 0, 0, value }

/* The steps of an exception; how many there are. */
static size_t put_exception(struct step *to, const struct exception *e)
{
	const struct step begin[] = {
		{ EQUAL, 0, (uint8_t)(e->n + 3), e->number },
		STEP(LOAD, ARGUMENTS + 8u * e->argument),
	}, end[] = { STEP(RETURN, REFUSE), STEP(RETURN, ALLOW) };

	memcpy(to, begin, sizeof begin);
	for (uint8_t i = 0; i < e->n; i++)
		to[2 + i] = (struct step){ e->test, (uint8_t)(e->n - i), 0,
					   e->values[i] };
	memcpy(to + 2 + e->n, end, sizeof end);
	return e->n + 4u;
}

void seccomp_enter(unsigned needs)
{
	const struct exception exceptions[] = {
		{ SYS_tgkill, 0, 0, EQUAL, 1, { (uint32_t)getpid() } },
		{ SYS_prlimit64, 0, 0, EQUAL, 1, { 0 } },
		{ SYS_clone, NEEDS_PROCESSES, 0, ANY_BIT, 1, { THREAD } },
		/* TCGETS and TCGETS2, for isatty(), and TIOCGWINSZ */
		{ SYS_ioctl, 0, 1, EQUAL, 3, { 0x5401, 0x802c542a, 0x5413 } },
		/* Neither locks and leases nor signals to others */
		{ SYS_fcntl, 0, 1, EQUAL, 7,
		  { F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL,
		    F_GETPIPE_SZ, F_SETPIPE_SZ } },
	};
	enum { EXCEPTIONS = sizeof exceptions / sizeof *exceptions };
	const struct step begin[] = {
		/* Without an argument the kernel would run it for every number
		   at once, which takes several times as long as to install */
		STEP(LOAD, ARGUMENTS), STEP(LOAD, MACHINE),
		{ EQUAL, 1, 0, THIS_MACHINE }, STEP(RETURN, REFUSE),
		STEP(LOAD, NUMBER),
		{ AT_LEAST, 0, 1, FIRST_NEW }, STEP(RETURN, UNKNOWN),
	};
	enum { BEGIN = sizeof begin / sizeof *begin };
	struct step steps[BEGIN + EXCEPTION_STEPS * EXCEPTIONS + CALLS + 2];
	struct { unsigned short n; struct step *steps; } program = { 0, steps };
	size_t n = BEGIN, left = 0;

	memcpy(steps, begin, sizeof begin);
	for (size_t i = 0; i < EXCEPTIONS; i++)
		if (!(exceptions[i].needs & needs))
			n += put_exception(steps + n, &exceptions[i]);
	for (size_t i = 0; i < CALLS; i++)
		left += !(calls[i].needs & needs);
	for (size_t i = 0; i < CALLS; i++)
		if (!(calls[i].needs & needs))
			steps[n++] = (struct step){ EQUAL, (uint8_t)left--, 0,
						    calls[i].number };
	steps[n++] = (struct step)STEP(RETURN, ALLOW);
	steps[n++] = (struct step)STEP(RETURN, REFUSE);
	program.n = (unsigned short)n;
	/* The flag keeps the processor as fast as before. It is known since
	   Linux 4.17; Landlock came with 5.13. */
	syscall(SYS_seccomp, SET_FILTER, KEEP_SPECULATION, &program);
}
#else
void seccomp_enter(unsigned needs)
{
	(void)needs;
}
#endif
