import { describe, expect, test } from 'vitest'
import { claimEnd, claimTake } from '../../src/core/ledger/resource-claims.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { daily, EVERY_DAY, hours, idsOf, on } from './week.ts'

const withAnn: Partial<ServiceDefinition> = {
  resources: [{ type: 'staff', selectable: true, options: ['staff_ann'] }],
}
const { policies } = service('svc')

const definition = businessWith(
  [
    service('svc_cut', withAnn),
    service('svc_short', { ...withAnn, duration: { fixed: 'PT30M' } }),
    service('svc_asked', { ...withAnn, policies: { ...policies, confirmation_mode: 'manual' } }),
    service('svc_paid', { ...withAnn, policies: { ...policies, payment_timing: 'at_booking' } }),
    service('svc_class', {
      type: 'group',
      capacity: { max: 3 },
      sessions: [{ days: EVERY_DAY, starts: '15:00', resources: ['staff_zoe'] }],
    }),
    service('svc_zoe', { resources: [{ type: 'staff', options: ['staff_zoe'] }] }),
  ],
  {
    hours: daily('09:00', '16:00'),
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_zoe', type: 'staff', name: 'Zoe' },
    ],
  },
)

const days = Array.from({ length: 30 }, (_, index) =>
  new Date(Date.UTC(2026, 10, 24 + index)).toISOString().slice(0, 10),
)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const unused = days.values()
    const nextDay = () => on(unused.next().value ?? '')
    const noonOf = async (id: string, day: object) =>
      (await desk.slots(id, { ...day })).find(({ start }) => start.includes('T12:00'))

    /** Whatever takes noon of Ann's day, the times around it and no others are gone. */
    async function expectNoonTaken(day: object) {
      const cut = hours(await desk.slots('svc_cut', { ...day }))
      expect(cut).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00', '13:00', '13:30', '14:00', '14:30', '15:00'])
      const short = hours(await desk.slots('svc_short', { ...day }))
      expect(short).toHaveLength(12)
      expect(short).not.toContain('12:00')
      expect(short).not.toContain('12:30')
    }
    const expectNoonFree = async (day: object) =>
      expect(hours(await desk.slots('svc_cut', { ...day }))).toEqual(
        expect.arrayContaining(['11:30', '12:00', '12:30']),
      )

    test.each([
      ['svc_cut', 'confirmed'],
      ['svc_asked', 'pending'],
      ['svc_paid', 'requires_action'],
    ])('[AVL-060] [AVL-061] the time of a booking of %s, %s, is not offered for any service', async (id, status) => {
      const day = nextDay()
      const { data } = await desk.book(await noonOf(id, day))
      expect(data.booking.status).toBe(status)
      await expectNoonTaken(day)
    })

    test('[AVL-060] nor that of a booking that has begun', async () => {
      const day = nextDay()
      const { data } = await desk.book(await noonOf('svc_cut', day))
      await shop.runtime.db
        .updateTable('bookings')
        .set({ status: 'in_progress' })
        .where('id', '=', data.booking.id)
        .execute()
      await expectNoonTaken(day)
    })

    test('[AVL-060] nor that of a hold', async () => {
      const day = nextDay()
      const { data } = await desk.hold(await noonOf('svc_cut', day))
      await expectNoonTaken(day)
      await desk.release(data.hold.id)
      await expectNoonFree(day)
    })

    test.each(['offer', 'block'] as const)('[AVL-060] nor that of an %s', async (kind) => {
      const day = nextDay()
      const noon = Date.parse((await noonOf('svc_cut', day)).start)
      const time = { from: noon, to: noon + 3_600_000 }
      const holder = { kind, id: `${kind}_${day.start_date}` }
      const { db } = shop.runtime
      expect(await claimTake(db, { resources: ['staff_ann'], time, holder }, shop.time.now)).toBe(true)
      await expectNoonTaken(day)
      await runUnitOfWork(db, (tx) => claimEnd(tx, holder))
      await expectNoonFree(day)
    })

    test('[AVL-061] a class takes the time of its teacher, who is not offered for anything else', async () => {
      const day = nextDay()
      expect(await desk.slots('svc_class', day)).toHaveLength(1)
      expect(hours(await desk.slots('svc_zoe', day)).at(-1)).toBe('14:00')
    })

    test('[AVL-063] [HLD-024] a hold that has lapsed takes nothing, though nobody tidied up', async () => {
      const day = nextDay()
      await desk.hold(await noonOf('svc_cut', day))
      shop.time.now = new Date(START.getTime() + 10 * 60_000 - 1)
      await expectNoonTaken(day)
      shop.time.now = new Date(START.getTime() + 10 * 60_000)
      await expectNoonFree(day)
      shop.time.now = START
    })

    test('[AVL-063] nor the places it had', async () => {
      const day = nextDay()
      const [slot] = await desk.slots('svc_class', day)
      await desk.hold(slot, { spots: 3 })
      expect(await desk.slots('svc_class', day)).toEqual([])
      shop.minutesLater(10)
      expect((await desk.slots('svc_class', day))[0].capacity).toEqual({ total: 3, remaining: 3, held: 0 })
      shop.time.now = START
    })

    test('[AVL-064] a canceled booking gives its slot back at once', async () => {
      const day = nextDay()
      const slot = await noonOf('svc_cut', day)
      const { data } = await desk.book(slot)
      await expectNoonTaken(day)
      await desk.cancel(data.booking.id)
      expect(idsOf(await desk.slots('svc_cut', day))).toContain(slot.id)
      expect((await desk.book(slot)).data.booking.slot.id).toBe(slot.id)
    })

    test('[AVL-064] and its places of a class', async () => {
      const day = nextDay()
      const [slot] = await desk.slots('svc_class', day)
      const { data } = await desk.book(slot, { party_size: 3 })
      expect(await desk.slots('svc_class', day)).toEqual([])
      await desk.cancel(data.booking.id)
      expect(await desk.slots('svc_class', day)).toEqual([slot])
    })
  },
)

describe('of what nobody tells apart', async () => {
  await onBothDesks(
    () => testShop(businessWith([service('svc_alone')], { hours: daily('09:00', '11:00') })),
    (desk: Desk) => {
      test('[AVL-060] a service that names no resource is in one place at a time', async () => {
        const [slot] = await desk.slots('svc_alone', on('2026-11-24'))
        await desk.book(slot)
        expect(hours(await desk.slots('svc_alone', on('2026-11-24')))).toEqual(['10:00'])
      })
    },
  )
})

describe('of a business that is open at night', async () => {
  await onBothDesks(
    () => testShop(businessWith([service('svc_long', { duration: { fixed: 'PT105M' } })])),
    (desk: Desk) => {
      test('[AVL-060] a booking after midnight takes the times of the evening before that reach into it', async () => {
        const night = await desk.slots('svc_long', on('2026-11-25'))
        await desk.book(night.find(({ start }) => start.includes('T01:00')))
        expect(hours(await desk.slots('svc_long', on('2026-11-24'))).at(-1)).toBe('23:00')
      })
    },
  )
})
