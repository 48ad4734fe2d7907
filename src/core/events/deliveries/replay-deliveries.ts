import { changeInBatchesForCall } from '../../../protocol/change-in-batches.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import type { ReplayDeliveries } from '../../../protocol/types.generated.ts'
import { deliveriesReplay, replayGivenUp } from './delivery-queries.ts'
import { onDeliveries } from './delivery-response.ts'

export const replayDeliveries = defineOperation<ReplayDeliveries & { prepared: number }>({
  ...onDeliveries,
  id: 'replayDeliveries',
  rest: 'POST /business/deliveries/replay',
  tool: 'usp_business_deliveries_replay',
  title: 'Send events again',
  description:
    'Sends one event again, or all events that were given up since a moment, with their own ids, times and ' +
    'bodies and in their order. If there are too many for one call, the answer says so: call again for the ' +
    'rest.',
  role: 'manager',
  effect: 'update',
  input: {
    type: 'object',
    properties: {
      delivery_id: { type: 'string', minLength: 1, description: 'The delivery to send again, received or given up.' },
      since: {
        type: 'string',
        format: 'date-time',
        description: 'All events that happened since this moment and were given up.',
      },
      receiver: { type: 'string', description: 'With since: only events to this receiver.' },
    },
  },
  output: {
    type: 'object',
    required: ['replayed'],
    properties: { replayed: { type: 'integer', description: 'Number of deliveries that are sent again.' } },
  },
  summary: ({ replayed }) => `${replayed} deliveries are sent again.`,
  async prepare({ input: { delivery_id: id, since, receiver }, makeChange, now }) {
    if ((id === undefined) === (since === undefined))
      throw new ProtocolError('invalid_request', 'Give either delivery_id or since.')
    if (since === undefined) return 0
    const lost = replayGivenUp({ since: new Date(since), receiver }, now)
    return (await changeInBatchesForCall(makeChange, lost)).length
  },
  async handle({ input: { delivery_id: id }, db, now }, lost) {
    return { replayed: id === undefined ? lost : (await deliveriesReplay(db, [id], now)).length }
  },
})
