import { accountErase } from '../../accounts/buyer-accounts.ts'
import { mailsOfRecipientErase } from '../../mails/queries.ts'
import { inShortChangesOfCall } from '../../protocol/in-short-changes.ts'
import { defineOperation } from '../../protocol/operation.ts'
import type { EraseBuyer } from '../../protocol/types.generated.ts'
import { lockWaitlist } from '../../waitlist/change-entry.ts'
import { customersOfEmailErase } from '../customers/customer-queries.ts'
import { atDesk } from '../shared/operation-parts.ts'
import { bookingsOfEmail, bookingsOnceOfEmail } from '../shared/queries.ts'
import { entriesOfEmail } from '../waitlist/entry-queries.ts'
import { eraseBookings, eraseEntries, eraseFromAllThatWasTold } from './erase.ts'
import { erasedOutput, erasedSummary } from './erase-parts.ts'

export const eraseBuyer = defineOperation<EraseBuyer & { prepared: string[] }>({
  ...atDesk,
  id: 'eraseBuyer',
  rest: 'POST /business/buyers/erase',
  tool: 'usp_business_buyers_erase',
  title: 'Erase a buyer',
  description:
    'Forgets everybody in the bookings in which this address stands, and in all that was told of them. What was booked ' +
    'and paid stays; whoever waits under it leaves the waitlist, and an account under it ends with its links. It cannot be undone.',
  role: 'manager',
  effect: 'remove',
  input: {
    type: 'object',
    required: ['email'],
    properties: { email: { type: 'string', format: 'email', maxLength: 254, description: 'Address of the buyer.' } },
  },
  output: erasedOutput,
  summary: erasedSummary,
  // In many short changes, for others would wait for a long one.
  prepare({ input: { email }, caller, makeChange, now }) {
    return inShortChangesOfCall(makeChange, {
      next: (tx, most) => bookingsOfEmail(tx, email, most),
      work: async (tx, ids) => {
        // First, because the bookings say which records are of this person.
        await customersOfEmailErase(tx, email)
        return eraseBookings(tx, ids, caller.principal, now)
      },
    })
  },
  async handle({ input: { email }, db, caller, now }, erased) {
    const actor = caller.principal
    await lockWaitlist(db, now)
    // Whoever booked meanwhile is forgotten as well.
    await customersOfEmailErase(db, email)
    const late = await eraseBookings(db, await bookingsOfEmail(db, email), actor, now)
    await eraseEntries(db, await entriesOfEmail(db, email), actor, now)
    const once = (await bookingsOnceOfEmail(db, email)).map((id) => `booking ${id}`)
    await eraseFromAllThatWasTold(db, once, now)
    await accountErase(db, email)
    await mailsOfRecipientErase(db, email, now)
    return { booking_ids: [...erased, ...late] }
  },
})
