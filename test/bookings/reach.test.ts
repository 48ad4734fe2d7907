import { expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { placesRefused } from '../definition/reading.ts'
import { businessWith, service } from '../support/definitions.ts'
import { expectProblem, onBothDesks, testShop } from '../support/desk.ts'

const rule = '[LIV-053] [where a field service does not go it is not booked]'

const visit = (id: string, service_limits?: ServiceDefinition['service_limits']): ServiceDefinition =>
  service(id, {
    type: 'field_service',
    channel: { type: 'at_buyer_location', service_area: 'Manhattan' },
    ...(service_limits && { service_limits }),
  })

const circle = { lat: 40.75, lng: -73.99, radius_km: 10 }
const postal_codes = { country: 'US', codes: ['100*', '10280', 'SW1A 1AA'] }
const definition = businessWith([
  visit('svc_anywhere'),
  visit('svc_circle', { circle }),
  visit('svc_codes', { postal_codes }),
  visit('svc_either', { circle, postal_codes }),
  visit('svc_dateline', { circle: { lat: 52, lng: 179.99, radius_km: 5 } }),
])

const home = { line1: '5 Elm Street', city: 'New York', country: 'US' }
/** A degree of latitude is 111.19 km. */
const north = (kilometres: number) => ({ lat: 40.75 + kilometres / 111.195, lng: -73.99 })

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const first = async (id: string) => (await desk.slots(id)).at(0)
    const bookAt = async (id: string, more: object) =>
      desk.book(await first(id), { delivery_address: { ...home, ...more } })

    test.each([
      ['svc_anywhere', {}],
      ['svc_circle', { coordinates: north(9.9) }],
      ['svc_codes', { postal_code: '10001' }],
      ['svc_codes', { postal_code: ' 100 25-1234' }],
      ['svc_codes', { postal_code: 'sw1a1aa' }],
      ['svc_either', { postal_code: '10280', coordinates: north(50) }],
      ['svc_either', { postal_code: '12180', coordinates: north(1) }],
      ['svc_either', { coordinates: north(1) }],
      ['svc_dateline', { coordinates: { lat: 52, lng: -179.99 } }],
    ])(`${rule} %s is booked at %j`, async (id, more) => {
      const { data } = await bookAt(id, more)
      expect(data.booking.delivery_address).toMatchObject(home)
      await desk.cancel(data.booking.id)
    })

    test.each([
      ['svc_circle', { coordinates: north(10.1) }, '', /travels to: Manhattan/],
      ['svc_circle', { postal_code: '10001' }, '.coordinates', /needs coordinates/],
      ['svc_circle', { coordinates: { lat: 40.75 } }, '.coordinates', /needs coordinates/],
      ['svc_codes', { postal_code: '10281' }, '', /travels to: Manhattan/],
      ['svc_codes', {}, '.postal_code', /needs postal_code/],
      ['svc_codes', { postal_code: '10001', country: 'MX' }, '', /travels to: Manhattan/],
      ['svc_codes', { country: 'MX' }, '', /travels to: Manhattan/],
      ['svc_either', { postal_code: '12180', coordinates: north(11) }, '', /travels to: Manhattan/],
      ['svc_either', {}, '.postal_code', /needs postal_code/],
    ])(`${rule} %s is refused at %j`, async (id, more, path, said) => {
      const slot = await first(id)
      const refused = await bookAt(id, more)
      expectProblem(refused, 'validation_error', `delivery_address${path}`)
      expect(refused.data.errors[0].message).toMatch(said)
      expect(await first(id)).toEqual(slot)
    })

    test(`${rule} but by the staff, who answer for it`, async () => {
      const { id: slot_id } = await first('svc_codes')
      const wish = { service_id: 'svc_codes', slot_id, buyer: { first_name: 'Jo' }, delivery_address: home }
      const { data } = await desk.call('usp_business_bookings_create', wish, { as: shop.staff })
      expect(data.booking.status).toBe('confirmed')
    })

    test(`${rule} the catalogue has the words alone`, async () => {
      const { data } = await desk.call('usp_services_get', { service_id: 'svc_codes' }, { as: {} })
      expect(data.service.channel).toEqual({ type: 'at_buyer_location', service_area: 'Manhattan' })
      expect(data.service).not.toHaveProperty('service_limits')
    })
  },
)

test(`${rule} limits belong to what comes to the buyer, and say something`, () => {
  const refused = (more: Partial<ServiceDefinition>) => placesRefused(businessWith([{ ...visit('svc_a'), ...more }]))
  const limits = { circle }
  expect(refused({ service_limits: limits })).toEqual([])
  const here = { type: 'appointment', channel: { type: 'at_business_location' as const } }
  expect(refused({ ...here, service_limits: limits })).toEqual(['services[svc_a].service_limits'])
  expect(refused({ service_limits: {} })).toEqual(['services[svc_a].service_limits'])
})
