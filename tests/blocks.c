/* blocks.c: blocks of rows, whichever thread is slow, and when. */
#include "test.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "table/blocks.h"

enum { BLOCKS = 40, FEW = 5, ROWS = 3 };

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
	assert_int_equal(n, r->taken + 1 < r->blocks ? ROWS : 1);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(bytes[i], r->taken + 1);
	if (r->slow == TAKER && r->taken % 4 == 0)
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
		.scratch = ROWS, .work = 1 << 24, .make = make, .self = &self,
		.take = take, .taker = &r,
	};
	struct error err = { 0 };

	assert_int_equal(sem_init(&r.go_on, 0, 0), 0);
	assert_true(blocks_run(&b, threads, &err));
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
		.work = 1 << 24, .make = count, .self = &self,
	};
	struct error err = { 0 };

	(void)state;
	assert_true(blocks_run(&b, 3, &err));
	assert_true(blocks_run(&b, 1, &err));
	for (size_t i = 0; i < BLOCKS; i++)
		assert_int_equal(made[i], 2);
}

/* Two blocks, by two threads; the other one is a little slower. */
struct pair {
	pthread_t caller;
	atomic_size_t begun, made, taken;
};

static size_t make_one(const void *self, size_t first, size_t n, void *scratch,
		       unsigned char *to)
{
	struct pair *p = *(struct pair *const *)self;

	(void)first;
	(void)scratch;
	(void)to;
	atomic_fetch_add(&p->begun, 1);
	do
		wait_some();
	while (atomic_load(&p->begun) < 2);
	if (!pthread_equal(pthread_self(), p->caller))
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	atomic_fetch_add(&p->made, 1);
	return n;
}

static bool take_one(void *taker, const unsigned char *bytes, size_t n)
{
	(void)bytes;
	(void)n;
	return atomic_fetch_add(&((struct pair *)taker)->taken, 1) < 2;
}

/* How often two threads make two blocks of which the last one is late. */
static size_t made_with_a_late_one(void)
{
	struct pair p = { .caller = pthread_self() }, *const self = &p;
	const struct blocks b = {
		.end = 2, .rows = 1, .bytes = 1, .work = 1 << 24,
		.make = make_one, .self = &self,
		.take = take_one, .taker = &p,
	};
	struct error err = { 0 };

	assert_true(blocks_run(&b, 2, &err));
	assert_int_equal(p.taken, 2);
	return p.made;
}

/* Not always: the machine may stop the other thread for longer than a block. */
static void the_last_block_is_waited_for(void **state)
{
	size_t made = 3;

	(void)state;
	for (int tries = 0; tries < 100 && made > 2; tries++)
		made = made_with_a_late_one();
	assert_int_equal(made, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_taken_in_order),
		cmocka_unit_test(who_waits_for_the_taker_goes_on),
		cmocka_unit_test(the_caller_does_not_wait_for_a_stopped_thread),
		cmocka_unit_test(the_last_block_is_waited_for),
		cmocka_unit_test(a_taker_stops_the_work),
		cmocka_unit_test(without_a_taker_each_block_is_made_once),
	};

	return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
