import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'

export const policiesOf = (service: Members): Members => asMembers(service.policies) ?? {}

export const channelOf = (service: Members): unknown => asMembers(service.channel)?.type

/** Whether the buyer must pay digitally before the booking is confirmed. */
export function isPaidAhead(service: Members): boolean {
  const { requires_payment, payment_timing } = policiesOf(service)
  return requires_payment === true && (payment_timing === 'at_booking' || payment_timing === 'deposit_required')
}

export const isManual = (service: Members): boolean => policiesOf(service).confirmation_mode === 'manual'

const hasSpots = (service: Members): boolean => service.type === 'group' || service.type === 'reservation'

/** A service whose slots have several spots. */
export const sharedService = (c: CheckContext): Members => c.service('group or reservation service', hasSpots)

/** A service of which a booking waits for approval, without digital payment. */
export const manualService = (c: CheckContext): Members =>
  c.service('service in manual mode without digital payment', (one) => isManual(one) && !isPaidAhead(one))

/** A service of which a booking waits for payment. */
export const paidService = (c: CheckContext): Members =>
  c.service('service in auto mode with payment ahead', (one) => !isManual(one) && isPaidAhead(one))
