import type { BusinessDefinition, OpeningWindow, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Ask, type Desk, onBothDesks, type Said, type Shop, testShop } from '../support/desk.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const open = (opens: string, closes: string): OpeningWindow[] => [{ days: [...EVERY_DAY], opens, closes }]

const { payment_timing: _, ...usual } = service('svc').policies

const priced = (
  id: string,
  policies: Partial<ServiceDefinition['policies']>,
  more: Partial<ServiceDefinition> = {},
): ServiceDefinition =>
  service(id, {
    pricing: { model: 'fixed', amount: 12000, currency: 'USD' },
    policies: { ...usual, payment_timing: 'at_booking', ...policies },
    ...more,
  })

const free = (id: string, more: Partial<ServiceDefinition> = {}): ServiceDefinition =>
  service(id, {
    pricing: { model: 'free', currency: 'USD' },
    ...more,
    policies: { ...usual, ...more.policies, requires_payment: false },
  })

const firm = { cancellation: { allowed: false }, rescheduling: { allowed: false } }

/** A studio in which everything can happen that the staff have to do with. */
export const studio: BusinessDefinition = businessWith(
  [
    free('svc_cut', {
      duration: { fixed: 'PT60M', buffer_after: 'PT15M' },
      resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }],
      policies: { ...usual, no_show: { grace_period: 'PT15M' } },
    }),
    // Who comes chooses nobody: whichever room is free is assigned.
    free('svc_room', { resources: [{ type: 'room', options: ['room_1', 'room_2'] }] }),
    free('svc_asked', { policies: { ...usual, confirmation_mode: 'manual' } }),
    priced('svc_asked_paid', { confirmation_mode: 'manual' }),
    priced('svc_paid', { ...firm, no_show: { fee_percentage: 50, grace_period: 'PT15M' } }),
    priced('svc_flat', { no_show: { fee: 2000 } }),
    priced(
      'svc_kept',
      { payment_timing: 'deposit_required' },
      {
        pricing: {
          model: 'fixed',
          amount: 12000,
          currency: 'USD',
          deposit: { type: 'percentage', value: 25, refundable: false },
        },
      },
    ),
    priced('svc_counter', { payment_timing: 'at_service' }),
    priced('svc_late', {
      cancellation: { allowed: true, free_cancellation_until: 'P30D', late_cancellation_fee: 5000 },
      rescheduling: { allowed: true, max_reschedules: 1, free_reschedule_until: 'P30D', fee: 1500 },
    }),
    priced(
      'svc_class',
      {},
      {
        type: 'group',
        capacity: { min: 1, max: 3 },
        sessions: [{ days: [...EVERY_DAY], starts: '16:00', resources: ['staff_cat', 'room_big'] }],
      },
    ),
    free('svc_table', {
      type: 'reservation',
      resources: [{ type: 'other', options: ['table_2', 'table_4'] }],
      capacity: { min: 2, max: 4 },
    }),
    free('svc_bike', {
      type: 'rental',
      duration: { range: { min: 'PT1H', max: 'PT3H', step: 'PT1H' } },
      resources: [{ type: 'equipment', options: ['bike_1'] }],
    }),
  ],
  {
    hours: open('09:00', '18:00'),
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_ben', type: 'staff', name: 'Ben', hours: open('12:00', '18:00') },
      { id: 'staff_cat', type: 'staff', name: 'Cat' },
      { id: 'room_1', type: 'room', name: 'Room 1' },
      { id: 'room_2', type: 'room', name: 'Room 2' },
      { id: 'room_big', type: 'room', name: 'Studio' },
      { id: 'table_2', type: 'table', name: 'Small table', seats: 2 },
      { id: 'table_4', type: 'table', name: 'Large table', seats: 4 },
      { id: 'bike_1', type: 'equipment', name: 'Bike' },
    ],
  },
)

export const walkIn = { first_name: 'Walter', last_name: 'Innes', phone_number: '+1 (212) 555-0199' }

/** A desk and what the staff do at it, by the end of the tool's name: `bookings_start`. */
export type Staff = (what: string, input?: Record<string, unknown>, ask?: Ask) => Promise<Said>

export const inStudio = (tests: (desk: Desk, staff: Staff, shop: Shop) => void): Promise<void> =>
  onBothDesks(
    () => testShop(studio),
    (desk, shop) =>
      tests(desk, (what, input, ask) => desk.call(`usp_business_${what}`, input, { as: shop.staff, ...ask }), shop),
  )

/** On the Tuesday that most tests book for; the studio is five hours behind UTC then. */
export const tuesday = (time: string): string => `2026-11-24T${time}:00-05:00`

/** Sets the clock for one test alone. */
export async function at<T>({ time }: Shop, moment: string, work: () => Promise<T>): Promise<T> {
  const before = time.now
  time.now = new Date(moment)
  try {
    return await work()
  } finally {
    time.now = before
  }
}
