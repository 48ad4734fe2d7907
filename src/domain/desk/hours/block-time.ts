import { newId } from '../../../infra/util/random-bytes.ts'
import { type ChangeContext, defineOperation } from '../../../protocol/define-operation.ts'
import { invalidInput } from '../../../protocol/errors.ts'
import type { BlockTime } from '../../../protocol/types.generated.ts'
import { readMoment } from '../../availability/read-query-range.ts'
import { dryRun } from '../shared/dry-run.ts'
import { atDesk, moment, notFound } from '../shared/operation-defaults.ts'
import { insertBlock } from './block-queries.ts'
import { blockShape, toBlock } from './block-schema.ts'
import { claimedTimeRefusal } from './refuse-claimed-time.ts'

export const blockTime = defineOperation<BlockTime & { prepared: Answer | undefined }>({
  ...atDesk,
  id: 'blockTime',
  rest: 'POST /business/blocks',
  tool: 'usp_business_blocks_create',
  title: 'Block time',
  description: 'Blocks a person, a room or a thing for a time, in which it cannot be booked.',
  effect: 'create',
  mayMiss: true,
  input: {
    type: 'object',
    required: ['resource_id', 'start', 'end'],
    properties: {
      resource_id: { type: 'string', minLength: 1, description: 'The resource to block.' },
      start: moment('Start of the block.'),
      end: moment('End of the block.'),
      reason: { type: 'string', minLength: 1, maxLength: 500, description: 'The reason, for the staff.' },
      dry_run: {
        type: 'boolean',
        default: false,
        description: 'Whether this is a dry run, which only reports what would happen.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['block'],
    properties: {
      block: blockShape,
      is_rehearsal: {
        type: 'boolean',
        const: true,
        description: 'This was a dry run: nothing was blocked.',
      },
    },
  },
  summary: ({ block: { resource_id, start, end }, is_rehearsal }) =>
    `${resource_id} ${is_rehearsal ? 'would be' : 'is'} blocked from ${start} to ${end}.`,
  prepare: async ({ makeChange, ...context }) =>
    context.input.dry_run
      ? { ...(await dryRun(makeChange, (db) => blocked({ ...context, db }))), is_rehearsal: true }
      : undefined,
  handle: async (context, rehearsal) => rehearsal ?? blocked(context),
})

type Answer = BlockTime['output']

async function blocked({
  input,
  db,
  caller,
  now,
  business,
}: Pick<ChangeContext<BlockTime['input']>, 'input' | 'db' | 'caller' | 'now' | 'business'>): Promise<Answer> {
  const { resource_id, reason = null } = input
  const definition = await business.get()
  if (!definition?.resources?.some(({ id }) => id === resource_id)) throw notFound('resource', resource_id)
  const [from, to] = [readMoment('start', input.start), readMoment('end', input.end)]
  if (to <= from) throw invalidInput('It must end after it starts.', '$.end')
  const id = newId('blk')
  const { timezone: zone } = definition.business
  const row = await insertBlock(db, { id, resource: resource_id, from, to, reason, actor: caller.principal }, now)
  if (row) return { block: toBlock(row, zone) }
  const wanted = { holderId: id, resources: [resource_id], range: [from, to], zone, path: '$.start' } as const
  throw await claimedTimeRefusal(
    db,
    { ...wanted, advice: 'Move or cancel the bookings first, or wait for a hold to end.' },
    now,
  )
}
