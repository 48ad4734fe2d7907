import { ASSISTED_VISITOR_PREFIX, VISITOR_PREFIX } from '../../protocol/caller-types.ts'
import type { BookingBuyer } from '../../protocol/types.generated.ts'

/**
 * The kind of consent with which a buyer agrees to text messages at the phone number of the booking. The protocol allows
 * such kinds of consent under a name with a prefix.
 */
export const TEXT_CONSENT = 'x-usp-text-messages'

/** Returns the phone number for text messages. Undefined if the buyer did not agree to text messages. */
export const textNumberOf = ({ phone_number, consent }: Pick<BookingBuyer, 'phone_number' | 'consent'>) =>
  consent?.[TEXT_CONSENT] === true ? phone_number : undefined

/**
 * Removes the consent to text messages unless the buyer gave it on a page of the business. A platform or an assistant
 * cannot give it for the buyer.
 */
export const withOwnConsentOnly = (buyer: BookingBuyer, principal: string): BookingBuyer =>
  buyer.consent?.[TEXT_CONSENT] === undefined || isOnPage(principal) ? buyer : withTextConsent(buyer, undefined)

const isOnPage = (principal: string): boolean =>
  [VISITOR_PREFIX, ASSISTED_VISITOR_PREFIX].some((beginning) => principal.startsWith(beginning))

/**
 * Keeps the earlier answer of the buyer about text messages, if the phone number stays the same. A caller can neither add
 * the consent nor move it to another number.
 */
export function withEarlierConsent(buyer: BookingBuyer, before: BookingBuyer): BookingBuyer {
  const agreed = buyer.phone_number === before.phone_number ? before.consent?.[TEXT_CONSENT] : undefined
  return buyer.consent?.[TEXT_CONSENT] === agreed ? buyer : withTextConsent(buyer, agreed)
}

/** Replaces the answer of the buyer about text messages. */
export function withTextConsent({ consent: sent, ...buyer }: BookingBuyer, agreed: boolean | undefined): BookingBuyer {
  const { [TEXT_CONSENT]: _, ...others } = sent ?? {}
  const consent = { ...others, ...(agreed !== undefined && { [TEXT_CONSENT]: agreed }) }
  return { ...buyer, ...(Object.keys(consent).length > 0 && { consent }) }
}
