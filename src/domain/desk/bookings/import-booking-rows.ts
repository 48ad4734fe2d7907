import { hash } from 'node:crypto'
import { resourcesLock } from '../../../core/ledger/resource-claims.ts'
import { BusinessRefusal, isRefusal } from '../../../protocol/errors.ts'
import { canonical } from '../../../protocol/parse-json-safely.ts'
import { messageOf } from '../../../protocol/response-envelope.ts'
import type { ImportBookings, Message } from '../../../protocol/types.generated.ts'
import { planOf, resourcesOf } from '../../availability/service-scheduling-plan.ts'
import { type Importing, importOne } from './import-one-booking.ts'
import { importedFind, importedInsert, importsLock } from './import-queries.ts'
import type { ImportedRow, ImportResult } from './import-schema.ts'

/** Imports the bookings of a file one by one. If the server refuses a row, the import continues with the next row. */
export async function importAll(context: Importing & { input: ImportBookings['input'] }): Promise<ImportResult[]> {
  const { db, business, now, input } = context
  const { source, bookings, tell = false } = input
  await importsLock(db)
  const definition = await business.get()
  const plans = [...new Set(bookings.map((row) => row.service_id))].flatMap((id) => planOf(definition, id) ?? [])
  // The server locks all resources of the import in one statement and in a fixed order, which prevents deadlocks.
  await resourcesLock(db, [...new Set(plans.flatMap(resourcesOf))])
  const known = await importedFind(
    db,
    source,
    bookings.map(({ key }) => key),
  )
  const results: ImportResult[] = []
  for (const row of bookings) {
    const digest = digestOf(row)
    const before = known.get(row.key)
    if (before) {
      results.push(before.digest === digest ? alreadyThere(row, before.booking_id) : changed(row, before.booking_id))
      continue
    }
    try {
      const { id, record } = await importOne(context, row, { source, tell })
      known.set(row.key, { booking_id: id, digest })
      importedInsert(db, { source, key: row.key, digest, booking_id: id }, now)
      const { overridden } = record
      results.push({ key: row.key, outcome: 'imported', booking_id: id, ...(overridden && { overridden }) })
    } catch (error) {
      results.push({ key: row.key, outcome: 'refused', refusal: messageFor(error) })
    }
  }
  return results
}

/**
 * Computes a digest of an imported row. A later import compares the digests to find changed rows. The digest excludes
 * the status and the personal data, because these may change in the other system.
 */
const digestOf = ({ service_id, start, end = '', resource_ids = [], location_id = '' }: ImportedRow) =>
  hash('sha256', canonical([service_id, start, end, resource_ids, location_id]), 'base64url')

const alreadyThere = ({ key }: ImportedRow, booking_id: string) =>
  ({ key, outcome: 'already_there', booking_id }) as const

const changed = ({ key }: ImportedRow, booking_id: string) => {
  const message = 'It was imported before and has been moved since. Change the existing booking instead.'
  return {
    key,
    outcome: 'refused',
    booking_id,
    refusal: messageOf(new BusinessRefusal('invalid_transition', message)),
  } as const
}

/** Converts a refusal to the message for the refused row. Any other error stops the import. */
function messageFor(error: unknown): Message {
  if (isRefusal(error)) return messageOf(error)
  throw error
}
