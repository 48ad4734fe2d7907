import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { mailLink } from '../../infra/util/contact-links.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export type WayToReach =
  | { by: 'phone' | 'email' | 'website'; text: string; href: string }
  | { by: 'address'; text: string; href?: undefined }

export function waysToReach({ business, website }: BusinessDefinition): WayToReach[] {
  const { phone, email, address } = website?.contact ?? {}
  const { url } = business
  return [
    ...(phone === undefined ? [] : [{ by: 'phone' as const, text: grouped(phone), href: `tel:${phone}` }]),
    ...(email === undefined ? [] : [{ by: 'email' as const, text: email, href: mailLink(email) }]),
    ...(address === undefined ? [] : [{ by: 'address' as const, text: address }]),
    ...(isWeb(url) ? [{ by: 'website' as const, text: url, href: url }] : []),
  ]
}

/**
 * Whether a URL is safe as a link. Other schemes may run code when pressed, and a reader may take the text before an `@`
 * for the site.
 */
export function isWeb(url: string | undefined): url is string {
  const read = url === undefined ? null : URL.parse(url)
  return read !== null && /^https?:$/.test(read.protocol) && read.username === '' && read.password === ''
}

/** The number in the groups of its country, which is easier to read. */
export const grouped = (phone: string): string => parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
