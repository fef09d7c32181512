/* compound.js: a control for a kind and its numbers, "yarn:4,64" or "12x12". */
import { html, listen } from "./dom.js";
import { slider_scale } from "./slider.js";
import { word } from "./words.js";

export class Compound {
	/* form: a row of compound in schemes.js; change(text). */
	constructor(form, change) {
		this.form = form;
		this.change = change;
		this.numbers = html("div", { class: "numbers" });
		this.kinds = html("select", {}, ...Object.keys(form.kinds).map((kind) =>
			html("option", { value: kind }, kind || word("none"))));
		listen(this.kinds, "change", () => this.pick(this.kinds.value));
		this.parts = form.kinds[""]?.length ? [this.numbers] : [this.kinds, this.numbers];
	}

	/* Another kind, with its first numbers, or those of the same name. */
	pick(kind) {
		const kept = new Map(this.fields(this.kind).map(([name], i) =>
			[name, this.inputs[i][0].value.trim()]));

		this.change(this.text(kind, this.fields(kind)
			.map(([name, first]) => kept.get(name) ?? first)));
	}

	/* None of a kind that has no control of its own, from a link. */
	fields(kind) {
		return this.form.kinds[kind] ?? [];
	}

	text(kind, numbers) {
		const after = kind && numbers.length ? this.form.after : "";

		return kind + after + numbers.join(this.form.between);
	}

	/* The kind and the numbers of a text. */
	read(text) {
		const { after, between } = this.form;
		const at = after ? text.indexOf(after) : -1;
		const kind = after ? text.slice(0, at < 0 ? text.length : at) : "";
		const rest = after ? at < 0 ? "" : text.slice(at + 1) : text;

		return { kind, numbers: rest ? rest.split(between) : [] };
	}

	display(text) {
		const { kind, numbers } = this.read(text);

		if (![...this.kinds.options].some((o) => o.value === kind))
			this.kinds.append(html("option", { value: kind }, kind));
		this.kinds.value = kind;
		if (kind !== this.kind)
			this.build(kind, this.fields(kind));
		this.inputs.forEach(([number, range], i) => {
			if (document.activeElement !== number)
				number.value = numbers[i] ?? "";
			range.value = this.scales[i].place(Number(numbers[i]));
			range.setAttribute("aria-valuetext", numbers[i] ?? "");
		});
		this.rest = numbers.slice(this.inputs.length);
	}

	build(kind, fields) {
		this.kind = kind;
		this.scales = fields.map(([, , min, max, log]) => slider_scale({ min, max, log, whole: true }));
		this.inputs = fields.map(([name], i) => [
			html("input", { type: "text", inputmode: "decimal", "aria-label": word(name) }),
			html("input", { type: "range", min: 0, max: this.scales[i].most,
				"aria-label": word("%1, slider", word(name)) }),
		]);
		this.inputs.forEach(([number, range], i) => {
			listen(number, "input", () => this.changed(i, number.value));
			listen(range, "input", () => this.changed(i,
				String(this.scales[i].value(Number(range.value)))));
		});
		this.numbers.replaceChildren(...fields.flatMap(([name], i) =>
			[html("span", {}, word(name)), this.inputs[i][1], this.inputs[i][0]]));
	}

	changed(index, value) {
		const numbers = this.inputs.map(([number], i) =>
			i === index ? value.trim() : number.value.trim());

		this.change(this.text(this.kind, [...numbers, ...this.rest]));
	}
}
