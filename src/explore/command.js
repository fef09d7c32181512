/*
 * command.js: a command as text, "rope --dim 64 --pairs half", and as words. Words
 * are quoted as a shell reads them.
 */

/* The words of text. */
export function words_of(text) {
	const words = [];
	const word = /\s*((?:'[^']*'?|"(?:\\.|[^"\\])*"?|\\.|[^\s'"\\])+)/gy;

	for (let m; (m = word.exec(text)); )
		words.push(unquote(m[1]));
	return words;
}

function unquote(word) {
	return word.replace(/'([^']*)'?|"((?:\\.|[^"\\])*)"?|\\(.)/g,
		(all, single, double, one) =>
			single ?? double?.replace(/\\(.)/g, "$1") ?? one);
}

function quote(word) {
	return /^[\w@%+=:,./-]+$/.test(word) ? word
		: "'" + word.replaceAll("'", "'\\''") + "'";
}

export function text_of(words) {
	return words.map(quote).join(" ");
}

/*
 * The options of words: a map from names without "--" to values, true for a
 * flag. Words that name no option come back as rest.
 */
export function options_of(words, is_flag) {
	const options = new Map();
	const rest = [];

	for (let i = 0; i < words.length; i++) {
		const m = /^--([a-z][\w-]*)(?:=(.*))?$/s.exec(words[i]);

		if (!m)
			rest.push(words[i]);
		else if (m[2] !== undefined || is_flag(m[1]))
			options.set(m[1], m[2] ?? true);
		else
			options.set(m[1], words[++i] ?? "");
	}
	return { options, rest };
}

/* The words of options; a value that could be taken for an option is joined. */
export function words_of_options(options) {
	const words = [];

	for (const [name, value] of options)
		if (value === true)
			words.push(`--${name}`);
		else if (value.startsWith("-") || value === "")
			words.push(`--${name}=${value}`);
		else
			words.push(`--${name}`, value);
	return words;
}

/* Between the command of a table and that of a view of it. */
export const PIPE = " | ";

/* A command as a shell takes it. */
export function shell_of(command) {
	return "posenc " + command.split(PIPE).map((part, i) =>
		i ? part.replace(/^\S+/, "$& -") : part).join(" --npy - | posenc ");
}

/* A command in a link: blanks are plus signs, so that it can be read. */
export function to_hash(command) {
	return "#" + encodeURIComponent(command).replaceAll("%20", "+")
		.replaceAll("%2C", ",").replaceAll("%3A", ":");
}

/* The command of a link, or "" if there is none. */
export function from_hash(hash) {
	try {
		return decodeURIComponent(hash.slice(1).replaceAll("+", " "));
	} catch {
		return "";
	}
}
