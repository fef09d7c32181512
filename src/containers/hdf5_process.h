/*
 * hdf5_process.h: libhdf5, loaded at run time, in a process of its own that
 * sends what it reads through a pipe.
 *
 * Not linked: it loads 30 libraries, those of curl and Kerberos among them,
 * which takes 5 ms. In a process: broken files have crashed many versions of
 * it. The process can open no file but the one that is read, as files may
 * name others: links, external storage, virtual datasets, plugins.
 */
#ifndef HDF5_PROCESS_H
#define HDF5_PROCESS_H

#include <stdint.h>

#include "containers/hdf5.h"
#include "table/table.h"

/* What the process sends about each dataset, before length bytes of its name.
   Who receives it trusts nothing. */
struct dataset {
	char kind;             /* of struct element; 0: not read by posenc */
	unsigned char size, big;
	unsigned rank;
	uint64_t shape[RANK_MOST];  /* the first dimensions */
	char dtype[16];        /* as posenc calls it */
	char reason[160];      /* why its values can't be read, or "" */
	uint32_t length;
};

/* The length that stands for the end of a list. */
#define DATASETS_END UINT32_MAX

/*
 * What to send: all datasets, each as struct dataset, up to DATASETS_END; the
 * values of one; or both, one after the other, where posenc reads that one.
 */
enum hdf5_task { HDF5_LIST, HDF5_VALUES, HDF5_LIST_AND_VALUES };

/* What to read, and where to send it. */
struct hdf5_request {
	int file;              /* its descriptor */
	size_t bytes;          /* of the file */
	enum hdf5_task task;
	const char *name;      /* of the dataset; NULL: the only one */
	int to;                /* the pipe */
};

/*
 * Do it, in that process. Errors do not name the file. It ends early where the
 * pipe has no reader any more.
 */
bool hdf5_run(const struct hdf5_request *r, struct error *err);

/* Run in that process, too: "1.10.8", or why there is none. */
void hdf5_load_version(char text[HDF5_VERSION]);

#endif
