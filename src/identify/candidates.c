/* candidates.c: the report on all matches, ranked by likelihood. */
#include <math.h>

#include "identify/fit.h"

const char *grade_name(const struct match *m)
{
	static const char *const names[] = {
		[GRADE_CLOSE] = "close",
		[GRADE_ROUNDING] = "rounding",
		[GRADE_EXACT] = "exact",
	};

	return m->wrongs ? "all but few" : names[m->grade];
}

/* Likelihoods of matches, up to a factor; their sum. Exact ones share. */
static double likelihoods(const struct search *s, double weight[MAX_MATCHES])
{
	const bool exact = search_has_exact(s, 0);
	double least = HUGE_VAL, sum = 0;

	for (size_t k = 0; k < s->n; k++)
		least = fmin(least, match_cost(s->profile, &s->matches[k]));
	for (size_t k = 0; k < s->n; k++) {
		const struct match *m = &s->matches[k];

		weight[k] = exact ? m->exact
				  : exp(least - match_cost(s->profile, m));
		sum += weight[k];
	}
	return sum;
}

void report_candidates(const struct search *s, struct report *r)
{
	double weight[MAX_MATCHES];
	const double sum = likelihoods(s, weight);

	report_group(r, "candidates");
	for (size_t k = 0; k < s->n; k++) {
		const struct match *m = &s->matches[k];

		report_item(r);
		report_number(r, "likelihood", weight[k] / sum, NULL);
		report_text(r, "grade", "%s", grade_name(m));
		report_number(r, "residual", m->rms, NULL);
		report_text(r, "command", "%s", m->command);
	}
	if (s->n || !s->family)
		return;
	report_item(r);
	if (s->nearest.recipe) {
		report_text(r, "grade", "near");
		report_number(r, "residual", s->nearest.rms, NULL);
		report_text(r, "command", "%s", s->nearest.command);
		return;
	}
	report_text(r, "grade", "family");
	report_text(r, "family", "%s", s->family);
}
