/* list.h: every family of tables that can be recognized. */
FAMILY(sinusoid)
FAMILY(naive)
FAMILY(relative)
FAMILY(t5)
FAMILY(alibi)
FAMILY(rope)
FAMILY(grid)
FAMILY(shift)
