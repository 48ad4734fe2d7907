import type { Change } from '../../../infra/db/change.ts'
import { contactsGive, customerInsert } from './customer-queries.ts'
import type { Person } from './person.ts'

/** The id of the record of somebody, which is made where they have none. Their bookings are found by it from now on. */
export async function keepRecord(tx: Change, { record, contacts }: Person, now: Date): Promise<string> {
  const id = record?.id ?? (await customerInsert(tx, { note: '', tags: [] }, now))
  await contactsGive(tx, { contacts, to: id, from: [] })
  return id
}
