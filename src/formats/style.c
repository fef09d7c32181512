/* style.c: how outputs look; one set of options for all formats. */
#include "formats/style.h"

const struct option style_options[] = {
	{ OPTION(struct style, dtype), .words = dtype_words, .arg = "TYPE",
	  .help = "kind of number: float64 float32 float16 bfloat16 int64 "
		  "int32 int16 int8 uint8, or f64 to u8 (float32; int32 for "
		  "whole numbers)" },
	{ OPTION(struct style, rows), .arg = "A:B",
	  .help = "only rows A to B - 1 of the same table" },
	{ OPTION(struct style, precision), .needs = "csv json",
	  .min = 1, .max = 17, .arg = "N",
	  .help = "significant digits of text (all it takes, without)" },
	{ OPTION(struct style, threads), .min = 1, .max = 65536, .arg = "N",
	  .unseen = true,
	  .help = "at most so many (processors, without); output is the same" },
	{ OPTION(struct style, header), .needs = "csv",
	  .help = "axis labels, or --words, as first line and column of CSV" },
	{ OPTION(struct style, preview), .unseen = true,
	  .help = "draw the table on the terminal, in half blocks" },
	{ OPTION(struct style, plain), .needs = "png",
	  .help = "PNG: one pixel a number, nothing else" },
	{ OPTION(struct look, plot), .needs = "png svg", .words = plot_words,
	  .arg = "KIND",
	  .help = "PNG and SVG: colours, columns as lines over positions, "
		  "colours with the numbers in them, or numbers as steps over "
		  "distance (heatmap)" },
	{ OPTION(struct look, dims), .needs = "png svg", .arg = "A:B",
	  .help = "columns A to B - 1 (of lines; six of all, without)" },
	{ OPTION(struct look, cmap), .needs = "png svg", .arg = "NAME",
	  .help = "colours: viridis cividis magma blues for one sign, vik "
		  "coolwarm rdbu puor for both, gray (vik or viridis)" },
	{ OPTION(struct look, range), .needs = "png svg", .arg = "A:B|sym|auto",
	  .help = "numbers that the colours span: these, as far on both sides "
		  "of 0, or the least to the greatest (what the table can "
		  "hold, as sym where it has both signs)" },
	{ OPTION(struct look, title), .needs = "png svg", .arg = "TEXT",
	  .help = "over the figure, in place of its own" },
	{ OPTION(struct look, scale), .needs = "png svg", .initial = "2",
	  .min = 1, .max = 8, .arg = "N",
	  .help = "pixels to a point of the page" },
	{ OPTION(struct look, theme), .needs = "png svg", .words = theme_words,
	  .arg = "NAME",
	  .help = "the page (light; SVG: as the reader's page is)" },
	{ OPTION(struct look, transpose), .needs = "png svg",
	  .help = "positions across, dimensions down" },
	{ OPTION(struct look, cell), .needs = "png svg",
	  .min = 1, .max = 1024, .arg = "N",
	  .help = "pixels a number, both ways (as fits, without)" },
	{ OPTION(struct look, words), .arg = "TEXT",
	  .help = "labels of the positions (of queries and keys), parted by "
		  "blanks" },
	{ OPTION(struct style, quiet), .unseen = true,
	  .help = "no notes and no progress on standard error" },
	{ OPTION(struct style, dry_run), .unseen = true,
	  .help = "say each output's shape, type and size, and write none" },
	{0}
};
