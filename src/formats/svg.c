/* svg.c: a figure as SVG; heat maps are embedded as palette PNGs. */
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "figure/figure.h"
#include "formats/style.h"
#include "formats/format.h"
#include "formats/picture.h"

enum {
	PIXELS = 1 << 19,  /* maximum of an embedded image */
	CELL_LEAST = 4,    /* minimum of pixels per cell */
	REPEATS = 4,       /* equal rows from which compression is fast */
	EFFORT = 9,
};

static bool svg_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	if (style->plain)
		return fail(err, "--plain is for --png; --svg draws figures");
	return look_check(&style->look, t, err) && look_check_planes(t, err);
}

/* The length of the character at c (valid UTF-8) if XML forbids it, or 0. */
static size_t not_shown(const char *c)
{
	if (utf8_control(c))
		return utf8_control(c);
	return strncmp(c, "\xef\xbf\xbe", 3) == 0 ||
	       strncmp(c, "\xef\xbf\xbf", 3) == 0 ? 3 : 0;
}

/* Write text, escaped for XML. */
static void send_text(struct output_file *o, const char *text)
{
	char *clean = utf8_clean(text);

	if (!clean) {
		out_fail(o, "out of memory");
		return;
	}
	for (const char *c = clean; *c; c++) {
		const size_t bad = not_shown(c);

		if (bad)
			out_text(o, "\xef\xbf\xbd");
		else if (*c == '&')
			out_text(o, "&amp;");
		else if (*c == '<')
			out_text(o, "&lt;");
		else if (*c == '>')
			out_text(o, "&gt;");
		else
			out_bytes(o, c, 1);
		c += bad ? bad - 1 : 0;
	}
	free(clean);
}

/* An encoder of base64: three bytes at a time. */
struct base64 {
	struct output_file *o;
	unsigned char bytes[3];
	size_t n;
};

static void send_three(struct base64 *b)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz0123456789+/=";
	const unsigned x = (unsigned)b->bytes[0] << 16 |
			   (unsigned)b->bytes[1] << 8 | b->bytes[2];
	char text[4];

	for (size_t i = 0; i < 4; i++)
		text[i] = digits[i <= b->n ? x >> (18 - 6 * i) & 63 : 64];
	out_bytes(b->o, text, 4);
	memset(b->bytes, 0, 3);
	b->n = 0;
}

static void send_base64(void *to, const void *bytes, size_t n)
{
	struct base64 *b = to;
	const unsigned char *at = bytes;

	for (; n; n--) {
		b->bytes[b->n++] = *at++;
		if (b->n == 3)
			send_three(b);
	}
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

static void send_rows(struct picture *p, const struct item *item, size_t wide,
		      size_t high, struct output_file *o)
{
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

static void send_image(struct output_file *o, const struct figure *f,
		       const struct item *item)
{
	const size_t wide = enlarged(item, item->w);
	const size_t high = enlarged(item, item->h);
	struct base64 base64 = { .o = o };
	struct picture p = {
		.w = item->cols * wide, .h = item->rows * high,
		.palette = f->palette, .colors = f->levels + 1,
		.level = EFFORT, .repeats = high >= REPEATS,
		.send = send_base64, .to = &base64,
	};

	out_format(o, "<image x=\"%d\" y=\"%d\" width=\"%zu\" height=\"%zu\" "
		   "preserveAspectRatio=\"none\" "
		   "href=\"data:image/png;base64,", item->x, item->y,
		   item->cols * (size_t)item->w, item->rows * (size_t)item->h);
	send_rows(&p, item, wide, high, o);
	if (base64.n)
		send_three(&base64);
	out_text(o, "\"/>\n");
}

/* Write class "i3" for ink 3, or the colour of a level. */
static void send_fill(struct output_file *o, const struct figure *f, int ink)
{
	const struct color *c = &f->palette[ink & 0xff];

	if (ink >= INK)
		out_format(o, " class=\"i%d\"", ink - INK);
	else
		out_format(o, " style=\"fill:#%02x%02x%02x\"", c->red,
			   c->green, c->blue);
}

static void send_words(struct output_file *o, const struct figure *f,
		       const struct item *item)
{
	static const char *const anchors[] = { "start", "middle", "end" };

	out_format(o, "<text x=\"%d\" y=\"%d\" font-size=\"%d\"", item->x,
		   item->y, item->size);
	if (item->anchor)
		out_format(o, " text-anchor=\"%s\"", anchors[item->anchor]);
	if (item->upward)
		out_format(o, " transform=\"rotate(-90 %d %d)\"", item->x,
			   item->y);
	send_fill(o, f, item->ink);
	out_text(o, ">");
	send_text(o, item->text);
	out_text(o, "</text>\n");
}

static void send_path(struct output_file *o, const struct item *item)
{
	out_format(o, "<path class=\"i%d\" stroke-width=\"%g\"",
		   item->ink - INK, item->width);
	if (item->dash > 0)
		out_format(o, " stroke-dasharray=\"%g\"", item->dash);
	out_text(o, " d=\"M");
	for (size_t i = 0; i < item->n; i++)
		out_format(o, "%s%.2f %.2f", i ? "L" : "", item->points[i].x,
			   item->points[i].y);
	out_text(o, "\"/>\n");
}

static void send_item(struct output_file *o, const struct figure *f,
		      const struct item *item)
{
	switch (item->kind) {
	case ITEM_RECT:
		out_format(o, "<rect x=\"%d\" y=\"%d\" width=\"%d\" "
			   "height=\"%d\"", item->x, item->y, item->w, item->h);
		send_fill(o, f, item->ink);
		out_text(o, "/>\n");
		break;
	case ITEM_TEXT:
		send_words(o, f, item);
		break;
	case ITEM_IMAGE:
		send_image(o, f, item);
		break;
	case ITEM_PATH:
	default:
		send_path(o, item);
	}
}

/* The classes of a theme's inks that differ from the other theme. */
static void send_inks(struct output_file *o, const char *page, int theme,
		      int other)
{
	const struct color *c = figure_inks(theme), *d = figure_inks(other);

	for (int i = 0; i < INK_END - INK; i++, c++, d++)
		if (theme == other || memcmp(c, d, sizeof *c) != 0)
			out_format(o, ".%s .i%d{color:#%02x%02x%02x}", page,
				   i, c->red, c->green, c->blue);
	out_text(o, "\n");
}

/* The class of the figure, which its style rules name. */
static const char *page_of(const struct figure *f)
{
	return f->theme == NO_CHOICE ? "posenc" :
	       f->theme == DARK ? "posenc-dark" : "posenc-light";
}

/*
 * Without --theme the colour scheme of the reader's page counts. In HTML rules
 * apply to the whole page, which may have other figures: hence the class.
 */
static void send_style(struct output_file *o, const struct figure *f)
{
	const char *page = page_of(f);

	out_format(o, "<style>\n.%s text{font-family:\"DejaVu Sans\",Verdana,"
		   "sans-serif}\n.%s text,.%s rect{fill:currentColor}\n"
		   ".%s image{image-rendering:pixelated}\n"
		   ".%s path{fill:none;stroke:currentColor;"
		   "stroke-linecap:round;stroke-linejoin:round}\n",
		   page, page, page, page, page);
	send_inks(o, page, f->theme, f->theme);
	if (f->theme == NO_CHOICE) {
		out_text(o, "@media (prefers-color-scheme:dark){\n");
		send_inks(o, page, DARK, LIGHT);
		out_text(o, "}\n");
	}
	out_text(o, "</style>\n");
}

static void send_figure(struct output_file *o, const struct figure *f,
			const char *command)
{
	out_format(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%s\" "
		   "width=\"%g\" height=\"%g\" viewBox=\"0 0 %d %d\">\n",
		   page_of(f), (double)f->w / f->scale, (double)f->h / f->scale,
		   f->w, f->h);
	out_text(o, "<title>");
	send_text(o, f->title);
	out_text(o, "</title>\n<metadata>");
	send_text(o, command);
	out_text(o, "</metadata>\n");
	send_style(o, f);
	out_format(o, "<rect class=\"i0\" width=\"%d\" height=\"%d\"/>\n",
		   f->w, f->h);
	for (const struct item *i = f->first; i; i = i->next)
		send_item(o, f, i);
	out_text(o, "</svg>\n");
}

static void svg_write(const struct style *style, const struct table *t,
		      struct output_file *o)
{
	char *command = command_line(t, style);
	struct figure f;

	if (!command)
		out_fail(o, "out of memory");
	else if (figure_make(&f, t, &style->look, style->threads, &o->err))
		send_figure(o, &f, command);
	if (command)
		figure_close(&f);
	free(command);
}

const struct format svg_format = {
	.name = "svg",
	.summary =
		"the same figure as scalable vector graphics (text stays text)",
	.check = svg_check,
	.write = svg_write,
};
