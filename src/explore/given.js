/*
 * given.js: tables that were given on the command line, decoded from the page. They
 * show what they have: NaN, infinities, any shape.
 */
import { bytes_of } from "./library.js";
import { Table, size_of } from "./table.js";
import { short, minus } from "./numbers.js";

const READERS = {
	float64: (v, i) => v.getFloat64(i, true),
	float32: (v, i) => v.getFloat32(i, true),
	float16: (v, i) => half(v.getUint16(i, true)),
	bfloat16: (v, i) => bfloat(v.getUint16(i, true)),
	int64: (v, i) => Number(v.getBigInt64(i, true)),
	uint64: (v, i) => Number(v.getBigUint64(i, true)),
	int32: (v, i) => v.getInt32(i, true),
	uint32: (v, i) => v.getUint32(i, true),
	int16: (v, i) => v.getInt16(i, true),
	uint16: (v, i) => v.getUint16(i, true),
	int8: (v, i) => v.getInt8(i),
	uint8: (v, i) => v.getUint8(i),
	bool: (v, i) => v.getUint8(i),
};

function half(bits) {
	const sign = bits & 0x8000 ? -1 : 1;
	const exponent = bits >> 10 & 31, fraction = bits & 1023;

	if (exponent === 31)
		return fraction ? NaN : sign * Infinity;
	return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25)
		: fraction * 2 ** -24);
}

function bfloat(bits) {
	const view = new DataView(new ArrayBuffer(4));

	view.setUint32(0, bits << 16 >>> 0);
	return view.getFloat32(0);
}

function decoded(base64, dtype) {
	const bytes = bytes_of(base64), view = new DataView(bytes.buffer);
	const size = size_of(dtype), read = READERS[dtype];

	if (!read)
		throw new Error(`values of ${dtype} are not shown`);
	return Float64Array.from({ length: bytes.length / size }, (_, i) =>
		read(view, i * size));
}

const axis = (name) => ({ name, first: 0, step: 1 });

export class Given extends Table {
	constructor({ name, rows, cols, planes = 1, dtype, values }) {
		super();
		Object.assign(this, { name, title: name, rows, cols, planes, dtype });
		this.all = decoded(values, dtype);
		this.row_axis = axis("row");
		this.col_axis = axis("column");
		this.plane_axis = planes > 1 ? axis("plane") : null;
		this.wavelengths = this.bounds = this.value = null;
		this.halves = "alike";
		this.pair("none");
		this.fine = true;
		this.select(0);
	}

	/* How its columns form pairs: none, adjacent or split. */
	pair(pairs) {
		this.pairs = pairs;
		this.apart = { none: 0, adjacent: 1, split: this.cols >> 1 }[pairs];
	}

	/* A value with the digits that tell it from its neighbours. */
	text(row, col) {
		const x = this.values[row * this.cols + col];
		const digits = { float32: 9, bfloat16: 5, float16: 6 }[this.dtype] ?? 17;

		if (this.integers || Object.is(x, -0))
			return minus(Object.is(x, -0) ? "-0" : String(x));
		return short(x, digits);
	}
}
