import type { Database } from '../../infra/db/database.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import type { AvailableTime, SearchedTime } from '../availability/available-times.ts'
import { availableTimesInBatches, bookableRange } from '../availability/find-available-times.ts'
import type { Slot } from '../availability/find-slot.ts'
import { maxDuration } from '../availability/service-durations.ts'
import { type Plan, resourcesOf } from '../availability/service-scheduling-plan.ts'
import { readSlotId, slotId } from '../availability/time-slot-response.ts'
import { merged, overlapsAny, type Span } from '../availability/time-spans.ts'
import type { ReleasedCapacity } from './find-freed-slots.ts'
import type { EntryRow } from './queries.ts'
import { type LocalPartOfDay, localPartOfDay, preferenceFilter } from './time-preferences.ts'

export interface FreeSlot extends Slot {
  begins: LocalPartOfDay
}

/**
 * The free slots in one part of one day, such as a morning. Buyers state their preferences as whole parts of days.
 * Therefore all slots of one part suit a waitlist entry, or none.
 */
export interface PartOfDay {
  begins: LocalPartOfDay
  /**
   * `from` is the start of the first slot. `until` is one millisecond after the start of the last slot, so that the
   * range includes the last slot.
   */
  from: number
  until: number
  /**
   * The free slots in this part of the day. Undefined if all parts together have too many slots to keep in memory. The
   * server then reads the slots of this part when it needs them.
   */
  slots: readonly FreeSlot[] | undefined
}

/**
 * The maximum number of free slots in memory while the server makes waitlist offers. A large calendar has millions of
 * free slots, but the waiting entries want only a few of them.
 */
const MAX_STORED_SLOTS = 50_000

const NO_LIMIT = Number.POSITIVE_INFINITY

/** Returns the range of start times of all slots that can overlap this time span. */
export const startRangeAround = (plan: Plan, [from, to]: Span): Span => [
  from - maxDuration(plan) - plan.after,
  to + plan.before,
]

/**
 * The free slots of one service that the server can offer to the waitlist, after time or places became free. After each
 * offer, the server reads only the time around the offered slot again.
 */
export class FreeSlots {
  readonly plan: Plan
  readonly #released: ReleasedCapacity
  readonly #resources: ReadonlySet<string>
  readonly #tag: Tag
  readonly #now: Date
  #parts: PartOfDay[] | undefined
  /** The part of a day whose slots the server read last. The next call often needs the slots of the same part. */
  #last: { part: PartOfDay; slots: readonly FreeSlot[] } | undefined
  #taken: Span[] = []

  constructor(plan: Plan, released: ReleasedCapacity, tag: Tag, now: Date) {
    this.plan = plan
    this.#released = released
    this.#resources = new Set(resourcesOf(plan))
    this.#tag = tag
    this.#now = now
  }

  /**
   * Returns the free slots, grouped into parts of days such as mornings. The server may compare hundreds of waitlist
   * entries with tens of thousands of slots, and the groups make this comparison fast.
   */
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
   * Yields the free slots that a waitlist entry wants. The first slots are those that use exactly the time that became
   * free. All other slots follow. Each of these two groups is sorted by time.
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

  /**
   * Marks a slot as offered. The next call of `parts` leaves out this slot and all slots that conflict with it. The
   * slot may belong to another service that uses the same people or rooms.
   */
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

  /**
   * Reads the free times within these time spans in batches, so that the event loop can run other work between two
   * batches.
   */
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
      // The server computes the slot id only on demand, because the signature of an id is slow. There may be tens of
      // thousands of slots, and only a few of them need an id.
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

/**
 * Returns a key that identifies a slot inside the server. The key is faster to compute than the slot id, because it has
 * no signature.
 */
export const slotKeyText = ({ start, end, location, picks }: AvailableTime): string =>
  [start, end, location, ...picks].join(' ')
