/*
 * torch.h: checkpoints of PyTorch (torch/serialization.py): a pickle of dicts,
 * lists and tensors, and storages, whose values the tensors view. torch.c reads
 * archives, torch_legacy.c files of PyTorch before 1.6, torch_tree.c the pickle
 * that both have.
 */
#ifndef TORCH_H
#define TORCH_H

#include "containers/pickle.h"
#include "containers/tensors.h"
#include "containers/zip.h"

/*
 * A member of an archive, at first by its path; then, as in a legacy file, a
 * storage by its key. It begins with its struct name.
 */
struct torch_record {
	const char *name;      /* [length] */
	size_t length;
	struct zip_member member;  /* of an archive */
	size_t begin;          /* in a legacy file; 0: not found yet */
	uint64_t bytes;
	size_t size;           /* of a value, in a legacy file */
};

/* What a file has, in memory of the table. */
struct torch_file {
	struct torch_record *records;  /* [n], by name */
	size_t n, room;
	bool archive;          /* or a legacy file */
	bool big;              /* values are big-endian */
};

/* A storage, as a persistent id describes it. */
struct torch_storage {
	const char *key;       /* [length] */
	size_t length;
	const char *dtype;
	struct element element;  /* of kind 0, but with a size: not read */
	size_t offset;         /* of values before its first one */
};

/* What a pickle of PyTorch may call; its other calls are refused. */
extern const char *const torch_calls[];

/* Read the persistent id of a storage. */
bool torch_storage(const struct object *o, struct torch_storage *s,
		   const struct input_file *in, struct error *err);

/*
 * List the tensors in an object of a file, whose storages are known, by the
 * keys and numbers that lead to them, joined by dots.
 */
bool torch_tree(struct tensors *all, const struct torch_file *file,
		const struct object *root, const struct input_file *in,
		struct error *err);

/* Note what else a pickle has, for messages about missing tensors. */
bool torch_note(struct tensors *all, const struct pickle *p, struct error *err);

/* The record of a name [n], or NULL. */
struct torch_record *torch_find(const struct torch_file *file, const char *name,
				size_t n);

/* Add a record with a copy of a name [n], anywhere; NULL: out of memory. */
struct torch_record *torch_add(struct torch_file *file, const char *name,
			       size_t n, struct table *owner,
			       struct error *err);

/* Order records by name, for torch_find(), and drop all but one of each. */
void torch_sort(struct torch_file *file);

/* Whether a file that begins so is one of PyTorch before 1.6. */
bool torch_legacy_begins(const unsigned char *bytes, size_t n);

/* List the tensors and find the storages of such a file. */
bool torch_legacy_list(struct tensors *all, struct torch_file *file,
		       struct input_file *in, struct error *err);

#endif
