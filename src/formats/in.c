/* in.c: a file's first bytes, as many as its reader finds worth having. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/in.h"

bool in_open(struct in *in, const char *path, struct error *err)
{
	const bool standard = strcmp(path, "-") == 0;

	*in = (struct in){
		.path = standard ? "standard input" : path,
		.fd = standard ? STDIN_FILENO
			       : open(path, O_RDONLY | O_CLOEXEC),
	};
	return in->fd >= 0 ||
	       fail_file(err, in->path, "%s", strerror(errno));
}

/* Room for more, up to n bytes in all: twice as much as there is now. */
static bool make_room(struct in *in, size_t n, struct error *err)
{
	const size_t least = 1 << 16, twice = 2 * in->room;
	const size_t room = n < least ? least : twice < least ? least
						: twice < n ? twice : n;
	unsigned char *more = realloc(in->bytes, room);

	if (!more)
		return fail(err, "out of memory");
	in->bytes = more;
	in->room = room;
	return true;
}

bool in_read(struct in *in, size_t n, struct error *err)
{
	while (in->n < n && !in->ended) {
		ssize_t got;

		if (in->n == in->room && !make_room(in, n, err))
			return false;
		got = read(in->fd, in->bytes + in->n, in->room - in->n);
		if (got < 0 && errno == EAGAIN) {
			struct pollfd ready = { in->fd, POLLIN, 0 };

			poll(&ready, 1, -1);
		} else if (got < 0 && errno != EINTR) {
			return fail_file(err, in->path, "%s", strerror(errno));
		}
		in->n += got > 0 ? (size_t)got : 0;
		in->ended = got == 0;
	}
	return true;
}

void in_close(struct in *in)
{
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	free(in->bytes);
}
