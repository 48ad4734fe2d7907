import { changeInsert } from '../../../core/records/audit-log.ts'
import type { ChangeContext } from '../../../protocol/operation.ts'
import { customerUpdate } from './customer-queries.ts'
import { keepRecord } from './keep-record.ts'
import type { findPerson } from './person.ts'

/** Keeps what is noted of somebody, and says whose record it is. The caller has the lock. */
export async function writeNote(
  { db, caller, now }: Pick<ChangeContext<unknown>, 'db' | 'caller' | 'now'>,
  person: Awaited<ReturnType<typeof findPerson>>,
  noted: { note: string; tags: string[] },
): Promise<string> {
  const id = await keepRecord(db, person, now)
  await customerUpdate(db, { id, ...noted })
  // What was noted is not written into the journal, which nobody can take back.
  changeInsert(db, { actor: caller.principal, action: 'note', subject: `customer ${id}`, from: null, to: null }, now)
  return id
}
