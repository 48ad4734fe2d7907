import { expect, test } from 'vitest'
import { bookingCalendar } from '../../src/domain/calendar/get-booking-calendar.ts'
import type { Operation } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { call } from '../access/callers.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, restDesk, testShop, type Who } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { fileOf } from './calendar-file.ts'

const shop = await testShop(
  businessWith(
    [
      service('svc_a', {
        resources: [{ type: 'staff', options: ['staff_a'] }],
        policies: { ...service('svc_a').policies, requires_payment: false },
      }),
    ],
    { resources: [{ id: 'staff_a', type: 'staff', name: 'Ann' }] },
  ),
)
const desk = restDesk(shop)
const slots = await desk.slots('svc_a')
const [slot, other] = [slots.at(0), slots.at(-1)]
const { booking } = (await desk.book(slot)).data

const key = testKey()
const platform = await testPlatform()
const shown = { now: shop.time.now, platform, proof: { key } }
const owned = (
  await call(shop, 'REST', operationOf('createBooking'), { slot_id: other.id, service_id: 'svc_a', buyer }, shown)
).payload

function operationOf(id: string): Operation {
  const found = operations.find((one) => one.id === id)
  if (!found) throw new Error(`There is no ${id}`)
  return found
}

const { bearer: _, ...nameless } = shop.platform
test.each<[what: string, who: Who]>([
  ['nothing but the id', {}],
  ['a profile alone', nameless],
  ['an unknown key', { ...nameless, bearer: `usk_${'x'.repeat(43)}` }],
  ['a staff token', { ...nameless, ...shop.staff }],
])('[ICS-011] the file is refused to a caller with %s', async (_, who) => {
  const { status, headers, body } = await fileOf(shop, booking.id, who)
  expect([status, body.code]).toEqual([401, 'authentication_required'])
  expect(headers['www-authenticate']).toBeDefined()
})

test('[ICS-011] a proof is judged for the address of the file', async () => {
  const input = { booking_id: owned.booking.id }
  expect(await call(shop, 'REST', bookingCalendar, input, shown)).toMatchObject({ status: 200, outcome: undefined })
  const htu = `http://127.0.0.1:8080/usp/v1/bookings/${owned.booking.id}`
  const misused = await call(shop, 'REST', bookingCalendar, input, { ...shown, proof: { key, claims: { htu } } })
  expect(misused).toMatchObject({ status: 401, code: 'pop_proof_invalid' })
})

test('[ICS-011] the credential of the booking opens its file, as long as it opens reading it, and no other file', async () => {
  const scoped = owned.booking_scoped_credential.value
  const file = (booking_id: string) => call(shop, 'REST', bookingCalendar, { booking_id }, { ...shown, scoped })
  const limitTo = (tool: string) =>
    shop.runtime.db
      .updateTable('scoped_credentials')
      .set({ scope: [tool] })
      .where('resource_id', '=', owned.booking.id)
      .execute()
  expect(await file(owned.booking.id)).toMatchObject({ status: 200, outcome: undefined })
  expect(await file(booking.id)).toMatchObject({ status: 401, code: 'authentication_required' })
  await limitTo('usp_bookings_get')
  expect(await file(owned.booking.id)).toMatchObject({ status: 200, outcome: undefined })
  await limitTo('usp_bookings_cancel')
  expect(await file(owned.booking.id)).toMatchObject({ status: 401, code: 'authentication_required' })
})

test('[ICS-012] another platform gets what an unknown booking gets, and what reading it would answer', async () => {
  const foreign = await fileOf(shop, booking.id, shop.other)
  const unknown = await fileOf(shop, 'bkg_none', shop.other)
  const read = await desk.get(booking.id, { as: shop.other })
  const { instance: _instance, ...told } = foreign.body
  expect(unknown.body).toMatchObject(told)
  expect(read.data).toMatchObject(told)
  expect([foreign.status, foreign.headers['content-type']]).toEqual([unknown.status, unknown.headers['content-type']])
  expect([foreign.status, told.code]).toEqual([404, 'booking_not_found'])
})

test('[ICS-011] its own platform has the file, and nobody on the way keeps it', async () => {
  const { status, headers } = await fileOf(shop, booking.id)
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
})

test.each(['POST', 'PUT', 'DELETE'] as const)('%s is not for a file', async (method) => {
  const { status, headers } = await shop.raw({ method, url: `/usp/v1/bookings/${booking.id}/calendar.ics` })
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
})
