import { rfc3339Exact } from '../../../infra/time/time-zone.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import { COUNTER_KINDS, type PaymentRead } from '../../payments/queries.ts'
import { isCorrectable } from './payment-correction-rules.ts'

export const toPaymentEntry = (
  { id, amount, currency, purpose, source, reported_by, refunds, ...row }: PaymentRead,
  zone: string,
  all: readonly PaymentRead[],
) => ({
  id,
  amount,
  currency,
  purpose,
  source,
  reported_by,
  received_at: rfc3339Exact(zone, row.received_at),
  ...omitUndefined({
    provider: row.provider ?? undefined,
    transaction_id: row.reference ?? undefined,
    order_reference: row.order_reference ?? undefined,
    kind: row.kind ?? undefined,
    tip: row.tip || undefined,
    reverses: row.reverses ?? undefined,
    correctable: isCorrectable({ id, source, refunds, ...row }, all) || undefined,
  }),
  refunds: refunds.map((refund) => ({ ...refund, at: rfc3339Exact(zone, new Date(refund.at)) })),
})

const instant = { type: 'string', format: 'date-time' } as const
const minorUnits = { type: 'integer', description: 'In minor units.' } as const

export const paymentEntries = {
  type: 'array',
  description: 'The payments, earliest first, with the refunds of each.',
  items: {
    type: 'object',
    required: ['id', 'amount', 'currency', 'purpose', 'source', 'reported_by', 'received_at', 'refunds'],
    properties: {
      id: { type: 'string', description: 'Id of the payment.' },
      amount: minorUnits,
      currency: { type: 'string', description: 'ISO 4217.' },
      purpose: {
        enum: ['price', 'deposit', 'difference', 'no_show_fee', 'nothing_due', 'tip'],
        description:
          'What it was for. A payment received when nothing was due is refunded in full. For a tip alone the ' +
          'amount is 0.',
      },
      source: { enum: ['provider', 'platform', 'staff'], description: 'Who reported the payment.' },
      reported_by: { type: 'string', description: 'The same by name: provider:…, a platform, or staff:….' },
      provider: { type: 'string', description: 'Who received the money.' },
      transaction_id: { type: 'string', description: "The provider's id of the payment." },
      order_reference: { type: 'string', description: 'The order it belongs to.' },
      kind: { enum: COUNTER_KINDS, description: 'The means of payment at the counter, if the staff entered one.' },
      tip: { ...minorUnits, description: 'The tip, not part of the amount, in minor units.' },
      reverses: {
        type: 'string',
        description: 'The corrected payment that this entry takes back; the sums of this entry are negative.',
      },
      correctable: {
        type: 'boolean',
        const: true,
        description: 'Whether it can be corrected (usp_business_bookings_payment_correct).',
      },
      received_at: { ...instant, description: 'When it was reported.' },
      refunds: {
        type: 'array',
        items: {
          type: 'object',
          required: ['amount', 'status', 'reason', 'at'],
          properties: {
            amount: minorUnits,
            status: {
              enum: ['waiting', 'given', 'refused', 'elsewhere'],
              description: 'Whether the provider has refunded it. elsewhere: whoever received the money refunds it.',
            },
            reason: { type: 'string', description: 'The event of the booking that caused the refund.' },
            at: { ...instant, description: 'When the refund was decided.' },
          },
        },
      },
    },
  },
} as const
