import { readMoment } from '../../availability/query-range.ts'
import { newId } from '../../basics/new-id.ts'
import { changeInsert } from '../../journal/journal.ts'
import { claimTake } from '../../ledger/claims.ts'
import { Outcome } from '../../protocol/errors.ts'
import { defineOperation } from '../../protocol/operation.ts'
import type { BlockTime } from '../../protocol/types.generated.ts'
import { atDesk, moment, notFound } from '../shared/operation-parts.ts'
import { blockShape, toBlock } from './block-parts.ts'
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
    if (!(await claimTake(db, { resources: [resource_id], time: { from, to }, holder: { kind: 'block', id } }, now)))
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
    const time = { starts_at: new Date(from), ends_at: new Date(to) }
    const row = { id, resource_id, ...time, reason, created_by: caller.principal, created_at: now }
    await db.insertInto('blocks').values(row).execute()
    const by = { actor: caller.principal, action: 'block', subject: `block ${id}`, detail: { resource_id, ...time } }
    changeInsert(db, { ...by, from: null, to: 'blocked' }, now)
    return { block: toBlock(row, definition.business.timezone) }
  },
})
