/*
 * waves.js: chosen columns as lines over the rows. Where a column is a wave of known
 * length the line between two positions is that wave; elsewhere it is straight.
 */
import { Plot, shape, set, draw_axes, number_axis, table_axis, label_of, value_of,
	x_of, y_of, near_y, capital } from "./plot.js";
import { clamp, minus, short, finite_range, wider } from "./numbers.js";
import { path, steps, band } from "./curve.js";
import { html } from "./dom.js";
import { word } from "./words.js";

const MARGINS = [8, 12, 40, 64], CLASSES = 8, DENSE = 7;
const TOLERANCE = 1e-5, BITS = 2;

export class Waves {
	constructor(root, link, { legend }) {
		this.link = link;
		this.legend = legend;
		this.plot = new Plot(root, { margins: MARGINS,
			label: "chosen columns as lines", resized: () => this.draw() });
		this.lines = shape("g", { class: "lines" });
		this.plot.svg.insertBefore(this.lines, this.plot.marks);
		this.hovered = shape("path", { class: "line hovered" }, this.lines);
		this.paths = [];
		this.plot.on_pointer((e) =>
			this.table && this.link.move({ row: this.row_at(e) }));
		link.on_mark(root, () => this.mark());
		link.on_redraw(root, () => this.draw());
	}

	show(table) {
		this.table = table;
		this.draw();
	}

	row_at(event) {
		const { rows } = this.table, { lo, hi } = this.x;

		return clamp(Math.round(lo + this.plot.at(event).x * (hi - lo)), 0, rows - 1);
	}

	draw() {
		if (!this.table)
			return;
		const { rows } = this.table, { w, h } = this.plot.box;

		this.x = table_axis(this.table.row_axis, 0, Math.max(rows - 1, 1), w / 60, 0);
		this.y = this.lanes() ?? number_axis(...this.range(), capital("value"), h / 34);
		draw_axes(this.plot, this.x, this.y, { grid: true });
		this.draw_lines();
		this.mark();
	}

	range() {
		const [lo, hi] = wider(this.table.bounds ?? finite_range(this.shown_values()));

		return [hi, lo];
	}

	/* Bits would hide one another: each column has a lane, named by the axis. */
	lanes() {
		const { integers, range, col_axis } = this.table, [lo, hi] = range;
		const columns = this.link.columns(this.table);

		this.lane = integers && hi - lo <= BITS
			? (k, v) => k + 0.85 - 0.7 * (v - lo) / (hi - lo || 1) : null;
		return this.lane && { lo: 0, hi: columns.length, name: capital(col_axis.name),
			ticks: columns.map((c, k) => [k + 0.5, label_of(col_axis, c)]) };
	}

	/* Where a value of the k-th line is on the axis. */
	place(k, v) {
		return this.lane ? this.lane(k, v) : v;
	}

	shown_values() {
		const columns = this.link.columns(this.table);

		return columns.flatMap((c) => this.column(c));
	}

	column(c) {
		const { rows, cols, values } = this.table;

		return Array.from({ length: rows }, (_, i) => values[i * cols + c]);
	}

	draw_lines() {
		const columns = this.link.columns(this.table);

		while (this.paths.length < columns.length)
			this.paths.push(shape("path", {}, this.lines));
		while (this.paths.length > columns.length)
			this.paths.pop().remove();
		columns.forEach((c, k) =>
			set(this.paths[k], this.line(c, `line-${k % CLASSES}`, k)));
		this.legend.show(this.table, columns);
	}

	/* The attributes of a column's line; dense ones are thin, which is faster, too. */
	line(c, name, k) {
		const values = this.column(c).map((v) => this.place(k, v));
		const dense = turns(values) > this.plot.box.w / DENSE;

		return { class: `line ${name}${dense ? " thin" : ""}`,
			d: this.path(c, values) };
	}

	path(c, values) {
		const wave = fitted_wave(this.table, c, values);
		const samples = Math.ceil(this.plot.box.w / 1.5);

		if (wave && values.length > 1 && values.length < samples)
			return this.smooth(wave, samples, values.length);
		return values.length > 2 * samples
			? band(values, samples, (i, v) => this.point(i, v))
			: this.straight(values);
	}

	smooth(wave, samples, rows) {
		const points = [];

		for (let i = 0; i <= samples; i++) {
			const row = i / samples * (rows - 1);

			points.push(this.point(row, wave(row)));
		}
		return "M" + points.join("L");
	}

	straight(values) {
		const draw = this.table.integers ? steps : path;
		const d = draw(values, (i, v) => this.point(i, v));

		return values.length === 1 && d ? d + "h0.01" : d;
	}

	point(row, value) {
		const { x, w } = this.plot.box;

		return `${clamp(x_of(this.plot, this.x, row), x, x + w).toFixed(1)} ${
			near_y(this.plot, this.y, value).toFixed(1)}`;
	}

	/* The position and the values there; the column under the cursor. */
	mark() {
		if (!this.table)
			return;
		const { row, col } = this.link.cursor(this.table);
		const columns = this.link.columns(this.table);
		const x = x_of(this.plot, this.x, row), { y, h } = this.plot.box;

		this.cursor ??= shape("line", { class: "cursor" }, this.plot.marks);
		set(this.cursor, { x1: x, x2: x, y1: y, y2: y + h });
		this.paths.forEach((path, k) =>
			path.classList.toggle("strong", columns[k] === col));
		set(this.hovered, this.lane || columns.includes(col) ? { d: "" }
			: this.line(col, "hovered"));
		this.dots(row, columns, x);
		this.legend.mark(this.table, row, col);
	}

	dots(row, columns, x) {
		const { values, cols } = this.table;

		this.plot.group("dots", "", () => 0, this.plot.marks);
		this.plot.dots.replaceChildren(...columns.map((c, k) => {
			const v = this.place(k, values[row * cols + c]);

			return shape("circle", { class: `dot line-${k % CLASSES}`, r: 4,
				cx: x, cy: Number.isFinite(v) ? near_y(this.plot, this.y, v) : -9 });
		}));
	}
}

/* How often values turn up or down. */
function turns(values) {
	let n = 0;

	for (let i = 2; i < values.length; i++)
		n += (values[i] - values[i - 1]) * (values[i - 1] - values[i - 2]) < 0;
	return n;
}

/*
 * The function of the row, a sin + b cos, that column c is, if its wavelength is
 * known and every value agrees; otherwise null.
 */
function fitted_wave({ wavelengths, row_axis }, c, values) {
	const length = wavelengths?.[c];

	if (!length || row_axis.labels || values.length < 2)
		return null;
	/* From two positions that are about a quarter of a turn apart. */
	const far = clamp(Math.round(length / 4 / Math.abs(row_axis.step)), 1, values.length - 1);
	const angle = (row) => 2 * Math.PI * value_of(row_axis, row) / length;
	const [p, q] = [angle(0), angle(far)], [x, y] = [values[0], values[far]];
	const a = (y * Math.cos(p) - x * Math.cos(q)) / Math.sin(q - p);
	const b = (x * Math.sin(q) - y * Math.sin(p)) / Math.sin(q - p);
	const wave = (row) => a * Math.sin(angle(row)) + b * Math.cos(angle(row));

	return values.every((v, i) => Math.abs(wave(i) - v) < TOLERANCE) ? wave : null;
}

/* The names, values and colours of the lines, each a button that removes it. */
export class Legend {
	constructor(root, link) {
		this.root = root;
		this.link = link;
		this.key = "";
	}

	show(table, columns) {
		const key = columns.join() + table.cols;

		if (key === this.key)
			return;
		this.key = key;
		this.columns = columns;
		this.values = columns.map(() => html("output"));
		this.buttons = columns.map((c, k) => this.button(table, c, k));
		this.root.replaceChildren(...this.buttons);
	}

	button(table, c, k) {
		const name = label_of(table.col_axis, c);
		const button = html("button", { type: "button",
			title: word("%1 %2: click to remove its line",
				word(table.col_axis.name), name) },
		html("i", { class: `swatch line-${k % CLASSES}` }), name, this.values[k]);

		button.addEventListener("click", () => this.link.toggle(table, c));
		button.addEventListener("pointerenter", () => this.link.move({ col: c }));
		button.addEventListener("focus", () => this.link.move({ col: c }));
		return button;
	}

	mark({ values, cols }, row, col) {
		this.values?.forEach((output, k) => {
			output.value = brief(values[row * cols + this.columns[k]]);
			this.buttons[k].classList.toggle("strong", this.columns[k] === col);
		});
	}
}

/* Two decimals, so that values of moving cursors keep their width. */
function brief(x) {
	return Math.abs(x) < 100 && !Number.isInteger(x) ? minus(x.toFixed(2)) : short(x, 3);
}
