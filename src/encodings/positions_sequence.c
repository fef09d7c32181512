/*
 * positions_sequence.c: positions of texts, images and videos in one sequence
 * (M-RoPE): each token has a time, a row and a column.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/within.h"
#include "recipe/positions.h"
#include "text/decimal.h"
#include "encodings/positions.h"

#define SECONDS_MOST 1e6

/* A part as it is written, and what the messages say of its place. */
struct written {
	char text[64];
	size_t at;             /* its first character, from 1 */
	const char *expected;
};

static bool refuse(const struct written *w, struct error *err)
{
	return fail(err, "--sequence, character %zu: expected %s, got '%s'",
		    w->at, w->expected, w->text);
}

static bool is_kind(const struct written *w, const char *kind)
{
	return strncmp(w->text, kind, strlen(kind)) == 0;
}

/* Set the last n sizes of p to the numbers of the part, which has so many. */
static bool read_sizes(const struct written *w, size_t n, struct part *p,
		       struct error *err)
{
	double at[IDS_AXES];
	/* A text that fills the room may have been cut off */
	bool good = strlen(w->text) < sizeof w->text - 1 &&
		    parse_integers(strchr(w->text, ':') + 1, 'x', at, n) == n;

	for (size_t i = 0; good && i < n; i++)
		good = within(at[i], 1, POSITION_MOST);
	if (!good)
		return refuse(w, err);
	memcpy(p->size + IDS_AXES - n, at, n * sizeof *at);
	return true;
}

/* Rows and columns of patches, which --merge divides, and frames. */
static bool read_patches(const struct position_ids *s, const struct written *w,
			 size_t n, struct part *p, struct error *err)
{
	const double by = (double)s->merge;

	if (!read_sizes(w, n, p, err))
		return false;
	if (fmod(p->size[IDS_H], by) > 0 || fmod(p->size[IDS_W], by) > 0)
		return fail(err, "--sequence, character %zu: rows and columns "
			    "of '%s' must be multiples of --merge %zu", w->at,
			    w->text, s->merge);
	p->size[IDS_H] /= by;
	p->size[IDS_W] /= by;
	return true;
}

static bool read_part(const struct position_ids *s, struct written *w,
		      struct part *p, size_t *videos, struct error *err)
{
	const struct list *seconds = &s->seconds;
	const bool single = s->time.word == TIME_NONE;

	*p = (struct part){ .size = { 1, 1, 1 }, .seconds = 1, .rate = 1 };
	if (is_kind(w, "image:")) {
		w->expected = "image:HxW";
		return read_patches(s, w, 2, p, err);
	}
	if (is_kind(w, "video:")) {
		if (*videos < seconds->n)
			p->seconds = (float)seconds->at[*videos];
		if (s->time.word == TIME_SECONDS)
			p->rate = (float)s->time.at[0];
		++*videos;
		w->expected = single ? "video:HxW, one frame (--time none)"
				     : "video:TxHxW";
		return read_patches(s, w, single ? 2 : 3, p, err);
	}
	p->text = true;
	w->expected = is_kind(w, "text:") ? "text:N with N of at least 1"
		: "text:N, image:HxW or video:TxHxW";
	return is_kind(w, "text:") ? read_sizes(w, 1, p, err)
				   : refuse(w, err);
}

static double frame_time(const struct part *p, double frame)
{
	/* As the models: float32, rounded down after both products */
	const float time = (float)frame * p->seconds;

	return floor((double)(time * p->rate));
}

/* The greatest position of the part, less its first. */
static double reach(const struct part *p)
{
	return fmax(frame_time(p, p->size[IDS_T] - 1),
		    fmax(p->size[IDS_H], p->size[IDS_W]) - 1);
}

/* Place the parts one behind another; the number of tokens, the greatest id. */
static bool place(struct position_ids *s, double *tokens, double *most,
		  struct error *err)
{
	double token = 0, next = 0;

	for (size_t i = 0; i < s->part_count; i++) {
		struct part *p = s->parts + i;

		p->token = token;
		p->next = next;
		token += p->size[IDS_T] * p->size[IDS_H] * p->size[IDS_W];
		next += reach(p) + 1;
	}
	*tokens = token;
	*most = next - 1;
	if (token > LENGTHS_MOST || next > POSITION_MOST)
		return fail(err, "--sequence: expected at most 2^52 tokens and "
			    "positions up to 2^53, got %.17g tokens and "
			    "positions up to %.17g", token, next - 1);
	return true;
}

/* Cut the next part from text into w; whether another follows. */
static bool next_written(const char *text, size_t *at, struct written *w)
{
	const size_t n = strcspn(text + *at, ",");

	w->at = *at + 1;
	snprintf(w->text, sizeof w->text, "%.*s", (int)n, text + *at);
	*at += n + 1;
	return text[*at - 1];
}

static bool check_seconds(const struct position_ids *s, size_t videos,
			  struct error *err)
{
	if (s->time.word == TIME_SECONDS &&
	    !within(s->time.at[0], 0, SECONDS_MOST))
		return fail(err, "--time seconds:RATE must be between 0 and "
			    "1e6, got %.9g", s->time.at[0]);
	if (!s->seconds.at)
		return true;
	if (s->seconds.n != videos)
		return fail(err, "--seconds: expected one value per video, "
			    "%zu, got %zu", videos, s->seconds.n);
	for (size_t i = 0; i < videos; i++)
		if (!within(s->seconds.at[i], 0, SECONDS_MOST))
			return fail(err, "--seconds must be between 0 and 1e6, "
				    "got %.9g", s->seconds.at[i]);
	return true;
}

static bool read_sequence(struct position_ids *s, struct table *t,
			  struct error *err)
{
	size_t most = 1, at = 0, videos = 0;
	struct written w;
	bool more = true;

	for (const char *c = s->sequence; *c; c++)
		most += *c == ',';
	s->parts = table_alloc(t, most, sizeof *s->parts, err);
	if (!s->parts)
		return false;
	while (more) {
		more = next_written(s->sequence, &at, &w);
		if (!read_part(s, &w, s->parts + s->part_count++, &videos,
			       err))
			return false;
	}
	return check_seconds(s, videos, err);
}

/* Coordinates along an axis of the n tokens of a part, to x. */
static void fill(const struct part *p, enum ids_axis axis, double *x)
{
	const struct lattice l = {
		.height = (size_t)p->size[IDS_H],
		.width = (size_t)p->size[IDS_W],
		.frames = (size_t)p->size[IDS_T],
	};

	for (size_t i = 0; i < lattice_cells(&l); i++) {
		const struct grid_cell at = lattice_cell(&l, i);

		x[i] = p->next +
		       (axis == IDS_W || p->text ? (double)at.column
			: axis == IDS_H ? (double)at.row
			: frame_time(p, (double)at.frame));
	}
}

static const double *sequence_row(const struct table *t, size_t i,
				  double *scratch)
{
	const struct position_ids *s = t->state;

	for (size_t k = 0; k < s->part_count; k++)
		fill(s->parts + k, (enum ids_axis)i,
		     scratch + (size_t)s->parts[k].token);
	return scratch;
}

bool ids_of_sequence(struct position_ids *s, struct table *t,
		     struct error *err)
{
	double tokens = 0, most = 0;

	if (!s->merge)
		s->merge = 2;
	if (!read_sequence(s, t, err) || !place(s, &tokens, &most, err))
		return false;
	t->rows = IDS_AXES;
	t->cols = (size_t)tokens;
	t->row = sequence_row;
	ids_bounds(t, most);
	return true;
}
