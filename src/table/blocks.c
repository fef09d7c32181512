/* blocks.c: blocks of rows computed by a pool of threads. */
#define _GNU_SOURCE  /* sched_getaffinity() */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "table/blocks.h"
#include "table/table.h"

enum {
	THREADS_MOST = 64,
	BYTES_WORTH_THREADS = 1 << 24,  /* less is faster in one thread */
	POOL_MOST = 1 << 28,            /* bytes of all blocks and scratch */
	AHEAD = 4,                      /* blocks per thread that wait */
};

enum { LINE = 64 };  /* bytes of a cache line, and of the largest vector */

static size_t rounded_up(size_t bytes)
{
	return (bytes + LINE - 1) / LINE * LINE;
}

/* The first line in memory, which has LINE bytes more than are used. */
static unsigned char *first_line(unsigned char *memory)
{
	return memory + -(uintptr_t)memory % LINE;
}

/* Compute the block of rows from first on, in room; its size in bytes. */
static size_t make_block(const struct blocks *b, size_t first, void *scratch,
			 unsigned char *room)
{
	const size_t left = b->end - first;

	return b->make(b->self, first, left < b->rows ? left : b->rows,
		       scratch, room);
}

static bool run_alone(const struct blocks *b, struct error *err)
{
	const size_t bytes = rounded_up(b->bytes);
	unsigned char *memory = malloc(bytes + b->scratch + LINE);
	unsigned char *room;
	bool going = true;

	if (!memory)
		return fail_room(err, bytes + b->scratch, 1);
	room = first_line(memory);
	for (size_t i = b->begin; going && i < b->end; i += b->rows) {
		const size_t n = make_block(b, i, room + bytes, room);

		going = !b->take || b->take(b->taker, room, n);
	}
	free(memory);
	return true;
}

/* A block that waits to be taken; none: room is NULL. */
struct ready {
	unsigned char *room;
	size_t n;
};

/*
 * lock guards all members that change. The caller of blocks_run() does not wait
 * for another thread: if the block that it has to take is not there, it
 * computes one of the next, and if AHEAD allows no more, that block itself,
 * also where another thread is at it, which the machine may have stopped. So
 * several threads are not slower than one. When no block is left to begin, it
 * waits for one of another thread, but no longer than it would take itself. To
 * wake a thread takes about as long as a block: those that are too far ahead
 * sleep until there is work for half of AHEAD.
 *
 * Rooms hold a block each. A thread has one, those left are in spare: as many
 * as may be ready, so that a thread that gives its block away finds another.
 */
struct pool {
	const struct blocks *b;
	size_t block_count, ahead;
	pthread_mutex_t lock;
	pthread_cond_t freed;
	struct ready ready[AHEAD * THREADS_MOST];  /* block k at k % ahead */
	unsigned char *spare[AHEAD * THREADS_MOST];
	size_t spares;
	size_t next, taken;   /* the next block to compute, and to take */
	size_t sleepers;
	bool stopped;
};

/* What a thread computes with. */
struct worker {
	struct pool *p;
	pthread_t thread;
	void *scratch;
	unsigned char *room;
	double took;          /* seconds for its last block */
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct ready *ready_at(struct pool *p, size_t k)
{
	return &p->ready[k % p->ahead];
}

/* Whether a block is left to compute, and may be ready. */
static bool has_work(const struct pool *p)
{
	return p->next < p->block_count && p->next < p->taken + p->ahead;
}

/* Compute block k. The lock is held, but not meanwhile. */
static size_t make_one(struct worker *w, size_t k)
{
	struct pool *p = w->p;
	double begin;
	size_t n;

	pthread_mutex_unlock(&p->lock);
	begin = seconds();
	n = make_block(p->b, p->b->begin + k * p->b->rows, w->scratch,
		       w->room);
	w->took = seconds() - begin;
	pthread_mutex_lock(&p->lock);
	return n;
}

/* Compute the next block, and leave it to be taken. */
static void make_next(struct worker *w)
{
	struct pool *p = w->p;
	const size_t k = p->next++;
	const size_t n = make_one(w, k);

	if (k < p->taken)
		return;  /* none are taken, or the caller did not wait for it */
	*ready_at(p, k) = (struct ready){ w->room, n };
	w->room = p->spare[--p->spares];
}

static void *work(void *self)
{
	struct worker *w = self;
	struct pool *p = w->p;

	pthread_mutex_lock(&p->lock);
	while (!p->stopped && p->next < p->block_count)
		if (has_work(p)) {
			make_next(w);
		} else {
			p->sleepers++;
			pthread_cond_wait(&p->freed, &p->lock);
			p->sleepers--;
		}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Take the next block, in room. The lock is held, but not meanwhile. */
static void take_one(struct pool *p, const unsigned char *room, size_t n)
{
	bool going;

	pthread_mutex_unlock(&p->lock);
	going = p->b->take(p->b->taker, room, n);
	pthread_mutex_lock(&p->lock);
	p->stopped = !going;
}

/* The next block has been taken; if it is ready, its room is free. */
static void end_block(struct pool *p)
{
	struct ready *r = ready_at(p, p->taken++);

	if (r->room)
		p->spare[p->spares++] = r->room;
	r->room = NULL;
	if (p->sleepers && p->next + p->ahead / 2 <= p->taken + p->ahead)
		pthread_cond_broadcast(&p->freed);
}

/* Compute the next block to be taken, and take it. */
static void make_and_take(struct worker *w)
{
	struct pool *p = w->p;

	p->next += p->next == p->taken;
	take_one(p, w->room, make_one(w, p->taken));
	end_block(p);
}

/*
 * Whether block k, which another thread is at, is ready within the time that
 * the caller took for its last one. The lock is held, but not meanwhile.
 */
static bool wait_for(const struct worker *w, size_t k)
{
	struct pool *p = w->p;
	const double end = seconds() + w->took;

	while (!ready_at(p, k)->room && seconds() < end) {
		pthread_mutex_unlock(&p->lock);
		sched_yield();
		pthread_mutex_lock(&p->lock);
	}
	return ready_at(p, k)->room;
}

/* The caller's part: take blocks in order, and compute some. */
static void take_all(struct worker *w)
{
	struct pool *p = w->p;

	if (!p->b->take)
		work(w);
	pthread_mutex_lock(&p->lock);
	while (!p->stopped && p->taken < p->block_count) {
		const struct ready *r = ready_at(p, p->taken);

		if (r->room) {
			take_one(p, r->room, r->n);
			end_block(p);
		} else if (p->next > p->taken && has_work(p)) {
			make_next(w);
		} else if (p->next < p->block_count ||
			   !wait_for(w, p->taken)) {
			make_and_take(w);
		}
	}
	/* Who sleeps has nothing left to do. */
	pthread_cond_broadcast(&p->freed);
	pthread_mutex_unlock(&p->lock);
}

/* Bytes that a thread adds to the pool. */
static size_t thread_bytes(const struct blocks *b)
{
	return (AHEAD + 1) * rounded_up(b->bytes) + rounded_up(b->scratch);
}

/* Divide memory among n workers and what is spare. */
static void share(struct pool *p, struct worker *workers, size_t n,
		  unsigned char *memory)
{
	const size_t bytes = rounded_up(p->b->bytes);

	for (size_t i = 0; i < n; i++) {
		workers[i] = (struct worker){ .p = p, .room = memory,
					      .scratch = memory + bytes };
		memory += bytes + rounded_up(p->b->scratch);
	}
	while (p->spares < p->ahead) {
		p->spare[p->spares++] = memory;
		memory += bytes;
	}
}

/* What run_pool() needs; not on the stack, which may be small. */
struct team {
	struct pool pool;
	struct worker workers[THREADS_MOST];
	unsigned char memory[];
};

/* By n threads, the caller's included; false without memory, nothing done. */
static bool run_pool(const struct blocks *b, size_t n)
{
	const size_t count = (b->end - b->begin + b->rows - 1) / b->rows;
	const size_t bytes = n * thread_bytes(b);
	struct team *t;
	enum { STACK = 1 << 20 };  /* counted where memory is limited */
	pthread_attr_t how;
	size_t started = 1;

	memory_expect(bytes);
	t = malloc(sizeof *t + bytes + LINE);
	if (!t)
		return false;
	t->pool = (struct pool){
		.b = b, .block_count = count, .ahead = AHEAD * n,
		.taken = b->take ? 0 : count,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.freed = PTHREAD_COND_INITIALIZER,
	};
	share(&t->pool, t->workers, n, first_line(t->memory));
	pthread_attr_init(&how);
	pthread_attr_setstacksize(&how, STACK);
	while (started < n && pthread_create(&t->workers[started].thread, &how,
					     work, &t->workers[started]) == 0)
		started++;
	pthread_attr_destroy(&how);
	take_all(&t->workers[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(t->workers[i].thread, NULL);
	free(t);
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
	if (workers > POOL_MOST / thread_bytes(b))
		workers = POOL_MOST / thread_bytes(b);
	if (workers > 1 && run_pool(b, workers))
		return true;
	return run_alone(b, err);
}
