import type { RequirementDefinition, ServiceDefinition } from '../../../protocol/types.generated.ts'

/** Returns booking rules that suit most new services. If the service has a price, the buyer pays at the appointment. */
export const defaultPolicies = ({
  slot_interval,
  isPaid,
}: {
  slot_interval: string
  isPaid: boolean
}): ServiceDefinition['policies'] => ({
  cancellation: { allowed: true },
  rescheduling: { allowed: true },
  booking_window: { min_advance: 'PT2H', max_advance: 'P60D', slot_interval },
  confirmation_mode: 'auto',
  requires_payment: isPaid,
  ...(isPaid && { payment_timing: 'at_service' }),
})

/**
 * Returns the requirement that one of the given staff members provides the service. If there are several staff members,
 * the buyer can choose one.
 */
export const anyOf = (staff: readonly { id?: unknown }[]): RequirementDefinition => ({
  type: 'staff',
  options: staff.map(({ id }) => String(id)),
  ...(staff.length > 1 && { selectable: true }),
})
