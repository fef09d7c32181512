/* out.c: where bytes go. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "formats/out.h"

static const char *shown(const struct out *o)
{
	return strcmp(o->path, "-") ? o->path : "standard output";
}

/* Why a file that may be written cannot be replaced. */
static const char *reason(const struct out *o, int why)
{
	/* The target is looked for once the file itself may be written. */
	if (!o->place.replaces || !o->place.target)
		return "";
	return why == EACCES ? "it can't be replaced whole, as its folder "
			       "takes no new file: " :
	       why == EPERM ? "it can't be replaced whole, as it and its "
			      "sticky folder are somebody else's or its "
			      "folder only grows: " : "";
}

bool out_open(struct out *o, const char *path, struct error *err)
{
	*o = (struct out){ .path = path };
	if (!place_open(&o->place, path))
		fail_file(err, shown(o), "%s%s", reason(o, errno),
			  strerror(errno));
	else if (!(o->room = malloc(OUT_ROOM)))
		fail_memory(err);
	if (!o->room)
		out_close(o);
	return o->room;
}

/* What a disk has for the last of n outputs beside what the others need. */
static bool fits_disk(const struct out *outs, size_t n, struct error *err)
{
	const struct out *o = &outs[n - 1];
	double room, taken = 0;
	struct statvfs fs;

	if (fstatvfs(o->place.fd, &fs) != 0 || !fs.f_blocks)
		return true;  /* nobody knows */
	for (size_t i = 0; i + 1 < n; i++)
		if (outs[i].place.is.st_dev == o->place.is.st_dev)
			taken += (double)outs[i].expected;
	room = (double)(geteuid() ? fs.f_bavail : fs.f_bfree) *
	       (double)fs.f_frsize;
	if ((double)o->expected > room - taken)
		return fail_file(err, shown(o), "it needs %zu bytes and its "
				 "disk has %.0f%s", o->expected, room - taken,
				 taken > 0 ? " beside the other outputs" : "");
	return true;
}

bool out_expect(struct out *outs, size_t n, size_t bytes, struct error *err)
{
	struct rlimit most = { .rlim_cur = RLIM_INFINITY };
	struct out *o = &outs[n - 1];

	if (!o->place.regular)
		return true;
	getrlimit(RLIMIT_FSIZE, &most);
	if (bytes > most.rlim_cur)
		return fail_file(err, shown(o), "it needs %zu bytes and the "
				 "limit of files is %zu (ulimit -f)", bytes,
				 (size_t)most.rlim_cur);
	o->expected = bytes;
	return fits_disk(outs, n, err);
}

/* Write all, through interruptions and pipes that do not block. */
static void write_all(struct out *o, const unsigned char *bytes, size_t n)
{
	while (n && !o->err.text[0]) {
		const ssize_t done = write(o->place.fd, bytes, n);

		if (done >= 0) {
			bytes += done;
			n -= (size_t)done;
		} else if (errno == EAGAIN) {
			struct pollfd ready = { o->place.fd, POLLOUT, 0 };

			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			out_fail(o, strerror(errno));
		}
	}
}

static void flush(struct out *o)
{
	write_all(o, o->room, o->used);
	o->used = 0;
}

void out_bytes(struct out *o, const void *bytes, size_t n)
{
	if (n > OUT_ROOM - o->used)
		flush(o);
	if (!o->used && n > OUT_ROOM / 2) {
		write_all(o, bytes, n);
		return;
	}
	memcpy(o->room + o->used, bytes, n);
	o->used += n;
}

void out_text(struct out *o, const char *text)
{
	out_bytes(o, text, strlen(text));
}

void out_format(struct out *o, const char *fmt, ...)
{
	char text[1001];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	out_bytes(o, text, (size_t)n < sizeof text ? (size_t)n
						   : sizeof text - 1);
}

void out_fail(struct out *o, const char *why)
{
	fail_file(&o->err, shown(o), "%s", why);
}

bool out_finish(struct out *o, struct error *err)
{
	flush(o);
	if (!o->err.text[0] && !place_finish(&o->place))
		out_fail(o, strerror(errno));
	if (!o->err.text[0])
		return true;
	*err = o->err;
	return false;
}

static bool publish_all(struct out *outs, size_t n, struct error *err)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i + 1 < n)  /* the last needs no way back */
			place_keep(&outs[i].place);
		if (!place_publish(&outs[i].place))
			break;
	}
	if (i == n)
		return true;
	fail_file(err, shown(&outs[i]), "%s", strerror(errno));
	while (i)
		place_retract(&outs[--i].place);
	return false;
}

bool out_publish(struct out *outs, size_t n, struct error *err)
{
	sigset_t all, before;
	bool good;

	/* Between its two names a file would be left behind. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	good = publish_all(outs, n, err);
	for (size_t i = 0; i < n; i++)
		place_close(&outs[i].place);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return good;
}

void out_close(struct out *o)
{
	place_close(&o->place);
	free(o->room);
	o->room = NULL;
}
