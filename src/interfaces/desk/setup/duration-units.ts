import { secondsOf } from '../../../infra/time/units.ts'
import { numberFormat } from '../../../infra/util/formatters.ts'

/** Units of a duration, each with its ISO 8601 form. */
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

/** Splits a duration into a number and a unit. A mixed duration becomes minutes, or else seconds. */
export function durationParts(duration: string): { count: string; unit: Unit } {
  const [count = ''] = /\d+/.exec(duration) ?? []
  const unit = names.find((name) => UNITS[name](count) === duration)
  if (unit) return { count, unit }
  const seconds = secondsOf(duration)
  if (!Number.isFinite(seconds)) return { count: duration, unit: 'minute' }
  return seconds % 60 === 0
    ? { count: String(seconds / 60), unit: 'minute' }
    : { count: String(seconds), unit: 'second' }
}

/** Returns an invalid number unchanged, for the validation to refuse. An equal duration keeps its earlier notation. */
export function readDuration(count: string, unit: string, before: unknown): string | undefined {
  if (count === '') return undefined
  if (!/^\d{1,9}$/.test(count)) return count
  const duration = UNITS[names.find((name) => name === unit) ?? 'minute'](String(Number(count)))
  return typeof before === 'string' && secondsOf(before) === secondsOf(duration) ? before : duration
}

export const unitName = (unit: Unit, locale: string): string =>
  numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
    .formatToParts(5)
    .flatMap(({ type, value }) => (type === 'unit' ? value : []))
    .join('')
