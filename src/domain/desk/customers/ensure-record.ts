import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { contactsAssign, customerInsert } from './customer-queries.ts'
import type { Person } from './person.ts'

/** Returns the id of the person's record, and creates a missing one. The record gets all contacts that are free. */
export async function ensureRecord(tx: UnitOfWork, { record, contacts }: Person, now: Date): Promise<string> {
  const id = record?.id ?? (await customerInsert(tx, { note: '', tags: [] }, now))
  await contactsAssign(tx, { contacts, to: id, from: [] })
  return id
}
