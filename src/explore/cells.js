/*
 * cells.js: the values of a table as a picture with a pixel for each, and parts of it
 * drawn to size. Of tables with very many rows or columns the picture has some.
 */
import { paint } from "./colors.js";

/* Canvases of browsers have sides of at least this. */
const SIDE_MOST = 4096;
/* Pixels per cell below which edges would differ by what the eye sees. */
const SMALL = 4, ENLARGED = 4, ENLARGED_MOST = 200 * 200;

/* Every down-th row and every across-th column of a part of a table. */
function sampled({ cols, values }, { x, y, w, h }, down, across) {
	const [wide, high] = [Math.ceil(w / across), Math.ceil(h / down)];
	const found = new values.constructor(wide * high);

	for (let i = 0; i < high; i++)
		for (let j = 0; j < wide; j++)
			found[i * wide + j] = values[(y + i * down) * cols + x + j * across];
	return found;
}

export class Cells {
	constructor() {
		this.picture = document.createElement("canvas");
		this.large = document.createElement("canvas");
	}

	/* Returns which of NaN, inf and -inf are in the table, and their colours. */
	show(table, scale) {
		const { rows, cols, values } = table;

		this.table = table;
		this.scale = scale;
		this.huge = Math.max(rows, cols) > SIDE_MOST;
		return this.huge ? paint(scale, values, new Uint32Array(values.length))
			: this.paint({ x: 0, y: 0, w: cols, h: rows });
	}

	/* Fill the picture with a part of the table, in whole cells. */
	paint(part) {
		const [down, across] = [part.h, part.w].map((n) => Math.ceil(n / SIDE_MOST));
		const [w, h] = [Math.ceil(part.w / across), Math.ceil(part.h / down)];
		const values = this.huge ? sampled(this.table, part, down, across)
			: this.table.values;

		if (this.image?.width !== w || this.image.height !== h) {
			[this.picture.width, this.picture.height] = [w, h];
			this.image = new ImageData(w, h);
		}
		const missing = paint(this.scale, values, new Uint32Array(this.image.data.buffer));

		this.picture.getContext("2d").putImageData(this.image, 0, 0);
		this.at = { x: part.x, y: part.y, down, across };
		return missing;
	}

	/* Draw rows y0 to y1 and columns x0 to x1, in fractions of cells, to a canvas. */
	draw(canvas, { x0, y0, x1, y1 }) {
		const [x, y, w, h] = [x0, y0, x1 - x0, y1 - y0].map(Math.floor);

		if (this.huge)
			this.paint({ x, y, w: Math.min(w + 2, this.table.cols - x),
				h: Math.min(h + 2, this.table.rows - y) });
		const { at } = this;

		this.draw_picture(canvas, (x0 - at.x) / at.across, (y0 - at.y) / at.down,
			(x1 - x0) / at.across, (y1 - y0) / at.down);
	}

	draw_picture(canvas, x, y, w, h) {
		const c = canvas.getContext("2d");
		const scale = Math.min(canvas.width / w, canvas.height / h);
		const sharp = scale < SMALL && w * h <= ENLARGED_MOST;

		c.imageSmoothingEnabled = scale < SMALL;
		if (sharp)
			c.drawImage(this.enlarge(x, y, w, h), 0, 0, w * ENLARGED, h * ENLARGED,
				    0, 0, canvas.width, canvas.height);
		else
			c.drawImage(this.picture, x, y, w, h, 0, 0, canvas.width, canvas.height);
	}

	/*
	 * Small cells would differ by a pixel, or have soft edges: they are enlarged by
	 * whole pixels first, and then made as small as the plot needs them.
	 */
	enlarge(x, y, w, h) {
		const { large } = this, c = large.getContext("2d");

		[large.width, large.height] = [w, h].map((n) => Math.ceil(n * ENLARGED));
		c.imageSmoothingEnabled = false;
		c.drawImage(this.picture, x, y, w, h, 0, 0, w * ENLARGED, h * ENLARGED);
		return large;
	}
}
