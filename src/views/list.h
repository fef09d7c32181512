/* list.h: every view of other tables, in the order that help lists them. */
VIEW(attend)
VIEW(similarity)
VIEW(inspect)
VIEW(compare)
VIEW(identify)
