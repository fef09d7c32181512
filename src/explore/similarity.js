/*
 * similarity.js: how alike the rows of a table are: the cosine of every pair of
 * rows, and of the row under the cursor with all others by distance.
 */
import { Plot, shape, set, draw_axes, number_axis, table_axis, x_of, y_of,
	label_of, capital } from "./plot.js";
import { color_scale } from "./colors.js";
import { draw_bar, BAR_MARGIN } from "./colorbar.js";
import { Cells } from "./cells.js";
import { clamp, finite_range, short } from "./numbers.js";
import { path } from "./curve.js";
import { cosines_with, span_by_distance } from "./cosines.js";
import { word } from "./words.js";

const MARGINS = [8, 12, 40, 64], POINTS_MOST = 2048, LEAST = 0.01;
const MATRIX_MARGINS = [8, BAR_MARGIN, 40, 64];

export class Matrix {
	constructor(root, link, { dark }) {
		this.link = link;
		this.dark = dark;
		this.plot = new Plot(root, { margins: MATRIX_MARGINS, canvas: true,
			label: "cosine similarity of every pair of rows",
			resized: () => this.draw() });
		this.cells = new Cells();
		this.plot.on_pointer((e) => this.hover(e));
		link.on_mark(root, () => this.mark());
	}

	show(table) {
		const { n, step, product } = table.cosines, [lo, hi] = finite_range(product);
		/* Rows that are equal differ by rounding */
		const range = [Math.min(lo, hi - LEAST), hi];

		Object.assign(this, { table, step, n });
		this.scale = color_scale({ range, ramp: true }, this.dark());
		this.missing = this.cells.show({ rows: n, cols: n, values: product },
			this.scale);
		this.plot.measure(1);
		this.draw();
	}

	draw() {
		if (!this.table)
			return;
		const { canvas, box } = this.plot, { n, step } = this;
		const axis = (room) => table_axis(this.table.row_axis, 0, n * step, room, step / 2);

		this.cells.draw(canvas, { x0: 0, y0: 0, x1: n, y1: n });
		draw_axes(this.plot, axis(box.w / 60), axis(box.h / 36));
		draw_bar(this.plot, this.scale, "cosine", { missing: this.missing });
		this.mark();
	}

	/* The row beside the matrix becomes the cursor's, that below it the other. */
	hover(event) {
		const { x, y } = this.plot.at(event);

		const row = (share) => Math.floor(share * this.n) * this.step;

		if (this.table && x >= 0 && x < 1 && y >= 0 && y < 1)
			this.link.move({ row: row(y), other: row(x) });
	}

	mark() {
		if (!this.table)
			return;
		const { x, y, w, h } = this.plot.box, { n } = this;
		const [down, across] = this.link.rows(this.table)
			.map((i) => Math.floor(i / this.step) / n);

		this.bands ??= ["band", "band"].map((name) =>
			shape("rect", { class: name }, this.plot.marks));
		set(this.bands[0], { x, y: y + down * h, width: w, height: h / n });
		set(this.bands[1], { x: x + across * w, y, width: w / n, height: h });
	}
}

export class Curve {
	/* legend: where the two rows and their cosine are told. */
	constructor(root, link, { legend }) {
		this.link = link;
		this.legend = legend;
		this.plot = new Plot(root, { margins: MARGINS,
			label: "cosine similarity by distance", resized: () => this.draw() });
		this.others = shape("path", { class: "others" });
		this.line = shape("path", { class: "line line-0" });
		this.plot.svg.insertBefore(this.others, this.plot.marks);
		this.plot.svg.insertBefore(this.line, this.plot.marks);
		this.zero = shape("line", { class: "cursor" }, this.plot.marks);
		this.dot = shape("circle", { class: "tip", r: 4.5 }, this.plot.marks);
		this.plot.on_pointer((e) => this.hover(e));
		link.on_mark(root, () => this.draw());
	}

	show(table) {
		this.table = table;
		this.span = span_by_distance(table.cosines);
		this.draw();
	}

	/* The row at the distance of the pointer. */
	hover(event) {
		if (!this.table)
			return;
		const { lo, hi } = this.x, [row] = this.link.rows(this.table);
		const distance = Math.round(lo + this.plot.at(event).x * (hi - lo));

		this.link.move({ other: clamp(row + distance, 0, this.table.rows - 1) });
	}

	draw() {
		if (!this.table)
			return;
		const { rows, row_axis } = this.table, { w, h } = this.plot.box;
		const far = Math.max(rows - 1, 1), even = !row_axis.labels && row_axis.step === 1;

		this.x = number_axis(-far, far, capital(even ? "distance" : "rows apart"), w / 60);
		this.y = number_axis(1.08, -1.08, capital("cosine"), h / 34);
		draw_axes(this.plot, this.x, this.y, { grid: true });
		this.draw_lines(...this.link.rows(this.table));
	}

	draw_lines(p, q) {
		const { box } = this.plot, zero = x_of(this.plot, this.x, 0);
		const step = Math.ceil(this.table.rows / POINTS_MOST), first = p % step;
		const found = cosines_with(this.table, p, first, step);
		const [cosine] = cosines_with(this.table, p, q, Infinity);

		set(this.others, { d: this.band() });
		set(this.line, { d: path(found, (i, v) => this.point(first + i * step - p, v)) });
		set(this.zero, { x1: zero, x2: zero, y1: box.y, y2: box.y + box.h });
		set(this.dot, { cx: x_of(this.plot, this.x, q - p),
			cy: Number.isFinite(cosine) ? y_of(this.plot, this.y, cosine) : -9 });
		this.tell(p, q, cosine);
	}

	tell(p, q, cosine) {
		const { row_axis } = this.table;

		this.legend.textContent = word("%1s %2 and %3: cosine %4", word(row_axis.name),
			label_of(row_axis, p), label_of(row_axis, q), short(cosine, 3));
	}

	/* Between the least and the greatest cosine of all pairs at each distance. */
	band() {
		const { step } = this.table.cosines, { span } = this;
		const known = span.map(([lo, hi], k) => [k * step, lo, hi])
			.filter((s) => Number.isFinite(s[1]) && Number.isFinite(s[2]));
		const mirrored = [...known.slice(1).reverse().map(([k, lo, hi]) => [-k, lo, hi]),
			...known];
		const upper = mirrored.map(([k, , hi]) => this.point(k, hi));
		const lower = mirrored.map(([k, lo]) => this.point(k, lo)).reverse();

		return known.length ? `M${[...upper, ...lower].join("L")}Z` : "";
	}

	point(distance, cosine) {
		return `${x_of(this.plot, this.x, distance).toFixed(1)} ${
			y_of(this.plot, this.y, cosine).toFixed(1)}`;
	}
}
