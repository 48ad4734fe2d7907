import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  type DefinitionInForce,
  definitionInForce,
  isSessionsVersionBehind,
  sessionsVersionSet,
  versionLock,
} from '../../core/business/definition-queries.ts'
import {
  expiredSeatsDelete,
  findFutureSessions,
  sessionResourcesLock,
  sessionsLock,
  sessionsOpen,
  sessionsRemove,
  sessionsReopenAndResize,
} from '../../core/ledger/class-session-batches.ts'
import { insertAuditEntry } from '../../core/records/audit-log.ts'
import { failureOf } from '../../infra/db/database-failures.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { chunks } from '../../infra/util/split-into-chunks.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { affectedBookingsOfClosedSessionsStore, affectedBookingsOfSessionsDelete } from './affected-booking-queries.ts'
import { type Opening, type SessionChange, sessionChanges } from './class-session-changes.ts'

/**
 * One transaction changes at most this many class sessions, because buyers of these classes must wait until the
 * transaction ends.
 */
const AT_ONCE = 200
/**
 * The lock timeout of a transaction that changes class sessions. The timeout is shorter than the deadlock timeout of
 * PostgreSQL. Therefore, in a deadlock with a buyer's transaction, this transaction fails, and the buyer's transaction
 * continues.
 */
const LOCK_TIMEOUT = '300ms'
/**
 * The server changes class sessions in rounds. After `MOST_IDLE` rounds without a change, the server leaves the locked
 * sessions to the next run. `PAUSE` is the wait between two rounds in milliseconds.
 */
const [MOST_IDLE, PAUSE] = [20, 250]

type Syncing = Dependencies<'db' | 'makeChange'>

export interface SyncOptions {
  /**
   * A callback that the server calls after each transaction. `done` is the number of finished changes, and `total` is
   * the number of all changes.
   */
  onProgress?: (done: number, total: number) => void
  /**
   * A callback that the server calls before each transaction. If the callback returns true, the server stops. The next
   * run makes the remaining changes.
   */
  shouldStop?: () => boolean
}

/**
 * Makes the stored class sessions match the current business definition, and reserves their teachers and rooms. The
 * transactions are short, so that buyers do not wait long when they book a class. If the work stops early, the next run
 * continues. Returns the number of remaining changes.
 */
export async function syncSessions(dependencies: Syncing, now: Date, options: SyncOptions = {}): Promise<number> {
  for (;;) {
    const inForce = await definitionInForce(dependencies.db)
    if (!inForce) return 0
    try {
      return await syncTo(dependencies, inForce, now, options)
    } catch (error) {
      if (!(error instanceof SupersededError)) throw error
    }
  }
}

/**
 * Makes the stored class sessions match the business definition. If an earlier call has already completed this work for
 * the current definition, the function does nothing.
 */
export async function syncSessionsIfBehind(dependencies: Syncing, now: Date, options?: SyncOptions): Promise<number> {
  return (await isSessionsVersionBehind(dependencies.db)) ? syncSessions(dependencies, now, options) : 0
}

async function syncTo(
  dependencies: Syncing,
  { version, definition }: DefinitionInForce,
  now: Date,
  options: SyncOptions,
): Promise<number> {
  const changes = await sessionChanges(definition, await findFutureSessions(dependencies.db, now), now)
  const left = await makeAll(changes, (batch) => changeSome(dependencies, batch, version, now), options)
  await sessionsVersionSet(dependencies.db, version, left === 0)
  return left
}

/**
 * Makes the changes of class sessions in rounds. A session that another transaction has locked waits for the next
 * round. The rounds end when no session is left, or when several rounds in a row change nothing. Returns the number of
 * remaining changes.
 */
async function makeAll(
  changes: readonly SessionChange[],
  make: (batch: readonly SessionChange[]) => Promise<SyncResult>,
  { onProgress, shouldStop = () => false }: SyncOptions,
): Promise<number> {
  const refused: Opening[] = []
  let left = changes
  for (let [round, idle] = [0, 0]; left.length > 0 && idle < MOST_IDLE; round++) {
    if (round > 0) await pass(PAUSE)
    const busy: SessionChange[] = []
    let processed = 0
    // One locked class session delays all changes in its transaction. Therefore each round makes its transactions
    // smaller than the round before.
    for (const batch of chunks(left, Math.max(1, AT_ONCE >> round))) {
      if (shouldStop()) return left.length - processed + busy.length
      const outcome = await make(batch)
      busy.push(...outcome.busy)
      refused.push(...outcome.refused)
      processed += batch.length
      onProgress?.(changes.length - left.length + processed - busy.length, changes.length)
    }
    idle = busy.length < left.length ? 0 : idle + 1
    left = busy
  }
  // Some new class sessions could not open, because their teacher or room was occupied. Since then, the removal of an
  // old session may have released the teacher or room. Therefore the server tries once more.
  for (const batch of chunks(refused, AT_ONCE)) await make(batch)
  return left.length
}

interface SyncResult {
  busy: readonly SessionChange[]
  refused: readonly Opening[]
}

async function changeSome(
  { makeChange }: Syncing,
  changes: readonly SessionChange[],
  version: number,
  now: Date,
): Promise<SyncResult> {
  try {
    return await makeChange(async (tx) => {
      if ((await versionLock(tx)) !== version) throw new SupersededError('Another definition was applied.')
      return makeChanges(tx, changes, now)
    })
  } catch (error) {
    const failure = failureOf(error)
    if (failure !== 'busy' && failure !== 'conflict') throw error
    return { busy: changes, refused: [] }
  }
}

async function makeChanges(tx: UnitOfWork, changes: readonly SessionChange[], now: Date): Promise<SyncResult> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
  const stored = changes.filter((change) => change.kind !== 'open')
  const openings = changes.filter((change) => change.kind === 'open')
  const removing = stored.filter(({ kind }) => kind === 'remove').map(({ id }) => id)
  const needed = openings.flatMap(({ session }) => session.resources)
  await sessionResourcesLock(tx, removing, needed)
  const busy = stored.length > 0 ? await changeStored(tx, stored, now) : new Set()
  return { busy: stored.filter(({ id }) => busy.has(id)), refused: await open(tx, openings, now) }
}

/**
 * Adjusts and removes stored class sessions. If another transaction has locked a session, the session stays unchanged,
 * and the result contains its id.
 */
async function changeStored(
  tx: UnitOfWork,
  changes: readonly Exclude<SessionChange, Opening>[],
  now: Date,
): Promise<Set<string>> {
  const lock = await sessionsLock(
    tx,
    changes.map(({ id }) => id),
  )
  const locked = new Set(lock.locked)
  const adjusting = changes.filter((change) => change.kind === 'adjust').filter(({ id }) => locked.has(id))
  const removing = changes.filter(({ id, kind }) => kind === 'remove' && locked.has(id)).map(({ id }) => id)
  await expiredSeatsDelete(tx, lock.locked, now)
  await affectedBookingsOfSessionsDelete(tx, await sessionsReopenAndResize(tx, adjusting))
  const closed = await sessionsRemove(tx, removing)
  // The server stores the bookings of closed classes as affected bookings. The staff then see these bookings in their
  // inbox.
  await affectedBookingsOfClosedSessionsStore(tx, closed, now)
  for (const id of closed)
    insertAuditEntry(
      tx,
      { actor: 'system', action: 'close', subject: `session ${id}`, from: 'open', to: 'closed' },
      now,
    )
  return new Set(lock.busy)
}

async function open(tx: UnitOfWork, openings: readonly Opening[], now: Date): Promise<Opening[]> {
  const withIds = openings.map((opening) => ({ id: newId('ses'), opening }))
  const opened = await sessionsOpen(
    tx,
    withIds.map(({ id, opening: { plan, session } }) => ({
      ...session,
      id,
      service: plan.service.id,
      time: { from: session.start - plan.before, to: session.end + plan.after },
    })),
    now,
  )
  return withIds.filter(({ id }) => !opened.has(id)).map(({ opening }) => opening)
}

class SupersededError extends Error {
  override name = 'SupersededError'
}
