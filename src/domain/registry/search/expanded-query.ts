import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { executePrepared } from '../../../infra/db/prepared.ts'
import { searchWords } from '../../catalog/search.ts'
import { limitSearches } from './search-concurrency.ts'

/** What a word stands for, as PostgreSQL writes it: for this above all, and for what is like it. */
interface Word {
  found: string
  alike: string | null
}

/** Each has to be compared with all words there are. */
const MOST_WORDS = 8

/**
 * How well something answers to words, the best first: all of them stand in its name; in its name or categories;
 * anywhere; anywhere, some misspelled; or half of them do. Who answers better answers in the lesser ways too.
 */
const LEVELS = ['named', 'titled', 'found', 'alike', 'half'] as const
type Level = (typeof LEVELS)[number]

/** A query as it is searched for: its words with their alternatives, and the levels of match from the best to the least. */
export interface ExpandedQuery {
  words: Word[]
  levels: Level[]
  /** What answers like this was looked for before. */
  before: Level | undefined
}

/**
 * Looks up what the words of a query may mean. This is a statement of its own before the search: PostgreSQL plans the search
 * better when it sees the words themselves and knows how common they are.
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

/** One query for each level: common words fill a page from the best levels, and the lesser ones are never searched. */
export const levelByLevel = ({ words, levels }: ExpandedQuery): ExpandedQuery[] =>
  levels.map((level, index) => ({ words, levels: [level], before: levels[index - 1] }))

/** Whether it answers at these levels. */
export function matchesQuery({ words, levels, before }: ExpandedQuery): RawBuilder<unknown> {
  const least = matchesAt(words, levels.at(-1) ?? 'named')
  return before ? sql`${least} and not ${matchesAt(words, before)}` : least
}

/** The level at which it answers, as a number; the same for everything when nothing in particular is sought. */
export function rankOf(expanded: ExpandedQuery | undefined): RawBuilder<number> {
  const { words, levels } = expanded ?? { words: [], levels: LEVELS.slice(0, 1) }
  const cases = levels.slice(0, -1).map((level) => sql`when ${matchesAt(words, level)} then ${numberOf(level)}`)
  const least = numberOf(levels.at(-1) ?? 'named')
  return cases.length > 0 ? sql`case ${sql.join(cases, sql` `)} else ${least} end` : least
}

/** The ranks of what is found. */
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

/** One of two is half of them. */
const enoughOf = (words: string[]): RawBuilder<boolean> =>
  words.length <= 2
    ? sql`true`
    : sql`(select count(*) from unnest(${words}::tsquery[]) as word where search_words @@ word) * 2 >= ${words.length}`
