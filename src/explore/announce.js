/* announce.js: what a screen reader says when keys move the cursor. */
const PAUSE = 250;

export class Announcer {
	constructor(region, link) {
		this.region = region;
		link.announce = (words) => this.say(words);
	}

	/* Only after the cursor has stopped. */
	say(words) {
		clearTimeout(this.waiting);
		this.waiting = setTimeout(() => {
			this.region.textContent = words();
		}, PAUSE);
	}
}
