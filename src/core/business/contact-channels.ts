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
 * Whether a URL is safe as a link. The URL must use http or https, because other schemes can run code. The URL must not
 * contain a user name, because people could mistake the user name for the site name.
 */
export function isSafeWebUrl(url: string | undefined): url is string {
  const read = url === undefined ? null : URL.parse(url)
  return read !== null && /^https?:$/.test(read.protocol) && read.username === '' && read.password === ''
}

/** Formats a phone number in the digit groups of its country, so people can read the number more easily. */
export const formattedPhone = (phone: string): string =>
  parsePhoneNumberFromString(phone)?.formatInternational() ?? phone

/**
 * Builds a `mailto:` link to exactly one email address. The encoding prevents a manipulated email address from adding
 * recipients or a message.
 */
export const mailLink = (email: string): string => `mailto:${encodeURIComponent(email).replace('%40', '@')}`

export const phoneLink = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`

/** Whether a search text looks like a phone number. If so, searches and commands look for this phone number. */
export const isPhoneNumber = (query: string): boolean => /^[\d\s()+./-]+$/.test(query) && /\d/.test(query)
