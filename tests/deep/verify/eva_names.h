/*
 * eva_names.h: what of tensors' names is checked and shown, for proofs that
 * define maybe(), which may fail.
 */
#ifndef EVA_NAMES_H
#define EVA_NAMES_H

#include "containers/tensors.h"

bool tensors_check_names(const struct tensors *all, const struct input_file *in,
			 struct error *err)
{
	(void)all;
	(void)in;
	return maybe(err);
}

int name_width(size_t n)
{
	(void)n;
	return Frama_C_interval(0, 100);
}

int tensor_width(const struct tensor *t)
{
	return name_width(t->length);
}

#endif
