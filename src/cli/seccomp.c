/* seccomp.c: refusing system calls, by a program of seccomp(2). */
#define _GNU_SOURCE  /* syscall() */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "cli/seccomp.h"

/* Sanitizers start a process that looks at this one when it ends. */
#if defined __linux__ && !defined SANITIZED && \
	(defined __x86_64__ || defined __aarch64__)
#include <sys/syscall.h>

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

/* Of ioctl(): input as if typed, and that of a virtual console. */
enum { TYPE_INPUT = 0x5412, PASTE_INPUT = 0x541c };

/* Calls that are never allowed, unless the run needs them. */
struct call {
	unsigned number;
	unsigned needs;
};

#define NO(name) { SYS_##name, 0 }

static const struct call calls[] = {
	/* Sockets, also those that were open before, and queues of messages */
	NO(socket), NO(socketpair), NO(connect), NO(bind), NO(listen),
	NO(accept), NO(accept4), NO(sendto), NO(sendmsg), NO(sendmmsg),
	NO(msgget), NO(semget), NO(shmget), NO(mq_open),

	/* New processes, and power over others */
	NO(execve), NO(execveat), NO(unshare), NO(setns), NO(ptrace),
	{ SYS_kill, NEEDS_PROCESSES }, NO(tkill), NO(rt_sigqueueinfo),
	NO(rt_tgsigqueueinfo), NO(process_vm_readv), NO(process_vm_writev),
	NO(setpriority), NO(sched_setscheduler), NO(sched_setparam),
	NO(sched_setattr), NO(sched_setaffinity), NO(ioprio_set),
	NO(migrate_pages), NO(move_pages),

	/* Permissions, owners, attributes and times of files */
	NO(fchmodat), NO(fchownat), NO(setxattr), NO(lsetxattr),
	NO(removexattr), NO(lremovexattr), NO(utimensat), NO(mknodat),
	{ SYS_fchmod, NEEDS_FILES }, { SYS_fchown, NEEDS_FILES },
	{ SYS_fsetxattr, NEEDS_FILES }, { SYS_fremovexattr, NEEDS_FILES },

	/* The system, if root runs the program */
	NO(mount), NO(umount2), NO(chroot), NO(swapon), NO(swapoff),
	NO(reboot), NO(init_module), NO(finit_module), NO(delete_module),
	NO(kexec_load), NO(bpf), NO(perf_event_open), NO(keyctl), NO(add_key),
	NO(request_key), NO(clock_settime), NO(settimeofday),
	NO(clock_adjtime), NO(adjtimex), NO(sethostname),
#ifdef __x86_64__
	{ SYS_fork, NEEDS_PROCESSES }, NO(vfork), NO(chmod), NO(chown),
	NO(lchown), NO(utime), NO(utimes), NO(futimesat), NO(mknod), NO(iopl),
	NO(ioperm),
#endif
};

enum { CALLS = sizeof calls / sizeof *calls, STEPS_MOST = CALLS + 40 };

_Static_assert(CALLS < UINT8_MAX, "a jump passes at most 255 steps");

/* An instruction; a comparison skips yes or no of those that follow. */
struct step {
	uint16_t code;
	uint8_t yes, no;
	uint32_t value;
};

struct program {
	unsigned short n;
	struct step *steps;  /* [STEPS_MOST] */
};

static void add(struct program *p, int code, uint32_t value)
{
	p->steps[p->n++] = (struct step){ .code = (uint16_t)code,
					  .value = value };
}

static void add_jump(struct program *p, int code, size_t yes, size_t no,
		     uint32_t value)
{
	p->steps[p->n++] = (struct step){ (uint16_t)code, (uint8_t)yes,
					  (uint8_t)no, value };
}

/* The call of that number is allowed if a test of its first argument agrees. */
static void add_test(struct program *p, unsigned number, int test,
		     uint32_t value)
{
	add_jump(p, EQUAL, 0, 4, number);
	add(p, LOAD, ARGUMENTS);
	add_jump(p, test, 1, 0, value);
	add(p, RETURN, REFUSE);
	add(p, RETURN, ALLOW);
}

/* ioctl() is allowed unless its second argument types into a terminal. */
static void add_ioctl(struct program *p)
{
	add_jump(p, EQUAL, 0, 5, SYS_ioctl);
	add(p, LOAD, ARGUMENTS + 8);
	add_jump(p, EQUAL, 1, 0, TYPE_INPUT);
	add_jump(p, EQUAL, 0, 1, PASTE_INPUT);
	add(p, RETURN, REFUSE);
	add(p, RETURN, ALLOW);
}

/* What is the same for all calls, and the calls of which some are allowed. */
static void add_tests(struct program *p, unsigned needs)
{
	/* Without an argument the kernel would run it for every number at once,
	   which takes several times as long as to install it */
	add(p, LOAD, ARGUMENTS);
	add(p, LOAD, MACHINE);
	add_jump(p, EQUAL, 1, 0, THIS_MACHINE);
	add(p, RETURN, REFUSE);
	add(p, LOAD, NUMBER);
	add_jump(p, AT_LEAST, 0, 1, FIRST_NEW);
	add(p, RETURN, UNKNOWN);
	if (!(needs & NEEDS_PROCESSES))
		add_test(p, SYS_clone, ANY_BIT, THREAD);
	add_test(p, SYS_tgkill, EQUAL, (uint32_t)getpid());
	add_test(p, SYS_prlimit64, EQUAL, 0);
	add_ioctl(p);
}

void seccomp_enter(unsigned needs)
{
	struct step steps[STEPS_MOST];
	struct program p = { 0, steps };
	unsigned refused[CALLS];
	size_t n = 0;

	for (size_t i = 0; i < CALLS; i++)
		if (!(calls[i].needs & needs))
			refused[n++] = calls[i].number;
	add_tests(&p, needs);
	for (size_t i = 0; i < n; i++)
		add_jump(&p, EQUAL, n - i, 0, refused[i]);
	add(&p, RETURN, ALLOW);
	add(&p, RETURN, REFUSE);
	/* The flag keeps the processor as fast as before. It is known since
	   Linux 4.17; Landlock came with 5.13. */
	syscall(SYS_seccomp, SET_FILTER, KEEP_SPECULATION, &p);
}
#else
void seccomp_enter(unsigned needs)
{
	(void)needs;
}
#endif
