/* svg.c: a figure as SVG; heat maps are embedded as palette PNGs. */
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "figure/figure.h"
#include "formats/base64.h"
#include "formats/vectors.h"
#include "formats/format.h"

static bool svg_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	return vectors_check(style, t, "svg", err);
}

/*
 * Write text, escaped for XML. It has no hidden characters, some of which XML
 * forbids, but may have been cut within a character.
 */
static void send_text(struct output_file *o, const char *text)
{
	char *clean = utf8_clean(text);

	if (!clean) {
		out_fail(o, "out of memory");
		return;
	}
	for (const char *c = clean; *c; c++) {
		if (*c == '&')
			out_text(o, "&amp;");
		else if (*c == '<')
			out_text(o, "&lt;");
		else if (*c == '>')
			out_text(o, "&gt;");
		else
			out_bytes(o, c, 1);
	}
	free(clean);
}

static void send_base64(void *to, const void *bytes, size_t n)
{
	base64_bytes(to, bytes, n);
}

static void send_image(struct output_file *o, const struct figure *f,
		       const struct item *item)
{
	struct base64 base64 = { .o = o };
	struct picture p = vectors_picture(f, item);

	p.send = send_base64;
	p.to = &base64;
	out_format(o, "<image x=\"%d\" y=\"%d\" width=\"%zu\" height=\"%zu\" "
		   "preserveAspectRatio=\"none\" "
		   "style=\"image-rendering:pixelated\" "
		   "xlink:href=\"data:image/png;base64,", item->x, item->y,
		   item->cols * (size_t)item->w, item->rows * (size_t)item->h);
	vectors_send_picture(&p, item, o);
	base64_finish(&base64);
	out_text(o, "\"/>\n");
}

/* Whether an ink of the light theme has another colour in the dark one. */
static bool ink_changes(int ink)
{
	return ink >= INK && memcmp(&figure_inks(LIGHT)[ink - INK],
				    &figure_inks(DARK)[ink - INK],
				    sizeof(struct color)) != 0;
}

/*
 * Write the colour of an ink or of a level as attribute name; for --theme auto
 * also its class, if it has another colour in the dark.
 */
static void send_color(struct output_file *o, const struct figure *f,
		       const char *name, int ink)
{
	const struct color c = figure_color(f, ink);

	out_format(o, " %s=\"#%02x%02x%02x\"", name, c.red, c.green, c.blue);
	if (f->theme == AUTO && ink_changes(ink))
		out_format(o, " class=\"i%d\"", ink - INK);
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
	send_color(o, f, "fill", item->ink);
	out_text(o, ">");
	send_text(o, item->text);
	out_text(o, "</text>\n");
}

static void send_path(struct output_file *o, const struct figure *f,
		      const struct item *item)
{
	out_format(o, "<path fill=\"none\" stroke-width=\"%g\"", item->width);
	send_color(o, f, "stroke", item->ink);
	if (item->dash > 0)
		out_format(o, " stroke-dasharray=\"%g\"", item->dash);
	out_text(o, " d=\"M");
	for (size_t i = 0; i < item->n; i++)
		out_format(o, "%s%.2f %.2f", i ? "L" : "", item->points[i].x,
			   item->points[i].y);
	out_text(o, "\"/>\n");
}

/* Dots are lines of almost no length, with round ends. */
static void send_dots(struct output_file *o, const struct figure *f,
		      const struct item *item)
{
	out_format(o, "<path fill=\"none\" stroke-width=\"%g\"", item->width);
	send_color(o, f, "stroke", item->ink);
	out_text(o, " d=\"");
	for (size_t i = 0; i < item->n; i++)
		out_format(o, "M%.2f %.2fh.01", item->points[i].x,
			   item->points[i].y);
	out_text(o, "\"/>\n");
}

static void send_area(struct output_file *o, const struct figure *f,
		      const struct item *item)
{
	out_text(o, "<polygon");
	send_color(o, f, "fill", item->ink);
	out_format(o, " fill-opacity=\"%g\" points=\"", (double)FAINT / 15);
	for (size_t i = 0; i < item->n; i++)
		out_format(o, "%s%.2f %.2f", i ? " " : "", item->points[i].x,
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
		send_color(o, f, "fill", item->ink);
		out_text(o, "/>\n");
		break;
	case ITEM_TEXT:
		send_words(o, f, item);
		break;
	case ITEM_IMAGE:
		send_image(o, f, item);
		break;
	case ITEM_DOTS:
		send_dots(o, f, item);
		break;
	case ITEM_AREA:
		send_area(o, f, item);
		break;
	case ITEM_PATH:
	default:
		send_path(o, f, item);
	}
}

/*
 * The dark colours of --theme auto. Programs that know no media queries would
 * apply these rules on white pages, too; none of them knows selectors of
 * attributes.
 */
static void send_dark(struct output_file *o)
{
	const struct color *c = figure_inks(DARK);

	out_text(o, "<style>\n@media (prefers-color-scheme:dark){\n");
	for (int i = 0; i < INK_END - INK; i++, c++)
		if (ink_changes(INK + i))
			out_format(o, "[class=\"posenc\"] .i%d{fill:#%02x%02x"
				   "%02x}[class=\"posenc\"] path.i%d{fill:none;"
				   "stroke:#%02x%02x%02x}\n", i, c->red,
				   c->green, c->blue, i, c->red, c->green,
				   c->blue);
	out_text(o, "}\n</style>\n");
}

/* The width and height: as given, or in CSS pixels. */
static void send_size(struct output_file *o, const struct figure *f)
{
	struct length w = { f->w * INCH_PIXELS / f->dpi, "", 0 };
	struct length h = { f->h * INCH_PIXELS / f->dpi, "", 0 };

	if (f->wide) {
		w = f->width;
		h = f->high ? f->height : (struct length){
			w.value * f->h / f->w, w.unit, 0 };
	}
	out_format(o, "width=\"%g%s\" height=\"%g%s\" ", w.value, w.unit,
		   h.value, h.unit);
}

/*
 * Colours and fonts are attributes, and images have xlink:href, as older
 * programs know neither style sheets nor href; all newer ones know both.
 */
static void send_head(struct output_file *o, const struct figure *f)
{
	char family[FAMILY_TEXT];

	out_text(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		 "xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
		 "class=\"posenc\" role=\"img\" ");
	send_size(o, f);
	out_format(o, "viewBox=\"0 0 %d %d\" font-family=\"DejaVu "
		   "Sans,Verdana,", f->w, f->h);
	for (size_t i = 1; i < font_faces(f->font); i++) {
		font_family(f->font, i, family);
		out_format(o, "'%s',", family);
	}
	out_text(o, "sans-serif\" stroke-linecap=\"round\" "
		 "stroke-linejoin=\"round\">\n");
}

/* Write one element that holds text. */
static void send_element(struct output_file *o, const char *name,
			 const char *text)
{
	out_format(o, "<%s>", name);
	send_text(o, text);
	out_format(o, "</%s>\n", name);
}

/* The fonts that it was laid out with, if others than the usual ones. */
static void send_fonts(struct output_file *o, const struct figure *f)
{
	char fonts[FONTS_TEXT];

	font_others(f->font, fonts);
	if (fonts[0])
		out_format(o, "<metadata class=\"fonts\">%s</metadata>\n",
			   fonts);
}

/* Describe the figure for those who do not see it. */
static void send_description(struct output_file *o, const struct figure *f,
			     const struct table *t)
{
	size_t shape[3];
	char text[SHAPE_TEXT];

	if (f->about)
		send_element(o, "desc", f->about);
	else
		out_format(o, "<desc>values of shape %s</desc>\n",
			   shape_text(shape, table_shape(t, shape), text));
}

static void send_page(struct output_file *o, const struct figure *f)
{
	out_format(o, "<rect width=\"%d\" height=\"%d\"", f->w, f->h);
	send_color(o, f, "fill", INK_PAGE);
	out_text(o, "/>\n");
}

static void send_figure(struct output_file *o, struct figure *f,
			const struct table *t, const char *command)
{
	send_head(o, f);
	send_element(o, "title", f->title);
	send_description(o, f, t);
	send_element(o, "metadata", command);
	send_fonts(o, f);
	if (f->theme == AUTO)
		send_dark(o);
	if (!f->transparent)
		send_page(o, f);
	for (const struct item *i = f->first; i; i = i->next)
		send_item(o, f, i);
	out_text(o, "</svg>\n");
	font_whole(f->font, &o->err);
}

static void svg_write(const struct style *style, const struct table *t,
		      struct output_file *o)
{
	vectors_write(style, t, "svg", o, send_figure);
}

const struct format svg_format = {
	.name = "svg",
	.summary =
		"the same figure as scalable vector graphics (text stays text)",
	.figure = true,
	.check = svg_check,
	.write = svg_write,
};
