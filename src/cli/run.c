/*
 * run.c: make the table or report of a command and write its outputs, which are
 * refused, if they must be, before anything is written.
 */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/run.h"
#include "figure/curves.h"
#include "figure/plots.h"
#include "files/path.h"
#include "formats/on_demand.h"
#include "formats/report.h"
#include "text/utf8.h"
#include "text/words.h"

/*
 * Whether an output has the format of that name, or what a figure has of it;
 * values on a terminal count as CSV.
 */
static const char *output_value(const void *self, const char *name,
				size_t length, bool given)
{
	const struct args *a = self;

	(void)given;
	for (size_t i = 0; i < a->output_count; i++) {
		const struct format *f = a->outputs[i].format;

		if (text_is(name, length, (f ? f : format_at(0))->name))
			return "";
	}
	if (a->style.preview && text_is(name, length, "preview"))
		return "";
	return style_value(&a->style, name, length);
}

/* Refuse options of outputs that are not written. */
static bool check_style(const struct args *a, struct error *err)
{
	for (const struct option *o = style_options; o->name; o++)
		if (!a->style.header_only && option_changed(o, &a->style) &&
		    !option_needs(o, output_value, a, err))
			return false;
	return true;
}

/* Refuse tables beside one another where one alone is written. */
static bool check_several(const struct args *a, const struct output *p,
			  struct error *err)
{
	const struct format *f = p->format;
	const bool drawn = f && f->figure, piped = strcmp(p->path, "-") == 0;
	/* CSV to a pipe and columns on a terminal need no option */
	const bool unnamed = piped &&
			     (f ? f == format_at(0) : !a->style.preview);

	if (!a->table.beside || (f && f->several) ||
	    (drawn && !a->style.plain && !a->each))
		return true;
	if (a->each)
		return fail(err, "--out takes one value%s%s; --npz and "
			    "--safetensors hold several", unnamed ? ""
			    : " with --", unnamed ? "" : output_name(p));
	return fail(err, "%s%s takes one TABLE; several are drawn together, "
		    "with --plot lines or panels and --png, --svg or --pdf, or "
		    "written with --npz or --safetensors; -o FILE writes a "
		    "file",
		    unnamed ? "" : "--",
		    unnamed ? "standard output" : drawn ? "plain"
		    : output_name(p));
}

/* Refuse what a format cannot hold, before any file is opened. */
static bool check_output(const struct args *a, const struct output *p,
			 const struct report *report, struct error *err)
{
	const struct format *f = p->format;

	if (report && f && f->figure && a->recipe->draw)
		return f->check(&a->style, &a->table, err);
	if (report && f && !f->report)
		return fail(err, "--%s cannot hold a report%s; use --json FILE",
			    f->name,
			    a->models ? ", and models have no figure" : "");
	if (report)
		return true;
	if (!check_several(a, p, err))
		return false;
	if (a->table.kept && !(f && f->keeps))
		return fail(err, "--keep writes a safetensors file (-o "
			    "FILE.safetensors), got %s%s", f ? "--" : "",
			    f ? f->name : "a terminal");
	if (!f)
		return !a->style.preview ||
		       (look_check_whole(&a->style.look, "--preview", err) &&
			look_check(&a->style.look, &a->table, err));
	return !f->check || f->check(&a->style, &a->table, err);
}

/* Refuse to replace a table by a report about it. */
static bool check_inputs(const struct args *a, const struct output_file *o,
			 const char *name, struct error *err)
{
	struct stat is;

	for (size_t i = 0; i < a->input_count; i++)
		if (stat(a->input_paths[i], &is) == 0 && S_ISREG(is.st_mode) &&
		    same_file(&is, &o->target.is))
			return fail(err,
				    "--%s: the report would replace its TABLE, "
				    "%.200s",
				    name, o->path);
	return true;
}

/* Refuse an open output, the last of n, that is known to fail. */
static bool check_open(const struct args *a, const struct report *report,
		       struct output_file *outs, size_t n, struct error *err)
{
	const struct output_file *o = &outs[n - 1];
	const struct output *p = a->outputs;
	const struct format *f = p[n - 1].format;
	bool exact;

	if (f && f->binary && isatty(o->target.fd))
		return fail(err,
			    "--%s: binary output is not written to a "
			    "terminal; name a file or use a pipe",
			    f->name);
	for (size_t i = 0; i + 1 < n; i++)
		if (target_same(&outs[i].target, &o->target))
			return fail(err,
				    "--%s and --%s name the same file, %.200s",
				    output_name(&p[i]), output_name(&p[n - 1]),
				    o->path);
	if (report && !check_inputs(a, o, output_name(&p[n - 1]), err))
		return false;
	return report || !f || !f->size ||
	       out_expect(outs, n, f->size(&a->table, &exact), err);
}

/* Of the planes, keep the one that --head names. */
static bool select_plane(const struct args *a, struct table *t,
			 struct error *err)
{
	const size_t head = (size_t)a->style.head.value;

	if (!a->style.head.given)
		return true;
	if (!t->plane_axis.name)
		return fail(err, "--head needs a table of several planes, but "
			    "this one has two dimensions");
	if (head >= t->planes)
		return fail(err, "--head must be between 0 and %zu, got %zu",
			    t->planes - 1, head);
	t->one_plane = true;
	t->begin = head * t->rows;
	t->end = t->begin + t->rows;
	return true;
}

/* Keep the rows and the dtype that are asked for. */
static bool select_part(const struct args *a, struct table *t,
			struct error *err)
{
	const struct style *s = &a->style;
	struct range rows = s->rows;
	char text[RANGE_TEXT];

	if (!select_plane(a, t, err))
		return false;
	if (!range_fill(&rows, t->end - t->begin))
		return fail(err,
			    "--rows must be A:B with A less than B, "
			    "within 0:%zu, got %s",
			    t->end - t->begin, range_text(&s->rows, text));
	if (s->rows.given && t->beside && !a->each)
		return fail(err, "--rows applies to one TABLE; use --select "
			    "for rows of each");
	t->end = t->begin + (size_t)rows.last;
	t->begin += (size_t)rows.first;
	if (s->dtype != NO_CHOICE)
		t->dtype = (enum dtype)(s->dtype % DTYPES);
	return true;
}

static bool select_rows(struct args *a, struct error *err)
{
	struct table *t = &a->table;
	double sum;

	a->made[0] = t->dtype;
	a->style.look.digits = (int)a->style.precision;
	if (!select_part(a, t, err))
		return false;
	for (size_t i = 0; i < a->other_count; i++) {
		a->made[i + 1] = a->others[i].dtype;
		if (!select_part(a, &a->others[i], err))
			return false;
	}
	/* The sum of two values that are added to others */
	sum = 2 * t->addend;
	return dtype_integer(t->dtype) || !dtype_holds(t->dtype, t->addend) ||
	       (!isinf(sum) && dtype_holds(t->dtype, sum)) ||
	       table_note(t, err, "%.8g and %.8g add up to infinity in %s, and "
			  "a row of -inf is NaN after softmax", t->addend,
			  t->addend, dtype_name(t->dtype));
}

static bool open_outputs(const struct args *a, const struct report *report,
			 struct output_file *outs, size_t *n, struct error *err)
{
	for (size_t i = 0; i < a->output_count; i++)
		if (!check_output(a, &a->outputs[i], report, err))
			return false;
	while (*n < a->output_count) {
		if (!out_open(&outs[*n], a->outputs[*n].path, err))
			return false;
		outs[*n].target.sync = a->style.sync;
		++*n;
		if (!check_open(a, report, outs, *n, err))
			return false;
	}
	return true;
}

/*
 * Where no format was named: a table or report for a reader. Curves would tell
 * nothing as a heat map of their columns.
 */
static void show(const struct args *a, const struct report *report,
		 struct output_file *o)
{
	const struct terminal on = terminal_query();

	if (report)
		report_show(report, o);
	else if (a->style.preview &&
		 !curves_suit(&a->style.look, &a->table))
		preview_picture(&a->style.look, &a->table, &on, o);
	else
		preview_numbers(&a->style, &a->table, &on, o);
}

/* Pass on what an output has to say, unless another has said it. */
static bool pass_note(struct args *a, const char *note, struct error *err)
{
	const char *said = a->table.from.note;

	return !note[0] || (said && strstr(said, note)) ||
	       table_note(&a->table, err, "%s", note);
}

/* Pass on what the inputs have to say. */
static bool pass_inputs(struct args *a, struct error *err)
{
	bool good = true;

	for (size_t i = 0; good && i < a->input_count; i++)
		good = !a->inputs[i].from.note ||
		       pass_note(a, a->inputs[i].from.note, err);
	for (size_t i = 0; good && i < a->figure_count; i++) {
		struct args *one = &a->figures[i];

		good = pass_inputs(one, err) && (!one->table.from.note ||
			pass_note(a, one->table.from.note, err));
	}
	return good;
}

/* Whether the inputs whose values are in their files are as they were. */
static bool inputs_unchanged(const struct args *a, struct error *err)
{
	bool good = true;

	for (size_t i = 0; good && i < a->input_count; i++)
		good = on_demand_check(&a->inputs[i], err);
	for (size_t i = 0; good && i < a->figure_count; i++)
		good = inputs_unchanged(&a->figures[i], err);
	return good;
}

/* Whether someone waits at a terminal for what is said of this run. */
static bool is_watched(const struct style *style)
{
	return !style->quiet && isatty(STDERR_FILENO);
}

/* Note that the file is written, with its size if it is no report: "512 x 512
   float32", or as the format says it. Frames are noted together. */
static bool note_written(struct args *a, bool reports,
			 const struct output_file *o, struct error *err)
{
	const bool frame = a->style.look.animate && !a->style.animation;
	char path[4 * PATH_MAX], text[SHAPE_TEXT];
	size_t shape[3], rank, n = 0;

	if (!o->target.regular || frame || !is_watched(&a->style))
		return true;
	utf8_show(o->path, SIZE_MAX, path, sizeof path);
	snprintf(text, sizeof text, "%s", o->extent);
	if (!text[0] && !reports) {
		rank = table_shape(&a->table, shape);
		for (size_t i = 0; i < rank; i++)
			n += (size_t)snprintf(text + n, sizeof text - n,
					      "%zu%s", shape[i],
					      i + 1 < rank ? " x " : " ");
		snprintf(text + n, sizeof text - n, "%s",
			 dtype_name(a->table.dtype));
	}
	return table_note(&a->table, err, text[0] ? "wrote %s (%s)"
			  : "wrote %s", path, text);
}

/* Write all, then publish all: if one cannot be written, none appears. */
static bool write_outputs(struct args *a, const struct report *report,
			  struct output_file *outs, struct error *err)
{
	bool good = true;

	for (size_t i = 0; good && i < a->output_count; i++) {
		const struct format *f = a->outputs[i].format;

		if (!f)
			show(a, report, &outs[i]);
		else if (report && f->report)
			f->report(&a->table, report, &outs[i]);
		else
			f->write(&a->style, &a->table, &outs[i]);
		good = out_finish(&outs[i], err) &&
		       pass_note(a, outs[i].note, err) &&
		       note_written(a, report, &outs[i], err);
	}
	return good && inputs_unchanged(a, err) && pass_inputs(a, err) &&
	       out_publish(outs, a->output_count, err);
}

/* Whether the values of the tables are among those of their dtypes. */
static bool tables_fit(const struct args *a, struct error *err)
{
	bool good = table_fits(&a->table, a->made[0], err);

	for (size_t i = 0; good && i < a->other_count; i++)
		good = table_fits(&a->others[i], a->made[i + 1], err);
	return good;
}

static bool write_all(struct args *a, const struct report *report,
		      struct error *err)
{
	/* Not on the stack, which may be small */
	struct output_file *outs = table_alloc(&a->table, a->output_count,
					       sizeof *outs, err);
	size_t n = 0;
	bool good = outs && open_outputs(a, report, outs, &n, err);

	/* This may take long: sizes have been checked before. */
	good = good && (report || tables_fit(a, err));
	/* A bar, if standard error is a terminal and no output is */
	a->style.progress = good && is_watched(&a->style);
	for (size_t i = 0; a->style.progress && i < n; i++)
		a->style.progress = !isatty(outs[i].target.fd);
	good = good && write_outputs(a, report, outs, err);
	while (n)
		out_close(&outs[--n]);
	return good;
}

/* A picture or values for a terminal, CSV for everything else. */
static bool default_output(struct args *a, struct error *err)
{
	const bool preview = a->style.preview || isatty(STDOUT_FILENO);

	if (a->style.header_only)
		return args_output(a, format_of("header.npy", err), "-", err);
	if (a->output_count && !a->style.preview)
		return true;
	return args_output(a, preview ? NULL : format_at(0), "-", err);
}

/* --dry-run: describe each output on standard output; write none. */
static bool describe_all(const struct args *a, struct error *err)
{
	const struct table *t = &a->table;
	size_t shape[3];
	const size_t rank = table_shape(t, shape);  /* of the rows asked for */
	char path[4 * PATH_MAX], text[SHAPE_TEXT];
	struct output_file o;
	bool good, exact;

	for (size_t i = 0; i < a->output_count; i++)
		if (!check_output(a, &a->outputs[i], NULL, err))
			return false;
	if (!tables_fit(a, err) || !out_open(&o, "-", err))
		return false;
	for (const struct output *p = a->outputs;
	     p < a->outputs + a->output_count; p++) {
		utf8_show(p->path, SIZE_MAX, path, sizeof path);
		out_text(&o, strcmp(p->path, "-") ? path : "standard output");
		out_format(&o, ": %s, %s %s", output_name(p),
			   shape_text(shape, rank, text), dtype_name(t->dtype));
		if (p->format && p->format->size) {
			const size_t size = p->format->size(t, &exact);

			out_format(&o, ", %s%zu bytes",
				   exact ? "" : "at least ", size);
		}
		out_text(&o, "\n");
	}
	good = out_finish(&o, err);
	out_close(&o);
	return good;
}

/* The path of file i, of which each frame has one for each output. */
static void frame_path(const struct args *a, size_t i, char path[PATH_ROOM])
{
	animate_path(a->outputs[i % a->output_count].path,
		     i / a->output_count, path, PATH_ROOM);
}

/* Write frame i to files of its own. */
static bool write_frame(struct args *a, const struct animate *m, size_t i,
			struct error *err)
{
	const struct table first = a->table;
	struct output patterns[OUTPUTS_MOST];
	struct table t = { 0 };
	char *path = table_alloc(&t, a->output_count, PATH_ROOM, err);
	bool good = path && m->animation.make(&m->animation, i, &t, err);

	memcpy(patterns, a->outputs, sizeof patterns);
	for (size_t k = 0; good && k < a->output_count; k++) {
		frame_path(a, i * a->output_count + k, path);
		a->outputs[k].path = path;
		path += PATH_ROOM;
	}
	t.from.note = NULL;  /* that of the first frame is shown */
	a->table = t;
	good = good && write_all(a, NULL, err);
	t = a->table;
	a->table = first;
	good = good && (!t.from.note || pass_note(a, t.from.note, err));
	table_close(&t);
	memcpy(a->outputs, patterns, sizeof patterns);
	return good;
}

/*
 * Try the files of n frames before the first replaces an older one; not pipes,
 * whose readers would notice.
 */
static bool try_frames(const struct args *a, size_t n, struct error *err)
{
	char path[PATH_ROOM];
	struct output_file o;
	struct stat is;

	for (size_t i = 0; i < n * a->output_count; i++) {
		frame_path(a, i, path);
		if (stat(path, &is) == 0 && !S_ISREG(is.st_mode) &&
		    !S_ISDIR(is.st_mode))
			continue;
		if (!out_open(&o, path, err))
			return false;
		out_close(&o);
	}
	return true;
}

/* Remove the files of the first n frames, since not all could be written. */
static void remove_frames(const struct args *a, size_t n)
{
	char path[PATH_ROOM];
	struct stat is;

	for (size_t i = 0; i < n * a->output_count; i++) {
		frame_path(a, i, path);
		if (lstat(path, &is) == 0 && S_ISREG(is.st_mode))
			unlink(path);
	}
}

static bool write_frames(struct args *a, const struct animate *m,
			 struct error *err)
{
	const size_t n = m->animation.n, outputs = a->output_count;
	char first[PATH_ROOM], last[PATH_ROOM];
	bool good = try_frames(a, n, err);

	for (size_t i = 0; good && i < n; i++) {
		good = write_frame(a, m, i, err);
		if (!good)
			remove_frames(a, i);
	}
	/* As note_written() does of other files */
	for (size_t i = 0; good && is_watched(&a->style) && i < outputs; i++) {
		frame_path(a, i, first);
		frame_path(a, i + (n - 1) * outputs, last);
		table_note(&a->table, &(struct error){ 0 },
			   "wrote %zu files, %s to %s", n, first, last);
	}
	return good;
}

/* The fields of another table: those of the first, but for a word of --out. */
static bool begin_other(const struct args *a, const char *word,
			struct table *t, struct fields *fields,
			struct error *err)
{
	*fields = a->fields;
	t->from.name = word;
	t->from.reads_files = true;
	if (!recipe_begin(a->recipe, t, fields, err))
		return false;
	memcpy(fields->self, a->fields.self, recipe_room(a->recipe));
	return option_set(a->each->option, fields, word, err);
}

/* The command of all tables, of which t has the first word of --out. */
static bool name_each(const struct args *a, struct table *t, struct error *err)
{
	static const char flag[] = " --out ";
	const char *command = t->from.command, *text = a->each->text;
	const size_t first = strcspn(text, ","), n = sizeof flag - 1;
	const char *at = strstr(command, flag);
	const size_t room = strlen(command) + n + strlen(text) + 1;
	char *line = table_alloc(t, room, 1, err);

	if (!line)
		return false;
	if (at)
		snprintf(line, room, "%.*s%s%s%s", (int)(at - command), command,
			 flag, text, at + n + first);
	else
		snprintf(line, room, "%s%s%s", command, flag, text);
	t->from.command = line;
	return true;
}

/* The word before the next comma of *words, which becomes what is behind it. */
static char *cut_word(char **words)
{
	char *word = *words, *comma = strchr(word, ',');

	*words = comma ? comma + 1 : NULL;
	if (comma)
		*comma = '\0';
	return word;
}

/*
 * Make the table of the command; with --out A,B one of each word, beside one
 * another. Their fields are copied before any table is made, which may change
 * them.
 */
static bool make_tables(struct args *a, struct error *err)
{
	struct fields fields[BESIDE_MOST];
	char *words = a->each ? table_copy(&a->table, a->each->text, err)
			      : NULL;
	size_t n = 0;  /* others */

	if (words && a->table.beside)
		return fail(err, "--out takes one value beside TABLEs");
	a->table.from.name = words ? cut_word(&words) : NULL;
	for (; words; n++)
		if (n == BESIDE_MOST - 1)
			return fail(err, "--out takes up to %d values",
				    BESIDE_MOST);
		else if (!begin_other(a, cut_word(&words), &a->others[n],
				      &fields[n], err))
			return false;
	if (!recipe_finish(a->recipe, &a->fields, a->inputs, &a->table, err))
		return false;
	a->other_count = n;
	for (size_t i = 0; i < n; i++) {
		(i ? &a->others[i - 1] : &a->table)->beside = &a->others[i];
		if (!recipe_finish(a->recipe, &fields[i], a->inputs,
				   &a->others[i], err))
			return false;
	}
	return !a->each || name_each(a, &a->table, err);
}

static bool run_table(struct args *a, struct error *err)
{
	struct animate m;

	if (!animate_begin(&m, a, err) || !make_tables(a, err) ||
	    !select_rows(a, err))
		return false;
	if (!default_output(a, err) || !check_style(a, err))
		return false;
	if (!a->style.plain)
		look_choose(&a->style.look, &a->table);
	if (m.option && a->each)
		return fail(err, "--animate takes one value of --out");
	if (m.option && !animate_settle(&m, a, err))
		return false;
	if (a->style.dry_run)
		return describe_all(a, err);
	return m.files ? write_frames(a, &m, err) : write_all(a, NULL, err);
}

/* Refuse options that only apply to tables. */
static bool check_report(const struct args *a, struct error *err)
{
	if (a->style.dry_run)
		return fail(err,
			    "--dry-run applies to tables, not to a report");
	if (a->style.rows.given)
		return fail(err,
			    "--rows applies to tables, not to a report; use "
			    "--select for rows of TABLE");
	if (a->style.look.animate)
		return fail(err,
			    "--animate applies to tables, not to a report");
	for (const struct option *o = style_options; o->name; o++) {
		const bool draws = o->needs && strstr(o->needs, "png");
		char flag[40];

		if (o->role != ROLE_PROGRAM && option_changed(o, &a->style) &&
		    !(a->recipe->draw && draws))
			return fail(err,
				    "%s applies to tables, not to a report",
				    option_flag(o, flag));
	}
	return check_style(a, err);
}

/*
 * Make the table of the figures beside a report, if there are any. The report
 * is shown, too, unless standard output or another format takes it, or the exit
 * status is all that is asked for.
 */
static bool add_figures(struct args *a, struct error *err)
{
	const bool lines = strcmp(plot_name(&a->style.look), "lines") == 0;
	size_t figures = 0;
	bool piped = false;

	for (size_t i = 0; i < a->output_count; i++) {
		figures += a->outputs[i].format->figure;
		piped |= strcmp(a->outputs[i].path, "-") == 0;
	}
	if (figures == a->output_count && !piped && !a->style.quiet)
		a->outputs[a->output_count++] = (struct output){NULL, "-"};
	return !figures || !a->recipe->draw ||
	       recipe_draw(a->recipe, &a->fields, a->inputs, lines, &a->table,
			   err);
}

static bool run_report(struct args *a, bool *no, struct error *err)
{
	struct report report = {0};

	if (a->each)
		return fail(err, "--out takes one value in a report");
	if (!check_report(a, err) ||
	    !recipe_report(a->recipe, &a->fields, a->inputs, &a->table, &report,
			   err) ||
	    !inputs_unchanged(a, err) || !add_figures(a, err))
		return false;
	*no = report.no;
	return write_all(a, &report, err);
}

/* Make the table that the figure of a report shows. */
static bool draw_report(struct args *a, struct error *err)
{
	const bool lines = strcmp(plot_name(&a->style.look), "lines") == 0;
	struct report report = { 0 };

	if (!a->recipe->draw)
		return fail(err, "posenc %s makes a report, which has no "
			    "figure", a->recipe->name);
	return check_report(a, err) &&
	       recipe_report(a->recipe, &a->fields, a->inputs, &a->table,
			     &report, err) &&
	       recipe_draw(a->recipe, &a->fields, a->inputs, lines, &a->table,
			   err);
}

bool run_figure(struct args *a, struct error *err)
{
	if (recipe_reports(a->recipe, a->fields.self))
		return draw_report(a, err) &&
		       look_check(&a->style.look, &a->table, err);
	if (a->each)
		return fail(err, "--out takes one value in a figure");
	if (!recipe_finish(a->recipe, &a->fields, a->inputs, &a->table, err) ||
	    !select_rows(a, err) || !check_style(a, err))
		return false;
	look_choose(&a->style.look, &a->table);
	return look_check(&a->style.look, &a->table, err) &&
	       look_check_planes(&a->table, err) &&
	       tables_fit(a, err);
}

bool run_command(struct args *a, bool *no, struct error *err)
{
	return recipe_reports(a->recipe, a->fields.self)
		       ? run_report(a, no, err)
		       : run_table(a, err);
}
