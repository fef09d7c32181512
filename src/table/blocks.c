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

/*
 * lock guards all members that change. The caller of blocks_run() computes
 * blocks, too, unless one is there to be taken: to wake a thread for a block
 * would take about as long as the block.
 */
struct pool {
	const struct blocks *b;
	size_t block_count, slot_count;
	pthread_mutex_t lock;
	pthread_cond_t made, freed;  /* the block to be taken; a slot */
	struct slot slots[2 * THREADS_MOST];
	size_t next, taken;   /* the next block to compute, and to take */
	bool stopped;
};

static struct slot *slot_of(struct pool *p, size_t k)
{
	return &p->slots[k % p->slot_count];
}

/* Whether a block is left to compute, and its slot is free. */
static bool has_work(const struct pool *p)
{
	return p->next < p->block_count && p->next < p->taken + p->slot_count;
}

/* Compute the next block. The lock is held, but not meanwhile. */
static void make_next(struct pool *p)
{
	const size_t k = p->next++;
	struct slot *slot = slot_of(p, k);

	pthread_mutex_unlock(&p->lock);
	slot->n = make_block(p->b, p->b->begin + k * p->b->rows, slot->room);
	pthread_mutex_lock(&p->lock);
	slot->made = true;
	if (k == p->taken)
		pthread_cond_signal(&p->made);
}

static void *worker(void *arg)
{
	struct pool *p = arg;

	pthread_mutex_lock(&p->lock);
	while (!p->stopped && p->next < p->block_count)
		if (has_work(p))
			make_next(p);
		else
			pthread_cond_wait(&p->freed, &p->lock);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Take the next block, which is there. The lock is held, but not meanwhile. */
static void take_next(struct pool *p)
{
	struct slot *slot = slot_of(p, p->taken);
	bool going;

	pthread_mutex_unlock(&p->lock);
	going = p->b->take(p->b->taker, slot->room, slot->n);
	pthread_mutex_lock(&p->lock);
	slot->made = false;
	p->taken++;
	p->stopped = !going;
	pthread_cond_signal(&p->freed);
}

/* Take blocks in order, as they are computed, and compute some. */
static void take_all(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	while (!p->stopped && p->taken < p->block_count)
		if (slot_of(p, p->taken)->made)
			take_next(p);
		else if (has_work(p))
			make_next(p);
		else
			pthread_cond_wait(&p->made, &p->lock);
	/* Who waits for a slot has nothing left to do. */
	pthread_cond_broadcast(&p->freed);
	pthread_mutex_unlock(&p->lock);
}

/* Start up to n threads; returns how many started, which may be 0. */
static size_t start_threads(struct pool *p, pthread_t *threads, size_t n)
{
	size_t started = 0;

	while (started < n &&
	       pthread_create(&threads[started], NULL, worker, p) == 0)
		started++;
	return started;
}

/* By n threads, the caller's included; false without memory, nothing done. */
static bool run_pool(const struct blocks *b, size_t n)
{
	struct pool p = {
		.b = b,
		.block_count = (b->end - b->begin + b->rows - 1) / b->rows,
		.slot_count = 2 * n,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.made = PTHREAD_COND_INITIALIZER,
		.freed = PTHREAD_COND_INITIALIZER,
	};
	unsigned char *rooms = malloc(p.slot_count * slot_size(b));
	pthread_t threads[THREADS_MOST];
	size_t started;

	if (!rooms)
		return false;
	for (size_t i = 0; i < p.slot_count; i++)
		p.slots[i].room = rooms + i * slot_size(b);
	started = start_threads(&p, threads, n - 1);
	take_all(&p);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	free(rooms);
	return true;
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
