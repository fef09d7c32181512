/* list.h: every encoding, in the order that help lists them. */
ENCODING(sinusoid)
ENCODING(embed)
ENCODING(relative)
ENCODING(t5_bucket)
ENCODING(naive)
ENCODING(alibi)
ENCODING(grid)
ENCODING(shift)
