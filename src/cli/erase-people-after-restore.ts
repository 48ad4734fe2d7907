import { readFileSync } from 'node:fs'
import { isPhoneNumber } from '../core/business/contact-channels.ts'
import { bookingsOfEmailErase, numberErase, restOfEmailErase } from '../domain/desk/people/erase-person-by-contact.ts'
import { eraseBookings } from '../domain/desk/people/erase-personal-data.ts'
import type { OpenDatabase } from '../infra/db/database.ts'
import { noOutbox } from '../infra/db/queued-mail-types.ts'
import { PlainError } from '../infra/util/command-line-error.ts'
import { isEmail } from '../infra/util/email-address.ts'
import { unitOfWorkRunner } from '../pipeline/run-call-in-unit-of-work.ts'
import { changeInBatches } from '../protocol/change-in-batches.ts'

const ACTOR = 'operator'

/** Reads a file with one email address, phone number or booking id on each line. Text after `#` is a comment. */
export function readErasures(file: string): string[] {
  const lines = textOf(file).split('\n')
  const wanted = lines.map((line) => line.replace(/#.*/, '').trim())
  const invalidLine = wanted.findIndex(
    (one) => one !== '' && !isEmail(one) && !isPhoneNumber(one) && !one.startsWith('bkg_'),
  )
  if (invalidLine >= 0)
    throw new PlainError(`Line ${invalidLine + 1} of ${file} is not a mail address, telephone number or booking id.`)
  return wanted.filter((one) => one !== '')
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new PlainError(`${file} cannot be read. Nothing was restored.`)
  }
}

/**
 * Erases the personal data of the people in the list `wanted` again, and returns the number of erased bookings. The
 * business had erased these people after the backup, and the restore brought their data back.
 */
export async function eraseAgain(db: OpenDatabase, wanted: readonly string[], now: Date): Promise<number> {
  // No server runs during a restore, so the erasure sends no waitlist offers. The servers offer the released time and
  // places to the waitlist after their start.
  const waitlist = { offerReleased: async () => true, offerPending: async () => {} }
  const makeChange = unitOfWorkRunner(db, waitlist, async () => noOutbox)
  let erased = 0
  for (const one of wanted) {
    const early = isEmail(one) ? await changeInBatches(makeChange, bookingsOfEmailErase(one, ACTOR, now)) : []
    const rest = await makeChange((tx) => {
      if (isEmail(one)) return restOfEmailErase(tx, one, ACTOR, now)
      return isPhoneNumber(one) ? numberErase(tx, one, ACTOR, now) : eraseBookings(tx, [one], ACTOR, now)
    })
    erased += early.length + rest.length
  }
  return erased
}
