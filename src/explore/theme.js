/* theme.js: light or dark, as the reader's system is or as the page's control says. */

const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

export function is_dark() {
	const { theme } = root.dataset;

	return theme === "dark" || (theme === "auto" && system.matches);
}

/* Print is light, whatever the screen is. */
export function follow_theme(select, changed) {
	const apply = (theme) => {
		root.dataset.theme = theme;
		changed();
	};

	select.addEventListener("change", () => apply(select.value));
	system.addEventListener("change", changed);
	addEventListener("beforeprint", () => apply("light"));
	addEventListener("afterprint", () => apply(select.value));
}
