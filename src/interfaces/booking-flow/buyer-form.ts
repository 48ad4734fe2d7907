import { type CountryCode, getCountries, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import { TEXT_CONSENT } from '../../domain/bookings/text-message-consent.ts'
import { localeOf } from '../../infra/util/cached-intl-formatters.ts'
import { isEmail } from '../../infra/util/email-address.ts'
import { oneLine, plainText } from '../../infra/util/plain-text.ts'
import type {
  BookingBuyer,
  BusinessDefinition,
  DeliveryAddress,
  ServiceDefinition,
} from '../../protocol/types.generated.ts'
import { truncated } from '../pages/read-form-and-query.ts'

export const FIELDS = {
  first_name: 100,
  last_name: 100,
  email: 254,
  phone: 40,
  texts: 2,
  line1: 200,
  line2: 200,
  city: 100,
  region: 100,
  postal_code: 20,
  country: 2,
  notes: 2000,
} as const

export type Field = keyof typeof FIELDS

/** A field of the buyer's form that the server checks. The other fields, such as the notes, can contain any text. */
export type CheckedField = Exclude<Field, 'texts' | 'line2' | 'region' | 'notes'>

export interface BuyerForm {
  values: Readonly<Record<Field, string>>
  faults: ReadonlyMap<CheckedField, 'missing' | 'email' | 'phone' | 'outside'>
}

/** The values of the form with the buyer's details, and a note that the page shows above the form. */
export interface ShownForm {
  buyerForm: BuyerForm
  note?: string
}

export const blank = (country: string): BuyerForm => ({ values: { ...empty, country }, faults: new Map() })

const empty: Record<Field, string> = {
  first_name: '',
  last_name: '',
  email: '',
  phone: '',
  texts: '',
  line1: '',
  line2: '',
  city: '',
  region: '',
  postal_code: '',
  country: '',
  notes: '',
}

export const needsPhone = ({ channel }: Pick<ServiceDefinition, 'channel'>): boolean =>
  channel.type === 'phone' || channel.type === 'at_buyer_location'

export const needsAddress = ({ channel }: Pick<ServiceDefinition, 'channel'>): boolean =>
  channel.type === 'at_buyer_location'

/**
 * Marks the address field that the server refused. `path` names the field, for example
 * `$.delivery_address.postal_code`. If the form has no such field, marks the first address line.
 */
export function withRefusedAddress({ values }: BuyerForm, path: string): BuyerForm {
  const field = ADDRESS_FIELDS.find((name) => path === `$.delivery_address.${name}`)
  return { values, faults: new Map([field ? ([field, 'missing'] as const) : (['line1', 'outside'] as const)]) }
}

const ADDRESS_FIELDS = ['postal_code', 'country'] as const

/**
 * Reads the submitted form with the buyer's details, and finds its invalid fields. `country` is the default country for
 * addresses, and for phone numbers without a country code.
 */
export function readBuyerForm(
  form: URLSearchParams,
  service: Pick<ServiceDefinition, 'channel'>,
  country: string,
): BuyerForm {
  const values = { ...empty }
  for (const [name, most] of Object.entries(FIELDS))
    values[name as Field] = truncated(most, visible(name, form.get(name) ?? ''))
  values.country ||= country
  const required: CheckedField[] = [
    ...(['first_name', 'last_name', 'email'] as const),
    ...(needsPhone(service) || values.texts !== '' ? (['phone'] as const) : []),
    ...(needsAddress(service) ? (['line1', 'city', 'country'] as const) : []),
  ]
  const faults = new Map<CheckedField, 'missing' | 'email' | 'phone'>()
  for (const field of required) if (values[field] === '') faults.set(field, 'missing')
  if (values.email !== '' && !isEmail(values.email)) faults.set('email', 'email')
  if (values.phone !== '' && phoneOf(values) === undefined) faults.set('phone', 'phone')
  if (needsAddress(service) && !isSupportedCountry(values.country)) faults.set('country', 'missing')
  return { values, faults }
}

/**
 * Removes invisible characters from the text of a form field. Therefore a name of only invisible characters counts as
 * missing.
 */
const visible = (name: string, text: string) => (name === 'notes' ? plainText(text).trim() : oneLine(text))

function phoneOf({ phone, country }: BuyerForm['values']): string | undefined {
  const parsed = parsePhoneNumberFromString(phone, isSupportedCountry(country) ? country : undefined)
  return parsed?.isPossible() ? parsed.number : undefined
}

export function buyerOf({ values }: BuyerForm): BookingBuyer {
  const { first_name, last_name, email } = values
  const phone_number = phoneOf(values)
  const buyer = { first_name, last_name, email }
  if (phone_number === undefined) return buyer
  return { ...buyer, phone_number, ...(values.texts !== '' && { consent: { [TEXT_CONSENT]: true } }) }
}

export function addressOf({ values }: BuyerForm): DeliveryAddress {
  const { line1, line2, city, region, postal_code, country } = values
  return {
    line1,
    city,
    country,
    ...(line2 && { line2 }),
    ...(region && { region }),
    ...(postal_code && { postal_code }),
  }
}

/**
 * Returns the default country for phone numbers and addresses. This is the country of the business (from its phone
 * number or service area), or else the country in the visitor's locale.
 */
export function countryOf({ website, services }: BusinessDefinition, locale: string): string {
  const ofPhone = parsePhoneNumberFromString(website?.contact?.phone ?? '')?.country
  const ofArea = services.flatMap(({ service_limits }) => service_limits?.postal_codes?.country ?? [])[0]
  return ofPhone ?? ofArea ?? localeOf(locale).maximize().region ?? ''
}

export const countries = (): CountryCode[] => getCountries()
