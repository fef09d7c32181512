/* cosines.js: the cosine similarity of rows. */

/* Products of values for which an animation frame has time, and a short pause. */
const QUICK = 1 << 20, FINE = 1 << 24, ROWS_MOST = 256;

/* The product of n values from a and from b of x. Four sums, for speed. */
function dot(x, a, b, n) {
	let s0 = 0, s1 = 0, s2 = 0, s3 = 0, j = 0;

	for (; j + 3 < n; j += 4) {
		s0 += x[a + j] * x[b + j];
		s1 += x[a + j + 1] * x[b + j + 1];
		s2 += x[a + j + 2] * x[b + j + 2];
		s3 += x[a + j + 3] * x[b + j + 3];
	}
	for (; j < n; j++)
		s0 += x[a + j] * x[b + j];
	return s0 + s1 + (s2 + s3);
}

/* The step from one row that is compared to the next, which limits the products. */
function step_of({ rows, cols }, fine) {
	const most = Math.floor(Math.sqrt(2 * (fine ? FINE : QUICK) / cols));

	return Math.ceil(rows / Math.min(Math.max(most, 16), ROWS_MOST));
}

/*
 * The cosines of every pair of some rows, every step-th, as product [n, n]; NaN for
 * rows of zeros.
 */
export function cosines(table, fine) {
	const { rows, cols, values } = table, step = step_of(table, fine);
	const n = Math.ceil(rows / step), product = new Float64Array(n * n);
	const lengths = Float64Array.from({ length: n }, (_, i) =>
		Math.sqrt(dot(values, i * step * cols, i * step * cols, cols)));

	for (let i = 0; i < n; i++)
		for (let j = 0; j <= i; j++)
			product[i * n + j] = product[j * n + i] =
				dot(values, i * step * cols, j * step * cols, cols) /
				(lengths[i] * lengths[j]);
	return { step, n, product };
}

/* The cosine of row p with rows first, first + step, ... of a table. */
export function cosines_with({ rows, cols, values }, p, first = 0, step = 1) {
	const length = (i) => Math.sqrt(dot(values, i * cols, i * cols, cols));
	const mine = length(p), found = [];

	for (let i = first; i < rows; i += step)
		found.push(dot(values, p * cols, i * cols, cols) / (mine * length(i)));
	return found;
}

/* The least and the greatest of cosines at each distance, in steps; not of NaN. */
export function span_by_distance({ n, product }) {
	return Array.from({ length: n }, (_, k) => {
		let lo = Infinity, hi = -Infinity;

		for (let i = 0; i + k < n; i++) {
			const x = product[i * n + i + k];

			lo = x < lo ? x : lo;
			hi = x > hi ? x : hi;
		}
		return [lo, hi];
	});
}
