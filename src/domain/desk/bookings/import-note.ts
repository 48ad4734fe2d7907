import { plainText } from '../../../infra/util/plain-text.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { customersLock } from '../customers/customer-queries.ts'
import { LONGEST_NOTE } from '../customers/note-customer.ts'
import { findPerson } from '../customers/person.ts'
import { writeNote } from '../customers/write-note.ts'
import type { Importing } from './import-one.ts'

/** Adds to the note on the customer who booked, unless the note already contains the text. */
export async function addImportedNote(context: Importing, { id }: BookingRow, text: string): Promise<void> {
  await customersLock(context.db)
  const person = await findPerson(context.db, id)
  const { note: before = '', tags = [] } = person.record ?? {}
  const note = plainText(text)
  if (before.includes(note)) return
  const whole = [before, note].filter(Boolean).join('\n')
  if (whole.length > LONGEST_NOTE) {
    const message = `Together with the existing note, this has more than ${LONGEST_NOTE} characters.`
    throw new BusinessRefusal('validation_error', message, '$.customer_note')
  }
  await writeNote(context, person, { note: whole, tags })
}
