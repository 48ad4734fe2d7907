import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'

/** A minimal business with the given services. */
export const businessWith = (
  services: ServiceDefinition[],
  more: Partial<BusinessDefinition> = {},
): BusinessDefinition => ({
  business: { id: 'biz_test', name: 'Test Studio', timezone: 'America/New_York', currency: 'USD', language: 'en' },
  services,
  ...more,
})

/** A valid service. A test changes the members that it needs. */
export const service = (id: string, more: Partial<ServiceDefinition> = {}): ServiceDefinition => ({
  id,
  name: `Service ${id}`,
  type: 'appointment',
  duration: { fixed: 'PT60M' },
  pricing: { model: 'fixed', amount: 7500, currency: 'USD' },
  channel: { type: 'at_business_location' },
  policies: {
    cancellation: { allowed: true },
    rescheduling: { allowed: true },
    booking_window: { min_advance: 'PT2H', max_advance: 'P60D', slot_interval: 'PT30M' },
    confirmation_mode: 'auto',
    requires_payment: true,
    payment_timing: 'at_service',
  },
  ...more,
})

export const services = (count: number, more: Partial<ServiceDefinition> = {}) =>
  Array.from({ length: count }, (_, index) => service(`svc_${String(index).padStart(3, '0')}`, more))
