/* meaning.c: what the values of a parameter mean to each other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/identified.h"
#include "table/never.h"
#include "text/decimal.h"

/* Factors that ports forget, or have once too often. */
static const struct {
	double value;
	const char *text;
} factors[] = {
	{ 3.14159265358979323846, "pi" },
	{ 6.28318530717958647693, "2 pi" },
	{ 1.57079632679489661923, "pi / 2" },
	{ 0.31830988618379067154, "1 / pi" },
	{ 0.15915494309189533577, "1 / (2 pi)" },
};

/* "100 is 10000 to the power of 0.5: ..." */
static bool power_meaning(const struct parameter *p, double a, double b,
			  char *text, size_t size)
{
	/* Ports lose or repeat the factor 2 of the exponent -2k/d. */
	static const double known[] = { 0.25, 0.5, 2, 4 };
	const double power = log(b) / log(a);

	for (size_t k = 0; k < sizeof known / sizeof *known; k++)
		if (fabs(power - known[k]) < 1e-9) {
			snprintf(text, size, "%s is %s to the power of %g: "
				 "the exponents of B's frequencies are those "
				 "of A's times %g", p->b, p->a, known[k],
				 known[k]);
			return true;
		}
	return false;
}

bool parameter_meaning(const struct parameter *p, char *text, size_t size)
{
	char flag[40];
	double a, b;
	bool numbers;

	if (p->option->kind != OPTION_REAL)
		return false;
	numbers = parse_real(p->a, &a);
	numbers &= parse_real(p->b, &b);
	if (NEVER(!numbers))
		return false;
	if (strcmp(p->option->name, "base") == 0)
		return power_meaning(p, a, b, text, size);
	if (strcmp(p->option->name, "step") == 0 && fabs(a + b) <= 0) {
		snprintf(text, size, "the positions of B run in the opposite "
			 "direction");
		return true;
	}
	for (size_t k = 0; k < sizeof factors / sizeof *factors; k++)
		if (fabs(b - factors[k].value * a) <= 1e-6 * fabs(b)) {
			snprintf(text, size, "the %s of B is that of A times "
				 "%s", option_flag(p->option, flag) + 2,
				 factors[k].text);
			return true;
		}
	return false;
}

static bool is_near(double x, double y)
{
	return fabs(x - y) <= 1e-6 * fabs(y);
}

const char *factor_words(double factor, size_t cols, char text[FACTOR_ROOM])
{
	static const int scales[] = { 2, 4, 8, 16, 32, 40, 64 };
	const double root = sqrt((double)cols);

	text[0] = '\0';
	if (cols > 1 && (is_near(factor, root) || is_near(factor, 1 / root)))
		snprintf(text, FACTOR_ROOM, ", which is %ssqrt(%zu) for %zu "
			 "columns", factor < 1 ? "1 / " : "", cols, cols);
	for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
		const double yarn = 0.1 * log(scales[k]) + 1;

		if (is_near(factor, yarn) || is_near(factor, 1 / yarn))
			snprintf(text, FACTOR_ROOM, ", which is %syarn's "
				 "attention factor for a scale of %d",
				 factor < 1 ? "1 / " : "", scales[k]);
	}
	return text;
}
