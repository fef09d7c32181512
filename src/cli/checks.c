/* checks.c: outputs are refused before anything is written. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/checks.h"
#include "conversions/conversions.h"
#include "files/path.h"
#include "text/words.h"

/*
 * Whether an output has the format of that name, or has cells or frames;
 * values on a terminal count as CSV.
 */
static bool has_output(const void *self, const char *name, size_t length)
{
	const struct args *a = self;

	for (size_t i = 0; i < a->output_count; i++) {
		const struct format *f = a->outputs[i].format;
		const char *known = f ? f->name : format_at(0)->name;

		if (text_is(name, length, known))
			return true;
	}
	return style_has(&a->style, name, length) ||
	       (a->style.preview && text_is(name, length, "preview"));
}

bool check_style(const struct args *a, struct error *err)
{
	for (const struct option *o = style_options; o->name; o++)
		if (o->needs && !a->style.header_only &&
		    option_changed(o, &a->style) &&
		    !option_needs(o, has_output, a, err))
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
	    (drawn && !a->style.plain))
		return true;
	return fail(err, "%s%s takes one TABLE; several are drawn together, "
		    "with --plot lines or panels and --png, --svg or --pdf; "
		    "-o FILE writes a file", unnamed ? "" : "--",
		    unnamed ? "standard output" : drawn ? "plain"
		    : output_name(p));
}

bool check_output(const struct args *a, const struct output *p,
		  const struct report *report, struct error *err)
{
	const struct format *f = p->format;

	if (report && f && f->figure && a->recipe->draw)
		return f->check(&a->style, &a->table, err);
	if (report && f && !f->report)
		return fail(err, "--%s cannot hold a report%s; use --json FILE",
			    f->name, a->recipe == &compare_models_recipe
			    ? ", and models have no figure" : "");
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

bool check_open(const struct args *a, const struct report *report,
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
