/*
 * font_find.h: installed fonts, by fontconfig.
 *
 * It is loaded where a letter needs it: linking it would add 0.5 ms to the
 * start of every command, and not every machine has it. Reading alone is enough
 * for it, so the sandbox may be closed.
 */
#ifndef FONT_FIND_H
#define FONT_FIND_H

#include "table/error.h"

enum { FONT_PATH = 4096 };

/*
 * Find the font that the system prefers for a character: its file, and its
 * number in that file. It may lack the character, if all fonts do. false: there
 * is no font, or no fontconfig; or an error, after which none may be searched.
 */
bool font_find(unsigned long character, char path[FONT_PATH], long *index,
	       struct error *err);

#endif
