/*
 * sheet.js: one table, with all views that fit it: of positions, or of queries and
 * keys.
 */
import { Heatmap } from "./heatmap.js";
import { Waves, Legend } from "./waves.js";
import { Clocks } from "./clocks.js";
import { Matrix, Curve } from "./similarity.js";
import { Distance } from "./distance.js";
import { Maps, Alike } from "./maps.js";
import { label_of } from "./plot.js";
import { pair_of } from "./link.js";
import { minus, short } from "./numbers.js";
import { save } from "./export.js";
import { html, listen } from "./dom.js";
import { word } from "./words.js";

const TITLES = {
	heatmap: "Values", waves: "Waves", clocks: "Clocks", matrix: "Similarity",
	curve: "Similarity by distance", distance: "Row", maps: "Maps",
	alike: "Similarity of cells",
};

const of_positions = ["heatmap", "matrix", "waves", "curve", "clocks"];
const of_rows = ["heatmap", "distance"], of_columns = ["heatmap", "waves"];
const of_cells = ["heatmap", "alike", "maps"];

function from_template(id) {
	return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

export class Sheet {
	/*
	 * context: link, dark(), caption(view, table), command(), formula(table, row, col), and
	 * cells(): the size of the image whose cells rows are, or null.
	 */
	constructor(root, context) {
		this.context = context;
		this.root = root.appendChild(from_template("sheet"));
		this.views = {};
		context.link.on_mark(this.root, () => this.read_out());
	}

	part(selector) {
		return this.root.querySelector(selector);
	}

	show(table) {
		const names = this.names(table);

		this.table = table;
		this.title();
		this.arrange(names);
		for (const name of names)
			this.views[name].view.show(table);
		this.choices();
		this.read_out();
	}

	names(table) {
		if (table.relation || table.rows === 1)
			return of_rows;
		if (table.cols === 1)
			return of_columns;
		if (this.cells(table))
			return of_cells;
		return of_positions.filter((name) => name !== "clocks" || table.apart);
	}

	/* The width and height of the image whose cells the rows are, or null. */
	cells(table) {
		const cells = this.context.cells?.();

		return cells?.width * cells?.height === table.rows ? cells : null;
	}

	title() {
		const { title, command, planes, rows, cols, dtype } = this.table;
		const shape = [planes > 1 ? planes : [], rows, cols].flat().join(" × ");

		say(this.part("h2 bdi"), title);
		this.part("h2").title = command ?? title;
		say(this.part(".shape"), word("%1 values, %2", shape, dtype));
	}

	/* What is said about the table as a whole. */
	remark(text) {
		say(this.part(".remark"), text);
	}

	/* Make the views that are missing, and show these only. */
	arrange(names) {
		const key = names.join();

		for (const name of names)
			this.views[name] ??= this.make(name);
		for (const name in this.views)
			this.views[name].root.hidden = !names.includes(name);
		for (const name of names)
			say(this.views[name].root.querySelector(".caption"),
			    this.context.caption(name, this.table));
		/* Nothing moves without the button that stops it */
		if (!names.includes("clocks"))
			this.stop?.();
		if (key !== this.key)
			this.part(".views").dataset.views = key;
		this.key = key;
	}

	make(name) {
		const root = from_template("view"), plot = root.querySelector(".plot");

		root.classList.add(name);
		say(root.querySelector("h3"), word(TITLES[name]));
		this.part(".views").append(root);
		for (const button of root.querySelectorAll("[data-save]")) {
			const kind = button.dataset.save;

			button.setAttribute("aria-label", word("save %1 as %2",
				word(TITLES[name]).toLowerCase(), kind.toUpperCase()));
			button.addEventListener("click", () =>
				save(kind, plot, name, this.context.command()));
		}
		return { root, view: this.view(name, plot, root) };
	}

	/* The buttons of a view: [text, what it does, act()]. */
	act(root, acts) {
		root.querySelector(".acts").replaceChildren(...acts.map(([text, label, act]) =>
			listen(html("button", { type: "button", "aria-label": word(label),
				title: word(label) }, word(text)), "click", act)));
	}

	view(name, plot, root) {
		const { link } = this.context, legend = root.querySelector(".legend");
		const context = { ...this.context, cells: () => this.cells(this.table) };
		const makers = {
			heatmap: () => this.heatmap(plot, root),
			waves: () => new Waves(plot, link, { legend: new Legend(legend, link) }),
			clocks: () => this.clocks(plot, root),
			matrix: () => new Matrix(plot, link, this.context),
			curve: () => new Curve(plot, link, { legend }),
			distance: () => new Distance(plot, link, { legend }),
			maps: () => new Maps(plot, link, context),
			alike: () => new Alike(plot, link, context),
		};

		return makers[name]();
	}

	heatmap(plot, root) {
		const view = new Heatmap(plot, this.context.link, { ...this.context,
			words: () => this.words().join(", ") });

		this.act(root, [["+", "zoom in", () => view.zoom(1.5)],
			["−", "zoom out", () => view.zoom(1 / 1.5)],
			["all", "show the whole table", () => view.zoom(0)]]);
		return view;
	}

	clocks(plot, root) {
		const { link } = this.context;

		this.act(root, [["play", "move the cursor from position to position",
			(button) => {
				const play = () => {
					button.textContent = word(link.play(() => this.table.rows)
						? "stop" : "play");
				};

				play();
				this.stop = () => link.playing && play();
			}]]);
		return new Clocks(plot, link);
	}

	/* The head, where a table has several; the pairs of a table that was given. */
	choices() {
		const { planes, plane_axis, cols, pairs } = this.table;
		const given = this.context.pair, key = [planes, plane_axis?.name, cols].join();

		if (this.choice === key) {
			this.show_head?.();
			return;
		}
		this.choice = key;
		this.show_head = null;
		this.part(".choices").replaceChildren(...planes > 1 ? [this.heads()] : [],
			...given && cols > 1 ? [this.pairing(pairs)] : [],
			...given ? [this.subtraction()] : []);
	}

	heads() {
		const { planes, plane_axis } = this.table;
		const output = html("output");
		const input = html("input", { type: "range", min: 0, max: planes - 1 });

		this.show_head = () => {
			output.value = input.value = this.table.head;
		};
		this.show_head();
		listen(input, "input", () =>
			this.context.link.select_head(Number(input.value)));
		return html("label", {}, word(plane_axis?.name ?? "plane"), input, output);
	}

	/* The difference to the encoding in place of the values. */
	subtraction() {
		const box = html("input", { type: "checkbox" });

		listen(box, "change", () => this.context.subtract(this.table, box.checked));
		return html("label", {}, word("difference"), box);
	}

	/* Which columns are a sine and its cosine: a file does not say. */
	pairing(pairs) {
		const words = { none: "none", adjacent: "neighbours", split: "halves" };
		const select = html("select", {}, ...Object.entries(words).map(([value, text]) =>
			html("option", { value }, word(text))));

		select.value = pairs;
		listen(select, "change", () => this.context.pair(this.table, select.value));
		return html("label", {}, word("pairs of columns"), select);
	}

	/* The cell under the cursor, in words. */
	words() {
		const { table, context } = this, { link } = context;
		const { row, col } = link.cursor(table);
		const found = context.formula(table, row, col), length = table.wavelengths?.[col];
		const value = minus(table.text(row, col));
		const pair = pair_of(table, col)?.map((c) => label_of(table.col_axis, c));

		const plain = table.value === "difference" ? `${word("difference")} ${value}`
			: word("value %1", value);

		return [`${word(table.row_axis.name)} ${label_of(table.row_axis, row)}`,
			`${word(table.col_axis.name)} ${label_of(table.col_axis, col)}`,
			!found ? plain
				: `${found}${found.endsWith(":") ? " " : " = "}${value}`,
			...length ? [word("wavelength %1", short(length, 5))] : [],
			...pair ? [word("pair %1", pair.join(", "))] : []];
	}

	read_out() {
		if (!this.table)
			return;
		this.part(".readout").replaceChildren(...this.words().map((text) =>
			html("span", {}, text)));
	}
}

function say(element, text) {
	if (element.textContent !== text)
		element.textContent = text;
}
