import { expect, test } from 'vitest'
import { readSession } from '../../src/domain/payments/stripe-session.ts'

const session = {
  id: 'cs_1',
  object: 'checkout.session',
  status: 'complete',
  payment_status: 'paid',
  client_reference_id: 'chk_1',
  payment_intent: 'pi_1',
  amount_total: 8250,
  currency: 'usd',
  url: null,
}
const longest = 'x'.repeat(255)

const paid = Date.UTC(2026, 10, 20, 12, 0, 7)
const intent = (created: unknown) => ({ payment_intent: { id: 'pi_1', latest_charge: { id: 'ch_1', created } } })
test.each<[what: string, told: object, notedAt: unknown, paidAt: number | undefined]>([
  ['the charge', intent(paid / 1000), undefined, paid],
  ['the charge and not the notice', intent(paid / 1000), paid / 1000 + 2, paid],
  ['the notice where there is no charge', {}, paid / 1000, paid],
  ['the notice where the charge is only named', { payment_intent: { id: 'pi_1', latest_charge: 'ch_1' } }, 7, 7000],
  ['nothing', {}, undefined, undefined],
  ...['7', -1, 0, 0.5, 1e300, null, {}].map((odd): [string, object, unknown, undefined] => [
    `nothing that can be read: ${odd}`,
    intent(odd),
    'x',
    undefined,
  ]),
])('[paid in time] when a session was paid says %s', (_, told, notedAt, paidAt) => {
  expect(readSession({ ...session, ...told }, notedAt)?.payment?.paidAt?.getTime()).toBe(paidAt)
})

test.each<[what: string, told: object, read: object | undefined]>([
  ['as it is', {}, { id: 'chk_1', reference: 'cs_1', payment: { reference: 'pi_1', amount: 8250, currency: 'USD' } }],
  ['with its payment written out', { payment_intent: { id: 'pi_2' } }, { payment: { reference: 'pi_2' } }],
  ['without a payment of its own', { payment_intent: null }, { payment: { reference: 'cs_1' } }],
  ['with the longest id', { id: longest }, { reference: longest }],
  ['with a longer id', { id: `${longest}x` }, undefined],
  ['with our id too long', { client_reference_id: `${longest}x` }, { id: undefined, reference: 'cs_1' }],
  ['with the most money there is', { amount_total: 999_999_999_999 }, { payment: { amount: 999_999_999_999 } }],
  ['with more', { amount_total: 1_000_000_000_000 }, undefined],
  ['with the least', { amount_total: 1 }, { payment: { amount: 1 } }],
  ['with none', { amount_total: 0 }, undefined],
  ['with part of a cent', { amount_total: 0.5 }, undefined],
  ['of something else', { object: 'charge' }, undefined],
  ['complete and not paid', { payment_status: 'unpaid' }, { status: 'open', payment: undefined, url: undefined }],
  ['paid and not complete', { status: 'open', url: 'https://x/' }, { status: 'open', url: 'https://x/' }],
  ['over', { status: 'expired', url: 'https://x/' }, { status: 'closed', url: undefined, payment: undefined }],
])('a session of Stripe %s is read as what it is', (_, told, read) => {
  const found = readSession({ ...session, ...told })
  if (read) expect(found).toMatchObject(read)
  else expect(found).toBeUndefined()
})
