/* equal_rows.c: equal rows are found by a hash, then compared. */
#include <time.h>

#include "exact/bits.h"
#include "exact/limbs.h"
#include "views/equal_rows.h"

/*
 * Earlier rows that others were compared with, each at its index modulo n. To
 * read a block of rows for each from a file would take long.
 */
struct earlier {
	size_t n;
	size_t *index;       /* [n] + 1; 0: none */
	const double **row;  /* [n] */
	double *values;      /* [n, cols] */
};

/*
 * A hash table with open addressing, at most half full. A slot has a row's
 * index + 1 in these bits and in the others those of the row's hash, so that
 * few rows are compared that differ.
 */
struct slots {
	size_t n;
	uint64_t *slot;  /* [n]; 0: none */
	uint64_t bits;
};

struct finder {
	const struct table *x;
	uint64_t secret;     /* odd */
	struct earlier earlier;
	struct slots slots;
};

/* A number that nobody knows who makes a file of rows with equal hashes. */
static uint64_t make_secret(const void *place)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return ((uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15 ^
		(uint64_t)(uintptr_t)place * 0xbf58476d1ce4e5b9) | 1;
}

/* Both halves of each product count, so that all bits of x do. */
static uint64_t hash(const double *x, size_t n, uint64_t secret)
{
	uint64_t h = secret;

	for (size_t j = 0; j < n; j++) {
		const uint64_t u = h ^ bits_of(x[j] + 0.0);
		const uint128 product = (uint128)u * secret;

		h = (uint64_t)product + (uint64_t)(product >> 64);
	}
	return h;
}

static bool equal(const double *x, const double *y, size_t n)
{
	for (size_t j = 0; j < n; j++)
		if (x[j] != y[j])
			return false;
	return true;
}

static bool open_earlier(struct earlier *e, size_t cols, struct table *owner,
			 struct error *err)
{
	enum { VALUES = 1 << 16 };

	e->n = VALUES / cols + 1;
	e->index = table_alloc(owner, e->n, sizeof *e->index, err);
	e->row = table_alloc(owner, e->n, sizeof *e->row, err);
	e->values = table_alloc(owner, e->n * cols, sizeof *e->values, err);
	return e->index && e->row && e->values;
}

static const double *earlier_row(struct earlier *e, const struct table *x,
				 size_t i)
{
	const size_t at = i % e->n;

	if (e->index[at] != i + 1) {
		e->row[at] = x->row(x, i, e->values + at * x->cols);
		e->index[at] = i + 1;
	}
	return e->row[at];
}

static bool open_slots(struct slots *s, size_t rows, struct table *owner,
		       struct error *err)
{
	s->n = 2 * rows + 1;
	s->slot = table_alloc(owner, s->n, sizeof *s->slot, err);
	for (s->bits = 1; s->bits < rows;)
		s->bits = s->bits << 1 | 1;
	return s->slot;
}

/* Whether a slot has the row y of this hash. */
static bool has_row(struct finder *f, uint64_t slot, const double *y,
		    uint64_t h)
{
	const uint64_t bits = f->slots.bits;

	if ((slot ^ h) & ~bits)
		return false;
	return equal(earlier_row(&f->earlier, f->x, (slot & bits) - 1), y,
		     f->x->cols);
}

/* The first row equal to row i; it is put into a slot if there is none yet. */
static size_t first_equal(struct finder *f, size_t i)
{
	const struct slots *s = &f->slots;
	const double *y = f->x->row(f->x, i, NULL);
	const uint64_t h = hash(y, f->x->cols, f->secret);
	size_t at = h % s->n;

	if (!equal(y, y, f->x->cols))
		return i;  /* it has a NaN, which nothing is equal to */
	while (s->slot[at] && !has_row(f, s->slot[at], y, h))
		at = (at + 1) % s->n;
	if (!s->slot[at])
		s->slot[at] = (h & ~s->bits) | (i + 1);
	return (s->slot[at] & s->bits) - 1;
}

bool equal_rows(const struct table *x, size_t *first, struct error *err)
{
	struct table owner = { 0 };
	struct finder f = { .x = x, .secret = make_secret(&owner) };
	const bool good = open_slots(&f.slots, x->rows, &owner, err) &&
			  open_earlier(&f.earlier, x->cols, &owner, err);

	for (size_t i = 0; good && i < x->rows; i++)
		first[i] = first_equal(&f, i);
	table_close(&owner);
	return good;
}
