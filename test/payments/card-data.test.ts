import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { documents } from '../../src/protocol/json-schemas.ts'
import { operations } from '../../src/server/all-operations.ts'
import { memberNames } from '../support/member-names.ts'
import { paidShop } from './shop.ts'

const { shop, desk, booked } = await paidShop({ collects: true })

/** Names under which numbers of cards and bank accounts go. */
const CARD =
  /card|(^|_)(pan|iban|bic|cvc|cvv|cvv2)(_|$)|account_?(number|holder)|routing_?number|sort_?code|security_?code/i
const NUMBER = '4242424242424242'

test('the names that are looked for are found', () => {
  for (const name of ['card', 'card_number', 'cardNumber', 'iban', 'cvc', 'account_number', 'pan'])
    expect(name).toMatch(CARD)
  expect('span').not.toMatch(CARD)
})

test('[PAY-083] no schema of a request, an answer or an event has a field for a card or a bank account', () => {
  // Where buyers pay to is the business's own account, which it tells everybody.
  const others = [...documents]
    .filter(([id]) => id !== 'urn:usp-server:business-definition')
    .map(([, schema]) => schema)
  expect(others).toHaveLength(documents.size - 1)
  const published = [...others, ...operations.map(({ input, output }) => ({ input, output }))]
  const names = [...memberNames(JSON.parse(JSON.stringify(published)))]
  expect(names.length).toBeGreaterThan(500)
  expect(names.filter((name) => CARD.test(name))).toEqual([])
})

test('[PAY-083] no table has a column for a card or a bank account', async () => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_schema = 'public'`.execute(shop.runtime.db)
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(({ name }) => CARD.test(name))).toEqual([])
})

test('[PAY-083] a card that is sent all the same is kept nowhere', async () => {
  const card = { number: NUMBER, cvc: '123' }
  const booking = await booked('svc_paid')
  const { buyer } = booking
  await desk.update(booking.id, { buyer: { ...buyer, card } })
  await desk.pay(booking, { card, card_number: NUMBER })
  const { db } = shop.runtime
  for (const table of ['bookings', 'changes', 'events', 'replies', 'payments', 'checkouts'] as const) {
    const rows = await db.selectFrom(table).selectAll().execute()
    expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      NUMBER,
    )
  }
  expect(shop.logged.join('')).not.toContain(NUMBER)
})
