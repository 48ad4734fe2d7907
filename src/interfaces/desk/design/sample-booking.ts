import type { Booking, GetBusinessBooking, ListBusinessBookingTold } from '../../../protocol/types.generated.ts'
import { at } from './sample-day.ts'

/** A booking in the given state, as an operation returns it. */
export const sampleBooking = (status: Booking['status'], more: Partial<Booking> = {}): Booking => ({
  id: `example_${status}`,
  service_id: 'svc_haircut',
  service_name: 'Women’s Haircut & Style',
  slot: { id: 'example', start: at('10:45'), end: at('11:45'), duration: 'PT60M' },
  buyer: {
    first_name: 'Ruth',
    last_name: 'Adeyemi',
    email: 'ruth.adeyemi@example.com',
    phone_number: '+12125550143',
  },
  party_size: 1,
  resources: [{ id: 'staff_jane', type: 'staff', name: 'Jane Smith' }],
  location: { id: 'loc_downtown', name: 'Glamour Salon Downtown' },
  status,
  created_at: at('09:00', '2026-06-10'),
  updated_at: at('09:00', '2026-06-10'),
  ...more,
})

export const STATUSES = [
  'pending',
  'requires_action',
  'confirmed',
  'in_progress',
  'completed',
  'no_show',
  'canceled',
] as const satisfies readonly Booking['status'][]

/** What the page of a booking shows. A part of the price is paid. */
export const sampleRead = (): GetBusinessBooking['output'] => ({
  booking: sampleBooking('confirmed', {
    notes: 'Comes by bike.',
    payment: { status: 'pending', timing: 'at_service', amount: 7500, currency: 'USD', amount_due: 5000 },
  }),
  details: {
    came_from: 'page',
    resource_ids: ['staff_jane'],
    reschedules: 1,
    collected: 2500,
    to_pay: 5000,
    currency: 'USD',
    reference: 'EXAM-PLE1',
    customer_tags: ['Latex allergy', 'Regular'],
    attending_since: at('18:00', '2026-06-16'),
  },
  payments: [
    {
      id: 'example',
      amount: 2500,
      currency: 'USD',
      purpose: 'price',
      source: 'staff',
      reported_by: 'staff',
      kind: 'cash',
      tip: 300,
      received_at: at('09:30'),
      refunds: [],
    },
  ],
  changes: [
    { at: at('09:00', '2026-06-10'), actor: 'buyer', action: 'create', to: 'confirmed', detail: {} },
    {
      at: at('18:05', '2026-06-12'),
      actor: 'staff:example',
      actor_name: 'Jane Smith',
      action: 'reschedule',
      from: 'confirmed',
      to: 'confirmed',
      detail: { from: at('09:00'), to: at('10:45') },
    },
  ],
})

const told = {
  way: 'mail',
  what: 'booking_confirmed',
  audience: 'buyer',
  to: 'ruth.adeyemi@example.com',
  attempts: 1,
  at: at('09:00', '2026-06-10'),
} as const

/** A notification in each state. */
export const sampleNotifications: ListBusinessBookingTold['output']['told'] = (
  ['waiting', 'sent', 'given_up', 'dropped', 'unwanted'] as const
).map((status) => ({
  ...told,
  id: `example_${status}`,
  subject: 'Your booking is confirmed',
  status,
  ...(status === 'given_up' && { problem: '550 There is nobody of this name' }),
}))
