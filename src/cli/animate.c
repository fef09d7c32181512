/* animate.c: --animate, the same command with many values of one option. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/run.h"
#include "text/decimal.h"

enum { WHOLE_MOST = 240, FRAMES = 60, VALUE_TEXT = 32 };

static double value_of(const struct animate *m, size_t i)
{
	const double part = (double)i / (double)(m->animation.n - 1);
	const double x = m->log
		? m->first * pow(m->last / m->first, part)
		: m->first + (m->last - m->first) * part;

	return m->whole ? floor(x + 0.5) : x;
}

/* Few digits of a ratio's power, so that every C library writes the same. */
static void value_text(const struct animate *m, size_t i,
		       char text[VALUE_TEXT])
{
	const double x = value_of(m, i);

	if (m->whole || (fabs(x) < 0x1p53 && x == floor(x)))
		snprintf(text, VALUE_TEXT, "%.0f", x);
	else
		snprintf(text, VALUE_TEXT, "%.*g", m->log ? 6 : 12, x);
}

/* Set the option to value i, in memory of fields->owner. */
static bool set_value(const struct animate *m, size_t i, struct fields *fields,
		      struct error *err)
{
	char text[VALUE_TEXT];
	const char *copy;

	value_text(m, i, text);
	copy = table_copy(fields->owner, text, err);
	return copy && option_set(m->option, fields, copy, err);
}

/* A table of the command with its option at value i. */
static bool make_table(const struct animate *m, size_t i, struct table *t,
		       struct error *err)
{
	const struct args *a = m->args;
	struct fields fields = a->fields;

	fields.owner = t;
	fields.self = table_alloc(t, 1, a->recipe->size, err);
	if (!fields.self)
		return false;
	memcpy(fields.self, m->self, a->recipe->size);
	t->from = (struct origin){ .recipe = a->recipe,
				   .options = fields.self,
				   .reads_files = true };
	return set_value(m, i, &fields, err) &&
	       recipe_finish(a->recipe, &fields, a->inputs, t, err);
}

static bool make_frame(const struct animation *animation, size_t i,
		       struct table *t, struct error *err)
{
	const struct animate *m = (const struct animate *)
				  (const void *)animation;
	const struct table *first = &m->args->table;
	char want[SHAPE_TEXT], got[SHAPE_TEXT], text[VALUE_TEXT], flag[40];
	enum dtype made;

	if (!make_table(m, i, t, err))
		return false;
	if (t->planes != first->planes || t->rows != first->rows ||
	    t->cols != first->cols) {
		value_text(m, i, text);
		return fail(err, "--animate: with %s %s the shape is %s, not "
			    "%s as in the first frame",
			    option_flag(m->option, flag), text,
			    shape_of(t, got), shape_of(first, want));
	}
	t->begin = first->begin;
	t->end = first->end;
	t->one_plane = first->one_plane;
	made = t->dtype;
	t->dtype = first->dtype;
	/* Before they are drawn, all frames are made once for their range. */
	if (!m->settled)
		return table_fits(t, made, err);
	if (m->lo <= m->hi) {
		t->bounds = BOUNDS_TIGHT;
		t->lo = m->lo;
		t->hi = m->hi;
	}
	return true;
}

static bool is_whole(const struct option *o)
{
	return o->kind == OPTION_COUNT || o->kind == OPTION_INTEGER ||
	       o->kind == OPTION_SEED;
}

/* The option named before '=', or that of the command. */
static bool find_option(struct animate *m, const char *text, size_t length,
			struct error *err)
{
	const struct option *options = m->args->recipe->options;

	m->option = length ? option_find(options, text, length)
			   : option_find(options, "by", 2);
	if (!length && !m->option)
		m->option = option_find(options, "start", 5);
	/* Text may be a number, for another recipe */
	if (m->option && (is_whole(m->option) ||
			  m->option->kind == OPTION_REAL ||
			  m->option->kind == OPTION_TEXT))
		return true;
	if (!length)
		return fail(err, "--animate needs the name of an option, as "
			    "in --animate NAME=A:B");
	return fail(err, "--animate: expected an option of posenc %s with a "
		    "number, got '%.*s'", m->args->recipe->name,
		    length < 60 ? (int)length : 60, text);
}

static bool parse_values(struct animate *m, const char *text,
			 struct error *err)
{
	const size_t n = strlen(text);
	char range[80];
	double at[2];

	m->log = n >= 4 && strcmp(text + n - 4, ":log") == 0;
	snprintf(range, sizeof range, "%.*s", (int)(n - (m->log ? 4 : 0)),
		 text);
	if (parse_reals(range, ':', at, 2) != 2 || !(at[0] != at[1]))
		return fail(err, "--animate must be [NAME=]A:B[:log] with two "
			    "different numbers, got '%.60s'", text);
	if (m->log && (at[0] <= 0 || at[1] <= 0))
		return fail(err, "--animate A:B:log needs A and B above 0, got "
			    "'%.60s'", text);
	m->first = at[0];
	m->last = at[1];
	m->whole = is_whole(m->option);
	m->animation.n = m->args->style.look.frame_count;
	if (!m->animation.n)
		m->animation.n = !m->log && at[0] == floor(at[0]) &&
				 at[1] == floor(at[1]) &&
				 fabs(at[1] - at[0]) <= WHOLE_MOST
				 ? (size_t)fabs(at[1] - at[0]) + 1 : FRAMES;
	return true;
}

bool animate_begin(struct animate *m, struct args *a, struct error *err)
{
	const char *text = a->style.look.animate, *equals;
	struct fields fields = a->fields;

	*m = (struct animate){ .animation.make = make_frame, .args = a };
	if (!text)
		return true;
	equals = strchr(text, '=');
	if (!find_option(m, text, equals ? (size_t)(equals - text) : 0, err) ||
	    !parse_values(m, equals ? equals + 1 : text, err))
		return false;
	m->self = table_alloc(&a->table, 1, a->recipe->size, err);
	if (!m->self)
		return false;
	memcpy(m->self, a->fields.self, a->recipe->size);
	return set_value(m, 0, &fields, err);
}

/* Each output is a PNG, or has a file per frame; none is on the terminal. */
static bool check_outputs(struct animate *m, const struct args *a,
			  struct error *err)
{
	char path[8];

	m->files = animate_path(a->outputs[0].path, 0, path, sizeof path);
	for (size_t i = 0; i < a->output_count; i++) {
		const struct output *o = &a->outputs[i];
		const char *percent = strchr(o->path, '%');
		const bool files = animate_path(o->path, 0, path, sizeof path);

		if (!o->format)
			return fail(err, "--animate makes an animated PNG "
				    "(--png FILE) or a file per frame (-o "
				    "frame%%03d.svg), not a preview");
		if (percent && (strchr(percent + 1, '%') || !files))
			return fail(err, "--animate: expected one %%d, as in "
				    "frame%%03d.%s, got %.60s", output_name(o),
				    o->path);
		if (m->files != files)
			return fail(err, "--animate: either all outputs have a "
				    "file per frame or none, got %.60s and "
				    "%.60s", a->outputs[0].path, o->path);
		if (!m->files && strcmp(output_name(o), "png") != 0 &&
		    strcmp(output_name(o), "gif") != 0)
			return fail(err, "--animate: --%s needs a file per "
				    "frame, as in -o frame%%03d.%s",
				    output_name(o), output_name(o));
	}
	return true;
}

/* One range of values for all frames. */
static bool find_range(struct animate *m, const struct look *look,
		       struct error *err)
{
	double lo, hi;
	const enum span span = look_span(look, &lo, &hi);

	if (span == SPAN_AUTO || span == SPAN_EACH)
		return fail(err, "--animate: all frames have one range; "
			    "--range must be A:B or sym, got %s", look->range);
	m->lo = HUGE_VAL;
	m->hi = -HUGE_VAL;
	for (size_t i = 0; i < m->animation.n; i++) {
		struct table t = { 0 };
		const bool good = make_frame(&m->animation, i, &t, err) &&
				  table_range(&t, &lo, &hi, err);

		table_close(&t);
		if (!good)
			return false;
		m->lo = fmin(m->lo, lo);
		m->hi = fmax(m->hi, hi);
	}
	return m->settled = true;
}

bool animate_settle(struct animate *m, struct args *a, struct error *err)
{
	if (!check_outputs(m, a, err) ||
	    !look_check(&a->style.look, &a->table, err) ||
	    !find_range(m, &a->style.look, err))
		return false;
	a->style.animation = m->files ? NULL : &m->animation;
	return !m->files ||
	       animation_size(&m->animation, &a->style.look, a->style.threads,
			      err);
}

bool animate_path(const char *path, size_t i, char *to, size_t size)
{
	const char *at = strchr(path, '%'), *end = at;
	int digits = 0;

	if (!at)
		return false;
	for (end++; *end >= '0' && *end <= '9' && digits < 10; end++)
		digits = 10 * digits + *end - '0';
	if (*end != 'd' || digits > 9)
		return false;
	snprintf(to, size, "%.*s%0*zu%s", (int)(at - path), path, digits, i,
		 end + 1);
	return true;
}
