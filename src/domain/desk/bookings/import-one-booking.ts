import { plainText } from '../../../infra/util/plain-text.ts'
import type { ChangeContext } from '../../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput } from '../../../protocol/errors.ts'
import type { Slot } from '../../availability/find-slot.ts'
import { readMoment } from '../../availability/read-query-range.ts'
import { resourcesOf } from '../../availability/service-scheduling-plan.ts'
import { allocationEnd } from '../../bookings/allocate-booking-slot.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { checkDetails } from '../../bookings/check-booking-request.ts'
import { saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { peopleOf } from '../../bookings/people-of-booking.ts'
import { makeBooking } from '../../bookings/store-new-booking.ts'
import { customersLock } from '../customers/customer-queries.ts'
import { findPerson, writeNote } from '../customers/find-customer-record.ts'
import { LONGEST_NOTE } from '../customers/write-customer-note.ts'
import { claimedTimeRefusal } from '../hours/refuse-claimed-time.ts'
import { NO_ADDRESS } from './create-booking.ts'
import type { ImportedRow } from './import-schema.ts'
import { refuseTooLong } from './refuse-invalid-change.ts'
import { type ResolvedSlot, resolveSlot } from './resolve-requested-slot.ts'
import { rules } from './slot-request.ts'

export type Importing = Pick<ChangeContext, 'db' | 'business' | 'tag' | 'now' | 'caller'>

/**
 * Imports a booking as it was agreed in the other booking system, even if it breaks rules of this business. The server
 * still refuses the booking if its time is already occupied.
 */
export async function importOne(
  context: Importing,
  row: ImportedRow,
  { source, tell }: { source: string; tell: boolean },
): Promise<BookingRow> {
  const { db } = context
  const resolved = await slotOf(context, row)
  const work = async () => {
    const { booking, status } = await entered(context, row, resolved, { source, tell })
    if (row.customer_note) await addImportedNote(context, booking, row.customer_note)
    return status === 'confirmed' ? booking : ended(context, booking, status)
  }
  return db.attempt(work).catch(async (error: unknown) => {
    throw error instanceof BusinessRefusal && error.code === 'slot_unavailable'
      ? await takenBy(context, row, resolved.slot)
      : error
  })
}

function slotOf(
  context: Importing,
  { service_id: service, party_size: party = 1, start, end, resource_ids, location_id: location }: ImportedRow,
): Promise<ResolvedSlot> {
  const place = { ...(resource_ids && { resource_ids }), ...(location !== undefined && { location_id: location }) }
  const request = { start, ...place, override: [...rules] }
  if (end === undefined) return resolveSlot(context, { service, party }, request)
  const times = { start: readMoment('start', start), end: readMoment('end', end) }
  if (times.end <= times.start) throw invalidInput('It must end after it starts.', '$.end')
  refuseTooLong(times.start, times.end)
  // The server treats the imported row like an existing booking, so that the booking keeps its agreed duration. The
  // service need not offer this duration.
  const current = { ...times, location, resources: resource_ids ?? [] }
  return resolveSlot(context, { service, party, current }, request)
}

type Status = NonNullable<ImportedRow['status']>

async function entered(
  { db, caller, now }: Importing,
  row: ImportedRow,
  { slot, overridden }: ResolvedSlot,
  { source, tell }: { source: string; tell: boolean },
): Promise<{ booking: BookingRow; status: Status }> {
  const status = statusOf(row, slot, now)
  const request = { ...row, buyer: { last_name: '', email: NO_ADDRESS, ...row.buyer } }
  checkDetails(request, slot)
  const isOver = status !== 'confirmed'
  const elsewhere = { source, isSettled: isOver || row.paid === true, arePeopleInformed: !tell || isOver }
  const staff = { principal: '', profile: '', actor: caller.principal, byStaff: { overridden } }
  const wanted = { ...staff, party: row.party_size ?? 1, people: peopleOf(request), elsewhere }
  return { booking: await makeBooking(db, slot, wanted, now), status }
}

function statusOf({ status = 'confirmed' }: ImportedRow, { time }: Slot, now: Date): Status {
  if (status !== 'confirmed' && time.start > now.getTime())
    throw invalidInput('It has not begun yet, so it cannot be completed or a no-show.', '$.status')
  return status === 'confirmed' && time.end <= now.getTime() ? 'completed' : status
}

const steps = {
  completed: [
    { step: 'start', action: 'start' },
    { step: 'finish', action: 'complete' },
  ],
  no_show: [{ step: 'miss', action: 'no_show' }],
} as const

/**
 * Gives an imported past booking its final status, such as `completed`, and releases its time. Therefore overlapping
 * past bookings of the other system cause no conflict here.
 */
async function ended(
  { db, caller, now }: Importing,
  booking: BookingRow,
  status: keyof typeof steps,
): Promise<BookingRow> {
  await allocationEnd(db, booking)
  let row = booking
  for (const { step, action } of steps[status])
    row = await saveBooking(db, row, { change: { step }, by: { actor: caller.principal, action } }, now)
  return row
}

async function takenBy({ db, now }: Importing, { key }: ImportedRow, { plan, time }: Slot): Promise<BusinessRefusal> {
  const resources = time.picks.length > 0 ? time.picks : resourcesOf(plan)
  const range = [time.start - plan.before, time.end + plan.after] as const
  const wanted = { holderId: key, resources, range, zone: plan.zone, path: '$.start' }
  return claimedTimeRefusal(
    db,
    { ...wanted, advice: 'Move or cancel one of the two, here or in the other system.' },
    now,
  )
}

/** Adds the imported text to the staff's note about the customer, unless the note already contains the text. */
async function addImportedNote(context: Importing, { id }: BookingRow, text: string): Promise<void> {
  await customersLock(context.db)
  const person = await findPerson(context.db, id)
  const { note: before = '', tags = [] } = person.record ?? {}
  const note = plainText(text)
  if (before.includes(note)) return
  const whole = [before, note].filter(Boolean).join('\n')
  if (whole.length > LONGEST_NOTE) {
    const message = `Together with the existing note, this has more than ${LONGEST_NOTE} characters.`
    throw invalidInput(message, '$.customer_note')
  }
  await writeNote(context, person, { note: whole, tags })
}
