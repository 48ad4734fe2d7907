import { changeInBatchesForCall } from '../../../protocol/change-in-batches.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { EraseBuyer } from '../../../protocol/types.generated.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { bookingsOfEmailErase, restOfEmailErase } from './erase-person-by-contact.ts'
import { erasedOutput, erasedSummary } from './erase-personal-data.ts'

export const eraseBuyer = defineOperation<EraseBuyer & { prepared: string[] }>({
  ...atDesk,
  id: 'eraseBuyer',
  rest: 'POST /business/buyers/erase',
  tool: 'usp_business_buyers_erase',
  title: 'Erase a buyer',
  description:
    'Erases all people from the bookings that contain this email address, and from their notifications and ' +
    'events. Services and payments stay. Waitlist entries under the address are removed, and an account under ' +
    'it ends with its permissions. This cannot be undone.',
  role: 'manager',
  effect: 'remove',
  input: {
    type: 'object',
    required: ['email'],
    properties: {
      email: { type: 'string', format: 'email', maxLength: 254, description: 'Email address of the buyer.' },
    },
  },
  output: erasedOutput,
  summary: erasedSummary,
  // The server erases the bookings of the person in many short transactions. One long transaction would make other
  // callers wait.
  prepare({ input: { email }, caller, makeChange, now }) {
    return changeInBatchesForCall(makeChange, bookingsOfEmailErase(email, caller.principal, now))
  },
  async handle({ input: { email }, db, caller, now }, erased) {
    return { booking_ids: [...erased, ...(await restOfEmailErase(db, email, caller.principal, now))] }
  },
})
