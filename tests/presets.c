/* presets.c: what holds of every preset of every recipe. */
#include "test.h"

#include <string.h>

#include "recipes.h"

static void presets_are_options_of_their_recipe(void **state)
{
	const struct recipe *r;

	(void)state;
	for (size_t i = 0; (r = recipe_at(i)); i++)
		for (const struct preset *p = r->presets; p && p->name; p++) {
			struct table t = { 0 };
			struct fields f = { 0 };
			struct error err = { 0 };
			struct preset also = { 0 };

			assert_non_null(p->project);
			assert_non_null(p->source);
			assert_ptr_equal(preset_find(r, p->name, &err), p);
			assert_true(recipe_begin(r, &t, &f, &err));
			if (!preset_set(r, &f, p, &err))
				fail_msg("%s: %s", p->name, err.text);
			also.options = p->also ? p->also : "";
			if (!preset_set(r, &f, &also, &err))
				fail_msg("%s: %s", p->name, err.text);
			table_close(&t);
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

static void the_library_takes_presets(void **state)
{
	struct pe_table *a = open_table("sinusoid",
					"preset=fairseq len=4 dim=4 layout="
					"interleaved");
	struct pe_table *b = open_table("sinusoid", "len=4 dim=4 denom=half-1 "
					"zero-row=1");
	double *x = all_numbers(a), *y = all_numbers(b);
	char why[PE_WHY];

	(void)state;
	assert_memory_equal(x, y, 16 * sizeof *x);
	assert_null(pe_open("sinusoid", "preset=wisper len=4 dim=4", why));
	assert_string_equal(why, "no preset 'wisper' (did you mean "
			    "'whisper'?)");
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
		cmocka_unit_test(the_library_takes_presets),
	};

	return cmocka_run_group_tests_name("presets", tests, NULL, NULL);
}
