import type { Database } from '../../infra/db/database.ts'
import type { Tag } from '../../protocol/tags.ts'
import type { AvailableTime, SearchedTime } from '../availability/available-times.ts'
import { maxDuration } from '../availability/durations.ts'
import { availableTimesInBatches, bookableRange } from '../availability/find-available-times.ts'
import type { Slot } from '../availability/find-slot.ts'
import { type Plan, resourcesOf } from '../availability/plan.ts'
import { merged, overlapsAny, type Span } from '../availability/spans.ts'
import { readSlotId, slotId } from '../availability/time-slot.ts'
import type { EntryRow } from './queries.ts'
import type { ReleasedCapacity } from './released-slots.ts'
import { type LocalPartOfDay, localPartOfDay, preferenceFilter } from './time-preferences.ts'

export interface FreeSlot extends Slot {
  begins: LocalPartOfDay
}

/** The slots of one part of one day. An entry wants either all of them or none. */
export interface PartOfDay {
  begins: LocalPartOfDay
  /** Start of the first slot, and one millisecond after the start of the last. */
  from: number
  until: number
  /** Undefined when there are too many slots to store. They are then read again on demand. */
  slots: readonly FreeSlot[] | undefined
}

/** Upper bound of stored slots. A large calendar has millions, and the waiting entries want few of them. */
const MAX_STORED_SLOTS = 50_000

const NO_LIMIT = Number.POSITIVE_INFINITY

/** Possible start times of slots that touch this time. */
export const startRangeAround = (plan: Plan, [from, to]: Span): Span => [
  from - maxDuration(plan) - plan.after,
  to + plan.before,
]

/** The free slots of a service after a release. After each offer, only the time around the offered slot is read again. */
export class FreeSlots {
  readonly plan: Plan
  readonly #released: ReleasedCapacity
  readonly #resources: ReadonlySet<string>
  readonly #tag: Tag
  readonly #now: Date
  #parts: PartOfDay[] | undefined
  /** Cache of the last part that is not stored. */
  #last: { part: PartOfDay; slots: readonly FreeSlot[] } | undefined
  #taken: Span[] = []

  constructor(plan: Plan, released: ReleasedCapacity, tag: Tag, now: Date) {
    this.plan = plan
    this.#released = released
    this.#resources = new Set(resourcesOf(plan))
    this.#tag = tag
    this.#now = now
  }

  /** Grouped into parts of days, because hundreds of entries may each check tens of thousands of slots. */
  async parts(tx: Database): Promise<readonly PartOfDay[]> {
    this.#parts ??= await this.#read(tx)
    if (this.#taken.length === 0 || this.#parts.length === 0) return this.#parts
    const around = merged(this.#taken.sort(([one], [other]) => one - other))
    this.#taken = []
    const left = new Set<string>()
    for await (const times of this.#free(tx, around)) for (const time of times) left.add(slotKeyText(time))
    const isFree = ({ time }: Slot) => !overlapsAny(around, time.start, time.start + 1) || left.has(slotKeyText(time))
    this.#parts = this.#parts.flatMap((part) => {
      if (!part.slots || !overlapsAny(around, part.from, part.until)) return part
      const slots = part.slots.filter(isFree)
      return slots.length > 0 ? { ...part, slots } : []
    })
    return this.#parts
  }

  /**
   * The slots that the entry wants: first those that were released as a whole, then the others. Each group is in order of
   * time.
   */
  async *wantedBy(tx: Database, entry: Pick<EntryRow, 'slot_id' | 'preferred'>): AsyncIterable<FreeSlot> {
    const isSuited = preferenceFilter(entry)
    const key = entry.slot_id === null ? undefined : readSlotId(this.#tag, entry.slot_id)
    if (entry.slot_id !== null && !key) return
    const isWanted = ({ begins, from, until }: PartOfDay) =>
      key ? from <= key.start && key.start < until : isSuited(begins)
    const { isWhole } = this.#released
    const rounds = isWhole ? [isWhole, (time: AvailableTime) => !isWhole(time)] : [() => true]
    for (const isOfRound of rounds)
      for (const part of await this.parts(tx))
        for (const slot of isWanted(part) ? await this.#slotsOf(tx, part) : [])
          if ((!key || slot.time.start === key.start) && isOfRound(slot.time)) yield slot
  }

  /** Removes an offered slot and all slots that conflict with it. The slot may belong to another service. */
  remove({ plan, time: { start, end, session } }: Slot): void {
    if (plan !== this.plan && (session !== undefined || !resourcesOf(plan).some((id) => this.#resources.has(id))))
      return
    this.#last = undefined
    this.#taken.push(startRangeAround(this.plan, [start - plan.before, end + plan.after]))
  }

  async #read(tx: Database): Promise<PartOfDay[]> {
    const parts: PartOfDay[] = []
    let room = MAX_STORED_SLOTS
    for await (const times of this.#free(tx, this.#released.within))
      for (const part of partsOf(times.map((time) => this.#named(time)))) {
        room -= part.slots.length
        parts.push(room < 0 ? { ...part, slots: undefined } : part)
      }
    return parts
  }

  async #slotsOf(tx: Database, part: PartOfDay): Promise<readonly FreeSlot[]> {
    if (part.slots) return part.slots
    if (this.#last?.part === part) return this.#last.slots
    const slots: FreeSlot[] = []
    for await (const times of this.#free(tx, [[part.from, part.until]]))
      for (const time of times) slots.push(this.#named(time))
    this.#last = { part, slots }
    return slots
  }

  /** Works in batches to yield to the event loop. */
  async *#free(tx: Database, spans: readonly Span[]): AsyncIterable<AvailableTime[]> {
    const now = this.#now
    const fits = (time: SearchedTime) => time.capacity?.remaining !== 0 && this.#released.includes(time)
    for (const span of spans) {
      const search = { range: bookableRange(this.plan, span, now), party: 1, now, wanted: NO_LIMIT, fits }
      yield* availableTimesInBatches(tx, this.plan, search)
    }
  }

  #named(time: AvailableTime): FreeSlot {
    const { plan } = this
    const tag = this.#tag
    let id: string | undefined
    return {
      // Lazy, because signing is slow and few of tens of thousands of ids are needed.
      get id() {
        id ??= slotId(tag, { ...time, service: plan.service.id })
        return id
      },
      plan,
      time,
      begins: localPartOfDay(time, plan.zone),
    }
  }
}

const partsOf = (slots: readonly FreeSlot[]): (PartOfDay & { slots: readonly FreeSlot[] })[] =>
  [...Map.groupBy(slots, ({ begins: { day, time } }) => day + time).values()].flatMap((slots) => {
    const [first, last] = [slots[0], slots.at(-1)]
    return first && last ? [{ begins: first.begins, from: first.time.start, until: last.time.start + 1, slots }] : []
  })

/** An unsigned key of a slot, faster than its id. */
export const slotKeyText = ({ start, end, location, picks }: AvailableTime): string =>
  [start, end, location, ...picks].join(' ')
