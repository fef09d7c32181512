/*
 * state.js: the parameters: a scheme, a preset and the options that differ from
 * their defaults. Who shows parameters subscribes; who changes them calls set().
 */
import { words_of, text_of, options_of, words_of_options } from "./command.js";
import { schemes } from "./schemes.js";

export class State {
	/* recipes: as the library describes them. */
	constructor(recipes) {
		this.recipes = new Map(recipes.map((r) => [r.name, r]));
		this.listeners = [];
		this.earlier = new Map();
		this.pick("sinusoid");
	}

	subscribe(listener) {
		this.listeners.push(listener);
	}

	/* The names of those that are shown. */
	get schemes() {
		return Object.keys(schemes).filter((name) => this.recipes.get(name)?.start);
	}

	/* The options that a scheme begins with. */
	start_of(scheme) {
		return { ...this.recipes.get(scheme).start, ...schemes[scheme].start };
	}

	get recipe() {
		return this.recipes.get(this.scheme);
	}

	option(name) {
		return this.recipe.options.find((o) => o.name === name);
	}

	is_flag(name) {
		return this.option(name)?.type === "flag";
	}

	get preset() {
		const name = this.options.get("preset");

		return this.recipe.presets?.find((p) => p.name === name);
	}

	/* What the preset sets. */
	get of_preset() {
		return this.preset ? this.read(words_of(this.preset.options)) : new Map();
	}

	read(words) {
		return options_of(words, (name) => this.is_flag(name)).options;
	}

	/* The value that an option has without being given; undefined: none. */
	initial(name) {
		return this.of_preset.get(name) ?? this.option(name)?.default ??
			undefined;
	}

	value(name) {
		return this.options.get(name) ?? this.initial(name);
	}

	/* The image whose cells are the rows, or null. */
	get cells() {
		const m = /^(\d+)x(\d+)$/.exec(this.value("grid") ?? "");

		return m && { height: Number(m[1]), width: Number(m[2]) };
	}

	/* The command, with options in the order of the recipe. */
	get words() {
		const all = this.recipe.options.map((o) => o.name);
		const known = new Map();

		for (const name of ["preset", ...all, ...this.options.keys()])
			if (this.options.has(name))
				known.set(name, this.options.get(name));
		return [this.scheme, ...words_of_options(known)];
	}

	get command() {
		return text_of(this.words);
	}

	/* That of the scheme as it begins. */
	get first_command() {
		return text_of([this.scheme,
			...words_of_options(Object.entries(this.start_of(this.scheme)))]);
	}

	/* Take the parameters of a command; false: of a scheme not shown here. */
	take(command) {
		const words = words_of(command);

		if (!this.schemes.includes(words[0]))
			return false;
		this.scheme = words[0];
		this.options = this.read(words.slice(1));
		/* An option before --preset is overridden by what that sets. */
		for (const name of [...this.options.keys()]) {
			if (name === "preset")
				break;
			if (this.of_preset.has(name))
				this.options.delete(name);
		}
		this.tell();
		return true;
	}

	/* Another scheme, as it was left; the length and the width stay. */
	pick(scheme) {
		const kept = this.options;

		if (kept)
			this.earlier.set(this.scheme, kept);
		this.scheme = scheme;
		this.options = new Map(this.earlier.get(scheme) ??
				       Object.entries(this.start_of(scheme)));
		for (const name of ["len", "dim"])
			if (kept?.has(name) && this.options.has(name))
				this.options.set(name, kept.get(name));
		this.tell();
	}

	set(name, value) {
		if (name === "preset")
			this.clear_conventions();
		if (value === undefined || value === false || value === "" ||
		    (value === this.initial(name) && !this.start_of(this.scheme)[name]))
			this.options.delete(name);
		else
			this.options.set(name, value);
		this.tell();
	}

	/* A preset begins with its own conventions; extents stay as they are. */
	clear_conventions() {
		const kept = this.start_of(this.scheme);

		for (const name of [...this.options.keys()])
			if (!(name in kept))
				this.options.delete(name);
	}

	tell() {
		for (const listener of this.listeners)
			listener(this);
	}
}
