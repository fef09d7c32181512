/* slider.js: sliders of even steps, or of even ratios. */
const STEPS = 1000;

/* Places 0 to most of a slider, and the values there; whole: integers. */
export function slider_scale({ min, max, step = 1, log = false, whole = false }) {
	if (!log)
		return { most: Math.round((max - min) / step),
			place: (v) => Math.round((v - min) / step), value: (i) => min + i * step };
	const ratio = Math.log(max / min) / STEPS;

	const value = (i) => Number((min * Math.exp(i * ratio)).toPrecision(3));

	return { most: STEPS, place: (v) => Math.round(Math.log(v / min) / ratio),
		value: (i) => whole ? Math.round(value(i)) : value(i) };
}
