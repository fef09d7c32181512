/*
 * list.h: the modes: name of the filter, word of --mode, what it applies to,
 * filter with --antialias, preparation of an axis, and what it does.
 */
MODE(nearest, "nearest", ON_GRIDS | ON_SEQUENCES | WITH_OFFSET, NULL, NULL,
     "the cell at floor(i * n / m), computed in float32 as PyTorch does")
MODE(bilinear, "bilinear", ON_GRIDS | WITH_CORNERS | WITH_OFFSET,
     &bilinear_antialias_filter, NULL, "linear along rows and columns")
MODE(bicubic, "bicubic", ON_GRIDS | WITH_CORNERS | WITH_OFFSET,
     &bicubic_antialias_filter, NULL,
     "cubic along rows and columns, A = -0.75 (--antialias: A = -0.5)")
MODE(area, "area", ON_GRIDS | ON_SEQUENCES, NULL, NULL,
     "mean of the cells that a new cell covers")
MODE(linear, "linear", ON_SEQUENCES | WITH_CORNERS | WITH_OFFSET, NULL, NULL,
     "linear between rows")
MODE(cubic, "cubic", ON_SEQUENCES | WITH_CORNERS | WITH_OFFSET, NULL, NULL,
     "cubic between rows, A = -0.75")
MODE(tile, "tile", ON_SEQUENCES, NULL, NULL,
     "all rows again and again; the last copy is cut (Longformer, LED)")
MODE(last, "last", ON_SEQUENCES, NULL, NULL,
     "the last row again and again (PreSumm)")
MODE(keep, "keep:K", ON_SEQUENCES, NULL, keep_open,
     "the first K rows stay, the others are stretched (Long-CLIP: keep:20)")
MODE(hierarchical, "hierarchical[:A]", ON_SEQUENCES, NULL, hierarchical_open,
     "sums of two rows, to N * N of N (bert4keras; A: 0.4)")
MODE(cut, "cut", ON_GRIDS, NULL, NULL,
     "the centre where smaller, bilinear where larger (AST)")
MODE(geometric_linear, "geometric-linear", ON_GRIDS, NULL,
     geometric_linear_open,
     "linear between distances in geometric progression (timm's BEiT)")
MODE(geometric_cubic, "geometric-cubic", ON_GRIDS, NULL, geometric_cubic_open,
     "the same by cubic splines (BEiT)")
