import { type RawBuilder, sql } from 'kysely'
import { searchWords } from '../../catalog/search.ts'
import type { Database } from '../../db/database.ts'
import { executeKept } from '../../db/kept.ts'
import { inTurn } from './search-turns.ts'

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

/** What is looked for at once: the words, and the levels from the best to the least that will do. */
export interface Sought {
  words: Word[]
  levels: Level[]
  /** What answers like this was looked for before. */
  before: Level | undefined
}

/**
 * What the words of a query may mean. It is asked before the search itself: a search that is planned with the very words is
 * planned by how common they are.
 */
export async function soughtWords(db: Database, query = ''): Promise<Sought | undefined> {
  const asked = searchWords(query).slice(0, MOST_WORDS)
  if (asked.length === 0) return undefined
  const meanings = sql<Word>`select found, alike from registry_query(${asked}::text[])`
  const { rows: words } = await inTurn(() => executeKept(db, meanings))
  const isDistinct: Partial<Record<Level, boolean>> = {
    alike: words.some(({ alike }) => alike !== null),
    half: words.length > 1,
  }
  return { words, levels: LEVELS.filter((level) => isDistinct[level] ?? true), before: undefined }
}

/** One level after the other: what is common fills a page from the best ones, and the others are not looked for at all. */
export const levelByLevel = ({ words, levels }: Sought): Sought[] =>
  levels.map((level, index) => ({ words, levels: [level], before: levels[index - 1] }))

/** Whether it answers at these levels. */
export function answersTo({ words, levels, before }: Sought): RawBuilder<unknown> {
  const least = answersAt(words, levels.at(-1) ?? 'named')
  return before ? sql`${least} and not ${answersAt(words, before)}` : least
}

/** The level at which it answers, as a number; the same for everything when nothing in particular is sought. */
export function rankOf(sought: Sought | undefined): RawBuilder<number> {
  const { words, levels } = sought ?? { words: [], levels: LEVELS.slice(0, 1) }
  const cases = levels.slice(0, -1).map((level) => sql`when ${answersAt(words, level)} then ${numberOf(level)}`)
  const least = numberOf(levels.at(-1) ?? 'named')
  return cases.length > 0 ? sql`case ${sql.join(cases, sql` `)} else ${least} end` : least
}

/** The ranks of what is found. */
export const ranksOf = (sought: Sought | undefined) => {
  const ranks = (sought?.levels ?? LEVELS.slice(0, 1)).map((level) => LEVELS.indexOf(level))
  return { best: Math.min(...ranks), least: Math.max(...ranks) }
}

const numberOf = (level: Level) => sql.lit(LEVELS.indexOf(level))

function answersAt(words: Word[], level: Level): RawBuilder<boolean> {
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
