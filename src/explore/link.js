/*
 * link.js: what all views share: the cell under the cursor, the columns that are
 * drawn as waves and clocks, and one animation frame for all that changed.
 */
import { spread, clamp, finite_range } from "./numbers.js";

const COLUMNS = 6, FIRST = [20, 16], BEAT = 180, APART = 10;

/* Calls work() once in the next animation frame, however often it is asked. */
export class Frame {
	constructor(work) {
		this.work = work;
		this.asked = false;
	}

	ask() {
		if (this.asked)
			return;
		this.asked = true;
		requestAnimationFrame(() => {
			this.asked = false;
			this.work();
		});
	}
}

function call(listeners) {
	for (const [root, listen] of listeners)
		if (!root.closest("[hidden]"))
			listen();
}

export class Link {
	constructor() {
		[this.row, this.col] = FIRST;
		this.apart = APART;  /* rows from the cursor's to the one it is compared with */
		this.head = 0;
		this.chosen = null;     /* null: columns spread over the table */
		this.marked = [];
		this.redrawn = [];
		this.frame = new Frame(() => call(this.marked));
	}

	/* mark() is called after the cursor moved, unless root is hidden. */
	on_mark(root, mark) {
		this.marked.push([root, mark]);
	}

	/* redraw() is called after other columns or another head were chosen. */
	on_redraw(root, redraw) {
		this.redrawn.push([root, redraw]);
	}

	/* other: the row to compare with; it stays as far away when the cursor moves. */
	move({ row = this.row, col = this.col, other = row + this.apart }) {
		if (row === this.row && col === this.col && other - row === this.apart)
			return;
		[this.row, this.col, this.apart] = [row, col, other - row];
		this.frame.ask();
	}

	/* The cell under the cursor, or the last of a table that ends before it. */
	cursor({ rows, cols }) {
		return { row: Math.min(this.row, rows - 1), col: Math.min(this.col, cols - 1) };
	}

	/* The two rows: the second before the first where there is none after it. */
	rows({ rows }) {
		const row = Math.min(this.row, rows - 1), other = row + this.apart;
		const there = other >= 0 && other < rows ? other : row - this.apart;

		return [row, clamp(there, 0, rows - 1)];
	}

	/* Start or stop moving down, again and again; whether it moves now. */
	play(rows) {
		if (this.playing) {
			clearInterval(this.playing);
			this.playing = null;
		} else {
			this.playing = setInterval(() =>
				this.move({ row: (this.row + 1) % rows() }), BEAT);
		}
		return Boolean(this.playing);
	}

	select_head(head) {
		this.head = head;
		call(this.redrawn);
	}

	/* The chosen columns that the table has: by default the first of some pairs. */
	columns(table, by_default = default_columns) {
		const chosen = this.chosen?.filter((c) => c < table.cols);

		return chosen?.length ? chosen : by_default(table);
	}

	toggle(table, col) {
		const now = this.columns(table);

		this.choose(now.includes(col) ? now.filter((c) => c !== col)
			: [...now, col].slice(-8).sort((a, b) => a - b));
	}

	choose(columns) {
		this.chosen = columns?.length ? columns : null;
		call(this.redrawn);
	}
}

function default_columns(table) {
	const pairs = pairs_of(table);

	return pairs ? spread(pairs.length, COLUMNS).map((k) => pairs[k][0])
		: spread(table.cols, COLUMNS);
}

/* Some of the columns that change: all values of others are nearly the same. */
export function changing_columns(table) {
	const [lo, hi] = table.range, { cols, rows, values } = table;
	const changing = Array.from({ length: cols }, (_, c) => c).filter((c) => {
		const column = Array.from({ length: rows }, (_, i) => values[i * cols + c]);
		const [least, most] = finite_range(column);

		return most - least > (hi - lo) / 4;
	});

	return changing.length ? spread(changing.length, COLUMNS).map((k) => changing[k])
		: spread(cols, COLUMNS);
}

/* The columns of pair k. */
export function pair_at(k, pairs, apart) {
	const a = pairs === "split" ? k : 2 * k;

	return [a, a + apart];
}

/* The pairs of columns that are a sine and a cosine of one angle, or null. */
export function pairs_of({ pairs, cols, apart }) {
	const most = !apart ? 0 : pairs === "split" ? apart : cols;
	const all = Array.from({ length: most }, (_, k) => pair_at(k, pairs, apart));
	const found = all.filter(([, b]) => b < cols);

	return found.length ? found : null;
}

/* The pair of a column, or null. */
export function pair_of({ pairs, cols, apart }, col) {
	if (!apart)
		return null;
	const pair = pair_at(pairs === "split" ? col % apart : col >> 1, pairs, apart);

	return pair.includes(col) && pair[1] < cols ? pair : null;
}
