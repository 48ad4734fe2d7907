import { insertAuditEntry } from '../../core/records/audit-log.ts'
import { defineOperation, UNSETTLED } from '../../protocol/define-operation.ts'
import type { CancelCheckout } from '../../protocol/types.generated.ts'
import type { Providers } from '../payments/find-payment-provider.ts'
import { bookingOf } from './booking-of-checkout.ts'
import { toCheckout } from './checkout-response.ts'
import type { CheckoutRow } from './checkout-row.ts'
import { checkout } from './lifecycle.ts'
import { lockCheckout } from './lock-checkout.ts'
import { checkoutId, onCheckouts } from './operation-defaults.ts'
import { checkoutFind, checkoutUpdate } from './queries.ts'
import { endWaitingCharge } from './refresh-charge.ts'
import { releaseSlot } from './release-slot.ts'
import { unchangeable } from './update-checkout.ts'

export const cancelCheckout = defineOperation<CancelCheckout & { needs: { payments: Providers } }>({
  ...onCheckouts,
  id: 'cancelCheckout',
  rest: 'POST /checkout-sessions/{id}/cancel',
  tool: 'cancel_checkout',
  title: 'Cancel a checkout',
  description: 'Ends a checkout that is not completed, and releases its slot at once.',
  effect: 'update',
  needsKey: 'always',
  input: { type: 'object', required: ['id'], properties: { id: checkoutId } },
  async prepare(context) {
    const row = await checkoutFind(context.db, context.input.id, context.caller)
    if (row?.status === 'escalated') await endWaitingCharge({ ...context, clock: () => context.now }, row.id)
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const row = await lockCheckout(context, input.id)
    if (row.status !== 'open') {
      const answer = await toCheckout(row, context, {
        booking: await bookingOf(context, row),
        messages: [unchangeable(row)],
      })
      const isSettling = row.status === 'completing' || row.status === 'escalated'
      return isSettling ? { ...answer, [UNSETTLED]: true as const } : answer
    }
    await releaseSlot(db, row, now)
    const canceled: CheckoutRow = {
      ...row,
      status: checkout.after(row.status, 'cancel'),
      updated_at: now,
    }
    await checkoutUpdate(db, canceled)
    const change = { from: row.status, to: canceled.status }
    insertAuditEntry(db, { actor: caller.principal, action: 'cancel', subject: `checkout ${row.id}`, ...change }, now)
    return toCheckout(canceled, context)
  },
})
