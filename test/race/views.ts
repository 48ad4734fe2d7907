import type { Database } from '../../src/infra/db/database.ts'
import type { Booking, Buyer } from './buyers.ts'

/** What is wrong with what a buyer was told last of each of its bookings, held against what is read and stored now. */
export async function differences(db: Database, { seen, call }: Buyer, byStaff: readonly Booking[]): Promise<string[]> {
  const found: string[] = []
  for (const [id, last] of seen) {
    const { data } = await call('usp_bookings_get', { booking_id: id })
    const now: Booking = data.booking
    const known = [last, ...byStaff].find((told) => told.id === id && told.revision === now?.revision)
    if (!now) found.push(`${id} was told to be ${last.status} and cannot be read`)
    else if (known ? !isSame(known, now) : !lapsed(last, now))
      found.push(`${id}: told ${text(known ?? last)}, is ${text(now)}`)
    else if (!(await isStored(db, now))) found.push(`${id}: read ${text(now)}, which is not what is stored`)
  }
  return found
}

/** What nobody did to it is that its time was over. */
const lapsed = (before: Booking, now: Booking): boolean =>
  ['pending', 'requires_action'].includes(before.status) &&
  now.status === 'canceled' &&
  now.cancellation.canceled_by === 'system'

async function isStored(db: Database, told: Booking): Promise<boolean> {
  const row = await db.selectFrom('bookings').selectAll().where('id', '=', told.id).executeTakeFirstOrThrow()
  const isOverdue = row.expires_at !== null && row.expires_at <= new Date()
  const status = isOverdue && told.cancellation?.canceled_by === 'system' ? 'canceled' : row.status
  const record: Booking = row.record
  const stored = { status, start: row.starts_at.getTime(), party: record.party_size, slot: record.slot_id }
  const wanted = { status: told.status, start: Date.parse(told.slot.start), party: told.party_size, slot: told.slot.id }
  return isSame(stored, wanted)
}

const isSame = (one: object, other: object) => text(one) === text(other)

const text = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
