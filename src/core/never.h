/*
 * never.h: what cannot be, or has one chance in 2^100, and is asked all the
 * same, lest a mistake elsewhere become harm. make cover leaves these questions
 * out and counts them.
 */
#ifndef NEVER_H
#define NEVER_H

#ifdef COVERAGE
#define NEVER(happens) 0
#else
#define NEVER(happens) (happens)
#endif

#endif
