import { numberFormat } from '../util/cached-intl-formatters.ts'
import { memoize } from '../util/memoize.ts'
import type { Localizer } from './localizer.ts'

/** The maximum number of characters that a person may enter for an amount of money in a form. */
const MAX_CHARACTERS = 20
const ARABIC_DIGITS = '٠١٢٣٤٥٦٧٨٩'
/**
 * A suffix that makes a locale use the digits 0 to 9. People who write other digits can have a keyboard with only these
 * digits, so the server accepts both kinds of digits.
 */
const LATIN_DIGITS = '-u-nu-latn'

/** Formats an amount of money for a form field, in the format of the locale and without the currency symbol. */
export const formatAmount = (minorUnits: number, currency: string, locale: string): string =>
  amountFormatIn(locale, currency).write(minorUnits)

/** Returns the message for an unreadable amount of money, with an example in the format of the locale. */
export const amountHelp = ({ say, locale }: Localizer, example: number, currency: string): string =>
  say('desk.amount.wrong', { example: formatAmount(example, currency, locale) })

/**
 * Returns an error message if an amount of money is unreadable, with the entered text and an example. Returns undefined
 * for a readable amount.
 */
export function amountError(text: string, example: number, currency: string, { say, locale }: Localizer) {
  const written = text.trim()
  if (written === '' || parseAmount(written, currency, locale) !== undefined) return undefined
  return say('desk.amount.unread', { written, currency, example: formatAmount(example, currency, locale) })
}

/**
 * Converts an amount of money in the format of the locale to minor units, such as cents. Returns undefined for other
 * formats, because the server must not read a comma as a decimal point.
 */
export function parseAmount(text: string, currency: string, locale: string): number | undefined {
  const trimmed = text.trim().replace(/\s/g, ' ')
  if (trimmed === '' || trimmed.length > MAX_CHARACTERS) return undefined
  return [locale, locale + LATIN_DIGITS]
    .map((one) => amountFormatIn(one, currency).read(trimmed))
    .find((sum) => sum !== undefined)
}

const amountFormatIn = (locale: string, currency: string) => amountFormatOf(`${locale} ${currency}`)

const amountFormatOf = memoize(200, (key: string) => {
  const [locale = '', currency = ''] = key.split(' ')
  const form = (options: Intl.NumberFormatOptions) => {
    const format = numberFormat(locale, { style: 'currency', currency, ...options })
    return (value: number) =>
      format
        .formatToParts(value)
        .flatMap(({ type, value }) => (NUMERIC.includes(type) ? value : []))
        .join('')
        .replace(/\s/g, ' ')
  }
  const { maximumFractionDigits: digits = 2 } = numberFormat(locale, {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const inUnit = 10 ** digits
  const write = form({ useGrouping: false })
  const groupings = [false, 'always'] as const
  const exact = [write, form({ useGrouping: 'always' })]
  const whole = groupings.map((useGrouping) =>
    form({ useGrouping, maximumFractionDigits: 0, minimumFractionDigits: 0 }),
  )
  return {
    write: (minorUnits: number) => write(minorUnits / inUnit),
    /**
     * Converts the digits of the text to a number, and formats this number again. The text is a valid amount only if it
     * equals the formatted number.
     */
    read(text: string): number | undefined {
      const number = Number(digitsOf(text))
      if (exact.some((one) => one(number / inUnit) === text)) return number
      return whole.some((one) => one(number) === text) ? number * inUnit : undefined
    },
  }
})

const NUMERIC = ['integer', 'group', 'decimal', 'fraction']

const digitsOf = (text: string): string =>
  [...text]
    .map((sign) => (ARABIC_DIGITS.includes(sign) ? ARABIC_DIGITS.indexOf(sign) : sign))
    .join('')
    .replace(/\D/g, '')
