/* target_gguf.c: rotary positions as keys and tensors of a GGUF file. */
#include <string.h>

#include "model/key.h"
#include "model/target.h"
#include "table/never.h"
#include "text/words.h"

/* A key or a tensor: name, type, value. */
struct entry {
	const char *name, *type, *value;
};

enum { ENTRIES_MOST = 64 };
struct entries {
	const struct port *p;
	struct entry at[ENTRIES_MOST];  /* [n] */
	struct report_rows rows;
};

static void entry_cells(const void *self, size_t i, struct fact *cells)
{
	const struct entry *e = &((const struct entries *)self)->at[i];

	cells[0] = (struct fact){ .name = "name", .text = e->name };
	cells[1] = (struct fact){ .name = "type", .text = e->type };
	cells[2] = (struct fact){ .name = "value", .text = e->value };
}

/* Add an entry, unless one of that name is there. */
static void add(struct entries *to, const char *name, const char *type,
		const char *value)
{
	size_t *n = &to->rows.n;

	for (size_t i = 0; name && i < *n; i++)
		if (strcmp(to->at[i].name, name) == 0)
			return;
	if (name && type && value && !NEVER(*n == ENTRIES_MOST))
		to->at[(*n)++] = (struct entry){ name, type, value };
}

const char *port_gguf_name(const struct port *p, enum key k)
{
	const char *own = k < KEYS_OF_ROWS ? p->row->key[k] : NULL;
	const char *name = own ? own : keys[k].gguf;

	return name ? config_text(p->c, "%s.%.*s", p->architecture,
				  (int)strcspn(name, "|"), name) : NULL;
}

static void add_keys(struct entries *to)
{
	const struct port *p = to->p;
	const struct port_layers *l = p->main;
	double x;

	for (enum key k = 0; k < KEYS; k++)
		if (port_number(p, l, TARGET_GGUF, k, &x))
			add(to, port_gguf_name(p, k),
			    keys[k].whole ? "uint32" : "float32",
			    port_digits(p, x, keys[k].whole));
	add(to, port_gguf_name(p, KEY_SCALING), "string",
	    port_kind(l, TARGET_GGUF)->gguf);
	if (l->r.sections)
		add(to, port_gguf_name(p, KEY_SECTIONS), "int32[4]",
		    config_text(p->c, "%s,0", l->r.sections));
}

/* A tensor of x [pairs] divided by y. */
static void add_tensor(struct entries *to, const char *name, const double *x,
		       const double *y, size_t pairs)
{
	const struct config *c = to->p->c;
	const char *text = "";

	for (size_t k = 0; text && k < pairs; k++)
		text = config_text(c, "%s%s%s", text, k ? "," : "",
				   port_digits(to->p, y ? x[k] / y[k] : x[k],
					       false));
	add(to, name, config_text(c, "float32[%zu]", pairs), text);
}

/* Divisors of frequencies that a scaling of a constant series makes. */
static void add_divisors(struct entries *to, const struct port_layers *l)
{
	const struct config *c = to->p->c;
	struct rotary_positions plain = l->r;
	const double *x, *y;
	size_t n, m;

	plain.scaling = NULL;
	x = rotary_values(&plain, 1, "freqs", &n, c->owner, c->err);
	y = rotary_values(&l->r, 1, "freqs", &m, c->owner, c->err);
	if (x && y && n == m)
		add_tensor(to, "rope_freqs.weight", x, y, n);
}

static void add_tensors(struct entries *to)
{
	const struct port_layers *l = to->p->main;
	const struct rotary_scaling *s = &l->r.scale;
	const size_t pairs = (size_t)(l->r.dims / 2);

	if (text_has_word("llama3 ntk-fixed",
			  port_kind(l, TARGET_GGUF)->name, " "))
		add_divisors(to, l);
	if (s->near && !s->far)
		add_tensor(to, "rope_freqs.weight", s->near, NULL, pairs);
	if (s->near && s->far) {
		add_tensor(to, "rope_factors_long.weight", s->far, NULL,
			   pairs);
		add_tensor(to, "rope_factors_short.weight", s->near, NULL,
			   pairs);
	}
}

/* Entries whose memory the report owns; NULL with an error. */
static struct entries *begin(const struct port *p, struct report *r)
{
	struct entries *to = table_alloc(r->owner, 1, sizeof *to, r->err);

	if (to)
		*to = (struct entries){
			.p = p,
			.rows = { .shown = 3, .row = entry_cells, .self = to },
		};
	return to;
}

void port_gguf(const struct port *p, struct report *r)
{
	struct entries *of_keys = begin(p, r), *tensors = begin(p, r);

	if (!of_keys || !tensors || !p->row)
		return;
	add_keys(of_keys);
	add_tensors(tensors);
	report_rows(r, "keys", &of_keys->rows);
	if (tensors->rows.n)
		report_rows(r, "tensors", &tensors->rows);
}
