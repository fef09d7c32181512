/* laws.c: what holds of every recipe, every format and every pair of them. */
#define _GNU_SOURCE  /* mkstemps() */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/scope.h"
#include "containers/open.h"
#include "recipes.h"

/* A table and what it was made from. */
struct made {
	struct table table, inputs[2];
	struct fields fields;
	char words[512];
};

/* What views work on here: 8 positions, dense. */
static void make_input(struct table *t)
{
	struct error err = { 0 };
	double *all;

	*t = (struct table){ 0 };
	assert_true(recipe_open(t, "sinusoid", "len=8 dim=8", NULL, &err));
	all = table_alloc(t, t->rows * t->cols, sizeof *all, &err);
	assert_non_null(all);
	for (size_t i = 0; i < t->rows; i++)
		t->row(t, i, all + i * t->cols);
	table_dense(t, all);
	t->floats = NULL;
}

/* Fill in the options of a command, and inputs if it is a view. */
static void prepare(struct made *m, const struct recipe *r, const char *example)
{
	struct error err = { 0 };
	char *rest = NULL, *word;

	*m = (struct made){ .fields = { .read = format_read } };
	assert_true(recipe_begin(r, &m->table, &m->fields, &err));
	snprintf(m->words, sizeof m->words, "%s", example);
	strtok_r(m->words, " ", &rest);
	strtok_r(NULL, " ", &rest);
	while ((word = strtok_r(NULL, " ", &rest))) {
		const struct option *o;
		const char *value = "";

		if (word[0] != '-')
			continue;  /* an input's file */
		o = option_find(r->options, word + 2, strlen(word + 2));
		assert_non_null(o);
		if (o->kind != OPTION_FLAG)
			value = strtok_r(NULL, " ", &rest);
		if (!option_set(o, &m->fields, value, &err))
			fail_msg("%s", err.text);
	}
	for (size_t i = 0; i < r->inputs; i++)
		make_input(&m->inputs[i]);
}

/* The table of a recipe's own example, or of the options given. */
static void make(struct made *m, const struct recipe *r, const char *example)
{
	struct error err = { 0 };

	prepare(m, r, example);
	if (!recipe_finish(r, &m->fields, m->inputs, &m->table, &err))
		fail_msg("%s: %s", example, err.text);
}

static void made_close(struct made *m)
{
	table_close(&m->table);
	for (size_t i = 0; i < 2; i++)
		table_close(&m->inputs[i]);
}

/* What a law says of one table. */
typedef void law(struct table *t);

static void for_every_recipe(law *holds)
{
	const struct recipe *r;

	for (size_t i = 0; (r = recipe_at(i)); i++) {
		struct made m;

		if (!r->make)
			continue;
		make(&m, r, r->example);
		holds(&m.table);
		made_close(&m);
	}
}

static void rows_do_not_depend_on_order_law(struct table *t)
{
	double *once = test_calloc(t->end * t->cols, sizeof *once);
	double *scratch = test_calloc(t->cols, sizeof *scratch);

	for (size_t i = 0; i < t->end; i++)
		memcpy(once + i * t->cols, t->row(t, i, scratch),
		       t->cols * sizeof *once);
	for (size_t i = t->end; i-- > 0;)
		assert_memory_equal(once + i * t->cols, t->row(t, i, scratch),
				    t->cols * sizeof *once);
	test_free(once);
	test_free(scratch);
}

static void rows_do_not_depend_on_order(void **state)
{
	(void)state;
	for_every_recipe(rows_do_not_depend_on_order_law);
}

/* In no more scratch than is asked for, which test_free() checks. */
static void several_rows_are_those_of_each_law(struct table *t)
{
	double *row = test_calloc(t->cols, sizeof *row);

	for (enum dtype d = F64; d < I64; d++) {
		const size_t bytes = t->cols * dtype_size(d);
		void *scratch = test_malloc(table_scratch(t, d, t->end));
		unsigned char *all = test_malloc(t->end * bytes);
		unsigned char *one = test_malloc(bytes);

		table_rows(t, d, 0, t->end, scratch, all);
		for (size_t i = 0; i < t->end; i++) {
			dtype_store(d, t->row(t, i, row), t->cols, one);
			assert_memory_equal(all + i * bytes, one, bytes);
		}
		test_free(scratch);
		test_free(all);
		test_free(one);
	}
	test_free(row);
}

static void several_rows_are_those_of_each(void **state)
{
	/* Long ones, of which float32 rows are computed directly */
	static const char *const fast[] = { "sinusoid", "rope" };

	(void)state;
	for_every_recipe(several_rows_are_those_of_each_law);
	for (size_t i = 0; i < sizeof fast / sizeof *fast; i++) {
		struct table t = { 0 };
		struct error err = { 0 };

		assert_true(recipe_open(&t, fast[i], "len=600 dim=64", NULL,
					&err));
		assert_non_null(t.floats);
		several_rows_are_those_of_each_law(&t);
		table_close(&t);
	}
}

static void axes_are_named_law(struct table *t)
{
	assert_non_null(t->row_axis.name);
	assert_non_null(t->col_axis.name);
	assert_true(t->planes == 1 || t->plane_axis.name);
	assert_non_null(t->title);
}

static void axes_are_named(void **state)
{
	(void)state;
	for_every_recipe(axes_are_named_law);
}

static void elements_are_as_promised_law(struct table *t)
{
	double *scratch = test_calloc(t->cols, sizeof *scratch);

	for (size_t i = 0; i < t->end; i++) {
		const double *x = t->row(t, i, scratch);

		for (size_t j = 0; j < t->cols; j++) {
			assert_true(!isnan(x[j]));
			assert_true(dtype_holds(t->dtype, x[j]));
			assert_false(x[j] == 0 && signbit(x[j]));
			if (t->bounds != BOUNDS_NONE)
				assert_true(x[j] >= t->lo && x[j] <= t->hi);
		}
	}
	test_free(scratch);
}

static void elements_are_as_promised(void **state)
{
	(void)state;
	for_every_recipe(elements_are_as_promised_law);
}

/* Commands with options that change values. FILE: two rows below 0. */
static const char *const lines[] = {
	"sinusoid --len 9 --dim 6 --amp 3",
	"sinusoid --len 9 --dim 6 --amp-sqrt 2 --zero-row 0",
	"sinusoid --len 9 --dim 6 --angle-scale -7 --emulate bf16-all",
	"rope --len 9 --dim 6 --scaling yarn:4,2",
	"rope --len 9 --dim 6 --scaling none:attention_factor=3",
	"rope --len 9 --dim 6 --out angles --start -4",
	"rope --len 9 --dim 6 --out freqs --scaling linear:0.1",
	"rope --len 9 --dim 6 --xpos 4",
	"rope --len 9 --dim 6 --xpos 4 --downscale",
	"alibi --len 5 --heads 2 --form row",
	"alibi --len 5 --heads 2 --form causal",
	"alibi --len 5 --heads 12 --bias-max 4 --out slopes",
	"relative --len 5 --kind shaw --clip 2",
	"relative --len 5 --sign query-key",
	"t5-bucket --len 5 --causal",
	"t5-bucket --boundaries",
	"mask --len 5 --values fill:1",
	"mask --len 5 --values fill:-5",
	"mask --len 5 --values min-float16",
	"retnet --heads 3 --len 5",
	"retnet --heads 3 --len 5 --normalize none",
	"retnet --heads 3",
	"grid --grid 2x3 --dim 8 --variant detr --normalize",
	"fourier --variant nerf --points FILE --bands 3",
	"naive --kind normalized --len 5 --norm n",
	"naive --kind binary --len 5 --signed",
	"shift --dim 6 --by -3",
	"temperature --len 9 --attn-scale 0.5 --floor-scale 2",
	"embed --table FILE --ids 0,9 --oob zero",
	"embed --table FILE --ids 0,1 --multiplier -2",
	"embed --table FILE --ids 0,1 --add sinusoid",
	"embed --table FILE --ids 0,1 --layernorm",
	"embed --table FILE --ids 0,1 --max-norm 1",
	"embed --vocab 3 --dim 4 --init uniform:2,3 --padding-idx 0",
	"embed --vocab 3 --dim 4 --init uniform:-3,-2 --ids 1,9 --oob zero",
	"embed --vocab 3 --dim 4 --init normal:2 --rng numpy",
	"similarity x.npy --metric cosine",
	"similarity x.npy --metric l2",
	"similarity x.npy --curve --metric dot",
	"resize x.npy --to 12 --mode cubic",
	"resize x.npy --grid 2x4 --to 3x5",
	"attend x.npy --out logits",
	"attend x.npy --scheme retnet",
	"attend x.npy --out values",
	"attend x.npy --softcap 2 --sinks 0.5",
	"permute x.npy --heads 2 --to half",
};

static void elements_are_as_promised_with_options(void **state)
{
	char name[] = P_tmpdir "/laws-XXXXXX.csv", line[200];
	const int fd = mkstemps(name, 4);

	(void)state;
	assert_int_equal(write(fd, "-3,-2\n-1,-2\n", 12), 12);
	close(fd);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		const char *file = strstr(lines[i], "FILE");
		const size_t n = file ? (size_t)(file - lines[i])
				      : strlen(lines[i]);
		struct error err = { 0 };
		struct made m;

		snprintf(line, sizeof line, "posenc %.*s%s%s", (int)n, lines[i],
			 file ? name : "", file ? file + 4 : "");
		snprintf(m.words, sizeof m.words, "%.*s",
			 (int)strcspn(lines[i], " "), lines[i]);
		make(&m, recipe_find(m.words, &err), line);
		elements_are_as_promised_law(&m.table);
		made_close(&m);
	}
	unlink(name);
}

static void options_print_what_they_parse(void **state)
{
	const struct recipe *r;

	(void)state;
	for (size_t i = 0; (r = recipe_at(i)); i++) {
		struct table t = { 0 };
		struct fields f = { 0 };
		struct error err = { 0 };

		assert_true(recipe_begin(r, &t, &f, &err));
		for (const struct option *o = r->options; o->name; o++) {
			char room[OPTION_ROOM], text[OPTION_ROOM];

			snprintf(text, sizeof text, "%s",
				 option_text(o, f.self, room));
			if (!o->initial || o->kind == OPTION_FLAG)
				continue;
			assert_true(text[0]);
			assert_false(option_changed(o, f.self));
			assert_true(option_set(o, &f, text, &err));
			assert_string_equal(text,
					    option_text(o, f.self, room));
		}
		table_close(&t);
	}
}

enum { SEEN = 200 };  /* names of options at most */

static void is_new(const struct option *o, const char *seen[], size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		assert_string_not_equal(seen[i], o->name);
	assert_true(*n < SEEN);
	seen[(*n)++] = o->name;
	assert_non_null(o->help);
	assert_true(o->arg || o->kind == OPTION_FLAG);
	/* Nobody may type what omitted options are: 0 and, of reals, NaN. */
	if (o->kind == OPTION_COUNT && !o->initial)
		assert_true(o->min >= 1);
	if (o->kind == OPTION_PICK)
		assert_non_null(o->initial);
}

static void recipes_are_complete(void **state)
{
	const struct recipe *r;

	(void)state;
	for (size_t i = 0; (r = recipe_at(i)); i++)
		if (!r->name || !r->summary || !r->about || !r->details ||
		    !r->paper || !r->example || !r->options || !r->size ||
		    (!r->make && !r->report))
			fail_msg("recipe %zu, %s, lacks a part", i,
				 r->name ? r->name : "no name");
}

/* What posenc explore begins with are the encodings that a page shows. */
static void pages_begin_with_schemes(void **state)
{
	const struct option *o = explore_recipe.options;
	const struct recipe *r;
	size_t words = 0, shown = 0;

	(void)state;
	for (; o->words[words]; words++) {
		r = recipe_find(o->words[words], &(struct error){ 0 });
		assert_non_null(r);
		assert_non_null(r->starts);
	}
	for (size_t i = 0; (r = recipe_at(i)); i++)
		shown += r->starts != NULL;
	assert_int_equal(words, shown);
}

static void option_names_are_unique(void **state)
{
	const struct recipe *r;
	const struct format *f;
	struct option_group g;

	(void)state;
	for (size_t i = 0; (r = recipe_at(i)); i++) {
		const char *seen[SEEN];
		size_t n = 0;

		for (size_t k = 0; (f = format_at(k)); k++)
			seen[n++] = f->name;
		for (size_t k = 0; (g = scope_group(r, k)).options; k++)
			for (const struct option *o = scope_next(&g, g.options);
			     o; o = scope_next(&g, o + 1))
				if (!scope_seen(&g, o))
					is_new(o, seen, &n);
	}
}

/*
 * Rows are computed when they are asked for, so that a table of 2^40 positions
 * opens at once, or is refused at once.
 */
static void long_tables_open_at_once(void **state)
{
	const struct recipe *r;

	(void)state;
	alarm(60);
	for (size_t i = 0; (r = recipe_at(i)); i++) {
		const struct option *len = option_find(r->options, "len", 3);
		struct error err = { 0 };
		struct made m;

		if (!len || r->inputs)
			continue;
		prepare(&m, r, r->example);
		if (!option_set(len, &m.fields, "1099511627776", &err))
			fail_msg("%s: %s", r->name, err.text);
		recipe_finish(r, &m.fields, m.inputs, &m.table, &err);
		made_close(&m);
	}
	alarm(0);
}

static void is_new_suffix(const char *suffix, const char *seen[], size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(seen[i], suffix) == 0)
			fail_msg("two formats have the suffix .%s", suffix);
	seen[(*n)++] = suffix;
}

static void suffixes_are_unique(void **state)
{
	const char *seen[100];
	const struct format *f;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; (f = format_at(i)); i++) {
		is_new_suffix(f->name, seen, &n);
		for (size_t k = 0; k < READ_SUFFIXES; k++)
			if (f->read_suffixes[k])
				is_new_suffix(f->read_suffixes[k], seen, &n);
	}
}

static char scrap[] = "/tmp/posenc-law-XXXXXX";

/* Write rows begin to end of t with f; the bytes, [*n], to be freed. */
static unsigned char *written(const struct format *f, struct table *t,
			      size_t begin, size_t end, size_t *n)
{
	const struct style style = { 0 };
	struct error err = { 0 };
	unsigned char *bytes;
	struct output_file o;
	FILE *in;

	t->begin = begin;
	t->end = end;
	assert_true(out_open(&o, scrap, &err));
	f->write(&style, t, &o);
	if (!out_finish(&o, &err) || !out_publish(&o, 1, &err))
		fail_msg("%s", err.text);
	out_close(&o);
	in = fopen(scrap, "rb");
	assert_non_null(in);
	fseek(in, 0, SEEK_END);
	*n = (size_t)ftell(in);
	rewind(in);
	bytes = test_malloc(*n + 1);
	assert_int_equal(fread(bytes, 1, *n, in), *n);
	fclose(in);
	return bytes;
}

/* Rows before and behind one, written apart, are all. */
static void shards_join_at(struct table *t, size_t middle)
{
	static const char *const joinable[] = { "raw", "csv", NULL };

	for (size_t k = 0; middle && joinable[k]; k++) {
		const struct format *f = NULL;
		size_t n, first, second;
		unsigned char *whole, *a, *b;

		for (size_t i = 0; (f = format_at(i)); i++)
			if (strcmp(f->name, joinable[k]) == 0)
				break;
		whole = written(f, t, 0, t->planes * t->rows, &n);
		a = written(f, t, 0, middle, &first);
		b = written(f, t, middle, t->planes * t->rows, &second);
		assert_int_equal(first + second, n);
		assert_memory_equal(whole, a, first);
		assert_memory_equal(whole + first, b, second);
		test_free(whole);
		test_free(a);
		test_free(b);
	}
}

static void shards_join_law(struct table *t)
{
	const size_t all = t->end;

	shards_join_at(t, (all + 1) / 3);
	if (t->planes > 1)
		shards_join_at(t, t->rows);
}

/* Fails for a name that no option of the recipe has. */
static const char *names_option(const void *self, const char *name,
				size_t length, bool given)
{
	const struct recipe *r = self;

	(void)given;
	assert_non_null(recipe_option(r, name, length));
	return NULL;
}

/* A format, or an option of outputs such as --preview. */
static const char *names_output(const void *self, const char *name,
				size_t length, bool given)
{
	char path[20];

	(void)self;
	(void)given;
	snprintf(path, sizeof path, ".%.*s", (int)length, name);
	assert_true(option_find(style_options, name, length) ||
		    format_of(path, &(struct error){ 0 }));
	return NULL;
}

/* What an option needs, in every condition, is there to be typed. */
static void check_conditions(const struct option *o, value_of_option *value,
			     const void *self)
{
	struct option alone = *o;
	const char *const *w = o->word_needs;

	if (o->needs)
		for (const char *at = o->needs; at; at = strchr(at, ',')) {
			at += 2 * (*at == ',');
			alone.needs = at;
			option_applies(&alone, value, self);
		}
	for (size_t i = 0; w && o->words[i]; i++)
		if (w[i]) {
			alone.needs = w[i];
			option_applies(&alone, value, self);
		}
	if (o->excludes) {
		alone.needs = o->excludes;
		option_applies(&alone, value, self);
	}
	if (o->implied)
		assert_true(option_implied(o, value, self) >= 0);
}

static void needs_can_be_met(void **state)
{
	const struct recipe *r;

	(void)state;
	for (size_t i = 0; (r = recipe_at(i)); i++)
		for (const struct option *o = r->options; o->name; o++)
			check_conditions(o, names_option, r);
	for (const struct option *o = style_options; o->name; o++)
		check_conditions(o, names_output, NULL);
}

static void shards_join(void **state)
{
	struct made m;

	(void)state;
	for_every_recipe(shards_join_law);
	make(&m, recipe_find("t5-bucket", &(struct error){ 0 }),
	     "posenc t5-bucket --len 5 --table "
	     "tests/golden/data/t5-bucket.hf_bias.01.table.npy");
	assert_int_equal(m.table.planes, 4);
	shards_join_law(&m.table);
	made_close(&m);
}

/* But for planes, of which raw files know nothing. */
static void same_numbers(const struct table *t, const struct table *back,
			 const struct format *f)
{
	const bool planes = !f->bare;
	double *x = test_calloc(t->cols, sizeof *x);

	assert_int_equal(planes ? t->planes : 1, back->planes);
	assert_int_equal(planes ? t->rows : t->end, back->rows);
	assert_int_equal(t->cols, back->cols);
	assert_int_equal(t->dtype, back->dtype);
	for (size_t i = 0; i < t->end; i++) {
		const double *row = t->row(t, i, x);
		const double *again = back->row(back, i, NULL);

		for (size_t j = 0; j < t->cols; j++)
			if (dtype_round(t->dtype, row[j]) != again[j])
				fail_msg("%s as %s, row %zu, column %zu: wrote "
					 "%.17g as %s, read %.17g",
					 t->from.recipe->name, f->name, i, j,
					 row[j], dtype_name(t->dtype),
					 again[j]);
	}
	test_free(x);
}

static void what_is_written_reads_back_law(struct table *t)
{
	const struct format *f;
	const size_t all = t->end;

	for (size_t i = 0; (f = format_at(i)); i++) {
		const struct raw_kind raw = { t->cols, (int)t->dtype, 0, 0 };
		struct table back = { 0 };
		char name[60];
		struct error err = { 0 };
		size_t n;

		if (!f->read)
			continue;
		test_free(written(f, t, 0, all, &n));
		snprintf(name, sizeof name, "%s.%s", scrap, f->name);
		if (rename(scrap, name) != 0 ||
		    !format_read(name, &raw, &back, &err))
			fail_msg("%s: %s", f->name, err.text);
		unlink(name);
		same_numbers(t, &back, f);
		table_close(&back);
	}
}

static void what_is_written_reads_back(void **state)
{
	(void)state;
	for_every_recipe(what_is_written_reads_back_law);
}

/* Options of outputs as they are where a user gives none. */
static struct style usual_style(struct table *owner)
{
	struct style style;
	struct fields fields = { .self = &style, .owner = owner };
	struct error err = { 0 };

	memset(&style, 0, sizeof style);
	option_defaults(style_options, &fields, &err);
	return style;
}

/* Write the table, or a report on it, in all formats. */
static void write_nowhere(struct made *m, const struct report *report)
{
	const struct style style = usual_style(&m->table);
	struct error err = { 0 };
	const struct format *f;
	struct output_file o;

	for (size_t i = 0; (f = format_at(i)); i++) {
		if (report ? !f->report
			   : f->check && !f->check(&style, &m->table, &err))
			continue;
		assert_true(out_open(&o, "/dev/null", &err));
		if (report)
			f->report(&m->table, report, &o);
		else
			f->write(&style, &m->table, &o);
		assert_true(out_finish(&o, &err));
		out_close(&o);
	}
}

/* Make and write a recipe's table or report. */
static void use_recipe(void *self)
{
	const struct recipe *r = self;
	struct report report = { 0 };
	struct error err = { 0 };
	struct made m;

	prepare(&m, r, r->example);
	if (!(r->make ? recipe_finish(r, &m.fields, m.inputs, &m.table, &err)
		      : recipe_report(r, &m.fields, m.inputs, &m.table,
				      &report, &err)))
		fail_msg("%s: %s", r->example, err.text);
	write_nowhere(&m, r->make ? NULL : &report);
	made_close(&m);
}

static void nothing_stays_in_memory(void **state)
{
	struct recipe r;

	(void)state;
	for (size_t i = 0; recipe_at(i); i++) {
		r = *recipe_at(i);
		if (r.make || r.inputs)
			leaves_nothing(use_recipe, &r, r.name);
	}
}

/* The extremes of a dtype; its negative ones are their opposites. */
static const struct {
	double smallest, largest;  /* smallest subnormal or 1 */
} extremes[DTYPES] = {
	[F64] = { 0x1p-1074, 0x1.fffffffffffffp1023 },
	[F32] = { 0x1p-149, 0x1.fffffep127 },
	[F16] = { 0x1p-24, 65504 }, [BF16] = { 0x1p-133, 0x1.fep127 },
	[I64] = { 1, 0x1p53 - 1 }, [I32] = { 1, 0x1p31 - 1 },
	[I16] = { 1, 32767 }, [I8] = { 1, 127 }, [U8] = { 1, 255 },
};

/* The one value of t, written in f, read back, stored as the dtype it got. */
static double read_back(const struct format *f, struct table *t)
{
	const struct raw_kind raw = { 1, (int)t->dtype, 0, 0 };
	struct table back = { 0 };
	char name[60];
	unsigned char bytes[8];
	struct error err = { 0 };
	double x;
	size_t n;

	test_free(written(f, t, 0, 1, &n));
	snprintf(name, sizeof name, "%s.%s", scrap, f->name);
	if (rename(scrap, name) != 0 || !format_read(name, &raw, &back, &err))
		fail_msg("%s: %s", f->name, err.text);
	unlink(name);
	assert_int_equal(back.end * back.cols, 1);
	dtype_store(back.dtype, back.row(&back, 0, NULL), 1, bytes);
	dtype_load(back.dtype, bytes, 1, &x);
	table_close(&back);
	return dtype_round(t->dtype, x);
}

/* A table of x alone reads back as x, down to NaN and the sign of zero. */
static void value_survives(enum dtype d, double x)
{
	const struct style style = { 0 };
	struct error err = { 0 };
	const struct format *f;
	struct table t = { 0 };

	assert_true(recipe_open(&t, "relative", "len=1", NULL, &err));
	t.dtype = d;
	t.floats = NULL;
	table_dense(&t, &x);
	for (size_t i = 0; (f = format_at(i)); i++) {
		double y;

		if (!f->read || (f->check && !f->check(&style, &t, &err)))
			continue;
		y = read_back(f, &t);
		if (isnan(x) ? !isnan(y) : x != y ||
		    (!dtype_integer(d) && !signbit(x) != !signbit(y)))
			fail_msg("%s in %s: wrote %.17g, read %.17g",
				 dtype_name(d), f->name, x, y);
	}
	table_close(&t);
}

static void extreme_values_survive(void **state)
{
	(void)state;
	for (enum dtype d = 0; d < DTYPES; d++) {
		const double values[] = {
			0, extremes[d].smallest, extremes[d].largest,
			-extremes[d].smallest, -extremes[d].largest,
			-extremes[d].largest - 1, -0.0, (double)NAN, HUGE_VAL,
			-HUGE_VAL,
		};

		for (size_t i = 0; i < sizeof values / sizeof *values; i++)
			if (dtype_holds(d, values[i]) &&
			    !(dtype_integer(d) &&
			      fabs(values[i]) > extremes[I64].largest))
				value_survives(d, dtype_round(d, values[i]));
	}
}

static void a_full_disk_is_told_law(struct table *t)
{
	const struct style style = { 0 };
	const struct format *f;

	for (size_t i = 0; (f = format_at(i)); i++) {
		struct error err = { 0 };
		struct output_file o;

		if (f->check && !f->check(&style, t, &err))
			continue;
		assert_true(out_open(&o, "/dev/full", &err));
		f->write(&style, t, &o);
		assert_false(out_finish(&o, &err));
		assert_string_equal(err.text,
				    "/dev/full: No space left on device");
		out_close(&o);
	}
}

static void a_full_disk_is_told(void **state)
{
	(void)state;
	for_every_recipe(a_full_disk_is_told_law);
}

/* Every 16-bit pattern loads to a number that stores as the same pattern. */
static void halves_round_trip(void **state)
{
	static const enum dtype halves[] = { F16, BF16 };

	(void)state;
	for (size_t k = 0; k < 2; k++)
		for (unsigned bits = 0; bits < 65536; bits++) {
			const uint16_t in = (uint16_t)bits;
			uint16_t out;
			double x;

			dtype_load(halves[k], &in, 1, &x);
			dtype_store(halves[k], &x, 1, &out);
			if (isnan(x))
				assert_true(dtype_round(halves[k], x) !=
					    dtype_round(halves[k], x));
			else
				assert_int_equal(in, out);
		}
}

/* Between two neighbours the nearer is taken, and half way the even one. Only
   they are exact. */
static void halves_round_to_nearest_even(void **state)
{
	static const enum dtype halves[] = { F16, BF16 };
	static const unsigned greatest[] = { 0x7bff, 0x7f7f };

	(void)state;
	for (size_t k = 0; k < 2; k++)
		for (unsigned bits = 0; bits < greatest[k]; bits++) {
			const uint16_t pair[2] = { (uint16_t)bits,
						   (uint16_t)(bits + 1) };
			double x[2], middle;

			dtype_load(halves[k], pair, 2, x);
			middle = (x[0] + x[1]) / 2;
			assert_true(dtype_round(halves[k], middle) ==
				    x[bits & 1]);
			assert_true(dtype_exact(halves[k], x, 2));
			assert_false(dtype_exact(halves[k], &middle, 1));
			assert_true(dtype_round(halves[k], nextafter(middle, 0))
				    == x[0]);
			assert_true(dtype_round(halves[k],
						nextafter(middle, 1e300))
				    == x[1]);
		}
}

static int make_scrap(void **state)
{
	const int fd = mkstemp(scrap);

	(void)state;
	return fd < 0 || close(fd) != 0;
}

static int remove_scrap(void **state)
{
	(void)state;
	unlink(scrap);  /* unless a test did */
	return 0;
}

UNIT_BETWEEN(laws, make_scrap, remove_scrap,
	TEST(rows_do_not_depend_on_order),
	TEST(several_rows_are_those_of_each),
	TEST(axes_are_named),
	TEST(elements_are_as_promised),
	TEST(elements_are_as_promised_with_options),
	TEST(options_print_what_they_parse),
	TEST(recipes_are_complete),
	TEST(pages_begin_with_schemes),
	TEST(option_names_are_unique),
	TEST(long_tables_open_at_once),
	TEST(suffixes_are_unique),
	TEST(needs_can_be_met),
	TEST(shards_join),
	TEST(what_is_written_reads_back),
	TEST(nothing_stays_in_memory),
	TEST(extreme_values_survive),
	TEST(a_full_disk_is_told),
	TEST(halves_round_trip),
	TEST(halves_round_to_nearest_even)
)
