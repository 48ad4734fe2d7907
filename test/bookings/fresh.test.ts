import { expect, test } from 'vitest'
import { onBothDesks, type Said, testShop } from '../support/desk.ts'
import { shopDefinition } from './shop.ts'

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    /** What was said, which nobody on the way may keep. */
    const fresh = async (saying: Promise<Said>) => {
      const { headers, data } = await saying
      expect(headers['cache-control']).toBe('no-store')
      return data
    }
    const query = { service_id: 'svc_asked', start_date: '2026-11-24', end_date: '2026-11-24', limit: 200 }
    const ids = async (): Promise<string[]> =>
      (await fresh(desk.call('usp_availability_query', query, { as: {} }))).slots.map(({ id }: { id: string }) => id)

    test('[CAT-093] answers about time and bookings are kept by nobody, and each tells of the change before it', async () => {
      const [slot, , other] = await desk.slots('svc_asked')
      expect(await ids()).toContain(slot.id)
      const { hold } = await fresh(desk.hold(slot))
      expect(await ids()).not.toContain(slot.id)
      await fresh(desk.release(hold.id))
      expect(await ids()).toContain(slot.id)
      const { id } = (await fresh(desk.book(slot))).booking
      expect(await ids()).not.toContain(slot.id)
      await fresh(desk.book(slot, {}, { as: shop.other }))
      await fresh(desk.update(id, { notes: 'Quiet, please' }))
      expect((await fresh(desk.get(id))).booking.notes).toBe('Quiet, please')
      await fresh(desk.confirm(id))
      expect((await fresh(desk.get(id))).booking.status).toBe('confirmed')
      await fresh(desk.reschedule(id, other))
      expect(await ids()).toContain(slot.id)
      expect(await ids()).not.toContain(other.id)
      await fresh(desk.pay({ id }))
      await fresh(desk.cancel(id))
      expect((await fresh(desk.get(id))).booking.status).toBe('canceled')
      expect(await ids()).toContain(other.id)
    })

    test('[CAT-069] whatever business a platform names, it books with the one that it asks', async () => {
      const [slot] = await desk.slots('svc_free')
      const elsewhere = { business_id: 'biz_other' }
      const { booking } = (await desk.book(slot, elsewhere)).data
      const updated = (await desk.update(booking.id, { ...elsewhere, notes: 'A' })).data
      expect(updated.messages).toMatchObject([{ code: 'field_ignored', path: '$.business_id' }])
      for (const one of [booking, updated.booking]) {
        expect(one).toMatchObject({ id: booking.id, service_id: 'svc_free', status: 'confirmed' })
        expect(JSON.stringify(one)).not.toContain('biz_other')
      }
    })
  },
)
