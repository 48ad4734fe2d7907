import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { onBothDesks, testShop } from '../support/desk.ts'

const salon = parse(readFileSync('examples/glamour-salon.yaml', 'utf8'))

await onBothDesks(
  () => testShop(salon),
  (desk) => {
    test('[BKG-001] [HLD-001] [PAY-034] from a slot over a hold to a paid, moved and canceled booking', async () => {
      const [slot, , other] = await desk.slots('svc_massage')
      const held = await desk.hold(slot)
      expect(held.data).toMatchObject({ hold: { status: 'active', slot_id: slot.id, spots: 1 } })
      const booked = await desk.book(slot, { hold_id: held.data.hold.id })
      expect(booked.data.booking).toMatchObject({
        status: 'requires_action',
        payment: { amount: 11000, tax_amount: 976 },
      })
      const paid = await desk.pay(booked.data.booking)
      expect(paid.data.booking).toMatchObject({ status: 'confirmed', payment: { status: 'paid', amount_due: 0 } })
      const moved = await desk.reschedule(paid.data.booking.id, other)
      expect(moved.data.booking).toMatchObject({
        id: booked.data.booking.id,
        slot: { id: other.id },
        status: 'confirmed',
      })
      const canceled = await desk.cancel(paid.data.booking.id, { reason: 'Plans changed' })
      expect(canceled.data.booking).toMatchObject({
        status: 'canceled',
        cancellation: { canceled_by: 'buyer', fee: 0, refund_amount: 11976 },
        payment: { status: 'refunded' },
      })
      expect((await desk.slots('svc_massage')).map(({ id }) => id)).toContain(slot.id)
    })

    test.each(['svc_haircut', 'svc_consult', 'svc_color', 'svc_yoga', 'svc_table', 'svc_bike', 'svc_call'])(
      '[BKG-004] a slot of %s can be booked straight away',
      async (id) => {
        const [slot] = await desk.slots(id)
        const { data } = await desk.book(slot)
        expect(data.booking).toMatchObject({ service_id: id, slot: { id: slot.id, start: slot.start } })
      },
    )
  },
)
