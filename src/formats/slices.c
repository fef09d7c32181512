/* slices.c: rows that are slices of one vector, without making them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/slices.h"

enum {
	CHUNK = 64,
	ROOM = 1 << 18,
	MOST = 1 << 22,  /* diagonals worth their memory */
};

/* The numbers of one plane's diagonals, each made into bytes once. */
struct slices {
	const struct rows *r;
	char *bytes;       /* room for all; what is not used costs nothing */
	uint32_t *offset;  /* [n + 1], where each begins; NULL: evenly apart */
	size_t n;          /* rows - 1 + cols */
	char *room;        /* [ROOM], for rows that wait to be taken */
	size_t used;
};

static size_t offset(const struct slices *s, size_t k)
{
	return s->offset ? s->offset[k] : k * s->r->number_room;
}

/* Numbers first to first + n - 1, with a comma after each if any. */
static size_t make_some(const struct slices *s, size_t plane, size_t first,
			size_t n, char *to)
{
	const struct rows *r = s->r;
	const struct table *t = r->t;
	double x[CHUNK];
	float f[CHUNK];
	char *at = to;

	t->diagonals(t, plane, first, n, x);
	if (!r->numbers) {
		dtype_store(t->dtype, x, n, to);
		return n * r->number_room;
	}
	for (size_t i = 0; i < n; i++) {
		const struct numbers one = {
			.f = t->dtype == F32 ? f + i : NULL, .d = x + i,
		};

		x[i] = dtype_round(t->dtype, x[i]);
		f[i] = t->dtype == F32 ? (float)x[i] : 0;
		if (s->offset)
			s->offset[first + i] = (uint32_t)(at - s->bytes);
		at += r->numbers(r, one, 1, at);
		if (r->comma)
			*at++ = ',';
	}
	return (size_t)(at - to);
}

/* Make all numbers of a plane. */
static void make_plane(struct slices *s, size_t plane)
{
	size_t used = 0;

	for (size_t k = 0; k < s->n; k += CHUNK) {
		const size_t n = s->n - k < CHUNK ? s->n - k : CHUNK;

		used += make_some(s, plane, k, n, s->bytes + used);
	}
	if (s->offset)
		s->offset[s->n] = (uint32_t)used;
}

static bool drain(struct slices *s, rows_taker *take, void *taker)
{
	const size_t n = s->used;

	s->used = 0;
	return !n || take(taker, (unsigned char *)s->room, n);
}

/* Row i to the room, or at once where it is worth a write by itself. */
static bool give_row(struct slices *s, size_t i, rows_taker *take, void *taker)
{
	const struct rows *r = s->r;
	const struct table *t = r->t;
	const size_t first = t->rows - 1 - i % t->rows;
	const size_t from = offset(s, first);
	const size_t n = offset(s, first + t->cols) - from - r->comma;
	const size_t around = r->before_room + strlen(r->after);

	if (ROOM - s->used < n + around && !drain(s, take, taker))
		return false;
	s->used += row_begin(r, i, s->room + s->used);
	if (n + around > (around ? ROOM / 2 : ROOM / 8)) {
		if (!drain(s, take, taker) ||
		    !take(taker, (unsigned char *)s->bytes + from, n))
			return false;
	} else {
		memcpy(s->room + s->used, s->bytes + from, n);
		s->used += n;
	}
	s->used += row_end(r, s->room + s->used);
	return true;
}

static void give_all(struct slices *s, rows_taker *take, void *taker,
		     struct progress *progress)
{
	const struct table *t = s->r->t;

	for (size_t i = t->begin; i < t->end; i++) {
		if (i == t->begin || i % t->rows == 0)
			make_plane(s, i / t->rows);
		if (!give_row(s, i, take, taker))
			return;
		progress_show(progress, i - t->begin);
	}
	drain(s, take, taker);
}

bool slices_pay(const struct table *t)
{
	const double diagonals = (double)(t->rows - 1) + (double)t->cols;
	const double numbers = (double)(t->end - t->begin) * (double)t->cols;

	return t->diagonals && diagonals < (double)MOST &&
	       2 * diagonals < numbers;
}

bool slices_give(const struct rows *r, rows_taker *take, void *taker,
		 struct progress *progress, struct error *err)
{
	struct slices s = {
		.r = r, .n = r->t->rows - 1 + r->t->cols,
		.room = malloc(ROOM),
	};
	bool good;

	s.bytes = malloc((r->number_room + 1) * s.n);
	if (r->comma)
		s.offset = malloc((s.n + 1) * sizeof *s.offset);
	good = s.room && s.bytes && (s.offset || !r->comma);
	if (good)
		give_all(&s, take, taker, progress);
	else
		fail_memory(err);
	free(s.bytes);
	free(s.offset);
	free(s.room);
	return good;
}
