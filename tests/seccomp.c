/*
 * seccomp.c: which system calls are refused, each called by its number. A
 * filter that was there before gives an error of its own, so that none is
 * carried out.
 */
#define _GNU_SOURCE  /* syscall(), F_SETLEASE */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "cli/sandbox.h"

#if defined __linux__ && !defined SANITIZED && \
	(defined __x86_64__ || defined __aarch64__)
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum {
	ALLOWED = 4000,   /* the error of calls that the filter lets through */
	FIRST_NEW = 424,  /* from Linux 5.1 on */
	LAST = 600,
	OWN = -1,
	ALL = NEEDS_FILES | NEEDS_PROCESSES,
};

static const long never[] = {
	SYS_accept, SYS_accept4, SYS_acct, SYS_add_key, SYS_adjtimex, SYS_bind,
	SYS_bpf, SYS_chroot, SYS_clock_adjtime, SYS_clock_settime, SYS_connect,
	SYS_delete_module, SYS_execve, SYS_execveat, SYS_fanotify_init,
	SYS_fchmodat, SYS_fchownat, SYS_finit_module, SYS_flock,
	SYS_init_module, SYS_ioprio_set, SYS_kexec_file_load, SYS_kexec_load,
	SYS_keyctl, SYS_listen, SYS_lremovexattr, SYS_lsetxattr,
	SYS_migrate_pages, SYS_mknodat, SYS_mount, SYS_move_pages, SYS_mq_open,
	SYS_mq_unlink, SYS_msgctl, SYS_msgget, SYS_msgrcv, SYS_msgsnd,
	SYS_open_by_handle_at, SYS_perf_event_open, SYS_pivot_root,
	SYS_process_vm_readv, SYS_process_vm_writev, SYS_ptrace, SYS_quotactl,
	SYS_reboot, SYS_removexattr, SYS_request_key, SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo, SYS_sched_setaffinity, SYS_sched_setattr,
	SYS_sched_setparam, SYS_sched_setscheduler, SYS_semctl, SYS_semget,
	SYS_semop, SYS_semtimedop, SYS_sendmmsg, SYS_sendmsg, SYS_sendto,
	SYS_setdomainname, SYS_sethostname, SYS_setns, SYS_setpriority,
	SYS_settimeofday, SYS_setxattr, SYS_shmat, SYS_shmctl, SYS_shmget,
	SYS_socket, SYS_socketpair, SYS_swapoff, SYS_swapon, SYS_syslog,
	SYS_tkill, SYS_truncate, SYS_umount2, SYS_unshare, SYS_userfaultfd,
	SYS_utimensat, SYS_vhangup,
#ifdef __x86_64__
	SYS_chmod, SYS_chown, SYS_futimesat, SYS_ioperm, SYS_iopl, SYS_lchown,
	SYS_mknod, SYS_utime, SYS_utimes, SYS_vfork,
#endif
};
static const long for_files[] = {
	SYS_fchmod, SYS_fchown, SYS_fremovexattr, SYS_fsetxattr
};
static const long for_processes[] = {
	SYS_clone, SYS_kill,
#ifdef __x86_64__
	SYS_fork,
#endif
};

static bool has(const long *list, size_t n, long number)
{
	while (n)
		if (list[--n] == number)
			return true;
	return false;
}

/* The error that a call has to end with, of arguments 0. */
static int wanted(long number, unsigned needs)
{
	if (number >= FIRST_NEW)
		return ENOSYS;
	if (has(never, sizeof never / sizeof *never, number) ||
	    number == SYS_tgkill || number == SYS_ioctl)
		return EPERM;
	if (has(for_files, sizeof for_files / sizeof *for_files, number))
		return needs & NEEDS_FILES ? ALLOWED : EPERM;
	if (has(for_processes, sizeof for_processes / sizeof *for_processes,
		number))
		return needs & NEEDS_PROCESSES ? ALLOWED : EPERM;
	return ALLOWED;
}

/* What the process itself needs, and numbers of calls for the kernel alone. */
static bool is_left_out(long number)
{
	return number == SYS_getpid || number == SYS_seccomp ||
	       number == SYS_exit_group ||
	       (number > SYS_rseq && number < FIRST_NEW);
}

/* From here on all calls end with ALLOWED, but those that it needs itself. */
static bool enter_outer(void)
{
	const struct {
		uint16_t code;
		uint8_t yes, no;
		uint32_t value;
	} steps[] = {
		{ 0x20, 0, 0, 0 },  /* the number */
		{ 0x15, 3, 0, SYS_getpid }, { 0x15, 2, 0, SYS_seccomp },
		{ 0x15, 1, 0, SYS_exit_group },
		{ 0x06, 0, 0, 0x00050000 | ALLOWED },
		{ 0x06, 0, 0, 0x7fff0000 },
	};
	const struct {
		unsigned short n;
		const void *steps;
	} program = { sizeof steps / sizeof *steps, steps };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(SYS_seccomp, 1, 0, &program) == 0;
}

/* A call with arguments that matter, and its error. */
struct call {
	long number, first, second;  /* OWN: the process's number */
	int error;
};

static int error_of(const struct call *c)
{
	const long first = c->first == OWN ? getpid() : c->first;

	return syscall(c->number, first, c->second, 0, 0, 0, 0) < 0 ? errno : 0;
}

/* Errors of all calls of arguments 0, then of n others, into shared memory. */
static void call_all(unsigned needs, const struct call *others, size_t n,
		     int *errors)
{
	if (!enter_outer())
		_exit(77);
	seccomp_enter(needs);
	for (long i = 0; i <= LAST; i++)
		errors[i] = is_left_out(i)
			  ? ALLOWED : error_of(&(struct call){ .number = i });
	for (size_t i = 0; i < n; i++)
		errors[LAST + 1 + i] = error_of(&others[i]);
	_exit(0);
}

/* Check them in a process of its own. */
static void check_calls(unsigned needs, const struct call *others, size_t n)
{
	const size_t bytes = (LAST + 1 + n) * sizeof(int);
	int *errors = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child;
	int status;

	assert_ptr_not_equal(errors, MAP_FAILED);
	child = fork();
	if (child == 0)
		call_all(needs, others, n, errors);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
	for (long i = 0; i <= LAST; i++)
		if (errors[i] != wanted(i, needs))
			fail_msg("call %ld, needs %u: error %d, wanted %d", i,
				 needs, errors[i], wanted(i, needs));
	for (size_t i = 0; i < n; i++)
		if (errors[LAST + 1 + i] != others[i].error)
			fail_msg("call %ld(%ld, %ld): error %d, wanted %d",
				 others[i].number, others[i].first,
				 others[i].second, errors[LAST + 1 + i],
				 others[i].error);
	munmap(errors, bytes);
}

static void each_call_is_refused_or_allowed(void **state)
{
	(void)state;
	for (unsigned needs = 0; needs <= ALL; needs++)
		check_calls(needs, NULL, 0);
}

static void arguments_tell_some_apart(void **state)
{
	const long thread = 0x10000;
	const struct call others[] = {
		{ SYS_clone, thread, 0, ALLOWED },
		{ SYS_clone, 0x11, 0, EPERM },
		{ SYS_tgkill, OWN, 0, ALLOWED },
		{ SYS_tgkill, 1, 0, EPERM },
		{ SYS_prlimit64, 0, 0, ALLOWED },
		{ SYS_prlimit64, 1, 0, EPERM },
		/* Whether it is a terminal, and its size */
		{ SYS_ioctl, 0, 0x5401, ALLOWED },
		{ SYS_ioctl, 0, 0x802c542a, ALLOWED },
		{ SYS_ioctl, 0, 0x5413, ALLOWED },
		/* Input as if typed, pasted; flags of a file, and a clone */
		{ SYS_ioctl, 0, 0x5412, EPERM },
		{ SYS_ioctl, 0, 0x541c, EPERM },
		{ SYS_ioctl, 0, 0x40086602, EPERM },
		{ SYS_ioctl, 0, 0x401c5820, EPERM },
		{ SYS_ioctl, 0, 0x40049409, EPERM },
		{ SYS_fcntl, 0, F_DUPFD, ALLOWED },
		{ SYS_fcntl, 0, F_GETFD, ALLOWED },
		{ SYS_fcntl, 0, F_SETFD, ALLOWED },
		{ SYS_fcntl, 0, F_GETFL, ALLOWED },
		{ SYS_fcntl, 0, F_DUPFD_CLOEXEC, ALLOWED },
		{ SYS_fcntl, 0, F_SETPIPE_SZ, ALLOWED },
		{ SYS_fcntl, 0, F_GETPIPE_SZ, ALLOWED },
		{ SYS_fcntl, 0, F_SETFL, EPERM },
		{ SYS_fcntl, 0, F_SETLK, EPERM },
		{ SYS_fcntl, 0, F_SETLKW, EPERM },
		{ SYS_fcntl, 0, F_OFD_SETLK, EPERM },
		{ SYS_fcntl, 0, F_SETLEASE, EPERM },
		{ SYS_fcntl, 0, F_SETOWN, EPERM },
		{ SYS_fcntl, 0, F_SETSIG, EPERM },
		{ SYS_fcntl, 0, F_NOTIFY, EPERM },
#ifdef __x86_64__
		/* Of x32 */
		{ 0x40000000, 0, 0, ENOSYS },
		{ 0x40000000 + SYS_execve, 0, 0, ENOSYS },
#endif
	};

	(void)state;
	check_calls(0, others, sizeof others / sizeof *others);
}
#else
static void each_call_is_refused_or_allowed(void **state)
{
	(void)state;
	skip();
}

static void arguments_tell_some_apart(void **state)
{
	(void)state;
	skip();
}
#endif

UNIT(seccomp,
	TEST(each_call_is_refused_or_allowed),
	TEST(arguments_tell_some_apart)
)
