const texts = JSON.parse(document.getElementById('texts').textContent)
let [language, locale] = ['en', 'en']

export function speak(tag = 'en') {
  const [base] = tag.toLowerCase().split('-')
  ;[language, locale] = Object.hasOwn(texts, base) ? [base, tag] : ['en', 'en']
  document.documentElement.lang = locale
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
}

/**
 * Returns a text in the current language, and inserts the values into the text. A text with a number has one version
 * for each number, such as “1 place” and “2 places”.
 */
export function say(message, values = {}) {
  const text = texts[language][message]
  const form = Array.isArray(text) ? (text[values.count] ?? '') : text
  return form.replace(/\{(\w+)\}/g, (_, name) => isolate(String(values[name])))
}

/**
 * On a page in a right-to-left language, puts Unicode isolate characters around a value. The value then keeps its own
 * writing direction.
 */
const isolate = (text) => (document.documentElement.dir === 'rtl' ? `\u2068${text}\u2069` : text)

export const translated = ({ _meta }, sentence) => _meta?.['usp/words']?.[language]?.[sentence] ?? sentence

const dates = (zone, form) => new Intl.DateTimeFormat(locale, { timeZone: zone, ...form })
const clock = { hour: 'numeric', minute: '2-digit' }

export const dayText = (zone, instant) =>
  dates(zone, { weekday: 'long', month: 'long', day: 'numeric' }).format(new Date(instant))

export const clockText = (zone, instant) => dates(zone, clock).format(new Date(instant))

export const rangeText = (zone, { start, end }) =>
  dates(zone, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...clock,
    timeZoneName: 'short',
  }).formatRange(new Date(start), new Date(end))

export function zoneText(zone) {
  const parts = dates(zone, { timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

export function money(minorUnits, currency) {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const parts = format.formatToParts(minorUnits / 10 ** format.resolvedOptions().maximumFractionDigits)
  return parts.map(({ type, value }) => (type === 'currency' ? isolate(value) : value)).join('')
}
