/* difference.js: how far a table is from the encoding beside it. */
import { short } from "./numbers.js";
import { word } from "./words.js";

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
		return word("all values equal the encoding's");
	return word(most === most
		? "differs from the encoding by at most %1, in row %2, column %3"
		: "differs from the encoding by %1, in row %2, column %3",
	short(most, 3), Math.floor(at / cols) % rows, at % cols);
}
