import { expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { onBothDesks, type Said, testShop, type Who } from '../support/desk.ts'
import { sampleOf } from '../support/samples.ts'
import { shopDefinition } from './shop.ts'

const ADDRESS = 'hal@consents.example'
const buyer = {
  first_name: 'Hal',
  last_name: 'Sent',
  email: ADDRESS,
  consent: { marketing: false, sale_of_data: false },
}

/** Where an address may be read: by those who serve the buyer, and by the platform that sent it. A list is no export. */
const told = {
  staff: [
    'usp_business_bookings_get',
    'usp_business_bookings_list',
    'usp_business_customers_list',
    'usp_business_waitlist_get',
    'usp_business_waitlist_list',
  ],
  platform: ['usp_bookings_get', 'usp_waitlist_get', 'usp_waitlist_list'],
}

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    const tells = ({ data }: Said) => JSON.stringify(data).includes(ADDRESS)
    const open = (url: string) => shop.raw({ method: 'GET', url })

    test('[BKG-131] the address of a buyer who agrees to nothing is exported to nobody, in whatever way', async () => {
      const [slot] = await desk.slots('svc_queue')
      const { booking } = (await desk.book(slot, { buyer, party_size: 6 })).data
      const { entry } = (await desk.call('usp_waitlist_join', { service_id: 'svc_queue', buyer })).data
      const ids = { booking_id: booking.id, entry_id: entry.id, service_id: 'svc_queue', resource_id: 'staff_ann' }
      const readBy = async (as: Who) => {
        const found: string[] = []
        for (const operation of operations.filter(({ effect }) => effect === 'read')) {
          const input = Object.entries(sampleOf(operation)).map(([name, value]) => [name, Object(ids)[name] ?? value])
          if (tells(await desk.call(operation.tool, Object.fromEntries(input), { as }))) found.push(operation.tool)
        }
        return found.sort()
      }
      expect(await readBy(shop.staff)).toEqual(told.staff)
      expect(await readBy(shop.platform)).toEqual(told.platform)
      expect(await readBy(shop.other)).toEqual([])
      expect(await readBy({})).toEqual([])

      const { url } = (await desk.call('usp_business_calendars_create', {}, { as: shop.staff })).data
      const calendar = await open(new URL(url).pathname)
      expect(String(calendar.body)).toContain('BEGIN:VEVENT')
      const others = await Promise.all(['/.well-known/usp', '/services.jsonld', '/metrics'].map(open))
      for (const { status, body } of [calendar, ...others]) {
        expect(status).toBe(200)
        expect(JSON.stringify(body)).not.toContain(ADDRESS)
      }
    })
  },
)
