import type { Message } from '../../languages/catalogue.ts'
import { isWeb } from '../pages/contact.ts'
import { type Content, html } from '../pages/html.ts'
import type { PageContext } from './page-context.ts'

/** What is called by a name that everybody knows; all else is called as the business calls it. */
const NAMES: ReadonlyMap<string, Message> = new Map([
  ['cancellation_policy', 'booking.link.cancellation_policy'],
  ['rescheduling_policy', 'booking.link.rescheduling_policy'],
  ['terms_of_service', 'booking.link.terms_of_service'],
  ['privacy_policy', 'booking.link.privacy_policy'],
  ['faq', 'booking.link.faq'],
])

/** What the business wrote about this service and about itself. */
export function policyLinks({ booking, definition, speech: { say } }: PageContext): Content {
  const service = definition.services.find(({ id }) => id === booking.service_id)
  const links = [...(service?.links ?? []), ...(definition.business.links ?? [])].filter(({ url }) => isWeb(url))
  if (links.length === 0) return undefined
  return html`<h2>${say('booking.links')}</h2>
<ul class="reach">${links.map(({ type, url, title }) => {
    const name = NAMES.get(type)
    return html`<li><a href="${url}" rel="noreferrer">${title ?? (name ? say(name) : type.replaceAll('_', ' '))}</a></li>`
  })}</ul>`
}
