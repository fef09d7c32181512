/* vectors.c: figures as vectors; their heat maps are PNGs. */
#include <stdlib.h>

#include "formats/vectors.h"

enum {
	PIXELS = 1 << 19,  /* maximum of an embedded image */
	CELL_LEAST = 4,    /* minimum of pixels per cell */
	REPEATS = 4,       /* equal rows from which compression is fast */
	EFFORT = 9,
};

bool vectors_check(const struct style *style, const struct table *t,
		   const char *name, struct error *err)
{
	if (style->plain)
		return fail(err, "--plain is for --png; --%s draws figures",
			    name);
	return look_check(&style->look, t, err) && look_check_planes(t, err);
}

void vectors_write(const struct style *style, const struct table *t,
		   struct output_file *o,
		   void (*send)(struct output_file *o, struct figure *f,
				const struct table *t, const char *command))
{
	char *command = command_line(t, style);
	struct figure f;

	if (!command)
		out_fail(o, "out of memory");
	else if (figure_make(&f, t, &style->look, style->threads, &o->err))
		send(o, &f, t, command);
	if (command)
		figure_close(&f);
	free(command);
}

/*
 * The pixels per cell of an embedded image, in one direction, for a cell of so
 * many pixels in the figure: a divisor of it, so that edges stay sharp in
 * viewers that smooth, and small enough for a small file.
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

	return (struct picture){
		.w = item->cols * enlarged(item, item->w),
		.h = item->rows * high, .palette = f->palette,
		.colors = f->levels + 1, .level = EFFORT,
		.repeats = high >= REPEATS,
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
		good = picture_row(p, row) && !o->err.text[0];
	}
	if (!row || p->failed)
		out_fail(o, row ? p->failed : "out of memory");
	picture_close(p);
	free(row);
}
