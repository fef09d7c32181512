/* The library as a page calls it (src/web), compiled for this machine. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recipes.h"
#include "test.h"
#include "web/json.h"
#include "web/web.h"

static void contains(const char *text, const char *part)
{
	assert_non_null(text);
	if (!strstr(text, part))
		fail_msg("expected %s in %s", part, text);
}

/* The tree of a text that is JSON to its end, for the caller to delete. */
static cJSON *tree(const char *text)
{
	cJSON *all = cJSON_ParseWithOpts(text, NULL, true);

	if (!all)
		fail_msg("no JSON: %s", text);
	return all;
}

/* What web_describe() says of a command. */
static void describes(const char *command, const char *part)
{
	struct web *w = web_open(command);

	assert_null(web_error(w));
	contains(web_describe(w), part);
	cJSON_Delete(tree(web_describe(w)));
	web_close(w);
}

static void commands_are_opened(void **state)
{
	struct web *w = web_open("rope --dim 4 --len 3 --out angles");
	double rows[6];
	float bytes[6];

	(void)state;
	assert_null(web_error(w));
	assert_int_equal(web_rows(w, 0, 3, rows), 0);
	assert_int_equal(web_bytes(w, 1, 2, bytes), 0);
	assert_true(rows[2] > 0 && (float)rows[2] <= bytes[0] &&
		    bytes[0] <= (float)rows[2]);
	assert_int_equal(web_rows(w, 3, 0, rows), 0);
	assert_int_equal(web_rows(w, 4, 0, rows), -1);
	assert_int_equal(web_bytes(w, 1, 3, bytes), -1);
	assert_string_equal(web_text(w, 2, 0), "2");
	assert_string_equal(web_text(w, 2, 1), "0.02");
	assert_string_equal(web_text(w, 1, 1), "0.01");
	assert_null(web_text(w, 3, 0));
	assert_null(web_text(w, 0, 2));
	web_close(w);
	web_close(NULL);
}

static void texts_are_those_of_any_row(void **state)
{
	static const struct { size_t row, col; const char *text; } asked[] = {
		{ 0, 1, "1" }, { 2, 0, "0.9092974" }, { 2, 1, "-0.41614684" },
		{ 0, 1, "1" }, { 1, 1, "0.5403023" }, { 1, 0, "0.84147096" },
	};
	struct web *w = web_open("sinusoid --len 3 --dim 2");

	(void)state;
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
		assert_string_equal(web_text(w, asked[i].row, asked[i].col),
				    asked[i].text);
	web_close(w);
}

/* Not only near enough to be rounded to the table's dtype. */
static void doubles_are_the_nearest(void **state)
{
	enum { ROWS = 100, COLS = 64 };
	struct web *w = web_open("sinusoid --len 100 --dim 64");
	double *x = calloc(ROWS * COLS, sizeof *x);

	(void)state;
	assert_int_equal(web_rows(w, 0, ROWS, x), 0);
	for (size_t i = 0; i < ROWS; i++)
		assert_true(x[i * COLS] == (double)sinl((long double)i));
	free(x);
	web_close(w);
}

/* As many as are asked for, also where they are made in several blocks. */
static void rows_are_those_asked_for(void **state)
{
	enum { FIRST = 7, ROWS = 100000, MORE = 2 * ROWS };
	struct web *w = web_open("naive --len 100007");
	double *rows = calloc(MORE, sizeof *rows);

	(void)state;
	for (size_t n = 0; n <= ROWS; n += ROWS / 2) {
		for (size_t i = 0; i < MORE; i++)
			rows[i] = -1;
		assert_int_equal(web_rows(w, FIRST, n, rows), 0);
		for (size_t i = 0; i < MORE; i++)
			if (rows[i] != (i < n ? (double)(FIRST + i) : -1))
				fail_msg("%zu rows: row %zu is %g", n, i,
					 rows[i]);
	}
	free(rows);
	web_close(w);
}

static void refusals_are_sentences(void **state)
{
	static const char *const refused[][2] = {
		{ "", "the command is empty" },
		{ "'rope", "missing closing '" },
		{ "ropes", "unknown command 'ropes' (did you mean 'rope'?)" },
		{ "rope --len 4", "--dim D is missing" },
		{ "rope --dim 4 --positions @/etc/passwd",
		  "the library reads files only with" },
		{ "t5-bucket --len 2 --table x.npy",
		  "only the program reads tables" },
		{ "similarity", "works on tables" },
		{ "embed --vocab 3 --dim 2 | rope --dim 2", "takes no table" },
		{ "embed --vocab 3 | attend", "--dim D is missing" },
		{ "embed --vocab 3 --dim 2 | attend --heads 3", "must divide" },
		{ "embed --vocab 3 --dim 2 | ", "the command is empty" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct web *w = web_open(refused[i][0]);
		double x;

		contains(web_error(w), refused[i][1]);
		assert_int_equal(web_rows(w, 0, 1, &x), -1);
		assert_null(web_text(w, 0, 0));
		assert_null(web_describe(w));
		web_close(w);
	}
}

static void tables_are_described(void **state)
{
	(void)state;
	describes("sinusoid --len 3 --dim 4 --base 10000",
		  "{\"command\":\"sinusoid --len 3 --dim 4\",");
	describes("sinusoid --len 3 --dim 2",
		  "\"wavelengths\":[6.283185307179586]");
	describes("sinusoid --len 3 --dim 4 --layout split",
		  "\"col_axis\":{\"name\":\"dimension\",\"first\":0,\"step\":1,"
		  "\"pairs\":\"split\",\"apart\":2}");
	describes("sinusoid --positions 5,-1.5 --dim 4",
		  "\"row_axis\":{\"name\":\"position\",\"labels\":[5,-1.5]}");
	describes("sinusoid --len 3 --dim 4", "\"plane_axis\":null,");
	describes("alibi --len 3 --heads 2",
		  "\"plane_axis\":{\"name\":\"head\",\"first\":0,\"step\":1}");
	describes("alibi --len 3 --heads 2", "\"wavelengths\":null");
	describes("t5-bucket --len 3", "\"value\":\"bucket\","
		  "\"halves\":\"repeated\",\"shares\":false,"
		  "\"bounds\":[0,31],");
	describes("embed --vocab 3 --dim 2 | attend --heads 2 --scheme alibi",
		  "{\"command\":\"attend - --heads 2 --scheme alibi\",");
	describes("embed --vocab 3 --dim 2 | attend",
		  "\"value\":\"weight\",\"halves\":\"alike\","
		  "\"shares\":true,\"bounds\":[0,1],");
	describes("alibi --len 3 --heads 2", "\"bounds\":null");
	describes("rope --len 3 --dim 4", "\"note\":null}");
	describes("sinusoid --len 3 --dim 4",
		  ",\"title\":\"Sinusoidal positional encoding\",\"planes\":1,"
		  "\"rows\":3,\"cols\":4,\"dtype\":\"float32\",");
}

static void encodings_are_listed(void **state)
{
	char *all = web_recipes();

	(void)state;
	contains(all, "[{\"name\":\"sinusoid\",\"summary\":");
	contains(all, "{\"name\":\"max-distance\",\"type\":\"integer\","
		 "\"arg\":\"M\",\"help\":\"maximum distance M: all "
		 "distances from M on are in the last bucket\","
		 "\"required\":false,\"default\":\"128\",\"min\":2,"
		 "\"max\":2147483648}");
	contains(all, "{\"name\":\"bidirectional\",\"type\":\"flag\","
		 "\"arg\":null,\"help\":\"");
	contains(all, "\"choices\":[\"interleaved\",\"split\"]");
	contains(all, "\"required\":true,\"min\":1,\"max\":1048576}");
	contains(all, "\"presets\":[{\"name\":\"mae\",\"options\":"
		 "\"--variant mae\",\"project\":\"facebookresearch/mae (and "
		 "DiT); MAE's models add --cls 1\",\"source\":"
		 "\"util/pos_embed.py, get_2d_sincos_pos_embed\"}");
	contains(all, "\"presets\":[]");
	contains(all, "\"presets\":[],\"guests\":{},\"start\":{"
		 "\"len\":\"64\",\"heads\":\"8\"}}");
	contains(all, "\"guests\":{\"sinusoid\":[{\"name\":\"start\",");
	assert_null(strstr(all, "\"config\""));
	free(all);
}

static void is_control(const cJSON *option)
{
	const cJSON *type = cJSON_GetObjectItem(option, "type");

	assert_true(cJSON_IsString(type));
	if (strcmp(type->valuestring, "flag") == 0)
		assert_false(cJSON_HasObjectItem(option, "min"));
}

/* Every encoding has what makes its controls. */
static void encodings_are_json(void **state)
{
	char *text = web_recipes();
	cJSON *all = tree(text);
	const cJSON *one, *option;

	(void)state;
	assert_true(cJSON_IsArray(all));
	cJSON_ArrayForEach(one, all) {
		assert_true(cJSON_IsString(cJSON_GetObjectItem(one, "name")));
		assert_true(cJSON_IsArray(cJSON_GetObjectItem(one,
							      "presets")));
		assert_non_null(cJSON_GetObjectItem(one, "options")->child);
		cJSON_ArrayForEach(option, cJSON_GetObjectItem(one, "options"))
			is_control(option);
	}
	cJSON_Delete(all);
	free(text);
}

static void colours_are_those_of_figures(void **state)
{
	char *map = web_map("viridis");

	(void)state;
	assert_int_equal(strlen(map), 256 * 6);
	assert_memory_equal(map, "440154", 6);
	assert_string_equal(map + 255 * 6, "fde725");
	free(map);
	map = web_map("gray");
	for (int i = 0; i < 256; i++) {
		char text[8];

		snprintf(text, sizeof text, "%02x%02x%02x", i, i, i);
		assert_memory_equal(map + i * 6, text, 6);
	}
	free(map);
	assert_null(web_map("virides"));
}

/* After memory was short, the same table gives all it has again. */
static void texts_come_again(void **state)
{
	struct web *w = web_open("sinusoid --len 3 --dim 4");

	(void)state;
	heap.made = 0;
	heap.due = 1;
	assert_null(web_text(w, 2, 0));
	heap.due = 0;
	assert_string_equal(web_text(w, 2, 0), "0.9092974");
	assert_non_null(web_describe(w));
	web_close(w);
}

static void texts_are_escaped(void **state)
{
	struct text t = { 0 };

	(void)state;
	put_string(&t, "a\"\\\n\x7f");
	put_string(&t, NULL);
	assert_string_equal(t.at, "\"a\\u0022\\u005c\\u000a\x7f\"null");
	t.n = 0;
	put_number(&t, HUGE_VAL);
	put_number(&t, 0.1);
	assert_string_equal(t.at, "null0.1");
	free(t.at);
}

/* Whether a command gives all it has; if not, no memory was left. */
static bool works(const char *command)
{
	struct web *w = web_open(command);
	float values[12];
	const bool good = w && !web_error(w) &&
			  web_bytes(w, 0, 3, values) == 0 &&
			  web_describe(w) && web_text(w, 2, 3);

	if (w && web_error(w))
		contains(web_error(w), "out of memory");
	web_close(w);
	return good;
}

/* No call crashes, each says what failed, and nothing is left. */
static void every_allocation_fails(void **state)
{
	char *all = NULL;

	(void)state;
	heap.live = 0;
	for (heap.due = 1, heap.made = 0;
	     !works("sinusoid --len 3 --dim 4"); heap.due++)
		heap.made = 0;
	assert_true(heap.due > 8);
	assert_int_equal(heap.live, 0);
	for (heap.due = 1, heap.made = 0;
	     !works("embed --vocab 4 --dim 2 | attend --scheme alibi");
	     heap.due++)
		heap.made = 0;
	assert_int_equal(heap.live, 0);
	for (heap.due = 1; !all; heap.due++) {
		heap.made = 0;
		all = web_recipes();
	}
	free(all);
	for (heap.due = 1, all = NULL; !all; heap.due++) {
		heap.made = 0;
		all = web_words("ko");
	}
	contains(all, "{\"position\":\"");
	free(all);
	for (heap.due = 1, all = NULL; !all; heap.due++) {
		heap.made = 0;
		all = web_map("vik");
	}
	free(all);
	assert_int_equal(heap.live, 0);
	heap.due = 0;
}

UNIT(pages,
	TEST(commands_are_opened),
	TEST(texts_are_those_of_any_row),
	TEST(doubles_are_the_nearest),
	TEST(rows_are_those_asked_for),
	TEST(refusals_are_sentences),
	TEST(tables_are_described),
	TEST(encodings_are_listed),
	TEST(encodings_are_json),
	TEST(colours_are_those_of_figures),
	TEST(texts_come_again),
	TEST(texts_are_escaped),
	TEST(every_allocation_fails)
)
