import { mailsOfRecipientErase } from '../../../core/mails/queries.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import type { BatchedTask } from '../../../protocol/change-in-batches.ts'
import { accountErase } from '../../accounts/buyer-accounts.ts'
import { lockWaitlist } from '../../waitlist/read-and-lock-entry.ts'
import { customersOfEmailErase, matchingCustomersErase } from '../customers/customer-queries.ts'
import { bookingsOfEmail, bookingsOnceOfEmail } from '../shared/booking-and-change-queries.ts'
import { entriesOfEmail } from '../waitlist/entry-queries.ts'
import { checkoutsOfEmail, checkoutsOfNumber, eraseCheckouts } from './checkouts-of-person.ts'
import { eraseBookings, eraseEntries, eraseFromMessages } from './erase-personal-data.ts'
import { bookingsOfNumber, entriesOfNumber, isRecordOfNumber } from './people-by-phone-number.ts'

/**
 * Erases the personal data of all bookings with an email address, a few bookings in each transaction. This is the first
 * of two steps to erase a person.
 */
export const bookingsOfEmailErase = (email: string, actor: string, now: Date): BatchedTask => ({
  next: (tx, most) => bookingsOfEmail(tx, email, most),
  async work(tx, ids) {
    await recordsErase(tx, await customersOfEmailErase(tx, email), now)
    return eraseBookings(tx, ids, actor, now)
  },
})

/**
 * Erases all other personal data with an email address. This is the second step, after `bookingsOfEmailErase`. It also
 * erases bookings that were created since the first step, and returns their ids.
 */
export async function restOfEmailErase(tx: UnitOfWork, email: string, actor: string, now: Date): Promise<string[]> {
  // The completion of a UCP checkout locks the checkout before its booking. The erasure uses the same order, which
  // prevents deadlocks.
  await eraseCheckouts(tx, await checkoutsOfEmail(tx, email), actor, now)
  await lockWaitlist(tx, now)
  await recordsErase(tx, await customersOfEmailErase(tx, email), now)
  const late = await eraseBookings(tx, await bookingsOfEmail(tx, email), actor, now)
  await eraseEntries(tx, await entriesOfEmail(tx, email), actor, now)
  const once = (await bookingsOnceOfEmail(tx, email)).map((id) => `booking ${id}`)
  await eraseFromMessages(tx, once, now)
  await accountErase(tx, email)
  await mailsOfRecipientErase(tx, email, now)
  return late
}

/**
 * Erases the customer records with these ids from messages and stored replies. The caller has already deleted the
 * records. It deletes them before the bookings, because the bookings show which records belong to the person.
 */
const recordsErase = (tx: UnitOfWork, ids: readonly string[], now: Date): Promise<void> =>
  eraseFromMessages(
    tx,
    ids.map((id) => `customer ${id}`),
    now,
  )

export async function numberErase(tx: UnitOfWork, number: string, actor: string, now: Date): Promise<string[]> {
  await eraseCheckouts(tx, await checkoutsOfNumber(tx, number), actor, now)
  await lockWaitlist(tx, now)
  await recordsErase(tx, await matchingCustomersErase(tx, isRecordOfNumber(number)), now)
  const erased = await eraseBookings(tx, await bookingsOfNumber(tx, number), actor, now)
  await eraseEntries(tx, await entriesOfNumber(tx, number), actor, now)
  return erased
}
