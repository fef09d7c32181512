/*
 * target.h: the rotary positions of a model in the words of another program:
 * keys of its configuration, flags, or keys and tensors of GGUF.
 */
#ifndef TARGET_H
#define TARGET_H

#include "model/rotary.h"
#include "recipe/report.h"

enum target {
	TARGET_LLAMA_CPP, TARGET_VLLM, TARGET_TRANSFORMERS4,
	TARGET_TRANSFORMERS5, TARGET_GGUF,
	TARGETS
};

/* Values of --for, in this order; ends with NULL. */
extern const char *const target_names[], *const target_meanings[];

/* The layers of a type that rotate. */
struct port_layers {
	const char *type;       /* NULL: all layers */
	const struct cJSON *rope;  /* what the file has of them, or NULL */
	struct rotary_positions r;
	double attention[2];    /* factor of cosines in a short context, and
				   beyond the original one */
};

/* A model that is to be said in other words. */
struct port {
	struct config *c;
	struct port_layers at[LAYER_TYPES];  /* [n] */
	size_t n;
	bool other;             /* the file is no config.json */
	double context;         /* the maximum length; 0: unknown */
	bool longer;            /* than that of the file */
	double asked;           /* that of --context; 0: not given */
	const struct port_layers *main;   /* those without a window */
	const struct port_layers *local;  /* those with one, or NULL */
	const char *architecture;  /* of GGUF files; NULL: unknown */
	const struct model *row;   /* its row */
};

/* Read what rotates in c; false with an error where that is unknown. */
bool port_read(struct port *p, struct config *c);

/* Set what follows from the rotary positions of layers. */
bool port_refresh(struct port *p);

/* The target whose words are those of the file. */
enum target port_own(const struct port *p);

/*
 * The number of a key for these layers, in the words of a target; false: it
 * has none.
 */
bool port_number(const struct port *p, const struct port_layers *l,
		 enum target t, enum key k, double *x);

/* The longest context that the file's scaling is for; 0: unknown. */
double port_covers(const struct port *p);

/*
 * The kind of scaling that is written for these layers. One list of divisors,
 * which is longrope, stands beside others in GGUF files.
 */
const struct scaling_kind *port_kind(const struct port_layers *l,
				     enum target t);

/* Whether it is yarn, or one of its kin. */
bool port_is_yarn(const struct port_layers *l);

/* x as the shortest decimal of float32, or as an integer; NULL: no memory. */
const char *port_digits(const struct port *p, double x, bool whole);

/*
 * target_json.c: keys of a config.json as one object in one line; "" if memory
 * runs out.
 */
const char *port_json(const struct port *p, enum target t);

/*
 * target_check.c: why the file with these keys merged into it does not have the
 * positions of p, by version 4 of transformers and by 5; NULL: it has.
 */
const char *port_refused(const struct port *p, const char *json);

/*
 * The same of a GGUF file with its keys: layers, what they see and what is done
 * to logits are of the architecture, or of other keys.
 */
const char *port_gguf_refused(const struct port *p);

/*
 * target_gguf.c: the full name of a key, by the row's name for it or the usual
 * one; NULL: it has none.
 */
const char *port_gguf_name(const struct port *p, enum key k);

/* Report keys and tensors. */
void port_gguf(const struct port *p, struct report *r);

/*
 * target_limits.c: report what the target cannot say of it, and what it reads
 * in another way. Sets the report's answer to no for the former.
 */
void port_limits(const struct port *p, enum target t, struct report *r);

/* Report the positions of p for a target. */
void port_report(const struct port *p, enum target t, struct report *r);

/*
 * architecture.c: the architecture of GGUF files that llama.cpp's converter
 * gives a model, NULL: unknown; and its row for positions with sections or
 * without.
 */
const char *architecture_of(const struct config *c);
const struct model *architecture_row(const char *name, bool sections);

/*
 * Whether llama.cpp is known to read rotary factors of an architecture: lists
 * for short and long contexts, or else one of divisors.
 */
bool architecture_reads(const char *name, bool lists);

/* context.c: what to set for a longer context. */

/* Read a number of positions, "131072" or "128k"; false with an error. */
bool context_length(const char *text, double *length, struct error *err);

/*
 * Scale p's rotary positions for a context of that length, if the file does not
 * cover it, and report what changes; false with an error where nothing usual is
 * known. *covered: the file covers it.
 */
bool context_extend(struct port *p, double length, bool *covered,
		    struct report *r);

#endif
