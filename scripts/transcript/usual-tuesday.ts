import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'

const DAY = 86_400_000
const isoDate = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The next on which, and on the day after, nothing is closed and nobody is away; some days off, so that nothing is too soon. */
export function usualTuesday({ closures = [], resources = [] }: BusinessDefinition, now: number): string {
  const exceptions = [...closures, ...resources.flatMap(({ time_off = [] }) => time_off)]
  const isUsual = (date: string) =>
    !exceptions.some(({ from, to }) => from.slice(0, 10) <= date && date <= to.slice(0, 10))
  const found = Array.from({ length: 60 }, (_, days) => now + (days + 4) * DAY).find(
    (at) => new Date(at).getUTCDay() === 2 && isUsual(isoDate(at)) && isUsual(isoDate(at + DAY)),
  )
  if (found === undefined) throw new Error('Something is closed or somebody away each Tuesday.')
  return isoDate(found)
}
