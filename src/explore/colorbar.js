/* colorbar.js: which value a colour stands for, to the right of a plot's box. */
import { shape, write, capital } from "./plot.js";
import { css } from "./colors.js";
import { ticks, short } from "./numbers.js";

const BAR = { gap: 14, width: 14 };

/* The right margin of a plot with a bar. */
export const BAR_MARGIN = 90;

/*
 * missing: what has a colour of its own, of NaN, inf and -inf; tall: as high as
 * what it explains.
 */
export function draw_bar(plot, scale, name, { missing = [], tall = plot.box.h } = {}) {
	const { lo, hi, levels, colors } = scale;
	const key = [lo, hi, levels, colors[0], colors[levels >> 1], name,
		missing.map((m) => m.name), plot.h, tall];

	plot.group("bar", key.join(), (g) => {
		const { x, y, w } = plot.box, left = x + w + BAR.gap, end = x + w + BAR_MARGIN;
		const high = Math.max(tall - missing.length * 18, 1);

		draw_colors(scale, left, y, high, g);
		missing.forEach((m, i) => draw_missing(m, left, y + high + 18 * i + 6, g));
		write(g, capital(name ?? ""), { class: "name", "text-anchor": "middle",
			transform: `translate(${end - 6} ${y + tall / 2}) rotate(-90)` });
	});
}

function draw_colors(scale, left, y, high, g) {
	const { levels, colors } = scale, step = high / levels;

	colors.forEach((color, i) => shape("rect", { fill: css(color), x: left,
		y: scale.steps ? y + i * step : y + high - (i + 1) * step,
		width: BAR.width, height: step + (i ? 0.6 : 0) }, g));
	for (const [value, share] of bar_ticks(scale, high))
		write(g, short(value), { class: "number", x: left + BAR.width + 6,
			y: y + high * share + 4 });
}

function bar_ticks({ lo, hi, levels, steps }, high) {
	const most = high / 36;

	return steps ? ticks(lo, hi, most, 1).map((v) => [v, (v - lo + 0.5) / levels])
		: ticks(lo, hi, most).map((v) => [v, 1 - (v - lo) / (hi - lo)]);
}

function draw_missing({ name, color }, x, y, g) {
	shape("rect", { fill: color, x, y, width: BAR.width, height: 12 }, g);
	write(g, name, { class: "number", x: x + BAR.width + 6, y: y + 10 });
}
