import { MINUTE } from '../../infra/time/units.ts'
import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import type { Busy, Occupied } from './busy.ts'
import { type Plan, resourcesOf } from './plan.ts'
import type { ScheduledTime } from './scheduled-in-order.ts'

/** Of so few all is read at once. */
const FEW = 100
/** Of a first page no more times are looked at, mostly. */
const AT_FIRST = 128
/** Of those who can be assigned so many are read before the others: seldom are all of them taken. */
const ASSIGNED = 20

/** Whether mostly a few of many are looked at: of what many share the room with all of them is counted. */
export const isMostlyUnseen = (plan: Plan): boolean =>
  plan.service.type !== 'reservation' && resourcesOf(plan).length > FEW

/** Who had to be looked at because all before them were taken, and until when that is likely for whoever asks next. */
const crowdedUntil = new WeakMap<ResourceDefinition, number>()

const isCrowded = (next: ResourceDefinition | undefined): boolean =>
  next !== undefined && (crowdedUntil.get(next) ?? 0) > performance.now()

/** With whom the first of these times are, and those who would be assigned first. */
export function lookedAtFirst(times: IteratorObject<ScheduledTime>): Set<string> {
  const ones = new Set<ResourceDefinition>()
  const lists = new Set<ResourceDefinition[]>()
  for (const { chosen, working } of times.take(AT_FIRST)) {
    for (const one of chosen) ones.add(one)
    // Many times have the same list.
    for (const list of working) lists.add(list)
  }
  const assigned = [...lists].flatMap((list) => (isCrowded(list[ASSIGNED]) ? list : list.slice(0, ASSIGNED)))
  return new Set([...ones, ...assigned].map(({ id }) => id))
}

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
  /** How often something was read. */
  reads = 0
  readonly #plan: Plan
  readonly #read: (ids: string[]) => Promise<Busy>
  readonly #unread: Set<string>
  readonly #known = new Map<string, Busy>()

  constructor(plan: Plan, read: (ids: string[]) => Promise<Busy>) {
    this.#plan = plan
    this.#read = read
    this.#unread = new Set(resourcesOf(plan))
  }

  get(id: string): Occupied | undefined {
    if (this.#unread.has(id)) throw new NotRead(id)
    return this.#known.get(id)?.get(id)
  }

  /** Reads of these, or of all. */
  async read(ones: Iterable<string> = this.#unread): Promise<void> {
    this.reads++
    const ids = [...new Set(ones)].filter((id) => this.#unread.has(id))
    const busy = await this.#read(ids)
    for (const id of ids) {
      this.#known.set(id, busy)
      this.#unread.delete(id)
    }
  }

  /** What `look` sees. Where it looks at somebody of whom nothing was read, all like them are, and it looks again. */
  see<Seen>(look: () => Seen): Seen | Promise<Seen> {
    try {
      return look()
    } catch (error) {
      if (!(error instanceof NotRead)) throw error
      return this.read(this.#allLike(error.id)).then(() => this.see(look))
    }
  }

  /** Everybody of whom one is needed as well as this one. */
  #allLike(wanted: string): string[] {
    const kinds = this.#plan.requirements.map(({ candidates }) => candidates)
    const alike = kinds.filter((ones) => ones.some(({ id }) => id === wanted))
    for (const ones of alike) this.#noteCrowd(ones, wanted)
    return alike.flat().map(({ id }) => id)
  }

  /** Somebody may also have been asked for by name, while all before them are free. */
  #noteCrowd(ones: readonly ResourceDefinition[], wanted: string): void {
    const nth = ones.findIndex(({ id }) => id === wanted)
    const isTaken = ({ id }: ResourceDefinition) => this.#known.get(id)?.get(id) !== undefined
    const one = ones[nth]
    if (one && ones.slice(0, nth).every(isTaken)) crowdedUntil.set(one, performance.now() + MINUTE)
  }
}
