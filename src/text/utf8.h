/* utf8.h: text from anywhere as valid UTF-8. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the character at text, or 0 where there is none. */
size_t utf8_length(const char *text);

/* The character at *text, which advances; for other bytes U+FFFD. */
unsigned long utf8_next(const char **text);

/* The bytes of the control character at text, UTF-8: C0, DEL, C1; or 0. */
size_t utf8_control(const char *text);

/*
 * Write text to to [room], cut to fit, with control characters and bytes that
 * are not UTF-8 as octal escapes, "\033". Returns the length.
 */
size_t utf8_show(const char *text, char *to, size_t room);

/*
 * A copy of text, to be freed, in which bytes that are not UTF-8 are U+FFFD.
 * NULL: out of memory.
 */
char *utf8_clean(const char *text);

#endif
