/* models.c: what holds of every row of the table of model types. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "model/models.h"

enum { NAME = 64 };

/* Call look() with each of the names in text, which blanks separate. */
static void each_name(const char *text, const struct model *m,
		      void (*look)(const char *name, const struct model *m))
{
	char name[NAME];

	for (const char *at = text; *at; at += strspn(at, " ")) {
		const size_t n = strcspn(at, " ");

		assert_in_range(n, 1, NAME - 1);
		snprintf(name, sizeof name, "%.*s", (int)n, at);
		look(name, m);
		at += n;
	}
}

static bool has(const struct model *m, const char *name)
{
	const size_t n = strlen(name);

	for (const char *at = m->types; (at = strstr(at, name)); at += n)
		if ((at == m->types || at[-1] == ' ') &&
		    (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void is_only_row(const char *name, const struct model *m)
{
	for (const struct model *other = models; other->types; other++)
		if (other != m && has(other, name) &&
		    same(other->when, m->when))
			fail_msg("%s: two rows for the same files", name);
}

static void no_row_hides_another(void **state)
{
	(void)state;
	for (const struct model *m = models; m->types; m++)
		each_name(m->types, m, is_only_row);
}

static void has_row(const char *name, const struct model *m)
{
	for (const struct model *row = models; row->types; row++)
		if (has(row, name))
			return;
	fail_msg("%s: no row for its part %s", m->types, name);
}

static void parts_have_rows(void **state)
{
	(void)state;
	for (const struct model *m = models; m->types; m++) {
		const char *const parts[] = { m->text, m->vision, m->audio };

		for (size_t i = 0; i < 3; i++) {
			if (parts[i] && m->kind != MODEL_PARTS)
				fail_msg("%s: parts", m->types);
			if (parts[i] && *parts[i])
				has_row(parts[i], m);
		}
	}
}

static void rows_say_what_is_used(void **state)
{
	(void)state;
	for (const struct model *m = models; m->types; m++) {
		if (m->kind == MODEL_ROTARY && m->what)
			fail_msg("%s: .what of a model that rotates", m->types);
		if (m->when && !strchr(m->when, '='))
			fail_msg("%s: %s", m->types, m->when);
		if (m->refuse && !strstr(m->refuse, ": "))
			fail_msg("%s: %s", m->types, m->refuse);
	}
}

UNIT(models,
	TEST(no_row_hides_another),
	TEST(parts_have_rows),
	TEST(rows_say_what_is_used)
)
