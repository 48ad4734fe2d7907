import { expect } from 'vitest'
import type { Booking, BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import type { Shop } from '../support/desk.ts'

const usual = service('svc').policies
const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const terms: Partial<ServiceDefinition['policies']> = {
  payment_timing: 'at_booking',
  cancellation: { allowed: true, free_cancellation_until: 'PT24H', late_cancellation_fee: 2000 },
  rescheduling: { allowed: true, free_reschedule_until: 'PT24H', fee: 1500 },
}

const paid = (
  id: string,
  policies: Partial<ServiceDefinition['policies']> = {},
  more: Partial<ServiceDefinition> = {},
) =>
  service(id, {
    pricing: { model: 'fixed', amount: 12000, currency: 'USD' },
    ...more,
    policies: { ...usual, ...terms, ...policies },
  })

const deposit = (value: number, refundable: boolean): Partial<ServiceDefinition> => ({
  pricing: { model: 'fixed', amount: 12000, currency: 'USD', deposit: { type: 'percentage', value, refundable } },
})

/** Dear in the afternoon, cheap in the evening. */
const price_rules = [
  { name: 'Afternoon', from: '15:00', to: '18:00', amount: 15000 },
  { name: 'Evening', from: '18:00', amount: 9000 },
]

const free = (({ payment_timing: _, ...rest }) => ({ ...rest, requires_payment: false }))(usual)

/** A business with every way to pay. What names no resource has its own time. */
export const tillDefinition: BusinessDefinition = businessWith(
  [
    service('svc_free', { pricing: { model: 'free', currency: 'USD' }, policies: free }),
    paid('svc_spot', { payment_timing: 'at_service' }),
    paid('svc_paid', {}, { price_rules }),
    paid('svc_deposit', { payment_timing: 'deposit_required' }, deposit(25, true)),
    paid('svc_kept', { payment_timing: 'deposit_required' }, deposit(25, false)),
    paid('svc_asked', { confirmation_mode: 'manual' }),
    paid('svc_signed', {}, { waiver: { text: 'I swim at my own risk.' } }),
    paid('svc_signed_spot', { payment_timing: 'at_service' }, { waiver: { text: 'I swim at my own risk.' } }),
    paid('svc_slow', {}, { payment_window: 'PT1H' }),
    paid('svc_firm', { cancellation: { allowed: false } }),
    paid('svc_costly', { cancellation: { ...terms.cancellation, allowed: true, late_cancellation_fee: 20000 } }),
    paid(
      'svc_rental',
      {},
      {
        type: 'rental',
        duration: { range: { min: 'PT30M', max: 'PT2H', step: 'PT30M' } },
        pricing: { model: 'hourly', amount: 7500, currency: 'USD' },
      },
    ),
    paid(
      'svc_class',
      {},
      {
        type: 'group',
        capacity: { max: 100 },
        sessions: [{ days: [...EVERY_DAY], starts: '12:00' }],
        pricing: { model: 'per_person', amount: 2200, currency: 'USD' },
      },
    ),
  ],
  {
    hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '20:00' }],
    payments: { tax: { percent: 10, included: false } },
  },
)

/** What became of a booking, as platforms are told it. */
export async function eventsOf({ runtime: { db } }: Shop, { id }: Pick<Booking, 'id'>): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select('type')
    .where('subject', '=', `booking ${id}`)
    .orderBy('number')
    .execute()
  return rows.map(({ type }) => type)
}

/** What every booking keeps to, wherever it shows. */
export function expectHonest({ status, actions = [] }: Pick<Booking, 'status' | 'actions'>): void {
  expect(actions.some((action) => action.status === 'pending')).toBe(status === 'requires_action')
  if (status !== 'requires_action') expect(actions).toEqual([])
}
