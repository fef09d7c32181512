/* vectors.c: figures as vectors; their heat maps are PNGs. */
#include <stdio.h>
#include <stdlib.h>

#include "formats/vectors.h"

enum {
	PIXELS = 1 << 19,  /* maximum of an embedded image */
	CELL_LEAST = 4,    /* minimum of pixels per cell */
	REPEATS = 4,       /* equal rows from which compression is fast */
	EFFORT_REPEATS = 6,
	EFFORT = 4,        /* 9 takes half as long again for 4 % */
	PRINT_DPI = 1200,
};

bool vectors_check(const struct style *style, const struct table *t,
		   const char *name, struct error *err)
{
	if (style->plain)
		return fail(err, "--plain is for --png; --%s draws figures",
			    name);
	return look_check(&style->look, t, err) && look_check_planes(t, err);
}

double vectors_inches(const struct figure *f)
{
	return f->wide ? f->width.inches / f->wide : 1 / f->dpi;
}

static void note_size(const struct figure *f, struct output_file *o)
{
	const double cm = 2.54 * vectors_inches(f);

	snprintf(o->extent, sizeof o->extent, "%.1f x %.1f cm", cm * f->w,
		 cm * f->h);
}

void vectors_write(const struct style *style, const struct table *t,
		   const char *name, struct output_file *o,
		   void (*send)(struct output_file *o, struct figure *f,
				const struct table *t, const char *command))
{
	char *command = command_line(t, style, name);
	struct look look = style->look;
	struct figure f;

	/* Fine enough for cells and text of exact sizes */
	look.dpi = page_printed(&look) ? PRINT_DPI : 0;
	if (!command) {
		out_fail(o, "out of memory");
	} else if (figure_make(&f, t, &look, style->threads, &o->err)) {
		note_size(&f, o);
		send(o, &f, t, command);
	}
	if (command)
		figure_close(&f);
	free(command);
}

void vectors_note(const struct figure *f, struct output_file *o)
{
	font_note(f->font, o->note, sizeof o->note);
}

/*
 * The pixels per cell of an embedded image, in one direction, for a cell of so
 * many pixels in the figure: its largest divisor that keeps the file small, so
 * that edges stay sharp in viewers that smooth; CELL_LEAST if all such divisors
 * are less.
 */
static size_t enlarged(const struct item *item, int cell)
{
	size_t k = (size_t)cell;

	while (k > CELL_LEAST && ((size_t)cell % k || k * k * item->rows *
						      item->cols > PIXELS))
		k--;
	return k;
}

struct picture vectors_picture(const struct figure *f,
				const struct item *item)
{
	const size_t high = enlarged(item, item->h);
	const bool repeats = high >= REPEATS;

	return (struct picture){
		.w = item->cols * enlarged(item, item->w),
		.h = item->rows * high, .palette = f->palette,
		.colors = f->levels + MISSING_KINDS,
		.level = repeats ? EFFORT_REPEATS : EFFORT, .up = repeats,
	};
}

void vectors_send_picture(struct picture *p, const struct item *item,
		    struct output_file *o)
{
	const size_t wide = p->w / item->cols, high = p->h / item->rows;
	unsigned char *row = malloc(p->w);
	bool good = row && picture_begin(p);

	for (size_t i = 0; good && i < p->h; i++) {
		for (size_t j = 0; j < p->w && i % high == 0; j++)
			row[j] = item->levels[i / high * item->cols + j / wide];
		good = picture_rows(p, row, 1) && !o->err.text[0];
	}
	if (!row || p->failed)
		out_fail(o, row ? p->failed : "out of memory");
	picture_close(p);
	free(row);
}
