import { ProtocolError } from '../protocol/errors.ts'
import { defineOperation } from '../protocol/operation.ts'
import type { ReplayDeliveries } from '../protocol/types.generated.ts'
import { aboutDeliveries } from './delivery.ts'
import { deliveriesReplay } from './delivery-queries.ts'

export const replayDeliveries = defineOperation<ReplayDeliveries>({
  ...aboutDeliveries,
  id: 'replayDeliveries',
  rest: 'POST /business/deliveries/replay',
  tool: 'usp_business_deliveries_replay',
  title: 'Send events again',
  description:
    'Sends one event again, or all that were given up since a moment, with their own ids, times and bodies and in their ' +
    'order.',
  role: 'manager',
  effect: 'update',
  input: {
    type: 'object',
    properties: {
      delivery_id: { type: 'string', minLength: 1, description: 'This one, received or given up.' },
      since: { type: 'string', format: 'date-time', description: 'All that happened since then and were given up.' },
      receiver: { type: 'string', description: 'Of these only those to this receiver.' },
    },
  },
  output: {
    type: 'object',
    required: ['replayed'],
    properties: { replayed: { type: 'integer', description: 'How many are sent again.' } },
  },
  summary: ({ replayed }) => `${replayed} deliveries are sent again.`,
  async handle({ input: { delivery_id: id, since, receiver }, db, now }) {
    if ((id === undefined) === (since === undefined))
      throw new ProtocolError('invalid_request', 'Name either delivery_id or since.')
    const replayed = await deliveriesReplay(
      db,
      { id, since: since === undefined ? undefined : new Date(since), receiver },
      now,
    )
    return { replayed }
  },
})
