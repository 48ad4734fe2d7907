import { DAY } from '../../src/infra/time/time-units.ts'
import { dateIn, daysLater } from '../../src/infra/time/time-zone.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'

/**
 * Returns the next Tuesday without closures and absences on this day and the next day. The Tuesday is at least four
 * days ahead, because of booking windows.
 */
export function usualTuesday({ closures = [], resources = [] }: BusinessDefinition, now: number): string {
  const exceptions = [...closures, ...resources.flatMap(({ time_off = [] }) => time_off)]
  const isUsual = (date: string) =>
    !exceptions.some(({ from, to }) => from.slice(0, 10) <= date && date <= to.slice(0, 10))
  const dates = Array.from({ length: 60 }, (_, days) => dateIn('UTC', now + (days + 4) * DAY))
  const found = dates.find((date) => new Date(date).getUTCDay() === 2 && isUsual(date) && isUsual(daysLater(date, 1)))
  if (found === undefined) throw new Error('Something is closed or somebody away each Tuesday.')
  return found
}
