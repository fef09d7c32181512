/*
 * eva_members.h: an archive of one member, for proofs that define any_member()
 * and maybe(), which may fail.
 */
#ifndef EVA_MEMBERS_H
#define EVA_MEMBERS_H

#include "containers/zip.h"

static void any_member(struct zip_member *m);

bool zip_members(struct input_file *in,
		 bool (*add)(void *to, const struct zip_member *m,
			     struct error *err),
		 void *to, struct error *err)
{
	struct zip_member m;

	(void)in;
	any_member(&m);
	return maybe(err) && add(to, &m, err) && maybe(err);
}

bool zip_open(struct zip_stream *s, struct input_file *in,
	      const struct zip_member *m, bool check, const char *path,
	      struct input_file *member, struct error *err)
{
	if (!maybe(err))
		return false;
	*s = (struct zip_stream){ .in = in, .left = *m, .check = check,
				  .path = path };
	*member = (struct input_file){ .path = path, .source = &s->source };
	return true;
}

/* Only what was opened. */
void zip_close(struct zip_stream *s, struct input_file *member)
{
	member->source->read = NULL;
	s->in->n = 0;
}

#endif
