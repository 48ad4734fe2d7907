import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { executePrepared } from '../../../infra/db/prepared-statements.ts'
import { limitConcurrency } from '../../../infra/util/semaphore.ts'
import { searchWords } from '../../catalog/search-words.ts'

/**
 * Two PostgreSQL conditions (tsquery) for one word of a search: `found` for the word itself, `alike` for similar words.
 */
interface Word {
  found: string
  alike: string | null
}

/**
 * The server uses at most this many words of a search query. PostgreSQL compares each of these words with all known
 * words.
 */
const MOST_WORDS = 8

/**
 * The match levels of a search result, best first. The result has all search words in its name, in its name or categories,
 * anywhere, or anywhere with typing errors. At the last level, it has half of the words. A match at one level is also a
 * match at all later levels.
 */
export const LEVELS = ['named', 'titled', 'found', 'alike', 'half'] as const
type Level = (typeof LEVELS)[number]

/**
 * A search query to which the server has added similar words: its words, and the levels of match that it covers, best
 * first.
 */
export interface ExpandedQuery {
  words: Word[]
  levels: Level[]
  /**
   * The previous level of match. An earlier query has already found the results of this level, so this query leaves
   * them out.
   */
  before: Level | undefined
}

/**
 * Looks up similar words for the search words in a separate statement. The search statement then contains all words as
 * values, so PostgreSQL can estimate how frequent they are.
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
 * Splits the search query into one query for each level of match. If the best levels fill a page, the server does not
 * run the other queries.
 */
export const levelByLevel = ({ words, levels }: ExpandedQuery): ExpandedQuery[] =>
  levels.map((level, index) => ({ words, levels: [level], before: levels[index - 1] }))

export function matchesQuery({ words, levels, before }: ExpandedQuery): RawBuilder<unknown> {
  const least = matchesAt(words, levels.at(-1) ?? 'named')
  return before ? sql`${least} and not ${matchesAt(words, before)}` : least
}

/**
 * An SQL expression for how well a result matches the search words, as the number of a level. Without search words, the
 * number is constant.
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
 * An SQL condition: at least half of the search words match. For two words, the search already requires one of the two
 * words.
 */
const enoughOf = (words: string[]): RawBuilder<boolean> =>
  words.length <= 2
    ? sql`true`
    : sql`(select count(*) from unnest(${words}::tsquery[]) as word where search_words @@ word) * 2 >= ${words.length}`

/** At most this many search statements run in parallel. The limit leaves database connections for bookings. */
const AT_ONCE = 6

export const limitSearches = limitConcurrency(AT_ONCE)
