import type { Database } from '../../../infra/db/database.ts'
import { DAY, LAST_INSTANT_MS } from '../../../infra/time/time-units.ts'
import { dateIn, rfc3339 } from '../../../infra/time/time-zone.ts'
import type { AvailabilityHint } from '../../../protocol/types.generated.ts'
import { availableDays } from '../available-days.ts'
import { bookableRange } from '../find-available-times.ts'
import type { Plan } from '../service-scheduling-plan.ts'
import type { HintRun } from './cached-free-time-counts.ts'
import { countTimes } from './count-free-times.ts'
import { hintDays } from './free-and-full-time-counter.ts'
import { isFull } from './free-times-by-day-part.ts'
import { hintBitmaps } from './hint-bitmaps.ts'
import { summaryOf } from './write-hint-summary.ts'

/**
 * The text of an availability hint (a summary of free times) describes four weeks. The bitmaps of the hint cover eight
 * weeks.
 */
const DAYS = { summary: 28, all: 56 }
/**
 * An availability hint (a summary of free times) is valid for this number of milliseconds. The catalogue feed (all
 * services in the order of their last change) reports each service at least once a day. Therefore a platform that reads
 * the feed daily gets a new hint in time.
 */
const VALID_MS = 2 * DAY
/**
 * An availability hint (a summary of free times) has at most this many bytes. With this limit, the hints of a thousand
 * services add at most two megabytes to the catalogue feed.
 */
const MAX_BYTES = 2_000

export async function makeHint(db: Database, plan: Plan, now: Date, go: HintRun): Promise<AvailabilityHint> {
  const { zone } = plan
  const today = dateIn(zone, now.getTime())
  const coming = hintDays(zone, today, DAYS)
  const { days, starts } = await countTimes(db, plan, { days: coming, now }, go)
  const isFullyBooked = days.every(isFull)
  const head = {
    summary: summaryOf(days, isFullyBooked ? today : undefined),
    generated_at: rfc3339(zone, now.getTime()),
    valid_until: rfc3339(zone, now.getTime() + VALID_MS),
    next_available_date: today,
  }
  const most = MAX_BYTES - Buffer.byteLength(JSON.stringify({ ...head, slot_bitmaps: [] }))
  const { bitmaps, firstFree } = hintBitmaps(plan, starts, { midnight: coming.from, most })
  const date = firstFree === undefined ? undefined : dateIn(zone, firstFree)
  const later = isFullyBooked
    ? (date ?? (await firstFreeDay(db, plan, { from: coming.summaryEnd, now }, go)))
    : undefined
  const summary = summaryOf(days, later)
  if (bitmaps.length === 0) return { summary, generated_at: head.generated_at }
  const { generated_at, valid_until } = head
  return { summary, generated_at, valid_until, ...(date && { next_available_date: date }), slot_bitmaps: bitmaps }
}

async function firstFreeDay(
  db: Database,
  plan: Plan,
  { from, now }: { from: number; now: Date },
  { pace }: HintRun,
): Promise<string | undefined> {
  const range = bookableRange(plan, [from, LAST_INSTANT_MS], now)
  for await (const { date, hasTime } of availableDays(db, plan, { range, party: 1, now })) {
    if (pace.isUsed()) await pace.rest()
    if (hasTime(({ capacity }) => capacity?.remaining !== 0)) return date
  }
}
