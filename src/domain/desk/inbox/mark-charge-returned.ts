import { defineOperation } from '../../../protocol/define-operation.ts'
import type { MarkChargeReturned } from '../../../protocol/types.generated.ts'
import { returnByHand } from '../../ucp-checkouts/settle-charge.ts'
import { atDesk, notFound } from '../shared/operation-defaults.ts'
import { inboxCount } from './inbox-queries.ts'
import { inboxOutput, inboxSummary } from './read-inbox.ts'

export const markChargeReturned = defineOperation<MarkChargeReturned>({
  ...atDesk,
  id: 'markChargeReturned',
  rest: 'POST /business/inbox/unreturned_charges/{charge_id}/returned',
  tool: 'usp_business_inbox_mark_returned',
  title: 'Mark a charge as returned by hand',
  description:
    'Records that the business returned the money of a charge by hand. This call moves no money. The charge leaves ' +
    'the inbox.',
  role: 'manager',
  effect: 'update',
  input: {
    type: 'object',
    required: ['charge_id'],
    properties: { charge_id: { type: 'string', minLength: 1, description: 'The id of the charge.' } },
  },
  output: inboxOutput,
  summary: inboxSummary,
  async handle({ db, caller, now, input: { charge_id: id } }) {
    if (!(await returnByHand(db, { id, actor: caller.principal }, now))) throw notFound('charge to return by hand', id)
    return { inbox: await inboxCount(db, now) }
  },
})
