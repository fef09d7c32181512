/* animation.c: a figure that changes, as an animated PNG. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "formats/animation.h"
#include "formats/picture.h"
#include "formats/vectors.h"

struct frames {
	struct canvas canvas;       /* its palette grows, and is of them all */
	unsigned char *before;      /* pixels of the frame before, owned */
	size_t dots;                /* pixels per metre */
	char fonts[FONTS_TEXT];     /* of letters that the own font lacks */
	take_frame *take;           /* takes each, */
	void *taker;                /* with this */
	bool large;                 /* they will be too many */
	struct table memory;        /* owns before */
	struct error *err;
};

/* The parts of an animated PNG. */
struct parts {
	struct part *part;          /* [number of frames] */
	size_t *at;                 /* [number of frames + 1]: their compressed
				       rows in bytes */
	unsigned char *bytes;       /* [n], all parts */
	size_t n, room;
	struct table memory;        /* owns bytes, */
	struct table listed;        /* and the others */
	struct error *err;
};

static void keep(void *to, const void *bytes, size_t n)
{
	struct parts *f = to;

	if (f->n + n > f->room) {
		f->room = 2 * (f->n + n);
		f->bytes = table_grow(&f->memory, f->bytes, f->room, 1, f->err);
	}
	if (!f->bytes)
		return;
	memcpy(f->bytes + f->n, bytes, n);
	f->n += n;
}

/* The least rectangle with all changes: one pixel if there are none. */
static void find_changes(const struct frames *f, struct part *p)
{
	const size_t w = (size_t)f->canvas.w, h = (size_t)f->canvas.h;
	size_t left = w - 1, right = 0, top = h - 1, bottom = 0;

	for (size_t y = 0; y < h; y++) {
		const unsigned char *a = f->canvas.pixels + y * w;
		const unsigned char *b = f->before + y * w;
		size_t from = 0, to = w - 1;

		if (memcmp(a, b, w) == 0)
			continue;
		while (a[from] == b[from])
			from++;
		while (a[to] == b[to])
			to--;
		left = from < left ? from : left;
		right = to > right ? to : right;
		top = y < top ? y : top;
		bottom = y;
	}
	if (bottom < top) {
		bottom = top;
		right = left;
	}
	*p = (struct part){ left, top, right - left + 1, bottom - top + 1 };
}

/*
 * Compress the rows of a part. Filters, and pixels left out where nothing
 * changed, would make it larger: they break the patterns that repeat.
 */
static bool keep_part(void *to, const struct canvas *c, const struct part *p,
		      size_t i)
{
	enum { EFFORT = 6 };
	struct parts *parts = to;
	struct picture image = {
		.w = p->w, .h = p->h, .level = EFFORT, .only_rows = true,
		.send = keep, .to = parts,
	};
	bool good = picture_begin(&image);

	for (size_t y = 0; good && y < p->h; y++)
		good = picture_rows(&image, c->pixels + (p->y + y) *
				    (size_t)c->w + p->x, 1);
	if (image.failed)
		fail(parts->err, "%s", image.failed);
	picture_close(&image);
	parts->part[i] = *p;
	parts->at[i + 1] = parts->n;
	return good && parts->bytes;
}

static bool draw(struct frames *f, const struct animation *m, size_t i,
		 const struct style *style, struct output_file *o)
{
	struct table t = { 0 };
	struct figure figure = { 0 };
	struct part p = { 0 };
	bool good = m->make(m, i, &t, f->err) &&
		    figure_make(&figure, &t, &style->look, style->threads,
				f->err) &&
		    canvas_draw(&f->canvas, &figure, f->err);
	const size_t size = (size_t)f->canvas.w * (size_t)f->canvas.h;

	if (good) {
		f->dots = (size_t)figure.dots;
		font_others(figure.font, f->fonts);
		vectors_note(&figure, o);
	}
	if (good && i)
		find_changes(f, &p);
	else
		p = (struct part){ .w = (size_t)f->canvas.w,
				   .h = (size_t)f->canvas.h };
	good = good && f->take(f->taker, &f->canvas, &p, i);
	if (good && !f->before)
		f->before = table_alloc(&f->memory, size, 1, f->err);
	if (good && f->before)
		memcpy(f->before, f->canvas.pixels, size);
	figure_close(&figure);
	table_close(&t);
	return good && f->before;
}

/* fcTL: where the next frame is drawn, and how long it stays. */
static void send_control(struct picture *to, const struct part *p,
			 size_t *sequence, size_t rate)
{
	const size_t first[] = { (*sequence)++, p->w, p->h, p->x, p->y };
	unsigned char bytes[26] = { 0 };  /* left, and not blended: 0, 0 */

	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		picture_number(bytes + 4 * i, first[i]);
	bytes[21] = 1;
	bytes[23] = (unsigned char)rate;
	picture_chunk(to, "fcTL", NULL, bytes, sizeof bytes);
}

/* The rows of a part; of all but the first frame, numbered. */
static void send_part(struct picture *to, const struct parts *f, size_t i,
		      size_t *sequence)
{
	const unsigned char *rows = f->bytes + f->at[i];
	const size_t n = f->at[i + 1] - f->at[i];
	unsigned char number[4];

	if (i == 0) {
		picture_chunk(to, "IDAT", NULL, rows, n);
		return;
	}
	picture_number(number, (*sequence)++);
	picture_chunk(to, "fdAT", number, rows, n);
}

static bool send_all(struct picture *to, const struct parts *f, size_t n,
		     size_t rate)
{
	unsigned char control[8] = { 0 };  /* plays: 0, without end */
	size_t sequence = 0;

	if (!picture_begin(to))
		return false;
	picture_number(control, n);
	picture_chunk(to, "acTL", NULL, control, sizeof control);
	for (size_t i = 0; i < n; i++) {
		send_control(to, &f->part[i], &sequence, rate);
		send_part(to, f, i, &sequence);
	}
	picture_chunk(to, "IEND", NULL, NULL, 0);
	return true;
}

static void send_out(void *to, const void *bytes, size_t n)
{
	out_bytes(to, bytes, n);
}

enum { MOST = 2000000 };  /* bytes: what a page of the web should have */

/* Whether the file will be larger, as far as frames up to i tell. */
static bool exceeds(const struct parts *f, size_t i, size_t n)
{
	enum { FIRST = 4 };
	const size_t each = (f->n - f->at[1]) / FIRST;

	return f->n > MOST || (i == FIRST && each * n > MOST + MOST / 2);
}

/* Draw all frames; unless parts is NULL, until they are large. */
static bool draw_all(struct frames *f, const struct animation *m,
		     const struct style *style, const struct parts *parts,
		     struct output_file *o)
{
	bool good = true;

	for (size_t i = 0; good && !f->large && i < m->n; i++) {
		good = draw(f, m, i, style, o);
		f->large = good && parts && exceeds(parts, i, m->n);
	}
	return good;
}

static void frames_close(struct frames *f)
{
	canvas_close(&f->canvas);
	table_close(&f->memory);
}

static void parts_close(struct parts *p)
{
	table_close(&p->memory);
	table_close(&p->listed);
}

/* What o says of n frames. */
static void tell(const struct frames *f, size_t n, struct output_file *o)
{
	snprintf(o->extent, sizeof o->extent, "%zu frames of %d x %d pixels", n,
		 f->canvas.w, f->canvas.h);
}

static void write_frames(const struct frames *f, const struct parts *parts,
			 const struct animation *m, const struct style *style,
			 const char *command, struct output_file *o)
{
	struct picture p = {
		.w = (size_t)f->canvas.w, .h = (size_t)f->canvas.h,
		.palette = f->canvas.palette, .colors = f->canvas.colors,
		.alpha = style->look.transparent ? f->canvas.alpha : NULL,
		.dots = f->dots, .command = command,
		.fonts = f->fonts, .send = send_out, .to = o,
	};

	tell(f, m->n, o);
	if (!send_all(&p, parts, m->n, style->look.frame_rate))
		out_fail(o, p.failed);
	picture_close(&p);
}

bool animation_size(const struct animation *m, struct look *look,
		    size_t threads, struct error *err)
{
	int w = 0, h = 0;
	bool good = true;

	look->w = look->h = 0;
	for (size_t i = 0; good && i < m->n; i++) {
		struct table t = { 0 };
		struct figure f = { 0 };

		good = m->make(m, i, &t, err) &&
		       figure_make(&f, &t, look, threads, err);
		w = f.w > w ? f.w : w;
		h = f.h > h ? f.h : h;
		figure_close(&f);
		table_close(&t);
	}
	look->w = w;
	look->h = h;
	return good;
}

/* A way to draw; 0: as asked. */
struct way {
	int levels;          /* of a map */
	size_t scale;
};

/* Add to the note what is coarse, and why. */
static void note_way(const struct way *way, struct output_file *o)
{
	const size_t n = strlen(o->note);
	char levels[40] = "";

	if (way->levels)
		snprintf(levels, sizeof levels, "maps have %d colours%s",
			 way->levels, way->scale ? ", and " : "");
	if (way->levels || way->scale)
		snprintf(o->note + n, sizeof o->note - n, "%sas the animation "
			 "is large, %s%s", n ? "; " : "", levels, way->scale
			 ? "it has 1 pixel per 1/96 inch; --scale sets another "
			   "number" : "");
}

/* Draw by that way, and write it if it is small, or may have any size. */
static bool try_way(const struct animation *m, const struct style *style,
		    const struct way *way, bool any_size, const char *command,
		    struct output_file *o)
{
	struct parts parts = { .err = &o->err };
	struct frames f = { .err = &o->err, .take = keep_part,
			    .taker = &parts };
	struct style s = *style;
	bool good, written;

	s.look.levels = way->levels;
	s.look.scale = way->scale ? way->scale : s.look.scale;
	parts.part = table_alloc(&parts.listed, m->n, sizeof *parts.part,
				 &o->err);
	parts.at = table_alloc(&parts.listed, m->n + 1, sizeof *parts.at,
			       &o->err);
	good = parts.part && parts.at &&
	       animation_size(m, &s.look, s.threads, &o->err) &&
	       draw_all(&f, m, &s, any_size ? NULL : &parts, o);
	written = good && !f.large;
	if (written) {
		write_frames(&f, &parts, m, style, command, o);
		note_way(way, o);
	}
	frames_close(&f);
	parts_close(&parts);
	return !good || written;
}

/*
 * Where the file would be too large, maps have fewer levels, and the picture
 * fewer pixels if nobody chose how many.
 */
void animation_write(const struct animation *m, const struct style *style,
		     const char *command, struct output_file *o)
{
	static const struct way sized[] = {
		{ 0, 0 }, { 61, 0 }, { 31, 0 }, { 25, 0 }, { 0, 0 }
	}, free[] = {
		{ 0, 0 }, { 61, 0 }, { 0, 1 }, { 61, 1 }, { 31, 1 }, { 25, 1 },
		{ 0, 0 }
	};
	const struct look *look = &style->look;
	const struct way *way = look->scale || page_printed(look) || look->dpi
		? sized : free;

	while (!try_way(m, style, way, !way[1].levels && !way[1].scale,
			command, o))
		way++;
}

void frames_draw(const struct style *style, take_frame *take, void *taker,
		 struct output_file *o)
{
	const struct animation *m = style->animation;
	struct frames f = { .err = &o->err, .take = take, .taker = taker };
	struct style s = *style;

	if (animation_size(m, &s.look, s.threads, &o->err) &&
	    draw_all(&f, m, &s, NULL, o))
		tell(&f, m->n, o);
	frames_close(&f);
}
