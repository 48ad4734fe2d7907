import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { expectFault } from '../definition/reading.ts'
import { inStudio, studio, tuesday, walkIn } from './studio.ts'

test.each(['P0D', 'a year', 365, 'P400000Y'])('[BKG-136] %j is no time for which people can be known', (wrong) =>
  expectFault({ ...studio, privacy: { retention: 'P1Y' } }, 'privacy.retention', wrong),
)

await inStudio((_desk, staff, shop) => {
  test('[BKG-136] people are forgotten when the business no longer wants to know them, and bookings stay', async () => {
    const made = async (start: string) => {
      const { data } = await staff('bookings_create', { service_id: 'svc_cut', start, buyer: walkIn })
      return data.booking.id
    }
    const [old, recent] = [await made(tuesday('09:00')), await made('2026-11-27T09:00:00-05:00')]
    await staff('bookings_start', { booking_id: old })
    await staff('bookings_complete', { booking_id: old })
    const before = shop.time.now
    try {
      await shop.apply({ ...studio, privacy: { retention: 'P30D' } })
      // The server takes a second to see what was applied.
      await expect.poll(async () => (await shop.runtime.business.get())?.privacy).toBeDefined()
      for (const [moment, forgotten] of [
        ['2026-12-24T14:59:00Z', []],
        ['2026-12-24T15:00:00Z', [old]],
        ['2026-12-27T15:00:00Z', [old, recent]],
      ] as const) {
        shop.time.now = new Date(moment)
        await shop.runtime.db.deleteFrom('housekeeping').execute()
        await runHousekeeping(shop.runtime)
        for (const id of [old, recent]) {
          const { booking } = (await staff('bookings_get', { booking_id: id })).data
          expect(booking.buyer.first_name).toBe(forgotten.some((one) => one === id) ? 'Erased' : 'Walter')
        }
      }
      const { booking, changes } = (await staff('bookings_get', { booking_id: old })).data
      expect(booking).toMatchObject({
        status: 'completed',
        slot: { start: tuesday('09:00') },
        resources: [{ id: 'staff_ann' }],
      })
      expect(changes.at(-1)).toMatchObject({ action: 'erase', actor: 'system' })
    } finally {
      shop.time.now = before
    }
  })
})
