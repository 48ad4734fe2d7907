/**
 * The characters of the GSM 7-bit alphabet (3GPP TS 23.038). Each of the characters in `EXTENDED` takes the place of two
 * characters. A text with any other character needs the encoding UCS-2, in which fewer characters fit into a segment.
 */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿' +
  'abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENDED = '^{}\\[~]|€'

const widths: ReadonlyMap<string, number> = new Map([
  ...[...BASIC].map((character) => [character, 1] as const),
  ...[...EXTENDED].map((character) => [character, 2] as const),
])

/** How many units fit into a message of one segment, and into each segment of a longer message. */
const GSM = { alone: 160, joined: 153 }
const UCS2 = { alone: 70, joined: 67 }

/** Returns the number of segments of a text message. Providers charge for each segment. */
export function countSegments(text: string): number {
  const characters = [...text]
  const isGsm = characters.every((character) => widths.has(character))
  // A character outside the basic multilingual plane, such as an emoji, takes two UCS-2 units.
  const units = characters.map((character) => (isGsm ? (widths.get(character) ?? 1) : character.length))
  const { alone, joined } = isGsm ? GSM : UCS2
  if (units.reduce((sum, unit) => sum + unit, 0) <= alone) return 1
  let [segments, used] = [1, 0]
  for (const unit of units) {
    // A segment contains no half of a character.
    if (used + unit > joined) [segments, used] = [segments + 1, 0]
    used += unit
  }
  return segments
}

/** The server sends no text message with more segments. */
export const MAX_SEGMENTS = 2
/** This number of characters fits into two segments, even if each of them takes two UCS-2 units. */
const MAX_CUT_CHARACTERS = UCS2.joined - 1

/**
 * Returns the first of the texts that fits into two segments. If none fits, returns the beginning of the last one. The
 * texts are the same message, from the most detailed to the shortest.
 */
export function fittingText(texts: readonly string[]): string {
  const plain = texts.map(withPlainPunctuation)
  const fitting = plain.find((text) => countSegments(text) <= MAX_SEGMENTS)
  return fitting ?? [...(plain.at(-1) ?? '')].slice(0, MAX_CUT_CHARACTERS).join('')
}

/**
 * Replaces typographic characters by those of the GSM alphabet, because a single narrow space would double the price of
 * a message. Also removes the invisible marks of the writing direction, which many phones show as boxes.
 */
const withPlainPunctuation = (text: string): string =>
  text
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(/[\u2018\u2019\u201a]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\u2026/g, '...')
    .replace(/[\u200e\u200f\u2066-\u2069]/g, '')
