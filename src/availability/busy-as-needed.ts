import type { ResourceDefinition } from '../protocol/types.generated.ts'
import type { Busy, Occupied } from './busy.ts'
import { type Plan, resourcesOf } from './plan.ts'
import type { ScheduledTime } from './scheduled-in-order.ts'

/** Of so few all is read at once. */
const FEW = 100
/** Of those who can be assigned so many are read before the others: seldom are all of them taken. */
const ASSIGNED = 20
/** So many times are looked ahead at first, for who has to be read, and then four times as many. */
const AT_FIRST = 128

/** Somebody was asked for of whom nothing has been read yet. */
class NotRead extends Error {
  readonly id: string

  constructor(id: string) {
    super(`What is taken of ${id} was not read.`)
    this.id = id
  }
}

/**
 * What is taken of those who are looked at: of hundreds of people and rooms mostly the first few are, and to read the others
 * would take the database most of its time.
 */
export class BusyAsNeeded implements Busy {
  readonly #plan: Plan
  readonly #times: Iterator<ScheduledTime>
  readonly #read: (ids: string[]) => Promise<Busy>
  readonly #unread: Set<string>
  readonly #known = new Map<string, Busy>()
  #ahead: number

  /** `times` are those that will be looked at, in this order. */
  constructor(plan: Plan, times: Iterator<ScheduledTime>, read: (ids: string[]) => Promise<Busy>) {
    this.#plan = plan
    this.#times = times
    this.#read = read
    this.#unread = new Set(resourcesOf(plan))
    // The seats of all tables are counted for each time.
    const isAllLookedAt = this.#unread.size <= FEW || plan.service.type === 'reservation'
    this.#ahead = isAllLookedAt ? 0 : AT_FIRST
  }

  get(id: string): Occupied | undefined {
    if (this.#unread.has(id)) throw new NotRead(id)
    return this.#known.get(id)?.get(id)
  }

  /**
   * What `look` sees. Where it looks at somebody of whom nothing was read they are, with whoever will be looked at next, and it
   * looks again.
   */
  see<Seen>(look: () => Seen): Seen | Promise<Seen> {
    try {
      return look()
    } catch (error) {
      if (!(error instanceof NotRead)) throw error
      return this.#readOn(error.id).then(() => this.see(look))
    }
  }

  async #readOn(wanted: string): Promise<void> {
    const next = this.#nextOnes()
    const ids = next.has(wanted) ? [...next] : this.#allLike(wanted)
    const busy = await this.#read(ids)
    for (const id of ids) {
      this.#known.set(id, busy)
      this.#unread.delete(id)
    }
  }

  #nextOnes(): Set<string> {
    const chosen = new Set<ResourceDefinition>()
    const working = new Set<ResourceDefinition[]>()
    for (let count = 0; count < this.#ahead; count++) {
      const { done, value } = this.#times.next()
      if (done) break
      for (const one of value.chosen) chosen.add(one)
      // Many times have the same list.
      for (const ones of value.working) working.add(ones)
    }
    this.#ahead *= 4
    const assigned = [...working].flatMap((ones) => ones.slice(0, ASSIGNED))
    return new Set([...chosen, ...assigned].map(({ id }) => id).filter((id) => this.#unread.has(id)))
  }

  /** Everybody of whom one is needed as well as this one, or all where they are few. */
  #allLike(wanted: string): string[] {
    if (this.#ahead === 0) return [...this.#unread]
    const { requirements } = this.#plan
    const alike = requirements
      .map(({ candidates }) => candidates.map(({ id }) => id))
      .filter((ids) => ids.includes(wanted))
    return [...new Set(alike.flat())].filter((id) => this.#unread.has(id))
  }
}
