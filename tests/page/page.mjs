// page.mjs SUBJECT: what a reader of the page does and sees, in a browser. BROWSER is the
// program, PAGE the page, WORK a folder with pages that posenc explore wrote.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { Browser } from "./browser.mjs";

const { BROWSER, PAGE, POSENC, WORK } = process.env;
const run = (...words) => execFileSync(POSENC, words, { maxBuffer: 1 << 28 });
const address = (file, hash = "") => `file://${file}${hash}`;

const subjects = {
	/* Values, bytes and text are those of the command. */
	async values(browser) {
		const page = await browser.open(address(PAGE));

		assert.equal(await page.value("posenc.command"), "sinusoid --len 128 --dim 128");
		for (const command of ["sinusoid --len 40 --dim 64 --preset t2t",
			"rope --len 33 --dim 32 --scaling yarn:4,64", "t5-bucket --len 40",
			"relative --len 9 --clip 3", "alibi --len 4 --heads 3 --form masked",
			"naive --kind gray --len 10 --signed", "grid --grid 4x5 --dim 16",
			"rope --len 8 --dim 8 --out angles --start 100000",
			"rope --dim 64 --out freqs", "rope --dim 64 --len 99 --out decay",
			"t5-bucket --distances=-20:20", "alibi --heads 6",
			"sinusoid --positions 5,0,7 --dim 3", "naive --len 9 --start 3",
			"rope --preset flux --grid 4x6 --dim 128"]) {
			assert.ok(await page.value(`posenc.set("${command}")`));
			await page.settle();
			assert.equal(await page.value("posenc.error"), null);
			assert.equal(await page.value("posenc.csv()"),
				run(...command.split(" ")).toString());
			assert.deepEqual(await page.value("[...posenc.bytes()]"),
				[...run(...command.split(" "), "--raw", "-")]);
		}
		return page;
	},

	/* A link keeps the parameters; a wrong one is not followed, or shows why. */
	async link(browser) {
		const other = await browser.open(address(PAGE, "#nonsense%"));

		assert.equal(await other.text("#command"), "posenc sinusoid --len 128 --dim 128");
		assert.deepEqual(other.said, []);
		const refused = await browser.open(address(PAGE, "#rope+--len+10+--dim+3"));
		const place = (selector) => refused.value(`(({ top, bottom }) => ({ top, bottom }))(
			document.querySelector("${selector}").getBoundingClientRect())`);

		assert.match(await refused.text("#option-dim-note"), /^--dim must be even, got 3 /);
		assert.match(await refused.text(".shape"), /^128 × 128 values/);
		assert.match(await refused.text(".readout"), /^position 20dimension 16cos.* = −0\.4161/);
		assert.ok((await place("#option-dim-note")).bottom <= (await place("#option-base")).top);
		await refused.set("#option-dim", "6");
		assert.match(await refused.text(".shape"), /^10 × 6 values/);
		assert.deepEqual(refused.said, []);
		const page = await browser.open(address(PAGE, "#rope+--len+8+--dim+6"));

		assert.equal(await page.text("#command"), "posenc rope --len 8 --dim 6");
		await page.set("#option-len", "9");
		await page.settle(500);
		assert.equal(await page.value("location.hash"), "#rope+--len+9+--dim+6");
		return page;
	},

	/* Sliders, lists and presets change the command; refusals stand beside them. */
	async controls(browser) {
		const page = await browser.open(address(PAGE));
		const command = () => page.text("#command");

		await page.set("#option-base", "500");
		await page.set("#option-layout", "split", "change");
		assert.equal(await command(), "posenc sinusoid --len 128 --dim 128 --base 500 --layout split");
		await page.set("#option-preset", "whisper", "change");
		assert.equal(await command(), "posenc sinusoid --preset whisper --len 128 --dim 128");
		assert.equal(await page.value("document.querySelector('#option-layout').value"), "split");
		await page.set("#option-dim", "0");
		assert.equal(await page.text("#option-dim-note"),
			"--dim must be between 1 and 1048576, got 0");
		assert.equal(await page.value("document.querySelector('#option-dim').ariaInvalid"), "true");
		assert.match(await page.text(".shape"), /^128 × 128 /);
		await page.set("#option-dim", "8");
		assert.equal(await page.value("posenc.error"), null);
		assert.match(await page.text(".shape"), /^128 × 8 /);
		await page.set("#option-len", "9000000");
		assert.match(await page.text("#status"), /at most 4194304 values, and this table has 72000000/);
		for (const scheme of ["rope", "t5-bucket", "relative", "alibi", "naive", "grid"]) {
			await page.value(`document.querySelector("input[value='${scheme}']").click()`);
			await page.value("document.querySelector('#option-len') && 0");
			await page.settle();
			if (await page.value("posenc.error"))
				await page.set("#option-len", "16");
			assert.equal(await page.value("posenc.error"), null);
		}
		assert.equal(await page.value("document.querySelectorAll('.view:not([hidden])').length"), 3);
		/* Base is another name of temperature here; no formula, no equation. */
		assert.equal(await page.value("document.querySelector('#option-base')"), null);
		assert.match(await page.text(".readout"), /^cell 20dimension 16value 0\.\d+$/);
		assert.match(await page.text(".alike .titles"), /^with row 1, column 8$/);
		assert.match(await page.text(".alike .bar"), /^−1−0.*1Cosine$/);
		await page.value("document.querySelector('input[value=rope]').click()");
		await page.set("#option-scaling", "linear", "change");
		assert.match(await command(), /--scaling linear:4$/);
		await page.set(".numbers input[type=text]", "6");
		await page.set("#option-scaling", "yarn", "change");
		assert.match(await command(), /--scaling yarn:6,64$/);
		await page.set(".numbers input[aria-label='original length, slider']", "500");
		assert.match(await command(), /--scaling yarn:6,2050$/);
		return page;
	},

	/* Attention over words without a file: its values are those of both commands. */
	async attention(browser) {
		const page = await browser.open(address(PAGE, "#embed+--vocab+4"));
		const focus = () => page.value("document.activeElement.id");

		assert.match(await page.text("#command"), /^posenc sinusoid/);
		await page.value("document.querySelector('input[value=attend]').click()");
		await page.settle();
		assert.match(await page.text("#command"),
			/^posenc embed --vocab 6 .* --npy - \| posenc attend - --scheme none$/);
		await page.set("#option-heads", "2");
		await page.value("document.querySelector('#option-scheme').focus()");
		await page.set("#option-scheme", "alibi", "change");
		await page.set("#option-bias-max", "4");
		await page.set("#option-mask", "causal", "change");
		assert.equal(await page.value("posenc.error"), null);
		assert.equal(await focus(), "option-scheme");
		const command = await page.text("#command");

		assert.match(command, /attend - --heads 2 --scheme alibi --mask causal --bias-max 4$/);
		assert.equal(await page.value("posenc.csv()"),
			execFileSync("sh", ["-c", command.replaceAll("posenc ", '"$POSENC" ')]).toString());
		assert.match(await page.text(".shape"), /^2 × 12 × 12 values/);
		assert.match(await page.text(".readout"), /^query 11key 11value 0\.\d+$/);
		/* What another scheme took is gone; a link keeps both commands. */
		await page.set("#option-scheme", "rope", "change");
		await page.settle(500);
		assert.match(await page.text("#command"), /--scheme rope --mask causal$/);
		const link = await page.value("location.hash"), linked = await page.text("#command");

		await page.set("#option-heads", "3");
		assert.equal(await page.text("#option-heads-note"),
			"--heads must divide the 8 columns of TABLE, got 3");
		await page.value("document.querySelector('input[value=sinusoid]').click()");
		await page.settle();
		assert.equal(await page.text("#command"), "posenc sinusoid --len 128 --dim 128");
		const other = await browser.open(address(PAGE, link));

		assert.equal(await other.text("#command"), linked);
		return other;
	},

	/* In Korean all that a reader sees has Korean words, but for names and commands. */
	async language(browser) {
		const page = await browser.open(address(PAGE, "?lang=ko#alibi+--len+9+--heads+2"));
		const english = () => page.value(`[...document.querySelectorAll(
			"h2, h3, .caption, .shape, .acts button, .tools button, .axis .name, .bar .name," +
			".readout span, #controls > .fields .note, .schemes span, .choices label, [aria-label]")]
			.filter((e) => e.checkVisibility()).map((e) =>
				e.getAttribute("aria-label") ?? e.textContent)
			.filter((text) => /[a-z]{3}/i.test(text) && !/[가-힣]/.test(text))`);

		assert.equal(await page.value("document.documentElement.lang"), "ko");
		assert.equal(await page.text("#copy"), "복사");
		assert.equal(await page.text(".heatmap h3"), "값");
		for (const scheme of await page.value("[...document.querySelectorAll('.schemes input')].map((i) => i.value)")) {
			await page.value(`document.querySelector("input[value='${scheme}']").click()`);
			await page.settle();
			assert.deepEqual((await english()).filter((text) =>
				!/^(RoPE|ALiBi|CSV|posenc explore|cos|sin)/.test(text)), []);
		}
		/* The page is opened again while the value is returned. */
		await page.value(`{ const e = document.querySelector("#language");
			e.value = "en";
			setTimeout(() => e.dispatchEvent(new Event("change")), 50); }`);
		for (let i = 0; i < 100 && await page.text(".heatmap h3").catch(() => "") !== "Values"; i++)
			await new Promise((done) => setTimeout(done, 50));
		assert.equal(await page.text(".heatmap h3"), "Values");
		const other = await browser.open(address(PAGE, "?lang=xx"));

		assert.equal(await other.text(".shape"), "128 × 128 values, float32");
		return page;
	},

	/* The cursor follows the pointer and the keys, in every view. */
	async cursor(browser) {
		const page = await browser.open(address(PAGE, "#sinusoid+--len+64+--dim+32"));
		const box = await page.value(`{ const { x, y } = document.querySelector(".heatmap canvas")
			.getBoundingClientRect(); ({ x, y }); }`);
		const readout = () => page.text(".readout");
		const ticks = () => page.value("[...document.querySelectorAll('.heatmap .axis .number')].length");

		await page.mouse("mouseMoved", box.x + 1, box.y + 1);
		assert.match(await readout(), /^position 0dimension 0sin\(0 \/ 1\) = 0/);
		await page.value("document.querySelector('.heatmap svg').focus()");
		for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "End", "ArrowLeft"])
			await page.key(key);
		assert.match(await readout(), /^position 2dimension 30sin\(2 \/ 10000\^\(30\/32\)\) = /);
		await page.settle(300);
		assert.match(await page.text("#announcer"), /^position 2, dimension 30, sin/);
		/* Enter draws the column, whose clock hardly moves, and once more removes it. */
		for (const there of [true, false]) {
			await page.key("Enter");
			assert.equal((await page.text(".waves .legend")).includes("30"), there);
			assert.equal(await page.value("document.querySelector('.clock.strong .number')?.textContent ?? ''"),
				there ? "30, 31" : "");
		}
		const before = await page.text(".heatmap .axis");

		await page.mouse("mouseWheel", box.x + 9, box.y + 9, { deltaX: 0, deltaY: -400 });
		assert.notEqual(await page.text(".heatmap .axis"), before);
		await page.key("0");
		assert.equal(await page.text(".heatmap .axis"), before);
		assert.ok(await ticks() > 4);
		return page;
	},

	/* The hands move by themselves, slowly where motion is to be reduced, while they are seen. */
	async clocks(browser) {
		const page = await browser.open(address(PAGE));
		const play = () => page.value("document.querySelector('.clocks .acts button').click()");
		const row = async () => Number((await page.text(".readout")).match(/^position (\d+)/)[1]);
		const moved = async (ms) => {
			const before = await row();

			await page.settle(ms);
			return await row() - before;
		};

		assert.equal(await moved(500), 0);
		await play();
		assert.equal(await page.text(".clocks .acts"), "stop");
		assert.ok(await moved(900) > 2);
		await play();
		assert.equal(await moved(500), 0);
		await page.send("Emulation.setEmulatedMedia", { features: [
			{ name: "prefers-reduced-motion", value: "reduce" }] });
		await play();
		assert.ok(await moved(1300) <= 2);
		await page.value("document.querySelector('input[value=alibi]').click()");
		await page.settle();
		await page.value("document.querySelector('input[value=sinusoid]').click()");
		await page.settle();
		assert.equal(await page.text(".clocks .acts"), "play");
		assert.equal(await moved(1300), 0);
		return page;
	},

	/* Tables of files beside the encoding, whatever they hold and are called. */
	async tables(browser) {
		const page = await browser.open(address(`${WORK}/tables.html`));
		const values = await page.value(`posenc.tables.map((t) => [...t.values()].map(String))`);

		assert.deepEqual(values[1], ["NaN", "Infinity", "-Infinity", "1e+308", "-1e+308", "0"]);
		assert.equal(await page.value("document.querySelectorAll('.sheet').length"), 3);
		assert.equal(await page.value("document.querySelectorAll('h2')[1].textContent"),
			"</script><img src=x onerror=alert(1)>.csv");
		assert.match(await page.value("document.querySelectorAll('.remark')[1].textContent"),
			/^all values equal the encoding's$/);
		assert.match(await page.value("document.querySelectorAll('.heatmap .bar')[2].textContent"), /NaNinf−inf/);
		assert.equal(await page.value("document.images.length"), 0);
		/* The difference is 0 everywhere; of another base it is not. */
		const tick = () => page.value("document.querySelectorAll('.sheet')[1].querySelector('.choices input').click()");
		const bar = () => page.value("document.querySelectorAll('.sheet')[1].querySelector('.heatmap .bar').textContent");

		await tick();
		assert.match(await bar(), /Difference$/);
		assert.match(await page.value("document.querySelectorAll('.readout')[1].textContent"),
			/^row 15column 7difference 0$/);
		await tick();
		assert.doesNotMatch(await bar(), /Difference/);
		assert.match(await page.value("document.querySelectorAll('.readout')[1].textContent"),
			/^row 15column 7value −?\d/);
		assert.equal(await page.value(`new Set([...document.querySelectorAll(".sheet")].slice(0, 2)
			.map((s) => s.querySelector(".matrix .plot").getBoundingClientRect().top)).size`), 1);
		await page.send("Emulation.setDeviceMetricsOverride",
			{ width: 500, height: 900, deviceScaleFactor: 1, mobile: false });
		await page.settle();
		assert.ok(await page.value(`[...document.querySelectorAll(".readout")].every((r) =>
			[...r.children].every((s) => s.getBoundingClientRect().bottom <= r.getBoundingClientRect().bottom))`));
		await page.set("#option-base", "99");
		assert.match(await page.value("document.querySelectorAll('.remark')[1].textContent"),
			/^differs from the encoding by at most \d.*, in row \d+, column \d+$/);
		return page;
	},

	/* What is said of several planes stands above the cell that is read out. */
	async planes(browser) {
		const page = await browser.open(address(`${WORK}/planes.html`));
		const edge = (selector, side) => page.value(`[...document.querySelectorAll("${selector}")]
			.map((e) => e.getBoundingClientRect().${side})`);
		const below = await edge(".remark", "bottom"), above = await edge(".readout", "top");

		assert.equal(await page.text("#command"), "posenc alibi --len 9 --heads 2");
		assert.match(await page.value("document.querySelectorAll('.remark')[1].textContent"),
			/^all values equal/);
		below.forEach((bottom, i) => assert.ok(bottom <= above[i]));
		assert.equal(above[0], above[1]);
		/* The legend of lines chooses a head, in both sheets; cells of pairs are square. */
		assert.equal(await page.text(".distance .legend"), "01");
		await page.value("document.querySelector('.distance [data-head=\"1\"]').click()");
		assert.deepEqual(await page.value("[...document.querySelectorAll('.choices output')].map((o) => o.value)"),
			["1", "1"]);
		assert.deepEqual((await edge(".heatmap canvas", "width"))[0],
			(await edge(".heatmap canvas", "height"))[0]);
		return page;
	},

	/* Saved figures stand alone and name their command. */
	async figures(browser) {
		const page = await browser.open(address(PAGE, "#rope+--len+8+--dim+8"), { dark: true });
		const svg = await page.value(`new Promise((done) => {
			URL.createObjectURL = (blob) => { blob.text().then(done); return "#"; };
			document.querySelector(".heatmap [data-save=svg]").click();
		})`);

		assert.match(svg, /<metadata>posenc rope --len 8 --dim 8<\/metadata>/);
		assert.match(svg, /<image [^>]*href="data:image\/png;base64,/);
		assert.match(svg, /fill="rgb\(18, 20, 24\)"/);
		assert.doesNotMatch(svg, /class=|style=|var\(/);
		return page;
	},
};

const browser = new Browser(BROWSER);

try {
	assert.deepEqual((await subjects[process.argv[2]](browser)).said, []);
} finally {
	await browser.close();
}
