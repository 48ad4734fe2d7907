import { setImmediate } from 'node:timers/promises'

/** Most subjects in one query, unless a single question has more. Small queries keep the wait of each caller short. */
const MAX_SUBJECTS = 64

interface Question {
  /** Questions with different values run as separate queries. */
  what: string
  /** The subjects, without duplicates. */
  about?: readonly string[]
  /** The moment that the answer must reflect, in milliseconds. */
  at?: number
}

/** Queries all subjects, as of the latest requested moment. */
type Find<Answer> = (about: string[], at: number) => Promise<Answer>

class Group<Answer> {
  readonly answer: Promise<Answer>
  #about = new Set<string>()
  #at = 0

  constructor(turn: Promise<unknown>, find: Find<Answer>) {
    this.answer = turn.then(() => find([...this.#about], this.#at))
  }

  get size(): number {
    return this.#about.size
  }

  sizeWith(about: readonly string[]): number {
    return about.reduce((size, one) => (this.#about.has(one) ? size : size + 1), this.size)
  }

  join(about: readonly string[], at: number): Promise<Answer> {
    for (const one of about) this.#about.add(one)
    this.#at = Math.max(this.#at, at)
    return this.answer
  }
}

interface Turn<Answer> {
  isOver: Promise<void>
  /** Groups by the whole question. */
  same: Map<string, Group<Answer>>
  /** The group with the fewest subjects, by `what`. */
  open: Map<string, Group<Answer>>
}

/**
 * Batches the questions of one turn of the event loop into few queries. A query runs after the turn, so no caller gets
 * data that is older than its question.
 */
export class QueryBatcher<Answer> {
  #turn: Turn<Answer> | undefined

  ask({ what, about = [], at = 0 }: Question, find: Find<Answer>): Promise<Answer> {
    const turn = this.#turn ?? this.#begin()
    this.#turn = turn
    const { isOver, same, open } = turn
    const whole = [what, ...about].join('\n')
    const before = same.get(whole)
    if (before) return before.join([], at)
    const roomiest = open.get(what)
    const group = roomiest && roomiest.sizeWith(about) <= MAX_SUBJECTS ? roomiest : new Group(isOver, find)
    const answer = group.join(about, at)
    same.set(whole, group)
    if (!roomiest || group.size < roomiest.size) open.set(what, group)
    return answer
  }

  #begin(): Turn<Answer> {
    const isOver = setImmediate().then(() => {
      this.#turn = undefined
    })
    return { isOver, same: new Map(), open: new Map() }
  }
}
