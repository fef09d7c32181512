/* blocks.c: blocks of rows, whichever thread is slow, and when. */
#include "test.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "table/blocks.h"

enum { BLOCKS = 40, FEW = 5, ROWS = 3, WORTH_THREADS = 1 << 24 };

/*
 * These functions are linked with --wrap. Tests check that a thread releases
 * only a lock that it holds, that it holds none while it computes, and that all
 * memory is freed; some set the clock.
 */
static bool watched;               /* by these tests, not by other units */
static _Thread_local int held;     /* locks */
static atomic_bool misused;
static atomic_long now, stops_at;  /* nanoseconds; 0: the machine's clock */

int __real_pthread_mutex_lock(pthread_mutex_t *lock);
int __real_pthread_mutex_unlock(pthread_mutex_t *lock);
int __real_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock);
int __wrap_clock_gettime(clockid_t id, struct timespec *t);

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
	held++;
	return __real_pthread_mutex_lock(lock);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock)
{
	if (watched && held != 1) {
		atomic_store(&misused, true);
		return 0;
	}
	held--;
	return __real_pthread_mutex_unlock(lock);
}

/* Every look at the clock takes 10 ms, until it stops. */
int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
	const long second = 1000000000;
	const long at = atomic_load(&now);

	if (!at)
		return __real_clock_gettime(id, t);
	if (at < atomic_load(&stops_at))
		atomic_fetch_add(&now, 10000000);
	*t = (struct timespec){ .tv_sec = at / second, .tv_nsec = at % second };
	return 0;
}

/* Run blocks, and check how the lock and memory were used. */
static void run_blocks(const struct blocks *b, size_t threads)
{
	struct error err = { 0 };

	assert_true(blocks_run(b, threads, &err));
	assert_false(atomic_load(&misused));
	assert_int_equal(atomic_load(&heap.live), 0);
}

static void wait_some(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
}

/*
 * What is slow: the other thread, until the caller has made its block, too, or
 * is about to; or the taker. LAST: the taker wants no more.
 */
enum slow { NOBODY, OTHER, BOTH, TAKER, LAST };

struct run {
	enum slow slow;
	pthread_t caller;
	size_t blocks, taken;
	atomic_size_t held;     /* what the other thread stops in; or BLOCKS */
	atomic_bool late;       /* the other thread has made a block after 20 */
	sem_t go_on;
};

/* The other thread stops in its first block, until somebody goes on. */
static void stop_other(struct run *r, size_t block)
{
	size_t none = BLOCKS;

	if (atomic_compare_exchange_strong(&r->held, &none, block))
		sem_wait(&r->go_on);
}

/* The caller waits for that; BOTH: it comes to the same block, and is later. */
static void wait_for_other(struct run *r, size_t block)
{
	while (atomic_load(&r->held) == BLOCKS)
		wait_some();
	if (r->slow == BOTH && block == atomic_load(&r->held)) {
		sem_post(&r->go_on);
		wait_some();
	}
}

static size_t make(const void *self, size_t first, size_t n, void *scratch,
		   unsigned char *to)
{
	struct run *r = *(struct run *const *)self;
	const size_t block = first / ROWS;

	if (held)
		atomic_store(&misused, true);
	if (block > 20 && !pthread_equal(pthread_self(), r->caller))
		atomic_store(&r->late, true);
	if (r->slow == OTHER || r->slow == BOTH)
		(pthread_equal(pthread_self(), r->caller) ? wait_for_other
							  : stop_other)
			(r, block);
	memset(scratch, 1, n);
	memset(to, (int)block + 1, n);
	return n;
}

static bool take(void *taker, const unsigned char *bytes, size_t n)
{
	struct run *r = taker;

	assert_true(pthread_equal(pthread_self(), r->caller));
	assert_int_equal(held, 0);
	assert_int_equal(n, r->taken + 1 < r->blocks ? ROWS : 1);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(bytes[i], r->taken + 1);
	if (r->slow == TAKER && r->taken % 4 == 0)
		wait_some();
	/* It sleeps where it is far ahead, and is woken */
	for (int i = 0; r->slow == TAKER && r->taken == 30 && i < 200 &&
			!atomic_load(&r->late); i++)
		wait_some();
	if (r->slow == OTHER && r->taken == atomic_load(&r->held))
		sem_post(&r->go_on);
	r->taken++;
	return r->slow != LAST;
}

/* How many of the blocks are taken. */
static size_t run(enum slow slow, size_t threads, size_t blocks)
{
	struct run r = { .slow = slow, .blocks = blocks,
			 .caller = pthread_self(), .held = BLOCKS };
	const struct run *self = &r;
	const struct blocks b = {
		.end = (blocks - 1) * ROWS + 1, .rows = ROWS, .bytes = ROWS,
		.scratch = ROWS, .work = WORTH_THREADS, .make = make,
		.self = &self, .take = take, .taker = &r,
	};

	assert_int_equal(sem_init(&r.go_on, 0, 0), 0);
	run_blocks(&b, threads);
	assert_true(slow != TAKER || r.late);
	sem_destroy(&r.go_on);
	return r.taken;
}

static void blocks_are_taken_in_order(void **state)
{
	(void)state;
	for (size_t threads = 1; threads <= 5; threads++)
		assert_int_equal(run(NOBODY, threads, BLOCKS), BLOCKS);
}

static void who_waits_for_the_taker_goes_on(void **state)
{
	(void)state;
	assert_int_equal(run(TAKER, 2, BLOCKS), BLOCKS);
	assert_int_equal(run(TAKER, 3, BLOCKS), BLOCKS);
}

static void the_caller_does_not_wait_for_a_stopped_thread(void **state)
{
	(void)state;
	assert_int_equal(run(OTHER, 2, BLOCKS), BLOCKS);
	assert_int_equal(run(OTHER, 2, FEW), FEW);
	assert_int_equal(run(BOTH, 2, BLOCKS), BLOCKS);
}

static void a_taker_stops_the_work(void **state)
{
	(void)state;
	assert_int_equal(run(LAST, 1, BLOCKS), 1);
	assert_int_equal(run(LAST, 3, BLOCKS), 1);
}

/* Threads that may be ahead of a taker, which wants no more then. */
struct ahead {
	atomic_size_t made;
	size_t taken;
};

static size_t make_ahead(const void *self, size_t first, size_t n,
			 void *scratch, unsigned char *to)
{
	(void)first;
	(void)scratch;
	(void)to;
	atomic_fetch_add(&(*(struct ahead *const *)self)->made, 1);
	return n;
}

/* Waits until nobody makes a block any more: the others sleep. */
static bool take_late(void *taker, const unsigned char *bytes, size_t n)
{
	struct ahead *a = taker;
	size_t before;

	(void)bytes;
	(void)n;
	do {
		before = atomic_load(&a->made);
		wait_some();
		wait_some();
	} while (atomic_load(&a->made) > before || before < 3);
	a->taken++;
	return false;
}

static void who_sleeps_is_woken_when_the_taker_stops(void **state)
{
	struct ahead a = { .taken = 0 };
	struct ahead *const self = &a;
	const struct blocks b = {
		.end = BLOCKS, .rows = 1, .bytes = 1, .work = WORTH_THREADS,
		.make = make_ahead, .self = &self,
		.take = take_late, .taker = &a,
	};

	(void)state;
	alarm(60);
	run_blocks(&b, 3);
	alarm(0);
	assert_int_equal(a.taken, 1);
	assert_true(a.made < BLOCKS);
}

/* Counts how often each block is made. */
static size_t count(const void *self, size_t first, size_t n, void *scratch,
		    unsigned char *to)
{
	size_t *made = *(size_t *const *)self;

	(void)n;
	(void)scratch;
	(void)to;
	made[first / ROWS]++;
	return 0;
}

static void without_a_taker_each_block_is_made_once(void **state)
{
	size_t made[BLOCKS] = { 0 }, *const self = made;
	const struct blocks b = {
		.end = BLOCKS * ROWS, .rows = ROWS, .bytes = ROWS,
		.work = WORTH_THREADS, .make = count, .self = &self,
	};

	(void)state;
	run_blocks(&b, 3);
	run_blocks(&b, 1);
	for (size_t i = 0; i < BLOCKS; i++)
		assert_int_equal(made[i], 2);
}

/* Whether others than the caller make blocks, for which it waits a while. */
struct team {
	pthread_t caller;
	int waits;
	atomic_bool others;
};

static size_t make_in_team(const void *self, size_t first, size_t n,
			   void *scratch, unsigned char *to)
{
	struct team *t = *(struct team *const *)self;

	(void)first;
	(void)scratch;
	(void)to;
	if (!pthread_equal(pthread_self(), t->caller))
		atomic_store(&t->others, true);
	while (!atomic_load(&t->others) && t->waits-- > 0)
		wait_some();
	return n;
}

static bool others_make(size_t work, int waits)
{
	struct team t = { .caller = pthread_self(), .waits = waits };
	struct team *const self = &t;
	const struct blocks b = {
		.end = 8, .rows = 1, .bytes = 1, .work = work,
		.make = make_in_team, .self = &self,
	};

	run_blocks(&b, 2);
	return t.others;
}

static void little_work_is_done_by_one_thread(void **state)
{
	(void)state;
	assert_true(others_make(WORTH_THREADS / 8, 200));
	assert_false(others_make(WORTH_THREADS / 8 - 1, 4));
}

/* Two blocks, by two threads; the other one is ready when the clock stops. */
struct pair {
	pthread_t caller;
	long took;        /* by the caller, for each block */
	atomic_size_t begun, made, taken;
};

static size_t make_one(const void *self, size_t first, size_t n, void *scratch,
		       unsigned char *to)
{
	struct pair *p = *(struct pair *const *)self;
	const bool caller = pthread_equal(pthread_self(), p->caller);

	(void)first;
	(void)scratch;
	(void)to;
	atomic_fetch_add(&p->begun, 1);
	while (atomic_load(&p->begun) < 2 ||
	       (!caller && atomic_load(&now) < atomic_load(&stops_at)))
		wait_some();
	if (caller)
		atomic_fetch_add(&now, p->took);
	atomic_fetch_add(&p->made, 1);
	return n;
}

static bool take_one(void *taker, const unsigned char *bytes, size_t n)
{
	(void)bytes;
	(void)n;
	return atomic_fetch_add(&((struct pair *)taker)->taken, 1) < 2;
}

/*
 * How often two threads make two blocks, each of which takes the caller so
 * long, and the other thread so much longer.
 */
static size_t made_with_a_late_one(long took, long later)
{
	const long begin = 5900000000;
	struct pair p = { .caller = pthread_self(), .took = took };
	struct pair *const self = &p;
	const struct blocks b = {
		.end = 2, .rows = 1, .bytes = 1, .work = WORTH_THREADS,
		.make = make_one, .self = &self,
		.take = take_one, .taker = &p,
	};

	/* A second begins meanwhile */
	atomic_store(&now, begin);
	atomic_store(&stops_at, begin + took + later);
	run_blocks(&b, 2);
	atomic_store(&now, 0);
	assert_int_equal(p.taken, 2);
	return p.made;
}

/* For as long as the caller takes for a block. */
static void the_last_block_is_waited_for(void **state)
{
	const long ms = 1000000;

	(void)state;
	assert_int_equal(made_with_a_late_one(300 * ms, 200 * ms), 2);
	assert_int_equal(made_with_a_late_one(300 * ms, 450 * ms), 3);
	assert_int_equal(made_with_a_late_one(1000 * ms, 800 * ms), 2);
	assert_int_equal(made_with_a_late_one(1000 * ms, 1200 * ms), 3);
}

static int watch(void **state)
{
	(void)state;
	watched = true;
	return 0;
}

UNIT_BETWEEN(blocks, watch, NULL,
	TEST(blocks_are_taken_in_order),
	TEST(who_waits_for_the_taker_goes_on),
	TEST(the_caller_does_not_wait_for_a_stopped_thread),
	TEST(little_work_is_done_by_one_thread),
	TEST(the_last_block_is_waited_for),
	TEST(a_taker_stops_the_work),
	TEST(who_sleeps_is_woken_when_the_taker_stops),
	TEST(without_a_taker_each_block_is_made_once)
)
