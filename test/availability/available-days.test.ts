import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type AvailableDay, availableDays } from '../../src/domain/availability/available-days.ts'
import { type AvailableTime, availableTimes } from '../../src/domain/availability/available-times.ts'
import { scheduledLazily, scheduledTimes } from '../../src/domain/availability/cached-scheduled-times.ts'
import {
  availableTimesInBatches,
  bookableRange,
  readOccupancy,
} from '../../src/domain/availability/find-available-times.ts'
import type { ScheduledTime } from '../../src/domain/availability/generate-scheduled-times.ts'
import { HintRun } from '../../src/domain/availability/hints/cached-free-time-counts.ts'
import { countTimes } from '../../src/domain/availability/hints/count-free-times.ts'
import { hintDays } from '../../src/domain/availability/hints/free-and-full-time-counter.ts'
import { startsIn } from '../../src/domain/availability/hints/free-start-bits.ts'
import { sumCounts } from '../../src/domain/availability/hints/free-times-by-day-part.ts'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { readDefinitionFile } from '../../src/domain/definition/read-definition.ts'
import { DAY, HOUR } from '../../src/infra/time/time-units.ts'
import { dateIn, daysLater, startOfDay, wholeDays } from '../../src/infra/time/time-zone.ts'
import { testShop } from '../support/desk.ts'

const { definition } = readDefinitionFile('examples/glamour-salon.yaml')
const shop = await testShop(definition)
const { db } = shop.runtime
const now = shop.time.now
const range = [now.getTime(), now.getTime() + 45 * DAY] as const

// Some days are taken as a whole, others in part; what classes take stays theirs.
await sql`
  insert into claims (resource_id, during, holder_kind, holder_id)
  select resource, tstzrange(start, start + length), 'block', 'blk_' || resource || number
  from unnest(${(definition.resources ?? []).map(({ id }) => id)}::text[]) resource, generate_series(0, 44) number,
    lateral (select ${now}::timestamptz + number * interval '1 day' as start,
      case when number % 7 < 2 then interval '24 hours'
        else (abs(hashtext(resource || number)) % 20) * interval '1 hour' end as length) span
  where length > interval '0'
  on conflict do nothing`.execute(db)

const found = (times: AvailableTime[]) => times.map(({ start, end, location, picks }) => [start, end, location, picks])

test.each(definition.services.map(({ id }) => id))(
  '[one rule] %s has the same times day by day as all at once, so no day seems free that is not, or the other way round',
  async (id) => {
    const plan = planOf(definition, id)
    if (!plan) throw new Error(`There is no service ${id}`)
    for (const [from, to] of [range, [range[0] + 7 * HOUR, range[1] - 5 * HOUR] as const])
      for (const party of [1, 3]) {
        const search = { range: bookableRange(plan, [from, to], now), party, now }
        const whole: AvailableTime[] = []
        for await (const batch of availableTimesInBatches(db, plan, { ...search, wanted: 100 })) whole.push(...batch)
        const days: AvailableDay[] = []
        for await (const day of availableDays(db, plan, search)) days.push(day)
        // Before all times of a day are known, and afterwards.
        const free = days.filter(({ hasTime }) => hasTime(() => true)).map(({ date }) => date)
        expect(found((await Promise.all(days.map(({ times }) => times()))).flat())).toEqual(found(whole))
        expect(days.filter(({ hasTime }) => hasTime(() => true)).map(({ date }) => date)).toEqual(free)
        expect(free).toEqual([...new Set(whole.map(({ start }) => dateIn(plan.zone, start)))])
      }
  },
)

test.each(definition.services.filter(({ type }) => type !== 'group').map(({ id }) => id))(
  '[one rule] the times of a day of %s are the same in no order as in order, each once, whether or not some are known',
  (id) => {
    const plan = planOf(definition, id)
    if (!plan) throw new Error(`There is no service ${id}`)
    // What is known is known of a plan.
    const [inOrder, inNone] = [{ ...plan }, { ...plan }]
    const names = (times: Iterable<ScheduledTime>) =>
      [...times].map(({ start, end, location, picks }) => JSON.stringify([start, end, location, picks])).sort()
    for (let day = 0; day < 14; day++) {
      const whole = wholeDays(plan.zone, daysLater(dateIn(plan.zone, now.getTime()), day))
      const expected = names(scheduledTimes(inOrder, whole))
      expect(names(scheduledLazily(inNone, whole))).toEqual(expected)
      expect(names(scheduledLazily(inNone, whole))).toEqual(expected)
    }
  },
)

test.each(definition.services.filter(({ type }) => type !== 'group').map(({ id }) => id))(
  '[one rule] the hint of %s counts the very times that there are, and those that are free',
  async (id) => {
    const plan = planOf(definition, id)
    if (!plan) throw new Error(`There is no service ${id}`)
    const today = dateIn(plan.zone, now.getTime())
    const whole = bookableRange(plan, [now.getTime(), startOfDay(plan.zone, daysLater(today, 28))], now)
    const onDay = (times: { start: number }[], day: string) =>
      times.filter(({ start }) => dateIn(plan.zone, start) === day).length
    const all = scheduledTimes(plan, whole)
    const free = availableTimes(plan, await readOccupancy(db, plan, whole, { now }), whole).filter(
      ({ capacity }) => capacity?.remaining !== 0,
    )
    const coming = hintDays(plan.zone, today, { summary: 28, all: 28 })
    const { days, starts } = await countTimes(db, plan, { days: coming, now }, new HintRun())
    expect(days.map(({ date }) => date)).toEqual([...new Set(all.map(({ start }) => dateIn(plan.zone, start)))])
    for (const { date, parts } of days)
      expect(sumCounts(Object.values(parts))).toEqual({ all: onDay(all, date), free: onDay(free, date) })
    for (const [duration, one] of starts) {
      const lasting = free.filter(({ start, end }) => plan.byTheDay || end - start === duration)
      const instants = new Set(lasting.map(({ start }) => start))
      expect([...startsIn(one)].map((second) => coming.from + second * 1000)).toEqual([...instants])
    }
  },
)
