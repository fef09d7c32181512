/*
 * colors.js: the colours of values, as posenc's figures have them: vik, or berlin
 * on a dark page, about 0 where values have both signs, otherwise viridis; and
 * viridis where a table says that it is a ramp, as its 0 means nothing.
 */
const LEVELS = 253, STEPS_MOST = 64;

/* NaN, inf and -inf have colours that no map has. */
const MISSING = [[255, 0, 255], [0, 230, 255], [184, 186, 194]];

let maps = {};

/* Take the library's maps: names, and 256 colours [r, g, b] of each. */
export function use_maps(of_library) {
	maps = of_library;
}

function map_color(name, x) {
	const i = Math.min(Math.max(x, 0), 1) * 255, left = Math.min(Math.floor(i), 254);
	const a = maps[name][left], b = maps[name][left + 1];

	return a.map((v, k) => Math.round(v + (b[k] - v) * (i - left)));
}

function widened(lo, hi) {
	const more = Math.abs(lo) / 2 || 1;

	return hi / 2 - lo / 2 > 0 ? [lo, hi] : [lo - more, hi + more];
}

const signed = ({ lo, hi, ramp }) => lo < 0 && hi > 0 && !ramp;

/* The range of colours for a table, and whether each integer has its own. */
function range_of(table) {
	const { integers, halves, ramp } = table;
	let [lo, hi] = table.range;
	const steps = hi - lo < STEPS_MOST && (integers || hi === lo);

	if (!steps) {
		[lo, hi] = widened(lo, hi);
		if (signed({ lo, hi, ramp }))
			[lo, hi] = [-Math.max(-lo, hi), Math.max(-lo, hi)];
	}
	return { lo, hi, steps, halves, ramp };
}

function map_name(range, dark) {
	const { lo, hi, steps, halves } = range;

	if ((steps && halves === "mirrored") || signed(range))
		return dark ? "berlin" : "vik";
	return steps && hi - lo < 2 ? "blues" : "viridis";
}

function two_ramps(lo, hi, x) {
	const half = (hi - lo + 1) / 2, i = x - lo;

	return i < half ? map_color("blues", 0.15 + 0.8 * i / half)
		: map_color("viridis", 2 - i / half);
}

function diverging(name, lo, hi, middle, x) {
	const most = Math.max(middle - lo, hi - middle);

	return map_color(name, 0.5 + (most > 0 ? (x - middle) / most / 2 : 0));
}

function color_of(range, name, x) {
	const { lo, hi, steps, halves } = range, span = hi / 2 - lo / 2;

	if (steps && halves === "repeated")
		return two_ramps(lo, hi, x);
	if (steps && halves === "mirrored")
		return diverging(name, lo, hi, lo + span, x);
	if (signed(range))
		return diverging(name, lo, hi, 0, x);
	if (steps && span < 1)
		return map_color(name, 0.15 + 0.65 * (span > 0 ? x - lo : 1));
	return map_color(name, span > 0 ? (x / 2 - lo / 2) / span : 0.5);
}

/*
 * The scale of a table's colours, from its range, integers and halves: lo, hi,
 * levels, colors [levels] as [r, g, b].
 */
export function color_scale(table, dark) {
	const range = range_of(table), name = map_name(range, dark);
	const levels = range.steps ? range.hi - range.lo + 1 : LEVELS;
	const colors = [];

	for (let i = 0; i < levels; i++) {
		const part = levels > 1 ? i / (levels - 1) : 0;

		colors.push(color_of(range, name,
				     range.lo * (1 - part) + range.hi * part));
	}
	return { ...range, levels, colors };
}

const packed = ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;

/*
 * Write the colours of values [n] to pixels, a Uint32Array [n]. Returns what has a
 * colour of its own: of NaN, inf and -inf those that are there.
 */
export function paint(scale, values, pixels) {
	const palette = Uint32Array.from([...scale.colors, ...MISSING], packed);
	const { lo, hi, levels } = scale, seen = new Set();
	/* Halves, since the span of all doubles overflows. */
	const factor = hi > lo ? (levels - 1) / (hi / 2 - lo / 2) : 0;

	for (let i = 0; i < pixels.length; i++) {
		let level = (values[i] / 2 - lo / 2) * factor + 0.5;

		if (!(level >= 0 && level < levels)) {
			level = outside(values[i], scale);
			seen.add(level - levels);
		}
		pixels[i] = palette[level | 0];
	}
	return ["NaN", "inf", "−inf"].map((name, k) => ({ name, color: css(MISSING[k]) }))
		.filter((_, k) => seen.has(k));
}

function outside(x, { lo, levels }) {
	if (Number.isNaN(x))
		return levels;
	if (!Number.isFinite(x))
		return x > 0 ? levels + 1 : levels + 2;
	return x > lo ? levels - 1 : 0;
}

export const css = ([r, g, b]) => `rgb(${r},${g},${b})`;
