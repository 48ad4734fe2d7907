import { isDepositRefundable } from '../../domain/pricing/booking-price.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { canonical } from '../../protocol/parse-json-safely.ts'
import type { Held } from './find-hold-or-booking.ts'

const TAG_BYTES = 12

/**
 * Computes a short code (a tag) from the cancellation and payment terms on the page. The form sends the tag back, so
 * the server notices changed terms. The tag does not cover the price, because the hold (the reserved slot) fixes the
 * price.
 */
export const termsTag = ({ plan: { service }, hold }: Held, { tag }: Dependencies<'tag'>): string =>
  tag('terms of a page', canonical([service.policies, isDepositRefundable(service, hold.price)]), TAG_BYTES)

/**
 * Whether the cancellation and payment terms have changed since the server rendered the form. The form contains a tag
 * (a short code) of the shown terms. A form without a tag counts as unchanged.
 */
export function haveTermsChanged(form: URLSearchParams, held: Held, dependencies: Dependencies<'tag'>): boolean {
  const shown = form.get('terms')
  return shown !== null && shown !== termsTag(held, dependencies)
}
