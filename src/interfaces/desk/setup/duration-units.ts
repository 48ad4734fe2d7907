import { secondsOf } from '../../../infra/time/time-units.ts'
import { numberFormat } from '../../../infra/util/cached-intl-formatters.ts'

/**
 * The units of a duration in a form. Each function converts a number of its unit to an ISO 8601 duration. For example,
 * 30 minutes become `PT30M`.
 */
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

/**
 * Splits a duration into a number and a unit for a form. A duration with several units, such as `PT1H30M`, becomes a
 * number of minutes. If it is not a whole number of minutes, it becomes a number of seconds.
 */
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

/**
 * Reads a duration from a form. An invalid number stays unchanged, so that the validation refuses it later. If the
 * duration equals the old duration `before`, returns the old text, such as `PT60M` instead of `PT1H`.
 */
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
