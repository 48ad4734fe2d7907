import { LRUCache } from 'lru-cache'

/**
 * The maximum number of cached formatters (`Intl` objects) of one kind. Visitors choose locales and time zones, so the
 * cache could otherwise grow without limit.
 */
const MAX_CACHED = 300

/**
 * Creates a function that caches `Intl` formatters by locale and options. Creating a formatter takes a hundred times
 * longer than using it, and about 60 kB of memory. A lint rule (`scripts/lint/formatters.grit`) forbids `new Intl.…` in
 * other files.
 */
function cachedBy<Options, Formatter extends object>(make: (locale: string, options: Options) => Formatter) {
  const cache = new LRUCache<string, Formatter>({ max: MAX_CACHED })
  return (locale: string, options: Options): Formatter => {
    const key = `${locale} ${JSON.stringify(options)}`
    const formatter = cache.get(key) ?? make(locale, options)
    cache.set(key, formatter)
    return formatter
  }
}

export const numberFormat = cachedBy(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)
export const dateFormat = cachedBy(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)
export const durationFormat = cachedBy(
  (locale, options: Intl.DurationFormatOptions) => new Intl.DurationFormat(locale, options),
)
export const listFormat = cachedBy((locale, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options))
export const displayNames = cachedBy(
  (locale, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames(locale, options),
)
export const collator = cachedBy((locale, options: Intl.CollatorOptions) => new Intl.Collator(locale, options))
export const segmenter = cachedBy((locale, options: Intl.SegmenterOptions) => new Intl.Segmenter(locale, options))

const locales = cachedBy((tag, _: undefined) => new Intl.Locale(tag))
export const localeOf = (tag: string): Intl.Locale => locales(tag, undefined)
