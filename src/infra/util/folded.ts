/** Combining marks. `folded` also removes them before it normalizes: sorting many marks takes quadratic time. */
const MARKS = /[\u0300-\u036f]/g

/** Normalizes a text for comparison: lower case, without accents. */
export const folded = (text: string): string =>
  text.toLowerCase().replace(MARKS, '').normalize('NFD').replace(MARKS, '')
