import type { Members } from '../caller/answer.ts'
import type { Caller } from '../caller/caller.ts'
import { Skip } from '../run/mismatch.ts'
import type { Random } from '../run/random.ts'

export interface Slot extends Members {
  id: string
  start: string
  end: string
}

export interface SlotWish {
  party_size?: number
  resource_id?: string
  /** Only slots that this function accepts. */
  where?: (slot: Slot) => boolean
}

export const DAY_MS = 86_400_000
/** The longest range that each server must accept in one query. */
const RANGE_DAYS = 7
/** A service without a published maximum is searched so far ahead. */
const USUAL_DAYS = 28
/** The usual page of 50 slots may not reach beyond the first day of a week. A business may list fewer. */
const SLOTS_LISTED = 200
/** Other callers of the business book slots too, so a list of slots is used only for a short time. */
const LISTED_FOR_MS = 30_000
/** Slots of other services at about the same time may need the same person or room, so they are left alone. */
const MARGIN_MS = 3_600_000

interface Interval {
  from: number
  to: number
}

/** Gives out free slots of the catalogue, so that no two checks that run at the same time use the same time. */
export class FreeSlots {
  readonly #used = new Set<Interval>()
  /** The slots of earlier queries, so that a business that limits the number of queries is asked less often. */
  readonly #listed = new Map<string, { slots: Slot[]; until: number }>()
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** Finds a free slot that no other running check uses. Skips the check if there is none. */
  async take(caller: Caller, service: Members, wish: SlotWish = {}): Promise<{ slot: Slot; giveBack: () => void }> {
    const weeks = this.#random.shuffled(weeksAhead(service))
    for (const { start_date, end_date } of weeks) {
      const { where = () => true, ...filters } = wish
      const query = { service_id: service.id, start_date, end_date, limit: SLOTS_LISTED, ...filters }
      const key = JSON.stringify(query)
      let slot = this.#chosen(key, where)
      if (!slot) {
        const answer = await caller.call('queryAvailability', query)
        const slots = (answer.success().slots ?? []) as Slot[]
        this.#listed.set(key, { slots, until: Date.now() + LISTED_FOR_MS })
        slot = this.#chosen(key, where)
      }
      if (!slot) continue
      const interval = { from: Date.parse(slot.start) - MARGIN_MS, to: Date.parse(slot.end) + MARGIN_MS }
      this.#used.add(interval)
      this.#forget(interval)
      return { slot, giveBack: () => this.#used.delete(interval) }
    }
    throw new Skip(`No free time of the service ${service.id} fits this check.`)
  }

  #chosen(key: string, where: (slot: Slot) => boolean): Slot | undefined {
    const { slots, until } = this.#listed.get(key) ?? { slots: [], until: 0 }
    if (Date.now() > until) return undefined
    const free = slots.filter((slot) => slot.state !== 'waitlist' && where(slot) && !this.#isUsed(slot))
    return this.#random.shuffled(free)[0]
  }

  /** A check changes the slots at the time that it uses, so the listed ones are outdated. */
  #forget(interval: Interval): void {
    for (const list of this.#listed.values()) list.slots = list.slots.filter((slot) => !overlaps(slot, interval))
  }

  #isUsed(slot: Slot): boolean {
    return [...this.#used].some((used) => overlaps(slot, used))
  }
}

function overlaps({ start, end }: Slot, { from, to }: Interval): boolean {
  return from < Date.parse(end) && Date.parse(start) < to
}

/** The weeks in which the service can be booked. Each is one query. */
function weeksAhead(service: Members): { start_date: string; end_date: string }[] {
  const { min_advance, max_advance } = bookingWindow(service)
  const first = Math.ceil(days(min_advance) ?? 0) + 1
  const last = Math.floor(Math.min(days(max_advance) ?? USUAL_DAYS, USUAL_DAYS)) - 1
  const weeks = []
  for (let day = first; day <= Math.max(first, last); day += RANGE_DAYS)
    weeks.push({ start_date: dateIn(day), end_date: dateIn(Math.min(day + RANGE_DAYS - 1, Math.max(first, last))) })
  return weeks
}

export const dateIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

export function bookingWindow(service: Members): Members {
  return ((service.policies as Members | undefined)?.booking_window as Members | undefined) ?? {}
}

/** The days of an ISO 8601 duration such as `PT2H` or `P30D`. Undefined if it is absent. */
export function days(duration: unknown): number | undefined {
  if (typeof duration !== 'string') return undefined
  const [, weeks = 0, whole = 0, hours = 0, minutes = 0, seconds = 0] =
    /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration)?.map(Number) ?? []
  const parts = [weeks * 7, whole, hours / 24, minutes / 1440, seconds / 86_400]
  return parts.reduce((sum, part) => sum + (part || 0), 0)
}

/** The milliseconds of an ISO 8601 duration. Zero if it is absent. */
export const millisecondsOf = (duration: unknown): number => (days(duration) ?? 0) * DAY_MS
