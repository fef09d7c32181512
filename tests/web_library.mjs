/*
 * The module of make web under node, for tests: each line of standard input is a
 * command, and a line of JSON answers it.
 * Usage: node web_library.mjs posenc.wasm
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const web = instance.exports;
const view = (at, n) => Buffer.from(web.memory.buffer, at, n);

/* The text at an address, or null. */
function text(at) {
	return at ? view(at, view(at).indexOf(0)).toString() : null;
}

function room(n, use) {
	const at = web.malloc(n);

	try {
		return use(at);
	} finally {
		web.free(at);
	}
}

function open(command) {
	const bytes = Buffer.from(command + "\0");

	return room(bytes.length, (at) => {
		bytes.copy(view(at, bytes.length));
		return web.web_open(at);
	});
}

/* Rows in base64, by one of two functions, of so many bytes. */
function rows(give, handle, n, bytes) {
	return room(bytes, (at) => give(handle, 0, n, at)
		? null : view(at, bytes).toString("base64"));
}

function answer(command) {
	const handle = open(command), error = text(web.web_error(handle));

	try {
		if (error !== null)
			return { error };
		const d = JSON.parse(text(web.web_describe(handle)));
		const n = d.planes * d.rows, values = n * d.cols;
		const size = Number(d.dtype.match(/\d+/)[0]) / 8;
		const last = [n - 1, d.cols - 1];

		return { ...d, bytes: rows(web.web_bytes, handle, n, values * size),
			doubles: rows(web.web_rows, handle, n, values * 8),
			first: text(web.web_text(handle, 0, 0)),
			last: text(web.web_text(handle, ...last)),
			past: text(web.web_text(handle, n, 0)) };
	} finally {
		web.web_close(handle);
	}
}

function recipes() {
	const at = web.web_recipes(), all = JSON.parse(text(at));

	web.free(at);
	return all;
}

for await (const line of createInterface({ input: process.stdin }))
	console.log(JSON.stringify(line === "recipes" ? recipes() : answer(line)));
