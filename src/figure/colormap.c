/* colormap.c: colour maps, and the levels of values on them. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "exact/logarithm.h"
#include "exact/simd.h"
#include "text/words.h"
#include "figure/colormap.h"

#define REVERSED "_r"  /* after the name of a map: from its other end */

/*
 * Colours of published maps. Of maps with 256 colours, every 5th, 8th or
 * 16th is here.
 */
const struct map maps[] = {
	/* Smith and van der Walt 2015 */
	{ "viridis", false, 17, {
		{ 68, 1, 84 }, { 72, 24, 106 }, { 71, 45, 123 },
		{ 66, 64, 134 }, { 59, 82, 139 }, { 51, 99, 141 },
		{ 44, 114, 142 }, { 38, 130, 142 }, { 33, 145, 140 },
		{ 31, 160, 136 }, { 40, 174, 128 }, { 63, 188, 115 },
		{ 94, 201, 98 }, { 132, 212, 75 }, { 173, 220, 48 },
		{ 216, 226, 25 }, { 253, 231, 37 },
	} },
	/* Nunez, Anderton and Renslow 2018 */
	{ "cividis", false, 33, {
		{ 0, 34, 78 }, { 0, 40, 91 }, { 0, 46, 106 },
		{ 5, 51, 113 }, { 26, 56, 111 }, { 39, 62, 110 },
		{ 50, 67, 109 }, { 59, 73, 108 }, { 67, 78, 108 },
		{ 75, 84, 108 }, { 83, 90, 109 }, { 90, 95, 110 },
		{ 97, 101, 111 }, { 104, 106, 113 }, { 111, 112, 115 },
		{ 118, 118, 118 }, { 125, 124, 120 }, { 132, 130, 121 },
		{ 140, 136, 120 }, { 147, 142, 120 }, { 155, 148, 118 },
		{ 163, 154, 116 }, { 171, 160, 114 }, { 180, 167, 111 },
		{ 188, 174, 108 }, { 196, 180, 104 }, { 205, 187, 99 },
		{ 213, 194, 94 }, { 222, 201, 88 }, { 231, 209, 80 },
		{ 240, 216, 70 }, { 249, 224, 58 }, { 254, 232, 56 },
	} },
	/* Smith and van der Walt 2015 */
	{ "magma", false, 17, {
		{ 0, 0, 4 }, { 10, 8, 34 }, { 29, 17, 71 },
		{ 54, 16, 107 }, { 81, 18, 124 }, { 106, 28, 129 },
		{ 131, 38, 129 }, { 156, 46, 127 }, { 183, 55, 121 },
		{ 208, 65, 111 }, { 231, 82, 99 }, { 245, 107, 92 },
		{ 252, 137, 97 }, { 254, 167, 114 }, { 254, 196, 136 },
		{ 253, 226, 163 }, { 252, 253, 191 },
	} },
	/* Smith and van der Walt 2015 */
	{ "inferno", false, 52, {
		{ 0, 0, 4 }, { 2, 2, 12 }, { 5, 4, 23 }, { 10, 7, 34 },
		{ 16, 9, 45 }, { 22, 11, 57 }, { 30, 12, 69 }, { 38, 12, 81 },
		{ 47, 10, 91 }, { 56, 9, 98 }, { 64, 10, 103 },
		{ 73, 11, 106 }, { 81, 14, 108 }, { 89, 16, 110 },
		{ 97, 19, 110 }, { 105, 22, 110 }, { 113, 25, 110 },
		{ 120, 28, 109 }, { 128, 31, 108 }, { 136, 34, 106 },
		{ 144, 37, 104 }, { 152, 39, 102 }, { 160, 42, 99 },
		{ 168, 46, 95 }, { 176, 49, 91 }, { 183, 53, 87 },
		{ 191, 57, 82 }, { 198, 61, 77 }, { 204, 66, 72 },
		{ 211, 71, 67 }, { 217, 77, 61 }, { 223, 83, 55 },
		{ 228, 90, 49 }, { 233, 97, 43 }, { 237, 105, 37 },
		{ 241, 113, 31 }, { 244, 121, 24 }, { 247, 130, 18 },
		{ 249, 139, 11 }, { 250, 148, 7 }, { 251, 157, 7 },
		{ 252, 166, 12 }, { 252, 176, 20 }, { 251, 186, 31 },
		{ 250, 196, 42 }, { 248, 205, 55 }, { 246, 215, 70 },
		{ 244, 225, 86 }, { 242, 234, 105 }, { 242, 242, 125 },
		{ 245, 249, 146 }, { 252, 255, 164 },
	} },
	{ "plasma", false, 52, {
		{ 13, 8, 135 }, { 27, 6, 141 }, { 38, 5, 145 }, { 47, 5, 150 },
		{ 56, 4, 154 }, { 65, 4, 157 }, { 73, 3, 160 }, { 81, 2, 163 },
		{ 89, 1, 165 }, { 97, 0, 167 }, { 105, 0, 168 },
		{ 113, 0, 168 }, { 120, 1, 168 }, { 128, 4, 168 },
		{ 135, 7, 166 }, { 142, 12, 164 }, { 149, 17, 161 },
		{ 156, 23, 158 }, { 162, 29, 154 }, { 168, 34, 150 },
		{ 174, 40, 146 }, { 180, 46, 141 }, { 186, 51, 136 },
		{ 191, 57, 132 }, { 196, 62, 127 }, { 201, 68, 122 },
		{ 205, 74, 118 }, { 210, 79, 113 }, { 214, 85, 109 },
		{ 218, 91, 105 }, { 222, 97, 100 }, { 226, 102, 96 },
		{ 230, 108, 92 }, { 233, 114, 87 }, { 237, 121, 83 },
		{ 240, 127, 79 }, { 243, 133, 75 }, { 245, 140, 70 },
		{ 247, 147, 66 }, { 249, 154, 62 }, { 251, 161, 57 },
		{ 252, 168, 53 }, { 253, 175, 49 }, { 254, 183, 45 },
		{ 254, 190, 42 }, { 253, 198, 39 }, { 252, 206, 37 },
		{ 251, 215, 36 }, { 248, 223, 37 }, { 246, 232, 38 },
		{ 243, 240, 39 }, { 240, 249, 33 },
	} },
	/* ColorBrewer's Blues of 9 classes (Brewer and Harrower 2003) */
	{ "blues", false, 9, {
		{ 247, 251, 255 }, { 222, 235, 247 }, { 198, 219, 239 },
		{ 158, 202, 225 }, { 107, 174, 214 }, { 66, 146, 198 },
		{ 33, 113, 181 }, { 8, 81, 156 }, { 8, 48, 107 },
	} },
	/* Moreland 2009, "Diverging color maps for scientific visualization" */
	{ "coolwarm", true, 33, {
		{ 59, 76, 192 }, { 68, 90, 204 }, { 78, 104, 216 },
		{ 88, 117, 225 }, { 98, 130, 234 }, { 108, 143, 241 },
		{ 119, 154, 247 }, { 130, 166, 251 }, { 141, 176, 254 },
		{ 152, 185, 255 }, { 163, 194, 254 }, { 174, 201, 252 },
		{ 185, 208, 249 }, { 195, 213, 244 }, { 204, 217, 237 },
		{ 213, 219, 229 }, { 221, 220, 220 }, { 229, 216, 209 },
		{ 236, 211, 197 }, { 241, 204, 184 }, { 245, 196, 172 },
		{ 247, 186, 159 }, { 247, 176, 147 }, { 246, 165, 134 },
		{ 244, 152, 122 }, { 240, 139, 110 }, { 235, 125, 98 },
		{ 228, 110, 86 }, { 221, 95, 75 }, { 212, 78, 65 },
		{ 202, 59, 55 }, { 190, 36, 46 }, { 180, 4, 38 },
	} },
	/* ColorBrewer's RdBu of 11 classes */
	{ "rdbu", true, 11, {
		{ 103, 0, 31 }, { 178, 24, 43 }, { 214, 96, 77 },
		{ 244, 165, 130 }, { 253, 219, 199 }, { 247, 247, 247 },
		{ 209, 229, 240 }, { 146, 197, 222 }, { 67, 147, 195 },
		{ 33, 102, 172 }, { 5, 48, 97 },
	} },
	/* ColorBrewer's PuOr of 11 classes */
	{ "puor", true, 11, {
		{ 127, 59, 8 }, { 179, 88, 6 }, { 224, 130, 20 },
		{ 253, 184, 99 }, { 254, 224, 182 }, { 247, 247, 247 },
		{ 216, 218, 235 }, { 178, 171, 210 }, { 128, 115, 172 },
		{ 84, 39, 136 }, { 45, 0, 75 },
	} },
	/* Crameri 2018, "Scientific colour maps" 8.0.1, at tenths */
	{ "vik", true, 11, {
		{ 0, 18, 97 }, { 2, 58, 123 }, { 17, 100, 150 },
		{ 84, 150, 183 }, { 167, 201, 218 }, { 236, 229, 224 },
		{ 225, 184, 160 }, { 205, 137, 97 }, { 183, 90, 38 },
		{ 133, 34, 6 }, { 89, 0, 8 },
	} },
	{ "gray", false, 2, { { 0, 0, 0 }, { 255, 255, 255 } } },
	/* Crameri's berlin, as vik: dark in the middle, for a dark page */
	{ "berlin", true, 11, {
		{ 158, 176, 255 }, { 96, 165, 223 }, { 50, 128, 166 },
		{ 32, 82, 106 }, { 17, 39, 50 }, { 25, 12, 9 },
		{ 55, 16, 0 }, { 95, 31, 10 }, { 150, 74, 54 },
		{ 202, 123, 113 }, { 255, 173, 173 },
	} },
	{0}
};

/* In no map; that of -inf, mostly of masked keys, is quiet. */
static const struct color missing_colors[MISSING_KINDS] = {
	[MISSING_NAN] = { 255, 0, 255 }, [MISSING_INF] = { 0, 230, 255 },
	[MISSING_MINUS_INF] = { 184, 186, 194 },
};
static const struct color minus_inf_of_gray = { 160, 170, 240 };

const char *colormap_default(double lo, double hi, bool dark)
{
	if (lo < 0 && hi > 0)
		return dark ? "berlin" : "vik";
	return "viridis";
}

struct colormap colormap_for(double lo, double hi)
{
	const double most = fmax(-lo, hi);

	const bool both = lo < 0 && hi > 0;

	return (struct colormap){ colormap_default(lo, hi, false),
				  both ? -most : lo, both ? most : hi,
				  LEVELS_MOST, SCALING_LINEAR };
}

static unsigned char between(int a, int b, double part)
{
	return (unsigned char)floor(a + (b - a) * part + 0.5);
}

/* The colour at i / n of a map. */
static struct color color_at(const struct map *m, double i, double n)
{
	const double x = n > 0 ? i * (m->n - 1) / n : 0;
	const int left = x < m->n - 1 ? (int)x : m->n - 2;
	const struct color *p = &m->at[left], *q = p + 1;

	return (struct color){
		between(p->red, q->red, x - left),
		between(p->green, q->green, x - left),
		between(p->blue, q->blue, x - left),
	};
}

static bool is_reversed(const char *name)
{
	return text_ends_in(name, strlen(name), REVERSED);
}

/* The map of a name; of an unknown one, the last, which is empty. */
static const struct map *map_of(const char *name)
{
	const size_t n = strlen(name) - (is_reversed(name) ?
					 sizeof REVERSED - 1 : 0);
	const struct map *m = maps;

	while (m->name && (strlen(m->name) != n ||
			   memcmp(m->name, name, n) != 0))
		m++;
	return m;
}

bool colormap_known(const char *name)
{
	return map_of(name)->name;
}

struct color colormap_color(const char *name, double x)
{
	x = fmin(fmax(x, 0), 1);
	return color_at(map_of(name), is_reversed(name) ? 1 - x : x, 1);
}

bool colormap_diverges(const char *name)
{
	return map_of(name)->diverging;
}

/* The light of a part of a colour of sRGB, to 0.002. */
static double light(int part)
{
	const double x = part / 255.0;

	return x * (x * (x * 0.305306011 + 0.682171111) + 0.012522878);
}

double color_luminance(struct color c)
{
	return 0.2126 * light(c.red) + 0.7152 * light(c.green) +
	       0.0722 * light(c.blue);
}

void colormap_palette(const struct colormap *m, struct color *palette)
{
	const struct map *map = map_of(m->name);
	const int last = m->levels - 1;

	for (int i = 0; i <= last; i++)
		palette[i] = color_at(map, is_reversed(m->name) ? last - i : i,
				      last);
	memcpy(palette + m->levels, missing_colors, sizeof missing_colors);
	if (strcmp(map->name, "gray") == 0)  /* no value looks like -inf */
		palette[m->levels + MISSING_MINUS_INF] = minus_inf_of_gray;
}

double colormap_scaled(const struct colormap *m, double x)
{
	const double from = fmin(fmax(0, m->lo), m->hi);

	if (m->scaling == SCALING_SQRT && isfinite(x))
		return copysign(sqrt(fabs(x - from)), x - from);
	if (m->scaling == SCALING_LOG && isfinite(x))
		return log_ratio(fmax(x, m->lo), 1);
	return x;
}

/* Values to levels: x * scale + shift, rounded down. */
struct steps {
	double scale, shift;
	double end, none;    /* of the last level; of enum missing */
};

static struct steps steps_of(const struct colormap *m)
{
	const double lo = colormap_scaled(m, m->lo);
	/* Half the span: that of all doubles would overflow. */
	const double span = 0.5 * colormap_scaled(m, m->hi) - 0.5 * lo;
	struct steps s = { 0, 0.5 * m->levels, m->levels - 0.5, m->levels };

	if (span > 0) {
		s.scale = fmin(0.5 * (m->levels - 1) / span, DBL_MAX);
		s.shift = 0.5 - lo * s.scale;
	}
	return s;
}

SIMD_LOOP unsigned char level(struct steps s, double x)
{
	const double inf = s.none + MISSING_INF, nan = s.none + MISSING_NAN;
	const double minus = s.none + MISSING_MINUS_INF;
	double step = x * s.scale + s.shift;

	step = step > 0 ? step : 0;
	step = step < s.end ? step : s.end;
	step = x > DBL_MAX ? inf : step;
	step = x < -DBL_MAX ? minus : step;
	return (unsigned char)(int)(isnan(x) ? nan : step);
}

SIMD_LOOP void doubles_loop(const struct steps *s, const double *restrict x,
			    size_t n, unsigned char *restrict levels)
{
	const struct steps steps = *s;

	for (size_t i = 0; i < n; i++)
		levels[i] = level(steps, x[i]);
}

SIMD_LOOP void floats_loop(const struct steps *s, const float *restrict x,
			   size_t n, unsigned char *restrict levels)
{
	const struct steps steps = *s;

	for (size_t i = 0; i < n; i++)
		levels[i] = level(steps, (double)x[i]);
}

SIMD_EACH(void, doubles, (const struct steps *s, const double *x, size_t n,
			  unsigned char *levels),
	  doubles_loop(s, x, n, levels))
SIMD_EACH(void, floats, (const struct steps *s, const float *x, size_t n,
			 unsigned char *levels),
	  floats_loop(s, x, n, levels))

void colormap_doubles(const struct colormap *m, const double *x, size_t n,
		      unsigned char *levels)
{
	const struct steps s = steps_of(m);

	for (size_t i = 0; i < n && m->scaling; i++)
		levels[i] = level(s, colormap_scaled(m, x[i]));
	if (m->scaling)
		return;
	doubles[simd_best()](&s, x, n, levels);
}

void colormap_floats(const struct colormap *m, const float *x, size_t n,
		     unsigned char *levels)
{
	const struct steps s = steps_of(m);

	for (size_t i = 0; i < n && m->scaling; i++)
		levels[i] = level(s, colormap_scaled(m, (double)x[i]));
	if (m->scaling)
		return;
	floats[simd_best()](&s, x, n, levels);
}
