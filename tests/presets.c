/* presets.c: what holds of every preset and heading of every recipe. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "recipes.h"

/* Set the options in text, as a user would type them. */
static void set(const struct recipe *r, const char *text)
{
	struct table t = { 0 };
	struct fields f = { 0 };
	struct error err = { 0 };
	char copy[400];

	snprintf(copy, sizeof copy, "%s", text);
	assert_true(recipe_begin(r, &t, &f, &err));
	if (!recipe_set_all(r, &f, copy, &err))
		fail_msg("%s: %s", text, err.text);
	table_close(&t);
}

/*
 * Whether text has a release, "v0.12.3", or a commit, "debc9fd", at the start
 * of a word.
 */
static bool names_a_version(const char *text)
{
	for (const char *c = text; *c; c++) {
		const char last = c == text ? ' ' : c[-1];

		if (last == ' ' && (strspn(c, "0123456789abcdef") == 7 ||
				    (*c == 'v' && strspn(c + 1, "0123456789"))))
			return true;
	}
	return false;
}

static void presets_are_options_of_their_recipe(void **state)
{
	const struct recipe *r;

	(void)state;
	for (size_t i = 0; (r = recipe_at(i)); i++)
		for (const struct preset *p = r->presets; p && p->name; p++) {
			char name[80];

			assert_non_null(p->project);
			assert_non_null(p->source);
			if (!names_a_version(p->version))
				fail_msg("%s: no version", p->name);
			snprintf(name, sizeof name, "preset=%s", p->name);
			set(r, name);
			set(r, p->options);
			set(r, p->also ? p->also : "");
		}
}

static void a_recipe_with_presets_has_the_option(void **state)
{
	const struct recipe *r;

	(void)state;
	for (size_t i = 0; (r = recipe_at(i)); i++)
		assert_int_equal(r->presets != NULL,
				 option_find(r->options, "preset", 6) != NULL);
}

/* One of them has no names: it takes the options of no other. */
static void headings_name_options_of_their_recipe(void **state)
{
	const struct recipe *r;

	(void)state;
	for (size_t i = 0; (r = recipe_at(i)); i++) {
		const struct option_heading *h = r->headings;
		size_t others = 0;

		for (; h && h->title; h++) {
			others += !h->options;
			for (const char *at = h->options; at && *at;
			     at += strspn(at, " ")) {
				const size_t n = strcspn(at, " ");

				if (!option_find(r->options, at, n))
					fail_msg("%s: %s: %s", r->name,
						 h->title, at);
				at += n;
			}
		}
		assert_int_equal(others, r->headings != NULL);
	}
}

static void the_library_takes_presets(void **state)
{
	struct pe_table *a = open_table("sinusoid",
					"preset=fairseq len=4 dim=4 layout="
					"interleaved");
	struct pe_table *b = open_table("sinusoid", "len=4 dim=4 denom=half-1 "
					"zero-row=1");
	double *x = all_numbers(a), *y = all_numbers(b);

	(void)state;
	assert_memory_equal(x, y, 16 * sizeof *x);
	refuse("sinusoid", "preset=wisper len=4 dim=4",
	       "unknown preset 'wisper' (did you mean 'whisper'?); 'posenc "
	       "presets' lists them, and --config FILE takes a model's "
	       "config.json or GGUF file");
	test_free(x);
	test_free(y);
	pe_close(a);
	pe_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(presets_are_options_of_their_recipe),
		cmocka_unit_test(a_recipe_with_presets_has_the_option),
		cmocka_unit_test(headings_name_options_of_their_recipe),
		cmocka_unit_test(the_library_takes_presets),
	};

	return cmocka_run_group_tests_name("presets", tests, NULL, NULL);
}
