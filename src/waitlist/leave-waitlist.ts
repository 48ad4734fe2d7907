import { defineOperation } from '../protocol/operation.ts'
import type { LeaveWaitlist } from '../protocol/types.generated.ts'
import { endEntry, lockEntry } from './change-entry.ts'
import { entryInput, onEntry } from './operation-parts.ts'

export const leaveWaitlist = defineOperation<LeaveWaitlist>({
  ...onEntry,
  id: 'leaveWaitlist',
  rest: 'DELETE /waitlist/{entry_id}',
  tool: 'usp_waitlist_leave',
  title: 'Leave the waitlist',
  description: 'Takes the buyer out of the queue; what was offered goes to the next. A booking made of it stays.',
  effect: 'remove',
  input: entryInput,
  output: {
    type: 'object',
    required: ['entry'],
    properties: {
      entry: {
        type: 'object',
        required: ['id', 'status'],
        properties: { id: { type: 'string' }, status: { const: 'removed' } },
      },
    },
  },
  summary: ({ entry: { id } }) => `Entry ${id} has left the waitlist.`,
  async handle(context) {
    const { input, db, caller, now } = context
    const entry = await lockEntry(context, input.entry_id)
    if (entry.status !== 'removed') await endEntry(db, entry, { step: 'leave', actor: caller.principal }, now)
    return { entry: { id: entry.id, status: 'removed' as const } }
  },
})
