/* curve.js: values as a line; NaN and infinities make a gap. */
import { finite_range } from "./numbers.js";

/* Straight lines from each value to the next; point(i, value) is "x y". */
export function path(values, point) {
	let d = "", pen = "M";

	values.forEach((v, i) => {
		d += Number.isFinite(v) ? pen + point(i, v) : "";
		pen = Number.isFinite(v) ? "L" : "M";
	});
	return d;
}

/* Steps: each value reaches half way to its neighbours. */
export function steps(values, point) {
	let d = "", before = NaN;

	values.forEach((v, i) => {
		if (Number.isFinite(v))
			d += (Number.isFinite(before) ? "L" : "M") + point(i - 0.5, v) +
				"L" + point(i + 0.5, v);
		before = v;
	});
	return d;
}

/* The least and the greatest value of each of so many parts, for more values than pixels. */
export function band(values, parts, point) {
	let d = "", pen = "M";

	for (let k = 0; k < parts; k++) {
		const [from, to] = [k, k + 1].map((n) => Math.floor(n * values.length / parts));
		const finite = values.slice(from, to).filter(Number.isFinite);
		const [lo, hi] = finite_range(finite);

		d += finite.length ? pen + point(from, lo) + "L" + point(from, hi) : "";
		pen = finite.length ? "L" : "M";
	}
	return d;
}
