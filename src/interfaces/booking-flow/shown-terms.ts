import { isDepositRefundable } from '../../domain/bookings/price.ts'
import { canonical } from '../../protocol/canonical.ts'
import type { Means } from '../../protocol/means.ts'
import type { Held } from './held.ts'

const TAG_BYTES = 12

/** What the page said of canceling and of when to pay, sent back with the form. What it costs is kept with the time. */
export const sealOfTerms = ({ plan: { service }, hold }: Held, { tag }: Means<'tag'>): string =>
  tag('terms of a page', canonical([service.policies, isDepositRefundable(service, hold.price)]), TAG_BYTES)

/** Whether others hold by now: the page may have been shown long ago. A form that says nothing of them is no page's. */
export function areOtherTerms(form: URLSearchParams, held: Held, means: Means<'tag'>): boolean {
  const shown = form.get('terms')
  return shown !== null && shown !== sealOfTerms(held, means)
}
