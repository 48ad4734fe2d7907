/** Marks are taken out before a text is taken apart, too: to put many in their order takes a time that grows with their square. */
const MARKS = /[\u0300-\u036f]/g

/** A text for comparing: in lower case and without accents. */
export const folded = (text: string): string =>
  text.toLowerCase().replace(MARKS, '').normalize('NFD').replace(MARKS, '')
