/* output.c: buffered writing to files, pipes and devices. */
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

#include "files/output.h"

const char *out_shown(const struct output_file *o)
{
	return strcmp(o->path, "-") ? o->path : "standard output";
}

bool out_fail_target(const struct output_file *o, struct error *err)
{
	const char *why = o->target.why;

	return fail_file(err, out_shown(o), "%s%s%s", why ? why : "",
			 why ? ": " : "", strerror(errno));
}

bool out_open(struct output_file *o, const char *path, struct error *err)
{
	*o = (struct output_file){ .path = path };
	if (!target_open(&o->target, path))
		out_fail_target(o, err);
	else if (!(o->buffer = malloc(OUT_BUFFER)))
		fail_memory(err);
	if (!o->buffer)
		out_close(o);
	return o->buffer;
}

/* Fail if the disk has no space for the last of n outputs and the others. */
static bool fits_disk(const struct output_file *outs, size_t n,
		      struct error *err)
{
	const struct output_file *o = &outs[n - 1];
	double room, taken = 0;
	struct statvfs fs;

	if (fstatvfs(o->target.fd, &fs) != 0 || !fs.f_blocks)
		return true;  /* unknown */
	for (size_t i = 0; i + 1 < n; i++)
		if (outs[i].target.is.st_dev == o->target.is.st_dev)
			taken += (double)outs[i].expected;
	room = (double)(geteuid() ? fs.f_bavail : fs.f_bfree) *
	       (double)fs.f_frsize;
	if ((double)o->expected > room - taken)
		return fail_file(err, out_shown(o),
				 "not enough disk space: %zu bytes needed, "
				 "%.0f available%s", o->expected, room - taken,
				 taken > 0 ? " beside the other outputs" : "");
	return true;
}

bool out_expect(struct output_file *outs, size_t n, size_t bytes,
		struct error *err)
{
	struct rlimit most = { .rlim_cur = RLIM_INFINITY };
	struct output_file *o = &outs[n - 1];

	if (!o->target.regular)
		return true;
	getrlimit(RLIMIT_FSIZE, &most);
	if (bytes > most.rlim_cur)
		return fail_file(err, out_shown(o), "file too large: %zu bytes "
				 "needed, %zu allowed (ulimit -f)", bytes,
				 (size_t)most.rlim_cur);
	o->expected = bytes;
	return fits_disk(outs, n, err);
}

bool out_write_all(int fd, const void *bytes, size_t n)
{
	const unsigned char *from = bytes;

	while (n) {
		const ssize_t done = write(fd, from, n);

		if (done >= 0) {
			from += done;
			n -= (size_t)done;
		} else if (errno == EAGAIN) {
			struct pollfd ready = { fd, POLLOUT, 0 };

			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

/* Write to the file, unless something has failed. */
static void write_out(struct output_file *o, const unsigned char *bytes,
		      size_t n)
{
	if (!o->err.text[0] && !out_write_all(o->target.fd, bytes, n))
		out_fail(o, strerror(errno));
}

static void flush(struct output_file *o)
{
	write_out(o, o->buffer, o->used);
	o->used = 0;
}

void out_bytes(struct output_file *o, const void *bytes, size_t n)
{
	if (o->see)
		o->see(o->self, bytes, n);
	if (n > OUT_BUFFER - o->used)
		flush(o);
	if (!o->used && n > OUT_BUFFER / 2) {
		write_out(o, bytes, n);
		return;
	}
	memcpy(o->buffer + o->used, bytes, n);
	o->used += n;
}

void out_text(struct output_file *o, const char *text)
{
	out_bytes(o, text, strlen(text));
}

void out_format(struct output_file *o, const char *fmt, ...)
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

void out_fail(struct output_file *o, const char *why)
{
	fail_file(&o->err, out_shown(o), "%s", why);
}

bool out_finish(struct output_file *o, struct error *err)
{
	flush(o);
	if (!o->err.text[0] && !target_finish(&o->target))
		out_fail_target(o, &o->err);
	if (!o->err.text[0])
		return true;
	*err = o->err;
	return false;
}

/* All or, as far as older files can be restored, none. */
static bool name_all(struct output_file *outs, size_t n, struct error *err)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i + 1 < n)  /* the last is never retracted */
			target_keep(&outs[i].target);
		if (!target_publish(&outs[i].target))
			break;
	}
	if (i == n)
		return true;
	out_fail_target(&outs[i], err);
	while (i)
		target_retract(&outs[--i].target);
	return false;
}

bool out_publish(struct output_file *outs, size_t n, struct error *err)
{
	sigset_t all, before;
	bool good;

	/* A signal between link and rename would leave a temporary name. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	good = name_all(outs, n, err);
	for (size_t i = 0; good && i < n; i++) {
		good = target_sync(&outs[i].target);
		if (!good)
			out_fail_target(&outs[i], err);
	}
	while (n)
		target_close(&outs[--n].target);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return good;
}

void out_close(struct output_file *o)
{
	target_close(&o->target);
	free(o->buffer);
	o->buffer = NULL;
}
