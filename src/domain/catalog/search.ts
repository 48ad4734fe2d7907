import { type RawBuilder, sql } from 'kysely'
import { segmenter } from '../../infra/util/formatters.ts'
import type { Service } from '../../protocol/types.generated.ts'
import { plainDescription } from './plain-description.ts'

const MOST_WORDS = 16
const LONGEST_WORD = 60
/** Nobody looks further into a text, and a registry reads those of strangers. */
const LONGEST_TEXT = 10_000

/** The words of a text, without case and accents; scripts that write no spaces are segmented too. */
export function wordsOf(text: string): string[] {
  // One character may stand for many: the text is cut before it is taken apart, and after.
  const plain = withoutMarks(text.slice(0, LONGEST_TEXT)).normalize('NFKD').slice(0, LONGEST_TEXT)
  const bare = withoutMarks(plain).toLowerCase()
  return [...segmenter('en', { granularity: 'word' }).segment(bare)]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => segment.match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => word.slice(0, LONGEST_WORD).toWellFormed())
}

/** Before a text is taken apart, too: to put many marks in their order takes a time that grows with their square. */
const withoutMarks = (text: string) => text.replace(/\p{M}/gu, '')

export const searchWords = (query: string) => [...new Set(wordsOf(query))].slice(0, MOST_WORDS)

/** What a search finds a service by, in all its languages; names weigh most, descriptions least. */
export function searchTexts(service: Service) {
  const { name, categories = [], tags = [], localized = {} } = service
  const names = joined(name, localized.name)
  const groups = joined(...categories.map((category) => category.name ?? ''), ...tags, localized.category_name)
  const body = joined(plainDescription(service), localized.description)
  return { names, groups, body, all: `${names} ${groups} ${body}` }
}

/** The same as PostgreSQL keeps it. */
export const searchVector = ({
  names,
  groups,
  body,
}: Record<'names' | 'groups' | 'body', string | RawBuilder<unknown>>) =>
  sql<string>`setweight(to_tsvector('simple', ${names}), 'A') || setweight(to_tsvector('simple', ${groups}), 'B')
    || setweight(to_tsvector('simple', ${body}), 'D')`

const joined = (...texts: (string | Record<string, string> | undefined)[]) =>
  joinedWords(texts.flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text ?? {}))))

/** The words of several texts, as one that PostgreSQL takes apart as it was put together. */
export const joinedWords = (texts: string[]): string => wordsOf(texts.join('\n')).join(' ')
