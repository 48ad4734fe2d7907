import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { service } from '../support/definitions.ts'
import { generousLimits } from '../support/generous-limits.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const priced = (timing: 'at_booking' | 'at_service', mode: 'auto' | 'manual' = 'auto'): Partial<ServiceDefinition> => ({
  policies: {
    cancellation: { allowed: true },
    rescheduling: { allowed: true },
    booking_window: { min_advance: 'PT0S', max_advance: 'P10D', slot_interval: 'PT30M' },
    confirmation_mode: mode,
    requires_payment: true,
    payment_timing: timing,
  },
})

const chosen = (...options: string[]) => [{ type: 'staff' as const, selectable: true, options }]

/** Few people and rooms, all of them in demand by several services, and payments that are soon too late. */
export const shop: BusinessDefinition = {
  business: { id: 'biz_race', name: 'Race', timezone: 'America/New_York', currency: 'USD', language: 'en' },
  hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '13:00' }],
  resources: [
    ...['ann', 'ben'].map((id) => ({ id, type: 'staff' as const, name: id })),
    ...['room_1', 'room_2'].map((id) => ({ id, type: 'room' as const, name: id })),
    ...[2, 4, 6].map((seats) => ({ id: `table_${seats}`, type: 'table' as const, name: `Table ${seats}`, seats })),
  ],
  services: [
    service('svc_cut', { ...priced('at_service'), resources: chosen('ann', 'ben') }),
    service('svc_consult', {
      ...priced('at_service', 'manual'),
      duration: { fixed: 'PT30M', buffer_after: 'PT30M' },
      resources: chosen('ann', 'ben'),
    }),
    service('svc_massage', {
      ...priced('at_booking'),
      payment_window: 'PT2S',
      resources: [{ type: 'staff', options: ['ann', 'ben'] }, { type: 'room' }],
    }),
    service('svc_yoga', {
      ...priced('at_booking'),
      type: 'group',
      payment_window: 'PT2S',
      capacity: { max: 8, waitlist: true },
      sessions: [{ days: [...EVERY_DAY], starts: '10:00', resources: ['room_1'] }],
    }),
    service('svc_table', {
      ...priced('at_service'),
      type: 'reservation',
      capacity: { max: 6 },
      resources: [{ type: 'other', options: ['table_2', 'table_4', 'table_6'] }],
    }),
  ],
  limits: generousLimits,
}

export const SERVICES = shop.services.map(({ id }) => id)
