/*
 * export.js: a view as a file, SVG or PNG, with the command that made it; text and
 * bytes as files.
 */
import { shape } from "./plot.js";

/* What style sheets set here, and what holds without them. */
const STYLES = {
	fill: "rgb(0, 0, 0)", "fill-opacity": "1", stroke: "none", "stroke-width": "1px",
	"stroke-dasharray": "none", "stroke-opacity": "1", "stroke-linecap": "butt",
	"stroke-linejoin": "miter", "font-size": "16px", "font-weight": "400",
};
const CURSORS = ".band, .cell, .line.hovered", SCALE = 2;

export function download(name, parts, type) {
	const link = document.createElement("a");

	link.href = URL.createObjectURL(new Blob(parts, { type }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/* The look of a page's element as attributes, which need no style sheet. */
function inline(from, to, inherited = STYLES) {
	const style = getComputedStyle(from), own = {};

	for (const name in STYLES) {
		own[name] = style.getPropertyValue(name);
		if (own[name] !== inherited[name])
			to.setAttribute(name, own[name]);
	}
	to.removeAttribute("class");
	[...from.children].forEach((child, i) => inline(child, to.children[i], own));
}

/* The canvas under the axes, as an image. */
function image_of(canvas, parent) {
	const { left, top, width, height } = canvas.style;
	const image = shape("image", { x: parseFloat(left), y: parseFloat(top),
		width: parseFloat(width), height: parseFloat(height),
		preserveAspectRatio: "none", href: canvas.toDataURL("image/png") });

	parent.prepend(image);
}

/* A view as an SVG of its own. */
function figure(plot, command) {
	const shown = plot.querySelector("svg"), svg = shown.cloneNode(true);
	const canvas = plot.querySelector("canvas"), { width, height } = shown.getBoundingClientRect();
	const page = shape("rect", { width: "100%", height: "100%",
		fill: getComputedStyle(document.body).backgroundColor });
	const metadata = shape("metadata"), copies = [...svg.querySelectorAll("*")];

	inline(shown, svg);
	[...shown.querySelectorAll("*")].forEach((e, i) =>
		e.matches(CURSORS) && copies[i].remove());
	svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
	svg.setAttribute("width", width);
	svg.setAttribute("height", height);
	svg.setAttribute("font-family", "DejaVu Sans,Verdana,sans-serif");
	metadata.textContent = command;
	if (canvas)
		image_of(canvas, svg);
	svg.prepend(metadata, page);
	return { text: new XMLSerializer().serializeToString(svg), width, height };
}

async function to_png({ text, width, height }) {
	const image = new Image(), canvas = document.createElement("canvas");

	image.src = "data:image/svg+xml," + encodeURIComponent(text);
	await image.decode();
	canvas.width = width * SCALE;
	canvas.height = height * SCALE;
	canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
	return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/* Save a view as svg or png. */
export async function save(kind, plot, name, command) {
	const f = figure(plot, command);

	if (kind === "svg")
		download(`${name}.svg`, [f.text], "image/svg+xml");
	else
		download(`${name}.png`, [await to_png(f)], "image/png");
}
