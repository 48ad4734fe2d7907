import { bookable, firstAvailableTime } from '../availability/find-available-times.ts'
import { type Plan, planOf } from '../availability/plan.ts'
import type { Database } from '../db/database.ts'
import type { Means } from '../protocol/means.ts'
import { HOUR } from '../time/units.ts'
import { dateIn, daysLater, startOfDay, written } from '../time/zone.ts'
import { hintFingerprint, occupancyDigests } from './fingerprint.ts'
import { type Day, freeByDay } from './free-by-day.ts'
import { type Hint, hintOf } from './hint-of.ts'
import { type HintState, hintStates, hintUpdate } from './queries.ts'

const OLDEST = 4 * HOUR
/** Hints made at one go: the rest follows with the next, so that a large catalogue holds up nobody. */
const MOST = 50
const WEEKS = 4

/** Makes those hints anew that are old, or whose calendar has changed since. */
export async function refreshHints({ db, business }: Means<'db' | 'business'>, now: Date): Promise<void> {
  const definition = await business.get()
  const taken = await occupancyDigests(db, now)
  const due = (await hintStates(db)).flatMap((state) => {
    const plan = planOf(definition, state.id)
    const basis = plan && hintFingerprint(plan, taken, now)
    return plan && basis !== undefined && isDue(state, basis, now) ? [{ state, plan, basis }] : []
  })
  for (const { state, plan, basis } of due.slice(0, MOST)) {
    const hint = await makeHint(db, plan, now)
    const made = { id: state.id, basis, hint: { ...hint, generated_at: written(plan.zone, now.getTime()) } }
    const isNew = !state.hint || !isSame(state.hint, hint)
    await db.transaction().execute((tx) => hintUpdate(tx, made, { isNew }, now))
  }
}

const isDue = (state: HintState, basis: string, now: Date): boolean =>
  !state.hint || state.basis !== basis || now.getTime() - Date.parse(state.hint.generated_at) >= OLDEST

const isSame = (one: Hint, other: Hint): boolean =>
  one.summary === other.summary && one.next_available_date === other.next_available_date

async function makeHint(db: Database, plan: Plan, now: Date): Promise<Hint> {
  const today = dateIn(plan.zone, now.getTime())
  const days: Day[] = []
  for (let week = 0; week < WEEKS; week++) days.push(...(await freeByDay(db, plan, daysLater(today, 7 * week), 7, now)))
  const hint = hintOf(days, undefined)
  if (hint.next_available_date !== undefined) return hint
  const after = startOfDay(plan.zone, daysLater(today, 7 * WEEKS))
  const range = bookable(plan, [after, Number.POSITIVE_INFINITY], now)
  const next = await firstAvailableTime(db, plan, { range, party: 1, now, fits: () => true })
  return next ? hintOf(days, dateIn(plan.zone, next.start)) : hint
}
