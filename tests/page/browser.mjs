// browser.mjs: pages in a Chromium without a window, through its DevTools protocol.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync",
	"--remote-debugging-pipe"];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export class Browser {
	constructor(program) {
		this.profile = mkdtempSync(join(tmpdir(), "posenc-page-"));
		this.process = spawn(program, [...FLAGS, `--user-data-dir=${this.profile}`],
			{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
		this.answers = new Map();
		this.pages = [];
		this.rest = "";
		this.process.stdio[4].setEncoding("utf8").on("data", (text) => this.read(text));
	}

	/* Messages end with a NUL. */
	read(text) {
		const messages = (this.rest + text).split("\0");

		this.rest = messages.pop();
		for (const message of messages.map((m) => JSON.parse(m)))
			if (message.id)
				this.answers.get(message.id)(message);
			else
				this.pages.find((p) => p.sessionId === message.sessionId)?.note(message);
	}

	send(method, params = {}, sessionId = undefined) {
		const id = this.answers.size + 1;

		this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
		return new Promise((done, failed) => this.answers.set(id, (m) =>
			m.error ? failed(new Error(`${method}: ${m.error.message}`)) : done(m.result)));
	}

	/* A page as soon as it is ready. */
	async open(url, { width = 1280, height = 900, dark = false } = {}) {
		const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
		const { sessionId } = await this.send("Target.attachToTarget",
			{ targetId, flatten: true });
		const page = new Page(this, sessionId);

		this.pages.push(page);
		for (const domain of ["Runtime", "Log", "Page"])
			await page.send(`${domain}.enable`);
		await page.send("Emulation.setDeviceMetricsOverride",
			{ width, height, deviceScaleFactor: 1, mobile: false });
		await page.send("Emulation.setEmulatedMedia", { features: [
			{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
		await page.send("Page.navigate", { url });
		for (let i = 0; i < 400 && !await page.value("Boolean(window.posenc?.ready)"); i++)
			await sleep(25);
		await page.value("posenc.ready.then(() => 0)");
		return page;
	}

	async close() {
		const ended = new Promise((done) => this.process.once("exit", done));

		await this.send("Browser.close");
		await ended;
		rmSync(this.profile, { recursive: true, force: true, maxRetries: 9 });
	}
}

class Page {
	constructor(browser, sessionId) {
		Object.assign(this, { browser, sessionId, said: [] });
	}

	/* What a reader of the console would see. */
	note({ method, params }) {
		if (method === "Runtime.exceptionThrown")
			this.said.push(params.exceptionDetails.exception?.description ??
				params.exceptionDetails.text);
		if (method === "Runtime.consoleAPICalled")
			this.said.push(params.args.map((a) => a.value).join(" "));
		if (method === "Log.entryAdded")
			this.said.push(params.entry.text);
	}

	send(method, params) {
		return this.browser.send(method, params, this.sessionId);
	}

	/* The value of an expression of the page. */
	async value(expression) {
		const { result, exceptionDetails } = await this.send("Runtime.evaluate",
			{ expression, awaitPromise: true, returnByValue: true });

		if (exceptionDetails)
			throw new Error(exceptionDetails.exception?.description);
		return result.value;
	}

	text(selector) {
		return this.value(`document.querySelector(${JSON.stringify(selector)}).textContent`);
	}

	/* After the next animation frames. */
	async settle(ms = 60) {
		await this.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
		await sleep(ms);
	}

	async mouse(type, x, y, more = {}) {
		await this.send("Input.dispatchMouseEvent", { type, x, y, ...more });
		await this.settle();
	}

	async key(key) {
		for (const type of ["keyDown", "keyUp"])
			await this.send("Input.dispatchKeyEvent", { type, key });
		await this.settle(20);
	}

	/* Set a field as a reader does. */
	async set(selector, value, event = "input") {
		await this.value(`{ const e = document.querySelector(${JSON.stringify(selector)});
			e.value = ${JSON.stringify(value)};
			e.dispatchEvent(new Event("${event}", { bubbles: true })); }`);
		await this.settle();
	}
}
