/* heading.c: the title of a figure, its subtitle, and the notes below it. */
#include <stdio.h>
#include <string.h>

#include "figure/layout.h"
#include "figure/phrase.h"

#define DOTS "\xe2\x80\xa6"  /* an ellipsis */

enum {
	TITLE_LEAST = 400,     /* points that a title may be wide */
	TITLE_MOST = 760,      /* and of a line that is one word */
	SUBTITLE_LEAST = 240,
	TITLE_LINES = 4,       /* unless the width is given */
	NOTE_LINES = 6,
	RESERVED_LINES = 2,    /* of a subtitle with --frame fixed */
	NOTE_LEAST = 700,      /* points */
	LINE_END = LINE_TEXT / 2 - 4,  /* bytes of a cut name at either end */
};

/* A byte within a character of UTF-8, not its first. */
static bool is_inside(char byte)
{
	return (byte & 0xc0) == 0x80;
}

bool text_cut(const struct figure *f, int points, char *text, size_t size,
	      int width)
{
	size_t n = strlen(text);
	const bool wide = figure_width(f, points, text) > width;

	while (n && figure_width(f, points, text) > width) {
		do
			n--;
		while (n && is_inside(text[n]));
		snprintf(text + n, size - n, DOTS);
	}
	return wide;
}

/* About k bytes of text [n], of whole characters, from either end. */
static void join_ends(const char *text, size_t n, size_t k,
		      char to[LINE_TEXT])
{
	size_t begin = k, end = n - k;

	while (is_inside(text[begin]))
		begin--;
	while (is_inside(text[end]))
		end++;
	snprintf(to, LINE_TEXT, "%.*s" DOTS "%s", (int)begin, text,
		 text + end);
}

const char *table_name(struct figure *f, const struct table *t, int width)
{
	const char *text = figure_shown(f, language_text(f->language,
							 t->title), false);
	const size_t n = strlen(text);
	char cut[LINE_TEXT];
	size_t k = 0, most = n / 2 < LINE_END ? n / 2 : LINE_END;

	if (t->titled)  /* as a whole, as it may have formulas */
		return figure_formulas(f, text);
	if (figure_width(f, TICK_POINTS, text) <= width)
		return text;
	while (k < most) {
		const size_t try = (k + most + 1) / 2;

		join_ends(text, n, try, cut);
		if (figure_width(f, TICK_POINTS, cut) <= width)
			k = try;
		else
			most = try - 1;
	}
	join_ends(text, n, k, cut);
	figure_note(f, LONG_NAMES);
	return figure_shown(f, cut, false);
}

/*
 * Add k bytes of text to line, after a blank if it has some; with an ellipsis
 * if it has no room for all, after which it takes no more.
 */
static void append(char line[LINE_TEXT], const char *text, size_t k)
{
	const size_t most = LINE_TEXT - sizeof DOTS;
	const size_t n = strlen(line), used = n + (n > 0);
	size_t fits = used + k <= most ? k : used < most ? most - used : 0;
	const bool cut = fits < k;

	if (n > most - sizeof DOTS && strcmp(line + n + 1 - sizeof DOTS,
					     DOTS) == 0)
		return;
	while (cut && fits && is_inside(text[fits]))
		fits--;
	snprintf(line + n, LINE_TEXT - n, "%s%.*s%s", n && fits ? " " : "",
		 (int)fits, text, cut ? DOTS : "");
}

/*
 * Break text at blanks and line feeds into lines of width, if possible; the
 * last of at most most takes the rest. Returns how many.
 */
static int break_text(const struct figure *f, int points, const char *text,
		      int width, char lines[][LINE_TEXT], int most)
{
	int count = 1;
	bool fresh = false;

	lines[0][0] = '\0';
	while (*text) {
		char *line = lines[count - 1];
		const size_t n = strlen(line), k = strcspn(text, " \n");

		append(line, text, k);
		if (n && count < most &&
		    (fresh || figure_width(f, points, line) > width)) {
			line[n] = '\0';
			lines[count][0] = '\0';
			append(lines[count++], text, k);
		}
		text += k + strspn(text + k, " ");
		fresh = *text == '\n';
		text += fresh ? 1 + strspn(text + 1, " ") : 0;
	}
	return count;
}

/* Add a phrase to the last line of the subtitle, or to a new one. */
static void add_phrase(struct heading *h, const struct figure *f,
		       char phrase[LINE_TEXT], int width)
{
	char *line = h->subtitle[h->below ? h->below - 1 : 0];
	char all[2 * LINE_TEXT + 2];

	width -= figure_width(f, TICK_POINTS, ",");
	text_cut(f, TICK_POINTS, phrase, LINE_TEXT, width);
	snprintf(all, sizeof all, "%s%s%s", line, line[0] ? ", " : "", phrase);
	all[LINE_TEXT - 1] = '\0';
	if (h->below && (h->below == SUBTITLE_LINES ||
			 figure_width(f, TICK_POINTS, all) <= width)) {
		memcpy(line, all, LINE_TEXT);
		return;
	}
	if (h->below)
		strncat(line, ",", LINE_TEXT - strlen(line) - 1);
	memcpy(h->subtitle[h->below++], phrase, LINE_TEXT);
}

/* The options of a table in words. */
static void make_subtitle(struct heading *h, const struct figure *f,
			  const struct table *t, int width)
{
	const struct recipe *r = t->from.recipe;
	char phrase[LINE_TEXT];

	for (const struct option *o = r->options; o->name; o++)
		if (phrase_stated(t, o)) {
			phrase_of(f->language, o, t->from.options, phrase);
			if (phrase[0])
				add_phrase(h, f, phrase, width);
		}
	for (int i = 0; i < h->below; i++)
		text_cut(f, TICK_POINTS, h->subtitle[i], LINE_TEXT, width);
}

static int widest(const struct figure *f, int points, char lines[][LINE_TEXT],
		  int n)
{
	int most = 0;

	for (int i = 0; i < n; i++)
		most = greatest(most, figure_width(f, points, lines[i]));
	return most;
}

/* The width that the lines of a heading may have, and with --width, do have. */
static int heading_room(const struct figure *f, int width)
{
	return f->wide ? f->wide - 2 * pt(f, f->print ? 2 : MARGIN)
		       : greatest(width, pt(f, TITLE_LEAST * f->share));
}

void heading_make(struct heading *h, const struct figure *f,
		  const struct table *t, const struct look *look, int width)
{
	const int room = heading_room(f, width);
	const bool same = f->wide || f->fixed;
	int reserved = 0;

	*h = (struct heading){ 0 };
	h->count = break_text(f, TITLE_POINTS, f->heading, room, h->lines,
			      f->wide ? HEADING_LINES : TITLE_LINES);
	for (int i = 0; i < h->count; i++)
		text_cut(f, TITLE_POINTS, h->lines[i], LINE_TEXT,
			 same || i == TITLE_LINES - 1 ? room : greatest(room,
			 pt(f, TITLE_MOST)));
	h->w = widest(f, TITLE_POINTS, h->lines, h->count);
	if (f->subtitle) {
		h->below = break_text(f, TICK_POINTS, f->subtitle, room,
				      h->subtitle, SUBTITLE_LINES);
		h->below = h->subtitle[0][0] ? h->below : 0;
	} else if (!look->title) {
		make_subtitle(h, f, t, same ? room : greatest(
			      greatest(width, h->w), pt(f, SUBTITLE_LEAST)));
		reserved = f->fixed ? RESERVED_LINES : 0;
	}
	h->w = greatest(h->w, widest(f, TICK_POINTS, h->subtitle, h->below));
	h->w = f->wide ? 0 : f->fixed ? room : h->w;
	if (!h->lines[0][0])
		h->count = 0;
	h->h = h->count * pt(f, 1.35 * TITLE_POINTS) +
	       greatest(h->below, reserved) * pt(f, 1.45 * TICK_POINTS);
}

static void draw_line(struct figure *f, int ink, int points, int x, int y,
		      const char *text)
{
	struct item *item = figure_text(f, ink, points, x, y, text);

	item->anchor = ANCHOR_MIDDLE;
	item->heading = true;
}

void heading_draw(struct figure *f, const struct heading *h, int middle, int y)
{
	y += cap_height(f, TITLE_POINTS);
	for (int i = 0; i < h->count; i++) {
		draw_line(f, INK_TEXT, TITLE_POINTS, middle, y, h->lines[i]);
		y += pt(f, 1.35 * TITLE_POINTS);
	}
	y -= pt(f, 0.1 * TITLE_POINTS);
	for (int i = 0; i < h->below; i++) {
		draw_line(f, INK_MUTED, TICK_POINTS, middle, y,
			  h->subtitle[i]);
		y += pt(f, 1.45 * TICK_POINTS);
	}
}

/* The margin beside notes. */
static int note_margin(const struct figure *f)
{
	return pt(f, f->wide && f->print ? 2 : MARGIN);
}

/* The notes in lines; how many, with --frame fixed at least one. */
static int note_lines(const struct figure *f, int width,
		      char lines[NOTE_LINES][LINE_TEXT])
{
	if (!f->note[0] && !f->fixed)
		return 0;
	return break_text(f, NOTE_POINTS, f->note, width - 2 * note_margin(f),
			  lines, NOTE_LINES);
}

static int lines_height(const struct figure *f, int n)
{
	const bool cut = f->wide && f->print;  /* margins have no room */

	return !n ? 0 : pt(f, NOTE_POINTS + (cut ? 4 : 0)) +
			(n - 1) * pt(f, 1.3 * NOTE_POINTS);
}

int notes_height(const struct figure *f, int width)
{
	char lines[NOTE_LINES][LINE_TEXT];

	return lines_height(f, note_lines(f, width, lines));
}

void notes_draw(struct figure *f)
{
	const int margin = note_margin(f);
	const int high = pt(f, 1.3 * NOTE_POINTS);
	const int low = pt(f, f->wide && f->print ? 4 : 10);
	const int width = greatest(f->w, f->wide || f->fixed
					 ? 0 : pt(f, NOTE_LEAST * f->share));
	char lines[NOTE_LINES][LINE_TEXT];
	const int n = note_lines(f, width, lines);

	if (n && !f->wide && !f->fixed)
		f->w = greatest(f->w, 2 * margin +
				      widest(f, NOTE_POINTS, lines, n));
	f->h += lines_height(f, n);
	for (int i = 0; i < n && lines[i][0]; i++)
		figure_text(f, INK_MUTED, NOTE_POINTS, margin,
			    f->h - low - (n - 1 - i) * high, lines[i]);
}
