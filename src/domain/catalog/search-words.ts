import { type RawBuilder, sql } from 'kysely'
import { segmenter } from '../../infra/util/cached-intl-formatters.ts'
import type { Service } from '../../protocol/types.generated.ts'
import { plainDescription } from './localized-texts.ts'

const MOST_WORDS = 16
const LONGEST_WORD = 60
/**
 * A search reads at most this many characters of a text. The directory (a list of other businesses) indexes texts that
 * other businesses wrote, and these texts may be very long.
 */
const LONGEST_TEXT = 10_000

/**
 * Splits a text into words, in lower case and without accents. The function can also separate words in languages that
 * write no spaces, such as Thai.
 */
export function wordsOf(text: string): string[] {
  // Unicode normalization may replace one character with many characters. Therefore the server cuts the text to its
  // maximum length before the normalization, and again after it.
  const plain = withoutMarks(text.slice(0, LONGEST_TEXT)).normalize('NFKD').slice(0, LONGEST_TEXT)
  const bare = withoutMarks(plain).toLowerCase()
  return [...segmenter('en', { granularity: 'word' }).segment(bare)]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => segment.match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => word.slice(0, LONGEST_WORD).toWellFormed())
}

/**
 * Removes marks such as accents from a text. The server also calls this function before the Unicode normalization,
 * because the normalization takes quadratic time for a text with many marks.
 */
const withoutMarks = (text: string) => text.replace(/\p{M}/gu, '')

export const searchWords = (query: string) => [...new Set(wordsOf(query))].slice(0, MOST_WORDS)

/**
 * The searchable texts of a service in all languages. In a search, matches in names count most, and matches in the
 * description count least.
 */
export function searchTexts(service: Service) {
  const { name, categories = [], tags = [], localized = {} } = service
  const names = joined(name, localized.name)
  const groups = joined(...categories.map((category) => category.name ?? ''), ...tags, localized.category_name)
  const body = joined(plainDescription(service), localized.description)
  return { names, groups, body, all: `${names} ${groups} ${body}` }
}

export const searchVector = ({
  names,
  groups,
  body,
}: Record<'names' | 'groups' | 'body', string | RawBuilder<unknown>>) =>
  sql<string>`setweight(to_tsvector('simple', ${names}), 'A') || setweight(to_tsvector('simple', ${groups}), 'B')
    || setweight(to_tsvector('simple', ${body}), 'D')`

const joined = (...texts: (string | Record<string, string> | undefined)[]) =>
  joinedWords(texts.flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text ?? {}))))

/**
 * Joins texts into one string of words, separated by spaces. PostgreSQL splits this string into the same words as the
 * function `wordsOf`.
 */
export const joinedWords = (texts: string[]): string => wordsOf(texts.join('\n')).join(' ')
