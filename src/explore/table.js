/*
 * table.js: what the views draw: values [planes, rows, cols], of which one plane, a
 * head, is shown, and what is known of rows, columns and values.
 */
import { cosines } from "./cosines.js";
import { finite_range } from "./numbers.js";

export class Table {
	/* The values of plane k; all: those of all planes. */
	plane(k) {
		const size = this.rows * this.cols;

		return this.all.subarray(k * size, (k + 1) * size);
	}

	select(head) {
		this.head = Math.min(head, this.planes - 1);
		this.values = this.plane(this.head);
		this.compared = null;
	}

	/* Row i of each plane. */
	heads_row(i) {
		const { planes, cols } = this;

		return Array.from({ length: planes }, (_, k) =>
			this.plane(k).subarray(i * cols, (i + 1) * cols));
	}

	/* What colours and axes span: the bounds, if known, or all values. */
	get range() {
		/* Parts of 1 are much smaller: these from 0 to the largest */
		this.measured ??= this.shares ? [0, finite_range(this.all)[1]]
			: this.bounds ?? finite_range(this.all);
		return this.measured;
	}

	/* Those of rows of the shown plane, computed once: of more rows if fine. */
	get cosines() {
		this.compared ??= cosines(this, this.fine);
		return this.compared;
	}

	refine() {
		this.fine = true;
		this.compared = null;
	}

	get integers() {
		return /int|bool/.test(this.dtype);
	}

	/* Of queries and keys; other tables are of positions. */
	get relation() {
		return this.row_axis.name === "query" && this.col_axis.name === "key";
	}
}
