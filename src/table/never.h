/*
 * never.h: conditions that are impossible, or have a chance of 2^-100, and are
 * checked to contain mistakes elsewhere. make cover leaves them out and counts
 * them, since no test can reach them.
 */
#ifndef NEVER_H
#define NEVER_H

#ifdef COVERAGE
#define NEVER(happens) (0 && (happens))
#else
#define NEVER(happens) (happens)
#endif

#endif
