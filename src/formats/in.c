/* in.c: a whole file in memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/in.h"

#define ENDLESS ((size_t)4 << 30)

/* The bytes to make room for at first: all, where the size is known. */
static size_t first_room(int fd, size_t *most)
{
	struct stat st;

	*most = ENDLESS;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return 1 << 16;
	*most = (size_t)-1;
	return (size_t)st.st_size + 1;
}

static bool read_all(struct in *in, int fd, const char *path,
		     struct error *err)
{
	size_t most, room = first_room(fd, &most);

	for (;;) {
		unsigned char *more = realloc(in->bytes, room);
		ssize_t n = 1;

		if (!more)
			return fail(err, "out of memory");
		in->bytes = more;
		while (n && in->n < room) {
			n = read(fd, in->bytes + in->n, room - in->n);
			if (n < 0 && errno != EINTR)
				return fail_file(err, path, "%s",
						 strerror(errno));
			in->n += n > 0 ? (size_t)n : 0;
		}
		if (n == 0)
			return true;
		if (in->n > most)
			return fail_file(err, path, "more than 4 GiB and no "
					 "end in sight");
		room *= 2;
	}
}

bool in_read(struct in *in, const char *path, struct error *err)
{
	const bool standard = strcmp(path, "-") == 0;
	const char *shown = standard ? "standard input" : path;
	const int fd = standard ? STDIN_FILENO
				: open(path, O_RDONLY | O_CLOEXEC);
	bool good;

	*in = (struct in){ 0 };
	if (fd < 0)
		return fail_file(err, shown, "%s", strerror(errno));
	good = read_all(in, fd, shown, err);
	if (!standard)
		close(fd);
	if (!good)
		in_close(in);
	return good;
}

void in_close(struct in *in)
{
	free(in->bytes);
	*in = (struct in){ 0 };
}
