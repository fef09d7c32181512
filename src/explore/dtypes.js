/* dtypes.js: values of the library's number formats, and the text of base64. */

const ARRAYS = {
	float64: Float64Array, float32: Float32Array,
	int32: Int32Array, uint32: Uint32Array, int16: Int16Array, uint16: Uint16Array,
	int8: Int8Array, uint8: Uint8Array, bool: Uint8Array,
};

/* Those that JavaScript has no arrays of numbers for. */
const READERS = {
	float16: (view, i) => half(view.getUint16(2 * i, true)),
	bfloat16: (view, i) => upper_half(view.getUint16(2 * i, true)),
	int64: (view, i) => Number(view.getBigInt64(8 * i, true)),
	uint64: (view, i) => Number(view.getBigUint64(8 * i, true)),
};

function half(bits) {
	const sign = bits & 0x8000 ? -1 : 1;
	const exponent = bits >> 10 & 31, fraction = bits & 1023;

	if (exponent === 31)
		return fraction ? NaN : sign * Infinity;
	return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25)
		: fraction * 2 ** -24);
}

/* A bfloat16 is the upper half of a float32. */
function upper_half(bits) {
	return new Float32Array(Uint32Array.of(bits << 16 >>> 0).buffer)[0];
}

/* The bytes of a value. */
export function size_of(dtype) {
	const bits = /\d+$/.exec(dtype);

	return bits ? Number(bits[0]) / 8 : 1;
}

/* The values in bytes, a Uint8Array that begins its buffer. */
export function values_of(bytes, dtype) {
	const size = size_of(dtype), view = new DataView(bytes.buffer);

	if (ARRAYS[dtype])
		return new ARRAYS[dtype](bytes.buffer);
	if (!READERS[dtype])
		throw new Error(`values of ${dtype} are not shown`);
	return Float64Array.from({ length: bytes.length / size }, (_, i) =>
		READERS[dtype](view, i));
}

/* The bytes of text in base64. */
export function bytes_of(base64) {
	const text = atob(base64.replace(/\s+/g, ""));
	const bytes = new Uint8Array(text.length);

	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return bytes;
}
