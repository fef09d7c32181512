/*
 * drag.js: what a pointer does on a view: hover, click, pan with a button or a
 * finger, zoom with the wheel or two fingers. What cannot be zoomed further leaves
 * the wheel to the page, and fingers scroll the page until a view is zoomed.
 */
const FAR = 4, PAUSE = 300;

/* When the wheel last scrolled the page: what comes soon after does so, too. */
let scrolled = -PAUSE;

addEventListener("wheel", (e) => {
	if (!e.defaultPrevented)
		scrolled = e.timeStamp;
}, { passive: true });

export class Drag {
	/* acts: hover(e), click(e), pan(dx, dy), zoom(factor, e), zoomed(). */
	constructor(target, acts) {
		this.acts = acts;
		this.held = new Map();
		target.addEventListener("pointerdown", (e) => this.down(target, e));
		target.addEventListener("pointermove", (e) => this.move(e));
		for (const end of ["pointerup", "pointercancel"])
			target.addEventListener(end, (e) => this.up(e));
		target.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
		target.addEventListener("touchmove", (e) => this.touch(e), { passive: false });
	}

	down(target, event) {
		if (event.button)
			return;
		target.setPointerCapture(event.pointerId);
		this.held.set(event.pointerId, event);
		this.from = event;
		this.far = this.held.size > 1;
	}

	move(event) {
		const last = this.held.get(event.pointerId);

		if (!last || event.pointerType === "touch")
			this.acts.hover(event);
		if (!last)
			return;
		if (distance(event, this.from) > FAR)
			this.far = true;
		if (this.held.size === 2)
			this.pinch(last, event);
		else if (this.far && this.acts.zoomed())
			this.acts.pan(event.clientX - last.clientX, event.clientY - last.clientY);
		this.held.set(event.pointerId, event);
	}

	/* The other finger stands still in this event. */
	pinch(last, event) {
		const [other] = [...this.held.values()]
			.filter((e) => e.pointerId !== event.pointerId);

		this.acts.zoom(distance(event, other) /
			       Math.max(distance(last, other), 1), other);
	}

	up(event) {
		if (!this.held.delete(event.pointerId))
			return;
		if (event.type === "pointerup" && !this.far)
			this.acts.click(event);
	}

	wheel(event) {
		const out = event.deltaY > 0 && !this.acts.zoomed();

		if (!event.ctrlKey && (out || event.timeStamp - scrolled < PAUSE))
			return;
		event.preventDefault();
		const pixels = event.deltaY * (event.deltaMode ? 30 : 1);

		this.acts.zoom(2 ** (-Math.max(-200, Math.min(200, pixels)) / 200), event);
	}

	touch(event) {
		if (event.touches.length > 1 || this.acts.zoomed())
			event.preventDefault();
	}
}

function distance(a, b) {
	return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
