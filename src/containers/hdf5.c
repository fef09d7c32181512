/*
 * hdf5.c: files of HDF5, as Keras and h5py write them: datasets in groups, by
 * their paths. libhdf5 reads them, in a process of its own (hdf5_process.h).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "table/process.h"
#include "containers/hdf5.h"
#include "containers/hdf5_process.h"

/* What both processes see, which this one does not trust. */
struct shared {
	unsigned char done;    /* the other one came to its end */
	struct error err;
};

/* The other process, and what it sends. */
struct reader {
	const struct input_file *in;
	struct hdf5_request request;
	struct shared *shared;
	pid_t process;
	int ends[2];           /* the pipe */
	struct input_file sent;
};

static void run(void *self)
{
	const struct reader *r = self;

	close(r->ends[0]);
	hdf5_run(&r->request, &r->shared->err);
	r->shared->done = true;
}

/*
 * Start to list datasets, to read that of a name, or both. After true,
 * finish() must follow.
 */
static bool start(struct reader *r, const struct input_file *in,
		  enum hdf5_task task, const char *name, struct error *err)
{
	enum { LIST_LEAST = 1 << 20 };

	if (!in->seeks)
		return fail_file(err, in->path, "HDF5 is read from a regular "
				 "file that is not empty, not from a pipe");
	r->shared = process_share(sizeof *r->shared);
	if (!r->shared)
		return fail_memory(err);
	if (pipe(r->ends) != 0) {
		munmap(r->shared, sizeof *r->shared);
		return fail_call(err, in->path);
	}
	r->in = in;
	r->request = (struct hdf5_request){ in->fd, in->size, task, name,
					    r->ends[1] };
	r->process = process_start(run, r);
	/* Without it the pipe is empty, which ends reading with this error */
	if (r->process < 0)
		fail_file(err, in->path, "HDF5 is read in a process of its "
			  "own: %s", strerror(errno));
	close(r->ends[1]);
	in_pipe(&r->sent, in->path, r->ends[0]);
	/* Every link takes some bytes of the file */
	if (task != HDF5_VALUES)
		r->sent.most = LIST_LEAST +
			       in->size * sizeof(struct dataset) / 8;
	return true;
}

/* libhdf5 reads its files: only libraries are mapped. */
static const char cut_short[] = "cannot be loaded: it is cut short, or a "
				"library that it needs";

static bool is_cut_short(int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS;
}

/*
 * End the other process. If it failed, or a signal ended it, that explains
 * what is wrong with what it sent, unless the file has changed meanwhile.
 */
static bool finish(struct reader *r, bool good, struct error *err)
{
	struct shared *s = r->shared;
	struct error why = { 0 };
	int status;

	in_close(&r->sent);
	status = process_wait(r->process);
	s->err.text[sizeof s->err.text - 1] = '\0';
	if (s->err.text[0])
		fail_file(&why, r->in->path, "%s", s->err.text);
	else if (is_cut_short(status))
		fail_file(&why, r->in->path, "HDF5 files need the library "
			  "libhdf5, version 1.10 or newer: %s", cut_short);
	else if (r->process > 0 && !s->done)
		fail_file(&why, r->in->path, "libhdf5 failed on this file (%s)",
			  WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
					      : "it ended its process");
	munmap(s, sizeof *s);
	if (!why.text[0])
		return good;
	*err = (struct error){ 0 };
	if (in_unchanged(r->in, err))
		*err = why;
	return false;
}

/* Why a tensor is listed that can't be read; owner keeps it. NULL: an error. */
static const char *keep_reason(const struct dataset *d, struct table *owner,
			       struct error *err)
{
	char *reason = table_alloc(owner, sizeof d->reason, 1, err);

	if (reason)
		memcpy(reason, d->reason, sizeof d->reason - 1);
	return reason;
}

/* The dtype of elements that are read, as h5py names it. */
static void name_dtype(struct tensor *t)
{
	const struct element e = t->element;

	if (e.kind == 'b')
		snprintf(t->dtype, sizeof t->dtype, "bool");
	else
		snprintf(t->dtype, sizeof t->dtype, "%s%zu",
			 e.kind == 'f' ? "float" : e.kind == 'B' ? "bfloat"
			 : e.kind == 'i' ? "int" : "uint", 8 * e.size);
}

/* List a dataset. What it claims is checked, as a broken file can do anything
   to the process that sent it. */
static bool add_dataset(struct tensors *all, const struct dataset *d,
			const unsigned char *name, struct error *err)
{
	const struct element e = { d->kind, d->size, d->big != 0 };
	struct tensor *t = tensors_add(all, (const char *)name, d->length,
				       err);

	if (!t)
		return false;
	memcpy(t->dtype, d->dtype, sizeof t->dtype - 1);
	if (element_known(e)) {
		t->element = e;
		name_dtype(t);
	}
	t->rank = d->rank;
	for (size_t i = 0; i < RANK_MOST; i++)
		t->shape[i] = d->shape[i];
	if (d->reason[0])
		t->unread = keep_reason(d, all->owner, err);
	return !d->reason[0] || t->unread;
}

/* Whether n bytes have come. */
static bool receive(struct input_file *sent, size_t n, struct error *err)
{
	return in_read(sent, n, err) && sent->n >= n;
}

bool hdf5_read_list(struct tensors *all, struct input_file *sent,
		    struct error *err)
{
	struct dataset d;

	while (receive(sent, sizeof d, err)) {
		memcpy(&d, sent->bytes, sizeof d);
		in_drop(sent, sizeof d);
		if (d.length == DATASETS_END)
			return !err->text[0];
		if (!receive(sent, d.length, err) ||
		    !add_dataset(all, &d, sent->bytes, err))
			break;
		in_drop(sent, d.length);
	}
	if (sent->n)
		fail_file(err, sent->path, "libhdf5 sent an incomplete list");
	return !err->text[0];
}

static bool hdf5_list(struct tensors *all, struct input_file *in,
		      struct error *err)
{
	struct reader r;
	bool good;

	if (!start(&r, in, HDF5_LIST, NULL, err))
		return false;
	good = hdf5_read_list(all, &r.sent, err);
	return finish(&r, good, err) && tensors_check_names(all, in, err);
}

static bool read_one(struct input_file *in, const struct tensors *all,
		     const struct tensor *one, struct table *t,
		     struct error *err)
{
	struct reader r;
	bool good;

	(void)all;
	if (!tensor_check(in, one, err) ||
	    !start(&r, in, HDF5_VALUES, one->name, err))
		return false;
	good = tensor_read(&r.sent, one, t, err);
	return finish(&r, good, err);
}

/* Read the values that follow a list. */
static bool read_next(struct reader *r, const struct tensor *one,
		      struct table *t, struct error *err)
{
	struct tensor next = *one;

	next.begin = r->sent.at;
	r->sent.most = SIZE_MAX;
	return tensor_read(&r->sent, &next, t, err);
}

/*
 * List, choose and read in one process, which sends the values of a dataset
 * that is named, or the only one; of others in a second one.
 */
static bool choose_and_read(struct tensors *all, struct input_file *in,
			    const char *name, struct table *t,
			    struct error *err)
{
	const struct tensor *one = NULL;
	struct reader r;
	bool good, next = false;

	if (!start(&r, in, HDF5_LIST_AND_VALUES, name, err))
		return false;
	if (hdf5_read_list(all, &r.sent, err) &&
	    tensors_check_names(all, in, err))
		one = tensors_choose(all, in, name, err);
	if (!one)
		return finish(&r, false, err);
	good = tensor_check(in, one, err);
	next = good && (!name || strcmp(one->name, name) == 0);
	if (next)
		good = read_next(&r, one, t, err);
	return finish(&r, good, err) &&
	       (next || read_one(in, all, one, t, err)) &&
	       tensors_title(name, one, t, err);
}

static void run_version(void *text)
{
	hdf5_load_version(text);
}

void hdf5_version(char text[HDF5_VERSION])
{
	char *found = process_share(HDF5_VERSION);

	snprintf(text, HDF5_VERSION, "failed, possibly out of memory");
	if (!found)
		return;
	if (is_cut_short(process_wait(process_start(run_version, found))))
		snprintf(text, HDF5_VERSION, "%s", cut_short);
	if (found[0])
		memcpy(text, found, HDF5_VERSION);
	munmap(found, HDF5_VERSION);
}

static const struct container hdf5 = {
	.list = hdf5_list,
	.read = read_one,
};

/* Names are paths, with or without the slash of the first group. */
static bool hdf5_read(struct input_file *in, const struct read_options *options,
		      struct table *t, struct error *err)
{
	struct tensors all = { .owner = t };
	const char *name = options->tensor;
	bool good;

	while (name && name[0] == '/')
		name++;
	good = choose_and_read(&all, in, name, t, err);
	free(all.at);
	return good;
}

static bool hdf5_recognizes(const unsigned char *b, size_t n)
{
	return n >= 8 && !memcmp(b, "\x89HDF\r\n\x1a\n", 8);
}

const struct format hdf5_format = {
	.name = "h5",
	.read_suffixes = { "hdf5" },
	.binary = true,
	.process = true,
	.container = &hdf5,
	.recognizes = hdf5_recognizes,
	.read = hdf5_read,
};
