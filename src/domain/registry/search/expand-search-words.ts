import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { executePrepared } from '../../../infra/db/prepared-statements.ts'
import { limitConcurrency } from '../../../infra/util/semaphore.ts'
import { searchWords } from '../../catalog/search-words.ts'

/**
 * The PostgreSQL search conditions (`tsquery`) for one search word. `found` matches the word itself, and `alike`
 * matches similar words.
 */
interface Word {
  found: string
  alike: string | null
}

/**
 * The server uses at most this many words of a search query. The number is limited because PostgreSQL compares each of
 * these words with all known words.
 */
const MOST_WORDS = 8

/**
 * The match levels of a search result, best first. At the first three levels, all search words are in the name, in the
 * name or categories, or anywhere. The fourth level accepts similar words, and the last level requires only half of the
 * words. A match at one level is also a match at all later levels.
 */
export const LEVELS = ['named', 'titled', 'found', 'alike', 'half'] as const
type Level = (typeof LEVELS)[number]

/**
 * A search query with the similar words that the server added to it. The query finds results of the match levels in
 * `levels`.
 */
export interface ExpandedQuery {
  words: Word[]
  levels: Level[]
  /**
   * The match level before those in `levels`. An earlier query has already found the results of that level, so this
   * query leaves them out.
   */
  before: Level | undefined
}

/**
 * Finds similar words for each search word with a separate SQL statement. The search statement then contains all words
 * as values, so that PostgreSQL can estimate how often they occur.
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

/**
 * Splits a search query into one query for each match level. If the results of the best levels fill a page, the server
 * does not run the other queries.
 */
export const levelByLevel = ({ words, levels }: ExpandedQuery): ExpandedQuery[] =>
  levels.map((level, index) => ({ words, levels: [level], before: levels[index - 1] }))

export function matchesQuery({ words, levels, before }: ExpandedQuery): RawBuilder<unknown> {
  const least = matchesAt(words, levels.at(-1) ?? 'named')
  return before ? sql`${least} and not ${matchesAt(words, before)}` : least
}

/**
 * Makes an SQL expression for the match level of a result, as a number. Without search words, the number is the same
 * for all results.
 */
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

/**
 * Makes an SQL condition that is true if at least half of the search words match. For one or two words, it is always true,
 * because another condition already requires that one word matches.
 */
const enoughOf = (words: string[]): RawBuilder<boolean> =>
  words.length <= 2
    ? sql`true`
    : sql`(select count(*) from unnest(${words}::tsquery[]) as word where search_words @@ word) * 2 >= ${words.length}`

/** At most this many search statements run in parallel. The limit leaves database connections for other calls. */
const AT_ONCE = 6

export const limitSearches = limitConcurrency(AT_ONCE)
