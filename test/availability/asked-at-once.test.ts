import { expect, test } from 'vitest'
import { readOccupancy } from '../../src/domain/availability/find-available-times.ts'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { countStatements } from '../support/count-statements.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, onBothDesks, testShop, WEEK } from '../support/desk.ts'
import { daily } from './week.ts'

const people = ['staff_ann', 'staff_ben', 'staff_cleo']
const by = (...options: string[]) => ({ resources: [{ type: 'staff' as const, options }] })
const definition = businessWith(
  [
    service('svc_ann', by('staff_ann')),
    service('svc_ben', by('staff_ben')),
    service('svc_long', { ...by('staff_ben'), duration: { fixed: 'PT150M', buffer_before: 'PT20M' } }),
    service('svc_half', { ...by('staff_cleo'), duration: { fixed: 'PT30M' } }),
    service('svc_all', by(...people)),
    service('svc_nobody', { resources: [] }),
  ],
  { hours: daily('09:00', '16:00'), resources: people.map((id) => ({ id, type: 'staff' as const, name: id })) },
)
const ids = definition.services.map(({ id }) => id)

await onBothDesks(
  () => testShop(definition),
  (desk) => {
    test('services that are asked for at once say what each says by itself', async () => {
      for (const [id, nth] of [
        ['svc_all', 0],
        ['svc_all', 0],
        ['svc_all', 0],
        ['svc_ann', 1],
        ['svc_ben', 2],
      ] as const) {
        const slots = await desk.slots(id, WEEK)
        await desk.call('usp_bookings_create', { service_id: id, slot_id: slots[nth].id, buyer })
      }
      const times = async (id: string) => (await desk.slots(id, WEEK)).map(({ start }) => start)
      const alone: string[][] = []
      for (const id of ids) alone.push(await times(id))
      expect(new Set(alone.map(String)).size).toBe(ids.length)
      for (let round = 0; round < 3; round++) expect(await Promise.all(ids.map(times))).toEqual(alone)
    })
  },
)

test('services that differ by less than an hour, asked for a moment apart, are one question to the calendar', async () => {
  const shop = await testShop(definition)
  const { db, counts } = countStatements(shop.runtime.db)
  const [from, midnight] = [Date.parse('2026-11-24T15:20:00Z'), Date.parse('2026-11-26T05:00:00Z')]
  const ask = async (id: string, start: number) => {
    const plan = planOf(definition, id)
    if (!plan) throw new Error(`There is no ${id}.`)
    return readOccupancy(db, plan, [start, midnight], { now: shop.time.now })
  }
  await Promise.all([ask('svc_ann', from), ask('svc_half', from + 1), ask('svc_all', from + 60_000)])
  expect(counts.statements).toBe(1)
  await Promise.all([ask('svc_ann', from), ask('svc_ann', from + 3_600_000)])
  expect(counts.statements).toBe(3)
})
