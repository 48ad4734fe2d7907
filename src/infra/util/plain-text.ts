/** Matches all characters that some programs treat as the end of a line. */
const ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/** Matches invisible characters: control characters, annotation marks, and characters that Unicode calls ignorable. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|[\p{Cc}--[\t\n]]/gv

/** Matches the places where a text needs an invisible character, such as a joiner in an emoji. */
const NEEDED = [
  // Matches emoji sequences, even if some of their variation selectors are missing.
  /\p{RGI_Emoji}|(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]/gv,
  // Matches an invisible joiner after a letter or mark of a script with letters that change their shape, such as
  // Arabic.
  /(?<=[[\p{L}\p{M}]&&[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}]])[\u200c\u200d]/gv,
  // Matches variation selectors after Han characters, such as in Japanese names, and after Mongolian letters.
  /(?<=\p{sc=Han})[\ufe00-\ufe02\u{e0100}-\u{e011f}]|(?<=[\p{L}&&\p{sc=Mong}])[\u180b-\u180f]/gv,
  // Matches a single invisible direction mark near a letter of a script that is written from right to left.
  /(?<!\p{DI})[\u061c\u200e\u200f](?!\p{DI})(?:(?<=[\p{L}&&[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}]][^\p{L}\p{DI}]{0,4}.)|(?=[^\p{L}\p{DI}]{0,4}[\p{L}&&[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}]]))/gv,
]

/** Replaces all line ends by `\n`. Removes invisible characters, except those that an emoji or a script needs. */
export const plainText = (text: string): string => {
  const lines = text.replace(ENDS, '\n')
  if (lines.search(INVISIBLE) === -1) return lines
  const needed = new Set<number>()
  for (const { 0: found, index } of NEEDED.flatMap((pattern) => [...lines.matchAll(pattern)]))
    for (let at = index; at < index + found.length; at++) needed.add(at)
  return lines.replace(INVISIBLE, (character, at: number) => (needed.has(at) ? character : ''))
}

/** Writes a text on one line, without invisible characters. A blank braille character becomes a space. */
export const oneLine = (text: string): string =>
  plainText(text)
    .replace(/[\t\n\u2800]+/g, ' ')
    .trim()

export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text

/**
 * Matches combining marks such as accents. The function `folded` removes them first, because Unicode normalization
 * takes quadratic time to sort many marks.
 */
const MARKS = /[\u0300-\u036f]/g

/** Normalizes a text for comparisons: lower case letters without accents. */
export const folded = (text: string): string =>
  text.toLowerCase().replace(MARKS, '').normalize('NFD').replace(MARKS, '')
