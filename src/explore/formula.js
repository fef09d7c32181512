/*
 * formula.js: the formula of one value, with its numbers. A formula is shown only if
 * it gives the value, and those of other rows of its column: where options change
 * values in ways unknown here there is none.
 */
import { label_of, value_of } from "./plot.js";
import { schemes } from "./schemes.js";
import { short, minus, spread } from "./numbers.js";
import { word } from "./words.js";

const AGREES = 1e-4, PROBES = 9;

/* Of a cell: candidates [text, value], as many for each cell; undefined: none. */
const WRITERS = { sinusoid, rope, alibi, naive, relative, "t5-bucket": t5 };

/* The formula as text, or ""; one that ends with a colon is not an equation. */
export function formula(table, state, row, col) {
	/* Other tables of schemes of queries and keys have no formula here */
	const writer = table.relation === Boolean(schemes[state.scheme].relation) &&
		WRITERS[state.scheme];
	const candidates = (i) => writer(cell_of(table, state, i, col));

	if (!writer)
		return "";
	const probes = spread(table.rows, PROBES).map((i) =>
		[candidates(i), table.values[i * table.cols + col]]);
	const found = candidates(row).find((c, k) => c &&
		agrees(c[1], table.values[row * table.cols + col]) &&
		probes.every(([other, x]) => other[k] && agrees(other[k][1], x)));

	return found ? minus(found[0]) : "";
}

const agrees = (value, x) => value === x || Math.abs(value - x) <= AGREES;

function cell_of(table, state, row, col) {
	return { table, row, col, p: value_of(table.row_axis, row),
		x: table.values[row * table.cols + col],
		label: label_of(table.row_axis, row),
		option: (name) => state.value(name),
		number: (name) => Number(state.value(name)) };
}

/* sin and cos of the position over base^(k / divisor). */
function sinusoid(cell) {
	const { table, col, option, number } = cell;
	const dim = number("dim"), half = dim >> 1;
	const divisor = { dim: dim / 2, half, "half-1": half - 1,
		t2t: Math.max(half - 1, 1) }[option("denom")];

	return waves(cell, number("base"), frequency_of(table, col), divisor);
}

function rope(cell) {
	const { table, col, option, number } = cell, out = option("out");
	const half = (number("rotary-dim") || number("dim")) / 2;
	const k = frequency_of(table, col) % half;

	return out === "angles"
		? [[`${cell.label} / ${power(number("base"), k, half)}`,
			cell.p / number("base") ** (k / half)]]
		: waves(cell, number("base"), k, half);
}

/* Which frequency a column has. */
function frequency_of({ pairs, apart }, col) {
	return pairs === "split" ? col % (apart || Infinity) : apart ? col >> 1 : col;
}

/* Exponents are as in the paper, over the number of columns. */
function power(base, k, divisor) {
	return k === 0 ? "1" : `${short(base)}^(${2 * k}/${short(2 * divisor)})`;
}

/* By base and exponent; failing that, by the wavelength that the library knows. */
function waves({ p, label, table, col }, base, k, divisor) {
	const functions = [["sin", Math.sin], ["cos", Math.cos]];
	const length = table.wavelengths?.[col];

	return [...functions.map(([name, f]) =>
		[`${name}(${label} / ${power(base, k, divisor)})`,
			f(p / base ** (k / divisor))]),
	...functions.map(([name, f]) => length &&
		[`${name}(2π · ${label} / ${short(length, 6)})`,
			f(2 * Math.PI * p / length)])];
}

function alibi({ table, row, col, option, number }) {
	const slope = number("bias-max") * (table.head + 1) / table.planes;
	const form = option("form") ?? "symmetric", later = col > row;

	if (later && form !== "symmetric")
		return [form === "masked" ? [word("a key after the query:"), -Infinity]
			: [word("a key after the query:"), 0]];
	return [[`−2^(−${short(slope)}) · |${row} − ${col}|`,
		-(2 ** -slope) * Math.abs(row - col)]];
}

function naive({ p, label, table, col, option }) {
	const bit = option("bits") === "lsb" ? col : table.cols - 1 - col, n = table.rows;

	return [{
		integer: [word("the position itself:"), p],
		binary: [word("bit %1 of %2", bit, label), Math.floor(p / 2 ** bit) % 2],
		normalized: option("norm") === "n-1" ? [`${label} / (${n} − 1)`, p / (n - 1)]
			: [`${label} / ${n}`, p / n],
		onehot: [word(p === col ? "column %1, position %2:" : "column %1, not %2:",
			col, label), Number(p === col)],
	}[option("kind")]];
}

function relative({ x, row, col, option, number }) {
	const [a, b] = option("sign") === "query-key" ? [row, col] : [col, row];
	const clip = number("clip") || Infinity, d = a - b;
	const clipped = Math.min(Math.max(d, -clip), clip);
	const text = d === clipped ? `${a} − ${b}`
		: word("%1, clipped to ±%2", `${a} − ${b}`, clip);

	return [[text, clipped], [`${text}, + ${clip}`, clipped + clip]];
}

function t5({ x, row, col, option, number }) {
	const past = number("past"), d = Math.abs(col - row - past), after = col > row + past;
	const causal = option("causal") === true;
	const buckets = number("num-buckets") / (causal ? 1 : 2);
	const from = after && !causal ? buckets : 0;
	const where = word(d === 0 ? "at the query" : after ? "%1 after the query"
		: "%1 before the query", d);

	if (after && causal)
		return [[word("%1, never seen:", where), 0]];
	return d < buckets / 2
		? [[word("%1, in its own bucket:", where) + (from ? ` ${d} + ${from}` : ""), d + from]]
		: [[word("%1, in a shared bucket:", where), x]];
}
