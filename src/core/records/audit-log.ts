import { sql } from 'kysely'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'

const SYSTEM = 'system'

/**
 * An entry of the audit log. It names the person or program that acted, the action, and the subject, such as a booking.
 */
interface Entry {
  /**
   * The person or program that acted. The value is the stored name of a caller, `buyer` for a visitor of the booking
   * pages, or `system` for the server.
   */
  actor: string
  action: string
  subject: string
  from: string | null
  to: string | null
  detail?: object
}

/**
 * Adds an entry to the audit log at the commit of the transaction. The server never changes or deletes entries of the
 * audit log.
 */
export function insertAuditEntry(tx: UnitOfWork, entry: Entry, now: Date): void {
  const { detail, ...row } = rowOf(tx, entry)
  tx.insertAtCommit('changes', { ...row, at: now, detail: JSON.stringify(detail) })
}

export async function insertAuditEntries(tx: UnitOfWork, entries: readonly Entry[], now: Date): Promise<void> {
  const rows = JSON.stringify(entries.map((entry) => rowOf(tx, entry)))
  await sql`
    insert into changes (actor, action, subject, from_status, to_status, detail, at)
    select actor, action, subject, from_status, to_status, detail, ${now}
    from rows from (json_to_recordset(${rows}::json) as (
      actor text, action text, subject text, from_status text, to_status text, detail json)) with ordinality
    order by ordinality`.execute(tx)
}

function rowOf(tx: UnitOfWork, { detail = {}, from, to, ...entry }: Entry) {
  const allDetails = { ...detail, ...(tx.agent !== undefined && entry.actor !== SYSTEM && { agent: tx.agent }) }
  return { ...entry, from_status: from, to_status: to, detail: allDetails }
}
