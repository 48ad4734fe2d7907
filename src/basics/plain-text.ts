/** Readers disagree on what ends a line. */
const ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g
/**
 * What nobody sees: controls, and what turns the direction of whatever follows, so that a text reads as another. Marks and joiners
 * that a word is written with in its language are none.
 */
const UNSEEN = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\t\n]/gu

/** What somebody wrote, with nothing in it but what is read. */
export const plainText = (text: string): string => text.replace(ENDS, '\n').replace(UNSEEN, '')

/** The same where it has no more than a line: whatever followed its end would be read as something else. */
export const oneLine = (text: string): string =>
  plainText(text)
    .replace(/[\t\n]+/g, ' ')
    .trim()

/** So much of a text as there is room for, and that there is more. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
