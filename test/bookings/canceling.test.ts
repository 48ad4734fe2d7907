import { expect, test } from 'vitest'
import { cancellationFacts, cancellationText } from '../../src/domain/bookings/cancellation-costs.ts'
import type { Payment } from '../../src/domain/pricing/payment-amounts.ts'
import { localizerFor } from '../../src/infra/i18n/localizer.ts'
import { service } from '../support/definitions.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const english = localizerFor('en')
if (!english) throw new Error('English is spoken')

const deposit: Payment = {
  timing: 'deposit_required',
  currency: 'USD',
  amount: 12000,
  tax: 0,
  deposit: 3000,
  due: 3000,
  items: [],
  received: [],
}
const { deposit: _, ...paid }: Payment = { ...deposit, timing: 'at_booking', due: 12000 }

const FEE = { free_cancellation_until: 'PT24H', late_cancellation_fee: 2000 }
const ALL_KEPT = 'If you cancel, your payments are not refunded, including the deposit of $30.00.'
const KEPT = { payment: deposit, deposit_refundable: false }

interface Case {
  hours?: number
  terms?: Partial<typeof FEE> & { allowed?: boolean; no_cancellation_after?: string; late_cancellation_fee?: number }
  payment?: Payment
  deposit_refundable?: boolean
  fee_waived?: true
}

test.each<[string, Case, RegExp | string]>([
  ['not allowed', { terms: { allowed: false } }, 'You cannot cancel this booking.'],
  ['already begun', { hours: -1 }, 'You cannot cancel this booking.'],
  ['too late', { hours: 3, terms: { no_cancellation_after: 'PT4H' } }, 'You cannot cancel this booking.'],
  ['no fee at all', {}, 'Free cancellation.'],
  ['a fee that never begins', { terms: { late_cancellation_fee: 2000 } }, 'Free cancellation.'],
  ['a fee of nothing', { terms: { ...FEE, late_cancellation_fee: 0 } }, 'Free cancellation.'],
  ['a fee that is waived', { hours: 2, terms: FEE, fee_waived: true }, 'Free cancellation.'],
  ['in time', { terms: FEE }, /^Free cancellation until .*November 22.*. After that, canceling costs \$20\.00\.$/],
  ['at the last moment', { hours: 24, terms: FEE }, /^Free cancellation until/],
  ['late', { hours: 23, terms: FEE }, 'Canceling costs $20.00.'],
  [
    'an end to it',
    { terms: { no_cancellation_after: 'PT4H' } },
    /^Free cancellation\. You can no longer cancel from .*\.$/,
  ],
  [
    'a fee that begins only after the end',
    { terms: { ...FEE, no_cancellation_after: 'PT48H' } },
    /^Free cancellation\. You can no longer cancel from .*\.$/,
  ],
  ['a deposit that goes back', { payment: deposit }, 'Free cancellation.'],
  ['a deposit that is kept', KEPT, ALL_KEPT],
  ['a deposit that is kept and covers the fee', { ...KEPT, terms: FEE }, ALL_KEPT],
  ['a deposit that is kept and covers a fee by now', { ...KEPT, hours: 2, terms: FEE }, ALL_KEPT],
  [
    'a fee above a deposit that is kept',
    { ...KEPT, terms: { ...FEE, late_cancellation_fee: 5000 } },
    new RegExp(`^${ALL_KEPT.replace('$', '\\$')} From .*, canceling costs \\$50\\.00\\.$`),
  ],
  [
    'a fee above a deposit that is kept, by now',
    { ...KEPT, hours: 2, terms: { ...FEE, late_cancellation_fee: 5000 } },
    `${ALL_KEPT} Canceling costs $50.00.`,
  ],
  ['a deposit that nobody asks for', { payment: paid, deposit_refundable: false }, 'Free cancellation.'],
])('[what canceling costs is told as it will be] %s', (_, { hours = 72, terms, payment, ...more }, said) => {
  const agreed = {
    policies: { ...service('svc').policies, cancellation: { allowed: true, ...terms } },
    deposit_refundable: true,
    ...more,
    ...(payment && { payment }),
  }
  const facts = cancellationFacts(agreed, new Date(NOW.getTime() + hours * HOUR), NOW)
  const text = cancellationText(facts, { zone: 'UTC', currency: 'USD' }, english).join(' ')
  if (typeof said === 'string') expect(text).toBe(said)
  else expect(text).toMatch(said)
})
