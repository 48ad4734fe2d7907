import { defineOperation } from '../../protocol/define-operation.ts'
import type { LeaveWaitlist } from '../../protocol/types.generated.ts'
import { entryInput, entryRevision, onEntry } from './entry-response.ts'
import { endEntry, lockEntry } from './read-and-lock-entry.ts'

export const leaveWaitlist = defineOperation<LeaveWaitlist>({
  ...onEntry,
  id: 'leaveWaitlist',
  rest: 'DELETE /waitlist/{entry_id}',
  tool: 'usp_waitlist_leave',
  title: 'Leave the waitlist',
  description:
    'Removes the buyer from the waitlist. An offered slot goes to the next entry. A booking already made from ' +
    'the entry stays.',
  effect: 'remove',
  input: entryInput,
  output: {
    type: 'object',
    required: ['entry'],
    properties: {
      entry: {
        type: 'object',
        required: ['id', 'status', 'revision'],
        properties: {
          id: { type: 'string' },
          status: { const: 'removed' },
          revision: { type: 'string', description: 'The current revision of the entry, opaque.' },
        },
      },
    },
  },
  summary: ({ entry: { id } }) => `Entry ${id} has left the waitlist.`,
  async handle(context) {
    const { input, db, caller, now, tag } = context
    const entry = await lockEntry(context, input.entry_id)
    const end = { step: 'leave', actor: caller.principal } as const
    const ended = entry.status === 'removed' ? entry : await endEntry(db, entry, end, now)
    return { entry: { id: ended.id, status: 'removed' as const, revision: entryRevision(tag, ended) } }
  },
})
