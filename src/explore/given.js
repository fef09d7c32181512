/*
 * given.js: tables that were given on the command line, decoded from the page. They
 * show what they have: NaN, infinities, any shape.
 */
import { bytes_of, values_of } from "./dtypes.js";
import { differences } from "./difference.js";
import { Table } from "./table.js";
import { short, minus } from "./numbers.js";

const axis = (name) => ({ name, first: 0, step: 1 });

export class Given extends Table {
	constructor({ name, command, rows, cols, planes = 1, dtype, values }) {
		super();
		Object.assign(this, { name, command, title: name, rows, cols, planes, dtype });
		this.all = this.own = values_of(bytes_of(values), dtype);
		this.row_axis = axis("row");
		this.col_axis = axis("column");
		this.plane_axis = planes > 1 ? axis("plane") : null;
		this.wavelengths = this.bounds = this.value = null;
		this.halves = "alike";
		this.pair("none");
		this.fine = true;
		this.select(0);
	}

	/* How its columns form pairs: none, adjacent or split. */
	pair(pairs) {
		this.pairs = pairs;
		this.apart = { none: 0, adjacent: 1, split: this.cols >> 1 }[pairs];
	}

	/* Show how far its values are above those of an encoding of its shape; null: its values. */
	subtract(encoding) {
		this.all = encoding ? differences(this.own, encoding.all) : this.own;
		this.value = encoding && "difference";
		this.measured = null;
		this.select(this.head);
	}

	/* A value with the digits that tell it from its neighbours. */
	text(row, col) {
		const x = this.values[row * this.cols + col];
		const digits = { float32: 9, bfloat16: 5, float16: 6 }[this.dtype] ?? 17;

		if (this.value)
			return short(x);
		if (this.integers || Object.is(x, -0))
			return minus(Object.is(x, -0) ? "-0" : String(x));
		return short(x, digits);
	}
}
