import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/** The maximum number of characters of a phone number with spaces and punctuation that the server parses. */
const MAX_CHARACTERS = 40

export interface PhoneNumber {
  /** The phone number in the format E.164, such as `+12125550171`. */
  number: string
  /** The ISO 3166-1 code of the country. Undefined for numbers of no country, such as those of satellite phones. */
  country: string | undefined
}

/**
 * Parses a phone number. A number without a country code belongs to the country `usual`. Returns undefined if no phone
 * can have the number.
 */
export function parsePhoneNumber(text: string, usual?: string): PhoneNumber | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const parsed = parsePhoneNumberFromString(text, usual !== undefined && isSupportedCountry(usual) ? usual : undefined)
  return parsed?.isPossible() ? { number: parsed.number, country: parsed.country } : undefined
}

/**
 * Returns a phone number in the format E.164 if it belongs to one of the countries. A number without a country code counts
 * as a number of the first country.
 */
export function numberInCountries(text: string, countries: readonly string[]): string | undefined {
  const { number, country } = parsePhoneNumber(text, countries[0]) ?? {}
  return country !== undefined && countries.includes(country) ? number : undefined
}
