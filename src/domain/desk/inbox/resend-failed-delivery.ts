import { deliveriesReplay } from '../../../core/events/deliveries/delivery-queries.ts'
import { mailReplay } from '../../../core/mails/queries.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { SendGivenUpAgain } from '../../../protocol/types.generated.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { inboxCount } from './inbox-queries.ts'
import { inboxOutput, inboxSummary } from './read-inbox.ts'
import { messageInput, takeOutOfInbox } from './remove-inbox-message.ts'

export const sendAgain = defineOperation<SendGivenUpAgain>({
  ...atDesk,
  id: 'sendGivenUpAgain',
  rest: 'POST /business/inbox/{told_id}/send_again',
  tool: 'usp_business_inbox_send_again',
  title: 'Send an undelivered message again',
  description:
    'Starts the attempts for a mail or an event that was given up again, unchanged and to the same receiver. ' +
    'If it is given up again, it returns to the inbox.',
  effect: 'update',
  input: messageInput,
  output: inboxOutput,
  summary: inboxSummary,
  async handle(context) {
    const { db, now, input } = context
    await takeOutOfInbox(context, 'tell_again')
    const isMail = await mailReplay(db, input.told_id, now)
    if (!isMail) await deliveriesReplay(db, [input.told_id], now)
    return { inbox: await inboxCount(db, now) }
  },
})
