/** Where a spreadsheet would read a formula: at the start of a text, and behind any character that may separate cells. */
const FORMULA =
  /^(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])|(?<=[\t\r\n,;|])(?=[ "\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const NUMBER = /^-?\d+(\.\d+)?$/

/** Rows as RFC 4180 has them. Every text is quoted, and an apostrophe keeps a formula from being one. A number stays a number. */
export const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map((value) => cell(String(value))).join(',')}\r\n`).join('')

const cell = (text: string) => (NUMBER.test(text) ? text : `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`)
