/* captions.js: what each view shows, and what to look for. */

const COMMON = {
	waves: "Each line is a column; click one of the heat map to add it. In fast ones neighbours differ, slow ones tell far positions apart.",
	clocks: "A sine and its cosine are the hand of a clock. A row of the table is what all clocks show; smaller dots are the positions before.",
	matrix: "Cosine of every pair of rows. If every diagonal has one colour, the similarity depends on the distance alone.",
	maps: "Each map is a column, drawn at its place in the image. Some change down the image, some across.",
	alike: "The cell under the cursor with every cell. Move it: what is near is alike, in both directions.",
	curve: "The row under the cursor with all others; grey: all pairs of rows. Where only the distance counts, the grey is as thin as the line.",
};

const HEATMAPS = {
	sinusoid: "A row for each position, a column for each dimension. On the left waves are short, on the right they are so long that hardly anything changes.",
	rope: "What turns each pair of a query or key at each position: on the left fast, on the right hardly at all.",
	"t5-bucket": "Near distances have a bucket each, farther ones share ever wider ones. Each bucket is one learned number per head.",
	relative: "Only the distance from query to key counts: every diagonal has one value. Beyond the clip, far is just far.",
	alibi: "Every key loses a little for each step away from the query. Each head has a slope of its own.",
	naive: "Integers grow without end, fractions depend on the length, bits jump from one position to the next. Waves do neither.",
	grid: "A row for each cell of an image. Some columns count its rows, the others its columns.",
};

const ROWS = {
	"t5-bucket": "The query under the cursor. Steps grow wider with the distance; the last bucket holds all that is farther.",
	relative: "The query under the cursor: a straight line up to the clip, then flat, so any length will do.",
	alibi: "The query under the cursor, a line for each head: steep ones see what is near, flat ones nearly all.",
};

/* The caption of a view of a scheme; tables that were given have no scheme. */
export function caption(view, scheme) {
	if (view === "heatmap")
		return HEATMAPS[scheme] ?? "The values as they are, in the table's own rows and columns.";
	if (view === "distance")
		return ROWS[scheme] ?? "The values of the row under the cursor.";
	return COMMON[view];
}
