/*
 * library.js: posenc's library as WebAssembly. src/web/ says what it exports.
 */
import { pair_at } from "./link.js";
import { Table } from "./table.js";
import { size_of, values_of, bytes_of } from "./dtypes.js";
import { word } from "./words.js";

const MOST = 1 << 22;
const utf8 = new TextDecoder();

/* What the library refuses, in its own words. */
export class Refused extends Error {}

export class Library {
	static async load(base64) {
		const module = await WebAssembly.compile(bytes_of(base64));

		return new Library((await WebAssembly.instantiate(module, {})).exports);
	}

	constructor(exports) {
		this.exports = exports;
	}

	get memory() {
		return this.exports.memory.buffer;
	}

	text(pointer) {
		const bytes = new Uint8Array(this.memory, pointer);

		return pointer ? utf8.decode(bytes.subarray(0, bytes.indexOf(0))) : null;
	}

	/* Call use(pointer) with room for n bytes. */
	with_room(n, use) {
		const pointer = this.exports.malloc(n);

		if (!pointer)
			throw new Refused(word("out of memory"));
		try {
			return use(pointer);
		} finally {
			this.exports.free(pointer);
		}
	}

	with_text(text, use) {
		const bytes = new TextEncoder().encode(text + "\0");

		return this.with_room(bytes.length, (pointer) => {
			new Uint8Array(this.memory).set(bytes, pointer);
			return use(pointer);
		});
	}

	/* The text at a pointer, which is freed. */
	take(pointer) {
		const text = this.text(pointer);

		this.exports.free(pointer);
		return text;
	}

	recipes() {
		return JSON.parse(this.take(this.exports.web_recipes()));
	}

	/* The words that figures have for English ones in a language. */
	words(language) {
		return JSON.parse(this.with_text(language, (p) =>
			this.take(this.exports.web_words(p))));
	}

	/* The 256 colours of a map, [r, g, b] each. */
	map(name) {
		const hex = this.with_text(name, (p) => this.take(this.exports.web_map(p)));

		return hex.match(/../g).map((h) => parseInt(h, 16)).reduce((colors, v, i) => {
			(colors[Math.floor(i / 3)] ??= []).push(v);
			return colors;
		}, []);
	}

	/* The table of a command; throws Refused. It must be closed. */
	open(command) {
		const { exports } = this;
		const handle = this.with_text(command, (p) => exports.web_open(p));
		const table = new Encoding(this, handle);

		try {
			table.begin();
		} catch (error) {
			table.close();
			throw error;
		}
		return table;
	}
}

/* A table that the library computes. */
class Encoding extends Table {
	constructor(library, handle) {
		super();
		this.library = library;
		this.handle = handle;
	}

	begin() {
		const { library, handle } = this, { exports } = library;
		const why = handle ? library.text(exports.web_error(handle)) : word("out of memory");

		if (why)
			throw new Refused(why);
		this.describe(JSON.parse(library.text(exports.web_describe(handle))));
		if (this.size > MOST)
			throw new Refused(word("this page shows at most %1 values, and this table has %2; the command makes it",
				MOST, this.size));
	}

	describe(d) {
		Object.assign(this, d, { title: word(d.title) });
		this.size = this.planes * this.rows * this.cols;
		this.pairs = d.col_axis.pairs ?? "none";
		this.apart = d.col_axis.apart ?? 0;
		this.wavelengths = by_column(this);
	}

	/* Read all values, as posenc writes them. */
	read() {
		this.all = values_of(this.bytes(), this.dtype);
	}

	check(status) {
		if (status < 0)
			throw new Refused(word("out of memory"));
	}

	/* A value of the chosen head as CSV has it. */
	text(row, col) {
		return this.cell(this.head * this.rows + row, col);
	}

	cell(row, col) {
		return this.library.text(this.library.exports.web_text(this.handle, row, col));
	}

	/* What posenc --raw writes. */
	bytes() {
		const { library, planes, rows, cols, dtype } = this, n = planes * rows;
		const size = n * cols * size_of(dtype);

		return library.with_room(size, (p) => {
			this.check(library.exports.web_bytes(this.handle, 0, n, p));
			return new Uint8Array(library.memory, p, size).slice();
		});
	}

	/* What posenc --csv writes; planes are separated by an empty line. */
	csv() {
		const lines = [];

		for (let i = 0; i < this.planes * this.rows; i++) {
			if (i && i % this.rows === 0)
				lines.push("");
			lines.push(Array.from({ length: this.cols }, (_, j) =>
				this.cell(i, j)).join());
		}
		return lines.join("\n") + "\n";
	}

	close() {
		this.library.exports.web_close(this.handle);
	}
}

/* The wavelengths of frequencies, for each column that has one. */
function by_column({ wavelengths, cols, pairs, apart }) {
	const columns = Array(cols).fill(null);

	if (!wavelengths || wavelengths.length === cols)
		return wavelengths;
	wavelengths.forEach((length, k) => {
		for (const c of pair_at(k, pairs, apart))
			columns[c] = length;
	});
	return columns;
}
