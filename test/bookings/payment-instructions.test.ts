import { expect, test } from 'vitest'
import { referenceOf } from '../../src/domain/bookings/booking-response.ts'
import { paymentInstructions } from '../../src/domain/bookings/payment-instructions.ts'
import type { Payment } from '../../src/domain/pricing/payment-amounts.ts'
import { englishLocalizer, localizerFor } from '../../src/infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { talking } from '../mails/letters-shop.ts'

const payment: Payment = {
  timing: 'at_booking',
  currency: 'EUR',
  amount: 5000,
  tax: 0,
  due: 5000,
  items: [],
  received: [],
}
const booking = { id: 'bkg_AAAAAAAAAAAAAAAA', status: 'requires_action', record: { payment } } as unknown as Parameters<
  typeof paymentInstructions
>[1]
const told = (more: Partial<BusinessDefinition>) =>
  paymentInstructions({ ...talking, ...more }, booking, englishLocalizer())
const manual = talking.payments?.manual

test('a reference follows from the id, and is the same for ever', () => {
  expect(referenceOf(booking)).toBe('KSKC-MJWY')
})

test('how to pay is told in the words of the business, by its account and its phone', () => {
  expect(told({}).paragraphs).toEqual([
    'Cash or card at our desk, any day from 9 to 6.',
    'Transfer €50.00 to the account below. Include the reference so that we can match your payment.',
    `Pay by phone: call +1 212 555 0143 and give the reference ${referenceOf(booking)}.`,
  ])
  expect(told({}).rows).toEqual([
    ['Account holder', 'Test Studio LLC'],
    ['IBAN', 'DE02 1203 0000 0000 2020 51'],
    ['BIC', 'BYLADEM1001'],
    ['Amount', '€50.00'],
    ['Reference', referenceOf(booking)],
  ])
})

test('a number keeps its order among words that are read from the right', () => {
  const arabic = localizerFor('ar') ?? englishLocalizer()
  expect(paymentInstructions(talking, booking, arabic).paragraphs.at(-1)).toContain('\u2066+1 212 555 0143\u2069')
})

test('no number is named that there is not, and no account', () => {
  const words = manual?.how ?? ''
  expect(told({ website: {} }).paragraphs.join(' ')).not.toContain('phone')
  expect(told({ payments: { manual: { how: words } } })).toEqual({ paragraphs: [words], rows: [] })
})

test.each([{}, { phone: true }])('where nothing is said (%o), the business is to be asked', (settings) => {
  expect(told({ payments: { manual: settings }, website: {} })).toEqual({
    paragraphs: [`To pay, contact Test Studio and give the reference ${referenceOf(booking)}.`],
    rows: [],
  })
})
