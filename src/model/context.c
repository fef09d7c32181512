/* context.c: what to set for a longer context, and what it changes. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "exact/yarn.h"
#include "model/target.h"
#include "model/key.h"
#include "text/decimal.h"
#include "waves/apart.h"

#define CONTEXT_MOST 0x1p40

bool context_length(const char *text, double *length, struct error *err)
{
	static const char units[] = "kKmM";
	const size_t n = strspn(text, "0123456789");
	const char *unit = text[n] ? strchr(units, text[n]) : NULL;
	char number[24];
	bool good = n && n < sizeof number && (!text[n] || (unit &&
							    !text[n + 1]));

	if (good) {
		memcpy(number, text, n);
		number[n] = '\0';
		good = parse_real(number, length);
	}
	if (good && unit)
		*length *= unit - units < 2 ? 1024 : 1048576;
	if (good && *length >= 1 && *length <= CONTEXT_MOST)
		return true;
	return fail(err, "--context must be a number of positions from 1 to "
		    "2^40, such as 131072 or 128k, got '%.40s'", text);
}

static bool is(const struct rotary_scaling *s, const char *kind)
{
	return strcmp(s->kind ? s->kind : "none", kind) == 0;
}

/* Whether frequencies depend on the length of the context. */
static bool is_by_length(const struct rotary_scaling *s)
{
	return is(s, "dynamic") || (is(s, "longrope") && s->far);
}

static bool unknown_way(const struct port *p)
{
	const struct rotary_scaling *s = &p->main->r.scale;

	return fail_file(p->c->err, p->c->path, "no usual way is known to "
			 "make the context longer where frequencies are scaled "
			 "%s", is(s, "ntk") ? "by alpha"
			       : is(s, "longrope")
			       ? "by one list of divisors (rope_freqs.weight)"
			       : config_text(p->c, "as --scaling %s does",
					     s->kind));
}

/* Scale frequencies for a context that is ratio times as long. */
static bool scale(const struct port *p, double ratio,
		  struct rotary_scaling *s)
{
	const bool usual = is(s, "yarn") &&
			   fabs(s->attention - yarn_temperature(s->factor, 1)) <
			   1e-6;

	if (is(s, "dynamic"))
		return true;
	if (is(s, "ntk") || is(s, "ntk-fixed") || is(s, "proportional") ||
	    (is(s, "longrope") && !s->far))
		return unknown_way(p);
	if (is(s, "none")) {
		s->kind = "yarn";
		s->original = p->context;
		s->factor = 1;
	}
	s->factor *= ratio;
	/* It follows the factor, where the file says the usual one */
	if (usual)
		s->attention = yarn_temperature(s->factor, 1);
	return true;
}

/* The scaling of the layers without a window, for that length. */
static bool extend(struct port *p, double length)
{
	struct port_layers *l = &p->at[p->main - p->at];
	const double most = port_covers(p);

	if (!(most > 0))
		return fail_file(p->c->err, p->c->path, "%.*s is missing: the "
				 "length that the model was trained for is "
				 "unknown", (int)strcspn(
					 key_names(p->c, KEY_CONTEXT), "|"),
				 key_names(p->c, KEY_CONTEXT));
	if (!scale(p, length / most, &l->r.scale) ||
	    !scaling_write(p->c, &l->r))
		return false;
	p->longer = true;
	p->context = length;
	return port_refresh(p);
}

/* The frequencies and the factor of cosines in a context of that length. */
static bool cosines_of(const struct port *p, const struct rotary_positions *r,
		       double length, struct apart_cosines *to, size_t *n)
{
	const struct config *c = p->c;
	const double *cosine;
	size_t ignored;

	to->frequency = rotary_values(r, length, "freqs", n, c->owner, c->err);
	cosine = rotary_values(r, length, "cos", &ignored, c->owner, c->err);
	if (cosine)
		to->factor = *cosine;
	return to->frequency && cosine;
}

/* Report from which position on cosines differ. */
static void report_apart(const char *group, const struct apart_cosines *a,
			 const struct apart_cosines *b, size_t n,
			 double length, struct report *r)
{
	double first[APART_LIMITS];

	for (size_t i = 0; i < APART_LIMITS; i++)
		first[i] = apart_first(a, b, n, apart_limits[i].most, length);
	report_group(r, group);
	apart_report(first, length, r);
}

/* Report the fastest pair that changes, and from where on cosines do. */
static void report_change(const struct port *p,
			  const struct rotary_positions *old, double shorter,
			  double length, struct report *r)
{
	struct apart_cosines a, b;
	size_t n, m, k = 0;

	if (!cosines_of(p, old, shorter, &a, &n) ||
	    !cosines_of(p, &p->main->r, length, &b, &m) || n != m)
		return;
	report_number(r, "attention_factor", b.factor, NULL);
	while (k < n && fabs(a.frequency[k] - b.frequency[k]) <=
	       1e-9 * a.frequency[k])
		k++;
	if (k == n && !config_differs(a.factor, b.factor)) {
		report_text(r, "changes", "nothing");
		return;
	}
	if (config_differs(a.factor, b.factor))
		report_number(r, "attention_factor_before", a.factor, NULL);
	if (k < n) {
		report_number(r, "first_pair_that_changes", (double)k, NULL);
		report_number(r, "shortest_wavelength_that_changes",
			      6.283185307179586 / a.frequency[k], "positions");
	}
	report_text(r, "compared", shorter < length
		    ? "the file in contexts up to %.0f, and this in one of "
		      "%.0f" : "the file and this, in a context of %.0f",
		    shorter, length);
	report_apart("cosines_differ_from_position", &a, &b, n, length, r);
	if (!config_differs(a.factor, b.factor))
		return;
	a.factor = b.factor = 1;
	report_apart("and_without_the_attention_factor", &a, &b, n, length,
		     r);
}

/* What to know besides. */
static void report_warnings(const struct port *p,
			    const struct rotary_positions *old, double length,
			    struct report *r)
{
	const struct rotary_scaling *s = &p->main->r.scale;
	const char *lines[4];
	size_t n = 0;

	if (is_by_length(s) && length > s->original)
		lines[n++] = is(s, "dynamic")
			? "frequencies change with the length of a sequence: "
			  "keys in a cache were rotated by those of a shorter "
			  "one"
			: "where a sequence passes the original length, "
			  "factors change from short to long: keys in a cache "
			  "were rotated by the short ones";
	if (p->longer && !old->scale.kind)
		lines[n++] = "the file has no scaling: yarn is the usual "
			     "choice, and a guess: the model's own "
			     "documentation decides";
	if (p->longer && is(s, "longrope"))
		lines[n++] = "the long factors were found for the file's own "
			     "length, and stay";
	if (p->local)
		lines[n++] = "layers of sliding_attention stay as they are: "
			     "they do not see beyond their window";
	if (n) {
		report_group(r, "notes_on_context");
		report_lines(r, "notes", lines, n);
	}
}

static void report_extension(const struct port *p,
			     const struct rotary_positions *old, double most,
			     double length, struct report *r)
{
	const struct rotary_scaling *s = &p->main->r.scale;

	report_group(r, "context");
	report_number(r, "length", length, NULL);
	if (is(s, "dynamic"))
		report_text(r, "the_file_covers", "any length: frequencies "
			    "follow that of the sequence");
	else
		report_number(r, "the_file_covers", most, NULL);
	report_text(r, "scaling_before", "%s", old->scale.kind
		    ? old->scale.kind : "none");
	report_text(r, "scaling", "%s", s->kind ? s->kind : "none");
	if (p->longer && s->factor > 0) {
		report_number(r, "factor", s->factor, NULL);
		report_text(r, "factor_is", "%g times %.0f / %.0f",
			    old->scale.kind ? old->scale.factor : 1, length,
			    most);
	}
	if (s->original > 0)
		report_number(r, "original", s->original, NULL);
	report_change(p, old, is_by_length(s) && s->original < length
		      ? s->original : length, length, r);
	report_warnings(p, old, length, r);
}

/* Layers that rotate, all of them with a window. */
static bool is_windowed(const struct port *p)
{
	return p->c->row->layers == LAYERS_SLIDING ||
	       p->c->row->layers == LAYERS_CHUNKED ||
	       (p->n == 1 && p->main->type &&
		strcmp(p->main->type, "sliding_attention") == 0);
}

bool context_extend(struct port *p, double length, bool *covered,
		    struct report *r)
{
	const struct rotary_positions old = p->main->r;
	const double most = port_covers(p);

	*covered = is_windowed(p) || (length <= most &&
				      !is(&old.scale, "dynamic"));
	p->asked = length;
	if (is_windowed(p)) {
		report_group(r, "context");
		report_number(r, "length", length, NULL);
		report_text(r, "scaling", "stays: the layers that rotate see "
			    "no farther than their window");
		return true;
	}
	if (is(&old.scale, "dynamic"))
		*covered = true;
	else if (!*covered && !extend(p, length))
		return false;
	report_extension(p, &old, most, length, r);
	return true;
}
