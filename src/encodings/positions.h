/* positions.h: what the files of posenc positions share. */
#ifndef POSITION_IDS_H
#define POSITION_IDS_H

#include "recipe/recipe.h"

/* The coordinate of a row of the table: time, row or column. */
enum ids_axis { IDS_T, IDS_H, IDS_W, IDS_AXES };

/* How a video's frames move the time on. */
enum ids_time { TIME_INDEX, TIME_SECONDS, TIME_NONE };

/* A text, an image or a video of a sequence. */
struct part {
	double size[IDS_AXES]; /* tokens along each axis; of a text 1, 1, n */
	bool text;             /* all axes count its tokens */
	float seconds, rate;   /* frame t is at t * seconds * rate */
	double token, next;    /* its first token, and that one's position */
};

struct position_ids {
	const char *sequence;
	struct list ids, cu_seqlens;
	struct extents grid;
	size_t merge;
	struct pick time;
	struct list seconds;
	struct integer padding_idx, start, at_padding;
	size_t past, batch;

	/* Computed from the options. */
	struct part *parts;
	size_t part_count;
	struct lattice lattice; /* of --grid */
	double first;          /* position of a document's first token */
};

/* Make t [3, tokens], the positions of --sequence. */
bool ids_of_sequence(struct position_ids *s, struct table *t,
		     struct error *err);

/* Set the type and bounds of positions up to the greatest, hi. */
void ids_bounds(struct table *t, double hi);

#endif
