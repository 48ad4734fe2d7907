import { type RawBuilder, sql } from 'kysely'
import type { Service } from '../protocol/types.generated.ts'
import { plainDescription } from './plain-description.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const MOST_WORDS = 16
const LONGEST_WORD = 60

/** The words of a text, without case and accents; scripts that write no spaces are segmented too. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return [...segmenter.segment(plain)]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => segment.match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => word.slice(0, LONGEST_WORD))
}

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
  texts
    .flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text ?? {})))
    .flatMap(wordsOf)
    .join(' ')
