import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { buyer, onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { statusSet } from './booking-rows.ts'
import { address, shopDefinition } from './shop.ts'

const recipient = { first_name: 'Tim', last_name: 'Williams', email: 'tim@example.com' }

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime
    const booked = async (serviceId: string, more = {}) =>
      (await desk.book((await desk.slots(serviceId))[0], more)).data.booking

    test('[BKG-066] new notes leave everything else as it was', async () => {
      const booking = await booked('svc_free', { recipient, notes: 'Old' })
      const { status, data } = await desk.update(booking.id, { notes: 'New' })
      expect(status).toBe(200)
      const { updated_at, revision, ...rest } = data.booking
      expect(booking).toMatchObject({ ...rest, notes: 'Old' })
      expect(rest).toMatchObject({ buyer, recipient, notes: 'New', slot: booking.slot })
      expect(data).not.toHaveProperty('messages')
    })

    test('[BKG-067] buyer and recipient can be replaced', async () => {
      const { id, updated_at } = await booked('svc_free')
      shop.minutesLater(1)
      const other = { first_name: 'Alicia', last_name: 'Jones', email: 'alicia@example.com' }
      await desk.update(id, { buyer: other, recipient })
      const { booking } = (await desk.get(id)).data
      expect(booking).toMatchObject({ buyer: other, recipient })
      expect(new Date(booking.updated_at)).toEqual(shop.time.now)
      expect(booking.updated_at).not.toBe(updated_at)
    })

    test('[BKG-068] a buyer is replaced whole: what the new one lacks is gone', async () => {
      const { id } = await booked('svc_free', { buyer: { ...buyer, phone_number: '+12125551234' } })
      expect((await desk.update(id, { buyer })).data.booking.buyer).toEqual(buyer)
      expect((await desk.get(id)).data.booking.buyer).toEqual(buyer)
    })

    test('[nothing of a booking grows without an end] it takes a hundred other addresses, and then only other names', async () => {
      const { id } = await booked('svc_free')
      const once = JSON.stringify(Array.from({ length: 99 }, (_, nth) => `somebody ${nth}`))
      await sql`update bookings set people = jsonb_set(people::jsonb, '{earlier}', ${once}::jsonb)::json where id = ${id}`.execute(
        db,
      )
      const to = (email: string, more = {}) => desk.update(id, { buyer: { ...buyer, email, ...more } })
      expect((await to('last@example.com')).data.booking.buyer.email).toBe('last@example.com')
      expect((await to('more@example.com')).code).toBe('invalid_transition')
      const { buyer: after } = (await to('last@example.com', { first_name: 'Another' })).data.booking
      expect([after.email, after.first_name]).toEqual(['last@example.com', 'Another'])
    })

    test.each(['buyer', 'recipient'])(
      '[BKG-068] a %s who is not whole is refused, and nothing changes',
      async (who) => {
        const { id } = await booked('svc_free')
        const before = await tableContents(db)
        const said = await desk.update(id, { notes: 'New', [who]: { email: 'new@example.com' } })
        expect([said.rpc ?? said.status, said.code]).toEqual([
          desk.binding === 'REST' ? 400 : -32600,
          'invalid_request',
        ])
        expect(await tableContents(db)).toEqual(before)
      },
    )

    test('[BKG-069] [BKG-070] the address stays, and who wants another is told so', async () => {
      const booking = await booked('svc_visit', { delivery_address: address })
      const elsewhere = { ...address, line1: '7 Oak Street' }
      const { status, data } = await desk.update(booking.id, { delivery_address: elsewhere, notes: 'Ring twice' })
      expect([status, data.booking.delivery_address, data.booking.notes]).toEqual([200, address, 'Ring twice'])
      expect(data.messages).toEqual([
        {
          type: 'warning',
          code: 'field_not_mutable',
          content: 'delivery_address cannot be changed here and stays unchanged.',
          path: '$.delivery_address',
        },
      ])
      expect((await desk.get(booking.id)).data.booking.delivery_address).toEqual(address)
    })

    test('[BKG-070] [BKG-071] what cannot be changed stays, each with a word on it', async () => {
      const [, , , other] = await desk.slots('svc_paid')
      const booking = await booked('svc_paid')
      const fixed = {
        service_id: 'svc_free',
        slot: { id: other.id, start: other.start, end: other.end, duration: other.duration },
        party_size: 3,
        status: 'confirmed',
        payment: { status: 'paid', timing: 'at_service', amount_due: 0 },
        resources: [],
        created_at: '2020-01-01T00:00:00Z',
      }
      const { data } = await desk.update(booking.id, { ...fixed, notes: 'New' })
      const { updated_at, revision, notes, ...rest } = data.booking
      expect([notes, booking]).toEqual(['New', expect.objectContaining(rest)])
      expect(data.messages.map(({ type, path }: { type: string; path: string }) => [type, path])).toEqual(
        Object.keys(fixed).map((name) => ['warning', `$.${name}`]),
      )
    })

    test('[BKG-070] alone they change nothing, not even the revision', async () => {
      const booking = await booked('svc_free')
      const before = await tableContents(db)
      const { data } = await desk.update(booking.id, { party_size: 3 })
      expect([data.booking, data.messages[0].path]).toEqual([booking, '$.party_size'])
      expect((await desk.update(booking.id, {})).data).toEqual({ usp: data.usp, booking })
      expect(await tableContents(db)).toEqual(before)
    })

    test('what no booking has is ignored, and its name alone is told', async () => {
      const { id } = await booked('svc_free')
      const { data } = await desk.update(id, { card_number: '4111111111111111', notes: 'New' })
      expect(data.booking.notes).toBe('New')
      expect(JSON.stringify(data.booking)).not.toMatch(/card_number/)
      expect(JSON.stringify(data)).not.toMatch(/4111/)
      expect(data.messages).toMatchObject([{ code: 'field_ignored', path: '$.card_number' }])
    })

    test.each(['canceled', 'completed', 'no_show'] as const)(
      '[LIV-069] a booking that is %s stays as it is',
      async (status) => {
        const { id } = await booked('svc_free')
        if (status === 'canceled') await desk.cancel(id)
        else await statusSet(db, id, status)
        const before = await tableContents(db)
        const said = await desk.update(id, { notes: 'Late' })
        expect([said.status, said.rpc, said.code]).toEqual([200, undefined, 'invalid_transition'])
        expect(said.data).not.toHaveProperty('booking')
        expect(await tableContents(db)).toEqual(before)
      },
    )

    test('[LIV-069] a booking that is under way can be corrected', async () => {
      const { id } = await booked('svc_free')
      await statusSet(db, id, 'in_progress')
      const { booking } = (await desk.update(id, { notes: 'Came late' })).data
      expect(booking).toMatchObject({ notes: 'Came late', status: 'in_progress' })
    })
  },
)
