import { setImmediate } from 'node:timers/promises'

/** So many things are asked about at once, unless one wants more by themselves: nobody waits long for what others want. */
const MOST_TOGETHER = 64

interface Question {
  /** Whoever has another one is asked for apart. */
  what: string
  /** Each of them once. */
  about?: readonly string[]
  /** Milliseconds: of which moment the answer is to be. */
  at?: number
}

/** Asks about all of these, as of the latest moment that somebody named. */
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
  /** By the whole question. */
  same: Map<string, Group<Answer>>
  /** By what is asked: the one with most room. */
  open: Map<string, Group<Answer>>
}

/**
 * Asks once for all who ask the same in one turn of the event loop, be it about the same things or about others. It is asked when
 * the turn is over: nobody gets what is older than their own question.
 */
export class AskedTogether<Answer> {
  #turn: Turn<Answer> | undefined

  ask({ what, about = [], at = 0 }: Question, find: Find<Answer>): Promise<Answer> {
    const turn = this.#turn ?? this.#begin()
    this.#turn = turn
    const { isOver, same, open } = turn
    const whole = [what, ...about].join('\n')
    const before = same.get(whole)
    if (before) return before.join([], at)
    const roomiest = open.get(what)
    const group = roomiest && roomiest.sizeWith(about) <= MOST_TOGETHER ? roomiest : new Group(isOver, find)
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
