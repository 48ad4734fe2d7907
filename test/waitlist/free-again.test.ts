import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { type Desk, onBothDesks, type Shop, testShop } from '../support/desk.ts'
import { salon } from './doors.ts'
import { person } from './queue.ts'

const MONTH = { start_date: '2026-12-01', end_date: '2026-12-30' }

/** No worker of the waitlist runs here. */
await onBothDesks(
  () => testShop(salon),
  (desk: Desk, shop: Shop) => {
    const freeOf = async (service: string) =>
      (await desk.slots(service, MONTH)).filter(({ state }) => state !== 'waitlist')
    const isFree = async (service: string, id: string) => (await freeOf(service)).some((slot) => slot.id === id)

    test.each([
      ['svc_other', 'a canceled booking'],
      ['svc_other', 'a released hold'],
      ['svc_class', 'a canceled booking'],
      ['svc_class', 'a released hold'],
    ])(
      '[AVL-064] the time of %s is free as soon as %s is answered, though another call makes offers to the waitlist',
      async (service, what) => {
        const [full] = await freeOf('svc_class')
        const { booking } = (await desk.book(full)).data
        const slot = (await freeOf(service)).find(({ start }) => start !== full.start)
        if (!slot) throw new Error('There is no second slot')
        const buyer = person(`Ada${service.slice(4)}${what.at(2)}`)
        const { entry } = (await desk.call('usp_waitlist_join', { service_id: 'svc_class', slot_id: full.id, buyer }))
          .data
        expect(entry.status).toBe('waiting')

        const isHeld = what === 'a released hold'
        const { data } = isHeld ? await desk.hold(slot) : await desk.book(slot)
        expect(await isFree(service, slot.id)).toBe(false)
        const locked = Promise.withResolvers<void>()
        const another = runUnitOfWork(shop.runtime.db, async (tx) => {
          await sql`select pg_advisory_xact_lock(hashtextextended('waitlist', 0))`.execute(tx)
          locked.resolve()
          await setTimeout(300)
        })
        await locked.promise
        const ended = await (isHeld ? desk.release(data.hold.id) : desk.cancel(data.booking.id))
        expect(ended.code).toBe(undefined)
        expect(await isFree(service, slot.id)).toBe(true)

        await another
        await desk.call('usp_waitlist_leave', { entry_id: entry.id })
        await desk.cancel(booking.id)
      },
    )
  },
)
