import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { sampling } from '../support/case-sampling.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, restDesk, type Said, type Shop } from '../support/desk.ts'
import { CLASS, classOfOne, lineOf, openShop } from './queue.ts'

const CHAIR = 'svc_chair'
const policies = service('any').policies
const chair = service(CHAIR, {
  capacity: { max: 1, waitlist: true },
  resources: [{ type: 'staff', options: ['ann'] }],
})
const paidClass = {
  ...classOfOne,
  id: 'svc_paid',
  payment_window: 'PT15M',
  policies: { ...policies, payment_timing: 'at_booking' as const },
}
const asked = { ...chair, id: 'svc_asked', policies: { ...policies, confirmation_mode: 'manual' as const } }
const hours = [{ days: ['tuesday' as const, 'wednesday' as const], opens: '10:00', closes: '11:00' }]
const salon = businessWith([classOfOne, paidClass, chair, asked], {
  hours,
  resources: [{ id: 'ann', type: 'staff', name: 'Ann' }],
})

interface Tools {
  desk: Desk
  shop: Shop
  staff(what: string, input: object): Promise<Said>
  /** What leaves nothing free: bookings, and the ids of whatever else. */
  bookings: { id: string; slot: { id: string; start: string } }[]
  others: string[]
}

interface Case {
  what: string
  service: string
  /** Where it is not by bookings alone that there is nothing free. */
  full?(tools: Tools): Promise<unknown>
  /** Everybody waits for the slot of the first booking. */
  forOne?: true
  begins?: BusinessDefinition
  frees(tools: Tools): Promise<unknown>
}
const first = ({ bookings: [booking] }: Tools) => ({ booking_id: String(booking?.id) })
const sessions = { start_date: '2026-11-24', end_date: '2026-11-30', service_id: CLASS }
const holdAll = async ({ desk, others }: Tools) => {
  for (const slot of await desk.slots(CLASS)) others.push((await desk.hold(slot)).data.hold.id)
}
const block = async ({ staff, others }: Tools, time: object) =>
  others.push((await staff('blocks_create', { resource_id: 'ann', ...time })).data.block.id)
const unblock = ({ staff, others }: Tools) => staff('blocks_remove', { block_id: others[0] })

const cases: Case[] = [
  { what: 'the buyer cancels', service: CLASS, frees: ({ desk, bookings }) => desk.cancel(String(bookings[0]?.id)) },
  {
    what: 'the buyer moves elsewhere',
    service: CHAIR,
    forOne: true,
    async full(tools) {
      const [one, { start, end }] = await tools.desk.slots(CHAIR)
      tools.bookings.push((await tools.desk.book(one)).data.booking)
      await block(tools, { start, end })
    },
    async frees(tools) {
      const { desk, shop } = tools
      await unblock(tools)
      await runWaitlist(shop.runtime)
      const free = (await desk.slots(CHAIR)).find(({ state }) => state === 'available')
      await desk.reschedule(String(tools.bookings[0]?.id), free)
    },
  },
  {
    what: 'nobody pays in time',
    service: 'svc_paid',
    async frees({ shop }) {
      shop.minutesLater(16)
      await runHousekeeping(shop.runtime)
    },
  },
  {
    what: 'the staff say no',
    service: 'svc_asked',
    frees: (tools) => tools.staff('bookings_decline', first(tools)),
  },
  { what: 'the staff cancel', service: CHAIR, frees: (tools) => tools.staff('bookings_cancel', first(tools)) },
  {
    what: 'a service is done early',
    service: CHAIR,
    async frees(tools) {
      await tools.staff('bookings_start', first(tools))
      await tools.staff('bookings_complete', first(tools))
    },
  },
  {
    what: 'a hold is released',
    service: CLASS,
    full: holdAll,
    frees: ({ desk, others }) => desk.release(String(others[0])),
  },
  {
    what: 'a hold lapses, at that very moment',
    service: CLASS,
    full: holdAll,
    frees: async ({ shop }) => shop.minutesLater(10),
  },
  {
    what: 'a hold of a chair lapses, at that very moment',
    service: CHAIR,
    async full(tools) {
      const [slot] = await tools.desk.slots(CHAIR)
      await tools.desk.hold(slot)
      await block(tools, { start: slot.end, end: '2027-03-01T00:00:00Z' })
    },
    frees: async ({ shop }) => shop.minutesLater(10),
  },
  {
    what: 'a class is made larger',
    service: CLASS,
    async frees({ staff }) {
      const [session] = (await staff('sessions_list', sessions)).data.sessions
      await staff('sessions_resize', { session_id: session.id, capacity: 2 })
    },
  },
  {
    what: 'a class is added',
    service: CLASS,
    frees: ({ shop }) => {
      const more = [{ days: ['friday' as const], starts: '10:00' }]
      const larger = { ...classOfOne, sessions: [...(classOfOne.sessions ?? []), ...more] }
      return shop.apply({ ...salon, services: [larger, paidClass, chair, asked] })
    },
  },
  {
    what: 'a closure is lifted',
    service: CHAIR,
    begins: { ...salon, closures: [{ from: '2026-11-20', to: '2027-03-01', reason: 'New floors' }] },
    full: async () => {},
    frees: ({ shop }) => shop.apply(salon),
  },
  {
    what: 'somebody else can do it as well',
    service: CHAIR,
    frees: ({ shop }) => {
      const either = { ...chair, resources: [{ type: 'staff' as const, options: ['ann', 'ben'] }] }
      const resources = [...(salon.resources ?? []), { id: 'ben', type: 'staff' as const, name: 'Ben' }]
      return shop.apply({ ...salon, services: [classOfOne, paidClass, either, asked], resources })
    },
  },
  {
    what: 'blocked time is given back',
    service: CHAIR,
    full: (tools) => block(tools, { start: '2026-11-20T12:00:00Z', end: '2027-03-01T00:00:00Z' }),
    frees: unblock,
  },
]

test.each(sampling()(cases))('[WTL-028] [WTL-031] when $what, the first in line is offered it', async (one) => {
  const { service: service_id, full, forOne, begins = salon, frees } = one
  const shop = await openShop(begins)
  const desk = restDesk(shop)
  const { join, entry } = lineOf(desk)
  const staff: Tools['staff'] = async (what, input) => {
    const said = await desk.call(`usp_business_${what}`, { ...input }, { as: shop.staff })
    expect([what, said.code]).toEqual([what, undefined])
    return said
  }
  const tools: Tools = { desk, shop, staff, bookings: [], others: [] }
  if (full) await full(tools)
  else for (const slot of await desk.slots(service_id)) tools.bookings.push((await desk.book(slot)).data.booking)
  const slot_id = forOne && tools.bookings[0]?.slot.id
  const waiting = []
  for (const name of ['Ann', 'Bob'])
    waiting.push((await join(name, { service_id, ...(slot_id && { slot_id }) })).data.entry.id)
  await runWaitlist(shop.runtime)
  expect([(await entry(waiting[0])).status, (await entry(waiting[1])).status]).toEqual(['waiting', 'waiting'])

  await frees(tools)
  await runWaitlist(shop.runtime)
  expect((await entry(waiting[0])).status).toBe('offered')
  const free = (await desk.slots(service_id)).filter(({ state }) => state === 'available' || state === 'limited')
  const second = (await entry(waiting[1])).status
  expect([second, free.length > 0]).not.toEqual(['waiting', true])
})
