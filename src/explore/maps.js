/*
 * maps.js: where rows are the cells of an image: columns, and similarities to the
 * cell under the cursor, as maps of the cells.
 */
import { Plot, shape, set, write, label_of, capital } from "./plot.js";
import { color_scale } from "./colors.js";
import { draw_bar, BAR_MARGIN } from "./colorbar.js";
import { Cells } from "./cells.js";
import { cosines_with } from "./cosines.js";
import { clamp } from "./numbers.js";
import { changing_columns } from "./link.js";
import { word } from "./words.js";

const MARGINS = [20, BAR_MARGIN, 12, 12], GAP = 14, TITLE = 18;

/* Maps side by side, as large as fit: places [{ x, y }] and the size of one. */
function arrange(n, cells, { w, h }) {
	let best = null;

	for (let across = 1; across <= n; across++) {
		const down = Math.ceil(n / across);
		const cell = Math.min((w - GAP * (across - 1)) / across / cells.width,
			(h - (TITLE + GAP) * (down - 1)) / down / cells.height);

		if (!best || cell > best.cell)
			best = { across, cell };
	}
	const wide = best.cell * cells.width, high = best.cell * cells.height;

	return { wide, high, places: Array.from({ length: n }, (_, i) => ({
		x: (i % best.across) * (wide + GAP),
		y: Math.floor(i / best.across) * (high + TITLE + GAP) })) };
}

class Tiles {
	constructor(root, link, { dark, cells, label }) {
		this.link = link;
		this.dark = dark;
		this.cells = cells;
		this.plot = new Plot(root, { margins: MARGINS, canvas: true, label,
			resized: () => this.draw() });
		this.pictures = new Cells();
		this.frames = [];
		this.plot.on_pointer((e) => this.hover(e));
		link.on_mark(root, () => this.mark());
		link.on_redraw(root, () => this.draw());
	}

	show(table) {
		this.table = table;
		this.draw();
	}

	draw() {
		if (!this.table || !this.cells())
			return;
		const tiles = this.tiles(), { canvas, box } = this.plot;
		const c = canvas.getContext("2d"), ratio = canvas.width / box.w;

		this.layout = arrange(tiles.length, this.cells(), box);
		c.clearRect(0, 0, canvas.width, canvas.height);
		c.imageSmoothingEnabled = false;
		tiles.forEach((tile, i) => this.paint(tile, this.layout.places[i], c, ratio));
		this.titles(tiles);
		draw_bar(this.plot, color_scale(tiles[0], this.dark()), this.value,
			{ tall: this.layout.places.at(-1).y + this.layout.high });
		this.mark();
	}

	/* One map, through a picture with a pixel for each cell. */
	paint({ values, range }, { x, y }, c, ratio) {
		const { width: cols, height: rows } = this.cells(), { wide, high } = this.layout;
		const { picture } = this.pictures;

		this.pictures.show({ rows, cols, values }, color_scale({ range }, this.dark()));
		c.drawImage(picture, x * ratio, y * ratio, wide * ratio, high * ratio);
	}

	titles(tiles) {
		const { places, wide, high } = this.layout, names = tiles.map((t) => t.title);

		this.plot.group("titles", JSON.stringify([places, wide, high, names]), (g) =>
			names.forEach((name, i) => this.title(name, places[i], g)));
	}

	title(name, place, g) {
		const { box } = this.plot, { wide, high } = this.layout;
		const x = box.x + place.x, y = box.y + place.y;

		shape("rect", { class: "frame", x, y, width: wide, height: high }, g);
		write(g, name, { class: "number", "text-anchor": "middle",
			x: x + wide / 2, y: y - 6 });
	}

	/* The cell at the pointer becomes the cursor's row. */
	hover(event) {
		if (!this.layout)
			return;
		const { box } = this.plot, at = this.plot.at(event), { wide, high, places } = this.layout;
		const [x, y] = [at.x * box.w, at.y * box.h], { width, height } = this.cells();
		const i = places.findIndex((p) => x >= p.x && x < p.x + wide &&
			y >= p.y && y < p.y + high);

		if (i >= 0)
			this.enter(i, Math.floor((y - places[i].y) / high * height) * width +
				   Math.floor((x - places[i].x) / wide * width));
	}

	enter(i, row) {
		this.link.move({ row });
	}

	/* The cell of the cursor in each map. */
	mark() {
		if (!this.layout)
			return;
		const { wide, high, places } = this.layout, { width, height } = this.cells();
		const row = clamp(this.link.row, 0, width * height - 1), { box } = this.plot;

		while (this.frames.length < 2 * places.length)
			this.frames.push(shape("rect", { class: this.frames.length % 2 ? "cell"
				: "cell outer" }, this.plot.marks));
		this.frames.forEach((frame, i) => set(frame, places[i >> 1] ? {
			x: box.x + places[i >> 1].x + row % width * wide / width,
			y: box.y + places[i >> 1].y + Math.floor(row / width) * high / height,
			width: wide / width, height: high / height } : { width: 0, height: 0 }));
	}
}

/* Chosen columns as maps. */
export class Maps extends Tiles {
	constructor(root, link, context) {
		super(root, link, { ...context, label: "chosen columns as maps of the cells" });
	}

	get value() {
		return this.table.value;
	}

	tiles() {
		const { table } = this, { col_axis, rows, cols, values } = table;

		this.columns = this.link.columns(table, changing_columns);
		return this.columns.map((c) => ({
			title: `${capital(col_axis.name)} ${label_of(col_axis, c)}`,
			range: table.range,
			values: Float64Array.from({ length: rows }, (_, i) => values[i * cols + c]) }));
	}

	enter(i, row) {
		this.link.move({ row, col: this.columns[i] });
	}
}

/* The cosine of the cell under the cursor with every cell. */
export class Alike extends Tiles {
	constructor(root, link, context) {
		super(root, link, { ...context, label: "similarity to the cell under the cursor" });
		link.on_mark(root, () => this.draw());
	}

	get value() {
		return "cosine";
	}

	tiles() {
		const { table } = this, { row } = this.link.cursor(table);
		const { width } = this.cells();

		return [{ title: word("with row %1, column %2", Math.floor(row / width), row % width),
			range: [-1, 1],
			values: cosines_with(table, row) }];
	}
}
