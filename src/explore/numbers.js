/* numbers.js: numbers as people read them, and round numbers for axes. */

const MOST = 8e307;

/* A number with at most so many significant digits; minus signs are real ones. */
export function short(x, digits = 4) {
	if (!Number.isFinite(x))
		return Number.isNaN(x) ? "NaN" : x > 0 ? "inf" : "−inf";
	const size = Math.abs(x);
	const text = size !== 0 && (size < 1e-4 || size >= 1e7)
		? x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
		: String(Number(x.toPrecision(Math.max(digits, whole_digits(size)))));

	return minus(text);
}

function whole_digits(size) {
	return size >= 1 && size < 1e7 ? Math.floor(Math.log10(size)) + 1 : 1;
}

export function minus(text) {
	return text.replaceAll("-", "−");
}

/* The first of 1, 2, 5, 10, ... that is at least x. */
export function round_up(x) {
	const power = 10 ** Math.floor(Math.log10(x));

	return [1, 2, 5].map((m) => m * power).find((v) => v >= x * (1 - 1e-9)) ??
		10 * power;
}

export function power_of_two_up(x) {
	return 2 ** Math.ceil(Math.log2(Math.max(x, 1)));
}

/* Multiples of a round step from lo to hi, at most so many. */
export function ticks(lo, hi, most, least_step = 0, rounder = round_up) {
	const span = hi - lo;

	if (!(span > 0) || !Number.isFinite(span))
		return span === 0 ? [lo] : [];
	const step = rounder(Math.max(span / Math.max(most, 1), least_step));
	const found = [];

	for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++)
		found.push(Number.isInteger(step) ? k * step + 0
			: Number((k * step).toPrecision(12)));
	return found;
}

export const clamp = (x, lo, hi) => Math.min(Math.max(x, lo), hi);

/* So many of the integers 0 to n - 1, the first and the last among them. */
export function spread(n, count) {
	const m = Math.min(n, count);

	return Array.from({ length: m }, (_, i) =>
		m > 1 ? Math.round(i * (n - 1) / (m - 1)) : 0);
}

/* The least and the greatest finite value; 0 and 0 if there is none. */
export function finite_range(values) {
	let lo = Infinity, hi = -Infinity;

	for (let i = 0; i < values.length; i++) {
		const x = values[i];

		if (x < lo && x !== -Infinity)
			lo = x;
		if (x > hi && x !== Infinity)
			hi = x;
	}
	return lo <= hi ? [lo, hi] : [0, 0];
}

/* A range that is a little wider; the span of all doubles would overflow. */
export function wider([lo, hi]) {
	const more = (hi - lo) * 0.06 || Math.abs(lo) / 2 || 1;

	return [Math.max(lo - more, -MOST), Math.min(hi + more, MOST)];
}
