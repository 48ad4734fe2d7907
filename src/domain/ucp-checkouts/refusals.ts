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

/** Maps the path of a member in a booking request to its path in a checkout. */
const paths: Record<string, string> = {
  '$.slot_id': '$.booking.slot',
  '$.hold_id': '$.booking.hold_id',
  '$.party_size': '$.booking.party_size',
}

/** Converts a refusal to a message of the checkout. The checkout itself stays unchanged. */
export function messageAbout(refusal: BusinessRefusal): Message {
  const message = messageOf(refusal)
  return message.path === undefined ? message : { ...message, path: paths[message.path] ?? message.path }
}

/** A refusal without a checkout. Its code belongs to UCP, so the message contains the code itself. */
export const ucpRefusal = (code: string, content: string, path?: string): BusinessRefusal =>
  new BusinessRefusal('invalid_transition', content, path, { code })

export const checkoutNotFound = () => ucpRefusal('not_found', 'You have no such checkout.')
export const orderNotFound = () => ucpRefusal('not_found', 'You have no such order.')
