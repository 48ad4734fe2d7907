/**
 * Matches the places where a spreadsheet could see a formula: at the start of a text, or after a character that can
 * separate cells.
 */
const FORMULA =
  /^(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])|(?<=[\t\r\n,;|])(?=[ "\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const NUMBER = /^-?\d+(\.\d+)?$/

/**
 * Writes rows as CSV (RFC 4180). Puts quotation marks around each text, but not around numbers. Puts an apostrophe
 * before a text that looks like a formula, so that no spreadsheet runs the formula.
 */
export const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map((value) => cell(String(value))).join(',')}\r\n`).join('')

const cell = (text: string) => (NUMBER.test(text) ? text : `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`)
