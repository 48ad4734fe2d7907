import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { mailLink } from '../../infra/util/contact-links.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** How the business is reached: as people read it, and where it leads. */
export type WayToReach =
  | { by: 'phone' | 'email' | 'website'; text: string; href: string }
  | { by: 'address'; text: string; href?: undefined }

/** Every way there is; none where the business does not say. */
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

/** What may become a link: any other scheme may run something where it is pressed, and before an `@` stands no site, as it seems. */
export function isWeb(url: string | undefined): url is string {
  const read = url === undefined ? null : URL.parse(url)
  return read !== null && /^https?:$/.test(read.protocol) && read.username === '' && read.password === ''
}

/** In the groups of its country, as it is easier to read. */
export const grouped = (phone: string): string => parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
