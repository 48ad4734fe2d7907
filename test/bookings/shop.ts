import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export const NINE_TO_SIX = [{ days: [...EVERY_DAY], opens: '09:00', closes: '18:00' }]

const usual = service('svc').policies
const free = { pricing: { model: 'free', currency: 'USD' } } satisfies Partial<ServiceDefinition>

const firm = { cancellation: { allowed: false }, rescheduling: { allowed: false } }

/** A service of the shop that differs from the usual one by its policies, and by what else is told. */
export const withPolicies = (
  id: string,
  policies: Partial<ServiceDefinition['policies']>,
  more: Partial<ServiceDefinition> = {},
): ServiceDefinition => service(id, { ...more, policies: { ...usual, ...policies } })

/** Of which so much is paid in advance. */
export const withDeposit = (type: 'fixed' | 'percentage', value: number): ServiceDefinition =>
  withPolicies(
    'svc_deposit',
    { payment_timing: 'deposit_required' },
    { pricing: { model: 'fixed', amount: 9999, currency: 'USD', deposit: { type, value, refundable: true } } },
  )

const withoutPayment = (id: string, more: Partial<ServiceDefinition> = {}): ServiceDefinition => {
  const { payment_timing: _, ...policies } = { ...usual, ...more.policies, requires_payment: false }
  return service(id, { ...free, ...more, policies })
}

export const services: ServiceDefinition[] = [
  // Chosen with one of two people, paid on the spot.
  withPolicies(
    'svc_cut',
    {
      cancellation: {
        allowed: true,
        free_cancellation_until: 'PT24H',
        late_cancellation_fee: 2500,
        no_cancellation_after: 'PT4H',
      },
      rescheduling: { allowed: true, max_reschedules: 2, free_reschedule_until: 'PT24H', fee: 1500 },
    },
    { resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }] },
  ),
  withoutPayment('svc_free'),
  // The business agrees first; to the second, the buyer pays then.
  withoutPayment('svc_asked', { policies: { ...usual, confirmation_mode: 'manual' } }),
  withPolicies('svc_asked_fixed', { confirmation_mode: 'manual', rescheduling: { allowed: false } }),
  withPolicies('svc_asked_paid', { confirmation_mode: 'manual', payment_timing: 'at_booking' }),
  withPolicies('svc_paid', {
    payment_timing: 'at_booking',
    rescheduling: { allowed: true, free_reschedule_until: 'PT24H', fee: 1500 },
  }),
  withDeposit('percentage', 33),
  // Nothing can be changed.
  withPolicies('svc_firm', firm),
  withPolicies('svc_firm_asked', { ...firm, confirmation_mode: 'manual' }),
  withPolicies('svc_firm_paid', { ...firm, payment_timing: 'at_booking' }),
  withoutPayment('svc_class', {
    type: 'group',
    capacity: { min: 1, max: 6 },
    sessions: [
      { days: [...EVERY_DAY], starts: '10:00' },
      { days: [...EVERY_DAY], starts: '15:00' },
    ],
  }),
  // The same, where people queue.
  withoutPayment('svc_queue', {
    type: 'group',
    capacity: { max: 6, waitlist: true },
    sessions: [{ days: [...EVERY_DAY], starts: '16:00' }],
  }),
  withoutPayment('svc_class_asked', {
    type: 'group',
    capacity: { max: 2 },
    sessions: [{ days: [...EVERY_DAY], starts: '13:00' }],
    policies: { ...usual, confirmation_mode: 'manual' },
  }),
  // Two at least.
  withoutPayment('svc_pairs', {
    type: 'group',
    capacity: { min: 2, max: 4 },
    sessions: [{ days: [...EVERY_DAY], starts: '12:00' }],
  }),
  withoutPayment('svc_table', {
    type: 'reservation',
    resources: [{ type: 'other', options: ['table_2', 'table_4'] }],
    capacity: { min: 1, max: 4 },
  }),
  withoutPayment('svc_visit', { type: 'field_service', channel: { type: 'at_buyer_location' } }),
  withoutPayment('svc_hybrid', { channel: { type: 'hybrid' } }),
  withoutPayment('svc_phone', { channel: { type: 'phone' } }),
]

/** One with a service of each kind that the rules of bookings tell apart. What names no resource has its own time. */
export const shopDefinition: BusinessDefinition = businessWith(services, {
  hours: NINE_TO_SIX,
  locations: [{ id: 'loc_main', name: 'Main Street' }],
  resources: [
    { id: 'staff_ann', type: 'staff', name: 'Ann' },
    { id: 'staff_ben', type: 'staff', name: 'Ben' },
    { id: 'table_2', type: 'table', name: 'Small table', seats: 2 },
    { id: 'table_4', type: 'table', name: 'Large table', seats: 4 },
  ],
})

export const address = { line1: '5 Elm Street', city: 'New York', postal_code: '10001', country: 'US' }
