import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export type ContactChannel =
  | { by: 'phone' | 'email' | 'website'; text: string; href: string }
  | { by: 'address'; text: string; href?: undefined }

export function contactChannelsOf({ business, website }: BusinessDefinition): ContactChannel[] {
  const { phone, email, address } = website?.contact ?? {}
  const { url } = business
  return [
    ...(phone === undefined ? [] : [{ by: 'phone' as const, text: formattedPhone(phone), href: `tel:${phone}` }]),
    ...(email === undefined ? [] : [{ by: 'email' as const, text: email, href: mailLink(email) }]),
    ...(address === undefined ? [] : [{ by: 'address' as const, text: address }]),
    ...(isSafeWebUrl(url) ? [{ by: 'website' as const, text: url, href: url }] : []),
  ]
}

/**
 * Whether a URL is safe as a link. Other schemes may run code when pressed, and a reader may take the text before an `@`
 * for the site.
 */
export function isSafeWebUrl(url: string | undefined): url is string {
  const read = url === undefined ? null : URL.parse(url)
  return read !== null && /^https?:$/.test(read.protocol) && read.username === '' && read.password === ''
}

/** The number in the groups of its country, which is easier to read. */
export const formattedPhone = (phone: string): string =>
  parsePhoneNumberFromString(phone)?.formatInternational() ?? phone

/** A mail link to exactly this address. The encoding stops a text from adding recipients or a message. */
export const mailLink = (email: string): string => `mailto:${encodeURIComponent(email).replace('%40', '@')}`

export const phoneLink = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`

/** Whether the query is a telephone number in any notation. */
export const isPhoneNumber = (query: string): boolean => /^[\d\s()+./-]+$/.test(query) && /\d/.test(query)
