/*
 * memory.c: how much memory there is: of this machine, and of the control
 * groups in which this process is (cgroups(7)), version 1 or 2.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "files/input.h"

enum { TEXT = 4096, PATH = 1024 };

size_t physical_memory(void)
{
	const long pages = sysconf(_SC_PHYS_PAGES);

	if (pages < 0)
		return SIZE_MAX;  /* unknown */
	return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* The beginning of a file as text; "": there is none. */
static const char *file_text(const char *path, char text[TEXT])
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t got = read(fd, text, TEXT - 1);

	text[got > 0 ? got : 0] = '\0';
	close(fd);
	return text;
}

/* Behind the first key of lines of text; NULL: none has it. */
static const char *behind(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? at + strlen(key) : NULL;
}

/* A number in text; without one, x. */
static size_t number(const char *text, size_t x)
{
	char *end;
	const size_t n = text ? strtoull(text, &end, 10) : 0;

	return text && end != text ? n : x;
}

/* A version of control groups: where they are, and names of their files. */
struct version {
	const char *in, *line;     /* folder; line of /proc/self/cgroup */
	const char *limit, *usage;
	const char *caches[2];     /* lines of memory.stat: pages of files */
};

static const struct version versions[] = {
	{ "/sys/fs/cgroup", "0::", "memory.max", "memory.current",
	  { "\ninactive_file ", "\nactive_file " } },
	{ "/sys/fs/cgroup/memory", ":memory:", "memory.limit_in_bytes",
	  "memory.usage_in_bytes",
	  { "\ntotal_inactive_file ", "\ntotal_active_file " } },
};

/* What is left in a group; SIZE_MAX: it has no limit. */
static size_t left_in(const struct version *v, const char *group, int n)
{
	char path[PATH], text[TEXT];
	size_t limit, usage, unused = 0;

	snprintf(path, sizeof path, "%s%.*s/%s", v->in, n, group, v->limit);
	limit = number(file_text(path, text), SIZE_MAX);
	if (limit > SIZE_MAX / 4)  /* version 1 has no other word for none */
		return SIZE_MAX;
	snprintf(path, sizeof path, "%s%.*s/%s", v->in, n, group, v->usage);
	usage = number(file_text(path, text), 0);
	/* Pages of files are given back before memory is short */
	snprintf(path, sizeof path, "%s%.*s/memory.stat", v->in, n, group);
	file_text(path, text);
	for (int i = 0; i < 2; i++)
		unused += number(behind(text, v->caches[i]), 0);
	usage -= unused < usage ? unused : usage;
	return usage < limit ? limit - usage : 0;
}

/* The least that is left in the groups of a path, each in the one before. */
static size_t left_in_groups(const struct version *v)
{
	char text[TEXT];
	const char *group = behind(file_text("/proc/self/cgroup", text),
				   v->line);
	size_t least = SIZE_MAX, left;
	int n = group ? (int)strcspn(group, "\n") : 0;

	/* In a container, the path may be that outside: its root then counts */
	for (; n >= 0; n--)
		if (!n || (group[n - 1] != '/' &&
			   (group[n] == '/' || group[n] == '\n'))) {
			left = left_in(v, group ? group : "", n);
			least = left < least ? left : least;
		}
	return least;
}

/* What all groups leave; SIZE_MAX: there is no limit. */
static size_t left_in_all(void)
{
	const size_t a = left_in_groups(&versions[0]);
	const size_t b = left_in_groups(&versions[1]);

	return a < b ? a : b;
}

size_t available_memory(void)
{
	char text[TEXT];
	const char *at = behind(file_text("/proc/meminfo", text),
				"MemAvailable:");
	const size_t free = at ? number(at, 0) << 10 : physical_memory();
	const size_t left = left_in_all();

	return left < free ? left : free;
}

size_t memory_for(size_t size)
{
	return available_memory() / size / 4 * 3;
}

void limit_memory(void)
{
#ifndef SANITIZED  /* whose own memory counts */
	enum { LEAST = 1 << 24 };
	const size_t left = left_in_all();
	struct rlimit data = { 0, 0 };

	getrlimit(RLIMIT_DATA, &data);
	if (left < data.rlim_cur) {
		data.rlim_cur = left > LEAST ? left : LEAST;
		setrlimit(RLIMIT_DATA, &data);
	}
#endif
}
