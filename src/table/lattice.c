/* lattice.c: which cell of an image or a video a row stands for. */
#include <stdint.h>
#include <string.h>

#include "table/lattice.h"

struct lattice lattice_of(const size_t *size, size_t n)
{
	return (struct lattice){
		.height = size[0], .width = size[1],
		.frames = n > 2 ? size[2] : 1,
	};
}

struct grid_cell lattice_cell(const struct lattice *l, size_t i)
{
	const size_t n = l->height * l->width, merge = l->merge ? l->merge : 1;
	const size_t frame = l->pixels ? i % l->frames : i / n;
	const size_t in_frame = l->pixels ? i / l->frames : i % n;
	const size_t block = in_frame / (merge * merge);
	const size_t in_block = in_frame % (merge * merge);
	const size_t across = l->width / merge;

	return (struct grid_cell){
		frame, block / across * merge + in_block / merge,
		block % across * merge + in_block % merge,
	};
}

size_t lattice_size(const struct lattice *l, char along)
{
	return along == 'y' ? l->height : along == 'x' ? l->width
	       : along == 't' ? l->frames : 1;
}

size_t cell_at(const struct grid_cell *at, char along)
{
	return along == 'y' ? at->row : along == 'x' ? at->column
	       : along == 't' ? at->frame : 0;
}

size_t lattice_index(const struct lattice *l, size_t row)
{
	struct grid_cell at;

	if (row < l->before || row - l->before >= lattice_cells(l))
		return SIZE_MAX;
	at = lattice_cell(l, row - l->before);
	return (at.frame * l->height + at.row) * l->width + at.column;
}

bool lattice_merges(const struct lattice *l, const char *of, const char *size,
		    struct error *err)
{
	return !l->merge ||
	       (l->height % l->merge == 0 && l->width % l->merge == 0) ||
	       fail(err, "--merge must divide the rows and columns of %s "
		    "%.60s, got %zu", of, size, l->merge);
}

size_t lattice_order(const char *text, const char *letters, char *along,
		     size_t most)
{
	for (size_t n = 0; n < most && *text && strchr(letters, *text);
	     text += 2) {
		along[n++] = *text;
		if (!text[1])
			return n;
		if (text[1] != ',')
			break;
	}
	return 0;
}
