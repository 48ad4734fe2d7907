import { upsertClients } from '../../core/authentication/api-keys.ts'
import {
  businessUpsert,
  definitionIfAny,
  definitionLock,
  locationsReplace,
} from '../../core/business/definition-queries.ts'
import type { Database, OpenDatabase } from '../../infra/db/database.ts'
import { type Failure, failureOf, statementError } from '../../infra/db/database-failures.ts'
import { runUnitOfWork } from '../../infra/db/run-unit-of-work.ts'
import type { UnitOfWork as Tx } from '../../infra/db/unit-of-work.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { sourcesOfOthersDelete, sourcesReadWhole } from '../busy-times/source-queries.ts'
import { publishCatalogue } from '../catalog/publish-catalogue.ts'
import { releasedInsertAny } from '../waitlist/released-capacity-queries.ts'
import { affectedBookingsStore } from './affected-booking-queries.ts'
import { type AffectedList, findAffectedBookings, NO_AFFECTED_BOOKINGS, toAffectedList } from './affected-bookings.ts'
import { type Change, differences } from './compare-definitions.ts'
import { type SyncOptions, syncSessionsIfBehind } from './sync-class-sessions.ts'

/**
 * Matches the names of changed parts of a business definition, such as `hours`. A change of such a part can free times
 * or seats, which the server must then offer to the waitlist.
 */
const MAY_RELEASE_CAPACITY = /^(?:business|location|hours|closures|special_hours|resource|service)\b/

export interface Applied {
  changes: Change[]
  stranded: AffectedList
}

export interface AppliedWithSessions extends Applied {
  /**
   * The reason why the stored class sessions do not match the new business definition yet. Undefined means that all
   * sessions match. A running server makes the missing changes later.
   */
  incomplete: string | undefined
}

/**
 * Applies a business definition in one transaction, and lists the changes. Afterwards, the function updates the stored
 * class sessions in short transactions. A dry run only lists the changes.
 */
export async function applyDefinition(
  db: OpenDatabase,
  definition: BusinessDefinition,
  now: Date,
  { dryRun = false, ...options }: SyncOptions & { dryRun?: boolean } = {},
): Promise<AppliedWithSessions> {
  if (dryRun) return { ...(await dryRunDefinition(db, definition, now)), incomplete: undefined }
  const applied = await runUnitOfWork(db, (tx) => applyInTransaction(tx, definition, now))
  return { ...applied, incomplete: await syncOrSayWhyNot(db, now, options) }
}

/**
 * Updates the stored class sessions, and returns the reason if the update failed or is incomplete. The new business
 * definition stays valid even then, because a running server makes the missing changes later.
 */
async function syncOrSayWhyNot(db: OpenDatabase, now: Date, options: SyncOptions): Promise<string | undefined> {
  try {
    const left = await syncSessionsIfBehind({ db, makeChange: (work) => runUnitOfWork(db, work) }, now, options)
    if (left === 0) return undefined
    return left === 1 ? '1 change is left' : `${left} changes are left`
  } catch (error) {
    const failure = failureOf(error)
    const why = failure ? failures[failure] : statementError(error)
    if (why === undefined) throw error
    return why
  }
}

const failures: Record<Failure, string> = {
  unreachable: 'the database did not answer',
  'read only': 'the database takes no changes',
  busy: 'the database was busy for too long',
  conflict: 'others changed the same rows',
}

/**
 * Lists the changes that a new business definition would make. The function works even if the database has no tables
 * yet.
 */
export async function dryRunDefinition(db: Database, definition: BusinessDefinition, now: Date): Promise<Applied> {
  const before = await definitionIfAny(db)
  const changes = await differences(before, definition)
  if (!before || changes.length === 0) return { changes, stranded: NO_AFFECTED_BOOKINGS }
  return { changes, stranded: toAffectedList(await findAffectedBookings(db, before, definition, now)) }
}

export async function applyInTransaction(tx: Tx, definition: BusinessDefinition, now: Date): Promise<Applied> {
  const before = await definitionLock(tx)
  const changes = await differences(before, definition)
  if (changes.length === 0) return { changes, stranded: NO_AFFECTED_BOOKINGS }
  const modifiedAt = await businessUpsert(tx, definition, now)
  await locationsReplace(tx, definition)
  await publishCatalogue(tx, definition, modifiedAt)
  if (changes.some(({ what }) => MAY_RELEASE_CAPACITY.test(what))) await releasedInsertAny(tx)
  await upsertClients(tx, definition.clients ?? [], now)
  await sourcesOfOthersDelete(
    tx,
    (definition.resources ?? []).map(({ id }) => id),
    now,
  )
  if (before && before.business.timezone !== definition.business.timezone) await sourcesReadWhole(tx, now)
  const found = await findAffectedBookings(tx, before, definition, now)
  await affectedBookingsStore(tx, found, now)
  return { changes, stranded: toAffectedList(found) }
}
