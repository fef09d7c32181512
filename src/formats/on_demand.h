/*
 * on_demand.h: tables whose values stay in their file. Rows are read when they
 * are needed, by any thread, so that memory does not grow with the file.
 */
#ifndef ON_DEMAND_H
#define ON_DEMAND_H

#include "formats/values.h"

/*
 * Whether the values of t, elements e, may stay in the file: t allows it, the
 * file is a regular one, and no element needs a check that can fail.
 */
bool on_demand_suits(const struct input_file *in, struct element e,
		     const struct table *t);

/*
 * Make the elements from the start of the window on the rows of t, whose shape
 * is set, and move the window behind them. The file has so many bytes now.
 */
bool on_demand_open(struct input_file *in, struct element e, struct table *t,
		    struct error *err);

/* Whether the values of t, which has been read, are in its file. */
bool on_demand(const struct table *t);

/*
 * Fail if a row of t could not be read, or if the file has changed since
 * on_demand_open(). True for tables that are in memory.
 */
bool on_demand_check(const struct table *t, struct error *err);

#endif
