import { isDepositRefundable } from '../../domain/pricing/booking-price.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { canonical } from '../../protocol/json.ts'
import type { Held } from './find-hold-or-booking.ts'

const TAG_BYTES = 12

/**
 * A tag of the cancellation and payment terms on the page. The form sends it back. The price is not included: the hold
 * stores it.
 */
export const termsTag = ({ plan: { service }, hold }: Held, { tag }: Dependencies<'tag'>): string =>
  tag('terms of a page', canonical([service.policies, isDepositRefundable(service, hold.price)]), TAG_BYTES)

/**
 * Whether the terms changed after the page was rendered. A form without the tag counts as unchanged: our pages always
 * send one.
 */
export function haveTermsChanged(form: URLSearchParams, held: Held, dependencies: Dependencies<'tag'>): boolean {
  const shown = form.get('terms')
  return shown !== null && shown !== termsTag(held, dependencies)
}
