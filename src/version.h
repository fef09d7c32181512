/* version.h: which posenc this is. */
#ifndef VERSION_H
#define VERSION_H

#define POSENC_VERSION "0.1.0"

#endif
