import { expect, test } from 'vitest'
import { oneLine, plainText } from '../../src/basics/plain-text.ts'
import { buyer, onBothDesks, testShop } from '../support/desk.ts'
import { address, shopDefinition } from './shop.ts'

test('[what is not seen is not kept] a name is one line, without signs that turn it around', () => {
  expect(oneLine(' Rosa\u202egnp.exe\r\n\t\u2028X\u0000\u0085 ')).toBe('Rosagnp.exe X')
  expect(oneLine('\u2067Rosa\u2069 \u202aDíaz\u202c')).toBe('Rosa Díaz')
})

test('[what is not seen is not kept] words keep their lines, and what their language is written with', () => {
  expect(plainText('One\r\nTwo\u2028Three\fFour\u0007\u202e\tend')).toBe('One\nTwo\nThree\nFour\tend')
  for (const text of ['می\u200cخواهم', 'שלום\u200f!', '👩\u200d🦰', 'Ärmel kürzen 🪡']) {
    expect(oneLine(text)).toBe(text)
    expect(plainText(text)).toBe(text)
  }
})

await onBothDesks(
  () => testShop(shopDefinition),
  (desk) => {
    const hostile = 'A\u202e\u0007\nB'
    const person = { first_name: hostile, last_name: hostile, email: buyer.email, phone_number: '+1 212\n5551234' }
    const clean = { first_name: 'A B', last_name: 'A B', email: buyer.email, phone_number: '+1 212 5551234' }
    const place = { ...address, line1: hostile, line2: hostile, city: hostile, region: hostile }

    test('[what is not seen is not kept] wherever people are written down', async () => {
      const [slot] = await desk.slots('svc_visit')
      const written = { buyer: person, recipient: person, notes: hostile }
      const { booking } = (await desk.book(slot, { ...written, delivery_address: place })).data
      const kept = { buyer: clean, recipient: clean, notes: 'A\nB' }
      expect(booking).toMatchObject({
        ...kept,
        delivery_address: { ...address, line1: 'A B', line2: 'A B', city: 'A B', region: 'A B' },
      })
      await desk.update(booking.id, { buyer, recipient: buyer, notes: '' })
      expect((await desk.update(booking.id, written)).data.booking).toMatchObject(kept)
      const { data } = await desk.cancel(booking.id, { reason: hostile })
      expect(data.booking.cancellation.reason).toBe('A\nB')
    })

    test('[what is not seen is not kept] nor of who waits', async () => {
      const input = { service_id: 'svc_queue', buyer: person }
      const { entry } = (await desk.call('usp_waitlist_join', input)).data
      expect(entry.buyer).toMatchObject(clean)
    })
  },
)
