import { sql } from 'kysely'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'

interface Known {
  booking_id: string
  digest: string
}

/** Takes a lock, so that imports run one after the other. Each import then sees the bookings of earlier imports. */
export async function importsLock(tx: UnitOfWork): Promise<void> {
  await tx.waitForSlot('an import')
  await sql`select pg_advisory_xact_lock(hashtextextended('imports', 0))`.execute(tx)
}

export async function importedFind(
  tx: UnitOfWork,
  source: string,
  keys: readonly string[],
): Promise<Map<string, Known>> {
  const rows = await tx
    .selectFrom('imported_bookings')
    .select(['key', 'booking_id', 'digest'])
    .where('source', '=', source)
    .where('key', '=', sql<string>`any (${keys}::text[])`)
    .execute()
  return new Map(rows.map(({ key, ...known }) => [key, known]))
}

export function importedInsert(tx: UnitOfWork, row: Known & { source: string; key: string }, now: Date): void {
  tx.insertAtCommit('imported_bookings', { ...row, imported_at: now })
}
