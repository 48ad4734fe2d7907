import { zoneOf } from '../../../core/business/definition-facts.ts'
import { rfc3339Exact } from '../../../infra/time/time-zone.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { ListUnreturnedCharges } from '../../../protocol/types.generated.ts'
import { unreturnedCharges } from '../../ucp-checkouts/charge-queries.ts'
import { UNRETURNED_MOST } from '../shared/desk-list-limits.ts'
import { amount, atDesk, moment } from '../shared/operation-defaults.ts'

export const listUnreturnedCharges = defineOperation<ListUnreturnedCharges>({
  ...atDesk,
  id: 'listUnreturnedCharges',
  rest: 'GET /business/inbox/unreturned_charges',
  tool: 'usp_business_inbox_unreturned_charges',
  title: 'List charges to return by hand',
  description:
    'Lists charges of UCP checkouts that led to no booking, and that the payment provider refuses to return, oldest ' +
    `first. Return each by hand, then mark it as returned (usp_business_inbox_mark_returned). Up to ${UNRETURNED_MOST}.`,
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: {
    type: 'object',
    required: ['charges'],
    properties: {
      charges: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'order_id', 'provider', 'reference', 'amount', 'currency', 'at'],
          properties: {
            id: { type: 'string', description: 'The id of the charge.' },
            order_id: { type: 'string', description: 'The id of the order. The provider stores it with the charge.' },
            provider: { type: 'string', description: 'The payment provider, such as `stripe`.' },
            reference: { type: 'string', description: 'The id of the charge at the provider.' },
            amount: amount('The amount to return.'),
            currency: { type: 'string' },
            at: moment('When the buyer paid.'),
          },
        },
      },
    },
  },
  summary: ({ charges }) => `${charges.length} ${charges.length === 1 ? 'charge' : 'charges'} to return by hand.`,
  async handle(context) {
    const zone = await zoneOf(context)
    const rows = await unreturnedCharges(context.db, UNRETURNED_MOST)
    return {
      charges: rows.map(({ created_at, reference, ...charge }) => ({
        ...charge,
        reference: reference ?? '',
        at: rfc3339Exact(zone, created_at),
      })),
    }
  },
})
