import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import { parseAmount } from '../../../infra/i18n/format-amounts.ts'
import { isLanguage } from '../../../infra/i18n/languages.ts'
import type { OpeningWindow } from '../../../protocol/types.generated.ts'
import { truncated } from '../../pages/read-form-and-query.ts'
import { DAYS } from './field-labels.ts'
import { type Answers, CHANNELS } from './first-definition.ts'
import { guessZoneAndCurrency } from './guess-zone-and-currency.ts'

export type Field = 'name' | 'phone' | 'email' | 'address' | 'service' | 'minutes' | 'price' | 'people'

const LONGEST = 300
const MOST_PEOPLE = 50

/**
 * Reads the setup form for a new business. Returns the answers, and the names of the fields with an invalid value. The
 * validation of the business definition checks all other rules later.
 */
export function readSetupAnswers(form: URLSearchParams, locale: string): { answers?: Answers; invalid: Set<Field> } {
  const text = (name: string) => truncated(LONGEST, form.get(name)?.trim() ?? '')
  const optional = (name: string) => text(name) || undefined
  const currency = text('currency')
  const [name, service, minutes] = [text('name'), text('service'), Number(text('minutes'))]
  const phone = phoneOf(text('phone'), guessZoneAndCurrency(locale, text('zone')).country)
  const price = text('price') === '' ? 0 : priceOf(text('price'), currency, locale)
  const people = peopleOf(form.get('people') ?? '')
  const faults: Record<string, boolean> = {
    name: name === '',
    phone: phone === undefined && text('phone') !== '',
    service: service === '',
    minutes: !Number.isInteger(minutes) || minutes < 1 || minutes > 24 * 60,
    price: price === undefined,
    people: people.length === 0 || people.length > MOST_PEOPLE,
  }
  const invalid = new Set(Object.keys(faults).filter((field): field is Field => faults[field] === true))
  if (invalid.size > 0 || price === undefined) return { invalid }
  const language = text('language')
  return {
    invalid,
    answers: {
      name,
      phone,
      email: optional('email'),
      address: optional('address'),
      zone: text('zone'),
      currency,
      language: isLanguage(language) ? language : 'en',
      hours: hoursOf(form),
      service,
      minutes,
      price,
      people,
      channel: CHANNELS.find((one) => one === text('channel')) ?? CHANNELS[0],
    },
  }
}

/**
 * Converts a phone number to the international form E.164, such as `+493012345678`. Returns undefined if the text
 * cannot be a phone number.
 */
function phoneOf(phone: string, country: string): string | undefined {
  const parsed = parsePhoneNumberFromString(phone, isSupportedCountry(country) ? country : undefined)
  return parsed?.isPossible() ? parsed.number : undefined
}

/**
 * Reads the price of the first service in minor units, such as cents. If the currency code is malformed, returns 0. The
 * validation refuses the currency code later.
 */
const priceOf = (text: string, currency: string, locale: string): number | undefined =>
  /^[A-Z]{3}$/.test(currency) ? parseAmount(text, currency, locale) : 0

const peopleOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n', MOST_PEOPLE + 1)
      .map((line) => truncated(LONGEST, line.trim()))
      .filter((line) => line !== ''),
  ),
]

/** Reads the opening hours of a new business from the form. Days with the same hours share one entry. */
function hoursOf(form: URLSearchParams): OpeningWindow[] {
  const days = DAYS.filter((day) => form.getAll('open').includes(day))
  const windowOf = (day: string) => ({
    opens: form.get(`${day}.opens`) ?? '',
    closes: form.get(`${day}.closes`) ?? '',
  })
  const alike = Map.groupBy(days, (day) => JSON.stringify(windowOf(day)))
  return [...alike.values()].flatMap(([first, ...others]) =>
    first ? [{ days: [first, ...others], ...windowOf(first) }] : [],
  )
}
