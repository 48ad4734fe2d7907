import { type RawBuilder, sql } from 'kysely'
import { segmenter } from '../../infra/util/formatters.ts'
import type { Service } from '../../protocol/types.generated.ts'
import { plainDescription } from './localized-texts.ts'

const MOST_WORDS = 16
const LONGEST_WORD = 60
/** Limits the work per text, because a registry also indexes texts of strangers. */
const LONGEST_TEXT = 10_000

/** The words of a text in lower case without accents. Also segments scripts that use no spaces. */
export function wordsOf(text: string): string[] {
  // One character may expand to many: the text is cut before and after normalization.
  const plain = withoutMarks(text.slice(0, LONGEST_TEXT)).normalize('NFKD').slice(0, LONGEST_TEXT)
  const bare = withoutMarks(plain).toLowerCase()
  return [...segmenter('en', { granularity: 'word' }).segment(bare)]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => segment.match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => word.slice(0, LONGEST_WORD).toWellFormed())
}

/** Also removes marks before normalization: sorting many marks takes quadratic time. */
const withoutMarks = (text: string) => text.replace(/\p{M}/gu, '')

export const searchWords = (query: string) => [...new Set(wordsOf(query))].slice(0, MOST_WORDS)

/** The search texts of a service in all languages. Names weigh most, descriptions least. */
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

/** Joins texts into one string of words that PostgreSQL splits into the same words. */
export const joinedWords = (texts: string[]): string => wordsOf(texts.join('\n')).join(' ')
