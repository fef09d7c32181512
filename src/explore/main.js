/*
 * main.js: starts the page: the library, the parameters, a sheet for the encoding and
 * one for each table that was given.
 */
import { Library, Refused } from "./library.js";
import { State } from "./state.js";
import { Controls } from "./controls.js";
import { Sheet } from "./sheet.js";
import { Given } from "./given.js";
import { Link, Frame } from "./link.js";
import { use_maps } from "./colors.js";
import { formula } from "./formula.js";
import { difference, same_shape } from "./difference.js";
import { caption } from "./captions.js";
import { text_of, to_hash, from_hash, shell_of } from "./command.js";
import { download } from "./export.js";
import { follow_theme, is_dark } from "./theme.js";
import { Announcer } from "./announce.js";
import { html, listen } from "./dom.js";
import { speak, word, translate, languages } from "./words.js";

const by_id = (id) => document.getElementById(id);
const MAPS = ["vik", "berlin", "viridis", "blues"];
const SETTLED = 300;

/* What posenc explore wrote into the page. */
function data() {
	return JSON.parse(by_id("posenc-data")?.textContent ?? "{}");
}

class Page {
	constructor(library, { command = [], bare = false, tables = [] }) {
		this.library = library;
		this.bare = bare;
		this.state = new State(library.recipes());
		this.link = new Link();
		this.frame = new Frame(() => this.compute());
		this.given = tables.map((t) => new Given(t));
		this.start(command);
		this.first = this.state.command;
		this.controls = new Controls(by_id("controls"), this.state);
		this.make_sheets();
		this.announcer = new Announcer(by_id("announcer"), this.link);
		this.state.subscribe(() => this.frame.ask());
		this.link.on_redraw(document.body, () => this.select_head());
		follow_theme(by_id("theme"), by_id("sheets"), () => this.redraw());
		this.listen();
		this.compute();
	}

	/* A link's command, or the command line's, or one of a table's shape. */
	start(command) {
		const [table] = this.given;

		if (this.state.take(from_hash(location.hash)) ||
		    this.state.take(text_of(command)) || !table)
			return;
		this.state.set("len", String(table.rows));
		this.state.set("dim", String(table.cols));
	}

	make_sheets() {
		const { link } = this, root = by_id("sheets");
		const context = { link, dark: is_dark, command: () => shell_of(this.state.command),
			caption: (view) => this.bare ? "" : caption(view, this.state.scheme),
			cells: () => this.state.cells,
			formula: (...cell) => formula(cell[0], this.state, cell[1], cell[2]) };

		this.sheet = new Sheet(root, context);
		this.sheets = this.given.map((table) => new Sheet(root, { ...context,
			command: () => table.command,
			caption: (view, { value }) => this.bare ? "" : caption(view, undefined, value),
			cells: null, formula: () => "",
			pair: (given, pairs) => this.pair(given, pairs),
			subtract: (given, yes) => {
				given.subtracted = yes;
				this.compare(given, this.sheets[this.given.indexOf(given)]);
			} }));
		root.classList.toggle("beside", this.given.length > 0);
		this.given.forEach((table, i) => this.sheets[i].show(table));
	}

	/* The reader says which columns of a table are pairs. */
	pair(table, pairs) {
		table.pair(pairs);
		this.sheets[this.given.indexOf(table)].show(table);
	}

	/* The table of the command; if there is none the last or first one stays, dimmed. */
	compute() {
		const { command } = this.state;

		try {
			this.take(command);
		} catch (error) {
			this.refuse(error);
			return;
		}
		this.accept(command);
		this.show();
	}

	/* Make the table of a command the page's; throws Refused. */
	take(command) {
		const table = this.library.open(command);

		table.read();
		table.select(this.link.head);
		this.table?.close();
		this.table = table;
	}

	show() {
		const { table } = this;

		this.sheet.show(table);
		this.sheet.remark(table.note ?? "");
		this.given.forEach((given, i) => this.compare(given, this.sheets[i]));
	}

	/* A table that was given beside that of the command. */
	compare(given, sheet) {
		const { table } = this, comparable = same_shape(table, given);

		sheet.remark(difference(table, given));
		if (given.value || (given.subtracted && comparable)) {
			given.subtract(given.subtracted && comparable ? table : null);
			sheet.show(given);
		}
	}

	accept(command) {
		this.error = null;
		this.controls.refuse(null);
		by_id("status").textContent = "";
		by_id("sheets").classList.remove("stale");
		by_id("command").textContent = shell_of(command);
		clearTimeout(this.settling);
		this.settling = setTimeout(() => this.settle(command), SETTLED);
	}

	/* What would take too long, or be refused, for each step of a slider. */
	settle(command) {
		document.title = shell_of(command);
		history.replaceState(null, "", to_hash(command));
		this.table.refine();
		this.sheet.show(this.table);
	}

	refuse(error) {
		if (!(error instanceof Refused))
			throw error;
		this.error = error.message;
		by_id("command").textContent = shell_of(this.state.command);
		by_id("sheets").classList.add("stale");
		by_id("status").textContent = this.controls.refuse(error.message)
			? "" : error.message;
		if (!this.table) {
			this.take(this.state.first_command);
			this.show();
		}
	}

	select_head() {
		for (const [sheet, table] of [[this.sheet, this.table],
			...this.sheets.map((s, i) => [s, this.given[i]])])
			if (table && table.head !== Math.min(this.link.head, table.planes - 1)) {
				table.select(this.link.head);
				sheet.show(table);
			}
	}

	redraw() {
		if (this.table)
			this.sheet.show(this.table);
		this.given.forEach((table, i) => this.sheets[i].show(table));
	}

	listen() {
		listen(by_id("reset"), "click", () => this.state.take(this.first));
		listen(by_id("copy"), "click", (button) => this.copy(button));
		listen(by_id("csv"), "click", () => download(`${this.state.scheme}.csv`,
			[this.table.csv()], "text/csv"));
		addEventListener("hashchange", () => this.state.take(from_hash(location.hash)));
	}

	/* Pages from a disk may not use the clipboard: there the text is selected. */
	async copy(button) {
		const { textContent } = by_id("command");

		try {
			await navigator.clipboard.writeText(textContent);
		} catch {
			getSelection().selectAllChildren(by_id("command"));
			document.execCommand("copy");
		}
		button.textContent = word("Copied");
		setTimeout(() => { button.textContent = word("Copy"); }, 1200);
	}
}

/* What tests read back. */
function hook(page) {
	return {
		get command() { return page.state.command; },
		get error() { return page.error; },
		bytes: () => page.table.bytes(),
		csv: () => page.table.csv(),
		set: (command) => page.state.take(command),
		tables: page.given.map((t) => ({ name: t.name, values: () => t.own })),
	};
}

/* ?lang=ko of the address, or what the command line said; the control asks anew. */
function choose_language(library) {
	const url = new URL(location), asked = url.searchParams.get("lang") ?? data().lang;
	const language = languages[asked] ? asked : "en", select = by_id("language");

	speak(language, library.words(language));
	translate(document.querySelectorAll("body > header *, #controls"));
	select.append(...Object.entries(languages).map(([value, name]) =>
		html("option", { value, lang: value }, name)));
	select.value = language;
	listen(select, "change", () => {
		url.searchParams.set("lang", select.value);
		url.hash = location.hash;
		location.assign(url);
	});
}

async function start() {
	const library = await Library.load(by_id("posenc-wasm").textContent);

	choose_language(library);
	use_maps(Object.fromEntries(MAPS.map((name) => [name, library.map(name)])));
	const page = new Page(library, data());

	Object.defineProperties(window.posenc,
		Object.getOwnPropertyDescriptors(hook(page)));
}

function fail(error) {
	by_id("status").textContent = word("this page does not work in this browser: %1",
		error.message);
	throw error;
}

window.posenc = {};
window.posenc.ready = start().catch(fail);
