import { hasSeparateReceiver } from '../../core/authentication/principals.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { CreateCheckout } from '../../protocol/types.generated.ts'
import { waitForSlot } from '../availability/find-slot.ts'
import { checkSignals } from './check-agent-ip-address.ts'
import { toCheckout } from './checkout-response.ts'
import type { CheckoutRow } from './checkout-row.ts'
import { withoutCheckout } from './error-messages.ts'
import { localeOfBuyer } from './locale-of-buyer.ts'
import { onCheckouts, written } from './operation-defaults.ts'
import { checkoutInsert } from './queries.ts'
import { quantityWarnings, reserve } from './reserve-checkout-slot.ts'

export const createCheckout = defineOperation<CreateCheckout>({
  ...onCheckouts,
  id: 'createCheckout',
  rest: 'POST /checkout-sessions',
  tool: 'create_checkout',
  title: 'Create a checkout',
  description: 'Holds a slot for a buyer, and says what it costs, when the price is due, and what is still missing.',
  declares: [
    'dev.usp-protocol.services.paid_bookings',
    'dev.ucp.common.payment.terms',
    'dev.usp-protocol.services.pay_at_service',
  ],
  effect: 'create',
  needsKey: 'over REST',
  input: { type: 'object', required: ['line_items', 'booking'], properties: written },
  rewordRefusal: withoutCheckout,
  async handle(context) {
    const { input, db, caller, now } = context
    checkSignals(input.signals)
    await waitForSlot(db, input.booking.slot.id)
    const { hold, ...reserved } = await reserve(context)
    const row: CheckoutRow = {
      id: newId('chk'),
      booking_id: newId('bkg'),
      order_id: newId('ord'),
      principal: caller.principal,
      profile: caller.profile,
      told_apart: hasSeparateReceiver(caller),
      status: 'open',
      service_id: input.booking.service_id,
      hold_id: hold.id,
      owns_hold: hold.isOwn,
      ...reserved,
      created_at: now,
      updated_at: now,
      expires_at: hold.expires_at,
      completed_at: null,
      locale: localeOfBuyer(input),
    }
    checkoutInsert(db, row)
    return toCheckout(row, context, { messages: quantityWarnings(input, row.agreed) })
  },
})
