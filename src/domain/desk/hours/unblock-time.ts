import { zoneOf } from '../../../core/business/definition-facts.ts'
import { claimEnd } from '../../../core/ledger/resource-claims.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { UnblockTime } from '../../../protocol/types.generated.ts'
import { atDesk, notFound } from '../shared/operation-defaults.ts'
import { blockShape, toBlock } from './block-schema.ts'

export const unblockTime = defineOperation<UnblockTime>({
  ...atDesk,
  id: 'unblockTime',
  rest: 'DELETE /business/blocks/{block_id}',
  tool: 'usp_business_blocks_remove',
  title: 'Unblock time',
  description: 'Removes a block: its time can be booked again.',
  effect: 'remove',
  input: {
    type: 'object',
    required: ['block_id'],
    properties: { block_id: { type: 'string', minLength: 1, description: 'Id of the block.' } },
  },
  output: { type: 'object', required: ['block'], properties: { block: blockShape } },
  summary: ({ block: { resource_id, start, end } }) => `${resource_id} is free again from ${start} to ${end}.`,
  async handle({ input: { block_id: id }, db, caller, now, business }) {
    const row = await db.deleteFrom('blocks').where('id', '=', id).returningAll().executeTakeFirst()
    if (!row) throw notFound('block', id)
    await claimEnd(db, { kind: 'block', id })
    const { resource_id, starts_at, ends_at } = row
    const detail = { resource_id, starts_at, ends_at }
    const by = { actor: caller.principal, action: 'unblock', subject: `block ${id}`, detail }
    insertAuditEntry(db, { ...by, from: 'blocked', to: null }, now)
    return { block: toBlock(row, await zoneOf({ business })) }
  },
})
