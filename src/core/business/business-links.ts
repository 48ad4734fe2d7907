import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition, LinkDefinition } from '../../protocol/types.generated.ts'
import { isSafeWebUrl } from './contact-channels.ts'

/**
 * The display names for common types of links of the business, such as the imprint. A link of another type shows its
 * title. If the title is missing, the link shows its type.
 */
const NAMES: ReadonlyMap<string, Message> = new Map([
  ['imprint', 'booking.link.imprint'],
  ['terms_of_service', 'booking.link.terms_of_service'],
  ['privacy_policy', 'booking.link.privacy_policy'],
  ['cancellation_policy', 'booking.link.cancellation_policy'],
  ['rescheduling_policy', 'booking.link.rescheduling_policy'],
  ['faq', 'booking.link.faq'],
])

/** The types of links that the law requires from a business, such as the imprint. */
const LEGAL: readonly string[] = ['imprint', 'terms_of_service', 'privacy_policy']

export const isLegal = ({ type }: LinkDefinition): boolean => LEGAL.includes(type)

export interface ReadableLink {
  text: string
  url: string
}

export const readableLinks = (links: readonly LinkDefinition[], { say }: Localizer): ReadableLink[] =>
  links
    .filter(({ url }) => isSafeWebUrl(url))
    .map(({ type, url, title }) => {
      const name = NAMES.get(type)
      return { text: title ?? (name ? say(name) : type.replaceAll('_', ' ')), url }
    })

/**
 * Returns the links that the law requires from the business, such as the imprint. Each page and each mail shows these
 * links at its end.
 */
export const legalLinks = ({ business: { links = [] } }: BusinessDefinition, localizer: Localizer): ReadableLink[] =>
  readableLinks(links.filter(isLegal), localizer)
