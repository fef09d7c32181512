/*
 * library.js: posenc's library as WebAssembly. src/web/ says what it exports.
 */
import { pair_at } from "./link.js";
import { Table, size_of } from "./table.js";

const MOST = 1 << 22, NO_FILE = 8;

/* What the library refuses, in its own words. */
export class Refused extends Error {}

/* Bytes of text in base64. */
export function bytes_of(base64) {
	const text = atob(base64.replace(/\s+/g, ""));
	const bytes = new Uint8Array(text.length);

	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return bytes;
}

/*
 * What the module imports: a copy of memory, and functions of WASI for files, which
 * it does not have.
 */
function imports_of(module, memory) {
	const known = { emscripten_memcpy_big: (to, from, n) => {
		new Uint8Array(memory().buffer).copyWithin(Number(to), Number(from),
			Number(from) + Number(n));
		return to;
	} };
	const imports = {};

	for (const { module: from, name } of WebAssembly.Module.imports(module))
		(imports[from] ??= {})[name] = known[name] ?? (() => NO_FILE);
	return imports;
}

/* Addresses and sizes are BigInt; the memory is smaller than 2^32 bytes. */
export class Library {
	static async load(base64) {
		const module = await WebAssembly.compile(bytes_of(base64));
		const instance = await WebAssembly.instantiate(module,
			imports_of(module, () => instance.exports.memory));

		return new Library(instance.exports);
	}

	constructor(exports) {
		this.exports = exports;
		exports._initialize?.();
	}

	get memory() {
		return this.exports.memory.buffer;
	}

	text(pointer) {
		const bytes = new Uint8Array(this.memory, Number(pointer));

		return pointer ? new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)))
			: null;
	}

	/* Call use(pointer) with room for n bytes. */
	with_room(n, use) {
		const pointer = this.exports.malloc(BigInt(n));

		if (!pointer)
			throw new Refused("out of memory");
		try {
			return use(pointer);
		} finally {
			this.exports.free(pointer);
		}
	}

	with_text(text, use) {
		const bytes = new TextEncoder().encode(text + "\0");

		return this.with_room(bytes.length, (pointer) => {
			new Uint8Array(this.memory).set(bytes, Number(pointer));
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
		const why = handle ? library.text(exports.web_error(handle)) : "out of memory";

		if (why)
			throw new Refused(why);
		this.describe(JSON.parse(library.text(exports.web_describe(handle))));
		if (this.size > MOST)
			throw new Refused(`this page shows at most ${MOST} values, and this table has ${this.size}; the command makes it`);
	}

	describe(d) {
		Object.assign(this, d);
		this.size = this.planes * this.rows * this.cols;
		this.pairs = d.col_axis.pairs ?? "none";
		this.apart = d.col_axis.apart ?? 0;
		this.wavelengths = by_column(this);
	}

	/* Read all values, unrounded, into room of an earlier table if it fits. */
	read(room) {
		const { library, size, planes, rows } = this, bytes = size * 8;

		this.all = room?.length === size ? room : new Float64Array(size);
		library.with_room(bytes, (p) => {
			this.check(library.exports.web_rows(this.handle, 0n,
				BigInt(planes * rows), p));
			this.all.set(new Float64Array(library.memory, Number(p), size));
		});
	}

	check(status) {
		if (status < 0)
			throw new Refused("out of memory");
	}

	/* A value of the chosen head as CSV has it. */
	text(row, col) {
		return this.cell(this.head * this.rows + row, col);
	}

	cell(row, col) {
		return this.library.text(this.library.exports.web_text(this.handle,
			BigInt(row), BigInt(col)));
	}

	/* What posenc --raw writes. */
	bytes() {
		const { library, planes, rows, cols, dtype } = this, n = planes * rows;
		const size = n * cols * size_of(dtype);

		return library.with_room(size, (p) => {
			this.check(library.exports.web_bytes(this.handle, 0n, BigInt(n), p));
			return new Uint8Array(library.memory, Number(p), size).slice();
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
