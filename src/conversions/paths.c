/* paths.c: which paths name models. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "checkpoint/checkpoint.h"
#include "conversions/compare_models.h"
#include "formats/locate.h"
#include "model/config.h"

/* The number of tensors of a file or folder; 0: it is no model, or an error. */
static size_t count_tensors(const char *path, struct error *err)
{
	struct table owner = { 0 };
	struct error why = { 0 };
	struct checkpoint c;
	size_t n = 0;

	if (checkpoint_open(&c, path, &owner, &why)) {
		n = c.all.n;
		checkpoint_close(&c);
	}
	table_close(&owner);
	pass_memory(err, &why);
	return n;
}

/* The same; folders, even of one tensor, and configurations are models. */
static size_t count_or_model(const char *path, struct error *err)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		/* Otherwise it may be "FILE:NAME", or opening it tells */
		if (errno == EIO)
			fail_call(err, path);
		return 0;
	}
	if (S_ISDIR(st.st_mode))
		return SIZE_MAX;
	if (!S_ISREG(st.st_mode))
		return 0;
	return config_recognizes(path, err) ? SIZE_MAX
					    : count_tensors(path, err);
}

/*
 * Whether a path that is no model should be one, beside a model of n tensors:
 * beside a folder, if it is missing, or has the suffix of a container; beside a
 * configuration, if it may be one. Opening it says what is wrong.
 */
static bool should_be_model(const char *path, const char *model, size_t n,
			    struct error *err)
{
	const struct format *f = format_reading(path);
	struct stat st;

	if (strchr(path, ':') || strcmp(path, "-") == 0)
		return false;
	return (is_folder(model) || stat(path, &st) != 0 ||
		(f && f->container) ||
		(config_recognizes(model, err) && config_suits(path, err))) &&
	       (is_folder(model) ? count_tensors(model, err) : n) > 1;
}

bool names_models(const char *const *paths, struct error *err)
{
	const size_t n[] = {
		count_or_model(paths[0], err), count_or_model(paths[1], err),
	};

	for (size_t i = 0; i < 2; i++)
		if (!n[i])
			return n[!i] && !err->text[0] &&
			       should_be_model(paths[i], paths[!i], n[!i], err);
	return n[0] > 1 || n[1] > 1;
}
