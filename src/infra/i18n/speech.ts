import { IntlMessageFormat } from 'intl-messageformat'
import { LRUCache } from 'lru-cache'
import { dateFormat, durationFormat, listFormat, numberFormat } from '../util/formatters.ts'
import { remember } from '../util/remember.ts'
import type { Message } from './catalogue.ts'
import { catalogues } from './catalogues.ts'
import { directionOf, isLanguage, type Language } from './languages.ts'

/** How a time of day is written. */
export const clock = { hour: 'numeric', minute: '2-digit' } as const

/** Of January 2000. */
const A_SUNDAY = 2
const LONGEST_IN_COLUMN = 5

/** What stands in the places of a message. */
export type Values = Readonly<Record<string, string | number>>

/** How a person is spoken to: in which language, and how numbers and times are written there. */
export class Speech {
  readonly language: Language
  /** BCP 47, with the region where it is known: `en-GB` writes times otherwise than `en-US`. */
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
    const format = known ?? new IntlMessageFormat(catalogues[this.language][message], this.locale)
    if (!known) this.#messages.set(message, format)
    return String(format.format(values && this.#apart(values)))
  }

  /** What may be of the other direction, so that neither takes the other's signs and numbers to itself. */
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

  /** A date as one says it: Wednesday, November 25. */
  day = remember(1_000, (date: string): string =>
    this.dates('UTC', { weekday: 'long', month: 'long', day: 'numeric' }).format(new Date(date)),
  )

  /** A time of day, or from one to another as `14:30/15:15`: a range takes a hundred times longer to write than to remember, and a day has hundreds. */
  clocks = remember(2_000, (times: string): string => {
    const [from = '', to] = times.split('/')
    const at = (time: string) => new Date(`2000-01-01T${time}Z`)
    const format = this.dates('UTC', clock)
    return to === undefined ? format.format(at(from)) : format.formatRange(at(from), at(to))
  })

  /** The days of the week from this one on, of which 0 is Sunday, as short as it takes to stand in a column. */
  weekdays = remember(7, (first: number): readonly string[] => {
    const written = (weekday: 'short' | 'narrow') =>
      Array.from({ length: 7 }, (_, day) =>
        this.dates('UTC', { weekday }).format(new Date(Date.UTC(2000, 0, A_SUNDAY + first + day))),
      )
    const short = written('short')
    return short.some((name) => name.length > LONGEST_IN_COLUMN) ? written('narrow') : short
  })

  /** The months from one date to another, as `2026-11-30/2027-01-03`: Nov 2026 – Jan 2027. */
  months = remember(1_000, (dates: string): string => {
    const [first = '', last = first] = dates.split('/')
    const format = this.dates('UTC', { month: 'short', year: 'numeric' })
    return format.formatRange(new Date(first), new Date(last))
  })

  /** What a zone is called, summer and winter: Eastern Time. */
  zone = remember(500, (zone: string): string => {
    const parts = this.dates(zone, { timeZoneName: 'longGeneric' }).formatToParts()
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
  })

  /** Minor units as they are written here: 7500 USD is $75.00. Alone, US$ would be read as $US from the right. */
  money = (minorUnits: number, currency: string): string => this.#amount(`${minorUnits} ${currency}`)

  /** A business has few prices, and says each of them again and again. */
  readonly #amount = remember(2_000, (amount: string): string => {
    const [minorUnits = '', currency = ''] = amount.split(' ')
    const { format, inUnit } = this.#moneyIn(currency)
    const units = Number(minorUnits) / inUnit
    if (this.direction === 'ltr') return format.format(units)
    const parts = format.formatToParts(units)
    return parts.map(({ type, value }) => (type === 'currency' ? this.isolate(value) : value)).join('')
  })

  readonly #moneyIn = remember(200, (currency: string) => {
    const format = numberFormat(this.locale, { style: 'currency', currency })
    return { format, inUnit: 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2) }
  })

  number = remember(1_000, (value: number): string => numberFormat(this.locale, {}).format(value))

  percent = (value: number): string =>
    numberFormat(this.locale, { style: 'percent', maximumFractionDigits: 2 }).format(value / 100)

  list = (words: readonly string[]): string => listFormat(this.locale, {}).format(words)

  /** A length of time in words: 1 hr 30 min. Each takes as long to write as a whole list of times, and of a week there are hundreds. */
  length = remember(2_000, (milliseconds: number): string => {
    const minutes = Math.round(milliseconds / 60_000)
    const parts = { days: Math.floor(minutes / 1440), hours: Math.floor((minutes % 1440) / 60), minutes: minutes % 60 }
    // One length, not a list of several: where units would be listed by commas, they stand beside each other.
    return durationFormat(this.locale, { style: 'short' }).format(parts).replaceAll(', ', ' ')
  })
}

/** Who visits brings its own region along, and there are as many as anybody makes up: so few are kept. */
const MOST_KEPT = 64
const known = new LRUCache<string, Speech>({ max: MOST_KEPT })

/** How to speak to whoever asks for a tag such as `de-AT`; nothing where its language is not spoken here. */
export function speechOf(tag: string): Speech | undefined {
  const [, base = '', region = ''] = /^([a-z]{2})(?:-([a-z]{2}))?(?:$|-)/i.exec(tag) ?? []
  const language = base.toLowerCase()
  if (!isLanguage(language)) return undefined
  const locale = region ? `${language}-${region.toUpperCase()}` : language
  const speech = known.get(locale) ?? new Speech(language, locale)
  known.set(locale, speech)
  return speech
}

export const english = (): Speech => speechOf('en') ?? new Speech('en', 'en')
