/*
 * list.h: the views: commands that work on tables, in the order that help lists
 * them. Each is a struct recipe with inputs: it makes a table of them (attend,
 * similarity, permute, show, resize) or a struct report about them (inspect,
 * compare, identify). Resize, compare and identify have folders of their own.
 * Files here may include recipe and the folders below it. attend also makes
 * tables of encodings, by recipes.h, the list of all recipes; it knows no
 * encoding itself.
 */
VIEW(attend)
VIEW(similarity)
VIEW(permute)
VIEW(show)
VIEW(resize)
VIEW(inspect)
VIEW(compare)
VIEW(identify)
