/* pairs.c: tables of queries by keys. */
#include "core/pairs.h"

bool pairs_shape(const struct pairs *p, struct table *t, struct error *err)
{
	t->rows = p->query_len ? p->query_len : p->len;
	t->cols = p->key_len ? p->key_len : p->len;
	if (!t->rows || !t->cols)
		return fail(err, "--len N is missing (or --query-len Q and "
			    "--key-len K)");
	t->down = (struct axis){ .name = "query", .step = 1 };
	t->across = (struct axis){ .name = "key", .step = 1 };
	return true;
}
