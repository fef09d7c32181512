/*
 * plot.js: what the views are drawn on: a box with axes as SVG and, for values as
 * colours, a canvas under it. Sizes are CSS pixels.
 */
import { ticks, clamp, short, minus, round_up, power_of_two_up } from "./numbers.js";
import { word } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

export function shape(name, attributes = {}, parent = null) {
	const e = document.createElementNS(SVG, name);

	set(e, attributes);
	parent?.append(e);
	return e;
}

const round = (x) => Math.round(x * 100) / 100;

export function set(e, attributes) {
	for (const name in attributes) {
		const value = attributes[name];

		e.setAttribute(name, typeof value === "number" ? round(value) : value);
	}
	return e;
}

export function write(parent, text, attributes) {
	const e = shape("text", attributes, parent);

	e.textContent = text;
	return e;
}

/* A box within margins [top, right, bottom, left]; resized() when its size changes. */
export class Plot {
	constructor(root, { margins, label, canvas = false, resized }) {
		this.root = root;
		this.margins = margins;
		if (canvas)
			this.canvas = root.appendChild(document.createElement("canvas"));
		this.svg = shape("svg", { role: "img", "aria-label": word(label) }, root);
		this.axes = shape("g", { class: "axes" }, this.svg);
		this.marks = shape("g", { class: "marks" }, this.svg);
		this.keys = new Map();
		this.measure();
		/* A hidden plot keeps its size. */
		new ResizeObserver(() => root.clientWidth && this.measure() && resized())
			.observe(root);
	}

	/* Whether the size changed. aspect: width by height of the box; 0: all the room. */
	measure(aspect = this.aspect ?? 0) {
		const { clientWidth: w, clientHeight: h } = this.root;
		const [top, right, bottom, left] = this.margins;
		const wide = Math.max(w - left - right, 1), high = Math.max(h - top - bottom, 1);

		if (this.w === w && this.h === h && this.aspect === aspect)
			return false;
		Object.assign(this, { w, h, aspect });
		this.box = { x: left, y: top, w: Math.min(wide, aspect ? high * aspect : wide),
			h: Math.min(high, aspect ? wide / aspect : high) };
		set(this.svg, { width: w, height: h, viewBox: `0 0 ${w} ${h}` });
		this.keys.clear();
		if (this.canvas)
			this.place_canvas();
		return true;
	}

	place_canvas() {
		const { x, y, w, h } = this.box, ratio = devicePixelRatio || 1;

		this.canvas.width = Math.round(w * ratio);
		this.canvas.height = Math.round(h * ratio);
		Object.assign(this.canvas.style, { left: `${x}px`, top: `${y}px`,
			width: `${w}px`, height: `${h}px` });
	}

	/* A group that is emptied and drawn again only when key differs. */
	group(name, key, draw, parent = this.axes) {
		if (this.keys.get(name) === key)
			return;
		this.keys.set(name, key);
		this[name] ??= shape("g", { class: name }, parent);
		this[name].replaceChildren();
		draw(this[name]);
	}

	/* Have act(event) called where a pointer moves or is pressed. */
	on_pointer(act) {
		for (const event of ["pointermove", "pointerdown"])
			this.svg.addEventListener(event, act);
	}

	/* Where an event is, as shares of the box. */
	at(event) {
		const frame = this.svg.getBoundingClientRect();

		return {
			x: (event.clientX - frame.left - this.box.x) / this.box.w,
			y: (event.clientY - frame.top - this.box.y) / this.box.h,
		};
	}
}

/*
 * An axis is { lo, hi, name, ticks: [[value, label]] }. How many labels fit
 * follows from the size of the box.
 */
export function draw_axes(plot, x, y, { grid = false } = {}) {
	const key = JSON.stringify([x, y, grid]);

	plot.group("axis", key, (g) => {
		if (grid)
			draw_grid(plot, y, g);
		for (const [value, label] of x.ticks)
			draw_x_tick(plot, x, value, label, g);
		for (const [value, label] of y.ticks)
			draw_y_tick(plot, y, value, label, g);
		draw_names(plot, x.name, y.name, g);
		shape("rect", { class: "frame", ...rect(plot.box) }, g);
	});
}

const rect = ({ x, y, w, h }) => ({ x, y, width: w, height: h });

export const x_of = (plot, axis, value) =>
	plot.box.x + (value - axis.lo) / (axis.hi - axis.lo) * plot.box.w;
export const y_of = (plot, axis, value) =>
	plot.box.y + (value - axis.lo) / (axis.hi - axis.lo) * plot.box.h;

/* The same; far values stay near the box, as browsers do not draw others. */
export const near_y = (plot, axis, value) => clamp(y_of(plot, axis, value), -999, 9999);

function draw_grid(plot, y, g) {
	const { x, w } = plot.box;

	for (const [value] of y.ticks) {
		const at = y_of(plot, y, value);

		shape("line", { class: "grid", x1: x, x2: x + w, y1: at, y2: at }, g);
	}
}

function draw_x_tick(plot, axis, value, label, g) {
	const x = x_of(plot, axis, value), y = plot.box.y + plot.box.h;

	shape("line", { class: "tick", x1: x, x2: x, y1: y, y2: y + 4 }, g);
	write(g, label, { class: "number", x, y: y + 16, "text-anchor": "middle" });
}

function draw_y_tick(plot, axis, value, label, g) {
	const x = plot.box.x, y = y_of(plot, axis, value);

	shape("line", { class: "tick", x1: x - 4, x2: x, y1: y, y2: y }, g);
	write(g, label, { class: "number", x: x - 7, y: y + 4, "text-anchor": "end" });
}

function draw_names(plot, x_name, y_name, g) {
	const { x, y, w, h } = plot.box;

	if (x_name)
		write(g, x_name, { class: "name", x: x + w / 2, y: y + h + 33,
			"text-anchor": "middle" });
	if (y_name)
		write(g, y_name, { class: "name", x: 0, y: 0, "text-anchor": "middle",
			transform: `translate(12 ${y + h / 2}) rotate(-90)` });
}

/* An axis of numbers from lo to hi. */
export function number_axis(lo, hi, name, most) {
	return { lo, hi, name, ticks: ticks(Math.min(lo, hi), Math.max(lo, hi), most)
		.map((v) => [v, short(v)]) };
}

/* The name of an axis or a value in the reader's language. */
export function capital(name) {
	const text = word(name ?? "");

	return text && text[0].toUpperCase() + text.slice(1);
}

/*
 * An axis of a table's rows or columns, of which lo to hi are shown; ticks are at
 * the middle of cells, or with { middle: 0 } at their indices.
 */
export function table_axis(axis, lo, hi, most, middle = 0.5) {
	return { lo, hi, name: capital(axis.name), ticks: axis.labels
		? label_ticks(axis, lo, hi, most, middle)
		: rule_ticks(axis, lo, hi, most, middle) };
}

function label_ticks(axis, lo, hi, most, middle) {
	const last = Math.min(hi - middle, axis.labels.length - 1);

	return ticks(Math.max(lo - middle, 0), last, most, 1)
		.map((i) => [i + middle, label_of(axis, i)]);
}

function rule_ticks({ name, first, step }, lo, hi, most, middle) {
	if (!step)
		return [[lo + middle, short(first)]];
	const columns = /dimension|pair|column/.test(name);
	const ends = [lo, hi].map((i) => first + (i - middle) * step);

	return ticks(Math.min(...ends), Math.max(...ends), most, Math.abs(step),
		     columns ? power_of_two_up : round_up)
		.map((v) => [(v - first) / step + middle, short(v)]);
}

/* The label of index i: the position of a row, the number of a column. */
export function label_of(axis, i) {
	const label = axis.labels ? axis.labels[i] : axis.first + i * axis.step;

	if (typeof label !== "number")
		return label;
	return Number.isInteger(label) ? minus(String(label)) : short(label, 9);
}

export const value_of = (axis, i) => axis.labels ? Number(axis.labels[i])
	: axis.first + i * axis.step;
