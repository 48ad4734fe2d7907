import { messageOf } from '../../protocol/envelope.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import type { Message } from '../../protocol/types.generated.ts'

type Severity = NonNullable<Message['severity']>

export const errorMessage = (code: string, content: string, path?: string, severity: Severity = 'recoverable') => ({
  type: 'error' as const,
  code,
  content,
  severity,
  ...(path !== undefined && { path }),
})

/** Where a checkout has the members of a booking request. */
const paths: Record<string, string> = {
  '$.slot_id': '$.booking.slot',
  '$.hold_id': '$.booking.hold_id',
  '$.party_size': '$.booking.party_size',
}

/** The refusal as a message of a checkout that stays as it is. */
export function messageAbout(refusal: BusinessRefusal): Message {
  const message = messageOf(refusal)
  return message.path === undefined ? message : { ...message, path: paths[message.path] ?? message.path }
}

/** A refusal without a checkout. Its code is one of UCP, so the message states the code itself. */
export const ucpRefusal = (code: string, content: string, path?: string): BusinessRefusal =>
  new BusinessRefusal('invalid_transition', content, path, { code })

export const checkoutNotFound = () => ucpRefusal('not_found', 'You have no such checkout.')
export const orderNotFound = () => ucpRefusal('not_found', 'You have no such order.')
