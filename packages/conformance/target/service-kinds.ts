import { asMembers, type Members } from '../caller/answer.ts'
import type { CheckContext } from '../run/check-context.ts'

export const policiesOf = (service: Members): Members => asMembers(service.policies) ?? {}

export const channelOf = (service: Members): unknown => asMembers(service.channel)?.type

/** Whether the buyer must pay digitally before the booking is confirmed. */
export function isPaidAhead(service: Members): boolean {
  const { requires_payment, payment_timing } = policiesOf(service)
  return requires_payment === true && (payment_timing === 'at_booking' || payment_timing === 'deposit_required')
}

export const isManual = (service: Members): boolean => policiesOf(service).confirmation_mode === 'manual'

/** Whether a booking is confirmed without approval and without payment ahead. */
export const isConfirmedAtOnce = (service: Members): boolean => !isManual(service) && !isPaidAhead(service)

export const cancellationOf = (service: Members): Members => asMembers(policiesOf(service).cancellation) ?? {}

export const reschedulingOf = (service: Members): Members => asMembers(policiesOf(service).rescheduling) ?? {}

export const maxReschedules = (service: Members): number => Number(reschedulingOf(service).max_reschedules)

/** Whether the slots of the service have several spots. */
export const isShared = ({ type }: Members): boolean => type === 'group' || type === 'reservation'

/** A service with several spots in a slot. */
export const sharedService = (c: CheckContext): Members => c.service('group or reservation service', isShared)

/** The first group service and the first reservation service. Skips the check if the catalogue has neither. */
export function sharedServices(c: CheckContext): Members[] {
  const first = sharedService(c)
  const other = c.services.find((service) => isShared(service) && service.type !== first.type)
  return other ? [first, other] : [first]
}

/** A service whose spots do not depend on each other. A reservation can take a whole table. */
export const groupService = (c: CheckContext): Members => c.service('group service', ({ type }) => type === 'group')

export const visitService = (c: CheckContext): Members =>
  c.service('service at the buyer’s place', (one) => channelOf(one) === 'at_buyer_location')

/** An appointment that is not the simple one. */
export const secondAppointment = (c: CheckContext): Members =>
  c.service('second appointment', ({ id, type }) => type === 'appointment' && id !== c.simpleService.id)

/** A service that a check can reschedule until its limit is reached. */
export const serviceWithFewReschedules = (c: CheckContext): Members =>
  c.service(
    'service with a small number of reschedules',
    (one) => maxReschedules(one) >= 1 && maxReschedules(one) <= 3 && isConfirmedAtOnce(one),
  )

/** A service with bookings that wait for approval, without digital payment. */
export const manualService = (c: CheckContext): Members =>
  c.service('service in manual mode without digital payment', (one) => isManual(one) && !isPaidAhead(one))

/** A service with bookings that wait for payment. */
export const paidService = (c: CheckContext): Members =>
  c.service('service in auto mode with payment ahead', (one) => !isManual(one) && isPaidAhead(one))
