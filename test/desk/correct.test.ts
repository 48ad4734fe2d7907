import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { asRecord } from '../../src/infra/util/object-members.ts'
import { buyer, onBothDesks, testShop } from '../support/desk.ts'
import { at, studio, tuesday, walkIn } from './studio.ts'

const priced = studio.services.find(({ id }) => id === 'svc_paid')
const perHead = priced && {
  ...priced,
  id: 'svc_tour',
  type: 'group' as const,
  capacity: { min: 1, max: 4 },
  sessions: [{ days: ['tuesday' as const], starts: '10:00' }],
  pricing: { model: 'per_person' as const, amount: 1000, currency: 'USD' },
}
const business = { ...studio, services: [...studio.services, ...(perHead ? [perHead] : [])] }

await onBothDesks(
  () => testShop(business),
  (desk, shop) => {
    const staff = (what: string, input: object) => desk.call(`usp_business_${what}`, { ...input }, { as: shop.staff })
    const correct = (booking_id: string, more: object) => staff('bookings_correct', { booking_id, ...more })
    const details = async (booking_id: string) => (await staff('bookings_get', { booking_id })).data
    const findings = async () => (await verify(shop.runtime.db, shop.time.now)).findings.listed
    let nth = 0
    const booked = async (service: string, more = {}) =>
      (await desk.book((await desk.slots(service))[nth++], more)).data.booking
    const table = async (time: string, party_size = 2) =>
      (await staff('bookings_create', { service_id: 'svc_table', start: tuesday(time), party_size, buyer: walkIn }))
        .data.booking
    const sittingAt = async (id: string) => (await details(id)).details.resource_ids

    test('[whoever made it] names, numbers and the note are corrected, and the platform sees it under a new revision', async () => {
      const recipient = { first_name: 'Rita', last_name: 'Rees', email: 'rita@example.com' }
      const before = await booked('svc_counter', { recipient, notes: 'By the window' })
      const { data } = await correct(before.id, {
        buyer: { last_name: 'Wiliams', phone_number: '+12125550143' },
        recipient: { first_name: 'Rita Mae' },
        notes: '',
      })
      const after = (await desk.get(before.id)).data.booking
      expect(after).toEqual(data.booking)
      expect(after.revision).not.toBe(before.revision)
      expect(after.buyer).toEqual({ ...buyer, last_name: 'Wiliams', phone_number: '+12125550143' })
      expect(after.recipient).toEqual({ ...recipient, first_name: 'Rita Mae' })
      expect(after).not.toHaveProperty('notes')
      const { changes } = await details(before.id)
      expect(changes.at(-1)).toMatchObject({
        action: 'correct',
        actor: expect.stringMatching(/^staff:/),
      })
      expect(changes.at(-1).detail).toEqual({ members: ['buyer', 'recipient', 'notes'] })
      const found = await staff('bookings_list', { query: 'wiliams' })
      expect(found.data.bookings.map(({ id }: { id: string }) => id)).toEqual([before.id])
    })

    test('what is as it was stays as it was, and an address or a number can be taken out', async () => {
      const { id, revision } = await booked('svc_counter', { buyer: { ...buyer, phone_number: '+12125550143' } })
      expect((await correct(id, { buyer: { first_name: 'Alice' }, party_size: 1 })).data.booking.revision).toBe(
        revision,
      )
      const { booking } = (await correct(id, { buyer: { phone_number: null, email: null } })).data
      expect(booking.buyer).toMatchObject({ first_name: 'Alice', email: expect.stringMatching(/\.invalid$/) })
      expect(booking.buyer).not.toHaveProperty('phone_number')
    })

    test.each<[string, object, string, string]>([
      ['a number that is none', { buyer: { phone_number: 'soon' } }, 'validation_error', 'buyer.phone_number'],
      [
        'a first name without a visible character',
        { buyer: { first_name: '\u3164' } },
        'validation_error',
        'buyer.first_name',
      ],
      ['a recipient where there is none', { recipient: { first_name: 'Rita' } }, 'validation_error', 'recipient'],
      ['more than one is for', { party_size: 5 }, 'capacity_exceeded', 'party_size'],
    ])('refused is %s', async (_, more, code, member) => {
      const { id, revision } = await table('09:00')
      const said = await correct(id, more)
      const { errors, messages } = said.data
      expect([said.code, errors?.[0].field ?? messages[0].path.slice('$.'.length)]).toEqual([code, member])
      expect((await details(id)).booking.revision).toBe(revision)
      await staff('bookings_cancel', { booking_id: id })
    })

    test('nobody is corrected in what is over or erased', async () => {
      const [over, erased] = [await booked('svc_counter'), await booked('svc_counter')]
      await desk.cancel(over.id)
      await staff('bookings_erase', { booking_id: erased.id })
      for (const { id } of [over, erased])
        expect((await correct(id, { buyer: { first_name: 'Bea' } })).code).toBe('invalid_transition')
      expect((await correct('bkg_none', { notes: 'x' })).code).toBe('booking_not_found')
    })

    test('more people get the table that seats them, or none where it is taken; fewer stay where they are', async () => {
      const [one, other] = [await table('12:00'), await table('14:00')]
      expect(await sittingAt(one.id)).toEqual(['table_2'])
      const { data } = await correct(one.id, { party_size: 4 })
      expect(data.booking).toMatchObject({ party_size: 4, slot: one.slot, resources: [{ id: 'table_4' }] })
      expect(await sittingAt(one.id)).toEqual(['table_4'])
      await correct(one.id, { party_size: 2 })
      expect(await sittingAt(one.id)).toEqual(['table_4'])

      await table('14:00', 4)
      const refused = await correct(other.id, { party_size: 3 })
      expect([refused.code, await sittingAt(other.id)]).toEqual(['capacity_exceeded', ['table_2']])
      const squeezed = (await correct(other.id, { party_size: 3, override: ['capacity'] })).data.booking
      expect([squeezed.party_size, await sittingAt(other.id)]).toEqual([3, ['table_2']])
      expect((await details(other.id)).details.overridden).toEqual(['capacity'])
      expect(await findings()).toEqual([])
    })

    test('a larger table for a booking that has begun overrides no other rule than before', async () => {
      const early = { service_id: 'svc_table', start: tuesday('07:00'), party_size: 2, buyer: walkIn }
      const { booking } = (await staff('bookings_create', { ...early, override: ['hours'] })).data
      expect((await details(booking.id)).details.overridden).toEqual(['hours'])
      await at(shop, tuesday('07:15'), () => correct(booking.id, { party_size: 4 }))
      expect(await sittingAt(booking.id)).toEqual(['table_4'])
      expect((await details(booking.id)).details.overridden).toEqual(['hours'])
    })

    test('[links are renewed] a corrected address, or the staff, end the links that were given out before', async () => {
      const { id, booking_url: first } = await booked('svc_counter')
      const opens = async (url: string) =>
        Number((await shop.raw({ method: 'GET', url: new URL(url).pathname })).status) === 200
      expect(await opens(first)).toBe(true)
      const renamed = (await correct(id, { buyer: { last_name: 'Renamed' } })).data.booking
      expect([renamed.booking_url, await opens(first)]).toEqual([first, true])
      const second = (await correct(id, { buyer: { email: 'right@example.com' } })).data.booking.booking_url
      expect([await opens(first), await opens(second)]).toEqual([false, true])
      const third = (await correct(id, { renew_links: true })).data.booking.booking_url
      expect([await opens(first), await opens(second), await opens(third)]).toEqual([false, false, true])
      for (const forged of [third.replace('/2.', '/3.'), third.replace('/2.', '/'), second.replace('/1.', '/2.')])
        expect([forged, await opens(forged)]).toEqual([forged, false])
      const mailed = await shop.runtime.db
        .selectFrom('mails')
        .selectAll()
        .where('recipient', '=', 'right@example.com')
        .execute()
      expect(mailed.map(({ snapshot }) => asRecord(asRecord(snapshot).record).links_renewed)).toContain(1)
      const { changes } = await details(id)
      expect(changes.at(-1)).toMatchObject({ action: 'correct', detail: { links: 'renewed' } })
    })

    test('more take more places of a class, and pay by the head; what fewer paid too much goes back', async () => {
      const [slot] = await desk.slots('svc_tour')
      const { booking } = (await desk.book(slot, { party_size: 1 })).data
      expect(booking.payment).toMatchObject({ amount: 1000, amount_due: 1000 })
      const more = (await correct(booking.id, { party_size: 3 })).data.booking
      expect(more).toMatchObject({ status: 'requires_action', payment: { amount: 3000, amount_due: 3000 } })
      await desk.pay(more)
      const fourth = (await correct(booking.id, { party_size: 4 })).data.booking
      expect(fourth).toMatchObject({ status: 'confirmed', payment: { amount: 4000, amount_due: 1000 } })
      const free = async () => (await desk.slots('svc_tour')).find(({ id }) => id === slot.id)?.capacity.remaining ?? 0
      expect(await free()).toBe(0)
      expect((await correct(booking.id, { party_size: 5, override: ['capacity'] })).code).toBe('capacity_exceeded')
      const fewer = (await correct(booking.id, { party_size: 2 })).data.booking
      expect(fewer.payment).toMatchObject({ amount: 2000, amount_due: 0, refund_amount: 1000 })
      expect(await free()).toBe(2)
      const { changes } = await details(booking.id)
      expect(changes.at(-1)).toMatchObject({ action: 'correct', detail: { party_size: { from: 4, to: 2 } } })
      expect(await findings()).toEqual([])
    })
  },
)
