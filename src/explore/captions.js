/* captions.js: what each view shows, and what to look for. */
import { schemes } from "./schemes.js";
import { word } from "./words.js";

const COMMON = {
	waves: "Each line is a column; click one of the heat map to add it. In fast ones neighbours differ, slow ones tell far positions apart.",
	clocks: "A sine and its cosine are the hand of a clock. A row of the table is what all clocks show; smaller dots are the positions before.",
	matrix: "Cosine of every pair of rows. If every diagonal has one colour, the similarity depends on the distance alone.",
	maps: "Each map is a column, drawn at its place in the image. Some change down the image, some across.",
	alike: "The cell under the cursor with every cell. Move it: what is near is alike, in both directions.",
	curve: "The row under the cursor with all others; grey: all pairs of rows. Where only the distance counts, the grey is as thin as the line.",
};

/* The caption of a view of a scheme; tables that were given have no scheme, but a value. */
export function caption(view, scheme, value) {
	if (view === "heatmap" && value === "difference")
		return word("The values of the table minus those of the encoding.");
	if (view === "heatmap")
		return word(schemes[scheme]?.heatmap ??
			"The values as they are, in the table's own rows and columns.");
	if (view === "distance")
		return word(schemes[scheme]?.distance ?? "The values of the row under the cursor.");
	return word(COMMON[view]);
}
