/*
 * never.h: what cannot be, and is asked all the same, lest a mistake elsewhere
 * become harm. Builds that count what tests reach leave the question out;
 * make cover says how many there are.
 */
#ifndef NEVER_H
#define NEVER_H

#ifdef COVERAGE
#define NEVER(happens) false
#else
#define NEVER(happens) (happens)
#endif

#endif
