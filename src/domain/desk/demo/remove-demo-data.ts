import { sql } from 'kysely'
import { seatsEndOf } from '../../../core/ledger/class-session-seats.ts'
import { claimsEnd, resourcesLock } from '../../../core/ledger/resource-claims.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { bookingsDelete, bookingsLockAll } from '../../bookings/delete-bookings.ts'
import { affectedBookingsDelete } from '../../definition/affected-booking-queries.ts'
import { paymentsOfBookingsDelete } from '../../payments/delete-payments.ts'
import { entriesDelete } from '../../waitlist/entry-write-queries.ts'
import { waitlistLock } from '../../waitlist/queries.ts'
import { orphanedCustomersDelete } from '../customers/customer-queries.ts'
import { blocksDelete } from '../hours/block-queries.ts'
import { eraseFromMessages } from '../people/erase-personal-data.ts'
import { demoLock, demoSteps, findDemoData, logRemoval } from './demo-data-audit-log.ts'

/**
 * Deletes the rows of the demo data, in one transaction. The audit log lists exactly these rows. In every other
 * database, the audit log has no such entries, so the function deletes nothing. The business definition and all other
 * bookings stay.
 */
export const removeDemoData = (
  { makeChange, clock }: Dependencies<'makeChange' | 'clock'>,
  actor: string,
): Promise<void> =>
  makeChange(async (tx) => {
    await waitlistLock(tx)
    await demoLock(tx)
    const demo = await findDemoData(tx)
    if (!demo || demo.state === 'removed') return
    const made = (await demoSteps(tx)).flatMap((step) => step.made)
    const idsOf = (kind: string) => [
      ...new Set(made.filter((one) => one.startsWith(`${kind} `)).map((one) => one.slice(kind.length + 1))),
    ]
    await deleteRows(tx, { bookings: idsOf('booking'), entries: idsOf('entry'), blocks: idsOf('block') }, clock())
    logRemoval(tx, actor, new Set(made).size, clock())
  })

interface DemoRows {
  bookings: readonly string[]
  entries: readonly string[]
  blocks: readonly string[]
}

async function deleteRows(tx: UnitOfWork, { bookings, entries, blocks }: DemoRows, now: Date): Promise<void> {
  const ids = await bookingsLockAll(tx, [...bookings, ...(await bookingsOfEntries(tx, entries))])
  await resourcesLock(tx, await claimedResources(tx, [...ids, ...blocks]))
  await entriesDelete(tx, entries)
  await blocksDelete(tx, blocks)
  await claimsEnd(tx, 'booking', ids)
  await seatsEndOf(tx, 'booking', ids)
  await eraseFromMessages(tx, [...ids.map((id) => `booking ${id}`), ...entries.map((id) => `entry ${id}`)], now)
  await affectedBookingsDelete(tx, ids)
  await paymentsOfBookingsDelete(tx, ids)
  await bookingsDelete(tx, ids)
  await orphanedCustomersDelete(tx, undefined)
}

/** Finds the bookings of invented waitlist entries, which came from waitlist offers. */
async function bookingsOfEntries(tx: UnitOfWork, entries: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select booking_id as id from waitlist_entries
    where id = any (${entries}::text[]) and booking_id is not null`.execute(tx)
  return rows.map(({ id }) => id)
}

async function claimedResources(tx: UnitOfWork, holders: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct resource_id as id from claims where holder_id = any (${holders}::text[])`.execute(tx)
  return rows.map(({ id }) => id)
}
