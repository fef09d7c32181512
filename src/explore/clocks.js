/*
 * clocks.js: pairs of columns, a cosine and a sine, as hands of clocks at the
 * position of the cursor; smaller dots are the positions before it.
 */
import { shape, set, write, label_of } from "./plot.js";
import { pair_of } from "./link.js";
import { short } from "./numbers.js";
import { word } from "./words.js";

const SVG_W = 104, SVG_H = 132, RADIUS = 38, TRAIL = 8, NARROW = 600, LARGEST = 1.2;

export class Clocks {
	constructor(root, link) {
		this.link = link;
		this.svg = shape("svg", { role: "img", class: "clocks",
			"aria-label": word("pairs of columns as hands of clocks") }, root);
		this.width = root.clientWidth;
		/* In the next frame, as the clocks change the height that is observed. */
		new ResizeObserver(() => requestAnimationFrame(() =>
			this.resize(root.clientWidth))).observe(root);
		link.on_mark(root, () => this.mark());
		link.on_redraw(root, () => this.draw());
	}

	/* A hidden view has no width. */
	resize(width) {
		this.width = width || this.width;
		this.draw();
	}

	show(table) {
		this.table = table;
		this.draw();
	}

	/* The pairs of the chosen columns, and of the column under the cursor. */
	pairs() {
		const pairs = [];

		for (const c of this.link.columns(this.table)) {
			const pair = pair_of(this.table, c);

			if (pair && !pairs.some((p) => p[0] === pair[0]))
				pairs.push(pair);
		}
		return pairs.sort((p, q) => p[0] - q[0]);
	}

	draw() {
		if (!this.table?.apart)
			return;
		const pairs = this.pairs(), { wavelengths, cols } = this.table;
		const lengths = pairs.map(([a]) => wavelengths?.[a]);
		const key = JSON.stringify([pairs, lengths, cols, this.width < NARROW]);

		if (key !== this.key) {
			this.key = key;
			this.build(pairs, lengths);
		}
		this.longest = pairs.map((pair) => longest(this.table, pair));
		this.mark();
	}

	build(pairs, lengths) {
		const room = this.width < NARROW ? 3 : 8;
		const across = Math.min(pairs.length, room) || 1;
		const down = Math.ceil(pairs.length / across) || 1;

		set(this.svg, { viewBox: `0 0 ${across * SVG_W} ${down * SVG_H}` });
		this.svg.style.maxWidth = `${across * SVG_W * LARGEST}px`;
		this.clocks = pairs.map((pair, k) => {
			const g = shape("g", { class: "clock", transform: `translate(${
				(k % across + 0.5) * SVG_W} ${Math.floor(k / across) * SVG_H + 46})` });

			g.addEventListener("pointerenter", () => this.link.move({ col: pair[0] }));
			return new Clock(g, pair, this.table, lengths[k]);
		});
		this.svg.replaceChildren(...this.clocks.map((c) => c.g));
	}

	mark() {
		if (!this.table?.apart || !this.clocks)
			return;
		const { row, col } = this.link.cursor(this.table);

		this.clocks.forEach((clock, k) =>
			clock.turn(this.table, row, col, this.longest[k]));
	}
}

/* The longest hand of a pair. */
function longest({ values, rows, cols }, [a, b]) {
	let most = 0;

	for (let i = 0; i < rows; i++) {
		const length = Math.hypot(values[i * cols + a], values[i * cols + b]);

		if (length > most && length < Infinity)
			most = length;
	}
	return most || 1;
}

class Clock {
	constructor(g, pair, table, length) {
		this.g = g;
		this.pair = pair;
		shape("circle", { class: "dial", r: RADIUS }, g);
		this.trail = Array.from({ length: TRAIL }, (_, i) => shape("circle",
			{ class: "trail", r: 2.2, opacity: 1 - (i + 1) / (TRAIL + 1) }, g));
		this.hand = shape("line", { class: "hand", x1: 0, y1: 0 }, g);
		this.tip = shape("circle", { class: "tip", r: 4.5 }, g);
		this.label(table, length);
	}

	label({ col_axis }, length) {
		const [a, b] = this.pair.map((c) => label_of(col_axis, c));

		write(this.g, `${a}, ${b}`, { class: "number strong", y: RADIUS + 18,
			"text-anchor": "middle" });
		write(this.g, length ? word("turn: %1", short(length)) : "", { class: "number",
			y: RADIUS + 34, "text-anchor": "middle" });
	}

	turn(table, row, col, longest) {
		const tip = this.place(table, row, longest);

		set(this.hand, { x2: tip.x, y2: tip.y });
		set(this.tip, { cx: tip.x, cy: tip.y });
		this.trail.forEach((dot, i) => {
			const at = row > i ? this.place(table, row - i - 1, longest) : tip;

			set(dot, { cx: at.x, cy: at.y });
		});
		this.g.classList.toggle("strong", this.pair.includes(col));
	}

	/* First column to the right, second up, as in posenc's figures. */
	place({ values, cols }, row, longest) {
		const [x, y] = this.pair.map((c) => values[row * cols + c] / longest);
		const known = Number.isFinite(x) && Number.isFinite(y);

		return known ? { x: x * RADIUS, y: -y * RADIUS } : { x: 0, y: 0 };
	}
}
