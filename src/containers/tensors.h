/*
 * src/containers/: files that hold many named tensors. A container lists the
 * tensors of a file, with dtype, shape and where their bytes are, and reads the
 * rows of the one that "FILE:NAME" chooses. Each is a format of
 * formats/list.h in a file of its own.
 *
 *   open.h         the list of all formats; opening what an argument names
 *   tensors.h      the list of tensors, the choice by name or pattern
 *   safetensors.c  the format of Hugging Face's safetensors; scaled.h: FP8;
 *                  keep.h: a file again, with one tensor replaced
 *   shards.c       the index of a model in several safetensors files
 *   gguf.c         models of llama.cpp; quantized.h: their blocks
 *   npz.c          several arrays of NumPy; zip.h: members of zip archives
 *   onnx.c         models of ONNX; protobuf.h: their messages
 *   torch.h        checkpoints of PyTorch; pickle.h: their objects
 *   hdf5.h         files of Keras and h5py; hdf5_process.h: libhdf5
 *
 * This folder includes what formats/ includes, and formats/.
 */
#ifndef TENSORS_H
#define TENSORS_H

#include <stdint.h>

#include "text/names.h"
#include "formats/format.h"
#include "formats/values.h"

/* One tensor, as its file describes it; it begins with its struct name. */
struct tensor {
	const char *name;      /* [length]; the list's owner owns it */
	size_t length;
	char dtype[16];        /* as the file calls it: "BF16"; "": neither it
				  nor the shape is known */
	struct element element;   /* kind 0: posenc does not read the dtype,
				     or it has */
	const struct quantization *quantization;  /* blocks (quantized.h) */
	size_t rank;
	size_t shape[RANK_MOST];  /* the first dimensions */
	size_t begin, end;     /* offsets in bytes: in the file that lists it */
	const char *file;      /* or in another one; NULL: there is none */
	const struct zip_member *member;  /* or in one of an archive, or NULL */
	const size_t *strides; /* [rank], from one value to the next; NULL:
				  they follow each other */
	bool varints;          /* values are those of Protocol Buffers */
	const char *unread;    /* why its values can't be read, or NULL */
};

struct tensors {
	struct table *owner;   /* of names */
	struct tensor *at;     /* [n]; owned */
	size_t n, room;
	char *names;           /* memory for the next ones, [names_left] */
	size_t names_left;
	bool cut;              /* files may end within values, as a note says:
				  set before they are listed */
	const char *note;      /* what is missing of them, "x is missing", for
				  messages about missing tensors, or NULL */
	struct model_setting {
		const char *name, *value;
	} *settings;           /* [setting_count], what the file says about
				  positions besides; the owner's */
	size_t setting_count;
	double rotary_base;    /* that the file states; 0: none */
};

/* What a format of many tensors can do. */
struct container {
	/*
	 * List the tensors of in, in any order. Claims of the file are checked
	 * against its size. all->at is to be freed in any case.
	 */
	bool (*list)(struct tensors *all, struct input_file *in,
		     struct error *err);

	/*
	 * Find the dtype, shape and bytes that list() left unknown, in other
	 * files or in members. NULL: it leaves none.
	 */
	bool (*describe)(struct tensors *all, struct input_file *in,
			 struct error *err);

	/*
	 * Read one of them into t; all may be in any order. NULL: by
	 * tensor_read().
	 */
	bool (*read)(struct input_file *in, const struct tensors *all,
		     const struct tensor *one, struct table *t,
		     struct error *err);
};

/* How many bytes of a name [n] messages show, for "%.*s"; the same of t's. */
int name_width(size_t n);
int tensor_width(const struct tensor *t);

/* Append a tensor with a copy of name [n]. NULL: out of memory. */
struct tensor *tensors_add(struct tensors *all, const char *name, size_t n,
			   struct error *err);

/* Set the note, unless there is one. */
bool tensors_note(struct tensors *all, struct error *err, const char *format,
		  ...) __attribute__((format(printf, 3, 4)));

/* Note that a file ends before its values do, at byte end. */
bool tensors_note_cut(struct tensors *all, const struct input_file *in,
		      size_t end, struct error *err);

/*
 * After access() to a file of the model failed: note that it is missing; fail
 * if that is not why.
 */
bool tensors_note_missing(struct tensors *all, const char *path,
			  struct error *err);

enum { SETTINGS_MOST = 64 };

/* Add a setting, whose name and value are copied, up to SETTINGS_MOST. */
bool tensors_setting(struct tensors *all, const char *name, const char *value,
		     struct error *err);

/* The order of two tensors by name, for qsort(). */
int tensors_by_name(const void *left, const void *right);

void tensors_sort(struct tensors *all);

/* The tensor of that name [n] in sorted ones, or NULL. */
const struct tensor *tensors_find(const struct tensors *all, const char *name,
				  size_t n);

/* Fail if two have the same name, or if there are none. */
bool tensors_check_names(const struct tensors *all, const struct input_file *in,
			 struct error *err);

/*
 * The tensor whose name is or matches pattern, in which '*' is any text; if
 * pattern is NULL, the only one. NULL: none or several; err lists names, in the
 * order of which all then are.
 */
const struct tensor *tensors_choose(struct tensors *all,
				    const struct input_file *in,
				    const char *pattern, struct error *err);

/* Whether posenc reads tensors of this dtype and number of dimensions. */
bool tensor_check(const struct input_file *in, const struct tensor *one,
		  struct error *err);

/* Read a tensor whose values are where it says. */
bool tensor_read(struct input_file *in, const struct tensor *one,
		 struct table *t, struct error *err);

/* The path of file name [n] in the folder of in; NULL: out of memory. */
const char *path_beside(const struct input_file *in, const char *name, size_t n,
			struct table *owner, struct error *err);

/* "PATH:NAME" of a member of an archive, for messages; NULL: out of memory. */
const char *path_of_member(const struct input_file *in, const char *name,
			   struct table *owner, struct error *err);

/*
 * Open what the file from names, if one does: a regular file, not a pipe that
 * has no end, and no link to another folder (path_is_beside()).
 */
bool open_beside(struct input_file *in, const char *path, const char *from,
		 struct error *err);

/*
 * Let the title of t, "FILE:PATTERN" or "-:PATTERN", name the tensor that
 * pattern matched; NULL: no tensor was chosen by name.
 */
bool tensors_title(const char *pattern, const struct tensor *one,
		   struct table *t, struct error *err);

/* Read one of all in a container. */
bool tensors_read(const struct container *c, struct input_file *in,
		  const struct tensors *all, const struct tensor *one,
		  struct table *t, struct error *err);

/* The read() of a container's format: list, choose and read. */
bool container_read(struct input_file *in, const struct read_options *options,
		    struct table *t, struct error *err);

/* The name of dtype d in safetensors. */
const char *safetensors_dtype(enum dtype d);

extern const struct container safetensors_container, torch_container;

#endif
