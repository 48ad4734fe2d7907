import { BusinessRefusal, isAboutInput, pathOf, reworded } from '../../protocol/errors.ts'
import { messageOf } from '../../protocol/response-envelope.ts'
import type { Message } from '../../protocol/types.generated.ts'

type Severity = NonNullable<Message['severity']>

export const errorMessage = (code: string, content: string, path?: string, severity: Severity = 'recoverable') => ({
  type: 'error' as const,
  code,
  content,
  severity,
  ...(path !== undefined && { path }),
})

/** The JSON paths of properties in a booking request, each with the path of the same property in a UCP checkout. */
const paths: Record<string, string> = {
  '$.slot_id': '$.booking.slot',
  '$.hold_id': '$.booking.hold_id',
  '$.party_size': '$.booking.party_size',
}

const HOLD_ENDED = 'The hold has ended. Update the checkout to hold the slot again.'

/**
 * The message that the hold (the reservation of the slot) has ended. The slot may still be free. The platform can then
 * hold it again with an update of the checkout.
 */
export const holdEnded = () => errorMessage('hold_expired', HOLD_ENDED, '$.booking.hold_id')

/**
 * Changes the JSON path in an error about invalid input. The path of the property in a booking request becomes its path
 * in a UCP checkout.
 */
export function withCheckoutPath(error: unknown): unknown {
  if (!isAboutInput(error)) return error
  const path = pathOf(error)
  return path === undefined ? error : reworded(error, error.message, checkoutPath(path))
}

/** Converts a refusal by a rule of the business to a message in a UCP checkout. The checkout itself does not change. */
export function messageAbout(refusal: BusinessRefusal): Message {
  if (refusal.code === 'hold_expired') return holdEnded()
  const message = messageOf(refusal)
  return message.path === undefined ? message : { ...message, path: checkoutPath(message.path) }
}

/**
 * Changes the refusal of a new UCP checkout. The error is `unrecoverable`, because no checkout exists that the platform
 * could correct. The platform must send a new request.
 */
export const withoutCheckout = ({ code, message, path, more }: BusinessRefusal): BusinessRefusal =>
  new BusinessRefusal(code, message, path && checkoutPath(path), { ...more, severity: 'unrecoverable' })

const checkoutPath = (path: string): string => paths[path] ?? path

/**
 * Creates an error for an answer without a UCP checkout. In the message, this UCP error code replaces the server's own
 * code.
 */
export const ucpRefusal = (code: string, content: string, path?: string): BusinessRefusal =>
  new BusinessRefusal('invalid_transition', content, path, { code })

export const checkoutNotFound = () => ucpRefusal('not_found', 'You have no such checkout.')
export const orderNotFound = () => ucpRefusal('not_found', 'You have no such order.')
