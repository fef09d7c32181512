/* frequencies.c: what posenc rope makes of rotary positions. */
#include <string.h>

#include "model/rotary.h"
#include "recipes.h"

double *rotary_values(const struct rotary_positions *r, double length,
		      const char *out, size_t *n, struct table *owner,
		      struct error *err)
{
	const struct config text = { .owner = owner, .err = err };
	struct error ignored = { 0 };
	char base[CONFIG_NUMBER];
	const char *options = config_text(&text, "--len %.0f --dim %.0f "
					  "--rotary-dim %.0f --base %s --out "
					  "%s%s%s", length, r->head, r->dims,
					  config_digits(r->base, base), out,
					  r->scaling ? " --scaling " : "",
					  r->scaling ? r->scaling : "");
	struct table t = { 0 };
	double *x = NULL;

	if (options && recipe_open(&t, "rope", options, NULL, &ignored))
		x = table_alloc(owner, t.cols, sizeof *x, err);
	pass_memory(err, &ignored);
	if (x) {
		const double *row = t.row(&t, 0, x);

		memmove(x, row, t.cols * sizeof *x);
	}
	*n = t.cols;
	table_close(&t);
	return x;
}
