/* difference.js: how far a table is from the encoding beside it. */
import { short } from "./numbers.js";
import { word } from "./words.js";

/* Of two values; 0 for equal infinities and NaN. */
const minus = (x, y) => x === y || (x !== x && y !== y) ? 0 : x - y;

/* Of all values of two tables of one shape. */
export function differences(a, b) {
	return Float64Array.from(a, (x, i) => minus(x, b[i]));
}

export const same_shape = (a, b) => ["planes", "rows", "cols"].every((n) => a[n] === b[n]);

/* Where two tables of one shape differ most: { most, at }, NaN if one has a NaN. */
function greatest(a, b) {
	let most = 0, at = 0;

	for (let i = 0; i < a.length && most === most; i++) {
		const d = Math.abs(minus(a[i], b[i]));

		if (!(d <= most))
			[most, at] = [d, i];
	}
	return { most, at };
}

/* In words; "" for tables of other shapes. */
export function difference(encoding, table) {
	const { rows, cols } = table;

	if (!same_shape(encoding, table))
		return "";
	const { most, at } = greatest(encoding.all, table.own);

	if (most === 0)
		return word("all values equal the encoding's");
	return word(most === most
		? "differs from the encoding by at most %1, in row %2, column %3"
		: "differs from the encoding by %1, in row %2, column %3",
	short(most, 3), Math.floor(at / cols) % rows, at % cols);
}
