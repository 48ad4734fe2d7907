import { expect, test } from 'vitest'
import { testShop } from '../support/desk.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const shop = await testShop(salon(), { env: { TRUST_PROXY: '127.0.0.1' } })
const from = (address: string) => visitor(shop, { 'x-forwarded-for': address })
const browser = from('203.0.113.1')
const entries = () => shop.runtime.db.selectFrom('waitlist_entries').select(['id', 'buyer']).execute()
const DAY = '/book/svc_yoga?day=2026-11-24'
await browser.book(`${DAY}&party=8`)
const full = await browser.open(DAY)
const queue = /href="(\/book\/svc_yoga\/waitlist[^"]*)"/.exec(full.body)?.[1]?.replaceAll('&amp;', '&') ?? ''

async function form(one = browser) {
  const { token } = one.formOf(await one.open(queue))
  shop.time.now = new Date(shop.time.now.getTime() + 5_000)
  return token
}

test('[exactly once] a form that is sent many times at once joins once, and all of them lead there', async () => {
  const token = await form()
  const sent = await Promise.all(Array.from({ length: 24 }, () => browser.send(queue, { ...ROSA, form: token })))
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([303]))
  expect(new Set(sent.map(({ headers }) => headers.location)).size).toBe(1)
  expect(await entries()).toHaveLength(1)
})

test('[one address waits once] another form, also from elsewhere, is refused and learns nothing of the entry', async () => {
  const before = await entries()
  const other = from('203.0.113.2')
  for (const email of [ROSA.email, ROSA.email.toUpperCase()]) {
    const { status, headers, body } = await other.send(queue, { ...ROSA, email, form: await form(other) })
    expect([status, headers.location]).toEqual([422, undefined])
    expect(body).toContain('Somebody with this address is on the waitlist for this time already.')
    expect(body).toContain(`value="${email}"`)
    expect(body).not.toContain('wle_')
  }
  expect(await entries()).toEqual(before)
})

test('[one address waits once] forms that are sent at the same time join once', async () => {
  const [one, two] = [from('203.0.113.3'), from('203.0.113.4')]
  const tokens = [await form(one), await form(two)]
  const values = { ...ROSA, email: 'twice@example.com' }
  const sent = await Promise.all([one, two].map((each, at) => each.send(queue, { ...values, form: tokens[at] ?? '' })))
  expect(sent.map(({ status }) => status).toSorted()).toEqual([303, 422])
  expect(await entries()).toHaveLength(2)
})
