import { readMoment } from '../../availability/query-range.ts'
import { newId } from '../../basics/new-id.ts'
import { Outcome } from '../../protocol/errors.ts'
import { defineOperation } from '../../protocol/operation.ts'
import type { BlockTime } from '../../protocol/types.generated.ts'
import { atDesk, moment, notFound } from '../shared/operation-parts.ts'
import { blockShape, toBlock } from './block-parts.ts'
import { enterBlock } from './enter-block.ts'
import { timeTaken } from './time-taken.ts'

export const blockTime = defineOperation<BlockTime>({
  ...atDesk,
  id: 'blockTime',
  rest: 'POST /business/blocks',
  tool: 'usp_business_blocks_create',
  title: 'Block time',
  description: 'Keeps a person, a room or a thing free for a while: nothing can be booked with it then.',
  effect: 'create',
  mayMiss: true,
  input: {
    type: 'object',
    required: ['resource_id', 'start', 'end'],
    properties: {
      resource_id: { type: 'string', minLength: 1, description: 'Whose time it is.' },
      start: moment('From then on.'),
      end: moment('Until then.'),
      reason: { type: 'string', minLength: 1, maxLength: 500, description: 'Why, for the staff.' },
    },
  },
  output: { type: 'object', required: ['block'], properties: { block: blockShape } },
  summary: ({ block: { resource_id, start, end } }) => `${resource_id} is blocked from ${start} to ${end}.`,
  async handle({ input, db, caller, now, business }) {
    const { resource_id, reason = null } = input
    const definition = await business.get()
    if (!definition?.resources?.some(({ id }) => id === resource_id)) throw notFound('resource', resource_id)
    const [from, to] = [readMoment('start', input.start), readMoment('end', input.end)]
    if (to <= from) throw new Outcome('validation_error', 'It must end after it starts.', '$.end')
    const id = newId('blk')
    const block = { id, resource: resource_id, from, to, reason, actor: caller.principal }
    const row = await enterBlock(db, block, now)
    if (!row)
      throw await timeTaken(
        db,
        {
          ...{
            by: id,
            resources: [resource_id],
            range: [from, to],
            zone: definition.business.timezone,
            path: '$.start',
          },
          advice: 'Move or cancel what has it first, or wait for a hold to end.',
        },
        now,
      )
    return { block: toBlock(row, definition.business.timezone) }
  },
})
