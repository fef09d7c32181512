/* utf8.h: text from anywhere as valid UTF-8. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the character at text, or 0 where there is none. */
size_t utf8_length(const char *text);

/* The character at *text, which advances; for other bytes U+FFFD. */
unsigned long utf8_next(const char **text);

/*
 * Whether a screen shows nothing for the character: controls, characters of no
 * width, and those that change the order of others, such as U+202E. Names that
 * look alike may differ by them.
 */
bool utf8_hidden(unsigned long c);

/* Whether c is a joiner or a variation selector: it shapes the one before. */
bool utf8_joins(unsigned long c);

/*
 * Write text, up to most bytes of it, to to [room], cut to fit, with hidden
 * characters and bytes that are not UTF-8 as octal escapes, "\033": for all
 * text from elsewhere that is shown to a person. Returns the length.
 */
size_t utf8_show(const char *text, size_t most, char *to, size_t room);

/*
 * The same for the text of figures, in which such characters stay as they are
 * after characters that are not ASCII, as in Persian words and in emoji.
 */
size_t utf8_show_joined(const char *text, size_t most, char *to, size_t room);

/*
 * Write the one or two units of a character in UTF-16 as hexadecimal digits,
 * each after before, "\\u" in JSON. Returns the length, at most UTF16_TEXT - 1.
 */
enum { UTF16_TEXT = 13 };
size_t utf16_text(unsigned long c, const char *before, char to[UTF16_TEXT]);

/*
 * A copy of text, to be freed, in which bytes that are not UTF-8 are U+FFFD.
 * NULL: out of memory.
 */
char *utf8_clean(const char *text);

#endif
