/* reader.h: reads any bytes as a file of a format, in every way. */
#ifndef FUZZ_READER_H
#define FUZZ_READER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Read data as a file of the format: from memory, through a window of 16 bytes,
 * and as from a pipe of unknown size. Aborts if tables or errors differ.
 */
void fuzz_reader(const char *format, const uint8_t *data, size_t n);

#endif
