import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { buyer, onBothDesks, testShop } from '../support/desk.ts'
import { tableContents } from '../support/table-contents.ts'
import { address, shopDefinition } from './shop.ts'

const secret = { card_number: '4111111111111111', security_code: 'code-737', passport: { scan: 'scan-of-C01X00T47' } }
const values = /4111111111111111|code-737|scan-of/
const traces = new RegExp(`${values.source}|card_number|security_code|passport`)

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    const { db } = shop.runtime
    const first = async (serviceId: string) => (await desk.slots(serviceId))[0]
    const stored = async (id: string) =>
      (await db.selectFrom('bookings').select('people').where('id', '=', id).executeTakeFirstOrThrow()).people

    describe('consent', () => {
      const consent = {
        analytics: true,
        marketing: false,
        preferences: true,
        sale_of_data: false,
        health_data: true,
        'x-acme-research': true,
      }

      test('[BKG-127] [BKG-130] choices are kept with the booking, those of vendors too', async () => {
        const { booking } = (await desk.book(await first('svc_free'), { buyer: { ...buyer, consent } })).data
        expect(booking.buyer.consent).toEqual(consent)
        expect((await desk.get(booking.id)).data.booking.buyer.consent).toEqual(consent)
        const seen = await desk.call('usp_business_bookings_get', { booking_id: booking.id }, { as: shop.staff })
        expect(seen.data.booking.buyer.consent).toEqual(consent)
      })

      test.each([
        ['nothing', undefined],
        ['none of them', {}],
        ['one of them', { analytics: true }],
      ])('[BKG-129] who is told %s is told nothing more', async (_, given) => {
        const told = { ...buyer, ...(given && { consent: given }) }
        const { booking } = (await desk.book(await first('svc_free'), { buyer: told })).data
        expect(booking.buyer).toEqual(told)
        expect(await stored(booking.id)).toEqual({ buyer: told })
      })

      test('[BKG-130] who withdraws a consent has it withdrawn', async () => {
        const { id } = (await desk.book(await first('svc_free'), { buyer: { ...buyer, consent } })).data.booking
        await desk.update(id, { buyer: { ...buyer, consent: { marketing: false } } })
        expect(await stored(id)).toEqual({ buyer: { ...buyer, consent: { marketing: false } } })
        await desk.update(id, { buyer })
        expect(await stored(id)).toEqual({ buyer })
      })
    })

    test('[BKG-132] what the protocol has no place for is neither kept, nor told, nor logged', async () => {
      const lines = shop.logged.length
      const booked = await desk.book(await first('svc_visit'), {
        ...secret,
        buyer: { ...buyer, ...secret },
        recipient: { ...buyer, ...secret },
        delivery_address: { ...address, ...secret, coordinates: { lat: 40.7, lng: -74, ...secret } },
        post_payment_return_request: { url: 'https://platform.example/back', ...secret },
      })
      const { booking } = booked.data
      expect(booking.delivery_address).toEqual({ ...address, coordinates: { lat: 40.7, lng: -74 } })
      const paid = (await desk.book(await first('svc_paid'), { payment: secret })).data.booking
      const told = [
        booked,
        await desk.hold(await first('svc_free'), secret),
        await desk.update(booking.id, { ...secret, buyer: { ...buyer, ...secret } }),
        await desk.pay(paid, { card: secret, ...secret }),
        await desk.get(paid.id),
        await desk.cancel(paid.id, secret),
        await desk.get(booking.id),
      ]
      for (const { code, data } of told) {
        expect([undefined, 'field_ignored']).toContain(code)
        // That it was ignored is told by its name, never with what was in it.
        const { messages, ...told } = data
        expect(JSON.stringify(told)).not.toMatch(traces)
        expect(JSON.stringify(messages ?? '')).not.toMatch(values)
      }
      expect(JSON.stringify(await tableContents(db))).not.toMatch(traces)
      expect(shop.logged.slice(lines).join('')).not.toMatch(traces)
    })

    describe('whoever it goes wrong for', () => {
      const person = {
        first_name: 'Wilhelmina',
        last_name: 'Featherstonehaugh',
        email: 'mina@featherstone.example',
        phone_number: '+442079460018',
      }
      const notes = 'Allergic to lavender'
      const where = { ...address, line1: '221B Baker Street' }
      const names = /Wilhelmina|Featherstone|2079460018|lavender|Baker Street/i
      const whole = { buyer: person, recipient: person, notes, delivery_address: where }

      test.each<[what: string, serviceId: string, more: object]>([
        ['is not known', 'svc_none', {}],
        ['sends a wrong e-mail address', 'svc_free', { buyer: { ...person, email: 'mina.featherstone.example' } }],
        ['sends a wrong telephone number', 'svc_free', { buyer: { ...person, phone_number: '2079460018 lavender' } }],
        ['sends a wrong country', 'svc_visit', { delivery_address: { ...where, country: 'Baker Street' } }],
        ['leaves something out', 'svc_free', { buyer: { ...person, last_name: undefined } }],
        ['sends a number for a name', 'svc_free', { buyer: { ...person, first_name: 17 } }],
        ['has no consent that counts', 'svc_free', { buyer: { ...person, consent: { marketing: 'lavender' } } }],
        ['comes alone to a pair', 'svc_pairs', {}],
        ['is too many', 'svc_class', { party_size: 7 }],
      ])('[BKG-134] neither answer nor log names a buyer who %s', async (_, service_id, more) => {
        const lines = shop.logged.length
        const slot = await first(service_id === 'svc_none' ? 'svc_free' : service_id)
        const said = await desk.book({ ...slot, service_id }, { ...whole, ...more })
        expect(said.code).toBeDefined()
        expect(JSON.stringify(said.data)).not.toMatch(names)
        expect(shop.logged.slice(lines).join('')).not.toMatch(names)
      })

      test('[BKG-134] nor when the database refuses a row and tells its log what was in it', async () => {
        const [slot, lines] = [await first('svc_hybrid'), shop.logged.length]
        await sql`alter table bookings add constraint full_up check (service_id <> 'svc_hybrid') not valid`.execute(db)
        const said = await desk.book(slot, whole)
        await sql`alter table bookings drop constraint full_up`.execute(db)
        expect(said.code).toBe('server_error')
        expect(JSON.stringify(said.data)).not.toMatch(names)
        const log = shop.logged.slice(lines).join('')
        expect(log).toMatch(/full_up/)
        expect(log).not.toMatch(names)
      })

      test('[BKG-134] nor do the metrics name who books', async () => {
        await desk.book(await first('svc_free'), whole)
        const { status, body } = await shop.raw({ method: 'GET', url: '/metrics' })
        expect(status).toBe(200)
        expect(String(body)).toMatch(/createBooking|usp_bookings_create/)
        expect(String(body)).not.toMatch(names)
      })
    })
  },
)
