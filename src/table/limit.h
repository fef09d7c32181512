/*
 * limit.h: limits of sizes and times. Fuzzers, whose files are small and must
 * be read fast, are built with lower ones, so that they reach them.
 */
#ifndef LIMIT_H
#define LIMIT_H

#ifdef FUZZED
#define LIMIT(most, fuzzed) (fuzzed)
#else
#define LIMIT(most, fuzzed) (most)
#endif

#endif
