import { secondsOf } from '../../../infra/time/duration.ts'
import { numberFormat } from '../../../infra/util/formatters.ts'

/** Units that a length of time is written in, by how ISO 8601 writes so many of them. */
export const UNITS = {
  minute: (count: string) => `PT${count}M`,
  hour: (count: string) => `PT${count}H`,
  day: (count: string) => `P${count}D`,
  month: (count: string) => `P${count}M`,
  year: (count: string) => `P${count}Y`,
  second: (count: string) => `PT${count}S`,
} as const
export type Unit = keyof typeof UNITS

const names = Object.keys(UNITS).filter((name): name is Unit => name in UNITS)

/** A length as a number and its unit; in minutes, or seconds, where it has several. */
export function lengthParts(duration: string): { count: string; unit: Unit } {
  const [count = ''] = /\d+/.exec(duration) ?? []
  const unit = names.find((name) => UNITS[name](count) === duration)
  if (unit) return { count, unit }
  const seconds = secondsOf(duration)
  if (!Number.isFinite(seconds)) return { count: duration, unit: 'minute' }
  return seconds % 60 === 0
    ? { count: String(seconds / 60), unit: 'minute' }
    : { count: String(seconds), unit: 'second' }
}

/** What was written is left to be refused where it is no number; the same length stays as it was put before. */
export function lengthSaid(count: string, unit: string, before: unknown): string | undefined {
  if (count === '') return undefined
  if (!/^\d{1,9}$/.test(count)) return count
  const said = UNITS[names.find((name) => name === unit) ?? 'minute'](String(Number(count)))
  return typeof before === 'string' && secondsOf(before) === secondsOf(said) ? before : said
}

/** What a unit is called in a language. */
export const unitName = (unit: Unit, locale: string): string =>
  numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
    .formatToParts(5)
    .flatMap(({ type, value }) => (type === 'unit' ? value : []))
    .join('')
