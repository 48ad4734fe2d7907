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

    test('[LIV-010] [LIV-011] availability of an unknown service is a validation error about service_id', async () => {
      const { code, data } = await desk.call('usp_availability_query', { service_id: 'svc_none', ...WEEK })
      expect(code).toBe('validation_error')
      expect(data.errors).toEqual([{ field: 'service_id', message: expect.stringContaining('svc_none') }])
    })

    test.each(['usp_registry_search_services', 'usp_registry_search_business'])(
      '[LIV-011] %s without a filter is a validation error',
      async (tool) => {
        const { code, data } = await desk.call(tool)
        expect([code, data.errors.length]).toEqual(['validation_error', 1])
        expect(data.errors[0].message).toMatch(/\S/)
      },
    )

    test('[ERR-010] an answer with an error among its messages has the status error: a payment that comes too late', async () => {
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
