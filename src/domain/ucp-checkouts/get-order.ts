import { defineOperation } from '../../protocol/define-operation.ts'
import type { GetOrder } from '../../protocol/types.generated.ts'
import { bookingFind } from '../bookings/queries.ts'
import { paymentsOf } from '../payments/queries.ts'
import { orderNotFound } from './error-messages.ts'
import { orderOutput, toOrder } from './order-response.ts'
import { checkoutOfOrder } from './queries.ts'

export const getOrder = defineOperation<GetOrder>({
  protocol: 'ucp',
  id: 'getOrder',
  rest: 'GET /orders/{id}',
  tool: 'get_order',
  title: 'Get an order',
  description: 'The order of a completed checkout as it is now, with its cancellation and refunds.',
  capability: 'dev.ucp.shopping.order',
  access: 'privileged_platform',
  effect: 'read',
  input: {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', minLength: 1, maxLength: 100, description: 'Id of the order.' } },
  },
  output: orderOutput,
  summary: ({ id }) => `Order ${id}.`,
  async handle(context) {
    const { input, db, caller } = context
    const row = await checkoutOfOrder(db, input.id, caller)
    const booking = row && (await bookingFind(db, row.booking_id, undefined, { lock: false }))
    if (!row || !booking) throw orderNotFound()
    return toOrder(row, booking, await paymentsOf(db, booking.id), context)
  },
})
