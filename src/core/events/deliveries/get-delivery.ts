import { defineOperation } from '../../../protocol/define-operation.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import type { GetDelivery } from '../../../protocol/types.generated.ts'
import { zoneOf } from '../../business/definition-facts.ts'
import { attemptsOf, deliveryFind } from './delivery-queries.ts'
import { attemptSchema, deliverySchema, onDeliveries, toAttempt, toDelivery } from './delivery-response.ts'

export const getDelivery = defineOperation<GetDelivery>({
  ...onDeliveries,
  id: 'getDelivery',
  rest: 'GET /business/deliveries/{delivery_id}',
  tool: 'usp_business_deliveries_get',
  title: 'Read a delivery',
  description: "Returns one delivery with every attempt: its time, its duration and the receiver's answer.",
  effect: 'read',
  input: {
    type: 'object',
    required: ['delivery_id'],
    properties: { delivery_id: { type: 'string', minLength: 1, description: 'Id of the delivery.' } },
  },
  output: {
    type: 'object',
    required: ['delivery', 'attempts'],
    properties: { delivery: deliverySchema, attempts: { type: 'array', items: attemptSchema } },
  },
  summary: ({ delivery: { event, receiver, status } }) => `${event} to ${receiver}: ${status}.`,
  async handle(context) {
    const { input, db } = context
    const { delivery_id: id } = input
    const [delivery, attempts] = await Promise.all([deliveryFind(db, id), attemptsOf(db, id)])
    if (!delivery) throw new ProtocolError('not_found', `There is no delivery ${id}.`)
    const zone = await zoneOf(context)
    return { delivery: toDelivery(delivery, zone), attempts: attempts.map((attempt) => toAttempt(attempt, zone)) }
  },
})
