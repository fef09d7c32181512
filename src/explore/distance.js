/*
 * distance.js: tables of queries and keys by distance: the values of the query under
 * the cursor, a line for each head.
 */
import { Plot, shape, set, draw_axes, number_axis, x_of, y_of, capital } from "./plot.js";
import { path, steps } from "./curve.js";
import { clamp } from "./numbers.js";

const MARGINS = [8, 12, 40, 58], CLASSES = 8;

export class Distance {
	constructor(root, link) {
		this.link = link;
		this.plot = new Plot(root, { margins: MARGINS,
			label: "values by distance from query to key",
			resized: () => this.draw() });
		this.lines = shape("g", { class: "lines" });
		this.plot.svg.insertBefore(this.lines, this.plot.marks);
		this.plot.svg.addEventListener("pointermove", (e) => this.hover(e));
		this.plot.svg.addEventListener("pointerdown", (e) => this.hover(e));
		link.on_mark(() => this.draw());
		link.on_redraw(() => this.draw());
	}

	show(table) {
		this.table = table;
		this.draw();
	}

	/* The key of the query under the cursor at the pointer. */
	hover(event) {
		if (!this.table)
			return;
		const { lo, hi } = this.x, row = this.row();
		const distance = Math.round(lo + this.plot.at(event).x * (hi - lo));

		this.link.move({ col: clamp(distance + row, 0, this.table.cols - 1) });
	}

	row() {
		return Math.min(this.link.row, this.table.rows - 1);
	}

	draw() {
		if (!this.table)
			return;
		const { rows, cols, value } = this.table, { w, h } = this.plot.box;
		const [lo, hi] = this.table.range, more = (hi - lo) * 0.06 || 1;
		const name = capital(value ?? "value");

		this.x = number_axis(1 - rows, Math.max(cols - 1, 2 - rows),
				     "Key − query", w / 60);
		this.y = number_axis(hi + more, lo - more, name, h / 34);
		draw_axes(this.plot, this.x, this.y, { grid: true });
		this.draw_lines();
		this.mark();
	}

	draw_lines() {
		const rows = this.table.heads_row(this.row());

		this.lines.replaceChildren(...rows.map((values, head) => shape("path", {
			class: `line line-${head % CLASSES}${head === this.table.head
				? " strong" : ""}`, d: this.path(values) })));
	}

	path(values) {
		const row = this.row();

		const draw = this.table.integers ? steps : path;

		return draw(values, (key, v) => `${x_of(this.plot, this.x, key - row)
			.toFixed(1)} ${y_of(this.plot, this.y, v).toFixed(1)}`);
	}

	mark() {
		const { values, cols } = this.table, row = this.row();
		const col = Math.min(this.link.col, cols - 1), v = values[row * cols + col];
		const x = x_of(this.plot, this.x, col - row), { y, h } = this.plot.box;

		this.cursor ??= shape("line", { class: "cursor" }, this.plot.marks);
		this.dot ??= shape("circle", { class: "tip", r: 4.5 }, this.plot.marks);
		set(this.cursor, { x1: x, x2: x, y1: y, y2: y + h });
		set(this.dot, { cx: x, cy: Number.isFinite(v)
			? y_of(this.plot, this.y, v) : -99 });
	}
}
