import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'

/** Seven in the morning there is the day before in UTC. */
const away = businessWith([service('svc_a')])
away.business.timezone = 'Pacific/Auckland'

await onBothDesks(
  () => testShop(away),
  (desk, shop) => {
    test('the staff ask for days as they are where the business is', async () => {
      const [slot] = await desk.slots('svc_a', { start_date: '2026-11-25T07:00:00+13:00', end_date: '2026-11-26' })
      expect(slot.start).toBe('2026-11-25T07:00:00+13:00')
      const { id } = (await desk.book(slot)).data.booking
      const on = async (day: string) => {
        const asked = { start_date: day, end_date: day }
        const { data } = await desk.call('usp_business_bookings_list', asked, { as: shop.staff })
        return data.bookings.map((booking: { id: string }) => booking.id)
      }
      expect([await on('2026-11-24'), await on('2026-11-25')]).toEqual([[], [id]])
    })
  },
)
