import { defineOperation } from '../../../protocol/define-operation.ts'
import type { DismissGivenUp } from '../../../protocol/types.generated.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { inboxCount } from './inbox-queries.ts'
import { inboxOutput, inboxSummary } from './read-inbox.ts'
import { messageInput, takeOutOfInbox } from './remove-inbox-message.ts'

export const dismissGivenUp = defineOperation<DismissGivenUp>({
  ...atDesk,
  id: 'dismissGivenUp',
  rest: 'POST /business/inbox/{told_id}/dismiss',
  tool: 'usp_business_inbox_dismiss',
  title: 'Dismiss an undelivered message',
  description:
    'Removes a mail or an event that was given up from the inbox, because it need not be sent again. It stays ' +
    'in the list of notifications of its booking.',
  effect: 'update',
  input: messageInput,
  output: inboxOutput,
  summary: inboxSummary,
  async handle(context) {
    const { db, now } = context
    await takeOutOfInbox(context, 'dismiss')
    return { inbox: await inboxCount(db, now) }
  },
})
