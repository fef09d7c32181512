/*
 * link.js: what all views share: the cell under the cursor, the columns that are
 * drawn as waves and clocks, and one animation frame for all that changed.
 */
import { spread, clamp } from "./numbers.js";

const COLUMNS = 6, FIRST = [20, 16], BEAT = 180, CALM_BEAT = 1000, APART = 10;

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
			const { matches: calm } = matchMedia("(prefers-reduced-motion: reduce)");

			this.playing = setInterval(() =>
				this.move({ row: (this.row + 1) % rows() }), calm ? CALM_BEAT : BEAT);
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

/* From the least to the greatest value of a column. */
function height({ rows, cols, values }, col) {
	let lo = Infinity, hi = -Infinity;

	for (let i = col; i < rows * cols; i += cols) {
		lo = values[i] < lo ? values[i] : lo;
		hi = values[i] > hi ? values[i] : hi;
	}
	return hi - lo;
}

/* Some of columns that change: all values of others are nearly the same. */
function changing(table, columns) {
	const [lo, hi] = table.range;
	const found = columns.filter((c) => height(table, c) > (hi - lo) / 4);
	const of = found.length ? found : columns;

	return spread(of.length, COLUMNS).map((k) => of[k]);
}

export function changing_columns(table) {
	return changing(table, Array.from({ length: table.cols }, (_, c) => c));
}

/* The first of pairs whose hands of clocks move; found once for the values shown. */
function default_columns(table) {
	const { values, pairs, moving } = table, all = pairs_of(table);

	if (!all)
		return spread(table.cols, COLUMNS);
	if (moving?.values !== values || moving.pairs !== pairs)
		table.moving = { values, pairs, columns: changing(table, all.map(([a]) => a)) };
	return table.moving.columns;
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
