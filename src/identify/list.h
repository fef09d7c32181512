/* list.h: every family of tables that can be recognized. */
FAMILY(sinusoid)
