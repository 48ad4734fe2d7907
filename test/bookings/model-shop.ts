import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith } from '../support/definitions.ts'
import { withPolicies } from './shop.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

/** The terms on which everything in the model's shop is booked. */
export const TERMS = {
  notice: 2 * HOUR,
  freeUntil: 24 * HOUR,
  lateCancellation: 2_000,
  lateMove: 1_000,
  mostMoves: 2,
  hold: 10 * MINUTE,
  payment: 15 * MINUTE,
  approval: 24 * HOUR,
  holdsAtOnce: 3,
}

/** What the model has to know of a service. */
export interface Kind {
  /** Whether bookings take up one person, places in a class, or a table. */
  takes: 'ann' | 'places' | 'table'
  manual?: true
  /** To be paid at booking. */
  price?: number
  /** Kept free afterwards. */
  after?: number
}

export const kinds: Record<string, Kind> = {
  svc_auto: { takes: 'ann' },
  svc_manual: { takes: 'ann', manual: true },
  svc_paid: { takes: 'ann', price: 7_500, after: 30 * MINUTE },
  svc_class: { takes: 'places' },
  svc_table: { takes: 'table' },
}

export const PLACES = 4
export const tables = [
  { id: 'table_2', seats: 2 },
  { id: 'table_4', seats: 4 },
]

const policies: Partial<ServiceDefinition['policies']> = {
  cancellation: { allowed: true, free_cancellation_until: 'PT24H', late_cancellation_fee: TERMS.lateCancellation },
  rescheduling: {
    allowed: true,
    free_reschedule_until: 'PT24H',
    fee: TERMS.lateMove,
    max_reschedules: TERMS.mostMoves,
  },
  booking_window: { min_advance: 'PT2H', max_advance: 'P60D', slot_interval: 'PT60M' },
}
const withAnn: Partial<ServiceDefinition> = { resources: [{ type: 'staff', options: ['staff_ann'] }] }

/** The only one within what is tested. */
export const MORNING = '2026-11-24'

/** One morning a week, so that bookings get in each other's way. */
export const modelDefinition = businessWith(
  [
    withPolicies('svc_auto', policies, withAnn),
    withPolicies('svc_manual', { ...policies, confirmation_mode: 'manual' }, withAnn),
    withPolicies(
      'svc_paid',
      { ...policies, payment_timing: 'at_booking' },
      { ...withAnn, duration: { fixed: 'PT60M', buffer_after: 'PT30M' } },
    ),
    withPolicies('svc_class', policies, {
      type: 'group',
      capacity: { max: PLACES },
      sessions: [
        { days: ['tuesday'], starts: '10:00' },
        { days: ['tuesday'], starts: '11:00' },
      ],
    }),
    withPolicies('svc_table', policies, {
      type: 'reservation',
      capacity: { max: 4 },
      duration: { fixed: 'PT90M' },
      resources: [{ type: 'other', options: tables.map(({ id }) => id) }],
    }),
  ],
  {
    hours: [{ days: ['tuesday'], opens: '09:00', closes: '13:00' }],
    payments: { window: 'PT15M' },
    limits: { live_holds: TERMS.holdsAtOnce },
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      ...tables.map(({ id, seats }) => ({ id, type: 'table' as const, name: id, seats })),
    ],
  },
)
