/* blocks.c: blocks of rows computed by a pool of threads. */
#define _GNU_SOURCE  /* sched_getaffinity() */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "table/blocks.h"

enum {
	THREADS_MOST = 64,
	BYTES_WORTH_THREADS = 1 << 24,  /* less is faster in one thread */
	POOL_MOST = 1 << 28,            /* bytes of all slots */
};

/* A slot holds the bytes of a block, then its scratch. */
static size_t bytes_size(const struct blocks *b)
{
	return (b->bytes + 63) / 64 * 64;
}

static size_t slot_size(const struct blocks *b)
{
	return bytes_size(b) + (b->scratch + 63) / 64 * 64;
}

/* Compute the block of rows from first on, in room; its size in bytes. */
static size_t make_block(const struct blocks *b, size_t first,
			 unsigned char *room)
{
	const size_t left = b->end - first;

	return b->make(b->self, first, left < b->rows ? left : b->rows,
		       room + bytes_size(b), room);
}

static bool run_alone(const struct blocks *b, struct error *err)
{
	unsigned char *room = malloc(slot_size(b));
	bool going = true;

	if (!room)
		return fail_room(err, slot_size(b), 1);
	for (size_t i = b->begin; going && i < b->end; i += b->rows) {
		const size_t n = make_block(b, i, room);

		going = b->take(b->taker, room, n);
	}
	free(room);
	return true;
}

/* Memory for a block. Block k uses slot k modulo the number of slots. */
struct slot {
	unsigned char *room;
	size_t n;
	bool made;
};

/* lock guards all members that change. */
struct pool {
	const struct blocks *b;
	size_t block_count, slot_count;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct slot slots[2 * THREADS_MOST];
	size_t next, taken;   /* the next block to compute, and to take */
	bool stopped;
};

/* The next block to compute, once its slot is free; false: there is none. */
static bool next_block(struct pool *p, size_t *k)
{
	bool more;

	pthread_mutex_lock(&p->lock);
	*k = p->next++;
	while (!p->stopped && *k < p->block_count &&
	       *k >= p->taken + p->slot_count)
		pthread_cond_wait(&p->changed, &p->lock);
	more = !p->stopped && *k < p->block_count;
	pthread_mutex_unlock(&p->lock);
	return more;
}

static void deliver(struct pool *p, struct slot *slot, size_t n)
{
	pthread_mutex_lock(&p->lock);
	slot->n = n;
	slot->made = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static void *worker(void *arg)
{
	struct pool *p = arg;
	const struct blocks *b = p->b;
	size_t k;

	while (next_block(p, &k)) {
		struct slot *slot = &p->slots[k % p->slot_count];

		deliver(p, slot, make_block(b, b->begin + k * b->rows,
					    slot->room));
	}
	return NULL;
}

/* Take blocks in order, as they are computed. */
static void take_all(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	while (!p->stopped && p->taken < p->block_count) {
		struct slot *slot = &p->slots[p->taken % p->slot_count];
		bool going;

		while (!slot->made)
			pthread_cond_wait(&p->changed, &p->lock);
		pthread_mutex_unlock(&p->lock);
		going = p->b->take(p->b->taker, slot->room, slot->n);
		pthread_mutex_lock(&p->lock);
		slot->made = false;
		p->taken++;
		p->stopped = !going;
		pthread_cond_broadcast(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
}

/* Start up to n workers; returns how many started, which may be 0. */
static size_t start_workers(struct pool *p, pthread_t *workers, size_t n)
{
	size_t started = 0;

	while (started < n &&
	       pthread_create(&workers[started], NULL, worker, p) == 0)
		started++;
	return started;
}

/* False if there is no memory for slots or no thread; then nothing was done. */
static bool run_pool(const struct blocks *b, size_t threads)
{
	struct pool p = {
		.b = b,
		.block_count = (b->end - b->begin + b->rows - 1) / b->rows,
		.slot_count = 2 * threads,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	unsigned char *rooms = malloc(p.slot_count * slot_size(b));
	pthread_t workers[THREADS_MOST];
	size_t started;

	if (!rooms)
		return false;
	for (size_t i = 0; i < p.slot_count; i++)
		p.slots[i].room = rooms + i * slot_size(b);
	started = start_workers(&p, workers, threads);
	if (started)
		take_all(&p);
	for (size_t i = 0; i < started; i++)
		pthread_join(workers[i], NULL);
	free(rooms);
	return started;
}

static size_t cpu_count(void)
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
	size_t workers = 1;

	if (blocks * work >= BYTES_WORTH_THREADS)
		workers = threads ? threads : cpu_count();
	if (workers > THREADS_MOST)
		workers = THREADS_MOST;
	if (workers > POOL_MOST / 2 / slot_size(b))
		workers = POOL_MOST / 2 / slot_size(b);
	if (workers > 1 && run_pool(b, workers))
		return true;
	return run_alone(b, err);
}
