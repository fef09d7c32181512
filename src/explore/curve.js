/* curve.js: values as a line; NaN and infinities make a gap. */

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
