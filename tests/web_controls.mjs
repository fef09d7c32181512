/*
 * The page of posenc explore in a browser without a network, its parameters set by its
 * controls, for tests: each line of standard input is a command, and a line of JSON
 * answers it. "recipes": encodings, with the options that have a control. "said": what
 * the console said. "open FILE": the tables of another page.
 * Usage: node web_controls.mjs CHROMIUM PAGE
 */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { Browser } from "./page/browser.mjs";

const [program, file] = process.argv.slice(2);
const browser = new Browser(program);
const page = await open(file);

async function open(path) {
	const opened = await browser.open(pathToFileURL(path).href);

	await opened.send("Network.enable");
	await opened.send("Network.emulateNetworkConditions", { offline: true, latency: 0,
		downloadThroughput: 0, uploadThroughput: 0 });
	return opened;
}

/* In the page: sets options as a reader does, and reads what is shown. */
function in_page({ scheme, options }) {
	const field = (name) => document.getElementById(`option-${name}`)?.closest(".field");
	const tell = (e, value, event) => {
		e.value = value;
		e.dispatchEvent(new Event(event, { bubbles: true }));
	};
	const numbers = (root) => [...root.querySelectorAll(".numbers input[type=text]")];

	function compound(root, value) {
		const colon = value.indexOf(":"), kinds = root.querySelector("select");
		const kind = colon < 0 ? value : value.slice(0, colon);

		if (kinds && ![...kinds.options].some((o) => o.value === kind))
			throw new Error("no such choice");
		if (kinds)
			tell(kinds, kind, "change");
		const texts = kinds ? colon < 0 ? [] : value.slice(colon + 1).split(",")
			: value.split("x");
		if (numbers(root).length !== texts.length)
			throw new Error("no control has so many numbers");
		texts.forEach((text, i) => tell(numbers(root)[i], text, "input"));
	}

	function set(name, value) {
		const root = field(name), e = root.querySelector("input, select");

		if (root.classList.contains("compounding"))
			compound(root, value);
		else if (e.type === "checkbox")
			e.click();
		else if (e.tagName !== "SELECT")
			tell(e, value, "input");
		else if ([...e.options].some((o) => o.value === value))
			tell(e, value, "change");
		else
			throw new Error("no such choice");
	}

	document.querySelector(`.schemes input[value="${scheme}"]`).click();
	options.forEach(([name, value]) => set(name, value));
}

function names_of(scheme) {
	document.querySelector(`.schemes input[value="${scheme}"]`).click();
	return [...document.querySelectorAll("#controls .field [id^=option-]")]
		.filter((e) => !e.id.endsWith("-note")).map((e) => e.id.slice("option-".length));
}

const call = (f, argument) => page.value(`(${f})(${JSON.stringify(argument)})`);

/* ["len", "9"], of words without quotes: "--len", "9". */
function options_of(words) {
	const options = [];

	for (const word of words)
		if (word.startsWith("--"))
			options.push([word.slice(2), ""]);
		else
			options.at(-1)[1] = word;
	return options;
}

/* Sets the command's options, beginning with those that begin says. */
async function answer({ begin, words }) {
	const [scheme, ...rest] = words;

	await page.value(`posenc.set(${JSON.stringify(begin)})`);
	try {
		await call(in_page, { scheme, options: options_of(rest) });
	} catch (error) {
		return { unset: error.message.split("\n")[0] };
	}
	await page.settle(0);
	const error = await page.value("posenc.error");

	if (error !== null)
		return { error };
	const [command, csv, bytes] = await page.value(`[posenc.command, posenc.csv(),
		btoa(Array.from(posenc.bytes(), (b) => String.fromCharCode(b)).join(""))]`);
	const cells = csv.trim().split(/[,\n]+/);

	return { command, bytes, first: cells[0], last: cells.at(-1), past: null };
}

async function tables(path) {
	const other = await open(path);
	const shown = await other.value(`posenc.tables.map(({ name, values }) =>
		({ name, values: [...values()].map(String) }))`);
	const elements = await other.value("document.querySelectorAll('script, img, iframe').length");

	return { shown, elements, said: other.said };
}

for await (const line of createInterface({ input: process.stdin })) {
	const asked = JSON.parse(line);
	const said = asked === "said" ? page.said :
		asked.scheme ? await call(names_of, asked.scheme) :
		asked.open ? await tables(asked.open) : await answer(asked);

	console.log(JSON.stringify(said));
}
await browser.close();
