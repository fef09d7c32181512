/*
 * eva_torch.h: what files of PyTorch before and since 1.6 call, for proofs that
 * define maybe(), which may fail.
 */
#ifndef EVA_TORCH_H
#define EVA_TORCH_H

#include "containers/torch.h"

const char *const torch_calls[] = { "torch Size", NULL };

bool torch_tree(struct tensors *all, const struct torch_file *file,
		const struct object *root, const struct input_file *in,
		struct error *err)
{
	(void)all;
	(void)in;
	/*@ assert \valid_read(root) && \valid_read(file); */
	return maybe(err);
}

bool torch_note(struct tensors *all, const struct pickle *p, struct error *err)
{
	(void)all;
	(void)p;
	return maybe(err);
}

bool in_skip(struct input_file *in, size_t at, struct error *err)
{
	in->at = at;
	in->n = 0;
	return maybe(err);
}

#endif
