/*
 * gif.c: a figure that changes as an animated GIF, which slide programs play,
 * or one that does not; by giflib, if it is installed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "formats/animation.h"
#include "formats/format.h"
#include "formats/rows.h"
#include "formats/vectors.h"
#include "table/library.h"

/* What is used of <gif_lib.h>, as it has been since 5.1. */
struct gif_map;

struct gif_file {
	int size[4];               /* width, height, resolution, background */
	unsigned char aspect;
	struct gif_map *map;
	int images;
	struct {
		int left, top, width, height;
		bool interlaced;
		struct gif_map *map;
	} image;
	void *saved;
	int blocks;
	void *extensions;
	int error;
	void *user;                /* of open() */
};

enum { CONTROL = 0xf9, COMMENT = 0xfe, APPLICATION = 0xff };

struct gif {
	struct gif_map *(*MakeMapObject)(int n, const struct color *colors);
	void (*FreeMapObject)(struct gif_map *map);
	struct gif_file *(*Open)(void *user, int (*write)(struct gif_file *g,
							  const unsigned char *,
							  int), int *error);
	void (*SetGifVersion)(struct gif_file *g, bool animated);
	int (*PutScreenDesc)(struct gif_file *g, int w, int h, int bits,
			     int background, const struct gif_map *map);
	int (*PutExtension)(struct gif_file *g, int code, int n,
			    const void *bytes);
	int (*PutExtensionLeader)(struct gif_file *g, int code);
	int (*PutExtensionBlock)(struct gif_file *g, int n, const void *bytes);
	int (*PutExtensionTrailer)(struct gif_file *g);
	int (*PutImageDesc)(struct gif_file *g, int left, int top, int w,
			    int h, bool interlaced, const struct gif_map *map);
	int (*PutLine)(struct gif_file *g, unsigned char *pixels, int n);
	int (*CloseFile)(struct gif_file *g, int *error);
};

/* A file that is being written. */
struct writer {
	struct gif lib;
	struct gif_file *file;     /* NULL: not begun */
	const char *command;       /* that makes it, a comment */
	size_t rate;               /* frames per second; 0: it stands still */
	struct output_file *o;
};

static bool load(struct gif *g, struct error *err)
{
	static const char *const names[] = {
		"libgif.so.7", "libgif.7.dylib", NULL
	};
	static const struct library_function functions[] = {
#define G(name) { "Gif" #name, offsetof(struct gif, name), NULL }
#define E(name) { "EGif" #name, offsetof(struct gif, name), NULL }
		G(MakeMapObject), G(FreeMapObject), E(Open), E(SetGifVersion),
		E(PutScreenDesc), E(PutExtension), E(PutExtensionLeader),
		E(PutExtensionBlock), E(PutExtensionTrailer), E(PutImageDesc),
		E(PutLine), E(CloseFile), { NULL, 0, NULL },
#undef E
#undef G
	};
	static const struct library library = { "libgif7", names, functions };
	struct error why = { 0 };

	return library_load(&library, g, &why) ||
	       fail(err, "--gif: the library giflib is %s", why.text);
}

static int send(struct gif_file *g, const unsigned char *bytes, int n)
{
	out_bytes(g->user, bytes, (size_t)n);
	return n;
}

/* The palette in use; giflib wants a power of two. */
static struct gif_map *map_of(const struct writer *w, const struct canvas *c)
{
	int n = 2;

	while (n < c->colors)
		n *= 2;
	return w->lib.MakeMapObject(n, c->palette);
}

/* The size, the palette, the command, and that it plays without end. */
static bool begin(struct writer *w, const struct canvas *c, struct gif_map *map)
{
	static const unsigned char again[] = { 1, 0, 0 };
	const struct gif *g = &w->lib;
	size_t n = strlen(w->command);

	w->file = g->Open(w->o, send, NULL);
	if (!w->file)
		return false;
	g->SetGifVersion(w->file, true);
	if (!g->PutScreenDesc(w->file, c->w, c->h, 8, 0, map) ||
	    (w->rate && (!g->PutExtensionLeader(w->file, APPLICATION) ||
			 !g->PutExtensionBlock(w->file, 11, "NETSCAPE2.0") ||
			 !g->PutExtensionBlock(w->file, 3, again) ||
			 !g->PutExtensionTrailer(w->file))) ||
	    !g->PutExtensionLeader(w->file, COMMENT))
		return false;
	for (const char *at = w->command; n;) {
		const int part = n < 255 ? (int)n : 255;

		if (!g->PutExtensionBlock(w->file, part, at))
			return false;
		at += part;
		n -= (size_t)part;
	}
	return g->PutExtensionTrailer(w->file);
}

/* How long frame i stays, in 1/100 s: together they have the rate. */
static size_t delay(const struct writer *w, size_t i)
{
	return w->rate ? 100 * (i + 1) / w->rate - 100 * i / w->rate : 0;
}

/* Write what changes in frame i. */
static bool put(struct writer *w, const struct canvas *c, const struct part *p,
		size_t i, struct gif_map *map)
{
	const size_t stays = delay(w, i);
	const unsigned char control[] = {
		4, stays & 255, (unsigned char)(stays >> 8), 0  /* it is left */
	};
	bool good = (w->file || begin(w, c, map)) &&
		    w->lib.PutExtension(w->file, CONTROL, 4, control) &&
		    w->lib.PutImageDesc(w->file, (int)p->x, (int)p->y,
					(int)p->w, (int)p->h, false,
					i ? map : NULL);

	for (size_t y = p->y; good && y < p->y + p->h; y++)
		good = w->lib.PutLine(w->file, c->pixels + y * (size_t)c->w +
				      p->x, (int)p->w);
	return good;
}

static bool take(void *to, const struct canvas *c, const struct part *p,
		 size_t i)
{
	struct writer *w = to;
	struct gif_map *map = map_of(w, c);
	const bool good = map && put(w, c, p, i, map);

	w->lib.FreeMapObject(map);
	return good || fail_memory(&w->o->err);
}

/* A figure that stands still. */
static void draw_one(struct writer *w, const struct style *style,
		     const struct table *t)
{
	struct output_file *o = w->o;
	struct figure f;
	struct canvas c = { 0 };

	if (figure_make(&f, t, &style->look, style->threads, &o->err) &&
	    canvas_draw(&c, &f, &o->err)) {
		const struct part all = { 0, 0, (size_t)c.w, (size_t)c.h };

		take(w, &c, &all, 0);
		snprintf(o->extent, sizeof o->extent, "%d x %d pixels", c.w,
			 c.h);
		vectors_note(&f, o);
	}
	canvas_close(&c);
	figure_close(&f);
}

static bool gif_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	struct gif g;

	if (style->look.transparent)
		return fail(err, "--gif: a GIF has no --transparent letters; "
			    "--png has");
	if (style->look.animate && style->look.frame_rate > 50)
		return fail(err, "--gif: --frame-rate is at most 50, got %zu",
			    style->look.frame_rate);
	return look_check(&style->look, t, err) &&
	       look_check_planes(t, err) && load(&g, err);
}

static void gif_write(const struct style *style, const struct table *t,
		      struct output_file *o)
{
	char *command = command_line(t, style, "gif");
	struct writer w = { .command = command, .o = o };

	if (!command) {
		out_fail(o, "out of memory");
	} else if (load(&w.lib, &o->err)) {
		w.rate = style->animation ? style->look.frame_rate : 0;
		if (style->animation)
			frames_draw(style, take, &w, o);
		else
			draw_one(&w, style, t);
		if (w.file)
			w.lib.CloseFile(w.file, NULL);
	}
	free(command);
}

const struct format gif_format = {
	.name = "gif",
	.summary = "the same figure as GIF, for slides that move",
	.binary = true,
	.figure = true,
	.check = gif_check,
	.write = gif_write,
};
