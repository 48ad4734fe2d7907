import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { PostPaymentReturnRequest } from '../../protocol/types.generated.ts'

/**
 * Returns the URL that leads the buyer back to the platform. The additional parameters follow the existing query of the
 * URL.
 */
export function returnAddress({ url, params = {} }: PostPaymentReturnRequest): string {
  const address = new URL(url)
  const added = Object.entries(params).map((pair) =>
    pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='),
  )
  if (added.length > 0) address.search = [...(address.search ? [address.search.slice(1)] : []), ...added].join('&')
  return address.href
}

/**
 * A link back to the platform that made the booking. The text names the platform's site. If the page is in a frame, the
 * link opens in the whole window.
 */
export function platformLink({ record: { return_request } }: BookingRow, { say }: Localizer): Content {
  if (!return_request) return undefined
  const address = returnAddress(return_request)
  return html`<p><a class="button" href="${address}" rel="noreferrer" target="_top">${say('booking.back_to', { site: new URL(address).host })}</a></p>`
}
