/* formula.c: formulas as letters with marks, and these as texts at heights. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"
#include "text/words.h"
#include "figure/formula.h"

/* Characters for private use, U+E000 on: what begins, and the end of it. */
#define MARK "\xee\x80"
enum mark { MARK_SUB = 0x80, MARK_SUPER, MARK_ROOT, MARK_END, MARKS_END };

enum { MARK_BYTES = 3, DEPTH_MOST = 16, RUN = 2048 };

#define SMALL 0.7    /* size of scripts, of that of what they belong to */
#define LOWER 0.18   /* how far a subscript is below it, of its size */
#define HIGHER 0.38
#define ROOT "\xe2\x88\x9a"
#define BAR 0.82     /* height of the line of a root, of the size */

#define THIN "\xe2\x80\x89"  /* a thin space */

/* Greek letters and signs; relations and functions with spaces. */
static const struct symbol {
	const char *name, *text;
} symbols[] = {
	{ "alpha", "\xce\xb1" }, { "beta", "\xce\xb2" },
	{ "gamma", "\xce\xb3" }, { "delta", "\xce\xb4" },
	{ "epsilon", "\xce\xb5" }, { "varepsilon", "\xce\xb5" },
	{ "zeta", "\xce\xb6" }, { "eta", "\xce\xb7" }, { "theta", "\xce\xb8" },
	{ "iota", "\xce\xb9" }, { "kappa", "\xce\xba" },
	{ "lambda", "\xce\xbb" }, { "mu", "\xce\xbc" }, { "nu", "\xce\xbd" },
	{ "xi", "\xce\xbe" }, { "pi", "\xcf\x80" }, { "rho", "\xcf\x81" },
	{ "sigma", "\xcf\x83" }, { "tau", "\xcf\x84" },
	{ "upsilon", "\xcf\x85" }, { "phi", "\xcf\x86" },
	{ "varphi", "\xcf\x86" }, { "chi", "\xcf\x87" }, { "psi", "\xcf\x88" },
	{ "omega", "\xcf\x89" }, { "Gamma", "\xce\x93" },
	{ "Delta", "\xce\x94" }, { "Theta", "\xce\x98" },
	{ "Lambda", "\xce\x9b" }, { "Xi", "\xce\x9e" }, { "Pi", "\xce\xa0" },
	{ "Sigma", "\xce\xa3" }, { "Upsilon", "\xce\xa5" },
	{ "Phi", "\xce\xa6" }, { "Psi", "\xce\xa8" }, { "Omega", "\xce\xa9" },
	{ "cdot", "\xc2\xb7" }, { "times", "\xc3\x97" }, { "pm", "\xc2\xb1" },
	{ "infty", "\xe2\x88\x9e" }, { "dots", "\xe2\x80\xa6" },
	{ "ldots", "\xe2\x80\xa6" }, { "cdots", "\xe2\x8b\xaf" },
	{ "sum", "\xe2\x88\x91" }, { "prod", "\xe2\x88\x8f" },
	{ "top", "\xe2\x8a\xa4" }, { "prime", "\xe2\x80\xb2" },
	{ "odot", "\xe2\x8a\x99" }, { "oplus", "\xe2\x8a\x95" },
	{ "lfloor", "\xe2\x8c\x8a" }, { "rfloor", "\xe2\x8c\x8b" },
	{ "approx", THIN "\xe2\x89\x88" THIN },
	{ "neq", THIN "\xe2\x89\xa0" THIN }, { "ne", THIN "\xe2\x89\xa0" THIN },
	{ "le", THIN "\xe2\x89\xa4" THIN }, { "leq", THIN "\xe2\x89\xa4" THIN },
	{ "ge", THIN "\xe2\x89\xa5" THIN }, { "geq", THIN "\xe2\x89\xa5" THIN },
	{ "in", THIN "\xe2\x88\x88" THIN }, { "to", THIN "\xe2\x86\x92" THIN },
	{ "mid", THIN "|" THIN }, { "sin", "sin" THIN }, { "cos", "cos" THIN },
	{ "exp", "exp" THIN }, { "log", "log" THIN }, { "ln", "ln" THIN },
	{ "max", "max" THIN }, { "min", "min" THIN },
};

size_t formula_length(const char *text)
{
	size_t n = 1;

	if (text[0] != '$' || strchr(" \n$", text[1]))
		return 0;
	while (text[n] && text[n] != '$' && text[n] != '\n')
		n += text[n] == '\\' && text[n + 1] ? 2 : 1;
	return text[n] != '$' || text[n - 1] == ' ' ||
	       isdigit((unsigned char)text[n + 1]) ? 0 : n + 1;
}

/* A formula that is read, and what is written of it; to may be NULL. */
struct reader {
	const char *at, *end;
	char *to;
	size_t room, n;
	int depth;
	char unknown[40];       /* the first name that is not known, or "" */
};

static void put(struct reader *r, const char *text, size_t n)
{
	if (!r->to || r->n + n >= r->room)
		return;
	memcpy(r->to + r->n, text, n);
	r->n += n;
	r->to[r->n] = '\0';
}

static void put_mark(struct reader *r, enum mark mark)
{
	const char text[] = { MARK[0], MARK[1], (char)mark };

	put(r, text, sizeof text);
}

static void refuse(struct reader *r, const char *text, size_t n)
{
	if (!r->unknown[0])
		snprintf(r->unknown, sizeof r->unknown, "%.*s", (int)n, text);
}

static void read_atom(struct reader *r);

/* What follows as a script or under a root. */
static void read_marked(struct reader *r, enum mark mark)
{
	put_mark(r, mark);
	if (r->at == r->end)
		refuse(r, r->at, 1);
	else
		read_atom(r);
	put_mark(r, MARK_END);
}

/* A symbol; the space after a function is not that before its parenthesis. */
static void put_symbol(struct reader *r, const char *text)
{
	const size_t n = strlen(text);
	const bool called = isalpha((unsigned char)*text) && r->at < r->end &&
			    *r->at == '(';

	put(r, text, n - (called ? strlen(THIN) : 0));
}

/* A backslash and a name, or a sign. */
static void read_name(struct reader *r)
{
	const char *name = r->at + 1;
	size_t n = 0;

	while (name + n < r->end && isalpha((unsigned char)name[n]))
		n++;
	r->at = name + (n ? n : name < r->end);
	if (!n && name < r->end && strchr(" ,;", *name)) {
		put(r, THIN, strlen(THIN));
		return;
	}
	if (!n && name < r->end && strchr("$_^{}\\%&#", *name)) {
		put(r, name, 1);
		return;
	}
	if (text_is(name, n, "sqrt")) {
		read_marked(r, MARK_ROOT);
		return;
	}
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
		if (text_is(name, n, symbols[i].name)) {
			put_symbol(r, symbols[i].text);
			return;
		}
	refuse(r, name - 1, n + 1 + !n);
}

static void read_group(struct reader *r)
{
	r->at++;
	while (r->at < r->end && *r->at != '}')
		read_atom(r);
	if (r->at == r->end)
		refuse(r, "{", 1);
	else
		r->at++;
}

/* One character, group, name or script; blanks say nothing. */
static void read_atom(struct reader *r)
{
	const char c = *r->at;
	const size_t n = utf8_length(r->at) ? utf8_length(r->at) : 1;

	if (++r->depth > DEPTH_MOST) {
		refuse(r, r->at, 1);
		r->at = r->end;
	} else if (c == '\\') {
		read_name(r);
	} else if (c == '{') {
		read_group(r);
	} else if (c == '_' || c == '^') {
		r->at++;
		read_marked(r, c == '_' ? MARK_SUB : MARK_SUPER);
	} else if (c == '}') {
		refuse(r, r->at++, 1);
	} else {
		if (c == '-')
			put(r, "\xe2\x88\x92", 3);
		else if (c == '=')
			put(r, THIN "=" THIN, 2 * strlen(THIN) + 1);
		else if (c != ' ' && r->to)
			r->n += utf8_show_joined(r->at, n, r->to + r->n,
						 r->room - r->n);
		r->at += n;
	}
	r->depth--;
}

/* Read the formula of n bytes at text. */
static void read_formula(struct reader *r, const char *text, size_t n)
{
	r->at = text + 1;
	r->end = text + n - 1;
	while (r->at < r->end)
		read_atom(r);
}

bool formula_check(const char *flag, const char *text, struct error *err)
{
	struct reader r = { 0 };

	while (text && *text) {
		const size_t n = formula_length(text);

		if (n)
			read_formula(&r, text, n);
		if (r.unknown[0])
			return fail(err, "%s: unexpected '%s' in the "
				    "formula %.*s; known are _, ^, "
				    "\\sqrt{...}, Greek letters, \\cdot, "
				    "\\times and the like", flag, r.unknown,
				    n < 60 ? (int)n : 60, text);
		text += n ? n : *text == '\\' && text[1] ? 2 : 1;
	}
	return true;
}

/* The bytes of text before a formula, a line feed or "\$". */
static size_t plain_length(const char *text, size_t most)
{
	size_t n = 0;

	while (n < most && text[n] && text[n] != '\n' &&
	       !formula_length(text + n) &&
	       (text[n] != '\\' || text[n + 1] != '$'))
		n++;
	return n;
}

size_t formula_show(const char *text, size_t most, char *to, size_t room)
{
	struct reader r = { .to = to, .room = room };

	*to = '\0';
	while (most && *text) {
		const size_t formula = formula_length(text);
		size_t n = plain_length(text, most);

		if (n) {
			r.n += utf8_show_joined(text, n, to + r.n, room - r.n);
		} else if (formula && formula <= most) {
			read_formula(&r, text, formula);
			n = formula;
		} else {
			n = *text == '\\' && most > 1 ? 2 : 1;
			put(&r, text + n - 1, 1);
		}
		text += n;
		most -= n;
	}
	return r.n;
}

/* A part of a text in one size, at (x, y) from its beginning; y is downward. */
struct run {
	const char *text;    /* NULL: the line of a root, to to_x */
	int size;
	double x, y, to_x;
};

typedef void run_visit(void *self, const struct run *r);

/* Where a text is, and what it is within. */
struct walk {
	const struct figure *f;
	run_visit *visit;    /* or NULL */
	void *self;
	int size;
	double x, y;
	struct level {
		enum mark mark;
		int size;
		double x, y;
	} levels[DEPTH_MOST + 1];
	int depth;
	double script, far;  /* where the script before began, and ends */
};

static double run_width(const struct walk *w, const char *text)
{
	return font_width(w->f->font, w->size, text);
}

static void walk_text(struct walk *w, const char *text, size_t n)
{
	char copy[RUN];
	struct run run = { copy, w->size, w->x, w->y, 0 };

	snprintf(copy, sizeof copy, "%.*s", (int)n, text);
	w->x += run_width(w, copy);
	/* Readers of SVG leave blanks at the beginning out */
	while (*run.text == ' ' || strncmp(run.text, THIN, strlen(THIN)) == 0)
		run.text += *run.text == ' ' ? 1 : strlen(THIN);
	run.x = w->x - run_width(w, run.text);
	if (w->visit && *run.text)
		w->visit(w->self, &run);
}

static void begin_mark(struct walk *w, enum mark mark, bool after_script)
{
	struct level *l = &w->levels[w->depth++];
	const bool both = after_script && mark != MARK_ROOT;

	*l = (struct level){ mark, w->size, w->x, w->y };
	if (mark == MARK_ROOT) {
		walk_text(w, ROOT, strlen(ROOT));
		l->x = w->x;
		return;
	}
	w->far = both ? w->x : 0;
	w->x = l->x = both ? w->script : w->x;
	w->y += mark == MARK_SUB ? LOWER * w->size : -HIGHER * w->size;
	w->size = (int)(w->size * SMALL + 0.5);
}

static void end_mark(struct walk *w)
{
	const struct level l = w->levels[--w->depth];
	const struct run line = { NULL, l.size, l.x, w->y - BAR * l.size,
				  w->x };

	if (l.mark == MARK_ROOT && w->visit)
		w->visit(w->self, &line);
	w->script = l.x;
	if (l.mark != MARK_ROOT)
		w->x = fmax(w->x, w->far);
	w->size = l.size;
	w->y = l.y;
}

/* Visit the runs of text; its width. */
static double walk_runs(struct walk *w, const char *text)
{
	bool after_script = false;

	while (*text) {
		const char *mark = strstr(text, MARK);
		const size_t n = mark ? (size_t)(mark - text) : strlen(text);
		enum mark kind;

		if (n)
			walk_text(w, text, n);
		text += n;
		if (!mark)
			break;
		kind = (enum mark)(unsigned char)mark[2];
		after_script &= !n;
		if (kind == MARK_END && w->depth) {
			after_script = w->levels[w->depth - 1].mark !=
				       MARK_ROOT;
			end_mark(w);
		} else if (kind < MARK_END && w->depth <= DEPTH_MOST) {
			begin_mark(w, kind, after_script);
			after_script = false;
		}
		text += mark[2] ? MARK_BYTES : 2;
	}
	while (w->depth)
		end_mark(w);
	return w->x;
}

void formula_script(const char *base, const char *script, char *to,
		    size_t room)
{
	const char begin = (char)MARK_SUB, end = (char)MARK_END;

	snprintf(to, room, "%s" MARK "%c%s" MARK "%c", base, begin, script,
		 end);
}

double formula_width(const struct figure *f, int size, const char *text)
{
	struct walk w = { .f = f, .size = size };

	return strstr(text, MARK) ? walk_runs(&w, text)
				  : font_width(f->font, size, text);
}

/* The item whose runs are added to a figure, and where it begins. */
struct expansion {
	struct figure *f;
	const struct item *item;
	double before;
};

/* A point of the text, on the page. */
static struct point on_page(const struct expansion *e, double x, double y)
{
	const struct item *i = e->item;

	x -= e->before;
	return i->upward ? (struct point){ i->x + y, i->y - x }
			 : (struct point){ i->x + x, i->y + y };
}

static void add_run(void *self, const struct run *r)
{
	const struct expansion *e = self;
	const struct point at = on_page(e, r->x, r->y);
	struct item *item;
	char *copy;

	if (!r->text) {
		const struct point ends[] = { at, on_page(e, r->to_x, r->y) };

		figure_points(e->f, ITEM_PATH, e->item->ink, ends, 2)->width =
			fmax(1, r->size / 14.0);
		return;
	}
	copy = figure_room(e->f, strlen(r->text) + 1, 1);
	if (!copy)
		return;
	item = figure_add(e->f, ITEM_TEXT, e->item->ink);
	item->text = strcpy(copy, r->text);
	item->size = r->size;
	item->upward = e->item->upward;
	item->x = (int)floor(at.x + 0.5);
	item->y = (int)floor(at.y + 0.5);
}

/* Put the runs of an item in its place. */
static void expand(struct figure *f, struct item **place)
{
	struct item *old = *place;
	struct expansion e = {
		f, old, formula_width(f, old->size, old->text) *
			(int)old->anchor / 2
	};
	struct walk w = { .f = f, .size = old->size, .visit = add_run,
			  .self = &e };
	struct item **last = f->last;

	f->last = place;
	walk_runs(&w, old->text);
	*f->last = old->next;
	if (last != &old->next)
		f->last = last;
}

void formula_expand(struct figure *f)
{
	for (struct item **at = &f->first; *at; at = &(*at)->next)
		while (*at && (*at)->kind == ITEM_TEXT &&
		       strstr((*at)->text, MARK))
			expand(f, at);
}
