/* dom.js: elements of the page, made in one expression. */

export function html(name, attributes = {}, ...children) {
	const e = document.createElement(name);

	for (const a in attributes)
		e.setAttribute(a, attributes[a]);
	e.append(...children);
	return e;
}

/* Have act(target) called on an event of target, which is returned. */
export function listen(target, event, act) {
	target.addEventListener(event, () => act(target));
	return target;
}
