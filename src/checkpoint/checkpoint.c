/* checkpoint.c: open a model, list its tensors, read any of them. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint/checkpoint.h"

/* The path of config.json beside a file, or Meta's params.json, if one is. */
static bool find_config(struct checkpoint *c, struct table *owner,
			struct error *err)
{
	static const char *const names[] = { "config.json", "params.json" };
	const struct input_file *in = &c->file.in;
	struct stat st;

	for (size_t i = 0; i < 2 && in->fd != STDIN_FILENO; i++) {
		const char *path = path_beside(in, names[i], strlen(names[i]),
					       owner, err);

		if (!path)
			return false;
		if (stat(path, &st) == 0) {
			c->config = path;
			return S_ISREG(st.st_mode) ||
			       fail_file(err, path, "not a regular file");
		}
		if (errno != ENOENT)
			return fail_call(err, path);
	}
	return true;
}

static bool check_container(const struct opened *o, const char *path,
			    struct error *err)
{
	const char *base = strrchr(o->in.path, '/');
	char known[SUFFIXES_TEXT];

	base = base ? base + 1 : o->in.path;
	if (o->tensor)
		return fail_file(err, path, "expected a file or folder of "
				 "tensors, got the tensor '%.60s' of one",
				 o->tensor);
	return o->format->container ||
	       fail_file(err, path, "%s a file of named tensors (%s)",
			 strcmp(base, "config.json") == 0
			 ? "a configuration, which 'posenc config' explains, "
			   "not" : o->in.fd == STDIN_FILENO
			 ? "not the beginning of" : "one table, not",
			 format_containers(known));
}

/* List and describe the tensors of the open file. */
static bool list(struct checkpoint *c, struct error *err)
{
	const struct container *from = c->file.format->container;
	struct input_file *in = &c->file.in;

	return in_random(in, err) && from->list(&c->all, in, err) &&
	       (!from->describe || from->describe(&c->all, in, err));
}

static bool open_any(struct checkpoint *c, const char *path, bool cut,
		     struct table *owner, struct error *err)
{
	const struct raw_kind raw = { .dtype = NO_CHOICE };

	*c = (struct checkpoint){
		.all = { .owner = owner, .cut = cut },
		.file.only_containers = true,
	};
	if (!format_open(&c->file, path, &raw, owner, err))
		return false;
	if (check_container(&c->file, path, err) &&
	    find_config(c, owner, err) && list(c, err))
		return true;
	checkpoint_close(c);
	return false;
}

bool checkpoint_open(struct checkpoint *c, const char *path,
		     struct table *owner, struct error *err)
{
	return open_any(c, path, false, owner, err);
}

bool checkpoint_open_cut(struct checkpoint *c, const char *path,
			 struct table *owner, struct error *err)
{
	return open_any(c, path, true, owner, err);
}

bool checkpoint_read(struct checkpoint *c, const struct tensor *one,
		     struct table *t, struct error *err)
{
	struct input_file *in = &c->file.in;

	format_begin(t);
	return tensors_read(c->file.format->container, in, &c->all, one, t,
			    err) &&
	       format_end(in, t, err);
}

void checkpoint_close(struct checkpoint *c)
{
	free(c->all.at);
	in_close(&c->file.in);
}
