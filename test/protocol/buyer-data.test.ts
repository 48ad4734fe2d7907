import { describe, expect, test } from 'vitest'
import { shopDefinition } from '../bookings/shop.ts'
import { buyer, type Desk, onBothDesks, type Said, testShop } from '../support/desk.ts'

const SECRET = 'Quixotically'
const long = `${SECRET} `.repeat(1_000)
const street = { street_address: '1 Main Street', address_locality: 'Austin', address_country: 'US' }

/** Personal data that no operation accepts, and the member that the refusal names. */
const faulty: [what: string, input: object, member: string][] = [
  ['an e-mail address that is none', { buyer: { ...buyer, email: SECRET } }, 'buyer.email'],
  ['an e-mail address of another type', { buyer: { ...buyer, email: [SECRET] } }, 'buyer.email'],
  ['a first name of another type', { buyer: { ...buyer, first_name: { [SECRET]: SECRET } } }, 'buyer.first_name'],
  ['a phone number that is none', { buyer: { ...buyer, phone_number: SECRET } }, 'buyer.phone_number'],
  ['a last name that is too long', { buyer: { ...buyer, last_name: long } }, 'buyer'],
  ['a buyer that is text', { buyer: SECRET }, 'buyer'],
  ['a recipient without a last name', { recipient: { first_name: SECRET } }, 'recipient.last_name'],
  ['a recipient that is text', { recipient: SECRET }, 'recipient'],
  ['an address of another type', { delivery_address: { ...street, postal_code: [SECRET] } }, 'delivery_address'],
  ['an address that is text', { delivery_address: SECRET }, 'delivery_address'],
  ['notes that are too long', { notes: long }, 'notes'],
  ['notes of another type', { notes: [SECRET] }, 'notes'],
  ['notes with a NUL character', { notes: `${SECRET}\0` }, 'notes'],
]

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    const expectUnquoted = async (said: Said, member: string) => {
      expect(['validation_error', 'invalid_request']).toContain(said.code)
      expect(said.data.errors.map(({ field }: { field: string }) => field).join()).toContain(member)
      expect(JSON.stringify(said.data)).not.toContain(SECRET)
      expect(JSON.stringify(said.headers)).not.toContain(SECRET)
    }

    describe.each(faulty)('[LIV-031] the error about %s names the member and not its value', (_, input, member) => {
      test('when booking', async () => {
        const [slot] = await desk.slots('svc_paid')
        await expectUnquoted(await desk.book(slot, { ...input }), member)
      })

      test('when changing a booking', async () => {
        const { id } = (await freeBooking(desk)).data.booking
        const changeable = Object.keys(input).every((name) => name !== 'delivery_address')
        if (changeable) await expectUnquoted(await desk.update(id, { ...input }), member)
        await desk.cancel(id)
      })
    })

    test('[LIV-031] a waitlist entry is refused like that, too', async () => {
      const input = { service_id: 'svc_paid', buyer: { ...buyer, email: SECRET } }
      await expectUnquoted(await desk.call('usp_waitlist_join', input), 'buyer.email')
      expect(shop.logged.filter((line) => line.includes(SECRET))).toEqual([])
    })
  },
)

const freeBooking = async (desk: Desk) => desk.book((await desk.slots('svc_paid')).at(-1))
