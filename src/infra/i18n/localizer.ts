import { IntlMessageFormat } from 'intl-messageformat'
import { LRUCache } from 'lru-cache'
import { dateFormat, durationFormat, listFormat, numberFormat } from '../util/cached-intl-formatters.ts'
import { memoize } from '../util/memoize.ts'
import { directionOf, isLanguage, type Language } from './languages.ts'
import { catalogueOf, type Message } from './text-catalogues.ts'

export type { Message }

export const TIME_OF_DAY = { hour: 'numeric', minute: '2-digit' } as const

/**
 * January 2, 2000 was a Sunday. The server gets the names of the weekdays from seven days that begin with this date.
 */
const A_SUNDAY = 2
const MAX_COLUMN_CHARACTERS = 5

export type Values = Readonly<Record<string, string | number>>

/** The texts of one language, with functions that format numbers and times for one locale. */
export class Localizer {
  readonly language: Language
  /**
   * The locale as a BCP 47 tag, with the region if it is known. The region matters: `en-GB` and `en-US` write times
   * differently.
   */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly #messages = new Map<Message, IntlMessageFormat>()

  constructor(language: Language, locale: string) {
    this.language = language
    this.locale = locale
    this.direction = directionOf(language)
  }

  say = (message: Message, values?: Values): string => {
    const known = this.#messages.get(message)
    const format = known ?? new IntlMessageFormat(catalogueOf(this.language)[message], this.locale)
    if (!known) this.#messages.set(message, format)
    return String(format.format(values && this.#apart(values)))
  }

  /**
   * In languages that are written from right to left, puts invisible Unicode characters (isolates) around a text.
   * Without them, browsers could show punctuation and numbers of the text in the wrong place.
   */
  isolate = (text: string): string => (this.direction === 'ltr' || text === '' ? text : `\u2068${text}\u2069`)

  #apart(values: Values): Values {
    if (this.direction === 'ltr') return values
    const apart = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? this.isolate(value) : value,
    ])
    return Object.fromEntries(apart)
  }

  dates = (zone: string, form: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    dateFormat(this.locale, { ...form, timeZone: zone })

  /** Writes a date with the weekday and month in words, such as "Wednesday, November 25". */
  day = memoize(1_000, (date: string): string =>
    this.dates('UTC', { weekday: 'long', month: 'long', day: 'numeric' }).format(new Date(date)),
  )

  /**
   * Writes a time of day, or a range such as `14:30/15:15`. The result is cached, because formatting a range takes a
   * hundred times longer than a lookup.
   */
  timesOfDay = memoize(2_000, (times: string): string => {
    const [from = '', to] = times.split('/')
    const at = (time: string) => new Date(`2000-01-01T${time}Z`)
    const format = this.dates('UTC', TIME_OF_DAY)
    return to === undefined ? format.format(at(from)) : format.formatRange(at(from), at(to))
  })

  /** Returns the names of the weekdays, short enough for a table column. The list begins with `first` (0 is Sunday). */
  weekdays = memoize(7, (first: number): readonly string[] => {
    const written = (weekday: 'short' | 'narrow') =>
      Array.from({ length: 7 }, (_, day) =>
        this.dates('UTC', { weekday }).format(new Date(Date.UTC(2000, 0, A_SUNDAY + first + day))),
      )
    const short = written('short')
    return short.some((name) => name.length > MAX_COLUMN_CHARACTERS) ? written('narrow') : short
  })

  /** Writes the months of a date range: `2026-11-30/2027-01-03` becomes "Nov 2026 – Jan 2027". */
  months = memoize(1_000, (dates: string): string => {
    const [first = '', last = first] = dates.split('/')
    const format = this.dates('UTC', { month: 'short', year: 'numeric' })
    return format.formatRange(new Date(first), new Date(last))
  })

  /** Returns the name of a time zone that is valid in summer and in winter, such as "Eastern Time". */
  zone = memoize(500, (zone: string): string => {
    const parts = this.dates(zone, { timeZoneName: 'longGeneric' }).formatToParts()
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
  })

  /**
   * Formats an amount of money in minor units: 7500 USD becomes $75.00. In languages that are written from right to
   * left, the function isolates the currency symbol. Otherwise, browsers would show US$ as $US.
   */
  money = (minorUnits: number, currency: string): string => this.#amount(`${minorUnits} ${currency}`)

  /** Caches formatted amounts, because a business has few prices, and pages repeat them. */
  readonly #amount = memoize(2_000, (amount: string): string => {
    const [minorUnits = '', currency = ''] = amount.split(' ')
    const { format, inUnit } = this.#moneyIn(currency)
    const units = Number(minorUnits) / inUnit
    if (this.direction === 'ltr') return format.format(units)
    const parts = format.formatToParts(units)
    return parts.map(({ type, value }) => (type === 'currency' ? this.isolate(value) : value)).join('')
  })

  readonly #moneyIn = memoize(200, (currency: string) => {
    const format = numberFormat(this.locale, { style: 'currency', currency })
    return { format, inUnit: 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2) }
  })

  number = memoize(1_000, (value: number): string => numberFormat(this.locale, {}).format(value))

  percent = (value: number): string =>
    numberFormat(this.locale, { style: 'percent', maximumFractionDigits: 2 }).format(value / 100)

  list = (words: readonly string[]): string => listFormat(this.locale, {}).format(words)

  /**
   * Writes a duration in words, such as "1 hr 30 min". The result is cached, because formatting takes long, and the
   * times of a week need hundreds of durations.
   */
  length = memoize(2_000, (milliseconds: number): string => {
    const minutes = Math.round(milliseconds / 60_000)
    const parts = { days: Math.floor(minutes / 1440), hours: Math.floor((minutes % 1440) / 60), minutes: minutes % 60 }
    // Some languages write commas between the units of a duration. The server removes these commas, because a duration
    // is one text and not a list.
    return durationFormat(this.locale, { style: 'short' }).format(parts).replaceAll(', ', ' ')
  })
}

/**
 * The maximum number of cached localizers (texts and formats of one locale). The cache needs a limit, because visitors
 * can send any number of invented regions.
 */
const MAX_CACHED = 64
const localizers = new LRUCache<string, Localizer>({ max: MAX_CACHED })

/**
 * Returns the texts and formats for a locale such as `de-AT`. Returns undefined if the server has no texts in this
 * language.
 */
export function localizerFor(tag: string): Localizer | undefined {
  const [, base = '', region = ''] = /^([a-z]{2})(?:-([a-z]{2}))?(?:$|-)/i.exec(tag) ?? []
  const language = base.toLowerCase()
  if (!isLanguage(language)) return undefined
  const locale = region ? `${language}-${region.toUpperCase()}` : language
  const localizer = localizers.get(locale) ?? new Localizer(language, locale)
  localizers.set(locale, localizer)
  return localizer
}

export const englishLocalizer = (): Localizer => localizerFor('en') ?? new Localizer('en', 'en')
