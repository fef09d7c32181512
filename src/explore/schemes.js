/*
 * schemes.js: how the page shows the encodings that the library says it can begin
 * with. Each has a label; options that start with other values than the library's,
 * and those that come first: others follow under "More options"; the captions of its
 * views; whether its formula is of pairs of a query and a key; and what its options are in
 * place of the hints and compound below. A view has the command of the table that it works
 * on, whose options come before its own, and the option that says whose it takes, too.
 */
const MASKS = { after: ":", between: ",", kinds: {
	causal: [], full: [],
	prefix: [["keys", 8, 1, 64]],
	window: [["keys", 8, 1, 64]],
	chunk: [["keys", 8, 1, 64]],
	band: [["before", 8, -1, 64], ["behind", 2, -1, 64]],
	symmetric: [["keys", 4, 1, 64]],
} };

export const schemes = {
	sinusoid: {
		label: "sinusoid",
		first: ["preset", "len", "dim", "base", "start", "layout", "denom"],
		heatmap: "A row for each position, a column for each dimension. On the left waves are short, on the right they are so long that hardly anything changes.",
	},
	rope: {
		label: "RoPE",
		first: ["preset", "len", "dim", "base", "start", "scaling", "out", "pairs"],
		heatmap: "What turns each pair of a query or key at each position: on the left fast, on the right hardly at all.",
	},
	"t5-bucket": {
		label: "T5 buckets",
		first: ["len", "num-buckets", "max-distance", "causal", "past"],
		relation: true,
		heatmap: "Near distances have a bucket each, farther ones share ever wider ones. Each bucket is one learned number per head.",
		distance: "The query under the cursor. Steps grow wider with the distance; the last bucket holds all that is farther.",
	},
	relative: {
		label: "relative",
		start: { clip: "8" },
		first: ["len", "clip", "kind", "out", "sign"],
		relation: true,
		heatmap: "Only the distance from query to key counts: every diagonal has one value. Beyond the clip, far is just far.",
		distance: "The query under the cursor: a straight line up to the clip, then flat, so any length will do.",
	},
	alibi: {
		label: "ALiBi",
		first: ["len", "heads", "form", "bias-max"],
		relation: true,
		heatmap: "Every key loses a little for each step away from the query. Each head has a slope of its own.",
		distance: "The query under the cursor, a line for each head: steep ones see what is near, flat ones nearly all.",
	},
	naive: {
		label: "naive",
		start: { kind: "binary" },
		first: ["kind", "len", "start", "dim", "bits", "norm", "signed"],
		heatmap: "Integers grow without end, fractions depend on the length, bits jump from one position to the next. Waves do neither.",
	},
	grid: {
		label: "grid",
		first: ["preset", "grid", "dim", "temperature", "variant", "layout"],
		heatmap: "A row for each cell of an image. Some columns count its rows, the others its columns.",
	},
	mask: {
		label: "mask",
		first: ["kind", "len", "dilation", "values"],
		relation: true,
		hints: { kind: "keys that a query attends to", dilation: "of these, every D-th" },
		compound: {
			kind: MASKS,
			values: { after: ":", between: ",", kinds: {
				"01": [], ninf: [], "min-float16": [],
				fill: [["value", -10000, -10000, 0]],
			} },
		},
		heatmap: "A row for each query, a column for each key: which keys it attends to. Biases such as ALiBi's are added to the rest.",
		distance: "The query under the cursor: the keys before and behind it that it attends to.",
	},
	attend: {
		label: "attention",
		of: { command: "embed", options: ["vocab", "dim", "seed", "ids"] },
		host: "scheme",
		start: { vocab: "6", dim: "8", seed: "4", ids: "0,1,2,3,4,5,0,1,2,3,4,5",
			scheme: "none" },
		first: ["scheme", "base", "bias-max", "form", "mask", "heads", "out",
			"ids", "vocab", "dim", "seed"],
		relation: true,
		choices: { scheme: ["none", "sinusoid", "rope", "alibi", "sandwich",
			"retnet", "transformer-xl"] },
		hints: {
			scheme: "how attention knows positions", mask: "keys that a query sees",
			heads: "each takes an equal share of the columns",
			ids: "a word for each position",
			vocab: "words of the table, of random vectors", dim: "length of their vectors",
			seed: "other random vectors", form: "biases of keys after the query",
		},
		compound: { mask: MASKS },
		heatmap: "Queries down, keys across. Each word comes twice: without positions both places have the same weight; a scheme tells them apart.",
		distance: "The query under the cursor: what it takes of each key, by distance.",
	},
};

/*
 * The ranges of sliders. The number beside a slider takes any value; the
 * library says what it refuses.
 */
export const sliders = {
	len: { min: 1, max: 512 },
	dim: { min: 2, max: 512, step: 2 },
	base: { min: 2, max: 1e7, log: true },
	temperature: { min: 2, max: 1e7, log: true },
	start: { min: 0, max: 2000 },
	heads: { min: 1, max: 32 },
	vocab: { min: 1, max: 64 },
	seed: { min: 0, max: 100 },
	clip: { min: 1, max: 64 },
	past: { min: 0, max: 256 },
	"num-buckets": { min: 4, max: 128, step: 4 },
	"max-distance": { min: 16, max: 512 },
	"bias-max": { min: 1, max: 16 },
	dilation: { min: 1, max: 16 },
};

/*
 * Options with several numbers in one text: the sign after their kind, the one
 * between numbers, and of each kind the numbers: name, first value, least, most, and
 * whether a slider has even ratios.
 */
const FACTOR = ["factor", 4, 1, 64], LENGTH = ["original length", 64, 16, 262144, true];

export const compound = {
	scaling: { after: ":", between: ",", kinds: {
		"": [],
		linear: [FACTOR],
		ntk: [FACTOR],
		dynamic: [FACTOR, LENGTH],
		yarn: [FACTOR, LENGTH],
		llama3: [FACTOR, LENGTH],
	} },
	grid: { after: "", between: "x", kinds: {
		"": [["rows", 12, 1, 32], ["columns", 12, 1, 32]],
	} },
};

/* What an option sets, in the few words that fit below it; otherwise its help. */
export const hints = {
	preset: "the conventions of a project",
	len: "positions, one row each",
	dim: "columns",
	base: "base (theta) of the frequencies",
	temperature: "base (theta) of the frequencies",
	start: "position of the first row",
	layout: "order of sines and cosines",
	denom: "divisor of the exponent",
	scaling: "frequencies for longer contexts",
	out: "values to show",
	pairs: "columns that turn together",
	"num-buckets": "buckets, of both directions",
	"max-distance": "from here on, all in the last bucket",
	causal: "no keys after the query",
	past: "position of the first query",
	clip: "distances beyond it count as it",
	kind: "convention",
	sign: "key − query, or query − key",
	heads: "attention heads, a slope each",
	form: "which keys a query sees",
	"bias-max": "exponent of the last slope, 2^−X",
	bits: "order of the bits",
	norm: "value of position p of n",
	signed: "−1 in place of 0",
	grid: "cells of the image",
	variant: "project whose columns to use",
};

/* Left out: they need files or positions that no control can give. */
export const left_out = ["config", "table", "apply", "emulate", "distances",
	"boundaries", "along", "inverse", "reversed", "rotary-offset", "q", "k", "v", "wq", "wk",
	"wv", "wo", "check", "head-dim", "table-k", "table-q", "table-v", "wr", "bias-u", "bias-v"];
