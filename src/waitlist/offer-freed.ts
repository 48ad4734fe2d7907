import { sql } from 'kysely'
import { scheduled } from '../availability/occupy.ts'
import { planOf } from '../availability/plan.ts'
import { readSlotId } from '../availability/slot-id.ts'
import { LOCK_PATIENCE } from '../db/connection.ts'
import type { Database } from '../db/database.ts'
import { listenFor } from '../events/listen.ts'
import type { BusinessDefinition } from '../protocol/types.generated.ts'
import type { Runtime } from '../runtime.ts'
import type { Tag } from '../trust/tags.ts'
import { expire, expireIfLapsed } from './change-entry.ts'
import { makeOffers } from './make-offers.ts'
import {
  anythingFreed,
  type EntryRow,
  entriesOffered,
  entryFind,
  offersLapsed,
  waitlistLock,
  waitlistTryLock,
} from './queries.ts'

/**
 * Offers what this transaction freed before anybody else can take it. It does not wait for others who look after the
 * waitlist, since they may be waiting for what this transaction holds: then it is left to them.
 */
export async function offerFreed(tx: Database, { business, tag, clock }: Runtime): Promise<void> {
  if (!(await anythingFreed(tx)) || !(await waitlistTryLock(tx))) return
  await unlessHeldUp(tx, () => makeOffers(tx, business, tag, clock()))
}

/** Others may hold what an offer needs while they wait for what this transaction holds. */
async function unlessHeldUp(tx: Database, work: () => Promise<void>): Promise<void> {
  await sql`savepoint offers`.execute(tx)
  await sql`set local lock_timeout = '200ms'`.execute(tx)
  try {
    await work()
    await sql`set local lock_timeout = ${sql.lit(LOCK_PATIENCE)}`.execute(tx)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== LOCK_NOT_AVAILABLE) throw error
    await sql`rollback to savepoint offers`.execute(tx)
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = '55P03'

/** Ends the offers whose time has passed, and offers again whatever is free. */
export async function keepWaitlist({ db, business, tag, clock }: Runtime): Promise<void> {
  const now = clock()
  const lapsed = await offersLapsed(db, now)
  if (lapsed.length === 0 && !(await anythingFreed(db))) return
  await db.transaction().execute(async (tx) => {
    await waitlistLock(tx)
    for (const id of await offersLapsed(tx, now)) {
      const entry = await entryFind(tx, id, undefined)
      if (entry) await expireIfLapsed(tx, entry, now)
    }
    const definition = await business.seenBy(tx)
    for (const entry of await entriesOffered(tx))
      if (!(await stands(tx, definition, tag, entry, now))) await expire(tx, entry, now)
    await makeOffers(tx, business, tag, now)
  })
}

/** Whether the business still has what it offered: it may have closed, or taken the time back. */
async function stands(
  tx: Database,
  definition: BusinessDefinition | undefined,
  tag: Tag,
  entry: EntryRow,
  now: Date,
): Promise<boolean> {
  const plan = planOf(definition, entry.service_id)
  const key = readSlotId(tag, entry.offered_slot_id ?? '')
  return plan !== undefined && key !== undefined && (await scheduled(tx, plan, key, now)) !== undefined
}

const PATIENCE = 2_000

/** Looks after the waitlist as soon as something is announced to be free, and every so often for offers that lapse. */
export function startWaitlist(runtime: Runtime, databaseUrl: string): { close(): Promise<void> } {
  let running = Promise.resolve()
  let wanted = false
  const look = () => {
    if (wanted) return
    wanted = true
    running = running
      .then(() => {
        wanted = false
        return keepWaitlist(runtime)
      })
      .catch((error) => runtime.log.warn({ err: error }, 'waitlist'))
  }
  const timer = setInterval(look, PATIENCE)
  timer.unref()
  const listener = listenFor(databaseUrl, 'freed', look)
  return {
    async close() {
      clearInterval(timer)
      await listener.close()
      await running
    },
  }
}
