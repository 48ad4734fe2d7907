import type { Message } from '../../infra/i18n/catalogue.ts'
import type { Speech } from '../../infra/i18n/speech.ts'
import type { BusinessDefinition, LinkDefinition } from '../../protocol/types.generated.ts'
import { isWeb } from './ways-to-reach.ts'

/** What is called by a name that everybody knows; all else is called as the business calls it. */
const NAMES: ReadonlyMap<string, Message> = new Map([
  ['imprint', 'booking.link.imprint'],
  ['terms_of_service', 'booking.link.terms_of_service'],
  ['privacy_policy', 'booking.link.privacy_policy'],
  ['cancellation_policy', 'booking.link.cancellation_policy'],
  ['rescheduling_policy', 'booking.link.rescheduling_policy'],
  ['faq', 'booking.link.faq'],
])

/** What the law wants to be found from everywhere. */
const LEGAL: readonly string[] = ['imprint', 'terms_of_service', 'privacy_policy']

export const isLegal = ({ type }: LinkDefinition): boolean => LEGAL.includes(type)

/** A page of the business, as it is read. */
export interface ReadableLink {
  text: string
  url: string
}

export const readableLinks = (links: readonly LinkDefinition[], { say }: Speech): ReadableLink[] =>
  links
    .filter(({ url }) => isWeb(url))
    .map(({ type, url, title }) => {
      const name = NAMES.get(type)
      return { text: title ?? (name ? say(name) : type.replaceAll('_', ' ')), url }
    })

/** What stands below every page and mail. */
export const legalLinks = ({ business: { links = [] } }: BusinessDefinition, speech: Speech): ReadableLink[] =>
  readableLinks(links.filter(isLegal), speech)
