import { rfc3339Exact } from '../../../infra/time/zone.ts'
import { omitUndefined } from '../../../infra/util/omit-undefined.ts'
import { COUNTER_KINDS, type PaymentRead } from '../../payments/queries.ts'
import { isCorrectable } from './correctable.ts'

export const toPaymentEntry = (
  { id, amount, currency, purpose, source, reported_by, refunds, ...row }: PaymentRead,
  zone: string,
  all: readonly PaymentRead[],
) => ({
  ...{ id, amount, currency, purpose, source, reported_by, received_at: rfc3339Exact(zone, row.received_at) },
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
  description: 'What came in for it, first things first, with what went back of each payment.',
  items: {
    type: 'object',
    required: ['id', 'amount', 'currency', 'purpose', 'source', 'reported_by', 'received_at', 'refunds'],
    properties: {
      id: { type: 'string', description: 'Of the payment.' },
      amount: minorUnits,
      currency: { type: 'string', description: 'ISO 4217.' },
      purpose: {
        enum: ['price', 'deposit', 'difference', 'no_show_fee', 'nothing_due', 'tip'],
        description:
          'What it was for; what came in when nothing was due goes back whole. Of a tip alone the amount is 0.',
      },
      source: { enum: ['provider', 'platform', 'staff'], description: 'Who said that it came in.' },
      reported_by: { type: 'string', description: 'The same by name: provider:…, a platform, or staff:….' },
      provider: { type: 'string', description: 'Who took it.' },
      transaction_id: { type: 'string', description: 'How the provider names it.' },
      order_reference: { type: 'string', description: 'The order it belongs to.' },
      kind: { enum: COUNTER_KINDS, description: 'How it was paid at the counter, where the staff said so.' },
      tip: { ...minorUnits, description: 'What was given besides, no part of the amount, in minor units.' },
      reverses: {
        type: 'string',
        description: 'The payment that it takes back, since that was corrected; its own sums are below zero.',
      },
      correctable: {
        type: 'boolean',
        const: true,
        description: 'Whether it can be corrected (usp_business_bookings_payment_correct).',
      },
      received_at: { ...instant, description: 'When it was told of.' },
      refunds: {
        type: 'array',
        items: {
          type: 'object',
          required: ['amount', 'status', 'reason', 'at'],
          properties: {
            amount: minorUnits,
            status: {
              enum: ['waiting', 'given', 'refused', 'elsewhere'],
              description: 'Whether the provider has given it back; elsewhere: whoever took the money does.',
            },
            reason: { type: 'string', description: 'What happened to the booking.' },
            at: { ...instant, description: 'When it was decided.' },
          },
        },
      },
    },
  },
} as const
