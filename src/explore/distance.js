/*
 * distance.js: the row under the cursor as a line for each head: by column, or in
 * tables of queries and keys by the distance from query to key.
 */
import { Plot, shape, set, draw_axes, number_axis, table_axis, x_of, near_y,
	capital, label_of } from "./plot.js";
import { path, steps } from "./curve.js";
import { clamp, spread, wider } from "./numbers.js";
import { html, listen } from "./dom.js";
import { word } from "./words.js";

const MARGINS = [8, 12, 40, 64], LEGEND_MOST = 16;

/* Eight colours, then the same with dashes, dots or both. */
const style_of = (head) => `line-${head % 8} dash-${Math.min(head >> 3, 3)}`;

export class Distance {
	/* legend: where the head of each line is told. */
	constructor(root, link, { legend }) {
		this.link = link;
		this.legend = legend;
		this.plot = new Plot(root, { margins: MARGINS,
			label: "values by distance from query to key",
			resized: () => this.draw() });
		this.lines = shape("g", { class: "lines" });
		this.plot.svg.insertBefore(this.lines, this.plot.marks);
		this.plot.on_pointer((e) => this.hover(e));
		link.on_mark(root, () => this.draw());
		link.on_redraw(root, () => this.draw());
	}

	show(table) {
		this.table = table;
		this.tell(table);
		this.draw();
	}

	/* Buttons that show the head of a line; of very many lines, of some. */
	tell({ planes, plane_axis }) {
		if (this.told === planes)
			return;
		this.told = planes;
		this.legend.replaceChildren(...spread(planes > 1 ? planes : 0, LEGEND_MOST)
			.map((head) => listen(html("button", { type: "button",
				title: word("show %1 %2", word(plane_axis?.name ?? "plane"), head),
				"data-head": head }, html("i", { class: `swatch ${style_of(head)}` }),
			plane_axis ? label_of(plane_axis, head) : String(head)),
			"click", () => this.link.select_head(head))));
	}

	/* The column at 0 of the axis. */
	query() {
		return this.table.relation ? this.row() : 0;
	}

	axis() {
		const { rows, cols, relation, col_axis } = this.table, most = this.plot.box.w / 60;

		return relation
			? number_axis(1 - rows, Math.max(cols - 1, 2 - rows), capital("key − query"), most)
			: table_axis(col_axis, 0, Math.max(cols - 1, 1), most, 0);
	}

	/* The key of the query under the cursor at the pointer. */
	hover(event) {
		if (!this.table)
			return;
		const { lo, hi } = this.x;
		const at = Math.round(lo + this.plot.at(event).x * (hi - lo));

		this.link.move({ col: clamp(at + this.query(), 0, this.table.cols - 1) });
	}

	row() {
		return this.link.cursor(this.table).row;
	}

	draw() {
		if (!this.table)
			return;
		const { value } = this.table, { h } = this.plot.box;
		const [lo, hi] = wider(this.table.range);
		const name = capital(value ?? "value");

		this.x = this.axis();
		this.y = number_axis(hi, lo, name, h / 34);
		draw_axes(this.plot, this.x, this.y, { grid: true });
		this.draw_lines();
		this.mark();
	}

	draw_lines() {
		const rows = this.table.heads_row(this.row());

		this.lines.replaceChildren(...rows.map((values, head) => shape("path", {
			class: `line ${style_of(head)}${head === this.table.head
				? " strong" : ""}`, d: this.path(values) })));
		for (const button of this.legend.children)
			button.classList.toggle("strong",
				Number(button.dataset.head) === this.table.head);
	}

	path(values) {
		const draw = this.table.integers ? steps : path, zero = this.query();

		return draw(values, (col, v) => `${x_of(this.plot, this.x, col - zero)
			.toFixed(1)} ${near_y(this.plot, this.y, v).toFixed(1)}`);
	}

	mark() {
		const { values, cols } = this.table, { row, col } = this.link.cursor(this.table);
		const v = values[row * cols + col];
		const x = x_of(this.plot, this.x, col - this.query()), { y, h } = this.plot.box;

		this.cursor ??= shape("line", { class: "cursor" }, this.plot.marks);
		this.dot ??= shape("circle", { class: "tip", r: 4.5 }, this.plot.marks);
		set(this.cursor, { x1: x, x2: x, y1: y, y2: y + h });
		set(this.dot, { cx: x, cy: Number.isFinite(v) ? near_y(this.plot, this.y, v) : -99 });
	}
}
