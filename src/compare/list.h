/*
 * list.h: the explanations that compare tries, in this order: where several
 * leave the same difference, the first is named. Each is a function of
 * explain.h that tries changes; true: also after A was transposed.
 */
EXPLANATION(arranged, false)
EXPLANATION(part, false)
EXPLANATION(columns, true)
EXPLANATION(heads, true)
EXPLANATION(rounded, true)
EXPLANATION(truncated, false)
EXPLANATION(decimals, false)
EXPLANATION(sign, true)
EXPLANATION(scaled, true)
EXPLANATION(reversed_rows, true)
EXPLANATION(replaced_value, false)
EXPLANATION(signs, false)
EXPLANATION(offset, true)
EXPLANATION(cells, false)
EXPLANATION(regrouped, true)
EXPLANATION(permuted, false)
EXPLANATION(repeated_rows, false)
EXPLANATION(shifted_rows, false)
EXPLANATION(affine, false)
EXPLANATION(own_numbers, false)
EXPLANATION(clipped, false)
EXPLANATION(transposed, false)
EXPLANATION(resized, false)
