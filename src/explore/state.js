/*
 * state.js: the parameters: a scheme, a preset and the options that differ from
 * their defaults. Who shows parameters subscribes; who changes them calls set().
 */
import { words_of, text_of, options_of, words_of_options, PIPE } from "./command.js";
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
		return Object.keys(schemes).filter((name) => this.recipes.has(name) &&
			(schemes[name].of || this.recipes.get(name).start));
	}

	/* The options that a scheme begins with. */
	start_of(scheme) {
		return { ...this.recipes.get(scheme).start, ...schemes[scheme].start };
	}

	get recipe() {
		return this.recipes.get(this.scheme);
	}

	/* Whose options a view takes, too, is the choice of one of its own. */
	get host() {
		return this.options?.get(schemes[this.scheme].host);
	}

	/* The options of the table that a view works on, its own, and those of its guest. */
	get listed() {
		const { of } = schemes[this.scheme], { options, guests } = this.recipe;
		const before = of ? this.recipes.get(of.command).options
			.filter((o) => of.options.includes(o.name)) : [];

		return [...before, ...options, ...guests?.[this.host] ?? []];
	}

	option(name) {
		const named = (o) => o.name === name;

		return this.listed.find(named) ??
			Object.values(this.recipe.guests ?? {}).flat().find(named);
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
	get command() {
		const all = this.listed.map((o) => o.name);

		return this.command_of(["preset", ...all, ...this.options.keys()]
			.filter((name, i, names) => this.options.has(name) &&
				names.indexOf(name) === i)
			.map((name) => [name, this.options.get(name)]));
	}

	/* That of the scheme as it begins. */
	get first_command() {
		return this.command_of(Object.entries(this.start_of(this.scheme)));
	}

	/* One with these options; of a view, after that of the table that it works on. */
	command_of(options) {
		const { of } = schemes[this.scheme];
		const part = (command, filter) =>
			text_of([command, ...words_of_options(options.filter(filter))]);
		const before = ([name]) => of?.options.includes(name);
		const own = part(this.scheme, (o) => !before(o));

		return of ? `${part(of.command, before)}${PIPE}${own}` : own;
	}

	/* Take the parameters of a command; false: of a scheme not shown here. */
	take(command) {
		const parts = command.split(PIPE).map(words_of), [scheme] = parts.at(-1);
		const of = schemes[scheme]?.of?.command;

		if (!this.schemes.includes(scheme) || parts.length !== (of ? 2 : 1) ||
		    (of && parts[0][0] !== of))
			return false;
		this.scheme = scheme;
		this.options = this.read(parts.flatMap((words) => words.slice(1)));
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
		const kept = this.options, sized = [this.scheme, scheme].every((s) => !schemes[s]?.of);

		if (kept)
			this.earlier.set(this.scheme, kept);
		this.scheme = scheme;
		this.options = new Map(this.earlier.get(scheme) ??
				       Object.entries(this.start_of(scheme)));
		for (const name of ["len", "dim"])
			if (sized && kept?.has(name) && this.options.has(name))
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
		if (name === schemes[this.scheme].host)
			this.clear_guests();
		this.tell();
	}

	/* What another guest took is not taken now. */
	clear_guests() {
		for (const name of [...this.options.keys()])
			if (!this.listed.some((o) => o.name === name))
				this.options.delete(name);
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
