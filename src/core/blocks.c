/* blocks.c: work on blocks of rows, by threads where there is enough of it. */
#define _GNU_SOURCE  /* sched_getaffinity() */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/blocks.h"

enum {
	THREADS_MOST = 64,
	BYTES_WORTH_THREADS = 1 << 24,  /* less is done before they start */
};

/* The bytes of a block begin its room, the scratch follows them. */
static size_t bytes_room(const struct blocks *b)
{
	return (b->bytes + 63) / 64 * 64;
}

static size_t slot_room(const struct blocks *b)
{
	return bytes_room(b) + (b->scratch + 63) / 64 * 64;
}

/* The block of rows from first on, into room; the number of its bytes. */
static size_t make_block(const struct blocks *b, size_t first,
			 unsigned char *room)
{
	const size_t left = b->end - first;

	return b->make(b->self, first, left < b->rows ? left : b->rows,
		       room + bytes_room(b), room);
}

static bool run_alone(const struct blocks *b, struct error *err)
{
	unsigned char *room = malloc(slot_room(b));
	bool going = true;

	if (!room)
		return fail_room(err, slot_room(b), 1);
	for (size_t i = b->begin; going && i < b->end; i += b->rows) {
		const size_t n = make_block(b, i, room);

		going = b->take(b->taker, room, n);
	}
	free(room);
	return true;
}

/* Room for one block. Block k goes through slot k mod the number of slots. */
struct slot {
	unsigned char *room;
	size_t n;
	bool made;
};

/* All but what is constant is guarded by lock. */
struct crew {
	const struct blocks *b;
	size_t block_count, slot_count;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct slot slots[2 * THREADS_MOST];
	size_t next, taken;   /* blocks to make and to take next */
	bool stopped;
};

/* The next block to make, once its slot is free. False: there is none. */
static bool claim(struct crew *c, size_t *k)
{
	bool more;

	pthread_mutex_lock(&c->lock);
	*k = c->next++;
	while (!c->stopped && *k < c->block_count &&
	       *k >= c->taken + c->slot_count)
		pthread_cond_wait(&c->changed, &c->lock);
	more = !c->stopped && *k < c->block_count;
	pthread_mutex_unlock(&c->lock);
	return more;
}

static void announce(struct crew *c, struct slot *slot, size_t n)
{
	pthread_mutex_lock(&c->lock);
	slot->n = n;
	slot->made = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

static void *worker(void *arg)
{
	struct crew *c = arg;
	const struct blocks *b = c->b;
	size_t k;

	while (claim(c, &k)) {
		struct slot *slot = &c->slots[k % c->slot_count];

		announce(c, slot, make_block(b, b->begin + k * b->rows,
					     slot->room));
	}
	return NULL;
}

/* Take blocks in their order, as they are made. */
static void take_all(struct crew *c)
{
	pthread_mutex_lock(&c->lock);
	while (!c->stopped && c->taken < c->block_count) {
		struct slot *slot = &c->slots[c->taken % c->slot_count];
		bool going;

		while (!slot->made)
			pthread_cond_wait(&c->changed, &c->lock);
		pthread_mutex_unlock(&c->lock);
		going = c->b->take(c->b->taker, slot->room, slot->n);
		pthread_mutex_lock(&c->lock);
		slot->made = false;
		c->taken++;
		c->stopped = !going;
		pthread_cond_broadcast(&c->changed);
	}
	pthread_mutex_unlock(&c->lock);
}

/* As many workers as can be started, up to n; how many, which may be 0. */
static size_t start_workers(struct crew *c, pthread_t *workers, size_t n)
{
	size_t started = 0;

	while (started < n &&
	       pthread_create(&workers[started], NULL, worker, c) == 0)
		started++;
	return started;
}

/* False: there is no memory for slots, or no thread; nothing is done yet. */
static bool run_crew(const struct blocks *b, size_t threads)
{
	struct crew c = {
		.b = b,
		.block_count = (b->end - b->begin + b->rows - 1) / b->rows,
		.slot_count = 2 * threads,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	unsigned char *rooms = malloc(c.slot_count * slot_room(b));
	pthread_t workers[THREADS_MOST];
	size_t started;

	if (!rooms)
		return false;
	for (size_t i = 0; i < c.slot_count; i++)
		c.slots[i].room = rooms + i * slot_room(b);
	started = start_workers(&c, workers, threads);
	if (started)
		take_all(&c);
	for (size_t i = 0; i < started; i++)
		pthread_join(workers[i], NULL);
	free(rooms);
	return started;
}

static size_t processors(void)
{
#ifdef CPU_COUNT
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0)
		return (size_t)CPU_COUNT(&set);
#endif
	return (size_t)sysconf(_SC_NPROCESSORS_ONLN);
}

bool blocks_run(const struct blocks *b, size_t threads, struct error *err)
{
	const size_t blocks = (b->end - b->begin) / b->rows;
	const size_t work = b->work > b->bytes ? b->work : b->bytes;
	size_t crew = 1;

	if (blocks * work >= BYTES_WORTH_THREADS)
		crew = threads ? threads : processors();
	if (crew > 1 && run_crew(b, crew < THREADS_MOST ? crew : THREADS_MOST))
		return true;
	return run_alone(b, err);
}
