import { rfc3339Exact } from '../../infra/time/time-zone.ts'
import { UCP_VERSION } from '../../protocol/capabilities.ts'
import type { Context, ObjectSchema } from '../../protocol/define-operation.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { GetOrder, UcpAdjustment, UcpOrderLineItem } from '../../protocol/types.generated.ts'
import { pageUrl } from '../bookings/booking-page-links.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import type { PaymentRead } from '../payments/queries.ts'
import { disclosuresOf, governsTerm, lineItem, policiesOf, settlementOf, totalsOf } from './checkout-response.ts'
import type { CheckoutRow } from './checkout-row.ts'

type Order = GetOrder['output']
export type OrderWireContext = Pick<Context, 'tag' | 'config' | 'business'>

export async function toOrder(
  row: CheckoutRow,
  booking: BookingRow,
  payments: readonly PaymentRead[],
  { tag, config, business }: OrderWireContext,
): Promise<Order> {
  const { agreed, request } = row
  const { quantity: count, ...line } = lineItem(request.line_id, agreed)
  const adjustments = adjustmentsOf(booking, payments)
  return {
    ucp: { version: UCP_VERSION },
    id: row.order_id,
    checkout_id: row.id,
    permalink_url: pageUrl(config.baseUrl, tag, booking, 'manage'),
    currency: agreed.currency,
    line_items: [{ ...line, quantity: quantityOf(booking, count), status: lineStatusOf(booking) }],
    // UCP's object `fulfillment` describes a shipment. A service has no shipment, so the object is empty. The booking
    // contains the time and the location.
    fulfillment: {},
    totals: totalsOf(agreed),
    policies: policiesOf(agreed, 'order'),
    ...(adjustments.length > 0 && { adjustments }),
    ...(agreed.term && { payment: { accepted_term: agreed.term } }),
    ...settlementOf(agreed, await business.get()),
    booking_id: booking.id,
    ...(governsTerm(agreed) && { messages: disclosuresOf(agreed, 'order') }),
  }
}

const isUsed = ({ status }: BookingRow): boolean => status === 'completed' || status === 'no_show'

const quantityOf = (booking: BookingRow, original: number): UcpOrderLineItem['quantity'] => ({
  original,
  total: booking.status === 'canceled' ? 0 : original,
  fulfilled: isUsed(booking) ? original : 0,
})

function lineStatusOf(booking: BookingRow): UcpOrderLineItem['status'] {
  if (booking.status === 'canceled') return 'removed'
  return isUsed(booking) ? 'fulfilled' : 'processing'
}

const statusOfRefund = { waiting: 'pending', elsewhere: 'pending', given: 'completed', refused: 'failed' } as const

function adjustmentsOf({ id, record }: BookingRow, payments: readonly PaymentRead[]): UcpAdjustment[] {
  const { cancellation, zone } = record
  const time = (instant: string) => rfc3339Exact(zone, new Date(instant))
  const refunds = payments.flatMap((payment) =>
    payment.refunds.map(({ amount, status, at }, index) => ({
      id: `${payment.id}_${index + 1}`,
      type: 'refund',
      occurred_at: time(at),
      status: statusOfRefund[status],
      totals: [{ type: 'total', amount: -amount }],
    })),
  )
  const { canceled_at } = cancellation ?? {}
  const canceled =
    canceled_at === undefined
      ? []
      : [{ id: `${id}_canceled`, type: 'cancellation', occurred_at: time(canceled_at), status: 'completed' as const }]
  return [...canceled, ...refunds]
}

const list = (name: string, description: string) => ({ type: 'array', items: shape(name), description })

export const orderOutput: ObjectSchema = {
  type: 'object',
  required: ['ucp', 'id', 'checkout_id', 'permalink_url', 'currency', 'line_items', 'fulfillment', 'totals'],
  properties: {
    ucp: shape('UcpMeta'),
    id: { type: 'string', description: 'Id of the order.' },
    checkout_id: { type: 'string', description: 'The checkout that placed it.' },
    permalink_url: { type: 'string', format: 'uri', description: 'The page of the booking for its buyer.' },
    currency: { type: 'string', description: 'ISO 4217.' },
    line_items: list('UcpOrderLineItem', 'The service.'),
    fulfillment: { type: 'object', description: 'Empty: a service is not delivered.' },
    adjustments: list('UcpAdjustment', 'The cancellation and refunds.'),
    totals: list('UcpTotal', 'The price and its parts.'),
    policies: list('UcpPolicy', 'The cancellation terms.'),
    payment: {
      type: 'object',
      properties: { accepted_term: shape('UcpTerm') },
      description: 'The term that the buyer accepted.',
    },
    settlement: shape('UcpSettlement'),
    booking_id: { type: 'string', description: 'The booking of the order.' },
  },
}
