/* theme.js: light or dark, as the reader's system is or as the page's control says. */

const PAPER = 1040;  /* of A4 across, pixels */
const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

export function is_dark() {
	const { theme } = root.dataset;

	return theme === "dark" || (theme === "auto" && system.matches);
}

/* The width of the figures, and how it fits a page of PAPER. */
function fit_page(figures) {
	const style = getComputedStyle(figures);
	const width = figures.clientWidth - parseFloat(style.paddingLeft) -
		parseFloat(style.paddingRight);

	root.style.setProperty("--width", `${width}px`);
	root.style.setProperty("--fit", Math.min(PAPER / width, 1));
}

/* Print is light, whatever the screen is. */
export function follow_theme(select, figures, changed) {
	const apply = (theme) => {
		root.dataset.theme = theme;
		changed();
	};

	select.addEventListener("change", () => apply(select.value));
	system.addEventListener("change", changed);
	addEventListener("beforeprint", () => {
		fit_page(figures);
		apply("light");
	});
	addEventListener("afterprint", () => apply(select.value));
}
