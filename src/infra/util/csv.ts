/**
 * Positions where a spreadsheet would read a formula: the start of a text, and after a character that may separate cells.
 */
const FORMULA =
  /^(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])|(?<=[\t\r\n,;|])(?=[ "\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const NUMBER = /^-?\d+(\.\d+)?$/

/** Writes rows as RFC 4180 CSV. It quotes every text, but no number, and puts an apostrophe before a formula. */
export const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map((value) => cell(String(value))).join(',')}\r\n`).join('')

const cell = (text: string) => (NUMBER.test(text) ? text : `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`)
