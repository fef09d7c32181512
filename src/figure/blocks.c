/*
 * blocks.c: what each row of an embedding is the sum of, as boxes in columns:
 * its token, segment and position, with signs between them and the sum below.
 */
#include <stdio.h>
#include <string.h>

#include "figure/formula.h"
#include "figure/layout.h"
#include "figure/plots.h"

enum {
	ROWS_MOST = 24,
	BOX_LEAST = 44,      /* width, points */
	BOX_HIGH = 28,
	PADDING = 8,         /* on both sides of a label */
	APART = 22,          /* below a box, with a sign in it */
	BESIDE = 8,          /* right of it */
	LABEL_TEXT = 4 * TICK_TEXT,
	LETTERS = 26,        /* segments that have one */
};

struct blocks {
	const struct table *terms[BESIDE_MOST];
	size_t n, rows;
	int step, w;         /* of boxes, pixels */
	struct panels p;     /* one, of all boxes */
};

/* The number of row i of a term, or of a segment its letter, as in BERT. */
static void number_text(const struct blocks *b, const struct table *t,
			size_t term, size_t i, char text[TICK_TEXT])
{
	const struct axis *axis = &b->terms[term]->row_axis;
	const double x = axis_label(axis, t->begin + i);

	if (strcmp(axis->name, "segment") == 0 && x >= 0 && x < LETTERS)
		snprintf(text, TICK_TEXT, "%c", (int)('A' + x));
	else
		tick_text(text, x);
}

/* "E" with what it is the embedding of; below all, the input of the model. */
static void label_of(const struct blocks *b, const struct figure *f,
		     const struct table *t, const struct look *look,
		     size_t term, size_t i, char label[LABEL_TEXT])
{
	char text[TICK_TEXT];
	const bool sum = term == b->n, word = !term && look->words;

	if (word)
		look_word(look->words, i, text, sizeof text);
	else if (sum)
		tick_text(text, (double)(t->begin % t->rows + i));
	else
		number_text(b, t, term, i, text);
	if (word && f->fixed)
		text_cut(f, TICK_POINTS, text, sizeof text, word_room(f));
	formula_script(sum ? "x" : "E", text, label, LABEL_TEXT);
}

/* Boxes are as wide as the widest label. */
static void measure(struct blocks *b, const struct figure *f,
		    const struct table *t, const struct look *look)
{
	char label[LABEL_TEXT];

	b->w = pt(f, BOX_LEAST - 2 * PADDING);
	for (size_t k = 0; k <= b->n; k++)
		for (size_t i = 0; i < b->rows; i++) {
			label_of(b, f, t, look, k, i, label);
			b->w = greatest(b->w, figure_width(f, NAME_POINTS,
							   label));
		}
	b->w += 2 * pt(f, PADDING);
	b->step = pt(f, BOX_HIGH + APART);
	b->p.box.w = (int)b->rows * (b->w + pt(f, BESIDE)) - pt(f, BESIDE);
	b->p.box.h = (int)b->n * b->step + pt(f, BOX_HIGH);
}

/* A box of a colour, of which the sum has none. */
static void draw_box(struct figure *f, const struct box *b, int ink)
{
	const double x = b->x, y = b->y, right = x + b->w, below = y + b->h;
	const struct point corners[] = {
		{ x, y }, { right, y }, { right, below }, { x, below },
		{ x, y },
	};

	if (ink != INK_TEXT)
		figure_points(f, ITEM_AREA, ink, corners, 4);
	figure_points(f, ITEM_PATH, ink, corners, 5)->width = f->unit;
}

static void draw_text(struct figure *f, int points, int x, int y,
		      const char *text)
{
	figure_text(f, INK_TEXT, points, x, y + cap_height(f, points) / 2,
		    text)->anchor = ANCHOR_MIDDLE;
}

static void draw_blocks(struct figure *f, const struct blocks *b,
			const struct table *t, const struct look *look)
{
	char label[LABEL_TEXT];

	for (size_t i = 0; i < b->rows; i++)
		for (size_t k = 0; k <= b->n; k++) {
			const struct box box = {
				b->p.box.x + (int)i * (b->w + pt(f, BESIDE)),
				b->p.box.y + (int)k * b->step,
				b->w, pt(f, BOX_HIGH),
			};
			const int middle = box.x + box.w / 2;

			label_of(b, f, t, look, k, i, label);
			draw_box(f, &box, k < b->n ? INK_LINE + (int)k
						   : INK_TEXT);
			draw_text(f, NAME_POINTS, middle, box.y + box.h / 2,
				  label);
			if (k < b->n)
				draw_text(f, NAME_POINTS, middle, box.y +
					  box.h + pt(f, APART) / 2,
					  k + 1 < b->n ? "+" : "=");
		}
}

/* The names of the terms, beside their boxes. */
static void name_terms(struct blocks *b, struct figure *f)
{
	struct ticks *ticks = &b->p.y.ticks;

	for (size_t k = 0; k <= b->n; k++) {
		const char *name = k < b->n ? b->terms[k]->title : "sum";
		struct tick *tick = &ticks->tick[ticks->n++];

		tick->at = (double)k * b->step + pt(f, BOX_HIGH) / 2.0;
		snprintf(tick->text, sizeof tick->text, "%s",
			 language_text(f->language, name));
	}
	b->p.x.bare = b->p.y.bare = true;
}

static void layout(struct figure *f, const struct table *t,
		   const struct look *look, size_t threads)
{
	struct blocks *b = figure_room(f, 1, sizeof *b);

	(void)threads;
	if (!b)
		return;
	b->rows = t->end - t->begin;
	for (const struct table *x = t->terms; x; x = x->beside)
		b->terms[b->n++] = x;
	b->p.x.name = (struct name){ "", look->xlabel };
	b->p.y.name = (struct name){ "", look->ylabel };
	measure(b, f, t, look);
	name_terms(b, f);
	panels_place(f, &b->p, t, look);
	if (!look->xlabel)  /* nothing is below */
		f->h -= side_bottom_room(f, &b->p.x);
	draw_blocks(f, b, t, look);
	side_left(f, &b->p.box, &b->p.y, true);
	side_bottom(f, &b->p.box, &b->p.x, true);
}

static bool check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err)
{
	if (!t->terms)
		return fail(err, "--plot blocks draws the parts of a sum: of "
			    "'embed' with --add, --position-table or "
			    "--segment-table, without --layernorm");
	if (rows > ROWS_MOST)
		return fail(err, "--plot blocks draws at most %d rows, got "
			    "%zu: select some with --rows", ROWS_MOST, rows);
	if (!t->terms->row_axis.at)
		return fail(err, "--plot blocks draws rows of tables of at "
			    "most %d, got %zu", PLACES_MOST,
			    t->planes * t->rows);
	return plot_one_plane(look, planes, err);
}

const struct plot plot_blocks = {
	.plain = true, .check = check, .layout = layout,
};
