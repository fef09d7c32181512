/* difference.js: how far a table is from the encoding beside it. */
import { short } from "./numbers.js";

/* Where two tables of one shape differ most: { most, at }, NaN if one has a NaN. */
function greatest(a, b) {
	let most = 0, at = 0;

	for (let i = 0; i < a.length && most === most; i++) {
		const x = a[i], y = b[i];
		const d = x === y || (x !== x && y !== y) ? 0 : Math.abs(x - y);

		if (!(d <= most))
			[most, at] = [d, i];
	}
	return { most, at };
}

/* In words; "" for tables of other shapes. */
export function difference(encoding, table) {
	const { rows, cols, planes } = table;

	if (encoding.rows !== rows || encoding.cols !== cols || encoding.planes !== planes)
		return "";
	const { most, at } = greatest(encoding.all, table.all);

	if (most === 0)
		return "all values equal the encoding's";
	return `differs from the encoding by ${most === most ? "at most " : ""}${short(most, 3)}, in row ${
		Math.floor(at / cols) % rows}, column ${at % cols}`;
}
