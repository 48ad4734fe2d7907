import { defineOperation } from '../../protocol/define-operation.ts'
import type { GetCheckout } from '../../protocol/types.generated.ts'
import { isHoldActive } from '../availability/hold-queries.ts'
import { bookingOf, unreturnedPayments } from './booking-of-checkout.ts'
import { toCheckout } from './checkout-response.ts'
import { checkoutNotFound } from './error-messages.ts'
import { checkoutId, onCheckouts } from './operation-defaults.ts'
import { checkoutFind } from './queries.ts'

export const getCheckout = defineOperation<GetCheckout>({
  ...onCheckouts,
  id: 'getCheckout',
  rest: 'GET /checkout-sessions/{id}',
  tool: 'get_checkout',
  title: 'Get a checkout',
  description: 'The checkout as it is now.',
  effect: 'read',
  input: { type: 'object', required: ['id'], properties: { id: checkoutId } },
  async handle(context) {
    const { input, db, caller, now } = context
    const row = await checkoutFind(db, input.id, caller)
    if (!row) throw checkoutNotFound()
    const [booking, messages] = [await bookingOf(context, row), await unreturnedPayments(context, row)]
    const isHeld = row.status !== 'open' || (row.hold_id !== null && (await isHoldActive(db, row.hold_id, now)))
    // The platform may have ended the hold (the reservation of the slot) early. The answer then shows that the checkout
    // ends now.
    return toCheckout(isHeld ? row : { ...row, expires_at: now }, context, { booking, messages })
  },
})
