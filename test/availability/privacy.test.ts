import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, type Desk, onBothDesks, restDesk, testShop } from '../support/desk.ts'
import { daily, EVERY_DAY, idsOf, on, who } from './week.ts'

const definition = businessWith(
  [
    service('svc_cut', { resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }] }),
    service('svc_other'),
    service('svc_class', { type: 'group', capacity: { max: 8 }, sessions: [{ days: EVERY_DAY, starts: '09:00' }] }),
  ],
  {
    hours: daily('09:00', '11:00'),
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_ben', type: 'staff', name: 'Ben' },
    ],
  },
)

const everything = (desk: Desk) =>
  Promise.all(
    ['svc_cut', 'svc_other', 'svc_class'].flatMap((service_id) =>
      [{ as: {} }, {}].map((ask) =>
        desk.call('usp_availability_query', { service_id, ...on('2026-11-24'), limit: 200 }, ask),
      ),
    ),
  )

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    test('[AVL-071] nothing of who booked or held shows in what is free', async () => {
      const secret = { ...buyer, first_name: 'Wilhelmina', last_name: 'Xanthopoulos', email: 'w.x@example.org' }
      const phone_number = '+12125550147'
      const seen: string[] = [...Object.values(secret), phone_number]
      for (const id of ['svc_cut', 'svc_other', 'svc_class']) {
        const [slot, other] = await desk.slots(id, on('2026-11-24'))
        const booked = await desk.book(slot, { buyer: { ...secret, phone_number }, notes: 'Fear of scissors' })
        const held = await desk.hold(id === 'svc_class' ? slot : other)
        seen.push(booked.data.booking.id, 'Fear of scissors', ...(held.data.hold ? [held.data.hold.id] : []))
      }
      const answers = JSON.stringify(await everything(desk))
      expect(seen.filter((word) => answers.includes(word))).toEqual([])
    })

    test('[AVL-072] to ask takes nothing', async () => {
      const before = await everything(desk)
      for (let count = 0; count < 5; count++) await everything(desk)
      const bodies = (said: typeof before) => said.map(({ data }) => data.slots)
      expect(bodies(await everything(desk))).toEqual(bodies(before))
    })

    test('[AVL-073] a slot can be held, booked and moved to by its id', async () => {
      const slots = (await desk.slots('svc_cut', on('2026-11-25'))).filter((slot) => who(slot) === 'staff_ann')
      const held = await desk.hold(slots[0])
      expect(held.data.hold.slot_id).toBe(slots[0].id)
      await desk.release(held.data.hold.id)
      const booked = await desk.book(slots[0])
      expect(booked.data.booking.slot.id).toBe(slots[0].id)
      const moved = await desk.reschedule(booked.data.booking.id, slots[2])
      expect(moved.data.booking.slot).toMatchObject({ id: slots[2].id, start: slots[2].start })
      expect(idsOf(await desk.slots('svc_cut', on('2026-11-25')))).toContain(slots[0].id)
    })

    test('[AVL-073] an id is good in every language and zone, and as long as the slot is', async () => {
      const [slot] = await desk.slots('svc_cut', on('2026-11-26'))
      const [same] = await desk.slots('svc_cut', { ...on('2026-11-26'), timezone: 'America/Bogota', locale: 'es' })
      expect(same.id).toBe(slot.id)
      shop.minutesLater(3 * 24 * 60)
      expect((await desk.book(slot)).data.booking.slot.id).toBe(slot.id)
      shop.minutesLater(-3 * 24 * 60)
    })

    test('[AVL-074] an id with one character changed names nothing', async () => {
      const [slot] = await desk.slots('svc_cut', on('2026-11-27'))
      for (let at = 0; at < slot.id.length; at++)
        for (const letter of ['A', 'B', 'é', '', '~'].filter((one) => one !== slot.id[at])) {
          const id = slot.id.slice(0, at) + letter + slot.id.slice(at + 1)
          expect(await desk.hold({ ...slot, id }), id).toMatchObject({ status: 200, code: 'slot_unavailable' })
        }
      expect((await desk.book({ ...slot, id: `${slot.id.slice(0, -1)}é` })).code).toBe('slot_unavailable')
    })

    test.each([
      'x',
      'slot_',
      'slot_20260315_0900',
      ' ',
      'null',
      'é'.repeat(40),
      '\u0001',
      'slot_c3ZjX2N1dH4AAAAAAAAAAAAA',
    ])('[AVL-074] the id %j, which was never given out, names nothing', async (id) => {
      for (const say of [desk.hold, desk.book])
        expect(await say({ id, service_id: 'svc_cut' })).toMatchObject({ status: 200, code: 'slot_unavailable' })
    })

    test('[AVL-075] the profile says that slots can be held', async () => {
      const { body } = await shop.rest('GET', '/.well-known/usp')
      expect(body.usp.capabilities['dev.usp-protocol.services.availability']).toMatchObject([{ holds: true }])
    })
  },
)

test('[AVL-074] an id of what the business no longer offers names nothing', async () => {
  const shop = await testShop(definition)
  const desk = restDesk(shop)
  const slots = await desk.slots('svc_cut', on('2026-11-24'))
  await shop.apply({ ...definition, hours: daily('09:15', '10:45') })
  await expect.poll(async () => (await desk.slots('svc_cut', on('2026-11-24'))).length).toBe(4)
  for (const slot of slots) {
    expect((await desk.hold(slot)).code).toBe('slot_unavailable')
    expect((await desk.book(slot)).code).toBe('slot_unavailable')
  }
})
