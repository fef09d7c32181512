/* write.c: writes N bytes to a new file, 256 KiB at a time: the limit. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char block[1 << 18];
	long left = argc > 2 ? atol(argv[1]) : 0;
	int fd;

	unlink(argv[2]);
	fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	for (unsigned i = 0; i < sizeof block; i++)
		block[i] = (char)i;
	while (left > 0) {
		size_t n = left < (long)sizeof block ? (size_t)left
						     : sizeof block;
		ssize_t done = write(fd, block, n);

		if (done < 0)
			return 1;
		left -= done;
	}
	return fsync(fd) != 0;
}
