/* arabic.h: the forms of Arabic and Persian letters within words. */
#ifndef ARABIC_H
#define ARABIC_H

#include "figure/letters.h"

/* The ligature of lam and an alef, or 0. */
unsigned long arabic_ligature(unsigned long lam, unsigned long alef);

/* Set what is shown of letters [n], in the order of reading, joined. */
void arabic_join(struct letter *l, size_t n);

#endif
