/*
 * sheet.js: one table, with all views that fit it: of positions, or of queries and
 * keys.
 */
import { Heatmap } from "./heatmap.js";
import { Waves, Legend } from "./waves.js";
import { Clocks } from "./clocks.js";
import { Matrix, Curve } from "./similarity.js";
import { Distance } from "./distance.js";
import { label_of } from "./plot.js";
import { pair_of } from "./link.js";
import { minus, short } from "./numbers.js";
import { save } from "./export.js";

const TITLES = {
	heatmap: "Values", waves: "Waves", clocks: "Clocks", matrix: "Similarity",
	curve: "Similarity by distance", distance: "By distance",
};

const of_positions = ["heatmap", "matrix", "waves", "curve", "clocks"];
const of_pairs = ["heatmap", "distance"];

function from_template(id) {
	return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

export class Sheet {
	/* context: link, dark(), caption(view), command(), formula(table, row, col). */
	constructor(root, context) {
		this.context = context;
		this.root = root.appendChild(from_template("sheet"));
		this.views = {};
		context.link.on_mark(() => this.read_out());
	}

	part(selector) {
		return this.root.querySelector(selector);
	}

	show(table) {
		const names = (table.relation ? of_pairs : of_positions)
			.filter((name) => name !== "clocks" || table.apart);

		this.table = table;
		this.title();
		this.arrange(names);
		for (const name of names)
			this.views[name].view.show(table);
		this.choices();
		this.read_out();
	}

	title() {
		const { title, planes, rows, cols, dtype } = this.table;
		const shape = [planes > 1 ? planes : [], rows, cols].flat().join(" × ");

		say(this.part("h2"), title);
		say(this.part(".shape"), `${shape} values, ${dtype}`);
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
			    this.context.caption(name));
		if (key !== this.key)
			this.part(".views").dataset.views = key;
		this.key = key;
	}

	make(name) {
		const root = from_template("view"), plot = root.querySelector(".plot");

		root.classList.add(name);
		say(root.querySelector("h3"), TITLES[name]);
		this.part(".views").append(root);
		for (const button of root.querySelectorAll("[data-save]")) {
			const kind = button.dataset.save;

			button.setAttribute("aria-label",
				`save ${TITLES[name].toLowerCase()} as ${kind.toUpperCase()}`);
			button.addEventListener("click", () =>
				save(kind, plot, name, this.context.command()));
		}
		return { root, view: this.view(name, plot, root) };
	}

	view(name, plot, root) {
		const { link } = this.context;
		const makers = {
			heatmap: () => new Heatmap(plot, link, { ...this.context,
				words: () => this.words().join(", ") }),
			waves: () => new Waves(plot, link,
				{ legend: new Legend(root.querySelector(".legend"), link) }),
			clocks: () => new Clocks(plot, link),
			matrix: () => new Matrix(plot, link, this.context),
			curve: () => new Curve(plot, link),
			distance: () => new Distance(plot, link),
		};

		return makers[name]();
	}

	/* The head, where a table has several. */
	choices() {
		const { planes, plane_axis } = this.table;
		const key = planes > 1 ? `${plane_axis?.name} ${planes}` : "";

		if (this.choice === key)
			return;
		this.choice = key;
		this.part(".choices").replaceChildren(...planes > 1 ? [this.heads()] : []);
	}

	heads() {
		const label = document.createElement("label");
		const input = document.createElement("input"), output = document.createElement("output");
		const { planes, plane_axis, head } = this.table;

		Object.assign(input, { type: "range", min: 0, max: planes - 1, value: head });
		output.value = head;
		input.addEventListener("input", () => {
			output.value = input.value;
			this.context.link.select_head(Number(input.value));
		});
		label.append(`${plane_axis?.name ?? "plane"} `, input, " ", output);
		return label;
	}

	/* The cell under the cursor, in words. */
	words() {
		const { table, context } = this, { link } = context;
		const row = Math.min(link.row, table.rows - 1), col = Math.min(link.col, table.cols - 1);
		const found = context.formula(table, row, col), length = table.wavelengths?.[col];
		const pair = pair_of(table, col)?.map((c) => label_of(table.col_axis, c));

		return [`${table.row_axis.name} ${label_of(table.row_axis, row)}`,
			`${table.col_axis.name} ${label_of(table.col_axis, col)}`,
			`${found}${found.endsWith(":") ? " " : " = "}${minus(table.text(row, col))}`,
			...length ? [`wavelength ${short(length, 5)}`] : [],
			...pair ? [`pair ${pair.join(", ")}`] : []];
	}

	read_out() {
		if (!this.table)
			return;
		const spans = this.words().map((text) => {
			const span = document.createElement("span");

			span.textContent = text;
			return span;
		});

		this.part(".readout").replaceChildren(...spans);
	}
}

function say(element, text) {
	if (element.textContent !== text)
		element.textContent = text;
}
