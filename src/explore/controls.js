/*
 * controls.js: a control for each option of the scheme: a slider with a number, a
 * list of words, a box to tick, or text. What the library refuses is said beside the
 * control that it names.
 */
import { schemes, sliders, compound, left_out, hints } from "./schemes.js";
import { html, listen } from "./dom.js";
import { Compound } from "./compound.js";
import { slider_scale } from "./slider.js";
import { word } from "./words.js";

export class Controls {
	constructor(root, state) {
		this.root = root;
		this.state = state;
		root.addEventListener("submit", (e) => e.preventDefault());
		this.picker = scheme_picker(state);
		this.first = html("div", { class: "fields" });
		this.more = html("div", { class: "fields" });
		this.rest = html("details", {},
			html("summary", {}, word("More options")), this.more);
		root.append(this.picker, this.first, this.rest);
		state.subscribe(() => this.refresh());
		this.refresh();
	}

	refresh() {
		const { scheme, host } = this.state;

		if (this.shown !== [scheme, host].join())
			this.build();
		for (const [name, field] of this.fields)
			field.refresh(this.state.value(name));
	}

	build() {
		const { state } = this, { first } = schemes[state.scheme];
		const names = state.listed.map((o) => o.name);
		const shown = (name) => name === "preset" ? state.recipe.presets?.length
			: names.includes(name);
		const rest = names.filter((name) => !first.includes(name) && name !== "preset" &&
			!left_out.includes(name) && !is_alias(state.option(name)));

		const focused = document.activeElement?.id;

		this.shown = [state.scheme, state.host].join();
		this.fields = new Map();
		this.first.replaceChildren(...first.filter(shown).map((n) => this.field(n)));
		this.more.replaceChildren(...rest.map((n) => this.field(n)));
		this.picker.querySelectorAll("input").forEach((input) => {
			input.checked = input.value === state.scheme;
		});
		/* The control that was changed is made anew, and is still where keys go */
		if (focused?.startsWith("option-"))
			document.getElementById(focused)?.focus();
	}

	field(name) {
		const option = this.state.option(name) ?? { name, type: "preset" };
		const field = new Field(option, this.state, `option-${name}`);

		this.fields.set(name, field);
		return field.root;
	}

	/* Say what the library refuses, null: nothing; false: no control here. */
	refuse(sentence) {
		const named = sentence && [...sentence.matchAll(/--([a-z][\w-]*)/g)]
			.map((m) => m[1]).find((name) => this.fields.has(name));

		for (const [name, field] of this.fields)
			field.refuse(name === named ? sentence : "");
		if (named && this.rest.contains(this.fields.get(named).root))
			this.rest.open = true;
		if (named && sentence !== this.sentence)
			this.fields.get(named).root.scrollIntoView({ block: "nearest" });
		this.sentence = sentence;
		return Boolean(named);
	}
}

/* Another name of an option that is shown. */
const is_alias = ({ help }) => /^same as --/.test(help);

function scheme_picker(state) {
	return html("fieldset", { class: "schemes" },
		html("legend", { class: "unseen" }, word("scheme")),
		...state.schemes.map((name) => html("label", {},
			listen(html("input", { type: "radio", name: "scheme", value: name }),
			       "change", () => state.pick(name)),
			html("span", {}, word(schemes[name].label)))));
}

/* One option: its label, its control, and a line that explains or refuses. */
class Field {
	constructor(option, state, id) {
		this.change = (value) => state.set(option.name, value);
		this.parts = this.make(option, state);
		this.note = html("p", { class: "note", id: `${id}-note` });
		this.help = word(schemes[state.scheme].hints?.[option.name] ?? hints[option.name] ??
			(option.help ?? "").replace(/ \(default: .*/s, ""));
		this.parts[0].id = id;
		this.parts.forEach((p) => p.setAttribute("aria-describedby", this.note.id));
		this.root = html("div", { class: `field ${this.kind}` },
			html("label", { for: id, title: option.help ?? "" },
				html("code", {}, `--${option.name}`)),
			...this.parts, this.note);
		this.refuse("");
	}

	make({ name, type, choices }, state) {
		const form = schemes[state.scheme].compound?.[name] ?? compound[name];

		if (name === "preset")
			return this.preset(state);
		if (form)
			return this.compound(form);
		if (sliders[name])
			return this.slider(name);
		if (type === "choice" || (type === "pick" && choices))
			return this.choice(schemes[state.scheme].choices?.[name] ?? choices);
		return type === "flag" ? this.flag() : this.text(type);
	}

	/* The control shows value, unless somebody is typing there. */
	refresh(value) {
		const shown = value === undefined || value === null ? "" : String(value);

		if (shown !== this.shown)
			this.display(shown);
		this.shown = shown;
	}

	refuse(sentence) {
		this.note.textContent = sentence || this.help;
		this.note.classList.toggle("refused", Boolean(sentence));
		this.parts[0].setAttribute("aria-invalid", Boolean(sentence));
	}

	slider(name) {
		const scale = slider_scale(sliders[name]);
		const range = html("input", { type: "range", min: 0, max: scale.most, step: 1,
			"aria-label": word("%1, slider", name) });
		const number = html("input", { type: "text", inputmode: "decimal",
			spellcheck: "false" });

		this.kind = "sliding";
		this.display = (value) => {
			if (document.activeElement !== number || Number(number.value) !== Number(value))
				number.value = value;
			range.value = scale.place(Number(value));
			range.setAttribute("aria-valuetext", value);
		};
		listen(range, "input", () => this.change(String(scale.value(Number(range.value)))));
		listen(number, "input", () => this.change(number.value.trim()));
		return [number, range];
	}

	choice(choices) {
		const select = html("select", {}, ...choices.map((c) =>
			html("option", { value: c }, c)));

		this.kind = "choosing";
		this.display = (value) => {
			if (![...select.options].some((o) => o.value === value))
				select.append(html("option", { value }, value || word("(default)")));
			select.value = value;
		};
		return [listen(select, "change", () => this.change(select.value))];
	}

	preset(state) {
		const select = html("select", {}, html("option", { value: "" }, word("none")),
			...state.recipe.presets.map((p) => html("option",
				{ value: p.name, title: p.source ?? "" }, p.name)));

		this.kind = "choosing";
		this.display = (value) => {
			select.value = value;
		};
		return [listen(select, "change", () => this.change(select.value))];
	}

	flag() {
		const box = html("input", { type: "checkbox" });

		this.kind = "ticking";
		this.display = (value) => {
			box.checked = value === "true" || value === "on";
		};
		return [listen(box, "change", () => this.change(box.checked))];
	}

	text(type) {
		const input = html("input", { type: "text", spellcheck: "false",
			inputmode: /integer|real/.test(type) ? "decimal" : "text" });

		this.kind = "typing";
		this.display = (value) => {
			if (document.activeElement !== input)
				input.value = value;
		};
		return [listen(input, "input", () => this.change(input.value.trim()))];
	}

	/* A kind, and numbers after it: "yarn:4,64", or "12x12". */
	compound(form) {
		const editor = new Compound(form, this.change);

		this.kind = "compounding";
		this.display = (value) => editor.display(value);
		return editor.parts;
	}
}
