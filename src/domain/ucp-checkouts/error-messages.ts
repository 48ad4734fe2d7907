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

/** For each JSON path in a booking request: the path of the same member in a UCP checkout. */
const paths: Record<string, string> = {
  '$.slot_id': '$.booking.slot',
  '$.hold_id': '$.booking.hold_id',
  '$.party_size': '$.booking.party_size',
}

const HOLD_ENDED = 'The hold has ended. Update the checkout to hold the slot again.'

/**
 * Says that the hold (the reservation of the slot) has ended. The slot may still be free, so the platform can hold it
 * again in the same checkout.
 */
export const holdEnded = () => errorMessage('hold_expired', HOLD_ENDED, '$.booking.hold_id')

/**
 * Changes the JSON path in an error about invalid input. The old path points into a booking request, and the new path
 * into the UCP checkout.
 */
export function withCheckoutPath(error: unknown): unknown {
  if (!isAboutInput(error)) return error
  const path = pathOf(error)
  return path === undefined ? error : reworded(error, error.message, checkoutPath(path))
}

/**
 * Converts a refusal by the rules of the business to a message in a UCP checkout. The checkout itself does not change.
 */
export function messageAbout(refusal: BusinessRefusal): Message {
  if (refusal.code === 'hold_expired') return holdEnded()
  const message = messageOf(refusal)
  return message.path === undefined ? message : { ...message, path: checkoutPath(message.path) }
}

/**
 * Changes the error for a refused new UCP checkout. No checkout exists that the platform could correct, so the platform
 * must send another request.
 */
export const withoutCheckout = ({ code, message, path, more }: BusinessRefusal): BusinessRefusal =>
  new BusinessRefusal(code, message, path && checkoutPath(path), { ...more, severity: 'unrecoverable' })

const checkoutPath = (path: string): string => paths[path] ?? path

/**
 * Creates an error for an answer without a UCP checkout. The error code is a UCP code, which replaces the server's own
 * code in the message.
 */
export const ucpRefusal = (code: string, content: string, path?: string): BusinessRefusal =>
  new BusinessRefusal('invalid_transition', content, path, { code })

export const checkoutNotFound = () => ucpRefusal('not_found', 'You have no such checkout.')
export const orderNotFound = () => ucpRefusal('not_found', 'You have no such order.')
