/*
 * list.h: the kinds of figures, the values of --plot, and what each draws. Each
 * is a struct plot in a file of this folder. The first is drawn if none is
 * chosen.
 */
PLOT(heatmap, "the table as coloured cells, with a colour bar")
PLOT(lines, "columns as lines over positions")
PLOT(cells, "a heat map with the values in its cells")
PLOT(steps, "values as steps over distance")
PLOT(bars, "values of one row or column as bars, or as points with --log y")
PLOT(clocks, "pairs of columns as hands of clocks, row by row")
PLOT(vectors, "pairs of columns as arrows, before and after the rotation of "
     "'rope', with its angle, row by row")
PLOT(wavelengths, "the wavelength of each pair of columns, and the length")
PLOT(tiles, "the similarity of each cell of a grid to all, as a map each; or a "
     "column before and after 'resize' (the first; --dims J selects another)")
PLOT(maps, "columns as maps of the cells of a grid")
PLOT(pca, "rows by their principal components, coloured by position")
PLOT(blocks, "what an embedding is the sum of, as boxes, word by word")
PLOT(panels, "tables side by side, with signs between them, and their sum")
