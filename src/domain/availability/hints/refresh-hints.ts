import type { Database } from '../../../infra/db/database.ts'
import { HOUR, LAST_INSTANT_MS } from '../../../infra/time/units.ts'
import { dateIn, daysLater, rfc3339, startOfDay } from '../../../infra/time/zone.ts'
import type { Dependencies } from '../../../protocol/dependencies.ts'
import { availableDays } from '../available-days.ts'
import { bookableRange } from '../find-available-times.ts'
import { type Plan, planOf } from '../plan.ts'
import { type Hint, hintOf } from './compose-hint.ts'
import { HintRun } from './counted-choices.ts'
import { freeByDay } from './free-by-day.ts'
import { hintFingerprint, occupancyDigests } from './hint-fingerprint.ts'
import { type HintState, hintStates, hintUpdate } from './queries.ts'

const MAX_AGE_MS = 4 * HOUR
/**
 * Milliseconds that one run may take. The next run continues with the oldest hints. The limit protects callers: one
 * booking may outdate the hints of hundreds of services, and computing them slows down other calls.
 */
const MAX_RUN_MS = 10_000
const LOOKAHEAD_DAYS = 28

export async function refreshHints(
  { db, business }: Dependencies<'db' | 'business'>,
  now: Date,
  isClosing = () => false,
): Promise<void> {
  const definition = await business.get()
  const taken = await occupancyDigests(db, now)
  const run = new HintRun()
  const began = performance.now()
  for (const state of await hintStates(db)) {
    if (isClosing() || performance.now() - began > MAX_RUN_MS) return
    if (run.pace.isUsed()) await run.pace.rest()
    const plan = planOf(definition, state.id)
    if (!plan) continue
    const basis = hintFingerprint(plan, taken, now)
    if (!isDue(state, basis, now)) continue
    const hint = await makeHint(db, plan, now, run)
    const updated = { id: state.id, basis, hint: { ...hint, generated_at: rfc3339(plan.zone, now.getTime()) } }
    const isNew = !state.hint || !isSame(state.hint, hint)
    await db.transaction().execute((tx) => hintUpdate(tx, updated, { isNew }, now))
  }
}

const isDue = (state: HintState, basis: string, now: Date): boolean =>
  !state.hint || state.basis !== basis || now.getTime() - Date.parse(state.hint.generated_at) >= MAX_AGE_MS

const isSame = (one: Hint, other: Hint): boolean =>
  one.summary === other.summary && one.next_available_date === other.next_available_date

async function makeHint(db: Database, plan: Plan, now: Date, run: HintRun): Promise<Hint> {
  const today = dateIn(plan.zone, now.getTime())
  const days = await freeByDay(db, plan, { from: today, length: LOOKAHEAD_DAYS, now }, run)
  const hint = hintOf(days, undefined)
  return hint.next_available_date === undefined
    ? hintOf(days, await firstFreeDay(db, plan, { from: daysLater(today, LOOKAHEAD_DAYS), now }, run))
    : hint
}

async function firstFreeDay(
  db: Database,
  plan: Plan,
  { from, now }: { from: string; now: Date },
  { pace }: HintRun,
): Promise<string | undefined> {
  const range = bookableRange(plan, [startOfDay(plan.zone, from), LAST_INSTANT_MS], now)
  for await (const { date, hasTime } of availableDays(db, plan, { range, party: 1, now })) {
    if (pace.isUsed()) await pace.rest()
    if (hasTime(({ capacity }) => capacity?.remaining !== 0)) return date
  }
}
