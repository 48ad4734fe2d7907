import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks } from '../support/desk.ts'
import { lineOf, openShop, person } from './queue.ts'

const salon = businessWith(
  [
    service('svc_class', {
      type: 'group',
      capacity: { max: 1, waitlist: true },
      sessions: [{ days: ['tuesday', 'wednesday'], starts: '10:00' }],
    }),
    service('svc_chair', { capacity: { max: 1, waitlist: true }, resources: [{ type: 'staff', options: ['ann'] }] }),
  ],
  {
    hours: [{ days: ['tuesday', 'wednesday'], opens: '10:00', closes: '11:00' }],
    resources: [{ id: 'ann', type: 'staff', name: 'Ann' }],
  },
)

/** Nothing is swept here either. */
await onBothDesks(
  () => openShop(salon),
  (desk, shop) => {
    const { join, entry, leave } = lineOf(desk)
    const evening = { preferred_slots: [{ time_of_day: 'evening' }] }

    test.each(['svc_class', 'svc_chair'])(
      '[WTL-050] what has lapsed of %s and nobody in line wants is anybody’s',
      async (service_id) => {
        for (const take of [desk.hold, desk.book]) {
          const [slot] = await desk.slots(service_id)
          await desk.hold(slot)
          const { id } = (await join('Ann', { service_id, ...evening })).data.entry
          shop.minutesLater(11)
          const shown = (await desk.slots(service_id)).filter(({ state }) => state === 'available')
          expect(shown.map((one: { id: string }) => one.id)).not.toContain(slot.id)
          const { data } = await take(slot, {}, { as: shop.other })
          expect(data.hold ?? data.booking).toBeDefined()
          expect((await entry(id)).status).toBe('waiting')
          await leave(id)
          if (data.hold) await desk.release(data.hold.id, { as: shop.other })
          else await desk.cancel(data.booking.id, {}, { as: shop.other })
        }
      },
    )

    test.each(['svc_class', 'svc_chair'])(
      '[AVL-060] with nobody in line what lapsed of %s is shown as free',
      async (service_id) => {
        const [slot] = await desk.slots(service_id)
        await desk.hold(slot)
        shop.minutesLater(11)
        expect((await desk.slots(service_id))[0]).toMatchObject({ id: slot.id, state: 'available' })
        const { data } = await join('Zoe', { service_id, buyer: person('Zoe'), slot_id: slot.id })
        expect(data.entry.status).toBe('offered')
        await leave(data.entry.id)
      },
    )

    test('[what the business keeps for itself] lapsed time that somebody waits for can be blocked all the same', async () => {
      const [slot] = await desk.slots('svc_chair')
      await desk.hold(slot)
      const { id } = (await join('Bea', { service_id: 'svc_chair', slot_id: slot.id })).data.entry
      shop.minutesLater(11)
      const input = { resource_id: 'ann', start: slot.start, end: slot.end }
      const { block } = (await desk.call('usp_business_blocks_create', input, { as: shop.staff })).data
      expect((await entry(id)).status).toBe('waiting')
      await desk.call('usp_business_blocks_remove', { block_id: block.id }, { as: shop.staff })
      expect((await entry(id)).status).toBe('offered')
      await leave(id)
    })

    test('[AVL-060] nor does it keep anybody away that those who waited are over by the clock', async () => {
      const [slot] = await desk.slots('svc_chair')
      await join('Ann', { service_id: 'svc_chair', preferred_slots: [{ end_date: '2026-11-20' }] })
      shop.minutesLater(24 * 60)
      await desk.hold(slot)
      shop.minutesLater(11)
      expect((await desk.slots('svc_chair'))[0]).toMatchObject({ id: slot.id })
    })
  },
)
