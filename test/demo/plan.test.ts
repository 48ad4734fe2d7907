import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planVisits } from '../../src/cli/demo/plan-visits.ts'
import { simulatedDays } from '../../src/cli/demo/simulated-days.ts'
import { DAY } from '../../src/infra/time/time-units.ts'
import { definition } from './demo-salon.ts'

const zone = 'America/New_York'
const planFor = (today: string, seed = 'test') => {
  const days = simulatedDays(definition, today)
  const begunAt = Date.parse(`${today}T17:00:00Z`)
  return { days, begunAt, visits: planVisits({ seed, zone, days, begunAt, arrangedClasses: [] }) }
}

describe('[demo data]', () => {
  test.each([
    ['a Thursday', '2026-11-19', ['2026-11-19']],
    ['a Sunday, on which the stylists do not work', '2026-11-22', ['2026-11-22', '2026-11-24']],
    ['a Monday, on which the salon is closed', '2026-11-23', ['2026-11-24']],
    ['the first day of the Christmas closure', '2026-12-24', ['2026-12-27', '2026-12-29']],
  ])('on %s, the busy days are the next days on which the salon is open', (_, today, busy) => {
    const { days, visits } = planFor(today)
    expect(days.filter(({ isBusy }) => isBusy).map(({ date }) => date)).toEqual(busy)
    const last = busy.at(-1)
    const onDay = (date: string | undefined) => visits.filter((visit) => visit.date === date).length
    expect(onDay(last)).toBe(Math.max(...days.map(({ date }) => onDay(date))))
  })

  test('today has more visits than a usual day, but not twice as many', () => {
    for (const seed of ['glamour', 'a', 'b', 'c', 'd']) {
      const { days, visits } = planFor('2026-11-19', seed)
      const past = days.filter(({ isOpen, offset, weekday }) => isOpen && offset < 0 && weekday > 1)
      const onDay = (date: string) => visits.filter((visit) => visit.date === date).length
      const usual = past.reduce((sum, { date }) => sum + onDay(date), 0) / past.length
      expect(onDay('2026-11-19') / usual).toBeGreaterThan(1.2)
      expect(onDay('2026-11-19') / usual).toBeLessThan(1.9)
    }
  })

  test('every start makes 250 to 450 visits, each booked before now and before it begins', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 800 }), fc.string(), (day, seed) => {
        const today = new Date(Date.parse('2026-10-01') + day * DAY).toISOString().slice(0, 10)
        const { visits, begunAt } = planFor(today, seed)
        expect(visits.length).toBeGreaterThanOrEqual(250)
        expect(visits.length).toBeLessThanOrEqual(450)
        expect(visits.filter(({ bookedAt }) => bookedAt > begunAt)).toEqual([])
        expect(visits.filter(({ fate }) => fate === 'no_show')).toHaveLength(1)
        expect(new Set(visits.map(({ key }) => key)).size).toBe(visits.length)
      }),
      { numRuns: 25 },
    )
  })

  test('the same seed gives the same plan, and another seed gives another plan', () => {
    const [one, again, other] = ['a', 'a', 'b'].map((seed) => planFor('2026-11-19', seed).visits)
    expect(again).toEqual(one)
    expect(other).not.toEqual(one)
  })

  test('most visits are in the afternoon, and nobody comes twice on one day', () => {
    const { visits } = planFor('2026-11-19')
    const cuts = visits.filter(({ service }) => service === 'svc_haircut')
    const late = cuts.filter(({ wish }) => new Date(wish).getUTCHours() >= 17)
    expect(late.length).toBeGreaterThan(cuts.length * 0.6)
    const names = visits.map(({ date, person }) => `${date} ${person.email}`)
    expect(new Set(names).size).toBe(names.length)
  })
})
