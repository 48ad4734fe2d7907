import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { startOfDay } from '../../src/infra/time/time-zone.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { type Desk, mcpDesk, restDesk, type Shop, testShop } from '../support/desk.ts'
import { everythingOffered, keptFree } from './brute-force.ts'
import { on, type Timed } from './week.ts'

const salon: BusinessDefinition = parse(readFileSync('examples/glamour-salon.yaml', 'utf8'))
const zone = salon.business.timezone
const MINUTE = 60_000

interface Slot extends Timed {
  service_id: string
  location?: { id: string }
  capacity?: { remaining: number }
}

const address = { line1: '5 Elm Street', city: 'New York', postal_code: '10001', country: 'US' }
const book = (desk: Desk, slot: Slot, party_size = 1) =>
  desk.book(slot, { party_size, ...(slot.service_id === 'svc_plumbing' && { delivery_address: address }) })

async function offeredOn(desk: Desk, service_id: string, day: string): Promise<Slot[]> {
  const { data } = await desk.call('usp_availability_query', { service_id, ...on(day), limit: 200 }, { as: {} })
  expect(data.pagination.has_more).toBe(false)
  return data.slots.filter(({ state }: { state: string }) => state !== 'waitlist')
}

async function everythingOn(desk: Desk, day: string): Promise<Slot[]> {
  const all = await Promise.all(salon.services.map(({ id }) => offeredOn(desk, id, day)))
  return all.flat()
}

const desksOf = (shop: Shop) => [restDesk(shop), mcpDesk(shop)] as const

test('[AVL-073] every slot of every service of the demo business can be booked, and canceled, and booked again', async () => {
  const [rest, mcp] = desksOf(await testShop(salon))
  const day = '2026-11-26'
  const slots = await everythingOn(rest, day)
  expect(new Set(slots.map(({ service_id }) => service_id)).size).toBe(salon.services.length)
  for (const [index, slot] of slots.entries()) {
    const desk = index % 2 === 0 ? rest : mcp
    const { code, data } = await book(desk, slot)
    expect([slot.id, code]).toEqual([slot.id, undefined])
    expect(data.booking.slot).toMatchObject({ id: slot.id, start: slot.start, end: slot.end })
    await desk.cancel(data.booking.id)
  }
  expect(await everythingOn(mcp, day)).toEqual(slots)
})

/** What has been booked, as the model takes it. */
class Day {
  readonly taken = new Map<string, (readonly [from: number, to: number])[]>()
  readonly places = new Map<string, number>()
  readonly day: string

  constructor(day: string) {
    this.day = day
  }

  take(service: ServiceDefinition, slot: Slot, resources: { id: string }[], party: number) {
    this.places.set(slot.id, (this.places.get(slot.id) ?? 0) + party)
    if (service.type === 'group') return
    const [before, after] = keptFree(service)
    const span = [Date.parse(slot.start) - before * MINUTE, Date.parse(slot.end) + after * MINUTE] as const
    for (const { id } of resources) this.taken.set(id, [...(this.taken.get(id) ?? []), span])
  }

  async expectTruth(desk: Desk, service: ServiceDefinition) {
    const found = await offeredOn(desk, service.id, this.day)
    if (service.type === 'group') {
      for (const { id, capacity } of found) expect(capacity?.remaining).toBe(8 - (this.places.get(id) ?? 0))
      return
    }
    const next = startOfDay(zone, new Date(Date.parse(this.day) + 24 * 60 * MINUTE).toISOString().slice(0, 10))
    const range = [startOfDay(zone, this.day), next] as const
    expect(found.map(written)).toEqual(
      everythingOffered({ definition: salon, service, range, taken: this.taken, party: 1 }),
    )
  }
}

const written = ({ start, end, location, resources = [] }: Slot) => {
  const minutes = (Date.parse(end) - Date.parse(start)) / MINUTE
  return [new Date(start).toISOString(), minutes, location?.id ?? '-', ...resources.map(({ id }) => id)].join(' ')
}

test.each(['2026-11-27', '2026-11-29'])(
  '[AVL-073] [AVL-060] [AVL-061] what is still offered on %s after each booking is true, until nothing is',
  async (day) => {
    const [rest, mcp] = desksOf(await testShop(salon))
    const choices = fc.array(fc.nat(), { minLength: 200, maxLength: 200 })
    const fillDay = async (numbers: number[]) => {
      const booked = new Day(day)
      let left = await everythingOn(rest, day)
      for (let round = 0; left.length > 0; round++) {
        const desk = round % 2 === 0 ? rest : mcp
        const slot = left[(numbers[round % numbers.length] ?? 0) % left.length]
        const service = salon.services.find(({ id }) => id === slot?.service_id)
        if (!slot || !service) throw new Error('nothing to book')
        const party = service.type === 'group' ? Math.min(3, slot.capacity?.remaining ?? 1) : 1
        const { code, data } = await book(desk, slot, party)
        expect([slot.id, code]).toEqual([slot.id, undefined])
        booked.take(service, slot, data.booking.resources ?? [], party)
        left = await everythingOn(desk, day)
        await booked.expectTruth(desk, service)
        if (round % 10 === 0) for (const one of salon.services) await booked.expectTruth(desk, one)
      }
      for (const one of salon.services) await booked.expectTruth(rest, one)
    }
    await fc.assert(fc.asyncProperty(fc.noShrink(choices), fillDay), { numRuns: 1 })
  },
)
