import { afterEach, expect, test } from 'vitest'
import { expectProblem, onBothDesks, type Said, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { shopDefinition } from './shop.ts'

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime
    const first = async (serviceId: string) => (await desk.slots(serviceId))[0]
    const booked = async (serviceId: string) => (await desk.book(await first(serviceId))).data.booking
    const taken = async (serviceId: string) => {
      const slot = await first(serviceId)
      await desk.book(slot, {}, { as: shop.other })
      return slot
    }

    /** Each makes what is needed for a refusal, and returns the call that is refused. */
    const refusals: [what: string, code: string, prepare: () => Promise<() => Promise<Said>>][] = [
      [
        'a create for a slot that is taken',
        'slot_unavailable',
        async () => {
          const slot = await taken('svc_cut')
          return () => desk.book(slot)
        },
      ],
      [
        'a create with a hold that has ended',
        'hold_expired',
        async () => {
          const slot = await first('svc_free')
          const { hold } = (await desk.hold(slot)).data
          shop.minutesLater(10)
          return () => desk.book(slot, { hold_id: hold.id })
        },
      ],
      [
        'a create for too many',
        'capacity_exceeded',
        async () => {
          const slot = await first('svc_class')
          await desk.book(slot, { party_size: 5 })
          return () => desk.book(slot, { party_size: 2 })
        },
      ],
      [
        'a create with a hold for fewer than now come',
        'capacity_exceeded',
        async () => {
          const slot = (await desk.slots('svc_class')).at(-1)
          const { hold } = (await desk.hold(slot, { spots: 2 })).data
          await desk.book(slot, { party_size: 3 }, { as: shop.other })
          return () => desk.book(slot, { party_size: 4, hold_id: hold.id })
        },
      ],
      [
        'an update of a canceled booking',
        'invalid_transition',
        async () => {
          const { id } = await booked('svc_free')
          await desk.cancel(id)
          return () => desk.update(id, { notes: 'Late' })
        },
      ],
      [
        'a confirm of an unpaid booking',
        'invalid_transition',
        async () => {
          const { id } = await booked('svc_paid')
          return () => desk.confirm(id)
        },
      ],
      [
        'a cancel that the terms forbid',
        'cancellation_not_allowed',
        async () => {
          const { id } = await booked('svc_firm')
          return () => desk.cancel(id)
        },
      ],
      [
        'a second cancel',
        'invalid_transition',
        async () => {
          const { id } = await booked('svc_free')
          await desk.cancel(id)
          return () => desk.cancel(id)
        },
      ],
      [
        'a reschedule of a canceled booking',
        'invalid_transition',
        async () => {
          const { id } = await booked('svc_free')
          await desk.cancel(id)
          const slot = await first('svc_free')
          return () => desk.reschedule(id, slot)
        },
      ],
      [
        'a reschedule to a slot that is taken',
        'slot_unavailable',
        async () => {
          const { id } = await booked('svc_cut')
          const slot = await taken('svc_cut')
          return () => desk.reschedule(id, slot)
        },
      ],
      [
        'a reschedule with a hold that has ended',
        'hold_expired',
        async () => {
          const { id } = await booked('svc_free')
          const slot = await first('svc_free')
          const { hold } = (await desk.hold(slot)).data
          shop.minutesLater(10)
          return () => desk.reschedule(id, slot, { hold_id: hold.id })
        },
      ],
      [
        'a payment of another sum',
        'payment_amount_mismatch',
        async () => {
          const booking = await booked('svc_paid')
          return () => desk.pay(booking, { amount_paid: 1 })
        },
      ],
    ]

    test.each(refusals)(
      '[BKG-041] [BKG-042] [BKG-043] [BKG-061] %s is answered with %s alone, and leaves nothing behind',
      async (_, code, prepare) => {
        const call = await prepare()
        const before = await tableContents(db)
        const { status, rpc, data } = await call()
        expect([status, rpc]).toEqual([200, undefined])
        expect(Object.keys(data).sort()).toEqual(['messages', 'usp'])
        expect(data.messages).toEqual([
          expect.objectContaining({ type: 'error', code, content: expect.stringMatching(/\S/) }),
        ])
        expect(await tableContents(db)).toEqual(before)
      },
    )

    const problems: [what: string, code: 'booking_not_found' | 'validation_error', call: () => Promise<Said>][] = [
      [
        'a create with a name that fills a list of bookings',
        'validation_error',
        async () => {
          const buyer = { first_name: 'a'.repeat(50_000), last_name: 'b', email: 'a@example.com' }
          return desk.book(await first('svc_free'), { buyer })
        },
      ],
      [
        'a create with more to return than a payment needs',
        'validation_error',
        async () => {
          const params = { all: 'a'.repeat(50_000) }
          const back = { url: 'https://a.example/', params }
          return desk.book(await first('svc_free'), { post_payment_return_request: back })
        },
      ],
      ['a read of an unknown booking', 'booking_not_found', () => desk.get('bkg_none')],
    ]

    test.each(problems)('[LIV-001] [LIV-011] %s is the error %s, and leaves nothing behind', async (_, code, call) => {
      const before = await tableContents(db)
      expectProblem(await call(), code)
      expect(await tableContents(db)).toEqual(before)
    })

    test('[BKG-041] what was refused is not told of the booking later', async () => {
      const booking = await booked('svc_paid')
      await desk.pay(booking, { amount_paid: 1 })
      await desk.confirm(booking.id)
      expect((await desk.get(booking.id)).data.booking).not.toHaveProperty('messages')
    })
  },
)
