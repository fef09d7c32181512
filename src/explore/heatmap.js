/*
 * heatmap.js: the values of a table as colours. The wheel, two fingers and + - zoom,
 * dragging pans, the cursor follows the pointer and the arrow keys.
 */
import { Plot, shape, set, draw_axes, table_axis } from "./plot.js";
import { color_scale } from "./colors.js";
import { draw_bar, BAR_MARGIN } from "./colorbar.js";
import { Cells } from "./cells.js";
import { clamp } from "./numbers.js";
import { Drag } from "./drag.js";
import { word } from "./words.js";

const MARGINS = [8, BAR_MARGIN, 40, 64];
const HELP = "heat map: arrow keys move the cursor, plus and minus zoom, " +
	"Enter draws the column as a wave or removes it";
const LEAST_CELLS = 4, ASPECT_MOST = 4;

/* Cells of queries and keys are square, so that a distance is a diagonal. */
function aspect_of({ relation, rows, cols }) {
	return relation && Math.max(rows / cols, cols / rows) < ASPECT_MOST ? cols / rows : 0;
}

export class Heatmap {
	/* context: dark(), and words() about the cell under the cursor. */
	constructor(root, link, { dark, words }) {
		this.link = link;
		this.dark = dark;
		this.words = words;
		this.plot = new Plot(root, { margins: MARGINS, canvas: true,
			label: HELP, resized: () => this.draw() });
		this.window = { x: 0, y: 0, share: 1 };
		this.cells = new Cells();
		this.listen();
		link.on_mark(root, () => this.mark());
	}

	show(table) {
		this.table = table;
		this.scale = color_scale(table, this.dark());
		this.missing = this.cells.show(table, this.scale);
		this.plot.measure(aspect_of(table));
		this.draw();
	}

	/* The rows and columns that are shown, as fractions of cells. */
	get shown() {
		const { x, y, share } = this.window, { rows, cols } = this.table;

		return { x0: x * cols, y0: y * rows, x1: (x + share) * cols,
			y1: (y + share) * rows };
	}

	draw() {
		if (!this.table)
			return;
		this.cells.draw(this.plot.canvas, this.shown);
		this.draw_around();
		this.mark();
	}

	draw_around() {
		const { x0, y0, x1, y1 } = this.shown, { w, h } = this.plot.box;

		draw_axes(this.plot, table_axis(this.table.col_axis, x0, x1, w / 60),
			  table_axis(this.table.row_axis, y0, y1, h / 36));
		draw_bar(this.plot, this.scale, this.table.value, { missing: this.missing });
	}

	/* The cursor: its row and its column, and a frame about its cell. */
	mark() {
		if (!this.table)
			return;
		const { x0, y0, x1, y1 } = this.shown, { x, y, w, h } = this.plot.box;
		const { row, col } = this.cursor, wide = w / (x1 - x0), high = h / (y1 - y0);
		const inside = row >= y0 - 1 && row < y1 && col >= x0 - 1 && col < x1;

		this.cross ??= new Cross(this.plot);
		this.cross.move(inside && { x: x + (col - x0) * wide,
			y: y + (row - y0) * high, w: wide, h: high });
	}

	get cursor() {
		return this.link.cursor(this.table);
	}

	/* Zoom by a factor about a point, given as shares of the box. */
	zoom(factor, at = { x: 0.5, y: 0.5 }) {
		const { window } = this, { rows, cols } = this.table;
		const least = Math.min(1, LEAST_CELLS / Math.max(rows, cols));
		const share = clamp(window.share / factor, least, 1);
		const more = window.share - share;

		this.pan({ share, x: window.x + more * at.x, y: window.y + more * at.y });
	}

	/* Show another part; it stays within the table. */
	pan({ x = this.window.x, y = this.window.y, share = this.window.share }) {
		const most = 1 - share;

		this.window = { share, x: clamp(x, 0, most), y: clamp(y, 0, most) };
		this.draw();
	}

	listen() {
		const { svg } = this.plot;

		svg.setAttribute("tabindex", "0");
		svg.setAttribute("role", "application");
		svg.setAttribute("aria-roledescription", word("heat map"));
		this.drag = new Drag(svg, {
			hover: (e) => this.hover(e),
			click: (e) => this.click(e),
			pan: (dx, dy) => this.drag_by(dx, dy),
			zoom: (factor, e) => this.zoom(factor, this.plot.at(e)),
			zoomed: () => this.window.share < 1,
		});
		svg.addEventListener("keydown", (e) => this.key(e));
	}

	drag_by(dx, dy) {
		const { box } = this.plot, { x, y, share } = this.window;

		this.pan({ x: x - dx / box.w * share, y: y - dy / box.h * share });
	}

	/* The cell at an event, or null. */
	cell(event) {
		const { x, y } = this.plot.at(event), { x0, y0, x1, y1 } = this.shown;

		if (!(x >= 0 && x < 1 && y >= 0 && y < 1))
			return null;
		return { row: Math.floor(y0 + y * (y1 - y0)),
			col: Math.floor(x0 + x * (x1 - x0)) };
	}

	hover(event) {
		const cell = this.table && this.cell(event);

		if (cell)
			this.link.move(cell);
	}

	click(event) {
		this.hover(event);
		if (this.cell(event))
			this.link.toggle(this.table, this.cursor.col);
	}

	key(event) {
		const step = event.shiftKey ? 10 : 1;
		const moves = { ArrowUp: [-step, 0], ArrowDown: [step, 0],
			ArrowLeft: [0, -step], ArrowRight: [0, step],
			PageUp: [-10, 0], PageDown: [10, 0],
			Home: [0, -Infinity], End: [0, Infinity] };
		const acts = { "+": () => this.zoom(1.5), "=": () => this.zoom(1.5),
			"-": () => this.zoom(1 / 1.5), 0: () => this.zoom(0),
			Enter: () => this.link.toggle(this.table, this.cursor.col),
			" ": () => this.link.toggle(this.table, this.cursor.col) };

		if (event.ctrlKey || event.metaKey || event.altKey || !this.table)
			return;
		if (moves[event.key])
			this.step(...moves[event.key]);
		else if (acts[event.key])
			acts[event.key]();
		else
			return;
		event.preventDefault();
	}

	step(down, across) {
		const { row, col } = this.cursor, { rows, cols } = this.table;

		this.link.move({ row: clamp(row + down, 0, rows - 1),
			col: clamp(col + across, 0, cols - 1) });
		this.follow();
		this.link.announce(this.words);
	}

	/* Pan until the cursor is shown. */
	follow() {
		const { row, col } = this.cursor, { rows, cols } = this.table;
		const { x, y, share } = this.window;

		if (share < 1)
			this.pan({ x: clamp(x, (col + 1) / cols - share, col / cols),
				y: clamp(y, (row + 1) / rows - share, row / rows) });
	}
}

/* The marks of a cell and of its row and column. */
class Cross {
	constructor(plot) {
		this.plot = plot;
		this.parts = ["band", "band", "cell outer", "cell"].map((name) =>
			shape("rect", { class: name }, plot.marks));
	}

	move(cell) {
		const { x, y, w, h } = this.plot.box;

		this.plot.marks.classList.toggle("off", !cell);
		if (!cell)
			return;
		const [row, column, ...frames] = this.parts;
		const least = { w: Math.max(cell.w, 3), h: Math.max(cell.h, 3) };

		set(row, { x, y: cell.y, width: w, height: cell.h });
		set(column, { x: cell.x, y, width: cell.w, height: h });
		for (const frame of frames)
			set(frame, { x: cell.x + (cell.w - least.w) / 2,
				y: cell.y + (cell.h - least.h) / 2,
				width: least.w, height: least.h });
	}
}
