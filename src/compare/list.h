/*
 * list.h: the explanations that compare tries, in this order: where several
 * leave the same difference, the first is named. Each is a function of
 * explain.h that tries changes.
 */
EXPLANATION(reshaped)
EXPLANATION(exchanged_axes)
EXPLANATION(part)
EXPLANATION(columns)
EXPLANATION(heads)
EXPLANATION(rounded)
EXPLANATION(truncated)
EXPLANATION(decimals)
EXPLANATION(sign)
EXPLANATION(scaled)
EXPLANATION(reversed_rows)
EXPLANATION(replaced_value)
EXPLANATION(flipped_signs)
EXPLANATION(offset)
EXPLANATION(cells)
EXPLANATION(regrouped)
EXPLANATION(permuted)
EXPLANATION(repeated_rows)
EXPLANATION(shifted_rows)
EXPLANATION(resized)
