/* compound.js: a control for a kind and its numbers, "yarn:4,64" or "12x12". */
import { html, listen } from "./dom.js";
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

	/* Another kind, with its first numbers. */
	pick(kind) {
		this.change(this.text(kind, this.fields(kind).map((n) => n[1])));
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
		this.inputs.forEach((pair, i) => pair.forEach((input) => {
			if (document.activeElement !== input || input.type === "range")
				input.value = numbers[i] ?? "";
		}));
		this.rest = numbers.slice(this.inputs.length);
	}

	build(kind, fields) {
		this.kind = kind;
		this.inputs = fields.map(([name, , min, max]) => [
			html("input", { type: "text", inputmode: "decimal", "aria-label": word(name) }),
			html("input", { type: "range", min, max, "aria-label": word("%1, slider", word(name)) }),
		]);
		this.inputs.forEach((pair, i) => pair.forEach((input) =>
			listen(input, "input", () => this.changed(i, input.value))));
		this.numbers.replaceChildren(...fields.flatMap(([name], i) =>
			[html("span", {}, word(name)), this.inputs[i][1], this.inputs[i][0]]));
	}

	changed(index, value) {
		const numbers = this.inputs.map(([number], i) =>
			i === index ? value.trim() : number.value.trim());

		this.change(this.text(this.kind, [...numbers, ...this.rest]));
	}
}
