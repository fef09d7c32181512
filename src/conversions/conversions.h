/*
 * src/conversions/: posenc compare of two models: are they conversions of one?
 *
 *   conversions.h    two models, and what was found of them
 *   compare_models.h the command; paths.c: which paths name models
 *   verdict.h        its answer and report
 *   sentences.h      sentences in it
 *   positions.h      what the configurations mean (positions_read.c), and how
 *                    that differs
 *   pairs.h          tensors of both models that are the same one; missing.c:
 *                    those of one alone
 *   names.h          their names in different projects
 *   values.h         the values of a pair of tensors
 *   orders.h         the order of rows of queries, keys and values, in one
 *                    tensor (fused.c) or several
 *   tables.h         tables of positions, and frequencies that a model rotates
 *                    by, or stores (frequencies.c); where their cosines
 *                    differ (cosines.c)
 *
 * A model is a folder, a GGUF file or another file of many tensors; or its
 * configuration alone. This folder includes compare, model, containers and the
 * folders below them.
 */
#ifndef CONVERSIONS_H
#define CONVERSIONS_H

#include "checkpoint/checkpoint.h"
#include "conversions/pairs.h"
#include "conversions/positions.h"
#include "conversions/sentences.h"
#include "conversions/tables.h"

/* One of the two models. */
struct side {
	const char *letter;    /* "A" */
	const char *path;      /* as given */
	struct checkpoint model;
	bool open;             /* model is; if not: a configuration alone */
	struct model_positions positions;
};

/* The comparison of two models, and what was found. */
struct conversion {
	struct side sides[2];
	struct pair *pairs;    /* [n] */
	size_t n;
	struct table *owner;   /* of all text */
	struct error *err;

	/* Why positions differ; why it is not known whether they do; and what
	   else there is to say. */
	struct sentences different, unknown, also;

	struct cosines cosines;  /* where those of positions differ */
	const char *lengths;   /* how lengths of contexts differ; NULL: they
				  don't, or are not known */
	const char *layers;    /* the same of numbers of layers */

	/* Tensors that both have: */
	size_t equal, rounded, other;
	size_t coarse;         /* of rounded ones, those of blocks or FP8, */
	const char *coarse_types;  /* "Q4_K's blocks", */
	double coarse_most;    /* and the largest difference */
	size_t permuted;       /* equal ones with rows in the right order, */
	size_t disordered;     /* and those with rows in a wrong one */
	size_t turned[2][4];   /* of queries and of keys, those permuted to
				  either order, once or twice, though nothing
				  rotates */
	size_t weights;        /* sentences of different that are about weights
				  alone, as no row rotates */
	size_t unread;         /* of these, whose values posenc does not read */
	size_t only[2];        /* that one of them has, */
	size_t missing[2];     /* and that the other one cannot make again */
	const char *first_other;
	size_t explained;      /* tensors that were compared as tables */
	bool layout;           /* rows of q or k were compared */
};

/* Whether both have tensors; else configurations alone are compared. */
bool conversion_has_tensors(const struct conversion *c);

/* Whether both models rotate, or it is not known what they do. */
bool may_rotate(const struct conversion *c);

#endif
