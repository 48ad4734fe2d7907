import { expect, test } from 'vitest'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import type { BusinessDefinition, RequirementDefinition } from '../../src/protocol/types.generated.ts'
import { on } from '../availability/week.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, type Said } from '../support/desk.ts'
import { lineOf, openShop } from './queue.ts'

const either = (more: Partial<RequirementDefinition>): RequirementDefinition[] => [
  { type: 'staff', options: ['ann', 'ben'], ...more },
]
const capacity = { max: 1, waitlist: true }
const salon = businessWith(
  [
    service('svc_chosen', { capacity, resources: either({ selectable: true }) }),
    service('svc_assigned', { capacity, resources: either({}) }),
    service('svc_room', { capacity, resources: [...either({ selectable: true }), { type: 'room' }] }),
    service('svc_long', {
      capacity,
      resources: either({ selectable: true }),
      duration: { range: { min: 'PT30M', max: 'PT90M', step: 'PT30M' } },
    }),
    service('svc_class', {
      type: 'group',
      capacity,
      sessions: ['11:00', '12:00'].map((starts) => ({ days: ['wednesday'], starts })),
    }),
  ],
  {
    hours: [{ days: ['tuesday', 'wednesday'], opens: '10:00', closes: '16:00' }],
    resources: [
      ...['ann', 'ben'].map((id) => ({ id, type: 'staff' as const, name: id })),
      ...['room_1', 'room_2'].map((id) => ({ id, type: 'room' as const, name: id })),
    ],
  },
)

interface Slot {
  id: string
  start: string
  end: string
  resources?: { id: string }[]
}

const told = ({ start, end, resources = [] }: Slot) =>
  [start.slice(11, 16), end.slice(11, 16), ...resources.map(({ id }) => id)].join(' ')

const dayOf = (id: string) => on(id === 'svc_class' ? '2026-11-25' : '2026-11-24')

test.each([
  ['svc_chosen', '12:00 13:00 ann', 'svc_chosen', '12:00 13:00 ann'],
  ['svc_chosen', '12:00 13:00 ben', 'svc_chosen', '12:00 13:00 ben'],
  ['svc_chosen', '12:00 13:00 ben', 'svc_room', '12:00 13:00 ben'],
  ['svc_room', '12:00 13:00 ben', 'svc_room', '12:00 13:00 ben'],
  ['svc_chosen', '12:00 13:00 ben', 'svc_long', '12:00 13:00 ben'],
  ['svc_long', '12:00 12:30 ben', 'svc_chosen', '11:30 12:30 ben'],
  ['svc_class', '12:00 13:00', 'svc_class', '12:00 13:00'],
])(
  '[WTL-032] of %s %s comes free: who waits for %s is offered %s, and nothing that was free before',
  async (booked, time, wanted, offered) => {
    const { named, wait, entry, book, desk } = await open()
    const all = await named(wanted)
    const booking = await book(booked, time)
    const { id, status } = await wait('Ann', { service_id: wanted })
    expect(status).toBe('waiting')
    await desk.cancel(booking)
    expect(await entry(id)).toMatchObject({
      status: 'offered',
      offered_slot: { slot_id: all.get(offered)?.id ?? offered },
    })
  },
)

test('[WTL-032] who waits for one of two at the same time is offered that one, and not the other', async () => {
  const { named, wait, entry, book, desk } = await open()
  const wanted = (await named('svc_chosen')).get('12:00 13:00 ann')?.id
  const bookings = [await book('svc_chosen', '12:00 13:00 ann'), await book('svc_chosen', '12:00 13:00 ben')]
  const { id } = await wait('Ann', { service_id: 'svc_chosen', slot_id: wanted })
  await desk.cancel(bookings[1] ?? '')
  expect(await entry(id)).toMatchObject({ status: 'waiting' })
  await desk.cancel(bookings[0] ?? '')
  expect(await entry(id)).toMatchObject({ status: 'offered', offered_slot: { slot_id: wanted } })
})

test('[WTL-032] what others can do all along did not come free when one of them does', async () => {
  const { wait, entry, book, desk } = await open()
  const booking = await book('svc_chosen', '12:00 13:00 ben')
  const { id } = await wait('Ann', { service_id: 'svc_assigned' })
  await desk.cancel(booking)
  expect((await entry(id)).status).toBe('waiting')
  const both = [await book('svc_assigned', '12:00 13:00'), await book('svc_assigned', '12:00 13:00')]
  await desk.cancel(String(both[0]))
  expect(await entry(id)).toMatchObject({ status: 'offered', offered_slot: { start: '2026-11-24T12:00:00-05:00' } })
})

test('[WTL-032] who waits for one slot is offered no other that begins at the same time', async () => {
  const { named, wait, entry, book, desk } = await open()
  const slot_id = (await named('svc_chosen')).get('12:00 13:00 ben')?.id
  const [ann, ben] = [await book('svc_chosen', '12:00 13:00 ann'), await book('svc_chosen', '12:00 13:00 ben')]
  const { id } = await wait('Ann', { service_id: 'svc_chosen', slot_id })
  await desk.cancel(ann)
  expect((await entry(id)).status).toBe('waiting')
  await desk.cancel(ben)
  expect(await entry(id)).toMatchObject({ status: 'offered', offered_slot: { slot_id } })
})

test('[WTL-050] what somebody declines is offered to the next as it was', async () => {
  const { wait, entry, book, desk, decline } = await open()
  const booking = await book('svc_chosen', '12:00 13:00 ben')
  const [ann, bob] = [await wait('Ann', { service_id: 'svc_chosen' }), await wait('Bob', { service_id: 'svc_chosen' })]
  await desk.cancel(booking)
  const { offered_slot } = await entry(ann.id)
  await decline(ann.id)
  expect(await entry(bob.id)).toMatchObject({ status: 'offered', offered_slot })
})

test('[WTL-032] by a change of the definition something comes free where it is about time', async () => {
  const { shop, wait, entry } = await open()
  const { id } = await wait('Ann', { service_id: 'svc_chosen' })
  const after = async (change: Partial<BusinessDefinition>) => {
    await shop.apply({ ...salon, ...change })
    await runWaitlist(shop.runtime)
    return (await entry(id)).status
  }
  expect(await after({ website: { welcome: 'Come in' } })).toBe('waiting')
  expect(await after({ hours: [{ days: ['tuesday'], opens: '10:00', closes: '20:00' }] })).toBe('offered')
})

async function open() {
  const shop = await openShop(salon)
  const desk = restDesk(shop)
  const named = async (id: string) =>
    new Map<string, Slot>((await desk.slots(id, dayOf(id))).map((one: Slot) => [told(one), one]))
  const book = async (id: string, time: string): Promise<string> => {
    const { data }: Said = await desk.book((await named(id)).get(time))
    return data.booking.id
  }
  return { shop, desk, named, book, ...lineOf(desk) }
}
