/* style.c: the options of all outputs, and the command that they make. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/language.h"
#include "figure/plots.h"
#include "formats/style.h"
#include "text/words.h"

#define FIGURES "png svg pdf gif"
#define FIGURE(field) \
	OPTION(struct look, field), .role = ROLE_FIGURE, .needs = FIGURES

enum { NAME_MOST = 100 };

const struct option style_options[] = {
	{ OPTION(struct style, head), .max = 0x1p52, .arg = "H",
	  .help = "write only plane H, such as a head, of a table that has "
		  "several, counted from 0 (default: all)" },
	{ OPTION(struct style, dtype), .words = dtype_words, .arg = "TYPE",
	  .help = "element type: float64 float32 float16 bfloat16 int64 int32 "
		  "int16 int8 uint8, or short f64 f32 f16 bf16 i64 i32 "
		  "i16 i8 u8 (default: float32; int32 if all values "
		  "are integers)" },
	{ OPTION(struct style, rows), .arg = "A:B",
	  .help = "write only rows A to B-1, counted from 0; values are as in "
		  "the whole table (default: all rows)" },
	{ OPTION(struct style, precision),
	  .needs = "csv tsv json md tex plot=cells", .arg = "N",
	  .min = 1, .max = 17,
	  .help = "significant digits in text (default: the fewest "
		  "that read back to the same value; integers have all their "
		  "digits); digits after the point with --plot cells (default: "
		  "3)" },
	{ OPTION(struct style, threads),
	  .role = ROLE_PROGRAM, .min = 1, .max = 65536, .arg = "N",
	  .unrecorded = true,
	  .help = "maximum number of worker threads; does not change the "
		  "output (default: number of CPUs)" },
	{ OPTION(struct style, max_memory), .role = ROLE_PROGRAM,
	  .min = 1, .max = 1 << 30, .arg = "MB", .unrecorded = true,
	  .help = "MB (2^20 bytes) that the values of a file may take in "
		  "memory, and in a compressed archive (default: three "
		  "quarters of what is available; 1024 in an archive)" },
	{ OPTION(struct style, name), .needs = "npz safetensors", .arg = "NAME",
	  .help = "NPZ and safetensors: name of the array or tensor (default: "
		  "that of the command)" },
	{ OPTION(struct style, header), .needs = "csv tsv",
	  .help = "CSV and TSV: axis labels, or --words, as first row and "
		  "first column" },
	{ OPTION(struct style, preview), .unrecorded = true,
	  .help = "draw the table on the terminal, with half-block "
		  "characters and the colours of figures; a curve as numbers" },
	{ OPTION(struct style, bare), .needs = "html", .unrecorded = true,
	  .help = "HTML: a page without captions" },
	{ OPTION(struct style, plain), .needs = "png",
	  .help = "PNG: one pixel per element, no axes or text" },
	{ FIGURE(plot), .words = plot_words,
	  .meanings = plot_meanings, .arg = "KIND",
	  .help = "how to draw the table (default: lines for one column and "
		  "similarity --curve, bars for a row of heads or "
		  "frequencies, else heatmap)" },
	{ FIGURE(dims), .arg = "LIST",
	  .help = "columns to draw with --plot lines or maps, or whose pairs "
		  "to draw with --plot clocks, as in 0,20,4:10:2: A:B is A to "
		  "B-1, and A:B:S every S-th of them (default: six, spread "
		  "over all whose wavelengths are known to be at most twice "
		  "the length, or else over all; of maps, up to 32)" },
	{ OPTION(struct look, cmap), .needs = FIGURES " preview", .arg = "NAME",
	  .help = "colour map: viridis cividis magma inferno plasma blues "
		  "(sequential), vik berlin coolwarm rdbu puor (diverging) or "
		  "gray; NAME_r is the map reversed, as in viridis_r "
		  "(default: viridis; blues for two integers; for both signs "
		  "vik, or berlin with --theme dark and viridis with print)" },
	{ OPTION(struct look, range), .needs = FIGURES " preview",
	  .arg = "A:B|sym|auto|each",
	  .help = "colour range: from A to B, sym for symmetric about 0, auto "
		  "for minimum to maximum, each for those of each panel of a "
		  "heat map (default: the limits of the encoding if it has "
		  "any, else auto; sym for values of both signs)" },
	{ FIGURE(scale_colors), .words = scale_colors_words,
	  .arg = "HOW",
	  .help = "how values are spread over the colours of a heat map: "
		  "linear; sqrt, which tells small values apart; log, of "
		  "values above 0 (default: sqrt for attention weights and "
		  "for biases and decays of several heads, else linear)" },
	{ FIGURE(title), .arg = "TEXT",
	  .help = "title of the figure (default: made from the options)" },
	{ FIGURE(subtitle), .arg = "TEXT",
	  .help = "what stands below the title, \"\" for nothing (default: "
		  "options in words; nothing with --title)" },
	{ FIGURE(xlabel), .arg = "TEXT",
	  .help = "name of the horizontal axis (default: what it shows)" },
	{ FIGURE(ylabel), .arg = "TEXT",
	  .help = "name of the vertical axis (default: what it shows)" },
	{ FIGURE(zlabel), .arg = "TEXT",
	  .help = "name of the colour bar (default: what the values are)" },
	{ FIGURE(legend), .arg = "A,B,C",
	  .help = "names of the lines of --plot lines, steps or bars, "
		  "separated by commas (default: columns, heads or files)" },
	{ FIGURE(log), .words = log_words,
	  .arg = "AXES",
	  .help = "logarithmic axes of --plot lines or steps, or y of bars; "
		  "values up to 0 are not drawn" },
	{ FIGURE(scale),
	  .min = 1, .max = 8, .arg = "N",
	  .help = "pixels per 1/96 inch: 1 to 8; 2 suits screens (default: 2; "
		  "1 in an animated PNG of more than 2 MB)" },
	{ FIGURE(width), .arg = "LENGTH",
	  .help = "width of the figure in print: a number with cm, mm, in, pt "
		  "(1/72 inch) or px (1/96 inch), such as 8cm; text is then "
		  "8 to 9 pt (default: by the size of the table)" },
	{ FIGURE(height), .arg = "LENGTH",
	  .help = "height of the figure in print, a length as --width: panels "
		  "are as large as fit; without --width, that follows "
		  "(default: as the panels need)" },
	{ FIGURE(aspect), .arg = "W:H",
	  .help = "width to height of the figure, such as 16:9 for a slide, "
		  "with --width or --height; alone, its longer side is 10 "
		  "inches, or more if panels need it" },
	{ FIGURE(font_size), .min = 4, .max = 72,
	  .arg = "PT",
	  .help = "size of labels in points of 1/72 inch; titles are larger "
		  "(default: 8 with --width or --height, else 9)" },
	{ OPTION(struct look, dpi),
	  .role = ROLE_FIGURE, .needs = "png gif", .min = 72, .max = 2400,
	  .arg = "N",
	  .help = "PNG and GIF: pixels per inch (default: 300 with --width or "
		  "--height, else 96 times --scale)" },
	{ FIGURE(frame), .words = frame_words,
	  .arg = "NAME",
	  .help = "size of the figure and place of its panels: fit for as its "
		  "labels allow, fixed for the same in all figures of tables "
		  "of a shape, as for slides in a row (default: fit; with "
		  "--animate fixed)" },
	{ FIGURE(theme), .words = theme_words,
	  .initial = "light", .arg = "NAME",
	  .help = "colours of the page; with auto, an SVG is dark where the "
		  "reader's system is, and other figures are light; print is "
		  "for paper that may be printed in grey: maps rise in "
		  "lightness (viridis), masked cells are hatched, lines differ "
		  "in dashes or lightness" },
	{ FIGURE(transparent),
	  .help = "draw no page behind the figure: it stands on what is below "
		  "it, such as a slide" },
	{ FIGURE(no_title),
	  .help = "leave out the title and what stands below it" },
	{ FIGURE(no_colorbar),
	  .help = "leave out the colour bar" },
	{ OPTION(struct look, lang),
	  .role = ROLE_FIGURE, .needs = FIGURES " html",
	  .words = language_words, .initial = "en", .arg = "NAME",
	  .help = "language of the title and the names of axes, and of a "
		  "page: en English, ko Korean" },
	{ FIGURE(transpose),
	  .help = "swap the axes: positions across, dimensions down" },
	{ FIGURE(cell),
	  .min = 1, .max = 1024, .arg = "N",
	  .help = "width and height of a cell in pixels (default: chosen to "
		  "fit)" },
	{ OPTION(struct look, font),
	  .role = ROLE_FILE, .needs = FIGURES, .arg = "FILE",
	  .help = "TrueType or OpenType font of letters that DejaVu Sans "
		  "lacks (default: installed fonts, by fontconfig)" },
	{ OPTION(struct look, words),
	  .role = ROLE_FIGURE, .arg = "TEXT",
	  .help = "labels of positions (in attend, of queries and keys), "
		  "separated by spaces; one in quotes may have spaces" },
	{ FIGURE(animate), .arg = "[NAME=]A:B[:log]",
	  .help = "animate: from frame to frame, option NAME of the command "
		  "(default: by or start) goes from A to B, or by constant "
		  "ratios; an animated PNG or GIF, or a figure per frame, as "
		  "in -o frame%03d.svg, with which files of other formats can "
		  "be written" },
	{ OPTION(struct look, frame_count),
	  .role = ROLE_FIGURE, .needs = "animate", .min = 2, .max = 1000,
	  .arg = "N", .help = "number of frames (default: one for each integer "
			      "from A to B if both are and that is at most "
			      "240, else 60)" },
	{ OPTION(struct look, frame_rate),
	  .role = ROLE_FIGURE, .needs = "animate", .initial = "10",
	  .min = 1, .max = 60, .arg = "N",
	  .help = "frames per second of an animated PNG" },
	{ OPTION(struct look, key_words),
	  .role = ROLE_FIGURE, .arg = "TEXT",
	  .help = "labels of columns (in attend, of keys), in place of "
		  "--words" },
	{ FIGURE(highlight), .arg = "row=I|col=J|cell=I,J",
	  .help = "draw a frame around a row, column or cell of a heat map "
		  "(with --plot maps, of its grid), counted from 0, or around "
		  "A to B-1 of them, as in cell=2:4,7; several with | between "
		  "them" },
	{ FIGURE(annotate), .arg = "row=I:TEXT|...",
	  .help = "write TEXT beside or above a heat map, at a row, column or "
		  "cell, to which a line leads: row=I:TEXT, col=J:TEXT or "
		  "cell=I,J:TEXT, or A..B in place of an index; several with "
		  "| between them" },
	{ OPTION(struct style, quiet), .role = ROLE_PROGRAM,
	  .unrecorded = true,
	  .help = "print no notes and no progress bar on standard error, and "
		  "no report on standard output: its answer is the exit "
		  "status" },
	{ OPTION(struct style, sync), .role = ROLE_PROGRAM,
	  .unrecorded = true,
	  .help = "wait until the directory entry of each output is on disk, "
		  "so that the new file survives a power failure (default: "
		  "the new file or the older one does)" },
	{ OPTION(struct style, dry_run), .unrecorded = true,
	  .help = "print shape, dtype and size of each output, and write "
		  "nothing" },
	{0}
};

const char *style_value(const struct style *style, const char *name,
			size_t length)
{
	const struct look *look = &style->look;

	if (text_is(name, length, "animate"))
		return look->animate;
	return look->plot != NO_CHOICE && text_is(name, length, "plot")
	       ? plot_name(look) : NULL;
}

void style_name(const struct style *style, const struct table *t, bool several,
		char name[ARRAY_NAME_ROOM])
{
	const char *path = t->title, *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path, *dot = strrchr(file, '.');

	if (!several)
		snprintf(name, ARRAY_NAME_ROOM, "%s", style->name ? style->name
			 : t->from.recipe->name);
	else if (t->from.name)
		snprintf(name, ARRAY_NAME_ROOM, "%s", t->from.name);
	else
		snprintf(name, ARRAY_NAME_ROOM, "%.*s", dot && dot > file
			 ? (int)(dot - file) : NAME_MOST, file);
}

/* Whether all programs take the name. */
static bool taken(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789._-"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const size_t n = strspn(name, letters);

	return n && n <= NAME_MOST && !name[n] &&
	       strcmp(name, "__metadata__") != 0;
}

bool style_check_names(const struct style *style, const struct table *t,
		       struct error *err)
{
	char name[ARRAY_NAME_ROOM], other[ARRAY_NAME_ROOM];

	if (style->name && t->beside)
		return fail(err, "--name is of one array, got several");
	if (style->name && !taken(style->name))
		return fail(err, "--name must be up to %d letters a to z, "
			    "digits, '.', '_' and '-', got '%.*s'", NAME_MOST,
			    NAME_MOST, style->name);
	for (const struct table *x = t; t->beside && x; x = x->beside) {
		style_name(style, x, true, name);
		if (!taken(name))
			return fail(err, "'%s' cannot be the name of an array: "
				    "expected letters a to z, digits, '.', '_' "
				    "and '-'", name);
		for (const struct table *y = t; y != x; y = y->beside) {
			style_name(style, y, true, other);
			if (strcmp(name, other) == 0)
				return fail(err, "two arrays would have the "
					    "name %s", name);
		}
	}
	return true;
}

/* The only output of a command. */
struct output_alone {
	const struct style *style;
	const char *format;
};

static const char *value_of(const void *self, const char *name, size_t length,
			    bool given)
{
	const struct output_alone *x = self;

	(void)given;
	if (text_is(name, length, x->format))
		return "";
	return strstr(FIGURES, x->format)
	       ? style_value(x->style, name, length) : NULL;
}

char *command_line(const struct table *t, const struct style *style,
		   const char *format)
{
	/* Other outputs of this command may need options that are refused where
	   it has this one alone. */
	const struct output_alone self = { style, format };
	struct option own[sizeof style_options / sizeof *style_options];
	const size_t n = strlen(t->from.command);
	struct option *end = own;
	char *line;

	for (const struct option *o = style_options; o->name; o++)
		if (option_applies(o, value_of, &self))
			*end++ = *o;
	*end = (struct option){0};
	line = malloc(n + options_line(own, style, NULL) + 48);
	if (line) {
		memcpy(line, t->from.command, n);
		options_line(own, style, line + n);
	}
	return line;
}
