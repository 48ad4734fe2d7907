import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { entriesInOrder } from '../../src/domain/waitlist/queries.ts'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { random } from '../race/random.ts'
import { service } from '../support/definitions.ts'
import { mcpDesk, restDesk } from '../support/desk.ts'
import { business, CLASS, classOfOne, lineOf, openShop } from '../waitlist/queue.ts'

const STEPS = 60
/** Two places a class, three classes, and chairs of which each is one person's. */
const CHAIR = 'svc_chair'
const definition = {
  ...business,
  resources: ['ann', 'ben'].map((id) => ({ id, type: 'staff' as const, name: id })),
  services: [
    { ...classOfOne, capacity: { max: 2, waitlist: true } },
    service(CHAIR, {
      capacity: { max: 1, waitlist: true },
      resources: [{ type: 'staff', selectable: true, options: ['ann', 'ben'] }],
    }),
  ],
  hours: [{ days: ['tuesday' as const], opens: '10:00', closes: '12:00' }],
}

test('[WTL-034] [WTL-035] staff who offer by hand and move people about, offers by themselves and buyers: no place is had twice', async () => {
  const shop = await openShop(definition)
  const desks = [restDesk(shop), mcpDesk(shop)] as const
  const codes = new Set<string | undefined>()
  const slotsOf = (service: string) => desks[0].slots(service)
  const slots = [...(await slotsOf(CLASS)), ...(await slotsOf(CHAIR))]

  /** Does one thing after the other, chosen at random among what it is given. */
  const busy = async (seed: number, acts: ((numbers: ReturnType<typeof random>) => Promise<unknown>)[]) => {
    const numbers = random(seed)
    for (let step = 0; step < STEPS; step++) await numbers.pick(acts)?.(numbers)
  }
  const buyer = (seed: number) => {
    const desk = desks[seed % 2] ?? desks[0]
    const { join, accept, decline, leave } = lineOf(desk)
    const [booked, queued]: [string[], string[]] = [[], []]
    return busy(seed, [
      async ({ pick }) => {
        const { data } = await desk.book(pick(slots))
        if (data.booking) booked.push(data.booking.id)
      },
      async () => {
        const id = booked.shift()
        if (id) await desk.cancel(id)
      },
      async ({ pick }) => {
        const suits = pick([{}, { preferred_slots: [{ time_of_day: 'evening' }] }])
        const { data } = await join(`Guest${seed}`, { service_id: pick([CLASS, CHAIR]), ...suits })
        if (data.entry) queued.push(data.entry.id)
      },
      async ({ pick }) => {
        const id = pick(queued)
        const { data } = id ? ((await pick([accept, accept, decline, leave])?.(id)) ?? {}) : {}
        if (data?.booking) booked.push(data.booking.id)
      },
    ])
  }
  const clerk = (seed: number) => {
    const desk = desks[seed % 2] ?? desks[0]
    const staff = (what: string, input: object) =>
      desk.call(`usp_business_waitlist_${what}`, { ...input }, { as: shop.staff })
    const anyone = async ({ pick }: ReturnType<typeof random>) =>
      pick<{ id: string; service_id: string }>((await staff('list', { statuses: ['waiting'] })).data.entries)
    return busy(seed, [
      async (numbers) => {
        const entry = await anyone(numbers)
        const slot = numbers.pick(slots.filter(({ service_id }) => service_id === entry?.service_id))
        if (entry && slot) codes.add((await staff('offer', { entry_id: entry.id, slot_id: slot.id })).code)
      },
      async (numbers) => {
        const entry = await anyone(numbers)
        if (entry) await staff('move', { entry_id: entry.id, position: 1 + Math.floor(numbers.next() * 5) })
      },
    ])
  }
  const sweeper = async () => {
    for (let turn = 0; turn < STEPS; turn++) await runWaitlist(shop.runtime)
  }
  await Promise.all([...[1, 2, 3, 4].map(buyer), ...[5, 6].map(clerk), sweeper()])

  expect([...codes]).toEqual(expect.arrayContaining([undefined, 'slot_unavailable']))
  const { findings } = await verify(shop.runtime.db, shop.time.now)
  expect(findings.listed).toEqual([])
  for (const id of [CLASS, CHAIR]) {
    const line = await entriesInOrder(shop.runtime.db, id)
    const offered = line.filter(({ status }) => status === 'offered').map(({ offered_slot_id }) => offered_slot_id)
    if (id === CHAIR) expect(new Set(offered).size).toBe(offered.length)
    const shown = await desks[0].call('usp_business_waitlist_list', { service_id: id, limit: 200 }, { as: shop.staff })
    expect(shown.data.entries.map(({ position }: { position: number }) => position)).toEqual(
      line.map((_, at) => at + 1),
    )
  }
  expect(shop.logged.filter((text) => /40P01|deadlock|"level":50/.test(text))).toEqual([])
})
