import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { random } from '../race/random.ts'
import { service } from '../support/definitions.ts'
import { type Desk, mcpDesk, restDesk } from '../support/desk.ts'
import { business, classOfOne, lineOf, openShop } from '../waitlist/queue.ts'

const STEPS = 40
const CHAIR = 'svc_chair'
const CLASS = 'svc_lesson'
const ROOM = 'svc_room'
const DAYS = ['tuesday', 'wednesday'] as const
const open = { days: [...DAYS], opens: '10:00', closes: '16:00' }
const definition = {
  ...business,
  resources: [
    ...['ann', 'ben', 'cat'].map((id) => ({ id, type: 'staff' as const, name: id })),
    ...['room_1', 'room_2'].map((id) => ({ id, type: 'room' as const, name: id })),
  ],
  services: [
    service(CHAIR, {
      capacity: { max: 1, waitlist: true },
      resources: [{ type: 'staff', selectable: true, options: ['ann', 'ben', 'cat'] }],
    }),
    service(ROOM, { resources: [{ type: 'staff', options: ['ann', 'ben', 'cat'] }, { type: 'room' }] }),
    {
      ...classOfOne,
      id: CLASS,
      capacity: { max: 3, waitlist: true },
      sessions: ['12:00', '15:00'].map((starts) => ({ days: [...DAYS], starts, resources: ['ann', 'room_1'] })),
    },
  ],
  hours: [open],
}

test('[a sick day] two desks and an agent clear the same time at once, while others book, move and wait: no circle, no place had twice', async () => {
  const shop = await openShop(definition)
  const desks = [restDesk(shop), mcpDesk(shop)] as const
  const deskOf = (seed: number): Desk => desks[seed % 2] ?? desks[0]
  const [codes, done] = [new Map<string, number>(), new Map<string, number>()]
  const slots = (await Promise.all([CHAIR, ROOM, CLASS].map((id) => desks[0].slots(id)))).flat()
  const days = [...new Set(slots.map(({ start }: { start: string }) => start.slice(0, 10)))]
  expect(days.length).toBeGreaterThan(0)

  const busy = async (seed: number, acts: ((numbers: ReturnType<typeof random>) => Promise<unknown>)[]) => {
    const numbers = random(seed)
    for (let step = 0; step < STEPS; step++) await numbers.pick(acts)?.(numbers)
  }
  const buyer = (seed: number) => {
    const desk = deskOf(seed)
    const { join, accept } = lineOf(desk)
    const [booked, queued]: [string[], string[]] = [[], []]
    return busy(seed, [
      async ({ pick }) => {
        const { data } = await desk.book(pick(slots))
        if (data.booking) booked.push(data.booking.id)
      },
      async ({ pick }) => {
        const slot = pick(slots)
        const { data } = await desk.hold(slot)
        if (data.hold) await desk.book(slot, { hold_id: data.hold.id })
      },
      async ({ pick }) => {
        const id = pick(booked)
        if (id) await desk.reschedule(id, pick(slots))
      },
      async () => {
        const id = booked.shift()
        if (id) await desk.cancel(id)
      },
      async ({ pick }) => {
        const { data } = await join(`Guest${seed}`, { service_id: pick([CLASS, CHAIR]) })
        if (data.entry) queued.push(data.entry.id)
      },
      async ({ pick }) => {
        const id = pick(queued)
        if (id) await accept(id)
      },
    ])
  }
  const clerk = (seed: number) => {
    const desk = deskOf(seed)
    const staff = (what: string, input: object) => desk.call(`usp_business_${what}`, { ...input }, { as: shop.staff })
    return busy(seed, [
      async ({ pick, next }) => {
        const [resource_id, day] = [pick(['ann', 'ben']), pick(days)]
        const from = 10 + Math.floor(next() * 5)
        const away = { resource_id, start: `${day}T${from}:00:00-05:00`, end: `${day}T${from + 2}:00:00-05:00` }
        const { bookings, sessions } = (await staff('time_affected', away)).data
        // biome-ignore lint/suspicious/noExplicitAny: as it was listed
        const decided = bookings.map(({ id, revision, actions, suggestion }: any) => {
          const action = suggestion && next() < 0.7 ? 'move' : pick(actions.filter((one: string) => one !== 'move'))
          const { end: _, ...to } = suggestion ?? {}
          return { booking_id: id, revision, action, ...(action === 'move' && to) }
        })
        const classes = sessions.map(({ id, taken }: { id: string; taken: number }) => ({
          session_id: id,
          taken,
          action: next() < 0.2 ? 'cancel' : 'keep',
        }))
        const { code = 'done', data } = await staff('time_clear', { ...away, bookings: decided, sessions: classes })
        codes.set(code, (codes.get(code) ?? 0) + 1)
        for (const what of ['moved', 'canceled', 'canceled_sessions'])
          done.set(what, (done.get(what) ?? 0) + (data[what]?.length ?? 0))
        // The time is free again for the next.
        for (const { id } of data.blocks ?? []) await staff('blocks_remove', { block_id: id })
      },
    ])
  }
  await Promise.all([...[1, 2, 3, 4, 8, 9].map(buyer), ...[5, 6, 7].map(clerk)])

  console.log(Object.fromEntries([...codes, ...done]))
  for (const what of ['moved', 'canceled', 'canceled_sessions']) expect(done.get(what)).toBeGreaterThan(0)
  expect([...codes.keys()]).toEqual(expect.arrayContaining(['done', 'invalid_transition']))
  expect(
    [...codes.keys()].filter((code) => !['done', 'invalid_transition', 'slot_unavailable'].includes(code)),
  ).toEqual([])
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  expect(shop.logged.filter((text) => /40P01|deadlock|"level":50/.test(text))).toEqual([])
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::integer from pg_stat_database where datname = current_database()`.execute(shop.runtime.db)
  expect(rows).toEqual([{ deadlocks: 0 }])
}, 120_000)
