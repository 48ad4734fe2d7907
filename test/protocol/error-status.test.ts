import { afterEach, expect, test } from 'vitest'
import { shopDefinition } from '../bookings/shop.ts'
import { onBothDesks, testShop, WEEK } from '../support/desk.ts'
import { START } from '../support/server.ts'

await onBothDesks(
  () => testShop({ ...shopDefinition, registry: { enabled: true } }),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })

    test('[ERR-010] an answer with an error among its messages has the status error: availability of an unknown service', async () => {
      const { code, data } = await desk.call('usp_availability_query', { service_id: 'svc_none', ...WEEK })
      expect([code, data.usp.status, data.slots]).toEqual(['service_not_found', 'error', []])
    })

    test('[ERR-010] a search of the registry without a filter', async () => {
      const { code, data } = await desk.call('usp_registry_search_services')
      expect([code, data.usp.status]).toEqual(['validation_error', 'error'])
    })

    test('[ERR-010] a payment that comes too late', async () => {
      const { booking } = (await desk.book((await desk.slots('svc_paid'))[0])).data
      shop.time.now = new Date(booking.expires_at)
      const { code, data } = await desk.pay(booking)
      expect([code, data.usp.status, data.booking.status]).toEqual(['payment_expired', 'error', 'canceled'])
    })

    test('[ERR-010] an answer with warnings alone does not', async () => {
      const { data } = await desk.call('usp_services_lookup', { ids: ['svc_paid', 'svc_none'] })
      expect(data.messages[0].type).toBe('warning')
      expect(data.usp.status).not.toBe('error')
    })
  },
)
