import { Temporal } from 'temporal-polyfill'
import { collator, displayNames, localeOf } from '../../../infra/util/cached-intl-formatters.ts'
import { asRecord } from '../../../infra/util/object-members.ts'

/**
 * The currencies that the server suggests, by country. For all other countries, the server suggests US dollars. The
 * user can choose another currency.
 */
const CURRENCIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ').map((country) => [country, 'EUR']),
  ),
  US: 'USD',
  CA: 'CAD',
  MX: 'MXN',
  BR: 'BRL',
  AR: 'ARS',
  CL: 'CLP',
  CO: 'COP',
  PE: 'PEN',
  GB: 'GBP',
  CH: 'CHF',
  PL: 'PLN',
  CZ: 'CZK',
  HU: 'HUF',
  RO: 'RON',
  BG: 'BGN',
  DK: 'DKK',
  SE: 'SEK',
  NO: 'NOK',
  IS: 'ISK',
  UA: 'UAH',
  TR: 'TRY',
  RS: 'RSD',
  IL: 'ILS',
  EG: 'EGP',
  MA: 'MAD',
  TN: 'TND',
  ZA: 'ZAR',
  NG: 'NGN',
  KE: 'KES',
  SA: 'SAR',
  AE: 'AED',
  QA: 'QAR',
  KW: 'KWD',
  BH: 'BHD',
  OM: 'OMR',
  JO: 'JOD',
  LB: 'LBP',
  IN: 'INR',
  JP: 'JPY',
  KR: 'KRW',
  CN: 'CNY',
  TW: 'TWD',
  HK: 'HKD',
  SG: 'SGD',
  MY: 'MYR',
  TH: 'THB',
  ID: 'IDR',
  PH: 'PHP',
  VN: 'VND',
  AU: 'AUD',
  NZ: 'NZD',
}

/**
 * Returns the time zones of a country. Older JavaScript engines have the property `timeZones`, and newer engines have
 * the method `getTimeZones()`.
 */
function zonesOf(country: string): readonly unknown[] {
  const place = localeOf(`und-${country}`)
  const { getTimeZones, timeZones } = asRecord(place)
  const zones: unknown = typeof getTimeZones === 'function' ? getTimeZones.call(place) : timeZones
  return Array.isArray(zones) ? zones : []
}

export interface GuessedDefaults {
  zone: string
  currency: string
  /** The country that the server assumes for phone numbers without a country code. */
  country: string
}

/**
 * Guesses the country, time zone and currency of a new business. The time zone determines the country. By default, this
 * is the time zone of the server, because the user is usually in the same time zone.
 */
export function guessZoneAndCurrency(locale: string, zone = Temporal.Now.timeZoneId()): GuessedDefaults {
  const ofZone = Object.keys(CURRENCIES).find((country) => zonesOf(country).includes(zone))
  const country = ofZone ?? localeOf(locale).maximize().region ?? ''
  return { zone, country, currency: CURRENCIES[country] ?? 'USD' }
}

export const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** Returns the currency codes with their names in the given language, sorted by name. */
export function currencies(locale: string): [code: string, name: string][] {
  const names = displayNames(locale, { type: 'currency' })
  const { compare } = collator(locale, {})
  return Intl.supportedValuesOf('currency')
    .map((code): [string, string] => [code, `${names.of(code) ?? code} (${code})`])
    .toSorted(([, one], [, other]) => compare(one, other))
}
