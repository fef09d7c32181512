/*
 * schemes.js: which schemes the page shows, where each begins, and which of its
 * options come first. All others follow under "More options".
 */

export const schemes = {
	sinusoid: {
		label: "sinusoid",
		start: { len: "128", dim: "128" },
		first: ["preset", "len", "dim", "base", "start", "layout", "denom"],
	},
	rope: {
		label: "RoPE",
		start: { len: "128", dim: "128" },
		first: ["preset", "len", "dim", "base", "start", "scaling", "out", "pairs"],
	},
	"t5-bucket": {
		label: "T5 buckets",
		start: { len: "64" },
		first: ["len", "num-buckets", "max-distance", "causal", "past"],
	},
	relative: {
		label: "relative",
		start: { len: "32", clip: "8" },
		first: ["len", "clip", "kind", "out", "sign"],
	},
	alibi: {
		label: "ALiBi",
		start: { len: "64", heads: "8" },
		first: ["len", "heads", "form", "bias-max"],
	},
	naive: {
		label: "naive",
		start: { len: "64", kind: "binary" },
		first: ["kind", "len", "start", "dim", "bits", "norm", "signed"],
	},
	grid: {
		label: "grid",
		start: { grid: "12x12", dim: "128" },
		first: ["preset", "grid", "dim", "temperature", "variant", "layout"],
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
	clip: { min: 1, max: 64 },
	past: { min: 0, max: 256 },
	"num-buckets": { min: 4, max: 128, step: 4 },
	"max-distance": { min: 16, max: 512 },
	"bias-max": { min: 1, max: 16 },
};

/*
 * Options with several numbers in one text: the sign after their kind, the one
 * between numbers, and of each kind the numbers: name, first value, least, most.
 */
export const compound = {
	scaling: { after: ":", between: ",", kinds: {
		"": [],
		linear: [["factor", 4, 1, 64]],
		ntk: [["factor", 4, 1, 64]],
		dynamic: [["factor", 4, 1, 64], ["length", 64, 1, 512]],
		yarn: [["factor", 4, 1, 64], ["length", 64, 1, 512]],
		llama3: [["factor", 8, 1, 64], ["length", 64, 1, 512]],
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
	"boundaries", "along", "inverse", "reversed", "rotary-offset"];
