/*
 * positions.c: position ids of texts, images and videos, of the cells of grids,
 * and of tokens between padding.
 */
#include <math.h>
#include <stdio.h>

#include "identify/identify.h"
#include "identify/rounding.h"

enum {
	PART_ROOM = 72,     /* characters of a part of a sequence */
	MERGE = 2,          /* patches along a side of a token, as Qwen-VL's */
	IDS_MOST = 512,     /* ids that a command may list */
	TOKENS_LEAST = 3,   /* in a row that counts */
};

/* Positions per second: of Qwen2.5-VL, and of others and its code. */
static const double rates[] = { 2, 25, 4, 1 };

/* Between frames of tokens. */
#define SECONDS_USUAL 4

/* Twice that many bits of chance, and of a command's options. */
#define BITS_LEAST 16

/* A sequence, read part by part. */
struct sequence {
	const double *x[3];    /* [n] times, rows and columns */
	size_t n, at;          /* tokens, and the first of the next part */
	double next;           /* the position there */
	char *parts, *seconds; /* as options */
	size_t length, room;   /* of both texts */
	size_t videos;
	bool index;            /* frame t of all videos is at time t, */
	bool usual;            /* or at time rate t */
	double rate;
	bool middle;           /* seconds are the roundest that fit, not the
				  least */
	int digits;            /* of all seconds */
};

/* Whether token j has these coordinates. */
static bool is_at(const struct sequence *q, size_t j, double t, double y,
		  double x)
{
	return j < q->n && !(fabs(q->x[0][j] - t) > 0) &&
	       !(fabs(q->x[1][j] - y) > 0) && !(fabs(q->x[2][j] - x) > 0);
}

/* Whether n tokens from j on are a row of patches. */
static bool is_row(const struct sequence *q, size_t j, size_t n, double t,
		   double y)
{
	for (size_t k = 0; k < n; k++)
		if (!is_at(q, j + k, t, y, q->next + (double)k))
			return false;
	return true;
}

/* Whether a frame of h rows of w patches begins at token j. */
static bool is_frame(const struct sequence *q, size_t j, size_t h, size_t w)
{
	for (size_t y = 0; y < h; y++)
		if (j >= q->n || !is_row(q, j + y * w, w, q->x[0][j],
					 q->next + (double)y))
			return false;
	return true;
}

/* Write the seconds between frames, [n] of size tokens, which tell times. */
static void write_seconds(struct sequence *q, size_t n, size_t size)
{
	double low = 0, high = HUGE_VAL;
	char number[32];
	bool one;

	for (size_t t = 1; t < n; t++) {
		const double time = q->x[0][q->at + t * size] - q->next;

		q->index = q->index && !(fabs(time - (double)t) > 0);
		low = fmax(low, time / (q->rate * (double)t));
		high = fmin(high, (time + 1) / (q->rate * (double)t));
	}
	one = low <= 1 && high > 1;
	if (one)
		low = 1;
	else if (q->middle)
		low = round_to_nice(low + 0.4999 * (high - low),
				    0.5 * (high - low));
	q->digits += nice_digits(low) + (low > SECONDS_USUAL);
	q->usual &= one;
	q->room += (size_t)snprintf(q->seconds + q->room, PART_ROOM, "%s%s",
				    q->videos++ ? "," : "",
				    nice_text(low, number));
}

/* Take an image or a video; false if none begins here. */
static bool take_patches(struct sequence *q)
{
	const char *comma = q->at ? "," : "";
	const double p = q->next;
	size_t w = 1, h = 1, t = 1;
	double last;

	while (is_at(q, q->at + w, p, p, p + (double)w))
		w++;
	while (is_row(q, q->at + h * w, w, p, p + (double)h))
		h++;
	while (is_frame(q, q->at + t * h * w, h, w) &&
	       q->x[0][q->at + t * h * w] >= q->x[0][q->at + (t - 1) * h * w])
		t++;
	if (h * w * t == 1 || !is_at(q, q->at, p, p, p))
		return false;
	last = q->x[0][q->at + (t - 1) * h * w];
	if (t > 1)
		write_seconds(q, t, h * w);
	q->length += (size_t)snprintf(
		q->parts + q->length, PART_ROOM, t > 1 ? "%svideo:%zux%zux%zu"
		: "%simage:%zux%zu", comma, t > 1 ? t : MERGE * h,
		MERGE * (t > 1 ? h : w), MERGE * w);
	q->at += t * h * w;
	q->next = fmax(last, p + (double)(h > w ? h : w) - 1) + 1;
	return true;
}

/* Take a text, whose last token is none that begins an image. */
static bool take_text(struct sequence *q)
{
	const size_t first = q->at;
	double p = q->next;

	while (is_at(q, q->at, p, p, p) &&
	       (q->at + 1 == q->n || is_at(q, q->at + 1, p + 1, p + 1, p + 1) ||
		(q->x[1][q->at + 1] > p && q->x[2][q->at + 1] > p))) {
		q->at++;
		p++;
	}
	q->next = p;
	if (q->at == first)
		return false;
	q->length += (size_t)snprintf(q->parts + q->length, PART_ROOM,
				      "%stext:%zu", first ? "," : "",
				      q->at - first);
	return true;
}

/*
 * Read the sequence at each rate in two ways, k. Another rate than the first is
 * as unlikely as a digit.
 */
static bool read_sequence(struct sequence *q, size_t k)
{
	q->rate = rates[k / 2];
	q->middle = k % 2;
	q->index = q->usual = true;
	q->at = q->length = q->room = q->videos = 0;
	q->digits = k > 1;
	q->next = 0;
	while (q->at < q->n)
		if (!take_text(q) && !take_patches(q))
			return false;
	return true;
}

/*
 * Try texts, images and videos one behind another: times of frames are their
 * numbers, or seconds of the fewest digits at some rate.
 */
static void try_sequence(struct search *s)
{
	const struct profile *p = s->profile;
	struct sequence q = { .n = p->cols };
	int digits[2 * COUNT(rates)] = { 0 }, most = 0;

	for (size_t k = 0; k < 3; k++)
		q.x[k] = profile_row(p, k);
	q.parts = search_alloc(s, q.n + 1, PART_ROOM);
	q.seconds = search_alloc(s, q.n + 1, PART_ROOM);
	for (size_t k = 0; k < COUNT(digits); k++) {
		if (!q.parts || !q.seconds || !read_sequence(&q, k))
			return;
		digits[k] = q.digits;
		most = digits[k] > most ? digits[k] : most;
	}
	if (q.index)
		try_recipe(s, "positions", 0, "sequence=%s", q.parts);
	for (int n = 0; !q.index && n <= most; n++)
		for (size_t k = 0; k < COUNT(digits) && !s->n; k++)
			if (digits[k] == n && read_sequence(&q, k))
				try_recipe(s, "positions", 0,
					   "sequence=%s time=seconds:%g%s%s",
					   q.parts, q.rate,
					   q.usual ? "" : " seconds=",
					   q.usual ? "" : q.seconds);
}

/* Try the cells of a grid, row by row, or in blocks as wide as the first. */
static void try_cells(struct search *s)
{
	const struct profile *p = s->profile;
	const double *y = profile_row(p, p->n - 2);
	double size[3] = { 0, 0, 0 };
	size_t width = 1;
	char grid[72];

	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++)
			size[3 - p->n + i] = fmax(size[3 - p->n + i],
						  profile_row(p, i)[j] + 1);
	while (width < p->cols && !(y[width] > y[0]))
		width++;
	snprintf(grid, sizeof grid, p->n > 2 ? "%.0fx%.0fx%.0f" : "%.0fx%.0f",
		 size[1], size[2], size[0]);
	try_recipe(s, "positions", 0, "grid=%s", grid);
	if (width > 1)
		try_recipe(s, "positions", 0, "grid=%s merge=%zu", grid, width);
}

/* A count of tokens in each row, which skips padding. */
struct count {
	double first, padding;
	size_t tokens;         /* most in a row */
	size_t pads, changes;  /* in all rows: of padding but in the first
				  column, and to and from any */
};

/* Whether the rows count so; the tokens to ids unless that is NULL. */
static bool counts(const struct profile *p, struct count *c, char *ids)
{
	c->tokens = c->pads = c->changes = 0;
	for (size_t i = 0; i < p->n; i++) {
		size_t tokens = 0;
		bool was = false;

		for (size_t j = 0; j < p->cols; j++) {
			const double x = profile_row(p, i)[j];
			const bool pad =
				fabs(x - c->first - (double)tokens) > 0;

			if (pad && fabs(x - c->padding) > 0)
				return false;
			tokens += !pad;
			c->pads += j && pad;
			c->changes += j && pad != was;
			was = pad;
			if (ids)
				ids += snprintf(ids, 32, "%s%.0f",
						i || j ? "," : "", pad
						? c->padding : c->padding + 1);
		}
		c->tokens = tokens > c->tokens ? tokens : c->tokens;
	}
	return c->tokens >= TOKENS_LEAST;
}

static void try_count(struct search *s, const struct count *c)
{
	const struct profile *p = s->profile;
	char *ids, start[64], batch[64];
	struct count again = *c;

	if (p->n * p->cols > IDS_MOST) {
		s->verdict = search_text(
			s, "position ids: tokens of each row count from %.0f, "
			"padding has %.0f ('posenc positions --ids' makes them "
			"from the ids of tokens)", c->first, c->padding);
		s->family = "positions";
		return;
	}
	ids = search_alloc(s, p->n * p->cols, 32);
	if (!ids)
		return;
	counts(p, &again, ids);
	try_recipe(s, "positions", 0, "ids=%s padding-idx=%.0f%s%s", ids,
		   c->padding, option_if("start", c->first, c->padding + 1,
					 start),
		   option_if("batch", (double)p->n, 1, batch));
}

/* Try rows that count from one number, in which another one is padding's. */
static void try_tokens(struct search *s)
{
	const struct profile *p = s->profile;
	const double *last = profile_row(p, p->n - 1);
	const double pads[] = { p->min, 1, last[0], last[p->cols - 1] };

	for (size_t k = 0; k < COUNT(pads); k++) {
		const double firsts[] = { pads[k] + 1, p->min, p->min + 1 };

		for (size_t i = 0; i < COUNT(firsts); i++) {
			struct count c = { firsts[i], pads[k], 0, 0, 0 };

			if (!counts(p, &c, NULL) || !c.pads)
				continue;
			/* Values must say more than where padding is. */
			s->few = (double)(p->n * p->cols) *
					 log2(p->max - p->min + 1) <
				 BITS_LEAST + (double)(c.changes + p->n) *
						      log2((double)p->cols);
			try_count(s, &c);
			s->few = false;
			return;
		}
	}
}

/* Try documents of one sequence, each of which counts from the same number. */
static void try_documents(struct search *s)
{
	const struct profile *p = s->profile;
	const size_t all = p->n * p->cols;
	const double first = profile_row(p, 0)[0];
	char *list = search_alloc(s, IDS_MOST + 2, 24), start[64], batch[64];
	size_t n = 0, documents = 0;
	double last = 0;
	bool counts = false, rows = p->n > 1;

	for (size_t k = 0; list && k < all; k++) {
		const double x = profile_row(p, k / p->cols)[k % p->cols];

		counts = counts || x >= first + TOKENS_LEAST - 1;
		if (k && !(fabs(x - last - 1) > 0)) {
			last = x;
			continue;
		}
		if (fabs(x - first) > 0 || documents++ == IDS_MOST)
			return;
		rows = rows && k == (documents - 1) * p->cols;
		n += (size_t)snprintf(list + n, 24, "%zu,", k);
		last = x;
	}
	if (!list || documents < 2 || !counts || rows)
		return;
	snprintf(list + n, 24, "%zu", all);
	try_recipe(s, "positions", 0, "cu-seqlens=%s%s%s", list,
		   option_if("start", first, 0, start),
		   option_if("batch", (double)p->n, 1, batch));
}

void identify_positions(struct search *s)
{
	const struct profile *p = s->profile;

	/* A batch of one sequence may be [3, 1, tokens]. */
	if (s->n || !p->integers ||
	    (p->table->planes > 1 && p->table->rows > 1))
		return;
	if (p->min >= 0 && (p->n == 2 || p->n == 3))
		try_cells(s);
	if (p->n == 3)
		try_sequence(s);
	if (fmax(-p->min, p->max) >= 0x1p31)
		return;
	if (!s->n)
		try_tokens(s);
	if (!s->n)
		try_documents(s);
}
