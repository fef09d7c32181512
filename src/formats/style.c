/* style.c: the options of all outputs, and the command that they make. */
#include <stdlib.h>
#include <string.h>

#include "formats/style.h"

#define FIGURES "png svg pdf"

const struct option style_options[] = {
	{ OPTION(struct style, dtype), .words = dtype_words, .arg = "TYPE",
	  .help = "element type: float64 float32 float16 bfloat16 int64 int32 "
		  "int16 int8 uint8, or short f64 f32 f16 bf16 i64 i32 "
		  "i16 i8 u8 (default: float32; int32 if all values "
		  "are integers)" },
	{ OPTION(struct style, rows), .arg = "A:B",
	  .help = "write only rows A to B-1, counted from 0; values are as in "
		  "the whole table (default: all rows)" },
	{ OPTION(struct style, precision), .needs = "csv json",
	  .min = 1, .max = 17, .arg = "N",
	  .help = "significant digits in CSV and JSON (default: the fewest "
		  "that read back to the same value)" },
	{ OPTION(struct style, threads),
	  .role = ROLE_PROGRAM, .min = 1, .max = 65536, .arg = "N",
	  .unrecorded = true,
	  .help = "maximum number of worker threads; does not change the "
		  "output (default: number of CPUs)" },
	{ OPTION(struct style, header), .needs = "csv",
	  .help = "CSV: axis labels, or --words, as first row and first "
		  "column" },
	{ OPTION(struct style, preview), .unrecorded = true,
	  .help = "draw the table on the terminal, with half-block "
		  "characters and the colours of figures" },
	{ OPTION(struct style, plain), .needs = "png",
	  .help = "PNG: one pixel per element, no axes or text" },
	{ OPTION(struct look, plot),
	  .role = ROLE_FIGURE, .needs = FIGURES, .words = plot_words,
	  .arg = "KIND",
	  .help = "how to draw the table: heat map, columns as lines over "
		  "positions, heat map with the values in its cells, or values "
		  "as steps over distance (default: chosen for the table, "
		  "usually heatmap)" },
	{ OPTION(struct look, dims),
	  .role = ROLE_FIGURE, .needs = FIGURES, .arg = "A:B",
	  .help = "columns to draw with --plot lines: A to B-1 (default: six "
		  "spread over all columns)" },
	{ OPTION(struct look, cmap), .needs = FIGURES " preview", .arg = "NAME",
	  .help = "colour map: viridis cividis magma blues (sequential), vik "
		  "berlin coolwarm rdbu puor (diverging) or gray (default: "
		  "viridis; blues for two integers; for both signs vik, or "
		  "berlin with --theme dark)" },
	{ OPTION(struct look, range), .needs = FIGURES " preview",
	  .arg = "A:B|sym|auto",
	  .help = "colour range: from A to B, sym for symmetric about 0, auto "
		  "for minimum to maximum (default: the limits of the encoding "
		  "if it has any, else auto; sym for values of both signs)" },
	{ OPTION(struct look, title),
	  .role = ROLE_FIGURE, .needs = FIGURES, .arg = "TEXT",
	  .help = "title of the figure (default: made from the options)" },
	{ OPTION(struct look, xlabel),
	  .role = ROLE_FIGURE, .needs = FIGURES, .arg = "TEXT",
	  .help = "name of the horizontal axis (default: what it shows)" },
	{ OPTION(struct look, ylabel),
	  .role = ROLE_FIGURE, .needs = FIGURES, .arg = "TEXT",
	  .help = "name of the vertical axis (default: what it shows)" },
	{ OPTION(struct look, zlabel),
	  .role = ROLE_FIGURE, .needs = FIGURES, .arg = "TEXT",
	  .help = "name of the colour bar (default: what the values are)" },
	{ OPTION(struct look, scale),
	  .role = ROLE_FIGURE, .needs = FIGURES, .initial = "2",
	  .min = 1, .max = 8, .arg = "N",
	  .help = "pixels per point: 1 to 8; 2 suits screens, 4 print" },
	{ OPTION(struct look, theme),
	  .role = ROLE_FIGURE, .needs = FIGURES, .words = theme_words,
	  .initial = "light", .arg = "NAME",
	  .help = "colours of the page; with auto, an SVG is dark where the "
		  "reader's system is, and other figures are light" },
	{ OPTION(struct look, transpose),
	  .role = ROLE_FIGURE, .needs = FIGURES,
	  .help = "swap the axes: positions across, dimensions down" },
	{ OPTION(struct look, cell),
	  .role = ROLE_FIGURE, .needs = FIGURES,
	  .min = 1, .max = 1024, .arg = "N",
	  .help = "width and height of a cell in pixels (default: chosen to "
		  "fit)" },
	{ OPTION(struct look, words),
	  .role = ROLE_FIGURE, .arg = "TEXT",
	  .help = "labels of positions (in attend, of queries and keys), "
		  "separated by spaces" },
	{ OPTION(struct style, quiet), .role = ROLE_PROGRAM,
	  .unrecorded = true,
	  .help = "print no notes and no progress bar on standard error" },
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

char *command_line(const struct table *t, const struct style *style)
{
	const size_t n = strlen(t->from.command);
	char *line = malloc(n + options_line(style_options, style, NULL) + 48);

	if (line) {
		memcpy(line, t->from.command, n);
		options_line(style_options, style, line + n);
	}
	return line;
}
