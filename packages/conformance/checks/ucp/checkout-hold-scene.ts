import type { Answer, Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectMembers } from '../../run/expectations.ts'
import { openCheckoutOf } from './checkout-scene.ts'

/** Holds a free slot, and creates a checkout with the hold. */
export async function openWithHold(c: CheckContext, service: Members) {
  c.needsHolds()
  const slot = await c.slot(service)
  const result = (await c.caller.call('hold', { service_id: service.id, slot_id: slot.id })).success()
  const hold = expectMembers(result.hold, 'hold')
  const opened = await openCheckoutOf(c, slot, { changes: { booking: { hold_id: hold.id } } })
  return { ...opened, hold }
}

export const release = (c: CheckContext, { id }: Members): Promise<Answer> => c.caller.call('release', { hold_id: id })
