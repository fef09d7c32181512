/* cosines.c: from which position on the cosines of two models differ. */
#include <math.h>

#include "conversions/conversions.h"
#include "model/config.h"
#include "waves/apart.h"

/* Positions that are compared where no context is known. */
#define UNKNOWN_END 0x1p20

/* Note the positions at which these differ in a context of that length. */
static bool compare_at(struct conversion *c, const struct rotary_positions *a,
		       const struct rotary_positions *b, double length)
{
	const double longest = positions_longest(c);
	const double end = longest > 1 ? fmax(longest, length) : UNKNOWN_END;
	struct cosines *to = &c->cosines;
	double *of[2][2];
	size_t n[2][2];

	for (size_t i = 0; i < 4; i++)
		of[i / 2][i % 2] = rope_values(c, i % 2 ? b : a, length,
					       i < 2 ? "freqs" : "cos",
					       &n[i / 2][i % 2]);
	if (!of[0][0] || !of[0][1] || !of[1][0] || !of[1][1] ||
	    n[0][0] != n[0][1] || n[1][0] != n[1][1] ||
	    (frequencies_near(of[0][0], of[0][1], n[0][0], SAME_FREQUENCY) &&
	     frequencies_near(of[1][0], of[1][1], n[1][0], SAME_FREQUENCY)))
		return false;
	for (size_t i = 0; i < 2; i++)
		to->factor[i] = of[1][i][0];
	for (size_t k = 0; k < APART_LIMITS; k++) {
		const double first = apart_first(
			&(struct apart_cosines){ of[0][0], to->factor[0] },
			&(struct apart_cosines){ of[0][1], to->factor[1] },
			n[0][0], apart_limits[k].most, end);

		if (!to->known || first < to->first[k])
			to->first[k] = first;
	}
	to->known = true;
	to->length = length;
	to->end = end;
	return true;
}

void cosines_compare(struct conversion *c, const struct rotary_positions *a,
		     const struct rotary_positions *b)
{
	const double longest = positions_longest(c);

	if (!compare_at(c, a, b, longest) && !compare_at(c, a, b, 1))
		compare_at(c, a, b, 2 * longest);
}

void cosines_say(struct conversion *c)
{
	const struct cosines *x = &c->cosines;
	const char *text = "", *as = "";
	char a[CONFIG_NUMBER], b[CONFIG_NUMBER];

	if (!x->known)
		return;
	if (!(x->first[APART_LIMITS - 1] > 0))
		text = " from position 0";
	else for (size_t k = 0; k < APART_LIMITS; k++)
		text = text_of(c, x->first[k] < x->end
			       ? "%s%s than %s from position %.0f"
			       : "%s%s than %s at no position before %.0f",
			       text, k ? ", by more" : " by more",
			       apart_limits[k].words, x->first[k]);
	if (config_differs(x->factor[0], x->factor[1]))
		as = text_of(c, ": they are multiplied by %s in A, by %s in B",
			     config_digits(x->factor[0], a),
			     config_digits(x->factor[1], b));
	say(c, &c->also, "%scosines differ%s%s",
	    x->length > positions_longest(c)
	    ? text_of(c, "in a context of %.0f, ", x->length)
	    : x->length < positions_longest(c) ? "in short contexts, " : "",
	    text, as);
}

void cosines_report(const struct conversion *c, struct report *r)
{
	if (!c->cosines.known)
		return;
	report_group(r, "cosines_differ_from_position");
	apart_report(c->cosines.first, c->cosines.end, r);
}
