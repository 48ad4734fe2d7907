import { setImmediate } from 'node:timers/promises'

/**
 * The maximum number of subjects, such as resource ids, in one combined database query. A larger query would make
 * callers wait longer. A single question with more subjects still runs as one query.
 */
const MAX_SUBJECTS = 64

interface Question {
  /** The name of the database query that answers the question. Questions with different names need separate queries. */
  query: string
  /** The things that the question asks about, such as resource ids. The list has no duplicates. */
  subjects?: readonly string[]
  /** The time for which the answer must be right, in milliseconds since 1970. */
  at?: number
}

/**
 * Runs one database query for the subjects of several questions. `at` is the latest time for which one of these
 * questions needs the answer.
 */
type Find<Answer> = (subjects: string[], at: number) => Promise<Answer>

class Group<Answer> {
  readonly answer: Promise<Answer>
  #subjects = new Set<string>()
  #at = 0

  constructor(turn: Promise<unknown>, find: Find<Answer>) {
    this.answer = turn.then(() => find([...this.#subjects], this.#at))
  }

  get size(): number {
    return this.#subjects.size
  }

  sizeWith(subjects: readonly string[]): number {
    return subjects.reduce((size, one) => (this.#subjects.has(one) ? size : size + 1), this.size)
  }

  join(subjects: readonly string[], at: number): Promise<Answer> {
    for (const one of subjects) this.#subjects.add(one)
    this.#at = Math.max(this.#at, at)
    return this.answer
  }
}

interface Turn<Answer> {
  isOver: Promise<void>
  /**
   * The groups of questions that share one database query. The key is the query name and all subjects of a question, so
   * an equal question joins the same group.
   */
  byQuestion: Map<string, Group<Answer>>
  /**
   * For each query name, the group of questions with the fewest subjects. A new question joins this group if it fits.
   */
  smallest: Map<string, Group<Answer>>
}

/**
 * Combines database questions that arrive in one turn of the event loop into few queries. A query runs only after this
 * turn, so no caller gets data that are older than the caller's question.
 */
export class QueryBatcher<Answer> {
  #turn: Turn<Answer> | undefined

  ask({ query, subjects = [], at = 0 }: Question, find: Find<Answer>): Promise<Answer> {
    const turn = this.#turn ?? this.#begin()
    this.#turn = turn
    const { isOver, byQuestion, smallest } = turn
    const whole = [query, ...subjects].join('\n')
    const before = byQuestion.get(whole)
    if (before) return before.join([], at)
    const roomiest = smallest.get(query)
    const group = roomiest && roomiest.sizeWith(subjects) <= MAX_SUBJECTS ? roomiest : new Group(isOver, find)
    const answer = group.join(subjects, at)
    byQuestion.set(whole, group)
    if (!roomiest || group.size < roomiest.size) smallest.set(query, group)
    return answer
  }

  #begin(): Turn<Answer> {
    const isOver = setImmediate().then(() => {
      this.#turn = undefined
    })
    return { isOver, byQuestion: new Map(), smallest: new Map() }
  }
}
