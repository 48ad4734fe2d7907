/** Readers disagree on what ends a line. */
const ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/** Characters that show nothing: controls, annotation marks, and those that Unicode says may be ignored, such as tags. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|[\p{Cc}--[\t\n]]/v

/** Emoji sequences, also those without all their variation selectors. */
const EMOJI =
  /\p{RGI_Emoji}|(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]/v
const scripts = (names: string) => names.replace(/\w+/g, String.raw`\p{scx=$&}`).replaceAll(' ', '')
/** Letters and their marks that change shape beside a joiner. */
const JOINING = String.raw`[[\p{L}\p{M}]&&[${scripts('Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr')}]]`
/** Letters written from right to left. */
const RTL = String.raw`[\p{L}&&[${scripts('Hebr Arab Syrc Thaa Nkoo')}]]`
const SHORT_GAP = String.raw`[^\p{L}\p{DI}]{0,4}`

const needed = [
  EMOJI.source,
  String.raw`(?<=${JOINING})[\u200c\u200d]`,
  // Variants of Han characters, as in Japanese names, and of Mongolian letters.
  String.raw`(?<=\p{sc=Han})[\ufe00-\ufe02\u{e0100}-\u{e011f}]|(?<=[\p{L}&&\p{sc=Mong}])[\u180b-\u180f]`,
  // One direction mark near a letter written from right to left.
  String.raw`(?<!\p{DI})[\u061c\u200e\u200f](?!\p{DI})(?:(?<=${RTL}${SHORT_GAP}.)|(?=${SHORT_GAP}${RTL}))`,
]
const NEEDED_OR_NOT = new RegExp(`(${needed.join('|')})|${INVISIBLE.source}`, 'gv')

/** A text without invisible characters, except where an emoji or a script needs them. */
export const plainText = (text: string): string => {
  const lines = text.replace(ENDS, '\n')
  return INVISIBLE.test(lines) ? lines.replace(NEEDED_OR_NOT, (_, kept: string | undefined) => kept ?? '') : lines
}

/** The same text on one line. A braille blank becomes a space. */
export const oneLine = (text: string): string =>
  plainText(text)
    .replace(/[\t\n\u2800]+/g, ' ')
    .trim()

/** So much of a text as there is room for, and that there is more. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
