/*
 * formula.js: the formula of one value, with its numbers. A formula is shown only if
 * it gives the value: what options change in ways unknown here has none.
 */
import { label_of, value_of } from "./plot.js";
import { short, minus } from "./numbers.js";

const AGREES = 1e-4;

const WRITERS = { sinusoid, rope, alibi, naive, relative, "t5-bucket": t5 };

/* The formula as text, or "". */
export function formula(table, state, row, col) {
	const writer = WRITERS[state.scheme];
	const cell = { table, row, col, x: table.values[row * table.cols + col],
		p: value_of(table.row_axis, row), label: label_of(table.row_axis, row),
		option: (name) => state.value(name),
		number: (name) => Number(state.value(name)) };
	const candidates = writer ? writer(cell) : [];
	const found = candidates.find(([, value]) => value === cell.x ||
		Math.abs(value - cell.x) <= AGREES);

	return found ? minus(found[0]) : "";
}

/* sin and cos of the position over base^(k / divisor), and of its own wavelength. */
function sinusoid(cell) {
	const { table, col, option, number } = cell;
	const k = pair_index(table, col), dim = number("dim"), half = dim >> 1;
	const divisor = { dim: dim / 2, half, "half-1": half - 1,
		t2t: Math.max(half - 1, 1) }[option("denom")];

	return waves(cell, number("base"), k, divisor);
}

function rope(cell) {
	const { table, col, number } = cell;
	const out = cell.option("out"), half = (number("rotary-dim") || number("dim")) / 2;
	const k = /full/.test(out) && !table.apart ? col % half : pair_index(table, col);

	return out === "angles" ? turned(cell, number("base"), k, half)
		: waves(cell, number("base"), k, half);
}

function pair_index({ pairs, apart }, col) {
	return pairs === "split" ? col % (apart || Infinity) : apart ? col >> 1 : col;
}

/* Exponents are as in the paper, over the number of columns. */
function power(base, k, divisor) {
	return k === 0 ? "1" : `${short(base)}^(${2 * k}/${short(2 * divisor)})`;
}

function turned({ p, label }, base, k, divisor) {
	return [[`${label} / ${power(base, k, divisor)}`, p / base ** (k / divisor)]];
}

function waves(cell, base, k, divisor) {
	const { p, label, table, col } = cell, found = [];

	for (const [name, f] of [["sin", Math.sin], ["cos", Math.cos]]) {
		found.push([`${name}(${label} / ${power(base, k, divisor)})`,
			f(p / base ** (k / divisor))]);
	}
	for (const [name, f] of [["sin", Math.sin], ["cos", Math.cos]])
		if (table.wavelengths?.[col])
			found.push([`${name}(2π · ${label} / ${short(table.wavelengths[col], 6)})`,
				f(2 * Math.PI * p / table.wavelengths[col])]);
	return found;
}

function alibi({ table, row, col, number }) {
	const slope = number("bias-max") * (table.head + 1) / table.planes;

	return [[`−2^(−${short(slope)}) · |${row} − ${col}|`,
		-(2 ** -slope) * Math.abs(row - col)], ["0: a key after the query", 0],
		["−inf: a key after the query", -Infinity]];
}

function naive({ p, label, table, row, col, option }) {
	const bit = option("bits") === "lsb" ? col : table.cols - 1 - col;
	const bits = [[`bit ${bit} of ${label}`, Math.floor(p / 2 ** bit) % 2]];
	const n = table.rows;

	return { binary: bits, integer: [[label, p]], normalized: {
		n: [[`${label} / ${n}`, p / n]],
		"n-1": [[`${label} / (${n} − 1)`, p / (n - 1)]],
	}[option("norm")] ?? [], onehot: [[p === col ? `column ${label} of ${label}` : `not column ${label}`,
		Number(p === col)]] }[option("kind")] ?? [];
}

function relative({ x, row, col, option, number }) {
	const [a, b] = option("sign") === "query-key" ? [row, col] : [col, row];
	const clip = number("clip"), d = a - b;

	if (!clip)
		return [[`${a} − ${b}`, d]];
	return Math.abs(d) > clip ? [[`${a} − ${b} = ${d}, clipped to ±${clip}`, x]]
		: [[`${a} − ${b}`, d], [`${a} − ${b} + ${clip}`, d + clip]];
}

function t5({ x, row, col, option, number }) {
	const d = Math.abs(col - row - number("past")), causal = option("causal") === true;
	const after = col > row + number("past");
	const buckets = number("num-buckets") / (causal ? 1 : 2);
	const from = after && !causal ? buckets : 0;
	const where = d === 0 ? "at the query" : `${d} ${after ? "after" : "before"} the query`;

	if (after && causal)
		return [[`${where}, never seen:`, 0]];
	return d < buckets / 2
		? [[`${where}, in its own bucket:${from ? ` ${d} + ${from}` : ""}`, d + from]]
		: [[`${where}, in a shared bucket:`, x]];
}
