/* input.c: the bytes of a file, from front to back through a window. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "table/table.h"
#include "files/input.h"

enum {
	WINDOW = 1 << 18,
	DEVICE_MOST = 1 << 26,
	WHOLE_MOST = 1 << 30,  /* of what is kept as it can't be read again */
};

/* Set the size of the file and the maximum of bytes to read. */
static bool measure(struct input_file *in)
{
	struct stat st;
	off_t at;

	if (fstat(in->fd, &st) != 0)
		return false;
	in->size = SIZE_MAX;
	in->most = S_ISCHR(st.st_mode) ? DEVICE_MOST : physical_memory();
	at = lseek(in->fd, 0, SEEK_CUR);
	/* Files of /proc have size 0 although they have content. */
	in->seeks = at >= 0 && S_ISREG(st.st_mode) && st.st_size;
	if (in->seeks) {
		in->at = (size_t)at;
		in->size = (size_t)st.st_size;
		in->modified = st.st_mtim;
		in->most = SIZE_MAX;
	}
	return true;
}

bool in_open(struct input_file *in, const char *path, struct error *err)
{
	const bool standard = strcmp(path, "-") == 0;

	*in = (struct input_file){
		.path = standard ? "standard input" : path, .least = WINDOW,
		.fd = standard ? STDIN_FILENO
			       : open(path, O_RDONLY | O_CLOEXEC),
	};
	if (in->fd >= 0 && measure(in))
		return true;
	fail_call(err, in->path);
	in_close(in);
	return false;
}

void in_pipe(struct input_file *in, const char *path, int fd)
{
	*in = (struct input_file){
		.path = path, .fd = fd, .size = SIZE_MAX, .most = SIZE_MAX,
		.least = WINDOW,
	};
}

void in_memory(struct input_file *in, const char *path, unsigned char *bytes,
	       size_t n)
{
	*in = (struct input_file){
		.path = path, .fd = -1, .size = n, .most = SIZE_MAX,
		.bytes = bytes, .n = n, .room = n, .ended = true,
		.whole = true,
	};
}

void in_source(struct input_file *in, const char *path, struct source *s)
{
	*in = (struct input_file){
		.path = path, .fd = -1, .size = SIZE_MAX, .most = SIZE_MAX,
		.least = WINDOW, .source = s,
	};
}

bool in_random(struct input_file *in, struct error *err)
{
	if (in->seeks || in->whole)
		return true;
	if (!in_read(in, WHOLE_MOST + 1, err))
		return false;
	if (!in->ended)
		return fail_file(err, in->path, "a pipe of this format is kept "
				 "in memory, which may take %d MB; expected "
				 "less, or a file ('< FILE')",
				 WHOLE_MOST >> 20);
	in->size = in->n;
	in->whole = true;
	return true;
}

/* Move the window to where its memory begins. */
static void move_back(struct input_file *in)
{
	if (!in->before)
		return;
	memmove(in->bytes - in->before, in->bytes, in->n + 1);
	in->bytes -= in->before;
	in->room += in->before;
	in->before = 0;
}

/*
 * Make room behind the window: where as many bytes were dropped as are moved,
 * so that each is moved once, or in memory of twice the size.
 */
static bool make_room(struct input_file *in, struct error *err)
{
	const bool moves = in->before && in->before >= in->n;
	size_t room;
	unsigned char *more;

	move_back(in);
	if (moves)
		return true;
	room = in->room ? 2 * in->room : in->least;
	memory_expect(room);
	more = realloc(in->bytes, room + 1);
	if (!more)
		return fail_room(err, room + 1, 1);
	in->bytes = more;
	in->room = room;
	return true;
}

/* One read(), repeated after interruptions; 0 at the end, -1 on failure. */
static ssize_t read_some(const struct input_file *in, unsigned char *to,
			 size_t n)
{
	for (;;) {
		const ssize_t got = read(in->fd, to, n);

		if (got >= 0)
			return got;
		if (errno == EAGAIN) {
			struct pollfd ready = { in->fd, POLLIN, 0 };

			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			return -1;
		}
	}
}

bool in_read(struct input_file *in, size_t n, struct error *err)
{
	while (in->n < n && !in->ended) {
		size_t most;
		ssize_t got;

		if (in->n == in->room && !make_room(in, err))
			return false;
		/* A window that was large once is not filled for a few bytes */
		most = n - in->n > WINDOW ? n - in->n : WINDOW;
		most = most < in->room - in->n ? most : in->room - in->n;
		got = in->source ? in->source->read(in->source,
						    in->bytes + in->n, most,
						    err)
				 : read_some(in, in->bytes + in->n, most);
		if (got < 0)
			return fail_call(err, in->path);
		in->n += (size_t)got;
		in->bytes[in->n] = '\0';
		in->ended = got == 0;
		if (in->at + in->n > in->most)
			return fail_file(err, in->path, "input is larger than "
					 "%zu MB", in->most >> 20);
	}
	return true;
}

bool in_more(struct input_file *in, struct error *err)
{
	return in_read(in, in->n + 1, err);
}

bool in_move(struct input_file *in, unsigned char *to, size_t n, size_t *got,
	     struct error *err)
{
	memcpy(to, in->bytes, in->n);
	for (*got = in->n; *got < n && !in->ended;) {
		const ssize_t more = read_some(in, to + *got, n - *got);

		if (more < 0)
			return fail_call(err, in->path);
		in->ended = more == 0;
		*got += (size_t)more;
	}
	in->at += *got;
	in->n = 0;
	move_back(in);
	return true;
}

void in_put_back(struct input_file *in, const unsigned char *bytes, size_t n)
{
	memcpy(in->bytes, bytes, n);
	in->bytes[n] = '\0';
	in->n = n;
	in->at -= n;
}

void in_drop(struct input_file *in, size_t n)
{
	if (!n)
		return;
	in->n -= n;
	in->at += n;
	in->bytes += n;
	in->before += n;
	in->room -= n;
}

bool in_skip(struct input_file *in, size_t at, struct error *err)
{
	size_t n = at - in->at;

	if (in->whole) {
		at = at < in->size ? at : in->size;
		in->bytes += (ptrdiff_t)at - (ptrdiff_t)in->at;
		in->before = at;
		in->n = in->size - at;
		in->at = at;
		return true;
	}
	if (n > in->n && in->seeks) {
		/* No file system has every offset; past the end is the end */
		const size_t to = at < in->size ? at : in->size;

		if (lseek(in->fd, (off_t)to, SEEK_SET) < 0)
			return fail_call(err, in->path);
		in->at = at;
		in->n = 0;
		in->ended = false;
		move_back(in);
		return true;
	}
	while (n > in->n && !in->ended) {
		n -= in->n;
		in_drop(in, in->n);
		if (!in_read(in, 1, err))
			return false;
	}
	in_drop(in, n < in->n ? n : in->n);
	return true;
}

bool in_reach(struct input_file *in, size_t *at, size_t n, struct error *err)
{
	if (in->n - *at >= n)
		return true;
	in_drop(in, *at);
	*at = 0;
	return in_read(in, n, err);
}

const unsigned char *in_take(struct input_file *in, size_t *at, size_t n,
			     const char *within, struct error *err)
{
	if (!in_reach(in, at, n, err))
		return NULL;
	if (in->n - *at < n) {
		fail_file(err, in->path, "ends at byte %zu, within %s",
			  in->at + in->n, within);
		return NULL;
	}
	*at += n;
	return in->bytes + *at - n;
}

bool in_pass(struct input_file *in, size_t *at, size_t n, const char *within,
	     struct error *err)
{
	if (n > in_left(in) - *at)
		return fail_file(err, in->path, "byte %zu: a value ends "
				 "beyond the file", in->at + *at);
	if (n <= in->n - *at) {
		*at += n;
		return true;
	}
	n += *at - 1;
	*at = 0;
	/* Where a pipe or a member ends, its last byte tells */
	return in_skip(in, in->at + n, err) && in_take(in, at, 1, within, err);
}

size_t in_left(const struct input_file *in)
{
	if (in->size == SIZE_MAX)
		return SIZE_MAX;
	return in->size > in->at ? in->size - in->at : 0;
}

bool in_changed(const struct input_file *in, struct error *err)
{
	fail_file(err, in->path, "has changed while it was read");
	err->call = true;
	return false;
}

bool in_unchanged(const struct input_file *in, struct error *err)
{
	struct stat now;

	if (!in->seeks ||
	    (fstat(in->fd, &now) == 0 && (size_t)now.st_size == in->size &&
	     now.st_mtim.tv_sec == in->modified.tv_sec &&
	     now.st_mtim.tv_nsec == in->modified.tv_nsec))
		return true;
	return in_changed(in, err);
}

void in_close(struct input_file *in)
{
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	if (in->fd < 0 && !in->source)
		return;
	if (in->bytes)
		free(in->bytes - in->before);
}
