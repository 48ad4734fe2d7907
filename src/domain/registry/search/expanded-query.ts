import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { executePrepared } from '../../../infra/db/statements.ts'
import { limitConcurrency } from '../../../infra/util/semaphore.ts'
import { searchWords } from '../../catalog/search.ts'

/** The meaning of a search word in tsquery syntax: `found` for the word, `alike` for similar words. */
interface Word {
  found: string
  alike: string | null
}

/** PostgreSQL compares each word with all known words. */
const MOST_WORDS = 8

/**
 * Best first: all words in the name; in name or categories; anywhere; anywhere with typing errors; half of the words.
 * A match at one level also matches at all later ones.
 */
const LEVELS = ['named', 'titled', 'found', 'alike', 'half'] as const
type Level = (typeof LEVELS)[number]

/** A search query: its words with their alternatives, and the levels of match, best first. */
export interface ExpandedQuery {
  words: Word[]
  levels: Level[]
  /** The level that an earlier query covered. Its matches are excluded. */
  before: Level | undefined
}

/**
 * Looks up the meanings of the words. This is a separate statement: with the words in the search itself, PostgreSQL
 * knows their frequency and plans better.
 */
export async function expandQuery(db: Database, query = ''): Promise<ExpandedQuery | undefined> {
  const searched = searchWords(query).slice(0, MOST_WORDS)
  if (searched.length === 0) return undefined
  const meanings = sql<Word>`select found, alike from registry_query(${searched}::text[])`
  const { rows: words } = await limitSearches(() => executePrepared(db, meanings))
  const isDistinct: Partial<Record<Level, boolean>> = {
    alike: words.some(({ alike }) => alike !== null),
    half: words.length > 1,
  }
  return { words, levels: LEVELS.filter((level) => isDistinct[level] ?? true), before: undefined }
}

/** One query for each level. Common words fill a page at the best levels, and later levels are not searched. */
export const levelByLevel = ({ words, levels }: ExpandedQuery): ExpandedQuery[] =>
  levels.map((level, index) => ({ words, levels: [level], before: levels[index - 1] }))

export function matchesQuery({ words, levels, before }: ExpandedQuery): RawBuilder<unknown> {
  const least = matchesAt(words, levels.at(-1) ?? 'named')
  return before ? sql`${least} and not ${matchesAt(words, before)}` : least
}

/** The level of the match as a number; a constant without a query. */
export function rankOf(expanded: ExpandedQuery | undefined): RawBuilder<number> {
  const { words, levels } = expanded ?? { words: [], levels: LEVELS.slice(0, 1) }
  const cases = levels.slice(0, -1).map((level) => sql`when ${matchesAt(words, level)} then ${numberOf(level)}`)
  const least = numberOf(levels.at(-1) ?? 'named')
  return cases.length > 0 ? sql`case ${sql.join(cases, sql` `)} else ${least} end` : least
}

export const ranksOf = (expanded: ExpandedQuery | undefined) => {
  const ranks = (expanded?.levels ?? LEVELS.slice(0, 1)).map((level) => LEVELS.indexOf(level))
  return { best: Math.min(...ranks), least: Math.max(...ranks) }
}

const numberOf = (level: Level) => sql.lit(LEVELS.indexOf(level))

function matchesAt(words: Word[], level: Level): RawBuilder<boolean> {
  const found = words.map((word) => `(${word.found})`).join(' & ')
  const likely = words.map(({ found, alike }) => `(${found}${alike === null ? '' : ` | ${alike}`})`)
  switch (level) {
    case 'named':
      return sql`search_names @@ ${found}::tsquery`
    case 'titled':
      return sql`search_titles @@ ${found}::tsquery`
    case 'found':
      return sql`search_words @@ ${found}::tsquery`
    case 'alike':
      return sql`search_words @@ ${likely.join(' & ')}::tsquery`
    case 'half':
      return sql`(search_words @@ ${likely.join(' | ')}::tsquery and ${enoughOf(likely)})`
  }
}

/** Of two words, one is half. */
const enoughOf = (words: string[]): RawBuilder<boolean> =>
  words.length <= 2
    ? sql`true`
    : sql`(select count(*) from unnest(${words}::tsquery[]) as word where search_words @@ word) * 2 >= ${words.length}`

/** Search statements that may run in parallel. Bookings must still find a free connection. */
const AT_ONCE = 6

export const limitSearches = limitConcurrency(AT_ONCE)
