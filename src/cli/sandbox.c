/* sandbox.c: giving up privileges before files are read, by Landlock. */
#define _GNU_SOURCE  /* O_PATH, syscall() */
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/sandbox.h"
#include "cli/seccomp.h"

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
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
	TRUNCATE = 1 << 14,
	FILES = EXECUTE | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_CHAR |
		MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO | MAKE_BLOCK |
		MAKE_SYM | TRUNCATE,
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

/* A ruleset that denies all that this kernel can deny; -1: no Landlock. */
static int create_ruleset(void)
{
	/* Versions 6, 4, 3 and 1: bytes of a ruleset, rights not known. */
	static const struct {
		size_t size;
		uint64_t unknown;
	} versions[] = { { 24, 0 }, { 16, 0 }, { 8, 0 }, { 8, TRUNCATE } };
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
	return fd;
}

/*
 * Whether a file of the folder can be written without a name (O_TMPFILE). Where
 * it can't, another process removes it if this one is killed (guard.c).
 */
static bool has_nameless(int folder)
{
	/* ext2 to ext4, XFS, Btrfs, tmpfs, F2FS */
	static const uint32_t kinds[] = {
		0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010,
	};
	struct statfs fs = { 0 };
	bool has = false;

	fstatfs(folder, &fs);  /* one that is unknown has none */
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		has |= (uint32_t)fs.f_type == kinds[i];
	return has;
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

/* Open the folder of a file that is written, and note what that needs. */
static int open_folder(const char *path, unsigned *needs)
{
	struct place place;
	struct stat st;
	int folder;

	if (!place_open(&place, path, &st))
		place_close(&place);
	folder = place.folder;
	if (folder < 0 && strchr(path, '%'))
		folder = open_common(path);
	*needs |= has_nameless(folder) ? NEEDS_FILES
				       : NEEDS_FILES | NEEDS_PROCESSES;
	return folder;
}

/* Allow to write an output: a device or pipe itself, a file in its folder. */
static void allow(int ruleset, const char *path, unsigned *needs)
{
	struct rule rule = { .allowed = WRITE_FILE };
	struct stat st;

	if (path_descriptor(path) >= 0)
		return;  /* open already */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		rule.fd = open(path, O_PATH | O_CLOEXEC);
	} else {
		rule.fd = open_folder(path, needs);
		rule.allowed |= MAKE_REG | REMOVE_FILE;
	}
	syscall(SYS_landlock_add_rule, ruleset, BENEATH_PATH, &rule, 0);
	if (rule.fd >= 0)
		close(rule.fd);
}

void sandbox_enter(const struct output *outputs, size_t n, bool processes)
{
	unsigned needs = processes ? NEEDS_PROCESSES : 0;
	const int ruleset = create_ruleset();

	for (size_t i = 0; i < n; i++)
		allow(ruleset, outputs[i].path, &needs);
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
