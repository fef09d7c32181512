// units.mjs SUBJECT: laws of the modules of src/explore, which need no browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";

const from = new URL("../../src/explore/", import.meta.url);
const load = (name) => import(new URL(`${name}.js`, from));
const posenc = process.env.POSENC;
const run = (...words) => execFileSync(posenc, words, { maxBuffer: 1 << 28 });
const rows_of = (csv) => csv.toString().trim().split("\n").map((l) => l.split(",").map(Number));

/* A table as the views have it. */
async function table_of(words, more = {}) {
	const { Table } = await load("table");
	const rows = rows_of(run(...words)), axis = (name) => ({ name, first: 0, step: 1 });

	return Object.assign(new Table(), { planes: 1, rows: rows.length, cols: rows[0].length,
		all: Float32Array.from(rows.flat()), dtype: "float32", bounds: null,
		row_axis: axis("position"), col_axis: axis("dimension"),
		pairs: "none", apart: 0, ...more, head: 0,
		get values() { return this.all; } });
}

const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a}, not ${b}`);

const subjects = {
	async words() {
		const { words_of, text_of, to_hash, from_hash } = await load("command");

		for (const [text, words] of [
			["rope --dim 64", ["rope", "--dim", "64"]],
			["  a  'b c' \"d e\" f\\ g ", ["a", "b c", "d e", "f g"]],
			["''x", ["x"]], ["a'b'\"c\"", ["abc"]], ["", []], ["'open", ["open"]],
		])
			assert.deepEqual(words_of(text), words);
		for (const words of [["a b", "c'd", "--x=<&>", "한글", "+", "100%"]]) {
			assert.deepEqual(words_of(text_of(words)), words);
			assert.deepEqual(words_of(from_hash(to_hash(text_of(words)))), words);
		}
		assert.equal(to_hash("rope --dim 64"), "#rope+--dim+64");
		assert.equal(from_hash("#%"), "");
	},

	async state() {
		const { State } = await load("state");
		const option = (name, type, value) => ({ name, type, default: value });
		const start = { len: "128", dim: "128" };
		const state = new State([{ name: "sinusoid", start, options: [
			option("preset", "preset"), option("len", "integer"), option("dim", "integer"),
			option("base", "real", "10000"), option("layout", "choice", "interleaved"),
			option("full-turns", "flag"),
		], presets: [{ name: "t2t", options: "--layout split --base 5" }] },
		{ name: "rope", start, options: [option("len", "integer"), option("dim", "integer")] },
		{ name: "shift", options: [] }, { name: "relative", start: { len: "32" }, options: [] }]);
		const set = (name, value, command) => {
			state.set(name, value);
			assert.equal(state.command, command);
		};

		assert.equal(state.command, "sinusoid --len 128 --dim 128");
		set("base", "500", "sinusoid --len 128 --dim 128 --base 500");
		set("base", "10000", "sinusoid --len 128 --dim 128");
		set("layout", "split", "sinusoid --len 128 --dim 128 --layout split");
		set("preset", "t2t", "sinusoid --preset t2t --len 128 --dim 128");
		assert.equal(state.value("layout"), "split");
		set("layout", "interleaved",
			"sinusoid --preset t2t --len 128 --dim 128 --layout interleaved");
		set("full-turns", true,
			"sinusoid --preset t2t --len 128 --dim 128 --layout interleaved --full-turns");
		set("len", "64", "sinusoid --preset t2t --len 64 --dim 128 --layout interleaved --full-turns");
		state.pick("rope");
		assert.equal(state.command, "rope --len 64 --dim 128");
		state.pick("sinusoid");
		assert.match(state.command, /--preset t2t --len 64/);
		/* What an option before --preset says is overridden. */
		assert.ok(state.take("sinusoid --base 7 --len 4 --preset t2t --dim=8"));
		assert.equal(state.command, "sinusoid --preset t2t --len 4 --dim 8");
		assert.equal(state.value("base"), "5");
		assert.ok(!state.take("identify x.npy") && !state.take(""));
		set("base", "-1", "sinusoid --preset t2t --len 4 --dim 8 --base=-1");
		assert.deepEqual(state.schemes, ["sinusoid", "rope", "relative"]);
		assert.ok(!state.take("shift --by 1"));
		assert.deepEqual(state.start_of("relative"), { len: "32", clip: "8" });
	},

	async numbers() {
		const { short, ticks, spread, finite_range } = await load("numbers");

		for (const [x, text] of [[0, "0"], [-1.5, "−1.5"], [6283.185307, "6283"],
			[1e-7, "1e−7"], [54410.3, "54410"], [NaN, "NaN"], [-Infinity, "−inf"],
			[1.2345e12, "1.235e12"], [0.1 + 0.2, "0.3"]])
			assert.equal(short(x), text);
		assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
		assert.deepEqual(ticks(-0.5, 7.5, 4, 1), [0, 2, 4, 6]);
		assert.deepEqual(ticks(3, 3, 4), [3]);
		assert.deepEqual(ticks(-Infinity, Infinity, 4), []);
		assert.deepEqual(spread(64, 6), [0, 13, 25, 38, 50, 63]);
		assert.deepEqual(spread(1, 6), [0]);
		assert.deepEqual(finite_range([NaN, 2, -Infinity, -3, Infinity]), [-3, 2]);
		assert.deepEqual(finite_range([NaN]), [0, 0]);
	},

	/* Values of every dtype, as posenc writes them. */
	async dtypes() {
		const { values_of, bytes_of, size_of } = await load("dtypes");
		const words = ["sinusoid", "--len", "9", "--dim", "6", "--amp", "1000"];

		const rounding = { float16: 2 ** -11, bfloat16: 2 ** -8 };

		for (const dtype of ["float64", "float32", "float16", "bfloat16", "int32", "int16", "int64"]) {
			const integers = dtype.startsWith("int");
			const command = integers ? ["relative", "--len", "9"] : words;
			const bytes = run(...command, "--dtype", dtype, "--raw", "-");
			const values = values_of(bytes_of(bytes.toString("base64")), dtype);
			const want = rows_of(run(...command, "--dtype", dtype)).flat();

			assert.equal(values.length, bytes.length / size_of(dtype));
			want.forEach((x, i) => near(values[i], x, Math.abs(x) * (rounding[dtype] ?? 1e-7)));
		}
		assert.deepEqual([...values_of(Uint8Array.of(0, 0x7c, 0, 0xfc, 1, 0x7c, 1, 0), "float16")],
			[Infinity, -Infinity, NaN, 2 ** -24]);
		assert.throws(() => values_of(new Uint8Array(4), "float8"), /float8 are not shown/);
	},

	/* As posenc similarity has them. */
	async cosines() {
		const { cosines, cosines_with, span_by_distance } = await load("cosines");
		const words = ["sinusoid", "--len", "40", "--dim", "14"];
		const file = `${process.env.WORK}/pe.npy`, table = await table_of(words);

		run(...words, "--npy", file);
		const want = rows_of(run("similarity", file, "--metric", "cosine")).flat();
		const { n, step, product } = cosines(table);

		assert.deepEqual([n, step], [40, 1]);
		want.forEach((x, i) => near(product[i], x, 1e-6));
		cosines_with(table, 7).forEach((x, i) => near(x, want[7 * 40 + i], 1e-6));
		assert.deepEqual(cosines_with(table, 7, 3, 10),
			cosines_with(table, 7).filter((_, i) => i % 10 === 3));
		for (const [lo, hi] of span_by_distance({ n, product }))
			near(lo, hi, 1e-5);
		/* A row of zeros is like none. */
		assert.ok(Number.isNaN(cosines({ rows: 1, cols: 2, values: [0, 0] }).product[0]));
		/* Wide tables are compared at some rows. */
		assert.equal(cosines({ rows: 1000, cols: 4000, values: new Float32Array(4e6) }).step, 46);
	},

	/* Formulas hold, or are not shown. */
	async curves() {
		const { path, steps, band } = await load("curve");
		const point = (i, v) => `${i} ${v}`;

		assert.equal(path([1, 2, NaN, 4], point), "M0 1L1 2M3 4");
		assert.equal(steps([1, Infinity, 3], point), "M-0.5 1L0.5 1M1.5 3L2.5 3");
		assert.equal(band([1, 3, 2, NaN, NaN, NaN, 5, 7], 4, point),
			     "M0 1L0 3L2 2L2 2M6 5L6 7");
	},

	async formulas() {
		const { formula } = await load("formula");
		const state = (scheme, values) => ({ scheme, value: (name) => values[name] });
		const wave = { base: "100", dim: "8", denom: "dim" };
		const table = await table_of(["sinusoid", "--len", "20", "--dim", "8", "--base", "100"],
			{ pairs: "adjacent", apart: 1 });

		assert.equal(formula(table, state("sinusoid", wave), 3, 4), "sin(3 / 100^(4/8))");
		assert.equal(formula(table, state("sinusoid", wave), 3, 5), "cos(3 / 100^(4/8))");
		assert.equal(formula(table, state("sinusoid", { ...wave, base: "90" }), 3, 4), "");
		/* At distance 0 any slope would do: other rows tell. */
		const alibi = await table_of(["alibi", "--heads", "3", "--len", "9"].concat("--rows", "0:9"));

		assert.equal(formula(alibi, state("alibi", { "bias-max": "8" }), 4, 4), "");
		assert.equal(formula(table, state("grid", {}), 3, 4), "");
	},

	/* The colours of figures, whose maps the library has. */
	async colors() {
		const { color_scale, paint, use_maps } = await load("colors");
		const ramp = Array.from({ length: 256 }, (_, i) => [i, i, i]);
		const scale = (range, more = {}) => color_scale({ range, ...more }, false);

		use_maps({ vik: ramp, berlin: ramp, viridis: ramp, blues: ramp });
		assert.deepEqual([scale([-1, 3]).lo, scale([-1, 3]).hi], [-3, 3]);
		assert.deepEqual([scale([2, 2]).levels, scale([0, 9], { integers: true }).levels], [1, 10]);
		const pixels = new Uint32Array(5);
		const missing = paint(scale([-1e308, 1e308]), [-1e308, 1e308, NaN, Infinity, -Infinity], pixels);

		assert.deepEqual(missing.map((m) => m.name), ["NaN", "inf", "−inf"]);
		assert.deepEqual([...pixels].map((p) => p.toString(16)),
			["ff000000", "ffffffff", "ffff00ff", "ffffe600", "ffc2bab8"]);
		assert.deepEqual(paint(scale([0, 1]), [0, 2, -2], new Uint32Array(3)), []);
	},

	async pairs() {
		const { pairs_of, pair_of } = await load("link");
		const split = { pairs: "split", cols: 6, apart: 3 };

		assert.deepEqual(pairs_of(split), [[0, 3], [1, 4], [2, 5]]);
		assert.deepEqual(pairs_of({ pairs: "adjacent", cols: 5, apart: 1 }), [[0, 1], [2, 3]]);
		assert.equal(pairs_of({ pairs: "none", cols: 5, apart: 0 }), null);
		assert.deepEqual(pair_of(split, 4), [1, 4]);
		assert.equal(pair_of({ pairs: "adjacent", cols: 5, apart: 1 }, 4), null);
	},
};

await subjects[process.argv[2]]();
