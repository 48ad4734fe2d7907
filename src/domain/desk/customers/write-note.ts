import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { ChangeContext } from '../../../protocol/operation.ts'
import { customerUpdate } from './customer-queries.ts'
import { ensureRecord } from './ensure-record.ts'
import type { findPerson } from './person.ts'

/** Stores the note on a person, and returns the id of their record. The caller holds the lock. */
export async function writeNote(
  { db, caller, now }: Pick<ChangeContext<unknown>, 'db' | 'caller' | 'now'>,
  person: Awaited<ReturnType<typeof findPerson>>,
  noted: { note: string; tags: string[] },
): Promise<string> {
  const id = await ensureRecord(db, person, now)
  await customerUpdate(db, { id, ...noted })
  // The audit log is permanent, so it does not contain the note.
  insertAuditEntry(
    db,
    { actor: caller.principal, action: 'note', subject: `customer ${id}`, from: null, to: null },
    now,
  )
  return id
}
