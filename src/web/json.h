/* json.h: text that grows, and JSON in it. */
#ifndef WEB_JSON_H
#define WEB_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* Text with its final NUL; all zero: "". To be freed by its owner. */
struct text {
	char *at;
	size_t n, room;  /* length; bytes allocated */
	bool lost;       /* memory ran out, and at holds a part of the text */
};

void put_text(struct text *t, const char *more);

/* "text" with escapes, or null for NULL. */
void put_string(struct text *t, const char *text);

/* The shortest decimal that reads back as x, or null if it is not finite. */
void put_number(struct text *t, double x);

/*
 * A member of an object: its name and a colon, after a comma unless it is the
 * first. Its value follows.
 */
void put_member(struct text *t, const char *name);

/* A comma unless the array has just begun. An element follows. */
void put_element(struct text *t);

#endif
