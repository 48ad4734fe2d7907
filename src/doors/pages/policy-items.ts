import { type Content, html } from '../../basics/html.ts'
import { isWeb } from '../../business/ways-to-reach.ts'
import type { Message } from '../../languages/catalogue.ts'
import type { Speech } from '../../languages/speech.ts'

/** What is called by a name that everybody knows; all else is called as the business calls it. */
const NAMES: ReadonlyMap<string, Message> = new Map([
  ['cancellation_policy', 'booking.link.cancellation_policy'],
  ['rescheduling_policy', 'booking.link.rescheduling_policy'],
  ['terms_of_service', 'booking.link.terms_of_service'],
  ['privacy_policy', 'booking.link.privacy_policy'],
  ['faq', 'booking.link.faq'],
])

interface Link {
  type: string
  url: string
  title?: string
}

/** Pages that the business wrote, each an item of a list. */
export const policyItems = (links: readonly Link[], { say }: Speech): Content[] =>
  links
    .filter(({ url }) => isWeb(url))
    .map(({ type, url, title }) => {
      const name = NAMES.get(type)
      return html`<li><a href="${url}" rel="noreferrer">${title ?? (name ? say(name) : type.replaceAll('_', ' '))}</a></li>`
    })
