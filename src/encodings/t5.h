/* t5.h: what the files of t5-bucket share. */
#ifndef T5_H
#define T5_H

#include "core/pairs.h"
#include "core/recipe.h"

enum t5_emulate { EXACT, TORCH };

struct t5_bucket {
	struct pairs pairs;
	size_t past;
	bool bidirectional, causal;
	size_t num_buckets, max_distance;
	const struct table *table;
	struct range distances;
	bool boundaries;
	int emulate;

	size_t one_way;  /* buckets of one direction */
	double *first;   /* [one_way], the first distance of each */
	double *exact, *torch;  /* the same in either arithmetic */
};

/* Find the first distance of every bucket of a direction. */
bool t5_boundaries(struct t5_bucket *s, struct table *t, struct error *err);

/* The bucket, by such boundaries, of a distance n >= 0 in its direction. */
size_t t5_bucket_of(const struct t5_bucket *s, const double *first, double n);

/* Note in t where the two arithmetics part, for distances a to b from 0 on. */
bool t5_note(const struct t5_bucket *s, struct table *t, double a, double b,
	     struct error *err);

#endif
